/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */

/* Preloaded before a program that calls cblas_dgemm from a shared library: counts the calls, their floating-point operations
 * and the time inside, and at exit writes them as JSON to the file that BLAS_COUNT_FILE names. For programs of one thread.
 *
 * A call that another process interrupted is counted, but neither its time nor its operations stand among the timed ones. */

#include <cblas.h>
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

typedef void (*gemm_fn)(enum CBLAS_ORDER, enum CBLAS_TRANSPOSE, enum CBLAS_TRANSPOSE, blasint, blasint, blasint, double,
                        const double *, blasint, const double *, blasint, double, double *, blasint);

static gemm_fn real_gemm;
static uint64_t calls;
static double flops, timed_flops;
static int64_t timed_ns;

static int64_t now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

__attribute__((constructor)) static void find_gemm(void) {
  void *symbol = dlsym(RTLD_NEXT, "cblas_dgemm");
  *(void **)&real_gemm = symbol;
}

__attribute__((destructor)) static void write_counts(void) {
  const char *name = getenv("BLAS_COUNT_FILE");
  FILE *file = name ? fopen(name, "w") : NULL;
  if (!file)
    return;
  fprintf(file, "{\"calls\": %llu, \"flops\": %.0f, \"timed_flops\": %.0f, \"timed_ns\": %lld}\n", (unsigned long long)calls,
          flops, timed_flops, (long long)timed_ns);
  fclose(file);
}

/* No call of a running process is that slow: a time slice lasts milliseconds, and dgemm does more than an operation a ns. */
static int interrupted(int64_t ns, double operations) {
  return (double)ns > 100000 + operations;
}

void cblas_dgemm(enum CBLAS_ORDER order, enum CBLAS_TRANSPOSE trans_a, enum CBLAS_TRANSPOSE trans_b, blasint m, blasint n,
                 blasint k, double alpha, const double *a, blasint lda, const double *b, blasint ldb, double beta, double *c,
                 blasint ldc) {
  const int64_t begin = now_ns();
  real_gemm(order, trans_a, trans_b, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
  const int64_t ns = now_ns() - begin;
  const double operations = 2.0 * m * n * k;
  ++calls;
  flops += operations;
  if (interrupted(ns, operations))
    return;
  timed_flops += operations;
  timed_ns += ns;
}
