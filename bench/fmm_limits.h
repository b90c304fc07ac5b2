/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef BENCH_FMM_LIMITS_H
#define BENCH_FMM_LIMITS_H

#include "bench/sample.h"

/* What one thread of this machine can do, by its CPU clock. */
struct fmm_limits {
  const char *instructions;
  double fma_gflops;   /* multiply-adds from registers */
  double dgemm_gflops; /* the best of a few sizes */
  int dgemm_size;
  double triad_gbytes; /* a = b + s c from memory, 24 bytes an element */
};

/* Returns 0, or -1 when memory is short. */
int fmm_limits_measure(struct fmm_limits *limits, const struct bench_plan *plan, int quick);

#endif
