/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "bench/fmm_report.h"

#include <stdio.h>

#include "bench/sample.h"

void fmm_report_limits(const struct fmm_limits *limits) {
  printf("One thread of this machine, by its CPU clock: %.1f GF/s of multiply-adds from registers (%s), dgemm %.1f GF/s (n = "
         "%d), %.1f GB/s from memory (a = b + s c).\n",
         limits->fma_gflops, limits->instructions, limits->dgemm_gflops, limits->dgemm_size, limits->triad_gbytes);
  printf("Goals were set for a core of %.0f GF/s. \"scaled\" is what was reached here times %.2f, the ratio of these peaks: a "
         "guess, not a measurement.\n",
         FMM_GOAL_GFLOPS, FMM_GOAL_GFLOPS / limits->fma_gflops);
}

/* Levels that have leaves. */
static int leaf_levels(const struct tac_fmm_tree *tree) {
  int count = 0;
  for (int level = 0; level < tac_fmm_tree_levels(tree); level++)
    count += tac_fmm_tree_leaves_at(tree, level) > 0;
  return count;
}

static void report_tree(const char *name, const struct fmm_run *run) {
  const struct fmm_problem *problem = &run->problem;
  const struct tac_fmm_list_sizes lists = tac_fmm_tree_list_sizes(run->tree);
  const struct tac_fmm_plan_info info = tac_fmm_plan_info(run->plan);
  const int levels = tac_fmm_tree_levels(run->tree);
  const double leaves = (double)run->leaves;
  printf("\n%s: %dD, %s, order %d (%d coefficients, %zu nodes), eps %.2g: %zu leaves on %d level%s, rank %d\n", name,
         problem->dim, tac_fmm_kernel_name(problem->kernel.kind), problem->order, fmm_coefficients(problem), run->nodes,
         problem->eps, run->leaves, leaf_levels(run->tree), leaf_levels(run->tree) == 1 ? "" : "s", info.ranks[levels - 1]);
  printf("  pairs a leaf: list 1 %.1f same, %.1f finer, %.1f coarser; list 2 %.1f; list 3 %.1f; list 4 %.1f\n",
         (double)lists.list1_same / leaves, (double)lists.list1_finer / leaves, (double)lists.list1_coarser / leaves,
         (double)lists.list2 / leaves, (double)lists.list3 / leaves, (double)lists.list4 / leaves);
}

void fmm_report_rates(const char *name, const struct fmm_run *run, double seconds, double error, const struct fmm_goal *goal,
                      const struct fmm_limits *limits) {
  const double leaves = (double)run->leaves / seconds, points = leaves * (double)run->nodes;
  report_tree(name, run);
  printf("  %.2f us a leaf, %.1fe3 leaves/s, %.2fe6 points/s, from values to values at the nodes; relative L2 error %.1e",
         1e6 * seconds / (double)run->leaves, 1e-3 * leaves, 1e-6 * points, error);
  if (goal->error_most > 0)
    printf(" (asked: %.1e, %s)", goal->error_most, bench_verdict(error, goal->error_most));
  puts("");
  if (!(goal->rate > 0))
    return;
  const double reached = goal->points ? points : leaves, unit = goal->points ? 1e-6 : 1e-3;
  const double scaled = reached * FMM_GOAL_GFLOPS / limits->fma_gflops;
  const char *label = goal->points ? "e6 points/s" : "e3 leaves/s";
  printf("  goal %.1f%s: reached %.1f, %s (%.2f of it); scaled %.1f, %s (%.2f of it)\n", unit * goal->rate, label,
         unit * reached, bench_verdict(goal->rate, reached), reached / goal->rate, unit * scaled,
         bench_verdict(goal->rate, scaled), scaled / goal->rate);
}

void fmm_report_seconds(const char *what, double seconds, double goal, const struct fmm_limits *limits) {
  const double scaled = seconds * limits->fma_gflops / FMM_GOAL_GFLOPS;
  printf("  %s: goal %.2f s: reached %.3f, %s; scaled %.3f, %s\n", what, goal, seconds, bench_verdict(seconds, goal), scaled,
         bench_verdict(scaled, goal));
}

/* Doubles of vectors of a tree: expansions of all boxes, of the leaves, and of the boxes at the highest level that has any. */
struct sizes {
  double boxes, leaves, top;
};

static struct sizes expansion_sizes(const struct fmm_run *run) {
  const struct tac_fmm_plan_info info = tac_fmm_plan_info(run->plan);
  struct sizes sizes = {0};
  double boxes = 1;
  for (int level = 0; level < tac_fmm_tree_levels(run->tree); level++) {
    const double leaves = (double)tac_fmm_tree_leaves_at(run->tree, level);
    if (!(sizes.boxes > 0))
      sizes.top = boxes * info.ranks[level];
    sizes.boxes += boxes * info.ranks[level];
    sizes.leaves += leaves * info.ranks[level];
    boxes = (boxes - leaves) * (1 << run->problem.dim);
  }
  return sizes;
}

/* Bytes that a phase must move at least, each vector that it reads or writes once (one that it adds to, twice); operators are
 * taken to stay in the caches. 0: lists 3 and 4, whose sources the tree does not tell. */
static double least_bytes(const struct fmm_run *run, int event) {
  const struct sizes far = expansion_sizes(run);
  const double parts = tac_fmm_kernel_parts(run->problem.kernel.kind);
  const double coefficients = (double)run->leaves * fmm_coefficients(&run->problem);
  const double values = (double)run->leaves * (double)run->nodes * run->fields;
  switch (event) {
  case TAC_FMM_EVENT_FORM_MULTIPOLES:
    return 8 * (coefficients + far.leaves);
  case TAC_FMM_EVENT_COARSEN_MULTIPOLES: /* children, their joint vectors, parents */
    return 8 * (2 * far.boxes + far.boxes - far.leaves);
  case TAC_FMM_EVENT_TABLE_APPLY:
    return 8 * (coefficients + values);
  case TAC_FMM_EVENT_SPLIT_CORRECTION:
    return 8 * (coefficients + 2 * values);
  case TAC_FMM_EVENT_MULTIPOLE_TO_LOCAL:
    return 8 * far.boxes * (1 + parts);
  case TAC_FMM_EVENT_REFINE_LOCALS:
    return 8 * parts * (far.boxes - far.leaves + 2 * (far.boxes - far.top));
  case TAC_FMM_EVENT_EVAL_LOCALS:
    return 8 * (parts * far.leaves + 2 * values);
  default:
    return 0;
  }
}

static void report_phase(const struct fmm_run *run, const struct fmm_times *times, const struct fmm_limits *limits, int phase) {
  const double seconds = times->phase[phase];
  const double flops = tac_fmm_plan_info(run->plan).flops[phase];
  const double bytes = least_bytes(run, TAC_FMM_EVENT_SOLVE + 1 + phase);
  const double to_gemm = 1e-9 * flops / seconds / limits->dgemm_gflops;
  const double to_memory = 1e-9 * bytes / seconds / limits->triad_gbytes;
  printf("  %-24s %9.5f %6.1f%% %8.2f %8.1f %7.2f %7.2f", tac_fmm_phases[phase], seconds, 100 * seconds / times->measured,
         1e6 * seconds / (double)run->leaves, 1e-9 * flops / seconds, 1e-9 * flops / seconds / limits->fma_gflops, to_gemm);
  if (bytes > 0)
    printf(" %8.2f  %s\n", to_memory, to_memory > to_gemm ? "memory" : "dgemm");
  else
    printf(" %8s  dgemm\n", "");
}

void fmm_report_phases(const struct fmm_run *run, const struct fmm_times *times, const struct fmm_limits *limits) {
  double sum = 0, flops = 0;
  printf("  %-24s %9s %7s %8s %8s %7s %7s %8s  %s\n", "phase", "CPU s", "share", "us/leaf", "GF/s", "of FMA", "dgemm", "memory",
         "nearest");
  for (int phase = 0; phase < TAC_FMM_PHASES; phase++) {
    sum += times->phase[phase];
    flops += tac_fmm_plan_info(run->plan).flops[phase];
    if (tac_fmm_plan_info(run->plan).flops[phase] > 0)
      report_phase(run, times, limits, phase);
  }
  printf("  %-24s %9.5f %6.1f%% %8.2f\n", "outside the phases", times->measured - sum,
         100 * (times->measured - sum) / times->measured, 1e6 * (times->measured - sum) / (double)run->leaves);
  printf("  %-24s %9.5f %7s %8.2f %8.1f %7.2f %7.2f\n", "all", times->measured, "", 1e6 * times->measured / (double)run->leaves,
         1e-9 * flops / times->measured, 1e-9 * flops / times->measured / limits->fma_gflops,
         1e-9 * flops / times->measured / limits->dgemm_gflops);
}
