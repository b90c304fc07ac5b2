/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */

/* Dispatch and join of one batch: Tactus' executors beside an OpenMP loop, oneTBB and a bare loop, as ratios of one run. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench/contender.h"
#include "bench/options.h"
#include "bench/sample.h"

#define OMP_GOAL 0.5
#define TBB_GOAL 1.0

static const size_t counts[] = {1, 2, 8, 64, 65536};

struct table {
  struct bench_load load;
  struct bench_contender contender[BENCH_CONTENDER_COUNT];
  int present[BENCH_CONTENDER_COUNT];
  double ns[BENCH_CONTENDER_COUNT]; /* NAN where absent */
};

static void make_contenders(struct table *table, int threads) {
  for (int kind = 0; kind < BENCH_CONTENDER_COUNT; ++kind) {
    char reason[256] = "";
    table->present[kind] = !bench_contender_create(&table->contender[kind], (enum bench_contender_kind)kind, threads,
                                                   &table->load, reason, sizeof reason);
    if (!table->present[kind])
      printf("%s left out: %s\n", table->contender[kind].name, reason);
  }
}

static void destroy_contenders(struct table *table) {
  for (int kind = 0; kind < BENCH_CONTENDER_COUNT; ++kind)
    bench_contender_destroy(&table->contender[kind]);
}

static int measure(struct table *table, const struct bench_plan *plan) {
  struct bench_subject subjects[BENCH_CONTENDER_COUNT];
  double ns[BENCH_CONTENDER_COUNT];
  size_t count = 0;
  for (int kind = 0; kind < BENCH_CONTENDER_COUNT; ++kind)
    if (table->present[kind])
      subjects[count++] =
          (struct bench_subject){table->contender[kind].name, table->contender[kind].run, &table->contender[kind]};
  if (bench_times(ns, subjects, count, plan))
    return -1;
  count = 0;
  for (int kind = 0; kind < BENCH_CONTENDER_COUNT; ++kind)
    table->ns[kind] = table->present[kind] ? ns[count++] : NAN;
  for (int kind = 0; kind < BENCH_CONTENDER_COUNT; ++kind)
    if (table->contender[kind].failed)
      return -1;
  return 0;
}

static void print_goal(double ratio, double goal) {
  if (isnan(ratio))
    printf("  %-20s", "-");
  else
    printf("  %6.2f %.1f %-9s", ratio, goal, bench_verdict(ratio, goal));
}

/* `work_ns`: what the items themselves take when they are shared out perfectly. Dispatch and join are the rest. */
static void print_row(const struct table *table, const char *item, double work_ns) {
  const double *ns = table->ns;
  printf("%6zu %-6s", table->load.count, item);
  for (int kind = 0; kind < BENCH_CONTENDER_COUNT; ++kind)
    if (isnan(ns[kind]))
      printf(" %10s", "-");
    else
      printf(" %10.3f", ns[kind] / ns[BENCH_OMP_LOOP]);
  if (table->load.count < 2) {
    puts("");
    return;
  }
  const double rest = fmax(0, ns[BENCH_THREADS] - work_ns);
  /* Where work is nearly all of the time, the rest is the difference of two large figures and says nothing. */
  const int clear = ns[BENCH_OMP_LOOP] - work_ns > 0.05 * work_ns;
  print_goal(clear ? rest / (ns[BENCH_OMP_LOOP] - work_ns) : NAN, OMP_GOAL);
  print_goal(clear && ns[BENCH_TBB_AUTO] - work_ns > 0.05 * work_ns ? rest / (ns[BENCH_TBB_AUTO] - work_ns) : NAN, TBB_GOAL);
  puts("");
}

static int run_item_kind(struct table *table, const char *name, double item_ns, int threads, const struct bench_plan *plan) {
  for (size_t c = 0; c < sizeof counts / sizeof counts[0]; ++c) {
    table->load.count = counts[c];
    if (measure(table, plan))
      return -1;
    const size_t share = (counts[c] + (size_t)threads - 1) / (size_t)threads;
    print_row(table, name, (double)share * item_ns);
  }
  return 0;
}

static double one_item_ns(struct table *table, const struct bench_plan *plan) {
  double ns = NAN;
  table->load.count = 1000;
  const struct bench_subject subject = {"item", table->contender[BENCH_LOOP].run, &table->contender[BENCH_LOOP]};
  bench_times(&ns, &subject, 1, plan);
  return ns / 1000.0;
}

static void print_head(const struct table *table, int threads, int least) {
  const char *policy = getenv("OMP_WAIT_POLICY");
  printf("Dispatch and join of a batch, %d threads, workers awake, %s of the samples, as multiples of the omp loop.\n", threads,
         least ? "least" : "median");
  printf("OMP_WAIT_POLICY=%s. The last columns judge the threads executor: its time beyond a perfect share of the items'\n"
         "work, over that of the omp loop and of tbb auto, each with its goal (n >= 2; - where work hides it).\n\n",
         policy ? policy : "(default)");
  printf("%6s %-6s", "n", "items");
  for (int kind = 0; kind < BENCH_CONTENDER_COUNT; ++kind)
    printf(" %10s", table->contender[kind].name);
  printf("  %-20s  %-20s\n", "/omp loop", "/tbb auto");
}

int main(int argc, char **argv) {
  struct bench_options options;
  const int read = bench_options_read(&options, argc, argv, "Batch dispatch of Tactus beside an OpenMP loop and oneTBB.\n");
  if (read)
    return read == 1 ? 0 : read;
  const int threads = 2;
  struct bench_plan plan = {.rounds = 31, .sample_ns = 4000000, .rest_ns = 20000000, .warm_ns = 1000000};
  if (options.quick)
    plan = (struct bench_plan){.rounds = 3, .sample_ns = 20000, .rest_ns = 0, .warm_ns = 0};
  plan.least = options.least;
  if (options.rounds)
    plan.rounds = options.rounds;
  struct table table = {.load = {.item = bench_item_empty}};
  make_contenders(&table, threads);
  int failed = !table.present[BENCH_OMP_LOOP] || !table.present[BENCH_THREADS];
  if (failed)
    goto done;
  print_head(&table, threads, plan.least);
  failed = run_item_kind(&table, "empty", 0, threads, &plan);
  if (failed)
    goto done;
  struct bench_work work = bench_calibrate(1000);
  table.load = (struct bench_load){.item = bench_item_work, .context = &work};
  failed = run_item_kind(&table, "1 us", one_item_ns(&table, &plan), threads, &plan);
done:
  destroy_contenders(&table);
  if (failed)
    fprintf(stderr, "dispatch: nothing to compare, a batch failed, or out of memory\n");
  return failed ? 1 : 0;
}
