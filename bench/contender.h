/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef BENCH_CONTENDER_H
#define BENCH_CONTENDER_H

#include <stddef.h>

#include <tactus/scheduler/scheduler.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Batches that every contender runs: `count` calls of `item`. */
struct bench_load {
  size_t count;
  tac_item_fn item;
  void *context;
};

/* One way to run a load and join. `load` is changed between samples, never during one. */
struct bench_contender {
  const char *name;
  void (*run)(void *contender);
  const struct bench_load *load;
  struct tac_scheduler *scheduler; /* of the Tactus contenders */
  int threads;
  int failed;  /* a batch returned another status than OK */
  void *arena; /* of the oneTBB contenders */
};

enum bench_contender_kind {
  BENCH_LOOP = 0, /* a bare loop on the caller's thread */
  BENCH_SERIAL,   /* Tactus, one executor each */
  BENCH_THREADS,
  BENCH_OPENMP,
  BENCH_OMP_LOOP,   /* omp parallel for schedule(dynamic,1) */
  BENCH_TBB_AUTO,   /* oneTBB parallel_for with its auto_partitioner */
  BENCH_TBB_SIMPLE, /* and with its simple_partitioner */
  BENCH_CONTENDER_COUNT
};

/* Makes the contender of that kind with `threads` threads, the caller's included. Returns 0; -1 when this build or machine
 * lacks it: `reason` (of `size` bytes) says why. */
int bench_contender_create(struct bench_contender *out, enum bench_contender_kind kind, int threads,
                           const struct bench_load *load, char *reason, size_t size);
void bench_contender_destroy(struct bench_contender *contender);

/* oneTBB's half of the above, in a file of its own because it is C++. */
int bench_tbb_create(struct bench_contender *contender, int simple);
void bench_tbb_destroy(struct bench_contender *contender);

/* Items. The one that works takes about a microsecond once bench_calibrate has run. */
enum tac_status bench_item_empty(void *context, size_t index, struct tac_lane *lane);
enum tac_status bench_item_work(void *context, size_t index, struct tac_lane *lane);

/* Steps of bench_item_work's dependent multiply-add chain. */
struct bench_work {
  long steps;
};
struct bench_work bench_calibrate(double item_ns);

#ifdef __cplusplus
}
#endif
#endif
