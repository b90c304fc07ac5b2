/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/fmm/gemm.h"

#include "apps/fmm/stencil.h"

extern const struct tac_gemm_kernel tac_gemm_kernel_portable;
#ifdef TAC_GEMM_X86
extern const struct tac_gemm_kernel tac_gemm_kernel_avx2, tac_gemm_kernel_avx512;
#endif

static int minimum(int a, int b) {
  return a < b ? a : b;
}

#ifdef TAC_GEMM_X86
int tac_gemm_kernels(void) {
  return 3;
}

const struct tac_gemm_kernel *tac_gemm_kernel(int index) {
  if (index == 2)
    return __builtin_cpu_supports("avx512f") ? &tac_gemm_kernel_avx512 : NULL;
  if (index == 1)
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? &tac_gemm_kernel_avx2 : NULL;
  return &tac_gemm_kernel_portable;
}
#else
int tac_gemm_kernels(void) {
  return 1;
}

const struct tac_gemm_kernel *tac_gemm_kernel(int index) {
  (void)index;
  return &tac_gemm_kernel_portable;
}
#endif

const struct tac_gemm_kernel *tac_gemm_best(void) {
  int index = tac_gemm_kernels() - 1;
  while (!tac_gemm_kernel(index))
    index--;
  return tac_gemm_kernel(index);
}

static int panel_vectors(const struct tac_gemm_kernel *kernel, int rows) {
  return minimum(kernel->vectors, (rows + kernel->lanes - 1) / kernel->lanes);
}

size_t tac_gemm_packed_size(const struct tac_gemm_kernel *kernel, int rows, int inner) {
  const int whole = (rows + kernel->lanes - 1) / kernel->lanes * kernel->lanes;
  return (size_t)whole * (size_t)inner;
}

/* depth columns of a, `rows` of the panel's `height` rows; the others are zero. */
static double *pack_panel(int height, int rows, int depth, const double *a, size_t lda, double *packed) {
  for (int p = 0; p < depth; p++, a += lda)
    for (int i = 0; i < height; i++)
      *packed++ = i < rows ? a[i] : 0;
  return packed;
}

void tac_gemm_pack(const struct tac_gemm_kernel *kernel, int rows, int inner, const double *a, size_t lda, double *packed) {
  for (int p = 0; p < inner; p += TAC_GEMM_DEPTH) {
    const int depth = minimum(TAC_GEMM_DEPTH, inner - p);
    for (int row = 0; row < rows; row += kernel->lanes * kernel->vectors) {
      const int height = kernel->lanes * panel_vectors(kernel, rows - row);
      packed = pack_panel(height, minimum(height, rows - row), depth, a + (size_t)p * lda + row, lda, packed);
    }
  }
}

void tac_gemm_unpack(const struct tac_gemm_kernel *kernel, int rows, int inner, const double *packed, double *a, size_t lda) {
  for (int begin = 0; begin < inner; begin += TAC_GEMM_DEPTH)
    for (int row = 0; row < rows; row += kernel->lanes * kernel->vectors) {
      const int height = kernel->lanes * panel_vectors(kernel, rows - row), real = minimum(height, rows - row);
      for (int p = begin; p < minimum(inner, begin + TAC_GEMM_DEPTH); p++, packed += height)
        for (int i = 0; i < real; i++)
          a[(size_t)p * lda + (size_t)(row + i)] = packed[i];
    }
}

/* Result columns of one panel, in groups of the kernel's width. A group that is more than half full is filled up with copies
 * of its last column whose results go nowhere. */
static void multiply_panel(const struct tac_gemm_kernel *kernel, int vectors, int rows, int depth, const double *panel,
                           size_t columns, const double *const *b, size_t b_offset, double *const *c, size_t c_offset,
                           int accumulate) {
  double nowhere[TAC_GEMM_MOST_ROWS] = {0};
  const int half = kernel->columns / 2;
  const double *ahead = panel + (size_t)(vectors * kernel->lanes) * (size_t)depth; /* the next panel */
  for (size_t first = 0; first < columns;) {
    const size_t left = columns - first;
    const int width = left > (size_t)half ? kernel->columns : left == 1 ? 1 : half;
    const int real = left < (size_t)width ? (int)left : width;
    const double *right[TAC_GEMM_MOST_COLUMNS];
    double *result[TAC_GEMM_MOST_COLUMNS];
    for (int j = 0; j < width; j++) {
      right[j] = b[first + (size_t)minimum(j, real - 1)] + b_offset;
      result[j] = j < real ? c[first + (size_t)j] + c_offset : nowhere;
    }
    kernel->multiply(vectors, width, depth, panel, right, result, rows, accumulate, ahead);
    first += (size_t)real;
    ahead += depth;
  }
}

/* A panel is read once and used for all columns. */
void tac_gemm_packed(const struct tac_gemm_kernel *kernel, int rows, int inner, const double *packed, size_t columns,
                     const double *const *b, double *const *c, int accumulate) {
  int p = 0;
  do {
    const int depth = minimum(TAC_GEMM_DEPTH, inner - p);
    for (int row = 0; row < rows; row += kernel->lanes * kernel->vectors) {
      const int vectors = panel_vectors(kernel, rows - row), height = kernel->lanes * vectors;
      multiply_panel(kernel, vectors, minimum(height, rows - row), depth, packed, columns, b, (size_t)p, c, (size_t)row,
                     accumulate || p > 0);
      packed += (size_t)height * (size_t)depth;
    }
    p += TAC_GEMM_DEPTH;
  } while (p < inner);
}

/* Columns are taken in strips so that their pointers have a place without allocation. */
#define STRIP 64

static void multiply_strip(const struct tac_gemm_kernel *kernel, int rows, int depth, const double *panel, int n,
                           const double *b, int ldb, double *c, int ldc) {
  const double *right[STRIP];
  double *result[STRIP];
  for (int first = 0; first < n; first += STRIP) {
    const int width = minimum(STRIP, n - first);
    for (int j = 0; j < width; j++) {
      right[j] = b + (size_t)(first + j) * (size_t)ldb;
      result[j] = c + (size_t)(first + j) * (size_t)ldc;
    }
    multiply_panel(kernel, panel_vectors(kernel, rows), rows, depth, panel, (size_t)width, right, 0, result, 0, 1);
  }
}

void tac_gemm_with(const struct tac_gemm_kernel *kernel, int m, int n, int k, const double *a, int lda, const double *b,
                   int ldb, double *c, int ldc) {
  _Alignas(TAC_ALIGNMENT) double panel[TAC_GEMM_MOST_ROWS * TAC_GEMM_DEPTH];
  const int tallest = kernel->lanes * kernel->vectors;
  for (int p = 0; p < k; p += TAC_GEMM_DEPTH) {
    const int depth = minimum(TAC_GEMM_DEPTH, k - p);
    for (int row = 0; row < m; row += tallest) {
      const int rows = minimum(tallest, m - row);
      pack_panel(kernel->lanes * panel_vectors(kernel, rows), rows, depth, a + (size_t)p * (size_t)lda + row, (size_t)lda,
                 panel);
      multiply_strip(kernel, rows, depth, panel, n, b + p, ldb, c + row, ldc);
    }
  }
}

void tac_gemm(int m, int n, int k, const double *a, int lda, const double *b, int ldb, double *c, int ldc) {
  tac_gemm_with(tac_gemm_best(), m, n, k, a, lda, b, ldb, c, ldc);
}
