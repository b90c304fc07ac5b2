/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */

/* Compiled once for each instruction set: TAC_GEMM_NAME, TAC_GEMM_LANES, TAC_GEMM_VECTORS and TAC_GEMM_COLUMNS come from the
 * build file together with the compiler's flags. VECTORS * COLUMNS accumulators, VECTORS of the panel and one of the right side
 * fill the registers. Nothing here may be an inline function of a common header: the linker could keep this file's copy. */
#include "apps/fmm/gemm.h"

#define LANES   TAC_GEMM_LANES
#define VECTORS TAC_GEMM_VECTORS
#define COLUMNS TAC_GEMM_COLUMNS

typedef double vector __attribute__((vector_size(8 * LANES)));
typedef double in_memory __attribute__((vector_size(8 * LANES), aligned(8), may_alias));

#define INLINE static inline __attribute__((always_inline))
#define UNROLL _Pragma("GCC unroll 8")

INLINE vector load(const double *from) {
  return *(const in_memory *)from;
}

INLINE void store(double *to, vector value) {
  *(in_memory *)to = value;
}

INLINE void store_rows(double *to, const vector *value, int vectors, int rows, int accumulate) {
  double row[LANES * VECTORS];
  for (int v = 0; v < vectors; v++)
    store(row + v * LANES, value[v]);
  for (int i = 0; i < rows; i++)
    to[i] = accumulate ? to[i] + row[i] : row[i];
}

INLINE void multiply_block(const int vectors, const int columns, int depth, const double *restrict panel,
                           const double *const *b, double *const *c, int rows, int accumulate) {
  vector sum[COLUMNS][VECTORS];
  const double *right[COLUMNS];
  UNROLL for (int j = 0; j < columns; j++) {
    right[j] = b[j];
    UNROLL for (int v = 0; v < vectors; v++) sum[j][v] = (vector){0};
  }
  for (ptrdiff_t p = 0; p < depth; p++) {
    vector left[VECTORS];
    UNROLL for (int v = 0; v < vectors; v++) left[v] = load(panel + v * LANES);
    panel += vectors * LANES;
    UNROLL for (int j = 0; j < columns; j++) {
      const double factor = right[j][p];
      UNROLL for (int v = 0; v < vectors; v++) sum[j][v] += left[v] * factor;
    }
  }
  if (rows < vectors * LANES) {
    UNROLL for (int j = 0; j < columns; j++) store_rows(c[j], sum[j], vectors, rows, accumulate);
    return;
  }
  UNROLL for (int j = 0; j < columns; j++) {
    UNROLL for (int v = 0; v < vectors; v++) {
      double *to = c[j] + v * LANES;
      if (accumulate)
        sum[j][v] += load(to);
      store(to, sum[j][v]);
    }
  }
}

INLINE void multiply_columns(const int vectors, int columns, int depth, const double *panel, const double *const *b,
                             double *const *c, int rows, int accumulate) {
  if (columns == COLUMNS)
    multiply_block(vectors, COLUMNS, depth, panel, b, c, rows, accumulate);
  else if (columns == COLUMNS / 2)
    multiply_block(vectors, COLUMNS / 2, depth, panel, b, c, rows, accumulate);
  else
    multiply_block(vectors, 1, depth, panel, b, c, rows, accumulate);
}

static void multiply(int vectors, int columns, int depth, const double *panel, const double *const *b, double *const *c,
                     int rows, int accumulate) {
#if TAC_GEMM_VECTORS > 2
  if (vectors == 3) {
    multiply_columns(3, columns, depth, panel, b, c, rows, accumulate);
    return;
  }
#endif
  if (vectors == 2)
    multiply_columns(2, columns, depth, panel, b, c, rows, accumulate);
  else
    multiply_columns(1, columns, depth, panel, b, c, rows, accumulate);
}

INLINE vector combine_vector(const int terms, const double *const *from, const double *sign, ptrdiff_t i) {
  vector sum = load(from[0] + i);
  UNROLL for (int s = 1; s < terms; s++) sum += load(from[s] + i) * sign[s];
  return sum;
}

/* The last vector overlaps the one before it. Multiplying by a sign is exact, so that its rounding is the addition's. */
INLINE void combine_terms(const int terms, int length, size_t count, const double *const *table, size_t stride,
                          const unsigned char *place, const double *sign, size_t offset, double *out, size_t out_stride) {
  for (size_t t = 0; t < count; t++, table += stride, out += out_stride) {
    const double *from[8];
    UNROLL for (int s = 0; s < terms; s++) from[s] = table[place[s]] + offset;
    ptrdiff_t i = 0;
    for (; i + LANES <= length; i += LANES)
      store(out + i, combine_vector(terms, from, sign, i));
    if (i < length && length >= LANES) {
      store(out + length - LANES, combine_vector(terms, from, sign, length - LANES));
      continue;
    }
    for (; i < length; i++) {
      double sum = from[0][i];
      UNROLL for (int s = 1; s < terms; s++) sum += from[s][i] * sign[s];
      out[i] = sum;
    }
  }
}

static void combine(int terms, int length, size_t count, const double *const *table, size_t stride, const unsigned char *place,
                    const double *sign, size_t offset, double *out, size_t out_stride) {
  if (terms == 1)
    combine_terms(1, length, count, table, stride, place, sign, offset, out, out_stride);
  else if (terms == 2)
    combine_terms(2, length, count, table, stride, place, sign, offset, out, out_stride);
  else if (terms == 4)
    combine_terms(4, length, count, table, stride, place, sign, offset, out, out_stride);
  else
    combine_terms(8, length, count, table, stride, place, sign, offset, out, out_stride);
}

#define TEXT_OF(name) #name
#define TEXT(name)    TEXT_OF(name)
#define JOIN_OF(a, b) a##b
#define JOIN(a, b)    JOIN_OF(a, b)

extern const struct tac_gemm_kernel JOIN(tac_gemm_kernel_, TAC_GEMM_NAME);
const struct tac_gemm_kernel JOIN(tac_gemm_kernel_,
                                  TAC_GEMM_NAME) = {TEXT(TAC_GEMM_NAME), LANES, VECTORS, COLUMNS, multiply, combine};
