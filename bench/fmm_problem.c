/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "bench/fmm_problem.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <tactus/measure/recorder.h>

static int64_t cpu_ns(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static int64_t thread_ns(void *unused) {
  (void)unused;
  return cpu_ns(CLOCK_THREAD_CPUTIME_ID);
}

const struct tac_clock fmm_thread_clock = {.name = "CPU time of a thread", .now_ns = thread_ns};

double fmm_cpu_seconds(void) {
  return 1e-9 * (double)cpu_ns(CLOCK_PROCESS_CPUTIME_ID);
}

static int fail(const struct tac_error *error) {
  fprintf(stderr, "bench_fmm: %s: %s\n", error->where, error->text);
  return -1;
}

void fmm_problem_two_gaussians(struct fmm_problem *problem) {
  const double width[] = {1e-2, 2e-2};
  const double center[][3] = {{0.11, -0.07, 0.05}, {-0.13, 0.06, -0.09}};
  problem->gaussians = 2;
  for (int g = 0; g < 2; g++) {
    problem->gaussian[g].exponent = 1 / (2 * width[g] * width[g]);
    for (int axis = 0; axis < 3; axis++)
      problem->gaussian[g].center[axis] = center[g][axis];
  }
}

int fmm_coefficients(const struct fmm_problem *problem) {
  const int p = problem->order;
  return problem->dim == 3 ? p * (p + 1) * (p + 2) / 6 : p * (p + 1) / 2;
}

static double squared_distance(const struct fmm_gaussian *gaussian, int dim, const double *point) {
  double sum = 0;
  for (int axis = 0; axis < dim; axis++)
    sum += (point[axis] - gaussian->center[axis]) * (point[axis] - gaussian->center[axis]);
  return sum;
}

static double potential(const struct fmm_problem *problem, const double *point) {
  double sum = 0;
  for (int g = 0; g < problem->gaussians; g++)
    sum += exp(-problem->gaussian[g].exponent * squared_distance(&problem->gaussian[g], problem->dim, point));
  return sum;
}

/* (s - Delta) u with s = l^2 (Yukawa), -k^2 (Helmholtz) or 0. */
static double density(const struct fmm_problem *problem, const double *point) {
  const double square = problem->kernel.parameter * problem->kernel.parameter;
  const double s = problem->kernel.kind == TAC_FMM_YUKAWA ? square : problem->kernel.kind == TAC_FMM_HELMHOLTZ ? -square : 0;
  double sum = 0;
  for (int g = 0; g < problem->gaussians; g++) {
    const double a = problem->gaussian[g].exponent;
    const double r2 = squared_distance(&problem->gaussian[g], problem->dim, point);
    sum += (s + 2 * problem->dim * a - 4 * a * a * r2) * exp(-a * r2);
  }
  return sum;
}

static enum tac_status density_values(void *context, size_t count, const double *points, double *values,
                                      struct tac_error *error) {
  const struct fmm_problem *problem = context;
  (void)error;
  for (size_t i = 0; i < count; i++)
    values[i] = density(problem, points + (size_t)problem->dim * i);
  return TAC_STATUS_OK;
}

static int refine_graded(void *context, int level, const double *lower, double side) {
  const struct fmm_problem *problem = context;
  double r2 = 0;
  for (int axis = 0; axis < problem->dim; axis++) {
    const double x = lower[axis] + side / 2;
    r2 += x * x;
  }
  return level < problem->levels && side > problem->graded * sqrt(r2);
}

static enum tac_status create_tree(struct fmm_run *run, struct tac_error *error) {
  struct fmm_problem *problem = &run->problem;
  struct tac_fmm_tree_options options;
  struct tac_fmm_seed seeds[2];
  tac_fmm_tree_options_init(&options);
  options.dim = problem->dim;
  options.order = problem->order;
  if (problem->graded > 0) {
    options.levels = 2;
    return tac_fmm_tree_create_refined(&run->tree, &options, refine_graded, problem, error);
  }
  options.levels = problem->levels;
  options.tolerance = problem->levels < 0 ? problem->tolerance : options.tolerance;
  for (int g = 0; g < problem->gaussians; g++) {
    seeds[g].width = 1 / sqrt(2 * problem->gaussian[g].exponent);
    for (int axis = 0; axis < 3; axis++)
      seeds[g].center[axis] = problem->gaussian[g].center[axis];
  }
  options.seeds = seeds;
  options.seed_count = problem->levels < 0 ? (size_t)problem->gaussians : 0;
  return tac_fmm_tree_create(&run->tree, &options, density_values, problem, error);
}

static enum tac_status create_plan(struct fmm_run *run, struct tac_error *error) {
  const struct fmm_problem *problem = &run->problem;
  struct tac_fmm_plan_options options;
  tac_fmm_plan_options_init(&options);
  options.kernel = problem->kernel;
  options.eps = problem->eps;
  options.near = problem->near;
  options.gradient = problem->gradient;
  options.path = problem->path;
  options.cache_folder = problem->cache;
  return tac_fmm_plan_create(&run->plan, run->tree, &options, error);
}

/* The density at the nodes of all leaves. Returns 0 or -1. */
static int fill(struct fmm_run *run) {
  double *points = malloc(run->nodes * (size_t)run->problem.dim * sizeof *points);
  for (size_t leaf = 0; points && leaf < run->leaves; leaf++) {
    tac_fmm_tree_nodes(run->tree, leaf, points);
    density_values(&run->problem, run->nodes, points, run->density + leaf * run->nodes, NULL);
  }
  free(points);
  return points ? 0 : -1;
}

static int allocate(struct fmm_run *run) {
  const size_t bytes = run->leaves * run->nodes * sizeof(double);
  run->density = malloc(bytes);
  int missing = !run->density;
  for (int f = 0; f < run->fields; f++) {
    run->field[f] = calloc(1, bytes);
    missing |= !run->field[f];
  }
  if (missing)
    fprintf(stderr, "bench_fmm: no memory for %zu leaves\n", run->leaves);
  return missing ? -1 : 0;
}

int fmm_run_create(struct fmm_run *run, const struct fmm_problem *problem) {
  struct tac_error error;
  *run = (struct fmm_run){.problem = *problem};
  const double begin = fmm_cpu_seconds();
  if (create_tree(run, &error))
    return fail(&error);
  run->tree_seconds = fmm_cpu_seconds() - begin;
  const double planned = fmm_cpu_seconds();
  if (create_plan(run, &error))
    return fail(&error);
  run->plan_seconds = fmm_cpu_seconds() - planned;
  run->leaves = tac_fmm_tree_leaves(run->tree);
  run->nodes = (size_t)lround(pow(problem->order, problem->dim));
  run->fields = tac_fmm_plan_fields(run->plan);
  if (allocate(run))
    return -1;
  const double allocated = fmm_cpu_seconds();
  if (fill(run))
    return -1;
  run->density_seconds = fmm_cpu_seconds() - allocated;
  return 0;
}

void fmm_run_destroy(struct fmm_run *run) {
  tac_fmm_plan_destroy(&run->plan);
  tac_fmm_tree_destroy(&run->tree);
  for (int f = 0; f < run->fields; f++)
    free(run->field[f]);
  free(run->density);
  *run = (struct fmm_run){0};
}

struct tac_scheduler *fmm_scheduler(int lanes, enum tac_level level) {
  struct tac_scheduler_options options;
  struct tac_scheduler *scheduler = NULL;
  struct tac_error error;
  tac_scheduler_options_init(&options);
  options.executor = lanes == 1 ? "serial" : "threads";
  options.executor_options.lanes = lanes;
  options.level = level;
  if (tac_scheduler_create(&scheduler, &options, &error))
    fail(&error);
  return scheduler;
}

int fmm_run_evaluate(struct fmm_run *run, struct tac_scheduler *scheduler) {
  struct tac_error error;
  return tac_fmm_evaluate(run->plan, scheduler, run->density, run->field, &error) ? fail(&error) : 0;
}

int fmm_run_evaluate_measured(struct fmm_run *run, struct tac_scheduler *scheduler, struct tac_recorder *recorder) {
  struct tac_error error;
  return tac_fmm_evaluate_measured(run->plan, scheduler, run->density, run->field, recorder, &error) ? fail(&error) : 0;
}

/* Short evaluations are repeated more often, as what disturbs them lasts longer than they do. */
static int is_enough(int round, int rounds, double least) {
  const double spent = 1;
  return round >= rounds && (rounds == 1 || round * least >= spent);
}

int fmm_run_time_off(double *seconds, struct fmm_run *run, int rounds) {
  struct tac_scheduler *scheduler = fmm_scheduler(1, TAC_LEVEL_OFF);
  int failed = !scheduler || fmm_run_evaluate(run, scheduler);
  *seconds = INFINITY;
  for (int round = 0; !is_enough(round, rounds, *seconds) && !failed; round++) {
    const double begin = fmm_cpu_seconds();
    failed = fmm_run_evaluate(run, scheduler);
    *seconds = fmin(*seconds, fmm_cpu_seconds() - begin);
  }
  tac_scheduler_destroy(&scheduler);
  return failed ? -1 : 0;
}

static double event_seconds(const struct tac_recorder *recorder, int event) {
  return 1e-9 * (double)tac_recorder_stats(recorder, event).total_ns;
}

/* One measured evaluation; its times where they are less than the ones known. */
static int time_measured(struct fmm_times *times, struct fmm_run *run, struct tac_scheduler *scheduler,
                         struct tac_recorder *recorder) {
  tac_recorder_reset(recorder);
  if (fmm_run_evaluate_measured(run, scheduler, recorder))
    return -1;
  const double measured = event_seconds(recorder, TAC_FMM_EVENT_SOLVE);
  if (measured >= times->measured)
    return 0;
  times->measured = measured;
  for (int i = 0; i < TAC_FMM_PHASES; i++)
    times->phase[i] = event_seconds(recorder, TAC_FMM_EVENT_SOLVE + 1 + i);
  return 0;
}

int fmm_run_time(struct fmm_times *times, struct fmm_run *run, int rounds) {
  struct tac_recorder_options options;
  struct tac_recorder *recorder = NULL;
  struct tac_error error;
  *times = (struct fmm_times){.measured = INFINITY};
  tac_recorder_options_init(&options);
  options.events = &tac_fmm_events;
  options.clock = &fmm_thread_clock;
  if (tac_recorder_create(&recorder, &options, &error))
    return fail(&error);
  struct tac_scheduler *scheduler = fmm_scheduler(1, TAC_LEVEL_COARSE);
  int failed = !scheduler || fmm_run_time_off(&times->off, run, rounds);
  for (int round = 0; !is_enough(round, rounds, times->measured) && !failed; round++)
    failed = time_measured(times, run, scheduler, recorder);
  tac_scheduler_destroy(&scheduler);
  tac_recorder_destroy(&recorder);
  return failed ? -1 : 0;
}

double fmm_run_error(const struct fmm_run *run) {
  const int dim = run->problem.dim;
  double *points = malloc(run->nodes * (size_t)dim * sizeof *points);
  double above = 0, below = 0;
  for (size_t leaf = 0; points && leaf < run->leaves; leaf++) {
    double side, lower[3], difference = 0, norm = 0;
    int level;
    tac_fmm_tree_nodes(run->tree, leaf, points);
    tac_fmm_tree_leaf(run->tree, leaf, lower, &side, &level);
    for (size_t i = 0; i < run->nodes; i++) {
      const double exact = potential(&run->problem, points + (size_t)dim * i);
      const double off = run->field[0][leaf * run->nodes + i] - exact;
      difference += off * off;
      norm += exact * exact;
    }
    above += pow(side, dim) * difference;
    below += pow(side, dim) * norm;
  }
  free(points);
  return points ? sqrt(above / below) : NAN;
}
