/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */

/* How fast the volume FMM is, phase by phase, beside its goals and what this machine can do. One thread and its CPU time,
 * the least of several evaluations, unless it says otherwise. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tactus/runtime/dense.h>

#include "bench/fmm_parts.h"
#include "bench/options.h"

static const struct fmm_gaussian centered = {.exponent = 160};

struct rate_case {
  const char *name;
  int dim, order, levels, two;
  double tolerance, eps;
  struct fmm_goal goal;
};

/* The tolerances of the adaptive trees and the eps are the loosest that reach the errors asked for. */
static const struct rate_case uniform_cases[] = {
    {"uniform, 1e-6", 3, 8, 5, 0, 0, 1e-6, {65e3, 0, 1e-6}},
    {"uniform, 2e-9", 3, 8, 5, 0, 0, 2e-9, {22e3, 0, 2e-9}},
};
static const struct rate_case adaptive_cases[] = {
    {"adaptive, 1e-6", 3, 8, -1, 1, 1e-5, 4e-7, {40e3, 0, 1e-6}},
    {"adaptive, 2e-9", 3, 8, -1, 1, 1e-8, 6e-10, {14e3, 0, 2e-9}},
};
static const struct rate_case order9_cases[] = {
    {"165 coefficients, 5.6e-6", 3, 9, 5, 0, 0, 4e-6, {50e3, 0, 5.6e-6}},
    {"165 coefficients, 2e-8", 3, 9, 5, 0, 0, 1.5e-8, {20e3, 0, 2e-8}},
};
static const struct rate_case plane_cases[] = {
    {"plane, uniform", 2, 8, 7, 0, 0, 1e-9, {60e6, 1, 1e-9}},
    {"plane, adaptive", 2, 8, -1, 1, 1e-8, 2e-10, {40e6, 1, 1e-9}},
};

static struct fmm_problem problem_of(const struct rate_case *c, const struct fmm_bench *bench) {
  struct fmm_problem problem = {.dim = c->dim,
                                .order = c->order,
                                .levels = c->levels,
                                .tolerance = c->tolerance,
                                .eps = c->eps,
                                .cache = bench->cache,
                                .gaussians = 1,
                                .gaussian = {centered}};
  if (c->two)
    fmm_problem_two_gaussians(&problem);
  if (bench->quick)
    fmm_bench_shrink(&problem);
  return problem;
}

static int run_rates(const struct fmm_bench *bench, const struct rate_case *cases, size_t count) {
  int failed = 0;
  for (size_t i = 0; i < count && !failed; i++) {
    const struct fmm_problem problem = problem_of(&cases[i], bench);
    struct fmm_run run;
    struct fmm_times times;
    failed = fmm_run_create(&run, &problem) || fmm_run_time(&times, &run, bench->rounds);
    if (!failed) {
      fmm_report_rates(cases[i].name, &run, times.off, fmm_run_error(&run), &cases[i].goal, &bench->limits);
      fmm_report_phases(&run, &times, &bench->limits);
      fflush(stdout);
    }
    fmm_run_destroy(&run);
  }
  return failed;
}

static int run_uniform(const struct fmm_bench *bench) {
  return run_rates(bench, uniform_cases, sizeof uniform_cases / sizeof uniform_cases[0]);
}

static int run_adaptive(const struct fmm_bench *bench) {
  return run_rates(bench, adaptive_cases, sizeof adaptive_cases / sizeof adaptive_cases[0]);
}

static int run_order9(const struct fmm_bench *bench) {
  return run_rates(bench, order9_cases, sizeof order9_cases / sizeof order9_cases[0]);
}

static int run_plane(const struct fmm_bench *bench) {
  return run_rates(bench, plane_cases, sizeof plane_cases / sizeof plane_cases[0]);
}

static const struct part {
  const char *name, *about;
  int (*run)(const struct fmm_bench *bench);
} parts[] = {
    {"uniform", "uniform trees in space", run_uniform},
    {"adaptive", "adaptive trees in space", run_adaptive},
    {"order9", "165 coefficients a leaf", run_order9},
    {"plane", "uniform and adaptive trees in the plane", run_plane},
    {"solution", "from a density to its potential, tree included", fmm_part_solution},
    {"setup", "tables and operators, made and read from the cache", fmm_part_setup},
    {"threads", "two threads to one", fmm_part_threads},
    {"memory", "bytes a leaf", fmm_part_memory},
    {"linear", "cost by the number of leaves", fmm_part_linear},
    {"kernels", "Yukawa, Helmholtz and gradients beside Laplace; plain products beside stencils", fmm_part_kernels},
};
enum { PARTS = sizeof parts / sizeof parts[0] };

static int run_parts(const struct fmm_bench *bench, const char *only) {
  int failed = 0, found = 0;
  for (int i = 0; i < PARTS && !failed; i++) {
    if (only && strcmp(only, parts[i].name) != 0)
      continue;
    found = 1;
    printf("\n== %s: %s\n", parts[i].name, parts[i].about);
    failed = parts[i].run(bench);
    fflush(stdout);
  }
  if (!found)
    fprintf(stderr, "bench_fmm: no part '%s'\n", only);
  return failed || !found;
}

static int run_all(struct fmm_bench *bench, const struct bench_options *options) {
  const struct bench_plan plan = bench->quick
                                     ? (struct bench_plan){.rounds = 1, .cpu_time = 1, .sample_ns = 10000}
                                     : (struct bench_plan){.rounds = 9, .least = 1, .cpu_time = 1, .sample_ns = 10000000};
  const struct tac_blas_info blas = tac_blas_info();
  if (options->json)
    return fmm_part_peers(bench);
  if (fmm_limits_measure(&bench->limits, &plan, bench->quick)) {
    fprintf(stderr, "bench_fmm: out of memory\n");
    return -1;
  }
  if (bench->quick)
    puts("A quick run: small problems at low accuracy, whose figures and verdicts mean nothing.");
  printf("%s, kernel %s. ", blas.name, blas.kernel);
  fmm_report_limits(&bench->limits);
  return run_parts(bench, options->only);
}

int main(int argc, char **argv) {
  struct bench_options options;
  struct fmm_bench bench = {0};
  const int read =
      bench_options_read(&options, argc, argv,
                         "The volume FMM beside its goals and the machine. --only=PART: uniform, adaptive, order9, plane, "
                         "solution, setup,\nthreads, memory, linear or kernels. --json: what fmm_peers compares.\n");
  if (read)
    return read == 1 ? 0 : read;
  bench.quick = options.quick;
  bench.rounds = options.rounds ? options.rounds : options.quick ? 1 : 5;
  tac_blas_set_threads(1);
  int failed = fmm_cache_create(&bench) || run_all(&bench, &options);
  fmm_cache_remove(&bench);
  return failed ? 1 : 0;
}
