/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */

/* What measuring costs on one lane: detailed an item, coarse a batch and a profile a phase, beside the clock reads, increments
 * and thread-local reads that they cannot do without, timed in the same run. */

#include <stdatomic.h>
#include <stdio.h>

#include <tactus/measure/phase_profile.h>
#include <tactus/measure/recorder.h>

#include "bench/contender.h"
#include "bench/options.h"
#include "bench/sample.h"

#define DETAILED_GOAL 1.3
#define INACTIVE_GOAL 1.5

enum { PHASE_CALLS = 1000 };

struct measured {
  struct tac_scheduler *scheduler;
  struct tac_recorder *recorder; /* NULL at off */
  struct tac_batch batch;
  int failed; /* a batch returned another status than OK */
};

enum { OFF, COARSE, DETAILED, FLOOR, SUBJECTS };

static void run_off(void *context) {
  struct measured *measured = context;
  if (tac_run_batch(measured->scheduler, &measured->batch, NULL) != TAC_STATUS_OK)
    measured->failed = 1;
}

static void run_measured(void *context) {
  struct measured *measured = context;
  if (tac_run_batch_measured(measured->scheduler, &measured->batch, measured->recorder, NULL) != TAC_STATUS_OK)
    measured->failed = 1;
}

static void run_floor(void *context) {
  static atomic_uint_fast64_t sequence;
  static volatile int64_t sink;
  const struct measured *measured = context;
  const struct tac_clock *clock = tac_clock_monotonic();
  for (size_t index = 0; index < measured->batch.count; ++index) {
    atomic_fetch_add_explicit(&sequence, 1, memory_order_relaxed);
    const int64_t start = clock->now_ns(clock->context);
    const int64_t finish = clock->now_ns(clock->context);
    atomic_fetch_add_explicit(&sequence, 1, memory_order_relaxed);
    sink = finish - start;
  }
  (void)sink;
}

static void run_two_reads(void *context) {
  static volatile int64_t sink;
  (void)context;
  const struct tac_clock *clock = tac_clock_monotonic();
  const int64_t start = clock->now_ns(clock->context);
  sink = clock->now_ns(clock->context) - start;
  (void)sink;
}

static const struct tac_event event = {.name = "batch", .parent = TAC_NO_EVENT, .batched = 1};
static const struct tac_event_set events = {.name = "bench", .count = 1, .events = &event};

static enum tac_status create(struct measured *out, enum tac_level level, struct tac_error *error) {
  struct tac_scheduler_options options;
  tac_scheduler_options_init(&options);
  options.executor = "serial";
  options.executor_options.lanes = 1;
  options.level = level;
  *out = (struct measured){.batch = {.item = bench_item_empty}};
  enum tac_status status = tac_scheduler_create(&out->scheduler, &options, error);
  if (status != TAC_STATUS_OK || level == TAC_OFF)
    return status;
  struct tac_recorder_options recorder;
  tac_recorder_options_init(&recorder);
  recorder.events = &events;
  recorder.level = level;
  recorder.batch_limit = 16; /* the others are summarised: the bench's memory stays small */
  return tac_recorder_create(&out->recorder, &recorder, error);
}

static int measure(struct measured *measured, size_t count, const struct bench_plan *plan) {
  const struct bench_subject subjects[SUBJECTS] = {{"off", run_off, &measured[OFF]},
                                                   {"coarse", run_measured, &measured[COARSE]},
                                                   {"detailed", run_measured, &measured[DETAILED]},
                                                   {"floor", run_floor, &measured[FLOOR]}};
  double ns[SUBJECTS];
  for (int s = 0; s < SUBJECTS; ++s)
    measured[s].batch.count = count;
  if (bench_times(ns, subjects, SUBJECTS, plan) || measured[OFF].failed || measured[COARSE].failed || measured[DETAILED].failed)
    return -1;
  const double ratio = ns[DETAILED] / ns[FLOOR];
  printf("%7zu %12.3f %12.3f %12.3f", count, ns[OFF] / ns[FLOOR], ns[COARSE] / ns[FLOOR], ratio);
  /* In a smaller batch the two clock reads of the batch itself weigh as much as the items'. */
  if (count >= 64)
    printf("   %.1f %s\n", DETAILED_GOAL, bench_verdict(ratio, DETAILED_GOAL));
  else
    puts("   -");
  return 0;
}

static int measure_coarse(struct measured *measured, const struct bench_plan *plan) {
  const struct bench_subject subjects[] = {
      {"off", run_off, &measured[OFF]}, {"coarse", run_measured, &measured[COARSE]}, {"reads", run_two_reads, NULL}};
  double ns[3];
  measured[OFF].batch.count = measured[COARSE].batch.count = 1;
  if (bench_times(ns, subjects, 3, plan))
    return -1;
  printf("\nCoarse, a batch of one item: what it adds to off is %.2f times two clock reads.\n", (ns[1] - ns[0]) / ns[2]);
  return 0;
}

/* As many calls of the library that read the variable and do nothing else. */
static void run_thread_local_reads(void *context) {
  static struct tac_phase_profile *volatile sink;
  (void)context;
  for (int i = 0; i < 2 * PHASE_CALLS; ++i)
    sink = tac_phase_active();
  (void)sink;
}

static void run_phases(void *context) {
  static volatile int sink;
  (void)context;
  for (int i = 0; i < PHASE_CALLS; ++i) {
    sink = (int)tac_active_phase_enter("phase", NULL);
    sink = (int)tac_active_phase_leave("phase", NULL);
  }
  (void)sink;
}

static void run_active_phases(void *context) {
  struct tac_phase_profile *profile = context;
  if (tac_phase_activation_begin(profile, NULL) != TAC_STATUS_OK)
    return;
  run_phases(NULL);
  tac_phase_activation_end(profile, NULL);
}

static int measure_phases(const struct bench_plan *plan) {
  struct tac_phase_profile *profile;
  if (tac_phase_profile_create(&profile, NULL, NULL) != TAC_STATUS_OK)
    return -1;
  const struct bench_subject subjects[] = {{"thread-local", run_thread_local_reads, NULL},
                                           {"inactive", run_phases, NULL},
                                           {"active", run_active_phases, profile},
                                           {"reads", run_two_reads, NULL}};
  double ns[4];
  const int failed = bench_times(ns, subjects, 4, plan);
  tac_phase_profile_destroy(&profile);
  if (failed)
    return -1;
  const double inactive = ns[1] / ns[0];
  printf("\nA phase call of code without a handle, no profile active: %.1f ns, %.2f times a call that reads one thread-local "
         "variable (goal %.1f: %s).\n",
         ns[1] / (2 * PHASE_CALLS), inactive, INACTIVE_GOAL, bench_verdict(inactive, INACTIVE_GOAL));
  printf("A phase entered and left in one active profile: %.2f times two clock reads.\n", ns[2] / PHASE_CALLS / ns[3]);
  return 0;
}

int main(int argc, char **argv) {
  struct bench_options options;
  const int read = bench_options_read(&options, argc, argv, "The cost of measuring, on one lane.\n");
  if (read)
    return read == 1 ? 0 : read;
  struct bench_plan plan = {.rounds = 101, .cpu_time = 1, .sample_ns = 2000000, .warm_ns = 200000};
  if (options.quick)
    plan = (struct bench_plan){.rounds = 3, .sample_ns = 20000};
  plan.least = options.least;
  if (options.rounds)
    plan.rounds = options.rounds;
  static const enum tac_level levels[SUBJECTS] = {TAC_OFF, TAC_COARSE, TAC_DETAILED, TAC_OFF};
  struct measured measured[SUBJECTS] = {{0}};
  struct tac_error error = {0};
  int failed = 0;
  for (int s = 0; s < SUBJECTS && !failed; ++s)
    failed = create(&measured[s], levels[s], &error) != TAC_STATUS_OK;
  if (failed) {
    fprintf(stderr, "measure_cost: %s\n", error.text);
    goto done;
  }
  printf("Empty items on one lane, as multiples of two clock reads and two relaxed increments an item.\n\n");
  printf("%7s %12s %12s %12s   goal\n", "items", "off", "coarse", "detailed");
  static const size_t counts[] = {8, 64, 1024, 16384};
  for (size_t c = 0; c < sizeof counts / sizeof counts[0] && !failed; ++c)
    failed = measure(measured, counts[c], &plan);
  if (!failed)
    failed = measure_coarse(measured, &plan);
  if (!failed)
    failed = measure_phases(&plan);
  if (failed)
    fprintf(stderr, "measure_cost: a batch failed, or out of memory\n");
done:
  for (int s = 0; s < SUBJECTS; ++s) {
    tac_recorder_destroy(&measured[s].recorder);
    tac_scheduler_destroy(&measured[s].scheduler);
  }
  return failed ? 1 : 0;
}
