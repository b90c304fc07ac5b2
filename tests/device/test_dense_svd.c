/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
/* Batched singular value decompositions: each result is multiplied out and held against the matrix, its vectors against
 * orthonormality and its values against LAPACK, in both forms of the kernel and as the device chooses. */
#include <lapacke.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "runtime/device/queue.h"
#include "tests/device/dense_case.h"

enum { MATRICES = 12 };

struct batch {
  size_t count;
  struct tac_device_svd_problem problem[MATRICES];
  struct dense_elements a, u, s, v;
};

static int rank_of(const struct tac_device_svd_problem *p) {
  return p->m < p->n ? p->m : p->n;
}

/* Shapes are given or, where they are negative, random up to their size. */
static void make_batch(struct batch *batch, struct tac_device *device, enum tac_device_scalar scalar, const int (*shape)[2],
                       size_t count, struct dense_random *random) {
  size_t end[4] = {0, 0, 0, 0};
  batch->count = count;
  for (size_t i = 0; i < count; i++) {
    struct tac_device_svd_problem *p = &batch->problem[i];
    p->m = shape[i][0] < 0 ? dense_random_extent(random, -shape[i][0]) : shape[i][0];
    p->n = shape[i][1] < 0 ? dense_random_extent(random, -shape[i][1]) : shape[i][1];
    p->lda = p->m + dense_random_below(random, 3);
    p->ldu = p->m + dense_random_below(random, 3);
    p->ldv = p->n + dense_random_below(random, 3);
    p->a = dense_place(&end[0], p->m, p->n, p->lda, random);
    p->u = dense_place(&end[1], p->m, rank_of(p), p->ldu, random);
    p->s = dense_place(&end[2], rank_of(p), 1, rank_of(p), random);
    p->v = dense_place(&end[3], p->n, rank_of(p), p->ldv, random);
  }
  const enum tac_device_scalar real = dense_epsilon(scalar) < 1e-10 ? TAC_DEVICE_REAL64 : TAC_DEVICE_REAL32;
  dense_elements_create(&batch->a, device, scalar, end[0] + 5);
  dense_elements_create(&batch->u, device, scalar, end[1] + 5);
  dense_elements_create(&batch->s, device, real, end[2] + 5);
  dense_elements_create(&batch->v, device, scalar, end[3] + 5);
}

static void free_batch(struct batch *batch) {
  dense_elements_destroy(&batch->a);
  dense_elements_destroy(&batch->u);
  dense_elements_destroy(&batch->s);
  dense_elements_destroy(&batch->v);
}

static void run_batch(struct batch *batch, struct tac_device_svd *svd, struct tac_queue *queue) {
  struct tac_error error;
  expect_ok(tac_device_svd_plan(svd, queue, batch->problem, batch->count, &error), &error);
  expect_ok(tac_device_svd_run(svd, queue, dense_elements_at(&batch->a, 0), dense_elements_at(&batch->u, 0),
                               dense_elements_at(&batch->s, 0), dense_elements_at(&batch->v, 0), &error),
            &error);
  expect_ok(tac_queue_finish(queue, "test", &error), &error);
}

/* The largest deviation of q^H q, of rank columns, from the identity. */
static double orthonormality(const double complex *q, int rows, int rank, int ld) {
  double worst = 0;
  for (int j = 0; j < rank; j++)
    for (int i = 0; i <= j; i++) {
      double complex inner = i == j ? -1 : 0;
      for (int r = 0; r < rows; r++)
        inner += conj(q[r + (size_t)i * (size_t)ld]) * q[r + (size_t)j * (size_t)ld];
      worst = fmax(worst, cabs(inner));
    }
  return worst;
}

static double residual(const struct tac_device_svd_problem *p, const double complex *a, const double complex *u,
                       const double complex *s, const double complex *v) {
  double worst = 0;
  for (int j = 0; j < p->n; j++)
    for (int i = 0; i < p->m; i++) {
      double complex sum = -a[i + (size_t)j * (size_t)p->lda];
      for (int r = 0; r < rank_of(p); r++)
        sum += u[i + (size_t)r * (size_t)p->ldu] * s[r] * conj(v[j + (size_t)r * (size_t)p->ldv]);
      worst = fmax(worst, cabs(sum));
    }
  return worst;
}

/* Singular values by LAPACK. */
static void values_of(double *values, const struct tac_device_svd_problem *p, const double complex *a) {
  double complex *copy = malloc(((size_t)p->m * (size_t)p->n + 1) * sizeof *copy);
  ck_assert_ptr_nonnull(copy);
  for (int j = 0; j < p->n; j++)
    for (int i = 0; i < p->m; i++)
      copy[i + (size_t)j * (size_t)p->m] = a[i + (size_t)j * (size_t)p->lda];
  ck_assert_int_eq(LAPACKE_zgesdd(LAPACK_COL_MAJOR, 'N', p->m, p->n, copy, p->m, values, NULL, 1, NULL, 1), 0);
  free(copy);
}

/* Everything relative to the largest singular value. */
static void check_problem(const struct tac_device_svd_problem *p, const double complex *a, const double complex *u,
                          const double complex *s, const double complex *v, double tolerance) {
  const int rank = rank_of(p);
  double values[256];
  ck_assert_int_le(rank, 256);
  if (rank == 0)
    return;
  values_of(values, p, a);
  for (int r = 0; r < rank; r++) {
    ck_assert_double_ge(creal(s[r]), 0);
    ck_assert(r == 0 || creal(s[r]) <= creal(s[r - 1]));
    ck_assert_msg(fabs(creal(s[r]) - values[r]) <= tolerance * values[0], "%d x %d: value %d is %.17g, not %.17g", p->m, p->n,
                  r, creal(s[r]), values[r]);
  }
  const double of_u = orthonormality(u, p->m, rank, p->ldu), of_v = orthonormality(v, p->n, rank, p->ldv);
  ck_assert_msg(of_u <= tolerance, "%d x %d: u is orthonormal to %g", p->m, p->n, of_u);
  ck_assert_msg(of_v <= tolerance, "%d x %d: v is orthonormal to %g", p->m, p->n, of_v);
  const double of_product = residual(p, a, u, s, v);
  ck_assert_msg(of_product <= tolerance * values[0], "%d x %d: the product is off by %g of %g", p->m, p->n, of_product,
                values[0]);
}

static double tolerance_of(enum tac_device_scalar scalar) {
  return dense_epsilon(scalar) < 1e-10 ? 1e-13 : 1e-5;
}

static void check_batch(struct batch *batch, struct tac_device_svd *svd, struct tac_queue *queue) {
  struct tac_error error;
  run_batch(batch, svd, queue);
  expect_ok(tac_device_svd_check(svd, queue, &error), &error);
  double complex *u = dense_elements_receive(&batch->u, queue), *s = dense_elements_receive(&batch->s, queue);
  double complex *v = dense_elements_receive(&batch->v, queue);
  for (size_t i = 0; i < batch->count; i++) {
    const struct tac_device_svd_problem *p = &batch->problem[i];
    check_problem(p, batch->a.host + p->a, u + p->u, s + p->s, v + p->v, tolerance_of(batch->a.scalar));
  }
  free(u);
  free(s);
  free(v);
}

/* What the matrices of the second batch are; each is made of what random numbers it holds. */
enum kind {
  ZERO,
  IDENTITY,
  RANK_ONE,
  LOW_RANK,
  TWIN_VALUES,
  GRADED,
  ZERO_COLUMNS,
  HUGE_ELEMENTS,
  TINY_ELEMENTS,
  ONE_ELEMENT,
  KINDS
};
static const int special_shapes[KINDS][2] = {{9, 12},  {20, 20}, {33, 20}, {31, 40}, {24, 24},
                                             {30, 26}, {18, 25}, {12, 15}, {15, 12}, {28, 28}};

/* a = x y^H with x and y random, of `rank` columns. */
static void make_low_rank(double complex *a, const struct tac_device_svd_problem *p, int rank, struct dense_random *random) {
  for (int e = 0; e < p->m * p->n; e++)
    a[e % p->m + (size_t)(e / p->m) * (size_t)p->lda] = 0;
  for (int r = 0; r < rank; r++) {
    double x[64], y[64];
    for (int i = 0; i < 64; i++) {
      x[i] = dense_random_unit(random);
      y[i] = dense_random_unit(random);
    }
    for (int j = 0; j < p->n; j++)
      for (int i = 0; i < p->m; i++)
        a[i + (size_t)j * (size_t)p->lda] += x[i] * y[j];
  }
}

static void make_special(double complex *a, const struct tac_device_svd_problem *p, enum kind kind, double range,
                         struct dense_random *random) {
  if (kind == RANK_ONE || kind == LOW_RANK)
    make_low_rank(a, p, kind == RANK_ONE ? 1 : 7, random);
  for (int j = 0; j < p->n; j++)
    for (int i = 0; i < p->m; i++) {
      double complex *e = &a[i + (size_t)j * (size_t)p->lda];
      if (kind == ZERO || (kind == ZERO_COLUMNS && j % 3 == 1))
        *e = 0;
      else if (kind == IDENTITY)
        *e = i == j;
      else if (kind == TWIN_VALUES) /* two reflections side by side: all values 1 or 3 */
        *e = (i < 12) == (j < 12) ? ((i == j) - 2.0 / 12) * (i < 12 ? 3 : 1) : 0;
      else if (kind == GRADED)
        *e *= pow(10, -j);
      else if (kind == HUGE_ELEMENTS)
        *e *= range;
      else if (kind == TINY_ELEMENTS)
        *e /= range;
      else if (kind == ONE_ELEMENT)
        *e = i == 17 && j == 5 ? 2 : 0;
    }
}

START_TEST(decompositions_multiply_out) {
  static const int shapes[MATRICES][2] = {{-20, -20}, {1, 1},     {0, 5},   {5, 0},   {1, 17},  {23, 1},
                                          {-40, -10}, {-10, -40}, {64, 64}, {97, 30}, {30, 97}, {-50, -50}};
  const struct dense_case *c = &dense_cases[_i];
  struct dense_random random = dense_random_start(c->name);
  struct device_subject subject;
  struct tac_error error;
  struct tac_device_svd *svd;
  struct batch batch;
  open_subject(&subject, 1, 0);
  expect_ok(tac_device_svd_create_form(&svd, subject.device, c->scalar, c->form, &error), &error);
  make_batch(&batch, subject.device, c->scalar, shapes, MATRICES, &random);
  dense_elements_fill(&batch.a, subject.queue, &random);
  check_batch(&batch, svd, subject.queue);
  free_batch(&batch);
  make_batch(&batch, subject.device, c->scalar, special_shapes, KINDS, &random);
  dense_elements_fill(&batch.a, subject.queue, &random);
  for (int k = 0; k < KINDS; k++)
    make_special(batch.a.host + batch.problem[k].a, &batch.problem[k], (enum kind)k,
                 dense_epsilon(c->scalar) < 1e-10 ? 1e290 : 1e30, &random);
  dense_elements_send(&batch.a, subject.queue);
  check_batch(&batch, svd, subject.queue);
  free_batch(&batch);
  tac_device_svd_destroy(&svd);
  close_subject(&subject);
}
END_TEST

START_TEST(bits_do_not_depend_on_the_queue) {
  static const int shapes[][2] = {{40, 33}, {20, 31}, {8, 8}};
  struct dense_random random = dense_random_start("bits");
  struct device_subject subject;
  struct tac_error error;
  struct batch batch;
  struct tac_queue *other;
  open_subject(&subject, 1, 0);
  expect_ok(tac_queue_open(&other, subject.device, 1, 1, &error), &error);
  make_batch(&batch, subject.device, TAC_DEVICE_COMPLEX64, shapes, 3, &random);
  dense_elements_fill(&batch.a, subject.queue, &random);
  for (size_t f = 0; f < DENSE_KERNEL_FORMS; f++) {
    unsigned char *first = NULL;
    for (int round = 0; round < 3; round++) {
      struct tac_queue *queue = round == 1 ? other : subject.queue;
      struct tac_device_svd *svd;
      expect_ok(tac_device_svd_create_form(&svd, subject.device, TAC_DEVICE_COMPLEX64, dense_forms[f], &error), &error);
      dense_elements_send(&batch.a, queue);
      dense_elements_send(&batch.u, queue); /* its gaps */
      run_batch(&batch, svd, queue);
      dense_expect_same_bytes(&first, &batch.u, queue);
      tac_device_svd_destroy(&svd);
    }
    free(first);
  }
  free_batch(&batch);
  tac_queue_close(&other);
  close_subject(&subject);
}
END_TEST

/* One bad matrix is told by its number; the others are decomposed. */
START_TEST(what_is_not_finite_is_told) {
  static const int shapes[][2] = {{12, 9}, {9, 14}, {10, 10}};
  const double bad[] = {NAN, INFINITY, -INFINITY};
  struct dense_random random = dense_random_start("not finite");
  struct device_subject subject;
  struct tac_error error;
  struct batch batch;
  open_subject(&subject, 1, 0);
  make_batch(&batch, subject.device, TAC_DEVICE_COMPLEX64, shapes, 3, &random);
  for (size_t f = 0; f < DENSE_FORMS; f++)
    for (size_t b = 0; b < 3; b++) {
      struct tac_device_svd *svd;
      expect_ok(tac_device_svd_create_form(&svd, subject.device, TAC_DEVICE_COMPLEX64, dense_forms[f], &error), &error);
      dense_elements_fill(&batch.a, subject.queue, &random);
      batch.a.host[batch.problem[1].a + 3 + 2 * (size_t)batch.problem[1].lda] = dense_complex(0, bad[b]);
      dense_elements_send(&batch.a, subject.queue);
      run_batch(&batch, svd, subject.queue);
      ck_assert_int_eq(tac_device_svd_check(svd, subject.queue, &error), TAC_STATUS_NUMERICAL);
      ck_assert_uint_eq(error.item, 1);
      double complex *u = dense_elements_receive(&batch.u, subject.queue);
      for (size_t i = 0; i < 3; i += 2)
        ck_assert_double_le(
            orthonormality(u + batch.problem[i].u, batch.problem[i].m, rank_of(&batch.problem[i]), batch.problem[i].ldu),
            1e-13);
      free(u);
      tac_device_svd_destroy(&svd);
    }
  free_batch(&batch);
  close_subject(&subject);
}
END_TEST

START_TEST(what_cannot_be_is_refused) {
  struct device_subject subject;
  struct tac_error error;
  struct dense_elements x;
  struct tac_device_svd *svd;
  open_subject(&subject, 1, 0);
  expect_ok(tac_device_svd_create(&svd, subject.device, TAC_DEVICE_REAL64, &error), &error);
  dense_elements_create(&x, subject.device, TAC_DEVICE_REAL64, 64);
  const struct tac_device_svd_problem good = {.m = 4, .n = 3, .lda = 4, .ldu = 4, .ldv = 3};
  struct tac_device_svd_problem bad[] = {good, good, good, good};
  bad[0].n = -1;
  bad[1].lda = 3;
  bad[2].ldu = 3;
  bad[3].ldv = 2;
  for (int i = 0; i < 4; i++) {
    const struct tac_device_svd_problem two[] = {good, bad[i]};
    ck_assert_int_eq(tac_device_svd_plan(svd, subject.queue, two, 2, &error), TAC_STATUS_INVALID);
    ck_assert_uint_eq(error.item, 1);
  }
  const struct tac_device_array at = dense_elements_at(&x, 0), none = {NULL, 0};
  expect_ok(tac_device_svd_plan(svd, subject.queue, &good, 1, &error), &error);
  ck_assert_int_eq(tac_device_svd_run(svd, subject.queue, none, at, at, at, &error), TAC_STATUS_INVALID);
  ck_assert_int_eq(tac_device_svd_run(svd, subject.queue, at, none, at, at, &error), TAC_STATUS_INVALID);
  ck_assert_int_eq(tac_device_svd_run(svd, subject.queue, at, at, none, at, &error), TAC_STATUS_INVALID);
  ck_assert_int_eq(tac_device_svd_run(svd, subject.queue, at, at, at, none, &error), TAC_STATUS_INVALID);
  struct tac_device_svd_problem wraps = good; /* an end that cannot be counted */
  wraps.u = SIZE_MAX - 2;
  expect_ok(tac_device_svd_plan(svd, subject.queue, &wraps, 1, &error), &error);
  ck_assert_int_eq(tac_device_svd_run(svd, subject.queue, at, at, at, at, &error), TAC_STATUS_INVALID);
  expect_ok(tac_device_svd_plan(svd, subject.queue, NULL, 0, &error), &error);
  expect_ok(tac_device_svd_run(svd, subject.queue, none, none, none, none, &error), &error);
  expect_ok(tac_device_svd_check(svd, subject.queue, &error), &error);
  tac_device_svd_destroy(&svd);
  ck_assert_ptr_null(svd);
  tac_device_svd_destroy(&svd);
  dense_elements_destroy(&x);
  close_subject(&subject);
}
END_TEST

static void add_tests(TCase *cases) {
  tcase_add_loop_test(cases, decompositions_multiply_out, 0, DENSE_CASES);
  tcase_add_test(cases, bits_do_not_depend_on_the_queue);
  tcase_add_test(cases, what_is_not_finite_is_told);
  tcase_add_test(cases, what_cannot_be_is_refused);
}

int main(int argc, char **argv) {
  return run_device_cases(argc, argv, "dense_svd", add_tests);
}
