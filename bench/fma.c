/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "bench/fma.h"

#define CHAINS 12 /* enough to hide the latency of two units, few enough for 16 registers */
#define STEPS  4096

static volatile double sink;

static void run_portable(void *unused) {
  (void)unused;
  double sum[CHAINS] = {0};
  for (int step = 0; step < STEPS; ++step)
    for (int chain = 0; chain < CHAINS; ++chain)
      sum[chain] = sum[chain] * 0.999 + 0.001;
  for (int chain = 0; chain < CHAINS; ++chain)
    sink = sum[chain];
}

#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>

__attribute__((target("avx2,fma"))) static void run_avx2(void *unused) {
  (void)unused;
  const __m256d factor = _mm256_set1_pd(0.999), addend = _mm256_set1_pd(0.001);
  __m256d sum[CHAINS];
  for (int chain = 0; chain < CHAINS; ++chain)
    sum[chain] = _mm256_set1_pd(chain);
  for (int step = 0; step < STEPS; ++step)
#pragma GCC unroll 12
    for (int chain = 0; chain < CHAINS; ++chain)
      sum[chain] = _mm256_fmadd_pd(sum[chain], factor, addend);
  for (int chain = 0; chain < CHAINS; ++chain)
    sink = _mm256_cvtsd_f64(sum[chain]);
}

__attribute__((target("avx512f"))) static void run_avx512(void *unused) {
  (void)unused;
  const __m512d factor = _mm512_set1_pd(0.999), addend = _mm512_set1_pd(0.001);
  __m512d sum[CHAINS];
  for (int chain = 0; chain < CHAINS; ++chain)
    sum[chain] = _mm512_set1_pd(chain);
  for (int step = 0; step < STEPS; ++step)
#pragma GCC unroll 12
    for (int chain = 0; chain < CHAINS; ++chain)
      sum[chain] = _mm512_fmadd_pd(sum[chain], factor, addend);
  for (int chain = 0; chain < CHAINS; ++chain)
    sink = _mm512_cvtsd_f64(sum[chain]);
}

struct bench_fma bench_fma_find(void) {
  if (__builtin_cpu_supports("avx512f"))
    return (struct bench_fma){"AVX-512", 2.0 * 8 * CHAINS * STEPS, run_avx512};
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
    return (struct bench_fma){"AVX2", 2.0 * 4 * CHAINS * STEPS, run_avx2};
  return (struct bench_fma){"portable", 2.0 * CHAINS * STEPS, run_portable};
}
#else
struct bench_fma bench_fma_find(void) {
  return (struct bench_fma){"portable", 2.0 * CHAINS * STEPS, run_portable};
}
#endif
