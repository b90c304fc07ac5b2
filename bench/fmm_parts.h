/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef BENCH_FMM_PARTS_H
#define BENCH_FMM_PARTS_H

#include "bench/fmm_report.h"

/* What all parts of bench_fmm share. */
struct fmm_bench {
  int quick, rounds;
  struct fmm_limits limits;
  char cache[4096]; /* folder of tables and operators, of this run only */
};

/* Makes the folder, which may be emptied by another part; prints why it could not. Returns 0 or -1. */
int fmm_cache_create(struct fmm_bench *bench);
void fmm_cache_empty(const struct fmm_bench *bench);
void fmm_cache_remove(struct fmm_bench *bench);

/* For --quick: few leaves and a low accuracy. */
void fmm_bench_shrink(struct fmm_problem *problem);

/* Parts. They print, and return 0 or, after a failure that is printed, something else. */
int fmm_part_solution(const struct fmm_bench *bench);
int fmm_part_setup(const struct fmm_bench *bench);
int fmm_part_threads(const struct fmm_bench *bench);
int fmm_part_memory(const struct fmm_bench *bench);
int fmm_part_linear(const struct fmm_bench *bench);
int fmm_part_kernels(const struct fmm_bench *bench);
int fmm_part_peers(const struct fmm_bench *bench); /* as JSON */

#endif
