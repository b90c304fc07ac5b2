/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef BENCH_FMM_PROBLEM_H
#define BENCH_FMM_PROBLEM_H

#include <tactus/fmm/plan.h>
#include <tactus/fmm/tree.h>
#include <tactus/scheduler/scheduler.h>

/* u = sum of exp(-a |x - c|^2); the density is what the kernel's operator makes of it. */
struct fmm_gaussian {
  double exponent, center[3];
};

struct fmm_problem {
  int dim, order; /* total degree */
  int levels;     /* of a uniform tree; -1: adaptive */
  double tolerance;
  double graded; /* not 0: leaves no larger than this times their distance to the origin, down to `levels` */
  struct tac_fmm_kernel kernel;
  double eps;
  int gradient;
  enum tac_fmm_near near;
  enum tac_fmm_path path;
  const char *cache; /* folder; NULL: none */
  int gaussians;
  struct fmm_gaussian gaussian[2];
};

/* Two Gaussians of widths 1e-2 and 2e-2, as exp(-r^2 / (2 width^2)). */
void fmm_problem_two_gaussians(struct fmm_problem *problem);

struct fmm_run {
  struct fmm_problem problem;
  struct tac_fmm_tree *tree;
  struct tac_fmm_plan *plan;
  size_t leaves, nodes; /* nodes of a leaf */
  int fields;
  double *density, *field[8];
  double tree_seconds, plan_seconds, density_seconds; /* CPU time of making them */
};

/* Prints why it failed. Returns 0 or -1. */
int fmm_run_create(struct fmm_run *run, const struct fmm_problem *problem);
void fmm_run_destroy(struct fmm_run *run);

/* NULL after a failure, which is printed. */
struct tac_scheduler *fmm_scheduler(int lanes, enum tac_level level);

/* One evaluation. Print why it failed. Return 0 or -1. */
struct tac_recorder;
int fmm_run_evaluate(struct fmm_run *run, struct tac_scheduler *scheduler);
int fmm_run_evaluate_measured(struct fmm_run *run, struct tac_scheduler *scheduler, struct tac_recorder *recorder);

/* Seconds of one evaluation, the least of at least `rounds`, and, if those are several, of a second's worth: with measurements
 * off, and of one at coarse, its phases too. CPU time of the calling thread. Prints why it failed. Returns 0 or -1. */
struct fmm_times {
  double off, measured, phase[TAC_FMM_PHASES];
};
int fmm_run_time(struct fmm_times *times, struct fmm_run *run, int rounds);

/* The same at off alone. */
int fmm_run_time_off(double *seconds, struct fmm_run *run, int rounds);

/* Relative L2 error of the potential last evaluated, over the domain. */
double fmm_run_error(const struct fmm_run *run);

/* A clock that reads the CPU time of the thread that asks. */
extern const struct tac_clock fmm_thread_clock;
double fmm_cpu_seconds(void); /* of the process */

int fmm_coefficients(const struct fmm_problem *problem); /* of a leaf */
#endif
