/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "bench/fmm_limits.h"

#include <cblas.h>
#include <stdlib.h>

#include "bench/fma.h"

static const int sizes[] = {96, 256, 512};
enum { SIZES = sizeof sizes / sizeof sizes[0] };

struct arrays {
  size_t count;
  int n;
  double *a, *b, *c;
};

static void run_triad(void *context) {
  const struct arrays *x = context;
  double *restrict a = x->a;
  const double *restrict b = x->b, *restrict c = x->c;
  for (size_t i = 0; i < x->count; i++)
    a[i] = b[i] + 0.5 * c[i];
}

static void run_gemm(void *context) {
  const struct arrays *x = context;
  cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, x->n, x->n, x->n, 1, x->a, x->n, x->b, x->n, 0, x->c, x->n);
}

static int measure(struct fmm_limits *limits, struct arrays *arrays, const struct bench_plan *plan) {
  const struct bench_fma fma = bench_fma_find();
  double ns;
  if (bench_times(&ns, &(struct bench_subject){"fma", fma.run, NULL}, 1, plan))
    return -1;
  limits->instructions = fma.instructions;
  limits->fma_gflops = fma.flops / ns;
  if (bench_times(&ns, &(struct bench_subject){"triad", run_triad, arrays}, 1, plan))
    return -1;
  limits->triad_gbytes = 24.0 * (double)arrays->count / ns;
  for (int s = 0; s < SIZES; s++) {
    const double n = arrays->n = sizes[s];
    if (bench_times(&ns, &(struct bench_subject){"dgemm", run_gemm, arrays}, 1, plan))
      return -1;
    if (2 * n * n * n / ns > limits->dgemm_gflops) {
      limits->dgemm_gflops = 2 * n * n * n / ns;
      limits->dgemm_size = sizes[s];
    }
  }
  return 0;
}

int fmm_limits_measure(struct fmm_limits *limits, const struct bench_plan *plan, int quick) {
  struct arrays x = {.count = (size_t)1 << (quick ? 18 : 24)};
  *limits = (struct fmm_limits){0};
  x.a = malloc(x.count * sizeof(double));
  x.b = malloc(x.count * sizeof(double));
  x.c = malloc(x.count * sizeof(double));
  int failed = !x.a || !x.b || !x.c;
  for (size_t i = 0; i < x.count && !failed; i++) {
    x.a[i] = 0;
    x.b[i] = 1e-3 * (double)(i % 1000);
    x.c[i] = 1 - x.b[i];
  }
  failed = failed || measure(limits, &x, plan);
  free(x.a);
  free(x.b);
  free(x.c);
  return failed ? -1 : 0;
}
