/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "bench/contender.h"

#include <stdio.h>

#include "bench/sample.h"

static void run_loop(void *self) {
  const struct bench_contender *contender = self;
  const struct bench_load *load = contender->load;
  for (size_t index = 0; index < load->count; ++index)
    load->item(load->context, index, NULL);
}

static void run_tactus(void *self) {
  struct bench_contender *contender = self;
  const struct bench_load *load = contender->load;
  const struct tac_batch batch = {.count = load->count, .item = load->item, .context = load->context};
  if (tac_run_batch(contender->scheduler, &batch, NULL) != TAC_STATUS_OK)
    contender->failed = 1;
}

#ifdef _OPENMP
static void run_omp_loop(void *self) {
  const struct bench_contender *contender = self;
  const struct bench_load *load = contender->load;
#pragma omp parallel for schedule(dynamic, 1) num_threads(contender->threads)
  for (size_t index = 0; index < load->count; ++index)
    load->item(load->context, index, NULL);
}
#endif

static int create_tactus(struct bench_contender *contender, const char *executor, char *reason, size_t size) {
  struct tac_error error = {0};
  struct tac_scheduler_options options;
  tac_scheduler_options_init(&options);
  options.executor = executor;
  options.executor_options.lanes = contender->threads;
  if (tac_scheduler_create(&contender->scheduler, &options, &error) != TAC_STATUS_OK) {
    snprintf(reason, size, "%s", error.text);
    return -1;
  }
  contender->run = run_tactus;
  return 0;
}

static int create_omp_loop(struct bench_contender *contender, char *reason, size_t size) {
#ifdef _OPENMP
  (void)reason, (void)size;
  contender->run = run_omp_loop;
  return 0;
#else
  (void)contender;
  snprintf(reason, size, "built without OpenMP");
  return -1;
#endif
}

static int create_tbb(struct bench_contender *contender, int simple, char *reason, size_t size) {
#ifdef BENCH_HAVE_TBB
  (void)reason, (void)size;
  return bench_tbb_create(contender, simple);
#else
  (void)contender, (void)simple;
  snprintf(reason, size, "built without oneTBB");
  return -1;
#endif
}

int bench_contender_create(struct bench_contender *out, enum bench_contender_kind kind, int threads,
                           const struct bench_load *load, char *reason, size_t size) {
  static const char *const names[BENCH_CONTENDER_COUNT] = {"loop",     "serial",   "threads",   "openmp",
                                                           "omp loop", "tbb auto", "tbb simple"};
  *out = (struct bench_contender){.name = names[kind], .load = load, .threads = threads};
  switch (kind) {
  case BENCH_LOOP:
    out->run = run_loop;
    return 0;
  case BENCH_SERIAL:
    out->threads = 1;
    return create_tactus(out, "serial", reason, size);
  case BENCH_THREADS:
    return create_tactus(out, "threads", reason, size);
  case BENCH_OPENMP:
    return create_tactus(out, "openmp", reason, size);
  case BENCH_OMP_LOOP:
    return create_omp_loop(out, reason, size);
  case BENCH_TBB_AUTO:
    return create_tbb(out, 0, reason, size);
  case BENCH_TBB_SIMPLE:
    return create_tbb(out, 1, reason, size);
  case BENCH_CONTENDER_COUNT:
    break;
  }
  snprintf(reason, size, "unknown contender");
  return -1;
}

void bench_contender_destroy(struct bench_contender *contender) {
#ifdef BENCH_HAVE_TBB
  bench_tbb_destroy(contender);
#endif
  tac_scheduler_destroy(&contender->scheduler);
}

enum tac_status bench_item_empty(void *context, size_t index, struct tac_lane *lane) {
  (void)context, (void)index, (void)lane;
  return TAC_STATUS_OK;
}

enum tac_status bench_item_work(void *context, size_t index, struct tac_lane *lane) {
  (void)lane;
  const struct bench_work *work = context;
  double value = (double)index;
  for (long step = 0; step < work->steps; ++step)
    value = value * 0.999999 + 1e-9;
  /* Tells the compiler that the value is read, so that the chain stays. */
  __asm__ volatile("" : : "m"(value) : "memory");
  return TAC_STATUS_OK;
}

static void run_item(void *context) {
  bench_item_work(context, 1, NULL);
}

struct bench_work bench_calibrate(double item_ns) {
  struct bench_work work = {.steps = 1 << 14};
  const struct bench_subject subject = {"item", run_item, &work};
  const struct bench_plan plan = {.rounds = 15, .cpu_time = 1, .sample_ns = 200000, .warm_ns = 1000000};
  double ns = 0;
  if (bench_times(&ns, &subject, 1, &plan) == 0 && ns > 0)
    work.steps = (long)((double)work.steps * item_ns / ns);
  if (work.steps < 1)
    work.steps = 1;
  return work;
}
