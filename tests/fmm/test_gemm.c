/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/fmm/gemm.h"

#include <cblas.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "apps/fmm/stencil.h"
#include "tests/unit/suite.h"

static void seed(unsigned value) {
  printf("# seed %u\n", value);
  srand(value);
}

static double *random_numbers(size_t count) {
  double *memory = malloc((count + 1) * sizeof *memory);
  ck_assert_ptr_nonnull(memory);
  for (size_t i = 0; i < count; i++)
    memory[i] = rand() / (double)RAND_MAX - 0.5;
  return memory;
}

static double *copy_of(const double *from, size_t count) {
  double *memory = malloc((count + 1) * sizeof *memory);
  ck_assert_ptr_nonnull(memory);
  memcpy(memory, from, count * sizeof *memory);
  return memory;
}

/* Mostly small, around the kernels' block sizes, sometimes beyond the depth of a pass. */
static int random_size(int most) {
  return rand() % 3 ? 1 + rand() % 40 : 1 + rand() % most;
}

START_TEST(kernels_are_listed) {
  ck_assert_int_ge(tac_gemm_kernels(), 1);
  ck_assert_ptr_nonnull(tac_gemm_kernel(0));
  ck_assert_str_eq(tac_gemm_kernel(0)->name, "portable");
  ck_assert_ptr_nonnull(tac_gemm_best());
  for (int k = 0; k < tac_gemm_kernels(); k++)
    printf("# %d: %s\n", k, tac_gemm_kernel(k) ? tac_gemm_kernel(k)->name : "not on this processor");
}
END_TEST

/* C += A B with leading dimensions larger than needed; what lies between the columns stays as it was. */
START_TEST(agrees_with_blas) {
  const struct tac_gemm_kernel *kernel = tac_gemm_kernel(_i);
  if (!kernel)
    return;
  seed(100U + (unsigned)_i);
  for (int turn = 0; turn < 150; turn++) {
    const int m = random_size(130), n = random_size(150), k = random_size(700);
    const int lda = m + rand() % 3, ldb = k + rand() % 3, ldc = m + rand() % 3;
    double *a = random_numbers((size_t)lda * (size_t)k), *b = random_numbers((size_t)ldb * (size_t)n);
    double *c = random_numbers((size_t)ldc * (size_t)n), *expected = copy_of(c, (size_t)ldc * (size_t)n);
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, m, n, k, 1, a, lda, b, ldb, 1, expected, ldc);
    tac_gemm_with(kernel, m, n, k, a, lda, b, ldb, c, ldc);
    for (int j = 0; j < n; j++)
      for (int i = 0; i < ldc; i++)
        if (i < m)
          ck_assert_double_eq_tol(c[i + j * ldc], expected[i + j * ldc], 1e-15 * k + 1e-15);
        else
          ck_assert_double_eq(c[i + j * ldc], expected[i + j * ldc]);
    free(a);
    free(b);
    free(c);
    free(expected);
  }
}
END_TEST

/* The packed form: new results and added ones, columns in any order in memory, and a column's bits alone as among others. */
START_TEST(packed_agrees_with_blas) {
  const struct tac_gemm_kernel *kernel = tac_gemm_kernel(_i);
  if (!kernel)
    return;
  seed(200U + (unsigned)_i);
  for (int turn = 0; turn < 100; turn++) {
    const int m = random_size(130), n = random_size(40), k = rand() % 20 ? random_size(700) : 0;
    double *a = random_numbers((size_t)m * (size_t)k), *b = random_numbers((size_t)k * (size_t)n);
    double *c = random_numbers((size_t)m * (size_t)n), *expected = copy_of(c, (size_t)m * (size_t)n);
    double *alone = copy_of(c, (size_t)m * (size_t)n);
    const size_t packed_size = tac_gemm_packed_size(kernel, m, k);
    double *packed = tac_allocator_system()->allocate(NULL, packed_size * sizeof(double));
    ck_assert_ptr_nonnull(packed);
    tac_gemm_pack(kernel, m, k, a, (size_t)m, packed);
    const double *from[150];
    double *to[150];
    for (int j = 0; j < n; j++) {
      const int place = (7 * j + 3) % n; /* a permutation unless 7 divides n: then columns repeat, and so do results */
      from[j] = b + (size_t)(n % 7 ? place : j) * (size_t)k;
      to[j] = c + (size_t)(n % 7 ? place : j) * (size_t)m;
    }
    const int accumulate = rand() % 2;
    if (k > 0)
      cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, m, n, k, 1, a, m, b, k, accumulate, expected, m);
    else if (!accumulate)
      memset(expected, 0, (size_t)m * (size_t)n * sizeof *expected);
    tac_gemm_packed(kernel, m, k, packed, (size_t)n, from, to, accumulate);
    for (int i = 0; i < m * n; i++)
      ck_assert_double_eq_tol(c[i], expected[i], 1e-15 * k + 1e-15);
    for (int j = 0; j < n; j++) {
      double *column = alone + (size_t)j * (size_t)m;
      tac_gemm_packed(kernel, m, k, packed, 1, (const double *const[]){b + (size_t)j * (size_t)k}, (double *const[]){column},
                      accumulate);
      ck_assert_mem_eq(column, c + (size_t)j * (size_t)m, (size_t)m * sizeof(double));
    }
    tac_allocator_system()->release(NULL, packed);
    free(a);
    free(b);
    free(c);
    free(expected);
    free(alone);
  }
}
END_TEST

/* Sums of a few small numbers, exact in any order. */
START_TEST(combine_sums_with_signs) {
  const struct tac_gemm_kernel *kernel = tac_gemm_kernel(_i);
  if (!kernel)
    return;
  seed(300U + (unsigned)_i);
  double *values = random_numbers(12 * 100);
  for (int i = 0; i < 1200; i++)
    values[i] = floor(1000 * values[i]);
  for (int form = 1; form < 8; form++)
    for (int length = 1; length <= 30; length++) {
      const int terms = 1 << form / 2, mixed = form & 1 && terms > 1;
      const double *table[12];
      unsigned char place[8];
      double out[2][35];
      for (int i = 0; i < 12; i++)
        table[i] = values + 100 * i;
      for (int s = 0; s < terms; s++)
        place[s] = (unsigned char)(rand() % 6);
      for (int i = 0; i < 70; i++)
        out[i / 35][i % 35] = 77;
      kernel->combine(terms, mixed, length, 2, table, 6, place, 3, out[0], 35);
      for (int t = 0; t < 2; t++)
        for (int i = 0; i < 35; i++) {
          double sum = i < length ? 0 : 77;
          for (int s = 0; i < length && s < terms; s++)
            sum += (mixed && s % 2 ? -1 : 1) * table[6 * t + place[s]][3 + i];
          ck_assert_double_eq(out[t][i], sum);
        }
    }
  free(values);
}
END_TEST

START_TEST(the_best_kernel_is_used) {
  seed(400);
  enum { M = 37, N = 29, K = 300 };
  double *a = random_numbers(M * K), *b = random_numbers(K * N), *c = random_numbers(M * N), *d = copy_of(c, M * N);
  tac_gemm(M, N, K, a, M, b, K, c, M);
  tac_gemm_with(tac_gemm_best(), M, N, K, a, M, b, K, d, M);
  ck_assert_mem_eq(c, d, M * N * sizeof(double));
  free(a);
  free(b);
  free(c);
  free(d);
}
END_TEST

int main(void) {
  TCase *cases = tcase_create("gemm");
  tcase_set_timeout(cases, 120);
  tcase_add_test(cases, kernels_are_listed);
  const int count = tac_gemm_kernels();
  tcase_add_loop_test(cases, agrees_with_blas, 0, count);
  tcase_add_loop_test(cases, packed_agrees_with_blas, 0, count);
  tcase_add_loop_test(cases, combine_sums_with_signs, 0, count);
  tcase_add_test(cases, the_best_kernel_is_used);
  return run_cases("gemm", cases);
}
