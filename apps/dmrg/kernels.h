/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef APPS_DMRG_KERNELS_H
#define APPS_DMRG_KERNELS_H

#include <stddef.h>

#include <tactus/dmrg/state.h>
#include <tactus/runtime/memory.h>

/* Dense operations of one scalar type on column-major matrices; one table a type. Scalars that meet a Hermitian problem are
 * real, so factors are double throughout. op is 'N' (as it is) or 'C' (adjoint). */
struct tac_kernels {
  size_t size; /* bytes of an element */
  int is_complex;
  double epsilon;  /* spacing of 1 in the real type */
  double smallest; /* normal number of it */

  /* c = op(a) op(b) + beta c, with m x n the shape of c and k the inner extent. */
  void (*gemm)(char op_a, char op_b, int m, int n, int k, const void *a, int lda, const void *b, int ldb, double beta, void *c,
               int ldc);
  /* The upper triangle of c, n x n: a^H a with op 'C' and a k x n, a a^H with op 'N' and a n x k. */
  void (*gram)(char op, int n, int k, const void *a, int lda, void *c, int ldc);
  /* a = R^H R in the upper triangle; 0, or the order of the minor that is not positive. */
  int (*cholesky)(int n, void *a, int lda);
  /* b = b R^-1 with R upper triangular, n x n; b is m x n. */
  void (*solve_right)(int m, int n, const void *r, int ldr, void *b, int ldb);

  /* a (m x n, destroyed) = u diag(s) vt with min(m,n) columns of u and rows of vt, s falling. 0, or LAPACK's info; MEMORY shows
   * as -1000. The divide-and-conquer and the QR algorithm. */
  int (*svd_divide)(int m, int n, void *a, int lda, double *s, void *u, int ldu, void *vt, int ldvt, struct tac_arena *arena);
  int (*svd_qr)(int m, int n, void *a, int lda, double *s, void *u, int ldu, void *vt, int ldvt, struct tac_arena *arena);
  /* a (n x n Hermitian, upper triangle) becomes its eigenvectors, w the eigenvalues, rising. As the SVDs. */
  int (*eigen)(int n, void *a, int lda, double *w, struct tac_arena *arena);

  double (*dot)(size_t n, const void *x, const void *y); /* real part of x^H y */
  double (*norm)(size_t n, const void *x);
  void (*axpy)(size_t n, double alpha, const void *x, void *y);
  void (*scale)(size_t n, double alpha, void *x);
  /* y = sum over j of factor[j] x[j] */
  void (*combine)(size_t n, int terms, const double *factor, const void *const *x, void *y);

  void (*add_block)(int m, int n, double alpha, const void *a, int lda, void *b, int ldb); /* b += alpha a */
  void (*copy_block)(int m, int n, const void *a, int lda, void *b, int ldb);
  /* b (n x m) = a^H, column j of b scaled by factor[j] unless that is NULL; a is m x n. */
  void (*adjoint)(int m, int n, const void *a, int lda, const double *factor, void *b, int ldb);
  void (*add_diagonal)(int n, double alpha, void *a, int lda);
  void (*from_double)(size_t n, const double *x, void *y);
};

#define TAC_KERNELS_MEMORY (-1000)

/* The table for a scalar type and for the kernel that BLAS says it uses; it does not change within a process. */
const struct tac_kernels *tac_kernels_of(enum tac_dmrg_scalar scalar, const char *blas_kernel);

extern const struct tac_kernels tac_kernels_real64, tac_kernels_real32, tac_kernels_complex64, tac_kernels_complex32;
/* With large products cut into small ones. */
extern const struct tac_kernels tac_kernels_real64_tiled, tac_kernels_real32_tiled;

static inline void *tac_element(const struct tac_kernels *kernels, void *base, size_t index) {
  return (char *)base + index * kernels->size;
}

static inline const void *tac_const_element(const struct tac_kernels *kernels, const void *base, size_t index) {
  return (const char *)base + index * kernels->size;
}

/* Elements after which a block of `elements` may be followed by the next one on a TAC_ALIGNMENT boundary. */
static inline size_t tac_padded(const struct tac_kernels *kernels, size_t elements) {
  size_t step = TAC_ALIGNMENT / kernels->size;
  return (elements + step - 1) / step * step;
}

#endif
