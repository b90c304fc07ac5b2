/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef APPS_FMM_GEMM_H
#define APPS_FMM_GEMM_H

#include <stddef.h>

/* Products with a matrix that is packed once and used many times. The columns of the right side and of the result may stand
 * anywhere: each has a pointer of its own. Each entry of a result is one chain of multiply-adds over the inner index, so that
 * its bits depend neither on the number of columns in a call nor on its column's place among them. */

#define TAC_GEMM_MOST_LANES   8
#define TAC_GEMM_MOST_VECTORS 3
#define TAC_GEMM_MOST_COLUMNS 8
#define TAC_GEMM_MOST_ROWS    (TAC_GEMM_MOST_LANES * TAC_GEMM_MOST_VECTORS)
/* Inner index of one pass over a panel: a panel of that depth and the columns beside it stay in the first-level cache. */
#define TAC_GEMM_DEPTH        256

/* One instruction set's inner loops. A panel is lanes * vectors rows, stored column after column. */
struct tac_gemm_kernel {
  const char *name;
  int lanes, vectors, columns; /* doubles in a vector; vectors in the tallest panel; columns of one call */
  /* c[j][i] (+)= sum over p < depth of panel[p*height + i] * b[j][p] for rows i < rows <= height = lanes * vectors, j <
   * columns, where vectors is at most the above and columns is one of those above, half of them or 1. Asks for the `depth`
   * doubles at `ahead` to come nearer meanwhile; what stands there is not read. */
  void (*multiply)(int vectors, int columns, int depth, const double *panel, const double *const *b, double *const *c, int rows,
                   int accumulate, const double *ahead);
  /* out[t*out_stride + i] = sum over s < terms of +-table[t*stride + place[s]][offset + i], i < length, t < count; with
   * `mixed` those of odd s are subtracted. terms is 1, 2, 4 or 8. */
  void (*combine)(int terms, int mixed, int length, size_t count, const double *const *table, size_t stride,
                  const unsigned char *place, size_t offset, double *out, size_t out_stride);
};

/* The kernels of this build, plainest first: NULL for one that this processor lacks. */
int tac_gemm_kernels(void);
const struct tac_gemm_kernel *tac_gemm_kernel(int index);
/* The last that this processor has. */
const struct tac_gemm_kernel *tac_gemm_best(void);

/* Doubles of a packed rows x inner matrix, and the packing of a column-major one. `packed` is aligned to TAC_ALIGNMENT. */
size_t tac_gemm_packed_size(const struct tac_gemm_kernel *kernel, int rows, int inner);
void tac_gemm_pack(const struct tac_gemm_kernel *kernel, int rows, int inner, const double *a, size_t lda, double *packed);
/* Back. */
void tac_gemm_unpack(const struct tac_gemm_kernel *kernel, int rows, int inner, const double *packed, double *a, size_t lda);
/* c[j] = A b[j] for j < columns, or += with accumulate. */
void tac_gemm_packed(const struct tac_gemm_kernel *kernel, int rows, int inner, const double *packed, size_t columns,
                     const double *const *b, double *const *c, int accumulate);
/* As tac_gemm of stencil.h. */
void tac_gemm_with(const struct tac_gemm_kernel *kernel, int m, int n, int k, const double *a, int lda, const double *b,
                   int ldb, double *c, int ldc);

#endif
