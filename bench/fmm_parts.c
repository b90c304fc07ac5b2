/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "bench/fmm_parts.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int fmm_cache_create(struct fmm_bench *bench) {
  const char *base = getenv("TMPDIR");
  snprintf(bench->cache, sizeof bench->cache, "%s/bench_fmm.XXXXXX", base ? base : "/tmp");
  if (mkdtemp(bench->cache))
    return 0;
  fprintf(stderr, "bench_fmm: %s: %s\n", bench->cache, strerror(errno));
  bench->cache[0] = '\0';
  return -1;
}

void fmm_cache_empty(const struct fmm_bench *bench) {
  DIR *folder = opendir(bench->cache);
  if (!folder)
    return;
  for (const struct dirent *entry = readdir(folder); entry; entry = readdir(folder))
    if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
      unlinkat(dirfd(folder), entry->d_name, 0);
  closedir(folder);
}

void fmm_cache_remove(struct fmm_bench *bench) {
  if (!bench->cache[0])
    return;
  fmm_cache_empty(bench);
  rmdir(bench->cache);
  bench->cache[0] = '\0';
}

void fmm_bench_shrink(struct fmm_problem *problem) {
  problem->eps = 1e-3;
  problem->order = 4;
  if (problem->levels >= 0)
    problem->levels = 2;
  problem->tolerance = 0.3;
}

static struct fmm_problem single(const struct fmm_bench *bench, int levels, double eps) {
  struct fmm_problem problem = {.dim = 3,
                                .order = 8,
                                .levels = levels,
                                .tolerance = 1e-4,
                                .eps = eps,
                                .cache = bench->cache,
                                .gaussians = 1,
                                .gaussian = {{.exponent = 160}}};
  if (bench->quick)
    fmm_bench_shrink(&problem);
  return problem;
}

/* Everything but the operators, which are in the cache. */
int fmm_part_solution(const struct fmm_bench *bench) {
  const struct fmm_problem problem = single(bench, -1, 6e-7);
  double tree = 0, plan = 0, density = 0, evaluation = 0, least = INFINITY, error = NAN;
  size_t leaves = 0;
  int failed = 0;
  for (int round = 0; round <= bench->rounds && !failed; round++) {
    struct fmm_run run;
    struct tac_scheduler *scheduler = fmm_scheduler(1, TAC_LEVEL_OFF);
    failed = !scheduler || fmm_run_create(&run, &problem);
    if (!failed) {
      const double begin = fmm_cpu_seconds();
      failed = fmm_run_evaluate(&run, scheduler);
      const double seconds = fmm_cpu_seconds() - begin;
      const double sum = run.tree_seconds + run.plan_seconds + run.density_seconds + seconds;
      error = fmm_run_error(&run);
      if (round > 0 && sum < least) { /* the first fills the cache */
        least = sum;
        tree = run.tree_seconds;
        plan = run.plan_seconds;
        density = run.density_seconds;
        evaluation = seconds;
        leaves = run.leaves;
      }
    }
    if (scheduler)
      fmm_run_destroy(&run);
    tac_scheduler_destroy(&scheduler);
  }
  if (failed)
    return failed;
  printf("exp(-160 r^2) in the unit box, order %d: %zu leaves, relative L2 error %.1e (asked: 1e-6, %s)\n", problem.order,
         leaves, error, error <= 1e-6 ? "met" : "missed");
  printf("  CPU s: tree %.4f, plan with operators from the cache %.4f, density at the nodes %.4f, first evaluation %.4f\n",
         tree, plan, density, evaluation);
  fmm_report_seconds("all", least, 0.1, &bench->limits);
  return 0;
}

/* Least seconds of plans made anew. */
struct setup {
  double tables, far, plan;
};

static int make_plans(struct setup *least, const struct fmm_bench *bench, const struct fmm_problem *problem, int cold) {
  int failed = 0;
  *least = (struct setup){INFINITY, INFINITY, INFINITY};
  for (int round = 0; round < (bench->quick ? 1 : 3) && !failed; round++) {
    struct fmm_run run;
    if (cold)
      fmm_cache_empty(bench);
    failed = fmm_run_create(&run, problem);
    if (!failed) {
      const struct tac_fmm_plan_info info = tac_fmm_plan_info(run.plan);
      least->tables = fmin(least->tables, info.near_seconds);
      least->far = fmin(least->far, info.far_seconds);
      least->plan = fmin(least->plan, run.plan_seconds);
    }
    fmm_run_destroy(&run);
  }
  return failed;
}

/* An adaptive tree, so that operators of all lists are wanted. */
int fmm_part_setup(const struct fmm_bench *bench) {
  const double eps[] = {1e-6, 2e-9};
  int failed = 0;
  puts("Tables and far operators by the wall, the whole plan by the CPU");
  for (int i = 0; i < 2 && !failed; i++) {
    struct fmm_problem problem = single(bench, -1, eps[i]);
    struct setup cold, cached;
    failed = make_plans(&cold, bench, &problem, 1) || make_plans(&cached, bench, &problem, 0);
    if (failed)
      break;
    printf("eps %.2g: made: tables %.3f s, far operators %.3f s, whole plan %.3f s; from the cache: %.3f, %.3f, %.3f s\n",
           problem.eps, cold.tables, cold.far, cold.plan, cached.tables, cached.far, cached.plan);
    fmm_report_seconds("all tables", cold.tables, 0.2, &bench->limits);
    fmm_report_seconds("far operators", cold.far, 1.5, &bench->limits);
    fmm_report_seconds("whole plan, compression of the operators included", cold.plan, 1.5 + 0.2, &bench->limits);
  }
  return failed;
}

int fmm_part_memory(const struct fmm_bench *bench) {
  const double eps[] = {1e-6, 2e-9};
  int failed = 0;
  for (int i = 0; i < 2 && !failed; i++) {
    const struct fmm_problem problem = single(bench, 5, eps[i]);
    struct fmm_run run;
    failed = fmm_run_create(&run, &problem);
    if (!failed) {
      const double leaves = (double)run.leaves;
      const double plan = (double)tac_fmm_plan_info(run.plan).bytes, tree = (double)tac_fmm_tree_bytes(run.tree);
      const double ends = 8.0 * (double)(run.nodes * run.leaves) * (1 + run.fields);
      const double all = (plan + tree + ends) / leaves;
      printf("eps %.2g, %zu leaves: plan %.1f kB a leaf, tree %.1f, density and answer %.1f; all %.1f, goal 30: %s\n",
             problem.eps, run.leaves, 1e-3 * plan / leaves, 1e-3 * tree / leaves, 1e-3 * ends / leaves, 1e-3 * all,
             bench_verdict(all, 30e3));
    }
    fmm_run_destroy(&run);
  }
  return failed;
}

/* Relative to the figure itself: slope and intercept of the straight line through (x, y) with weights 1/y^2. */
static void fit_line(const double *x, const double *y, int count, double *intercept, double *slope) {
  double w = 0, wx = 0, wy = 0, wxx = 0, wxy = 0;
  for (int i = 0; i < count; i++) {
    const double weight = 1 / (y[i] * y[i]);
    w += weight;
    wx += weight * x[i];
    wy += weight * y[i];
    wxx += weight * x[i] * x[i];
    wxy += weight * x[i] * y[i];
  }
  *slope = (w * wxy - wx * wy) / (w * wxx - wx * wx);
  *intercept = (wy - *slope * wx) / w;
}

static double exponent_of(const double *x, const double *y, int count) {
  double sx = 0, sy = 0, sxx = 0, sxy = 0;
  for (int i = 0; i < count; i++) {
    sx += log(x[i]);
    sy += log(y[i]);
    sxx += log(x[i]) * log(x[i]);
    sxy += log(x[i]) * log(y[i]);
  }
  return (count * sxy - sx * sy) / (count * sxx - sx * sx);
}

int fmm_part_linear(const struct fmm_bench *bench) {
  enum { POINTS = 5 };
  const double grading[POINTS] = {0.5, 0.36, 0.25, 0.165, 0.105}; /* about 1e3 to 1e5 leaves */
  double leaves[POINTS], seconds[POINTS], intercept, slope;
  const int points = bench->quick ? 2 : POINTS;
  puts("Leaves graded towards the middle of the box, no larger than a share of their distance from it");
  for (int i = 0; i < points; i++) {
    struct fmm_problem problem = single(bench, bench->quick ? 3 : 8, 1e-6);
    struct fmm_run run;
    problem.graded = grading[i];
    problem.levels = bench->quick ? 3 : 8;
    const int failed = fmm_run_create(&run, &problem) || fmm_run_time_off(&seconds[i], &run, bench->rounds);
    leaves[i] = (double)run.leaves;
    fmm_run_destroy(&run);
    if (failed)
      return failed;
    printf("  %8.0f leaves %9.4f s %8.2f us a leaf\n", leaves[i], seconds[i], 1e6 * seconds[i] / leaves[i]);
  }
  fit_line(leaves, seconds, points, &intercept, &slope);
  double worst = 0;
  for (int i = 0; i < points; i++)
    worst = fmax(worst, fabs((intercept + slope * leaves[i]) / seconds[i] - 1));
  printf("  fit: seconds = %.3e + %.3e leaves, off by at most %.0f %%; exponent %.3f (linear: 1)\n", intercept, slope,
         100 * worst, exponent_of(leaves, seconds, points));
  return 0;
}

/* One way to compute, beside the first. */
struct kind {
  const char *name;
  enum tac_fmm_kernel_kind kernel;
  int gradient;
  enum tac_fmm_near near;
  enum tac_fmm_path path;
};
static const struct kind kinds[] = {
    {"Laplace", TAC_FMM_LAPLACE, 0, TAC_FMM_NEAR_SPLIT, TAC_FMM_PATH_AUTO},
    {"Laplace, plain products", TAC_FMM_LAPLACE, 0, TAC_FMM_NEAR_SPLIT, TAC_FMM_PATH_PLAIN},
    {"Laplace, gradient", TAC_FMM_LAPLACE, 1, TAC_FMM_NEAR_SPLIT, TAC_FMM_PATH_AUTO},
    {"Yukawa, split", TAC_FMM_YUKAWA, 0, TAC_FMM_NEAR_SPLIT, TAC_FMM_PATH_AUTO},
    {"Yukawa, tables", TAC_FMM_YUKAWA, 0, TAC_FMM_NEAR_TABLES, TAC_FMM_PATH_AUTO},
    {"Helmholtz, split", TAC_FMM_HELMHOLTZ, 0, TAC_FMM_NEAR_SPLIT, TAC_FMM_PATH_AUTO},
    {"Helmholtz, tables", TAC_FMM_HELMHOLTZ, 0, TAC_FMM_NEAR_TABLES, TAC_FMM_PATH_AUTO},
};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

static int run_kinds(const struct fmm_bench *bench, int dim, int levels) {
  double first = 0;
  printf("%dD, uniform, parameter 10\n  %-26s %8s %10s %10s %12s\n", dim, "", "us/leaf", "to Laplace", "a field", "L2 error");
  for (int i = 0; i < KINDS; i++) {
    struct fmm_problem problem = single(bench, levels, 1e-6);
    struct fmm_run run;
    double seconds;
    problem.dim = dim;
    problem.kernel = (struct tac_fmm_kernel){kinds[i].kernel, 10};
    problem.gradient = kinds[i].gradient;
    problem.near = kinds[i].near;
    problem.path = kinds[i].path;
    const int failed = fmm_run_create(&run, &problem) || fmm_run_time_off(&seconds, &run, bench->rounds);
    if (!failed) {
      first = first > 0 ? first : seconds;
      printf("  %-26s %8.2f %10.2f %10.2f %12.1e\n", kinds[i].name, 1e6 * seconds / (double)run.leaves, seconds / first,
             seconds / first / run.fields, fmm_run_error(&run));
    }
    fmm_run_destroy(&run);
    if (failed)
      return failed;
  }
  return 0;
}

int fmm_part_kernels(const struct fmm_bench *bench) {
  return run_kinds(bench, 3, 4) || run_kinds(bench, 2, 6);
}

/* Potentials of the same Gaussian in both dimensions. */
int fmm_part_peers(const struct fmm_bench *bench) {
  const int dims[] = {2, 2, 3, 3}, levels[] = {7, 7, 4, 5};
  const double eps[] = {1e-6, 1e-9, 1e-6, 2e-9};
  int failed = 0;
  puts("[");
  for (int i = 0; i < 4 && !failed; i++) {
    struct fmm_problem problem = single(bench, levels[i], eps[i]);
    struct fmm_run run;
    double seconds;
    problem.dim = dims[i];
    failed = fmm_run_create(&run, &problem) || fmm_run_time_off(&seconds, &run, bench->rounds);
    if (!failed)
      printf("{\"dim\": %d, \"order\": %d, \"levels\": %d, \"exponent\": %g, \"eps\": %g, \"points\": %zu, \"seconds\": %.6g, "
             "\"error\": %.3g}%s\n",
             problem.dim, problem.order, problem.levels, problem.gaussian[0].exponent, problem.eps, run.leaves * run.nodes,
             seconds, fmm_run_error(&run), i < 3 ? "," : "");
    fmm_run_destroy(&run);
  }
  puts("]");
  return failed;
}
