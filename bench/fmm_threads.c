/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <tactus/measure/recorder.h>

#include "bench/fmm_parts.h"
#include "bench/sample.h"

enum { LANES = 2 };

/* Least wall seconds. */
static int time_wall(double *seconds, struct fmm_run *run, int lanes, int rounds) {
  struct tac_scheduler *scheduler = fmm_scheduler(lanes, TAC_LEVEL_OFF);
  int failed = !scheduler || fmm_run_evaluate(run, scheduler);
  *seconds = INFINITY;
  for (int round = 0; round < rounds && !failed; round++) {
    const int64_t begin = bench_now_ns();
    failed = fmm_run_evaluate(run, scheduler);
    *seconds = fmin(*seconds, 1e-9 * (double)(bench_now_ns() - begin));
  }
  tac_scheduler_destroy(&scheduler);
  return failed;
}

/* CPU time of the items of all batches, and of the fuller lane of each: as claimed here, and as two lanes that are never
 * interrupted would claim the same items in the same order. */
struct balance {
  double work, claimed, undisturbed;
};

static double fuller(const double *lane) {
  return fmax(lane[0], lane[1]);
}

/* Slots are by index; items were claimed in the order of start_sequence, which numbers starts and finishes from 1. */
static int add_batch(struct balance *balance, const struct tac_slot *slots, size_t count) {
  double claimed[LANES] = {0}, undisturbed[LANES] = {0};
  const struct tac_slot **order = calloc(2 * count + 1, sizeof *order);
  if (!order)
    return -1;
  for (size_t i = 0; i < count; i++)
    order[slots[i].start_sequence] = &slots[i];
  for (size_t s = 0; s <= 2 * count; s++)
    if (order[s]) {
      const double seconds = 1e-9 * (double)(order[s]->finish_ns - order[s]->start_ns);
      balance->work += seconds;
      claimed[order[s]->lane] += seconds;
      undisturbed[undisturbed[0] <= undisturbed[1] ? 0 : 1] += seconds;
    }
  balance->claimed += fuller(claimed);
  balance->undisturbed += fuller(undisturbed);
  free(order);
  return 0;
}

static int read_balance(struct balance *balance, const struct tac_recorder *recorder) {
  int failed = 0;
  for (size_t number = 0; number < tac_recorder_batch_count(recorder) && !failed; number++) {
    size_t count;
    const struct tac_slot *slots = tac_recorder_slots(recorder, number, &count);
    failed = slots ? add_batch(balance, slots, count) : 0;
  }
  return failed;
}

static int measure_balance(struct balance *balance, struct fmm_run *run) {
  struct tac_recorder_options options;
  struct tac_recorder *recorder = NULL;
  tac_recorder_options_init(&options);
  options.events = &tac_fmm_events;
  options.level = TAC_LEVEL_DETAILED;
  options.clock = &fmm_thread_clock;
  options.keep_slots = 1;
  struct tac_scheduler *scheduler = fmm_scheduler(LANES, TAC_LEVEL_DETAILED);
  *balance = (struct balance){0};
  const int failed = !scheduler || tac_recorder_create(&recorder, &options, NULL) ||
                     fmm_run_evaluate_measured(run, scheduler, recorder) || read_balance(balance, recorder);
  tac_recorder_destroy(&recorder);
  tac_scheduler_destroy(&scheduler);
  return failed;
}

static int run_threads(const struct fmm_bench *bench, const char *name, const struct fmm_problem *problem) {
  struct fmm_run run;
  struct balance balance;
  double one, two;
  int failed = fmm_run_create(&run, problem) || time_wall(&one, &run, 1, bench->rounds) ||
               time_wall(&two, &run, LANES, bench->rounds) || measure_balance(&balance, &run);
  if (!failed)
    printf("  %-22s %8zu leaves: %.2f times as fast (wall %.4f and %.4f s), goal 1.9: %s; by the balance of CPU time: %.2f as "
           "claimed here, %.2f undisturbed: %s\n",
           name, run.leaves, one / two, one, two, bench_verdict(1.9, one / two), balance.work / balance.claimed,
           balance.work / balance.undisturbed, bench_verdict(1.9, balance.work / balance.undisturbed));
  fmm_run_destroy(&run);
  return failed;
}

/* The wall's ratio means something on an idle machine only, the balance on any. */
int fmm_part_threads(const struct fmm_bench *bench) {
  struct fmm_problem uniform = {
      .dim = 3, .order = 8, .levels = 4, .eps = 1e-6, .cache = bench->cache, .gaussians = 1, .gaussian = {{.exponent = 160}}};
  struct fmm_problem adaptive = uniform, plane = uniform;
  adaptive.levels = -1;
  adaptive.tolerance = 1e-5;
  fmm_problem_two_gaussians(&adaptive);
  plane.dim = 2;
  plane.levels = 7;
  if (bench->quick) {
    fmm_bench_shrink(&uniform);
    fmm_bench_shrink(&adaptive);
    fmm_bench_shrink(&plane);
  }
  return run_threads(bench, "3D, uniform", &uniform) || run_threads(bench, "3D, adaptive", &adaptive) ||
         run_threads(bench, "2D, uniform", &plane);
}
