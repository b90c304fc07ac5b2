/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef BENCH_FMA_H
#define BENCH_FMA_H

/* A loop of independent double precision multiply-adds that stays in registers. */
struct bench_fma {
  const char *instructions; /* "AVX-512", "AVX2" or "portable" */
  double flops;             /* of one call of run */
  void (*run)(void *unused);
};

/* The widest form that this processor has. */
struct bench_fma bench_fma_find(void);

#endif
