/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors
 *
 * Linked with --wrap=pthread_create, so that a test decides which thread cannot be started. */
#include "runtime/executor_rows.h"

#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>

#include "tests/unit/counting_allocator.h"
#include "tests/unit/executor_work.h"
#include "tests/unit/seed.h"
#include "tests/unit/suite.h"

static const struct tac_executor *const executor = &tac_executor_threads;

static int threads_left = 1000000; /* to be started before the system refuses */

int __real_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *argument);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *argument);

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *argument) {
  return threads_left-- > 0 ? __real_pthread_create(thread, attributes, start, argument) : EAGAIN;
}

static void *create(int lanes, int spin_ns) {
  struct tac_executor_options options;
  tac_executor_options_init(&options);
  options.lanes = lanes;
  options.spin_ns = spin_ns;
  void *state = NULL;
  ck_assert_int_eq(executor->create(&state, &options, NULL), TAC_STATUS_OK);
  return state;
}

static void run(void *state, struct work *work) {
  ck_assert_int_eq(executor->run(state, &work->work, NULL), TAC_STATUS_OK);
  ck_assert(work_is_right(work));
}

static void nap_ms(int milliseconds) {
  nanosleep(&(struct timespec){.tv_nsec = milliseconds * 1000000L}, NULL);
}

/* No spin, the default, and one far longer than any test waits. */
static const int spins_ns[] = {0, -1, 2000000000};

START_TEST(lanes_are_as_asked) {
  ck_assert_int_eq(executor->probe(NULL), TAC_STATUS_OK);
  const int asked[] = {1, 2, tac_processors_allowed() + 3};
  for (size_t i = 0; i < sizeof asked / sizeof *asked; i++) {
    void *state = create(asked[i], -1);
    ck_assert_int_eq(executor->lanes(state), asked[i]);
    executor->destroy(state);
  }
  void *state = create(0, -1);
  ck_assert_int_eq(executor->lanes(state), tac_processors_allowed());
  executor->destroy(state);
  executor->destroy(NULL);
}
END_TEST

START_TEST(lanes_meet_on_threads_of_their_own) {
  static struct work work;
  void *state = create(WORK_LANES, spins_ns[_i]);
  for (int width = 2; width <= WORK_LANES; width++) {
    work_init(&work, 100, width, meeting_loop);
    run(state, &work);
    ck_assert(work_ran_on_all_lanes(&work));
  }
  executor->destroy(state);
}
END_TEST

START_TEST(a_worker_keeps_its_lane) {
  static struct work first, second;
  void *state = create(4, -1);
  work_init(&first, 4, 4, meeting_loop);
  work_init(&second, 4, 4, meeting_loop);
  run(state, &first);
  run(state, &second);
  for (int k = 0; k < 4; k++)
    ck_assert(pthread_equal(first.thread[k], second.thread[k]));
  executor->destroy(state);
}
END_TEST

START_TEST(successive_batches_of_every_width) {
  uint32_t random = (uint32_t)test_seed();
  static struct work work;
  void *state = create(_i < 3 ? 2 : 4, spins_ns[_i % 3]);
  int lanes = executor->lanes(state);
  for (int batch = 0; batch < 4000; batch++) {
    random = random * 1664525u + 1013904223u;
    int width = 2 + (int)((random >> 8) % (uint32_t)(lanes - 1));
    bool meet_first = (random >> 16) % 16 == 0;
    work_init(&work, (random >> 20) % 40 + 2, width, meet_first ? meeting_loop : claiming_loop);
    run(state, &work);
  }
  executor->destroy(state);
}
END_TEST

/* Batches far enough apart that the workers are asleep when the next one comes. */
START_TEST(sleepers_are_woken) {
  static struct work work;
  void *state = create(4, spins_ns[_i]);
  for (int batch = 0; batch < 30; batch++) {
    work_init(&work, 10, 2 + batch % 3, meeting_loop);
    run(state, &work);
    ck_assert(work_ran_on_all_lanes(&work));
    nap_ms(2);
  }
  executor->destroy(state);
}
END_TEST

static void late_loop(struct tac_work *base, struct tac_lane *lane) {
  struct work *work = (struct work *)base;
  note_call(work, lane);
  meet(work, lane);
  if (lane->number > 0)
    nap_ms(3 * lane->number);
  claim_items(work);
  work->ran[WORK_ITEMS - 1 - lane->number] = 1;
}

/* The caller is through long before the workers: it sleeps, and still sees all that they wrote. */
START_TEST(the_join_waits_for_late_workers) {
  static struct work work;
  void *state = create(3, spins_ns[_i]);
  for (int batch = 0; batch < 10; batch++) {
    work_init(&work, 10, 3, late_loop);
    ck_assert_int_eq(executor->run(state, &work.work, NULL), TAC_STATUS_OK);
    for (int k = 0; k < 3; k++)
      ck_assert_int_eq(work.ran[WORK_ITEMS - 1 - k], 1);
  }
  executor->destroy(state);
}
END_TEST

START_TEST(destroy_finds_workers_asleep_or_awake) {
  static struct work work;
  for (int nap = 0; nap <= 4; nap += 2) {
    void *state = create(2, spins_ns[_i]);
    work_init(&work, 10, 2, meeting_loop);
    run(state, &work);
    if (nap)
      nap_ms(nap);
    executor->destroy(state);
  }
  for (int i = 0; i < 50; i++)
    executor->destroy(create(4, spins_ns[_i]));
}
END_TEST

static atomic_bool crowd_over;

static void *crowd(void *unused) {
  while (!atomic_load(&crowd_over))
    ;
  return unused;
}

static void working_loop(struct tac_work *base, struct tac_lane *lane) {
  struct work *work = (struct work *)base;
  note_call(work, lane);
  for (volatile int i = 0; i < 20000; i++)
    ;
  claim_items(work);
}

static cpu_set_t one_processor;

/* Every lane's thread onto the one processor. */
static void pinning_loop(struct tac_work *base, struct tac_lane *lane) {
  pthread_setaffinity_np(pthread_self(), sizeof one_processor, &one_processor);
  meeting_loop(base, lane);
}

/* All on one processor that others use too: workers lose it inside items and rest. Batches stay right, and those whose
 * lanes wait for each other still end. */
START_TEST(a_crowded_processor_changes_no_result) {
  cpu_set_t mask;
  ck_assert_int_eq(sched_getaffinity(0, sizeof mask, &mask), 0);
  for (int cpu = 0; CPU_COUNT(&one_processor) == 0; cpu++)
    if (CPU_ISSET(cpu, &mask))
      CPU_SET(cpu, &one_processor);
  void *state = create(2, -1); /* before the mask is narrow, so that the workers may spin */
  static struct work work;
  work_init(&work, 2, 2, pinning_loop);
  run(state, &work);
  pthread_t others[2];
  for (int i = 0; i < 2; i++)
    ck_assert_int_eq(pthread_create(&others[i], NULL, crowd, NULL), 0);
  for (int batch = 0; batch < 60; batch++) {
    work_init(&work, 20, 2, batch % 10 ? working_loop : meeting_loop);
    run(state, &work);
  }
  atomic_store(&crowd_over, true);
  for (int i = 0; i < 2; i++)
    pthread_join(others[i], NULL);
  executor->destroy(state);
}
END_TEST

static void masking_loop(struct tac_work *base, struct tac_lane *lane) {
  struct work *work = (struct work *)base;
  sigset_t mask;
  pthread_sigmask(SIG_SETMASK, NULL, &mask);
  work->ran[lane->number] = sigismember(&mask, SIGINT);
  meet(work, lane);
}

START_TEST(signals_stay_with_the_program) {
  static struct work work;
  void *state = create(2, -1);
  work_init(&work, 2, 2, masking_loop);
  ck_assert_int_eq(executor->run(state, &work.work, NULL), TAC_STATUS_OK);
  ck_assert_int_eq(work.ran[0], 0);
  ck_assert_int_eq(work.ran[1], 1);
  executor->destroy(state);
}
END_TEST

START_TEST(a_batch_wider_than_the_pool_is_refused) {
  static struct work work;
  void *state = create(2, -1);
  work_init(&work, 10, 3, claiming_loop);
  ck_assert_int_eq(executor->run(state, &work.work, NULL), TAC_STATUS_INVALID);
  ck_assert_int_eq(work.calls[0], 0);
  executor->destroy(state);
}
END_TEST

START_TEST(create_gives_all_back_when_a_thread_is_refused) {
  for (int startable = 0; startable < 4; startable++) {
    struct counting counting = COUNTING_INIT;
    const struct tac_allocator allocator = COUNTING_ALLOCATOR(&counting);
    struct tac_executor_options options;
    tac_executor_options_init(&options);
    options.lanes = 5;
    options.allocator = &allocator;
    threads_left = startable;
    void *state = NULL;
    struct tac_error error;
    ck_assert_int_eq(executor->create(&state, &options, &error), TAC_STATUS_SYSTEM);
    ck_assert_ptr_null(state);
    ck_assert_int_eq(error.native_code, EAGAIN);
    char expected[64];
    snprintf(expected, sizeof expected, "the system started %d of 4 threads", startable);
    ck_assert_ptr_nonnull(strstr(error.text, expected));
    ck_assert_uint_eq(counting.allocated, 1);
    ck_assert_uint_eq(counting.released, 1);
  }
}
END_TEST

START_TEST(create_reports_no_memory) {
  expect_no_memory(executor);
}
END_TEST

START_TEST(batches_allocate_nothing) {
  struct counting counting = COUNTING_INIT;
  const struct tac_allocator allocator = COUNTING_ALLOCATOR(&counting);
  struct tac_executor_options options;
  tac_executor_options_init(&options);
  options.lanes = 3;
  options.allocator = &allocator;
  void *state;
  ck_assert_int_eq(executor->create(&state, &options, NULL), TAC_STATUS_OK);
  ck_assert_uint_eq(counting.allocated, 1);
  static struct work work;
  for (int batch = 0; batch < 100; batch++) {
    work_init(&work, 10, 2 + batch % 2, claiming_loop);
    run(state, &work);
  }
  executor->destroy(state);
  ck_assert_uint_eq(counting.allocated, 1);
  ck_assert_uint_eq(counting.released, 1);
}
END_TEST

int main(void) {
  const TTest *const once[] = {
      lanes_are_as_asked,
      a_worker_keeps_its_lane,
      a_crowded_processor_changes_no_result,
      signals_stay_with_the_program,
      a_batch_wider_than_the_pool_is_refused,
      create_gives_all_back_when_a_thread_is_refused,
      create_reports_no_memory,
      batches_allocate_nothing,
  };
  const TTest *const every_spin[] = {
      lanes_meet_on_threads_of_their_own,
      sleepers_are_woken,
      the_join_waits_for_late_workers,
      destroy_finds_workers_asleep_or_awake,
  };
  TCase *cases = tcase_create("executor_threads");
  tcase_set_timeout(cases, 120);
  for (size_t i = 0; i < sizeof once / sizeof *once; i++)
    tcase_add_test(cases, once[i]);
  for (size_t i = 0; i < sizeof every_spin / sizeof *every_spin; i++)
    tcase_add_loop_test(cases, every_spin[i], 0, 3);
  tcase_add_loop_test(cases, successive_batches_of_every_width, 0, 6);
  return run_cases("executor_threads", cases);
}
