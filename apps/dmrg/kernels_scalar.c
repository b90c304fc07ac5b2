/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */

/* Compiled once per scalar type: -DTAC_SCALAR=0 (real64), 1 (real32), 2 (complex64), 3 (complex32). */
#include "apps/dmrg/kernels.h"

#include <complex.h>
#include <float.h>
#include <math.h>
#include <string.h>

#include <cblas.h>
#include <lapacke.h>

#if TAC_SCALAR == 0
typedef double scalar;
typedef double real;
#define TABLE        tac_kernels_real64
#define TILED_TABLE  tac_kernels_real64_tiled
#define BLAS(name)   cblas_d##name
#define LAPACK(name) LAPACKE_d##name##_work
#elif TAC_SCALAR == 1
typedef float scalar;
typedef float real;
#define TABLE        tac_kernels_real32
#define TILED_TABLE  tac_kernels_real32_tiled
#define BLAS(name)   cblas_s##name
#define LAPACK(name) LAPACKE_s##name##_work
#elif TAC_SCALAR == 2
typedef double complex scalar;
typedef double real;
#define TABLE        tac_kernels_complex64
#define BLAS(name)   cblas_z##name
#define LAPACK(name) LAPACKE_z##name##_work
#elif TAC_SCALAR == 3
typedef float complex scalar;
typedef float real;
#define TABLE        tac_kernels_complex32
#define BLAS(name)   cblas_c##name
#define LAPACK(name) LAPACKE_c##name##_work
#else
#error "unknown TAC_SCALAR: 0 … 3"
#endif

#define IS_COMPLEX    (TAC_SCALAR >= 2)
#define REAL_EPSILON  (sizeof(real) == sizeof(double) ? DBL_EPSILON : (double)FLT_EPSILON)
#define REAL_SMALLEST (sizeof(real) == sizeof(double) ? DBL_MIN : (double)FLT_MIN)

#if IS_COMPLEX
#define ADJOINT_OF(x) (sizeof(real) == sizeof(double) ? conj(x) : conjf(x))
#else
#define ADJOINT_OF(x) (x)
#endif

static enum CBLAS_TRANSPOSE transpose(char op) {
  return op == 'N' ? CblasNoTrans : CblasConjTrans;
}

static void gemm(char op_a, char op_b, int m, int n, int k, const void *a, int lda, const void *b, int ldb, double beta,
                 void *c, int ldc) {
#if IS_COMPLEX
  const scalar one = 1, factor = (real)beta;
  BLAS(gemm)(CblasColMajor, transpose(op_a), transpose(op_b), m, n, k, &one, a, lda, b, ldb, &factor, c, ldc);
#else
  BLAS(gemm)(CblasColMajor, transpose(op_a), transpose(op_b), m, n, k, 1, a, lda, b, ldb, (real)beta, c, ldc);
#endif
}

#if !IS_COMPLEX
/* Where a product is cut into `parts` even stretches, the first element of stretch `part`. */
static int cut(int extent, int parts, int part) {
  return (int)((long long)extent * part / parts);
}

/* OpenBLAS multiplies small real matrices without packing where the processor has 512-bit vectors, up to m n k = 1e6, faster
 * than it multiplies large ones; so a large product is cut into pieces that are small in that sense. */
static void gemm_tiled(char op_a, char op_b, int m, int n, int k, const void *a, int lda, const void *b, int ldb, double beta,
                       void *c, int ldc) {
  enum { TILE = 96 };
  if ((double)m * n * k <= 1e6) {
    gemm(op_a, op_b, m, n, k, a, lda, b, ldb, beta, c, ldc);
    return;
  }
  const int ms = (m + TILE - 1) / TILE, ns = (n + TILE - 1) / TILE, ks = (k + TILE - 1) / TILE;
  for (int q = 0; q < ns; q++)
    for (int p = 0; p < ms; p++)
      for (int r = 0; r < ks; r++) {
        const int i = cut(m, ms, p), j = cut(n, ns, q), l = cut(k, ks, r);
        const size_t row_a = (size_t)(op_a == 'N' ? i : l), column_a = (size_t)(op_a == 'N' ? l : i);
        const size_t row_b = (size_t)(op_b == 'N' ? l : j), column_b = (size_t)(op_b == 'N' ? j : l);
        gemm(op_a, op_b, cut(m, ms, p + 1) - i, cut(n, ns, q + 1) - j, cut(k, ks, r + 1) - l,
             (const scalar *)a + row_a + column_a * (size_t)lda, lda, (const scalar *)b + row_b + column_b * (size_t)ldb, ldb,
             r ? 1 : beta, (scalar *)c + (size_t)i + (size_t)j * (size_t)ldc, ldc);
      }
}
#endif

static void gram(char op, int n, int k, const void *a, int lda, void *c, int ldc) {
#if IS_COMPLEX
  BLAS(herk)(CblasColMajor, CblasUpper, transpose(op), n, k, 1, a, lda, 0, c, ldc);
#else
  BLAS(syrk)(CblasColMajor, CblasUpper, transpose(op), n, k, 1, a, lda, 0, c, ldc);
#endif
}

static int cholesky(int n, void *a, int lda) {
  return LAPACK(potrf)(LAPACK_COL_MAJOR, 'U', n, a, lda);
}

static void solve_right(int m, int n, const void *r, int ldr, void *b, int ldb) {
#if IS_COMPLEX
  const scalar one = 1;
  BLAS(trsm)(CblasColMajor, CblasRight, CblasUpper, CblasNoTrans, CblasNonUnit, m, n, &one, r, ldr, b, ldb);
#else
  BLAS(trsm)(CblasColMajor, CblasRight, CblasUpper, CblasNoTrans, CblasNonUnit, m, n, 1, r, ldr, b, ldb);
#endif
}

/* LAPACK gives singular values and eigenvalues in the real type. */
static void widen(int n, const real *from, double *to) {
  for (int i = 0; i < n; i++)
    to[i] = from[i];
}

static int workspace_size(const scalar *answer) {
#if IS_COMPLEX
  return (int)(sizeof(real) == sizeof(double) ? creal(*answer) : (double)crealf(*answer));
#else
  return (int)*answer;
#endif
}

static int svd_divide(int m, int n, void *a, int lda, double *s, void *u, int ldu, void *vt, int ldvt,
                      struct tac_arena *arena) {
  size_t least = (size_t)(m < n ? m : n), most = (size_t)(m < n ? n : m);
  lapack_int *integers = tac_arena_take(arena, 8 * least * sizeof *integers);
  real *values = tac_arena_take(arena, least * sizeof *values);
  scalar answer = 0;
#if IS_COMPLEX
  /* LAPACK's documentation of gesdd, real workspace for JOBZ = 'S'. */
  size_t reals = least * (5 * least + 7 > 2 * most + 2 * least + 1 ? 5 * least + 7 : 2 * most + 2 * least + 1);
  real *real_work = tac_arena_take(arena, reals * sizeof *real_work);
  if (!integers || !values || !real_work)
    return TAC_KERNELS_MEMORY;
  LAPACK(gesdd)(LAPACK_COL_MAJOR, 'S', m, n, a, lda, values, u, ldu, vt, ldvt, &answer, -1, real_work, integers);
#else
  (void)most;
  if (!integers || !values)
    return TAC_KERNELS_MEMORY;
  LAPACK(gesdd)(LAPACK_COL_MAJOR, 'S', m, n, a, lda, values, u, ldu, vt, ldvt, &answer, -1, integers);
#endif
  int size = workspace_size(&answer);
  scalar *work = tac_arena_take(arena, (size_t)size * sizeof *work);
  if (!work)
    return TAC_KERNELS_MEMORY;
#if IS_COMPLEX
  int info = LAPACK(gesdd)(LAPACK_COL_MAJOR, 'S', m, n, a, lda, values, u, ldu, vt, ldvt, work, size, real_work, integers);
#else
  int info = LAPACK(gesdd)(LAPACK_COL_MAJOR, 'S', m, n, a, lda, values, u, ldu, vt, ldvt, work, size, integers);
#endif
  if (info == 0)
    widen((int)least, values, s);
  return info;
}

static int svd_qr(int m, int n, void *a, int lda, double *s, void *u, int ldu, void *vt, int ldvt, struct tac_arena *arena) {
  size_t least = (size_t)(m < n ? m : n);
  real *values = tac_arena_take(arena, least * sizeof *values);
  scalar answer = 0;
#if IS_COMPLEX
  real *real_work = tac_arena_take(arena, 5 * least * sizeof *real_work);
  if (!values || !real_work)
    return TAC_KERNELS_MEMORY;
  LAPACK(gesvd)(LAPACK_COL_MAJOR, 'S', 'S', m, n, a, lda, values, u, ldu, vt, ldvt, &answer, -1, real_work);
#else
  if (!values)
    return TAC_KERNELS_MEMORY;
  LAPACK(gesvd)(LAPACK_COL_MAJOR, 'S', 'S', m, n, a, lda, values, u, ldu, vt, ldvt, &answer, -1);
#endif
  int size = workspace_size(&answer);
  scalar *work = tac_arena_take(arena, (size_t)size * sizeof *work);
  if (!work)
    return TAC_KERNELS_MEMORY;
#if IS_COMPLEX
  int info = LAPACK(gesvd)(LAPACK_COL_MAJOR, 'S', 'S', m, n, a, lda, values, u, ldu, vt, ldvt, work, size, real_work);
#else
  int info = LAPACK(gesvd)(LAPACK_COL_MAJOR, 'S', 'S', m, n, a, lda, values, u, ldu, vt, ldvt, work, size);
#endif
  if (info == 0)
    widen((int)least, values, s);
  return info;
}

/* Workspace sizes from LAPACK's documentation of syevd and heevd for JOBZ = 'V'. */
static int eigen(int n, void *a, int lda, double *w, struct tac_arena *arena) {
  const size_t order = (size_t)n, integer_size = 3 + 5 * order;
  lapack_int *integers = tac_arena_take(arena, integer_size * sizeof *integers);
  real *values = tac_arena_take(arena, order * sizeof *values);
#if IS_COMPLEX
  const size_t size = 2 * order + order * order, real_size = 1 + 5 * order + 2 * order * order;
  real *real_work = tac_arena_take(arena, real_size * sizeof *real_work);
#else
  const size_t size = 1 + 6 * order + 2 * order * order;
  const void *const real_work = integers; /* none is needed */
#endif
  scalar *work = tac_arena_take(arena, size * sizeof *work);
  if (!integers || !values || !work || !real_work)
    return TAC_KERNELS_MEMORY;
#if IS_COMPLEX
  int info = LAPACK(heevd)(LAPACK_COL_MAJOR, 'V', 'U', n, a, lda, values, work, (lapack_int)size, real_work,
                           (lapack_int)real_size, integers, (lapack_int)integer_size);
#else
  int info =
      LAPACK(syevd)(LAPACK_COL_MAJOR, 'V', 'U', n, a, lda, values, work, (lapack_int)size, integers, (lapack_int)integer_size);
#endif
  if (info == 0)
    widen(n, values, w);
  return info;
}

/* Vectors are handled as arrays of reals: every factor is real, and so are the inner products that are asked for. */
#define REALS(n) ((n) * (IS_COMPLEX ? 2 : 1))

static double dot(size_t n, const void *x, const void *y) {
  return sizeof(real) == sizeof(double) ? cblas_ddot((blasint)REALS(n), x, 1, y, 1)
                                        : cblas_dsdot((blasint)REALS(n), x, 1, y, 1);
}

/* BLAS' nrm2 guards against overflow at several times the cost of an inner product: it is asked only where that is needed. */
static double norm(size_t n, const void *x) {
  const double square = dot(n, x, x);
  if (square > 1e-30 && square < 1e30)
    return sqrt(square);
  return sizeof(real) == sizeof(double) ? cblas_dnrm2((blasint)REALS(n), x, 1) : (double)cblas_snrm2((blasint)REALS(n), x, 1);
}

static void axpy(size_t n, double alpha, const void *x, void *y) {
  if (sizeof(real) == sizeof(double))
    cblas_daxpy((blasint)REALS(n), alpha, x, 1, y, 1);
  else
    cblas_saxpy((blasint)REALS(n), (float)alpha, x, 1, y, 1);
}

static void scale(size_t n, double alpha, void *x) {
  if (sizeof(real) == sizeof(double))
    cblas_dscal((blasint)REALS(n), alpha, x, 1);
  else
    cblas_sscal((blasint)REALS(n), (float)alpha, x, 1);
}

/* A few terms at a time over short stretches, so that y is read and written from cache. */
static void combine(size_t n, int terms, const double *factor, const void *const *x, void *y) {
  const size_t stretch = 1024;
  real *restrict to = y;
  for (size_t begin = 0; begin < REALS(n); begin += stretch) {
    size_t end = begin + stretch < REALS(n) ? begin + stretch : REALS(n);
    const real *first = x[0];
    for (size_t i = begin; i < end; i++)
      to[i] = (real)factor[0] * first[i];
    for (int t = 1; t < terms; t++) {
      const real *restrict from = x[t];
      const real f = (real)factor[t];
      for (size_t i = begin; i < end; i++)
        to[i] += f * from[i];
    }
  }
}

static void add_block(int m, int n, double alpha, const void *a, int lda, void *b, int ldb) {
  const real f = (real)alpha;
  for (int j = 0; j < n; j++) {
    const real *restrict from = (const real *)((const scalar *)a + (size_t)j * (size_t)lda);
    real *restrict to = (real *)((scalar *)b + (size_t)j * (size_t)ldb);
    for (size_t i = 0; i < REALS((size_t)m); i++)
      to[i] += f * from[i];
  }
}

static void copy_block(int m, int n, const void *a, int lda, void *b, int ldb) {
  if (lda == m && ldb == m) {
    memcpy(b, a, (size_t)m * (size_t)n * sizeof(scalar));
    return;
  }
  for (int j = 0; j < n; j++)
    memcpy((scalar *)b + (size_t)j * (size_t)ldb, (const scalar *)a + (size_t)j * (size_t)lda, (size_t)m * sizeof(scalar));
}

static void adjoint(int m, int n, const void *a, int lda, const double *factor, void *b, int ldb) {
  enum { TILE = 16 };
  const scalar *from = a;
  scalar *to = b;
  for (int i0 = 0; i0 < m; i0 += TILE)
    for (int j0 = 0; j0 < n; j0 += TILE)
      for (int i = i0; i < m && i < i0 + TILE; i++) {
        const real f = factor ? (real)factor[i] : 1;
        for (int j = j0; j < n && j < j0 + TILE; j++)
          to[(size_t)i * (size_t)ldb + (size_t)j] = f * ADJOINT_OF(from[(size_t)j * (size_t)lda + (size_t)i]);
      }
}

static void add_diagonal(int n, double alpha, void *a, int lda) {
  scalar *to = a;
  for (int i = 0; i < n; i++)
    to[(size_t)i * ((size_t)lda + 1)] += (real)alpha;
}

static void from_double(size_t n, const double *x, void *y) {
  scalar *to = y;
  for (size_t i = 0; i < n; i++)
    to[i] = (real)x[i];
}

#define ENTRIES(multiply)                                                                                                      \
  .size = sizeof(scalar), .is_complex = IS_COMPLEX, .epsilon = REAL_EPSILON, .smallest = REAL_SMALLEST, .gemm = (multiply),    \
  .gram = gram, .cholesky = cholesky, .solve_right = solve_right, .svd_divide = svd_divide, .svd_qr = svd_qr, .eigen = eigen,  \
  .dot = dot, .norm = norm, .axpy = axpy, .scale = scale, .combine = combine, .add_block = add_block,                          \
  .copy_block = copy_block, .adjoint = adjoint, .add_diagonal = add_diagonal, .from_double = from_double,

const struct tac_kernels TABLE = {ENTRIES(gemm)};
#if !IS_COMPLEX
const struct tac_kernels TILED_TABLE = {ENTRIES(gemm_tiled)};
#endif
