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
                           const double *const *b, double *const *c, int rows, int accumulate, const double *ahead) {
  vector sum[COLUMNS][VECTORS];
  const double *right[COLUMNS];
  UNROLL for (int j = 0; j < columns; j++) {
    right[j] = b[j];
    __builtin_prefetch(c[j], 1);
    UNROLL for (int v = 0; v < vectors; v++) sum[j][v] = (vector){0};
  }
  for (ptrdiff_t p = 0; p < depth; p++) {
    vector left[VECTORS];
    UNROLL for (int v = 0; v < vectors; v++) left[v] = load(panel + v * LANES);
    panel += vectors * LANES;
    __builtin_prefetch(ahead + p, 0, 2);
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
                             double *const *c, int rows, int accumulate, const double *ahead) {
  if (columns == COLUMNS)
    multiply_block(vectors, COLUMNS, depth, panel, b, c, rows, accumulate, ahead);
  else if (columns == COLUMNS / 2)
    multiply_block(vectors, COLUMNS / 2, depth, panel, b, c, rows, accumulate, ahead);
  else
    multiply_block(vectors, 1, depth, panel, b, c, rows, accumulate, ahead);
}

static void multiply(int vectors, int columns, int depth, const double *panel, const double *const *b, double *const *c,
                     int rows, int accumulate, const double *ahead) {
#if TAC_GEMM_VECTORS > 2
  if (vectors == 3) {
    multiply_columns(3, columns, depth, panel, b, c, rows, accumulate, ahead);
    return;
  }
#endif
  if (vectors == 2)
    multiply_columns(2, columns, depth, panel, b, c, rows, accumulate, ahead);
  else
    multiply_columns(1, columns, depth, panel, b, c, rows, accumulate, ahead);
}

#define PAIR_UP(type, get)                                                                                                     \
  type sum = get(0);                                                                                                           \
  if (terms > 1)                                                                                                               \
    sum = mixed ? sum - get(1) : sum + get(1);                                                                                 \
  UNROLL for (int s = 2; s < terms; s += 2) sum += mixed ? get(s) - get(s + 1) : get(s) + get(s + 1);                          \
  return sum;

INLINE vector sum_vector(const int terms, const int mixed, const double *const *from, ptrdiff_t i){
#define GET(s) load(from[s] + i)
    PAIR_UP(vector, GET)
#undef GET
}

INLINE double sum_number(const int terms, const int mixed, const double *const *from, ptrdiff_t i){
#define GET(s) from[s][i]
    PAIR_UP(double, GET)
#undef GET
}

/* The last vector overlaps the one before it. */
INLINE void sum_stretch(const int terms, const int mixed, ptrdiff_t length, const double *const *from, double *restrict out) {
  ptrdiff_t i = 0;
  if (length < LANES) {
    for (; i < length; i++)
      out[i] = sum_number(terms, mixed, from, i);
    return;
  }
  for (; i + LANES <= length; i += LANES)
    store(out + i, sum_vector(terms, mixed, from, i));
  if (i < length)
    store(out + length - LANES, sum_vector(terms, mixed, from, length - LANES));
}

INLINE void combine_terms(const int terms, const int mixed, int length, size_t count, const double *const *table, size_t stride,
                          const unsigned char *place, size_t offset, double *out, size_t out_stride) {
  for (size_t t = 0; t < count; t++, table += stride, out += out_stride) {
    const double *from[8];
    UNROLL for (int s = 0; s < terms; s++) from[s] = table[place[s]] + offset;
    sum_stretch(terms, mixed, length, from, out);
  }
}

static void combine(int terms, int mixed, int length, size_t count, const double *const *table, size_t stride,
                    const unsigned char *place, size_t offset, double *out, size_t out_stride) {
#define CASE(terms, mixed)                                                                                                     \
  case 2 * (terms) + (mixed):                                                                                                  \
    combine_terms(terms, mixed, length, count, table, stride, place, offset, out, out_stride);                                 \
    break;
  switch (2 * terms + mixed) {
    CASE(1, 0)
    CASE(2, 0)
    CASE(2, 1)
    CASE(4, 0)
    CASE(4, 1)
    CASE(8, 0)
    CASE(8, 1)
  }
#undef CASE
}

#define TEXT_OF(name) #name
#define TEXT(name)    TEXT_OF(name)
#define JOIN_OF(a, b) a##b
#define JOIN(a, b)    JOIN_OF(a, b)

extern const struct tac_gemm_kernel JOIN(tac_gemm_kernel_, TAC_GEMM_NAME);
const struct tac_gemm_kernel JOIN(tac_gemm_kernel_,
                                  TAC_GEMM_NAME) = {TEXT(TAC_GEMM_NAME), LANES, VECTORS, COLUMNS, multiply, combine};
