/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */

/* What one thread of this machine can do: multiply-adds from registers, dgemm and dgesdd by size. The DMRG bench sets its
 * rates beside these. */

#include <cblas.h>
#include <lapacke.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tactus/runtime/dense.h>

#include "bench/fma.h"
#include "bench/options.h"
#include "bench/sample.h"

static const int sizes[] = {8, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512};
enum { SIZES = sizeof sizes / sizeof sizes[0], LARGEST = 512 };

struct dense {
  int n;
  double *a, *b, *c, *work; /* LARGEST * LARGEST each; work holds lwork */
  double *values;
  lapack_int *iwork;
  lapack_int lwork;
};

static void run_gemm(void *context) {
  const struct dense *dense = context;
  const int n = dense->n;
  cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, n, n, n, 1, dense->a, n, dense->b, n, 0, dense->c, n);
}

/* Decomposes a copy of b, as every call destroys its input; the left vectors go over it. */
static void run_gesdd(void *context) {
  const struct dense *dense = context;
  const int n = dense->n;
  memcpy(dense->a, dense->b, sizeof *dense->a * (size_t)n * (size_t)n);
  LAPACKE_dgesdd_work(LAPACK_COL_MAJOR, 'O', n, n, dense->a, n, dense->values, NULL, 1, dense->c, n, dense->work, dense->lwork,
                      dense->iwork);
}

static void destroy(struct dense *dense) {
  free(dense->a);
  free(dense->b);
  free(dense->c);
  free(dense->work);
  free(dense->values);
  free(dense->iwork);
}

static int create(struct dense *dense) {
  const size_t elements = (size_t)LARGEST * LARGEST;
  double asked = 0;
  *dense = (struct dense){.a = malloc(elements * sizeof(double)), .b = malloc(elements * sizeof(double))};
  dense->c = malloc(elements * sizeof(double));
  dense->values = malloc(LARGEST * sizeof(double));
  dense->iwork = malloc(8 * LARGEST * sizeof(lapack_int));
  if (LAPACKE_dgesdd_work(LAPACK_COL_MAJOR, 'O', LARGEST, LARGEST, NULL, LARGEST, NULL, NULL, 1, NULL, LARGEST, &asked, -1,
                          NULL))
    return -1;
  dense->lwork = (lapack_int)asked;
  dense->work = malloc((size_t)dense->lwork * sizeof(double));
  if (!dense->a || !dense->b || !dense->c || !dense->values || !dense->iwork || !dense->work)
    return -1;
  srand(1);
  for (size_t e = 0; e < elements; ++e)
    dense->a[e] = dense->b[e] = rand() / (double)RAND_MAX - 0.5;
  return 0;
}

struct limits {
  struct bench_fma fma;
  double fma_ns, gemm_ns[SIZES], gesdd_ns[SIZES];
  int sizes;
};

static int measure(struct limits *limits, struct dense *dense, const struct bench_plan *plan) {
  limits->fma = bench_fma_find();
  if (bench_times(&limits->fma_ns, &(struct bench_subject){"fma", limits->fma.run, NULL}, 1, plan))
    return -1;
  for (int s = 0; s < limits->sizes; ++s) {
    dense->n = sizes[s];
    if (bench_times(&limits->gemm_ns[s], &(struct bench_subject){"dgemm", run_gemm, dense}, 1, plan) ||
        bench_times(&limits->gesdd_ns[s], &(struct bench_subject){"dgesdd", run_gesdd, dense}, 1, plan))
      return -1;
  }
  return 0;
}

static double gemm_rate(const struct limits *limits, int s) {
  const double n = sizes[s];
  return 2 * n * n * n / limits->gemm_ns[s];
}

static void print_json(const struct limits *limits, const struct tac_blas_info *blas) {
  printf("{\"blas\": \"%s\", \"kernel\": \"%s\", \"instructions\": \"%s\", \"fma_gflops\": %.3f, \"by_size\": [", blas->name,
         blas->kernel, limits->fma.instructions, limits->fma.flops / limits->fma_ns);
  for (int s = 0; s < limits->sizes; ++s)
    printf("%s{\"n\": %d, \"dgemm_gflops\": %.3f, \"dgesdd_us\": %.3f}", s ? ", " : "", sizes[s], gemm_rate(limits, s),
           limits->gesdd_ns[s] / 1000);
  puts("]}");
}

static void print_table(const struct limits *limits, const struct tac_blas_info *blas) {
  const double peak = limits->fma.flops / limits->fma_ns;
  printf("One thread of this machine, %s, kernel %s.\n", blas->name, blas->kernel);
  printf("Multiply-adds from registers (%s): %.1f GF/s\n\n%6s %14s %10s %14s\n", limits->fma.instructions, peak, "n",
         "dgemm GF/s", "of peak", "dgesdd us");
  for (int s = 0; s < limits->sizes; ++s)
    printf("%6d %14.1f %10.2f %14.1f\n", sizes[s], gemm_rate(limits, s), gemm_rate(limits, s) / peak,
           limits->gesdd_ns[s] / 1000);
}

int main(int argc, char **argv) {
  struct bench_options options;
  const int read = bench_options_read(&options, argc, argv, "What one thread can do: multiply-adds, dgemm, dgesdd.\n");
  if (read)
    return read == 1 ? 0 : read;
  struct bench_plan plan = {.rounds = 9, .cpu_time = 1, .sample_ns = 10000000, .warm_ns = 1000000};
  struct limits limits = {.sizes = SIZES};
  if (options.quick) {
    plan = (struct bench_plan){.rounds = 1, .cpu_time = 1, .sample_ns = 10000};
    limits.sizes = 4;
  }
  plan.least = options.least;
  if (options.rounds)
    plan.rounds = options.rounds;
  tac_blas_set_threads(1);
  const struct tac_blas_info blas = tac_blas_info();
  struct dense dense;
  int failed = create(&dense) || measure(&limits, &dense, &plan);
  if (failed)
    fprintf(stderr, "limits: out of memory\n");
  else if (options.json)
    print_json(&limits, &blas);
  else
    print_table(&limits, &blas);
  destroy(&dense);
  return failed ? 1 : 0;
}
