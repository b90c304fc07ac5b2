/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/dmrg/kernels.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/arena.h"
#include "tests/dmrg/scalars.h"
#include "tests/unit/suite.h"

/* Every case runs on all tables; the judge is a loop in double complex. */
static const struct tac_kernels *const tables[] = {&tac_kernels_real64,       &tac_kernels_real32,
                                                   &tac_kernels_complex64,    &tac_kernels_complex32,
                                                   &tac_kernels_real64_tiled, &tac_kernels_real32_tiled};
enum { TABLES = 6 };
#define K tables[_i]

struct matrix {
  int rows, columns, ld;
  void *data;
};

static struct matrix make(const struct tac_kernels *kernels, uint64_t *random, int rows, int columns) {
  struct matrix m = {rows, columns, rows + scalars_below(random, 3), NULL};
  m.ld = m.ld ? m.ld : 1;
  const size_t elements = (size_t)m.ld * (size_t)(columns ? columns : 1);
  m.data = malloc(elements * kernels->size);
  ck_assert_ptr_nonnull(m.data);
  scalars_fill(kernels, random, m.data, elements);
  return m;
}

static size_t place(const struct matrix *m, int i, int j) {
  return (size_t)j * (size_t)m->ld + (size_t)i;
}

static double complex at(const struct tac_kernels *kernels, const struct matrix *m, int i, int j) {
  return scalars_get(kernels, m->data, place(m, i, j));
}

static double complex op_at(const struct tac_kernels *kernels, const struct matrix *m, char op, int i, int j) {
  return op == 'N' ? at(kernels, m, i, j) : conj(at(kernels, m, j, i));
}

static struct matrix copy(const struct tac_kernels *kernels, const struct matrix *m) {
  struct matrix c = *m;
  const size_t bytes = (size_t)m->ld * (size_t)(m->columns ? m->columns : 1) * kernels->size;
  c.data = malloc(bytes);
  ck_assert_ptr_nonnull(c.data);
  memcpy(c.data, m->data, bytes);
  return c;
}

/* What lies between the columns belongs to somebody else. */
static void assert_gaps_untouched(const struct tac_kernels *kernels, const struct matrix *now, const struct matrix *before) {
  for (int j = 0; j < now->columns; j++)
    for (int i = now->rows; i < now->ld; i++)
      if (memcmp((char *)now->data + place(now, i, j) * kernels->size,
                 (char *)before->data + place(before, i, j) * kernels->size, kernels->size) != 0)
        ck_abort_msg("element %d of column %d of %d rows was written", i, j, now->rows);
}

/* Called for every element: Check notes each of its assertions in a file, so only failures are shown to it. */
static void assert_close(double complex got, double complex expected, double tolerance) {
  if (!(cabs(got - expected) <= tolerance))
    ck_abort_msg("%.17g%+.17gi instead of %.17g%+.17gi", creal(got), cimag(got), creal(expected), cimag(expected));
}

static void check_gemm(const struct tac_kernels *kernels, uint64_t *random, char op_a, char op_b, int m, int n, int k) {
  struct matrix a = op_a == 'N' ? make(kernels, random, m, k) : make(kernels, random, k, m);
  struct matrix b = op_b == 'N' ? make(kernels, random, k, n) : make(kernels, random, n, k);
  struct matrix c = make(kernels, random, m, n), before = copy(kernels, &c);
  const double beta = scalars_below(random, 2) ? scalars_uniform(random) : 0;
  if (beta == 0) /* what is overwritten is not read */
    for (int j = 0; j < n; j++)
      for (int i = 0; i < m; i++)
        scalars_set(kernels, c.data, place(&c, i, j), NAN);
  kernels->gemm(op_a, op_b, m, n, k, a.data, a.ld, b.data, b.ld, beta, c.data, c.ld);
  for (int j = 0; j < n; j++)
    for (int i = 0; i < m; i++) {
      double complex sum = beta == 0 ? 0 : beta * at(kernels, &before, i, j);
      for (int l = 0; l < k; l++)
        sum += op_at(kernels, &a, op_a, i, l) * op_at(kernels, &b, op_b, l, j);
      assert_close(at(kernels, &c, i, j), sum, (4 + k) * 4 * kernels->epsilon);
    }
  assert_gaps_untouched(kernels, &c, &before);
  free(a.data);
  free(b.data);
  free(c.data);
  free(before.data);
}

START_TEST(gemm_all_operations_and_odd_shapes) {
  uint64_t random = scalars_seed();
  const char ops[] = {'N', 'C'};
  for (int round = 0; round < 40; round++)
    for (int ops_of = 0; ops_of < 4; ops_of++)
      check_gemm(K, &random, ops[ops_of % 2], ops[ops_of / 2], 1 + scalars_below(&random, 23), 1 + scalars_below(&random, 23),
                 scalars_below(&random, 23));
  for (int ops_of = 0; ops_of < 4; ops_of++) {
    check_gemm(K, &random, ops[ops_of % 2], ops[ops_of / 2], 3, 5, 0); /* an empty sum is zero, or beta c */
    check_gemm(K, &random, ops[ops_of % 2], ops[ops_of / 2], 1, 1, 1);
    check_gemm(K, &random, ops[ops_of % 2], ops[ops_of / 2], 0, 4, 3);
    check_gemm(K, &random, ops[ops_of % 2], ops[ops_of / 2], 4, 0, 3);
  }
}
END_TEST

/* Shapes at which an implementation may cut the work into pieces. */
START_TEST(gemm_of_large_shapes) {
  uint64_t random = scalars_seed();
  const int shapes[][3] = {{97, 131, 95}, {130, 73, 200}, {1, 193, 97}, {193, 1, 101}, {1100, 1000, 1}, {65, 257, 61}};
  const char ops[] = {'N', 'C'};
  for (int s = 0; s < 6; s++)
    for (int ops_of = 0; ops_of < 4; ops_of++)
      check_gemm(K, &random, ops[ops_of % 2], ops[ops_of / 2], shapes[s][0], shapes[s][1], shapes[s][2]);
}
END_TEST

START_TEST(gram_is_the_upper_triangle) {
  uint64_t random = scalars_seed();
  for (int round = 0; round < 30; round++) {
    const int n = 1 + scalars_below(&random, 20), k = scalars_below(&random, 30);
    const int inner = round % 2; /* a^H a, or a a^H */
    struct matrix a = inner ? make(K, &random, k, n) : make(K, &random, n, k), c = make(K, &random, n, n);
    struct matrix before = copy(K, &c);
    K->gram(inner ? 'C' : 'N', n, k, a.data, a.ld, c.data, c.ld);
    for (int j = 0; j < n; j++)
      for (int i = 0; i <= j; i++) {
        double complex sum = 0;
        for (int l = 0; l < k; l++)
          sum += inner ? conj(at(K, &a, l, i)) * at(K, &a, l, j) : at(K, &a, i, l) * conj(at(K, &a, j, l));
        assert_close(at(K, &c, i, j), sum, (4 + k) * 4 * K->epsilon);
      }
    assert_gaps_untouched(K, &c, &before);
    free(a.data);
    free(c.data);
    free(before.data);
  }
}
END_TEST

START_TEST(cholesky_and_solve_make_columns_orthonormal) {
  uint64_t random = scalars_seed();
  for (int round = 0; round < 20; round++) {
    const int n = 1 + scalars_below(&random, 12), m = 3 * n + scalars_below(&random, 9);
    struct matrix a = make(K, &random, m, n), first = copy(K, &a), r = make(K, &random, n, n);
    K->gram('C', n, m, a.data, a.ld, r.data, r.ld);
    ck_assert_int_eq(K->cholesky(n, r.data, r.ld), 0);
    K->solve_right(m, n, r.data, r.ld, a.data, a.ld);
    for (int j = 0; j < n; j++)
      for (int i = 0; i < m; i++) { /* a R is what a was */
        double complex sum = 0;
        for (int l = 0; l <= j; l++)
          sum += at(K, &a, i, l) * at(K, &r, l, j);
        assert_close(sum, at(K, &first, i, j), 200 * K->epsilon);
      }
    for (int j = 0; j < n; j++)
      for (int i = 0; i < n; i++) {
        double complex sum = 0;
        for (int l = 0; l < m; l++)
          sum += conj(at(K, &a, l, i)) * at(K, &a, l, j);
        assert_close(sum, i == j, 2000 * K->epsilon);
      }
    free(a.data);
    free(first.data);
    free(r.data);
  }
}
END_TEST

START_TEST(cholesky_names_the_minor_that_is_not_positive) {
  uint64_t random = 7;
  struct matrix a = make(K, &random, 3, 3);
  for (int j = 0; j < 3; j++)
    for (int i = 0; i < 3; i++)
      scalars_set(K, a.data, place(&a, i, j), i == j ? (i == 1 ? -1 : 1) : 0);
  ck_assert_int_eq(K->cholesky(3, a.data, a.ld), 2);
  free(a.data);
}
END_TEST

typedef int (*svd_fn)(int, int, void *, int, double *, void *, int, void *, int, struct tac_arena *);

static void assert_orthonormal(const struct tac_kernels *kernels, const struct matrix *m, int rows_too) {
  const int count = rows_too ? m->rows : m->columns, length = rows_too ? m->columns : m->rows;
  for (int i = 0; i < count; i++)
    for (int j = 0; j < count; j++) {
      double complex sum = 0;
      for (int l = 0; l < length; l++)
        sum += rows_too ? at(kernels, m, i, l) * conj(at(kernels, m, j, l)) : conj(at(kernels, m, l, i)) * at(kernels, m, l, j);
      assert_close(sum, i == j, 200 * kernels->epsilon);
    }
}

static void check_svd(const struct tac_kernels *kernels, svd_fn svd, struct matrix *a, uint64_t *random, double *s) {
  const int m = a->rows, n = a->columns, r = m < n ? m : n;
  struct matrix first = copy(kernels, a), u = make(kernels, random, m, r), vt = make(kernels, random, r, n);
  struct matrix u_before = copy(kernels, &u), vt_before = copy(kernels, &vt);
  struct tac_arena *arena;
  ck_assert_int_eq(tac_arena_create(&arena, NULL, NULL), TAC_STATUS_OK);
  ck_assert_int_eq(svd(m, n, a->data, a->ld, s, u.data, u.ld, vt.data, vt.ld, arena), 0);
  for (int l = 0; l < r; l++) {
    ck_assert_double_ge(s[l], 0);
    if (l > 0)
      ck_assert_double_le(s[l], s[l - 1]);
  }
  for (int j = 0; j < n; j++)
    for (int i = 0; i < m; i++) {
      double complex sum = 0;
      for (int l = 0; l < r; l++)
        sum += s[l] * at(kernels, &u, i, l) * at(kernels, &vt, l, j);
      assert_close(sum, at(kernels, &first, i, j), 100 * (1 + s[0]) * kernels->epsilon);
    }
  assert_orthonormal(kernels, &u, 0);
  assert_orthonormal(kernels, &vt, 1);
  assert_gaps_untouched(kernels, &u, &u_before);
  assert_gaps_untouched(kernels, &vt, &vt_before);
  tac_arena_destroy(&arena);
  free(first.data);
  free(u.data);
  free(vt.data);
  free(u_before.data);
  free(vt_before.data);
}

START_TEST(both_svds_square_wide_and_tall) {
  uint64_t random = scalars_seed();
  double s[64];
  for (int round = 0; round < 30; round++)
    for (int way = 0; way < 2; way++) {
      const int shape = round % 3, small = 1 + scalars_below(&random, 12), large = small + 1 + scalars_below(&random, 40);
      struct matrix a = make(K, &random, shape == 1 ? large : small, shape == 2 ? large : small);
      check_svd(K, way ? K->svd_qr : K->svd_divide, &a, &random, s);
      free(a.data);
    }
}
END_TEST

START_TEST(both_svds_of_rank_deficient_and_zero_blocks) {
  uint64_t random = scalars_seed();
  double s[32];
  for (int rank = 0; rank <= 3; rank++)
    for (int way = 0; way < 2; way++) {
      struct matrix x = make(K, &random, 17, 3), y = make(K, &random, 3, 11), a = make(K, &random, 17, 11);
      K->gemm('N', 'N', 17, 11, rank, x.data, x.ld, y.data, y.ld, 0, a.data, a.ld);
      check_svd(K, way ? K->svd_qr : K->svd_divide, &a, &random, s);
      for (int l = rank; l < 11; l++)
        ck_assert_double_le(s[l], 50 * K->epsilon);
      if (rank == 0)
        ck_assert_double_eq(s[0], 0);
      free(x.data);
      free(y.data);
      free(a.data);
    }
}
END_TEST

/* What the tables call LAPACK by hand for: memory that cannot be had is not a failure of the algorithm. */
static void *refuse(void *context, size_t bytes) {
  (void)context, (void)bytes;
  return NULL;
}

static void release_nothing(void *context, void *memory) {
  (void)context, (void)memory;
}

START_TEST(decompositions_say_when_memory_ran_out) {
  const struct tac_allocator nothing = {refuse, release_nothing, NULL};
  struct tac_arena arena = {.allocator = &nothing};
  double complex a[4] = {1, 0, 0, 1}, u[4], vt[4];
  double s[2];
  ck_assert_int_eq(K->svd_divide(2, 2, a, 2, s, u, 2, vt, 2, &arena), TAC_KERNELS_MEMORY);
  ck_assert_int_eq(K->svd_qr(2, 2, a, 2, s, u, 2, vt, 2, &arena), TAC_KERNELS_MEMORY);
  ck_assert_int_eq(K->eigen(2, a, 2, s, &arena), TAC_KERNELS_MEMORY);
}
END_TEST

START_TEST(eigenvectors_of_hermitian_matrices) {
  uint64_t random = scalars_seed();
  for (int round = 0; round < 20; round++) {
    const int n = 1 + scalars_below(&random, 16);
    double w[16];
    struct matrix a = make(K, &random, n, n);
    for (int j = 0; j < n; j++)
      scalars_set(K, a.data, place(&a, j, j), creal(at(K, &a, j, j)));
    struct matrix first = copy(K, &a);
    struct tac_arena *arena;
    ck_assert_int_eq(tac_arena_create(&arena, NULL, NULL), TAC_STATUS_OK);
    ck_assert_int_eq(K->eigen(n, a.data, a.ld, w, arena), 0);
    assert_orthonormal(K, &a, 0);
    for (int j = 0; j < n; j++) {
      ck_assert(j == 0 || w[j] >= w[j - 1]);
      for (int i = 0; i < n; i++) { /* only the upper triangle counts */
        double complex sum = 0;
        for (int l = 0; l < n; l++)
          sum += (i <= l ? at(K, &first, i, l) : conj(at(K, &first, l, i))) * at(K, &a, l, j);
        assert_close(sum, w[j] * at(K, &a, i, j), 300 * K->epsilon);
      }
    }
    tac_arena_destroy(&arena);
    free(a.data);
    free(first.data);
  }
}
END_TEST

START_TEST(vector_operations) {
  uint64_t random = scalars_seed();
  const int lengths[] = {1, 2, 7, 63, 64, 1023, 1024, 1025, 3001};
  for (int round = 0; round < 9; round++) {
    const int n = lengths[round];
    const size_t count = (size_t)n;
    struct matrix x = make(K, &random, n, 1), y = make(K, &random, n, 1), z = make(K, &random, n, 1),
                  out = make(K, &random, n, 1);
    double dot = 0, square = 0;
    for (int i = 0; i < n; i++) {
      dot += creal(conj(at(K, &x, i, 0)) * at(K, &y, i, 0));
      square += creal(conj(at(K, &x, i, 0)) * at(K, &x, i, 0));
    }
    ck_assert_double_eq_tol(K->dot(count, x.data, y.data), dot, (10 + n) * K->epsilon);
    ck_assert_double_eq_tol(K->norm(count, x.data), sqrt(square), (10 + n) * K->epsilon);
    const double factor[] = {0.5, -1.25, 3};
    const void *terms[] = {x.data, y.data, z.data};
    for (int number = 1; number <= 3; number++) {
      K->combine(count, number, factor, terms, out.data);
      for (int i = 0; i < n; i++)
        assert_close(at(K, &out, i, 0),
                     factor[0] * at(K, &x, i, 0) + (number > 1 ? factor[1] * at(K, &y, i, 0) : 0) +
                         (number > 2 ? factor[2] * at(K, &z, i, 0) : 0),
                     20 * K->epsilon);
    }
    struct matrix y_before = copy(K, &y), x_before = copy(K, &x);
    K->axpy(count, -0.75, x.data, y.data);
    K->scale(count, 1.5, x.data);
    for (int i = 0; i < n; i++) {
      assert_close(at(K, &y, i, 0), at(K, &y_before, i, 0) - 0.75 * at(K, &x_before, i, 0), 8 * K->epsilon);
      assert_close(at(K, &x, i, 0), 1.5 * at(K, &x_before, i, 0), 8 * K->epsilon);
    }
    struct matrix *all[] = {&x, &y, &z, &out, &y_before, &x_before};
    for (int i = 0; i < 6; i++)
      free(all[i]->data);
  }
}
END_TEST

/* Orthogonality that is lost to cancellation in single precision is summed in double. */
START_TEST(dot_of_a_large_and_a_small_part) {
  const int n = 4;
  double complex x[4], y[4];
  const double left[] = {4096, 1, -4096, 0.5}, right[] = {4096, 0.25, 4096, 2};
  for (int i = 0; i < n; i++) {
    scalars_set(K, x, (size_t)i, left[i]);
    scalars_set(K, y, (size_t)i, right[i]);
  }
  ck_assert_double_eq(K->dot((size_t)n, x, y), 1.25);
}
END_TEST

START_TEST(block_operations_with_leading_dimensions) {
  uint64_t random = scalars_seed();
  for (int round = 0; round < 30; round++) {
    const int m = 1 + scalars_below(&random, 40), n = 1 + scalars_below(&random, 40);
    double factor[40];
    for (int i = 0; i < m; i++)
      factor[i] = scalars_uniform(&random);
    struct matrix a = make(K, &random, m, n), b = make(K, &random, m, n), before = copy(K, &b), c = make(K, &random, m, n);
    struct matrix t = make(K, &random, n, m), t_before = copy(K, &t), plain = make(K, &random, n, m), c_before = copy(K, &c);
    K->add_block(m, n, -1.5, a.data, a.ld, b.data, b.ld);
    K->copy_block(m, n, a.data, a.ld, c.data, c.ld);
    K->adjoint(m, n, a.data, a.ld, factor, t.data, t.ld);
    K->adjoint(m, n, a.data, a.ld, NULL, plain.data, plain.ld);
    for (int j = 0; j < n; j++)
      for (int i = 0; i < m; i++) {
        assert_close(at(K, &b, i, j), at(K, &before, i, j) - 1.5 * at(K, &a, i, j), 8 * K->epsilon);
        assert_close(at(K, &c, i, j), at(K, &a, i, j), 0);
        assert_close(at(K, &t, j, i), factor[i] * conj(at(K, &a, i, j)), 4 * K->epsilon);
        assert_close(at(K, &plain, j, i), conj(at(K, &a, i, j)), 0);
      }
    assert_gaps_untouched(K, &b, &before);
    assert_gaps_untouched(K, &c, &c_before);
    assert_gaps_untouched(K, &t, &t_before);
    struct matrix *all[] = {&a, &b, &before, &c, &t, &t_before, &plain, &c_before};
    for (int i = 0; i < 8; i++)
      free(all[i]->data);
  }
}
END_TEST

START_TEST(diagonals_and_conversion) {
  uint64_t random = 3;
  struct matrix a = make(K, &random, 5, 5), before = copy(K, &a);
  K->add_diagonal(5, 0.25, a.data, a.ld);
  for (int j = 0; j < 5; j++)
    for (int i = 0; i < 5; i++)
      assert_close(at(K, &a, i, j), at(K, &before, i, j) + (i == j ? 0.25 : 0), 4 * K->epsilon);
  const double values[] = {1, -0.5, 1024};
  double complex out[3];
  K->from_double(3, values, out);
  for (size_t i = 0; i < 3; i++)
    ck_assert(scalars_get(K, out, i) == values[i]);
  free(a.data);
  free(before.data);
}
END_TEST

START_TEST(tables_describe_themselves) {
  const size_t sizes[] = {8, 4, 16, 8, 8, 4};
  ck_assert_uint_eq(K->size, sizes[_i]);
  ck_assert_int_eq(K->is_complex, _i == 2 || _i == 3);
  ck_assert_double_eq(K->epsilon, _i % 2 ? 0x1p-23 : 0x1p-52);
  for (size_t elements = 1; elements < 40; elements++) {
    const size_t padded = tac_padded(K, elements);
    ck_assert_uint_ge(padded, elements);
    ck_assert_uint_lt(padded - elements, TAC_ALIGNMENT / K->size);
    ck_assert_uint_eq(padded * K->size % TAC_ALIGNMENT, 0);
  }
  ck_assert_uint_eq(tac_padded(K, 0), 0);
}
END_TEST

START_TEST(table_by_scalar_and_blas_kernel) {
  const enum tac_dmrg_scalar scalars[] = {TAC_DMRG_REAL64, TAC_DMRG_REAL32, TAC_DMRG_COMPLEX64, TAC_DMRG_COMPLEX32};
  for (int i = 0; i < 4; i++) {
    ck_assert_ptr_eq(tac_kernels_of(scalars[i], "Haswell"), tables[i]);
    ck_assert_ptr_eq(tac_kernels_of(scalars[i], "unknown"), tables[i]);
    ck_assert_ptr_eq(tac_kernels_of(scalars[i], "SkylakeX"), tables[i < 2 ? i + 4 : i]); /* real ones only */
  }
}
END_TEST

int main(void) {
  const TTest *const tests[] = {gemm_all_operations_and_odd_shapes,
                                gemm_of_large_shapes,
                                gram_is_the_upper_triangle,
                                cholesky_and_solve_make_columns_orthonormal,
                                cholesky_names_the_minor_that_is_not_positive,
                                both_svds_square_wide_and_tall,
                                both_svds_of_rank_deficient_and_zero_blocks,
                                decompositions_say_when_memory_ran_out,
                                eigenvectors_of_hermitian_matrices,
                                vector_operations,
                                dot_of_a_large_and_a_small_part,
                                block_operations_with_leading_dimensions,
                                diagonals_and_conversion,
                                tables_describe_themselves};
  TCase *cases = tcase_create("kernels");
  tcase_set_timeout(cases, 120);
  for (size_t i = 0; i < sizeof tests / sizeof *tests; i++)
    tcase_add_loop_test(cases, tests[i], 0, TABLES);
  tcase_add_test(cases, table_by_scalar_and_blas_kernel);
  return run_cases("kernels", cases);
}
