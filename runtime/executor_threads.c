/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors
 *
 * A pool of threads that live as long as the executor: worker k runs lane k of every batch, the caller is lane 0.
 *
 * One word, the gate, says everything about the batch in progress. The caller writes the work, opens the gate, runs its
 * own lane and closes the gate with one read-modify-write, which tells it how many workers are inside; only for those it
 * waits. A worker enters by a compare-and-swap that fails once the gate is closed, so one that sleeps or is preempted
 * costs the batch nothing. A closed gate with nobody inside belongs to the caller alone.
 *
 * On a machine that other programs use, a worker may lose its processor inside an item, and the caller then waits a whole
 * time slice or several. Three things keep that from adding up. A join spins only briefly and then sleeps, which gives the
 * worker the caller's processor. A worker on the caller's own processor moves away, and does not spin where it cannot. And a
 * worker that makes callers sleep because it is without a processor rests where its help does not outweigh that (starvation.h):
 * it stays out of batches, longer each time, at most a tenth of a second. It ends its rest by itself, so a batch that cannot
 * end without it is only late. */
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <string.h>

#include "runtime/executor_options.h"
#include "runtime/executor_rows.h"
#include "runtime/futex.h"
#include "runtime/processors.h"
#include "runtime/spin.h"
#include "runtime/starvation.h"

#define DEFAULT_SPIN_NS        20000
#define LEAST_BETWEEN_MOVES_NS 2000000

/* Every look of an idle worker takes the gate's line from the caller, who writes it twice a batch: a look after every
 * pause would double the price of a small batch, and makes no batch of microsecond items cheaper. */
#define IDLE_PAUSES 4

/* The gate, from its lowest bit: open, awaited (the caller sleeps until the last has left), stop; how many are inside; how
 * many lanes may run; the batch's generation, by which a worker knows a gate it has been through. */
#define GATE_OPEN             ((uint64_t)1)
#define GATE_AWAITED          ((uint64_t)2)
#define GATE_STOP             ((uint64_t)4)
#define GATE_INSIDE_SHIFT     3
#define GATE_LANES_SHIFT      19
#define GATE_GENERATION_SHIFT 35
#define GATE_ONE_INSIDE       ((uint64_t)1 << GATE_INSIDE_SHIFT)
#define GATE_NUMBER_MASK      ((uint64_t)0xffff)

_Static_assert(TAC_EXECUTOR_LANES_MAX <= GATE_NUMBER_MASK, "the gate counts lanes in 16 bits");

struct pool;

/* A worker asleep is woken by the next batch; one at rest only by its timer, or by the end. */
enum { AWAKE, ASLEEP, AT_REST };

struct worker {
  _Alignas(TAC_ALIGNMENT) _Atomic uint32_t state; /* a futex; whoever ends ASLEEP also counts `sleepers` down */
  int lane;
  int64_t moved_ns;       /* when it last left the caller's processor */
  uint64_t generation;    /* of the last gate it went through */
  struct tac_usage usage; /* at the last look */
  struct tac_patience patience;
  pthread_t thread;
  struct pool *pool;
};

struct pool {
  /* One line, passed between the caller and the workers once a batch. */
  _Alignas(TAC_ALIGNMENT) _Atomic uint64_t gate;
  struct tac_work *work; /* written while the gate is closed and empty, read inside */
  _Atomic int caller_processor;
  /* Seldom written: who looks finds it in its own cache. */
  _Alignas(TAC_ALIGNMENT) _Atomic uint32_t sleepers; /* workers that are ASLEEP */
  _Atomic uint32_t left;                             /* a futex: the last worker has left an awaited gate */
  _Atomic int64_t awaited_ns;                        /* when the caller went to sleep */
  int lanes, started;
  int64_t spin_ns;
  const struct tac_allocator *allocator;
  struct worker worker[]; /* worker[k - 1] runs lane k */
};

static uint64_t generation_of(uint64_t gate) {
  return gate >> GATE_GENERATION_SHIFT;
}

static uint64_t lanes_of(uint64_t gate) {
  return gate >> GATE_LANES_SHIFT & GATE_NUMBER_MASK;
}

static uint64_t inside_of(uint64_t gate) {
  return gate >> GATE_INSIDE_SHIFT & GATE_NUMBER_MASK;
}

/* True when the gate calls this worker: to a batch it may enter, or to its end. */
static bool calls(uint64_t gate, const struct worker *worker) {
  if (gate & GATE_STOP)
    return true;
  return gate & GATE_OPEN && lanes_of(gate) > (uint64_t)worker->lane && generation_of(gate) != worker->generation;
}

/* Takes the worker out of its sleep, or out of the way into it; true for the one caller that did. */
static bool rouse(struct worker *worker) {
  uint32_t asleep = ASLEEP;
  if (atomic_load_explicit(&worker->state, memory_order_relaxed) != ASLEEP ||
      !atomic_compare_exchange_strong(&worker->state, &asleep, AWAKE))
    return false;
  atomic_fetch_sub(&worker->pool->sleepers, 1);
  return true;
}

/* Wakes at most two sleepers among the batch's lanes. Every worker that was woken does the same once it is inside, so the
 * caller pays for two however many there are. */
static void wake_two(struct pool *pool, int lanes) {
  for (int k = 1, woken = 0; k < lanes && woken < 2; k++)
    if (rouse(&pool->worker[k - 1])) {
      tac_futex_wake_one(&pool->worker[k - 1].state);
      woken++;
    }
}

/* The order matters, on both sides and sequentially consistent: the worker says that it sleeps and then looks at the gate;
 * the caller opens the gate and then looks for sleepers. One of them sees the other. */
static void sleep_until_roused(struct worker *worker) {
  struct pool *pool = worker->pool;
  atomic_store(&worker->state, ASLEEP);
  atomic_fetch_add(&pool->sleepers, 1);
  while (!calls(atomic_load(&pool->gate), worker)) {
    tac_futex_wait(&worker->state, ASLEEP);
    if (atomic_load(&worker->state) == AWAKE)
      return;
  }
  rouse(worker);
}

static int64_t now_ns(void) {
  const struct tac_clock *clock = tac_clock_monotonic();
  return clock->now_ns(clock->context);
}

/* A worker that the kernel woke on the caller's own processor would run instead of the caller, and wake there again next
 * time: it moves away, but not more often than once in a while, since where all processors are taken that helps nobody. */
static bool in_callers_way(struct worker *worker) {
  const int processor = atomic_load_explicit(&worker->pool->caller_processor, memory_order_relaxed);
  if (processor != sched_getcpu())
    return false;
  const int64_t now = now_ns();
  if (now - worker->moved_ns < LEAST_BETWEEN_MOVES_NS)
    return true;
  worker->moved_ns = now;
  tac_processor_leave(processor);
  return processor == sched_getcpu();
}

/* Waits for a gate that calls this worker. A worker stays awake for as long as batches follow one another, whether it
 * reached their gates in time or not. Returns whether it slept. */
static bool await_call(struct worker *worker) {
  struct pool *pool = worker->pool;
  struct tac_spin spin = {.bound_ns = pool->spin_ns, .pauses_a_look = IDLE_PAUSES};
  uint64_t seen = worker->generation;
  for (;;) {
    uint64_t gate = atomic_load_explicit(&pool->gate, memory_order_relaxed);
    if (calls(gate, worker))
      return false;
    if (generation_of(gate) != seen) {
      seen = generation_of(gate);
      spin.until_ns = 0;
    }
    if (!tac_spin_once(&spin) || in_callers_way(worker)) {
      sleep_until_roused(worker);
      return true;
    }
  }
}

static bool enter(struct worker *worker) {
  struct pool *pool = worker->pool;
  uint64_t gate = atomic_load_explicit(&pool->gate, memory_order_relaxed);
  while (calls(gate, worker) && !(gate & GATE_STOP))
    if (atomic_compare_exchange_weak_explicit(&pool->gate, &gate, gate + GATE_ONE_INSIDE, memory_order_acquire,
                                              memory_order_relaxed)) {
      worker->generation = generation_of(gate);
      return true;
    }
  return false;
}

static void rest(struct worker *worker, int64_t duration_ns) {
  struct pool *pool = worker->pool;
  int64_t until_ns = now_ns() + duration_ns;
  atomic_store(&worker->state, AT_REST);
  while (!(atomic_load(&pool->gate) & GATE_STOP) && now_ns() < until_ns)
    tac_futex_wait_until(&worker->state, AT_REST, until_ns);
  atomic_store(&worker->state, AWAKE);
  worker->usage = tac_usage_now();
  worker->patience.since_ns = worker->usage.wall_ns;
}

/* After the caller had to sleep for this worker. The awaited time may already be a later batch's; then it says less. */
static void rest_if_starved(struct worker *worker) {
  struct tac_usage before = worker->usage;
  worker->usage = tac_usage_now();
  int64_t ended_ns = worker->usage.wall_ns;
  int64_t waited_ns = ended_ns - atomic_load_explicit(&worker->pool->awaited_ns, memory_order_relaxed);
  int64_t starved_ns = tac_starved_ns(&before, &worker->usage, waited_ns);
  int64_t duration_ns = tac_patience_rest_ns(&worker->patience, ended_ns, starved_ns);
  if (duration_ns > 0)
    rest(worker, duration_ns);
}

static void leave(struct worker *worker) {
  struct pool *pool = worker->pool;
  uint64_t gate = atomic_fetch_sub_explicit(&pool->gate, GATE_ONE_INSIDE, memory_order_acq_rel);
  if (!(gate & GATE_AWAITED))
    return;
  if (inside_of(gate) == 1) {
    atomic_store_explicit(&pool->left, 1, memory_order_release);
    tac_futex_wake_one(&pool->left);
  }
  rest_if_starved(worker);
}

static void *serve(void *argument) {
  struct worker *worker = argument;
  struct pool *pool = worker->pool;
  worker->usage = tac_usage_now();
  tac_patience_init(&worker->patience, worker->usage.wall_ns);
  for (;;) {
    bool slept = await_call(worker);
    if (slept) {
      in_callers_way(worker);
      worker->usage = tac_usage_now();
    }
    if (atomic_load_explicit(&pool->gate, memory_order_relaxed) & GATE_STOP)
      return NULL;
    if (!enter(worker))
      continue;
    struct tac_work *work = pool->work;
    if (slept && atomic_load_explicit(&pool->sleepers, memory_order_relaxed) > 0)
      wake_two(pool, work->lanes);
    work->loop(work, &work->lane[worker->lane]);
    leave(worker);
  }
}

static void open_gate(struct pool *pool, struct tac_work *work) {
  uint64_t generation = generation_of(atomic_load_explicit(&pool->gate, memory_order_relaxed)) + 1;
  pool->work = work;
  atomic_store_explicit(&pool->caller_processor, sched_getcpu(), memory_order_relaxed);
  atomic_store(&pool->gate, generation << GATE_GENERATION_SHIFT | (uint64_t)work->lanes << GATE_LANES_SHIFT | GATE_OPEN);
  if (atomic_load(&pool->sleepers) > 0)
    wake_two(pool, work->lanes);
}

/* After the bounded spin the caller gives its processor away: the worker it waits for may be preempted on it. */
static void await_last(struct pool *pool) {
  struct tac_spin spin = {.bound_ns = pool->spin_ns, .pauses_a_look = 1};
  while (tac_spin_once(&spin))
    if (inside_of(atomic_load_explicit(&pool->gate, memory_order_acquire)) == 0)
      return;
  atomic_store_explicit(&pool->awaited_ns, now_ns(), memory_order_relaxed);
  atomic_store_explicit(&pool->left, 0, memory_order_relaxed);
  uint64_t gate = atomic_fetch_or_explicit(&pool->gate, GATE_AWAITED, memory_order_acq_rel);
  if (inside_of(gate) == 0)
    return;
  while (atomic_load_explicit(&pool->left, memory_order_acquire) == 0)
    tac_futex_wait(&pool->left, 0);
}

static enum tac_status run_threads(void *state, struct tac_work *work, struct tac_error *error) {
  struct pool *pool = state;
  if (work->lanes > pool->lanes)
    return tac_error_set(error, TAC_STATUS_INVALID, __func__, "a batch of %d lanes for an executor of %d", work->lanes,
                         pool->lanes);
  open_gate(pool, work);
  work->loop(work, &work->lane[0]);
  if (inside_of(atomic_fetch_and_explicit(&pool->gate, ~GATE_OPEN, memory_order_acq_rel)) > 0)
    await_last(pool);
  return TAC_STATUS_OK;
}

static void destroy_threads(void *state) {
  struct pool *pool = state;
  if (!pool)
    return;
  atomic_fetch_or(&pool->gate, GATE_STOP);
  for (int i = 0; i < pool->started; i++)
    if (atomic_exchange(&pool->worker[i].state, AWAKE) != AWAKE)
      tac_futex_wake_one(&pool->worker[i].state);
  for (int i = 0; i < pool->started; i++)
    pthread_join(pool->worker[i].thread, NULL);
  pool->allocator->release(pool->allocator->context, pool);
}

/* Workers leave every signal to the program's own threads. Returns pthread_create's error number. */
static int start_workers(struct pool *pool) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  int failure = 0;
  while (!failure && pool->started < pool->lanes - 1) {
    struct worker *worker = &pool->worker[pool->started];
    worker->pool = pool;
    worker->lane = pool->started + 1;
    failure = pthread_create(&worker->thread, NULL, serve, worker);
    if (!failure)
      pool->started++;
  }
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return failure;
}

static enum tac_status create_threads(void **out, const struct tac_executor_options *options, struct tac_error *error) {
  struct tac_executor_options resolved;
  enum tac_status status = tac_executor_options_resolve(&resolved, options, __func__, error);
  if (status != TAC_STATUS_OK)
    return status;
  size_t size = sizeof(struct pool) + (size_t)(resolved.lanes - 1) * sizeof(struct worker);
  struct pool *pool = resolved.allocator->allocate(resolved.allocator->context, size);
  if (!pool)
    return tac_error_set(error, TAC_STATUS_MEMORY, __func__, "no memory for a pool of %d lanes", resolved.lanes);
  memset(pool, 0, size);
  pool->allocator = resolved.allocator;
  pool->lanes = resolved.lanes;
  pool->caller_processor = -1;
  /* With more lanes than processors a spin keeps from running the very thread it waits for. */
  if (resolved.lanes <= tac_processors_allowed())
    pool->spin_ns = resolved.spin_ns == -1 ? DEFAULT_SPIN_NS : resolved.spin_ns;
  int failure = start_workers(pool);
  if (failure) {
    status = tac_error_set(error, TAC_STATUS_SYSTEM, __func__,
                           "the system started %d of %d threads: ask for fewer lanes or raise its limit", pool->started,
                           resolved.lanes - 1);
    if (error)
      error->native_code = failure;
    destroy_threads(pool);
    return status;
  }
  *out = pool;
  return TAC_STATUS_OK;
}

static enum tac_status probe_threads(struct tac_error *error) {
  (void)error;
  return TAC_STATUS_OK;
}

static int lanes_threads(const void *state) {
  return ((const struct pool *)state)->lanes;
}

const struct tac_executor tac_executor_threads = {
    .abi = TAC_EXECUTOR_ABI,
    .name = "threads",
    .summary = "a pool of threads, fast to start and to join",
    .probe = probe_threads,
    .create = create_threads,
    .destroy = destroy_threads,
    .lanes = lanes_threads,
    .run = run_threads,
};
