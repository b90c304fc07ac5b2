/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef BENCH_FMM_REPORT_H
#define BENCH_FMM_REPORT_H

#include "bench/fmm_limits.h"
#include "bench/fmm_problem.h"

#define FMM_GOAL_GFLOPS 128.0 /* of a core for which the goals were set, in multiply-adds from registers */

/* What a run should reach; 0: no goal. */
struct fmm_goal {
  double rate;       /* a second */
  int points;        /* 1: of nodes; 0: of leaves */
  double error_most; /* relative L2 */
};

void fmm_report_limits(const struct fmm_limits *limits);

/* Tree, rates, error, and the goal beside what was reached and what that would be at FMM_GOAL_GFLOPS. */
void fmm_report_rates(const char *name, const struct fmm_run *run, double seconds, double error, const struct fmm_goal *goal,
                      const struct fmm_limits *limits);

/* A row a phase: seconds, rates, and how near they are to what the machine can do. */
void fmm_report_phases(const struct fmm_run *run, const struct fmm_times *times, const struct fmm_limits *limits);

/* "goal ...: reached ..., met or missed", for times, where less is better; times are scaled the other way than rates. */
void fmm_report_seconds(const char *what, double seconds, double goal, const struct fmm_limits *limits);

#endif
