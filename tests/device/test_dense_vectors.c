/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
/* Vector operations against plain loops, in both forms of the kernels and as the device chooses. */
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "runtime/device/queue.h"
#include "tests/device/dense_case.h"

/* Around the lengths of stretches and the number of partial sums. */
static const size_t lengths[] = {0, 1, 2, 17, 63, 1000, 4097, 20001, 270001};
enum { LENGTHS = sizeof lengths / sizeof *lengths, TERMS = 13, OFFSET = 3 };

static void check_updates(struct tac_device_vectors *vectors, struct device_subject *subject, enum tac_device_scalar scalar,
                          size_t n, struct dense_random *random) {
  struct tac_error error;
  struct dense_elements x, y;
  const double alpha = (double)(float)dense_random_unit(random);
  dense_elements_create(&x, subject->device, scalar, n + 5);
  dense_elements_create(&y, subject->device, scalar, n + 5);
  dense_elements_fill(&x, subject->queue, random);
  dense_elements_fill(&y, subject->queue, random);
  expect_ok(tac_device_axpy(vectors, subject->queue, n, alpha, dense_elements_at(&x, OFFSET), dense_elements_at(&y, 1), &error),
            &error);
  expect_ok(tac_device_scale(vectors, subject->queue, n, alpha, dense_elements_at(&x, OFFSET), &error), &error);
  for (size_t i = 0; i < n; i++) {
    y.host[1 + i] += alpha * x.host[OFFSET + i];
    x.host[OFFSET + i] *= alpha;
  }
  dense_expect_near(&y, subject->queue, 2 * dense_epsilon(scalar));
  dense_expect_near(&x, subject->queue, 2 * dense_epsilon(scalar));
  dense_elements_destroy(&x);
  dense_elements_destroy(&y);
}

/* Any number of terms, some of them y itself, others the same vector twice. */
static void check_combinations(struct tac_device_vectors *vectors, struct device_subject *subject,
                               enum tac_device_scalar scalar, size_t n, struct dense_random *random) {
  struct tac_error error;
  struct dense_elements x;
  double factor[TERMS];
  struct tac_device_array term[TERMS];
  dense_elements_create(&x, subject->device, scalar, 5 * n + 1);
  for (int terms = 0; terms <= TERMS; terms += terms < 7 ? 1 : 3) {
    double complex *expected = calloc(n + 1, sizeof *expected);
    ck_assert_ptr_nonnull(expected);
    dense_elements_fill(&x, subject->queue, random);
    for (int t = 0; t < terms; t++) {
      const size_t at = (size_t)dense_random_below(random, 5) * n; /* 0: y */
      factor[t] = (double)(float)dense_random_unit(random);
      term[t] = dense_elements_at(&x, at);
      for (size_t i = 0; i < n; i++)
        expected[i] += factor[t] * x.host[at + i];
    }
    expect_ok(tac_device_combine(vectors, subject->queue, n, terms, factor, term, dense_elements_at(&x, 0), &error), &error);
    for (size_t i = 0; i < n; i++)
      x.host[i] = expected[i];
    dense_expect_near(&x, subject->queue, 2 * TERMS * dense_epsilon(scalar));
    free(expected);
  }
  dense_elements_destroy(&x);
}

static void check_reductions(struct tac_device_vectors *vectors, struct device_subject *subject, enum tac_device_scalar scalar,
                             size_t n, struct dense_random *random) {
  struct tac_error error;
  struct dense_elements x, y;
  double dot = -1, norm = -1, expected_dot = 0, expected_square = 0;
  dense_elements_create(&x, subject->device, scalar, n + 5);
  dense_elements_create(&y, subject->device, scalar, n + 5);
  dense_elements_fill(&x, subject->queue, random);
  dense_elements_fill(&y, subject->queue, random);
  expect_ok(tac_device_dot(&dot, vectors, subject->queue, n, dense_elements_at(&x, OFFSET), dense_elements_at(&y, 2), &error),
            &error);
  expect_ok(tac_device_norm(&norm, vectors, subject->queue, n, dense_elements_at(&x, OFFSET), &error), &error);
  for (size_t i = 0; i < n; i++) {
    expected_dot += creal(conj(x.host[OFFSET + i]) * y.host[2 + i]);
    expected_square += creal(conj(x.host[OFFSET + i]) * x.host[OFFSET + i]);
  }
  /* Sums are of double precision for every scalar. */
  ck_assert_double_eq_tol(dot, expected_dot, 4 * DBL_EPSILON * (double)(n + 1));
  ck_assert_double_eq_tol(norm, sqrt(expected_square), 4 * DBL_EPSILON * (double)(n + 1));
  dense_elements_destroy(&x);
  dense_elements_destroy(&y);
}

/* The fused operations give the bits of their parts, one after the other. */
static void check_fused(struct tac_device_vectors *vectors, struct device_subject *subject, enum tac_device_scalar scalar,
                        size_t n, struct dense_random *random) {
  struct tac_error error;
  struct tac_queue *queue = subject->queue;
  struct dense_elements x, y, z;
  double parted[2] = {-1, -1}, fused[2] = {-2, -2};
  dense_elements_create(&x, subject->device, scalar, n + 5);
  dense_elements_create(&y, subject->device, scalar, n + 5);
  dense_elements_create(&z, subject->device, scalar, n + 5);
  dense_elements_fill(&x, queue, random);
  dense_elements_fill(&y, queue, random);
  dense_elements_fill(&z, queue, random);
  const size_t bytes = (n + 5) * tac_device_scalar_bytes(scalar);
  const struct tac_device_array of_x = dense_elements_at(&x, OFFSET), of_y = dense_elements_at(&y, 1);
  const struct tac_device_array of_z = dense_elements_at(&z, 2);
  struct tac_device_memory *copy;
  expect_ok(tac_device_memory_take(&copy, subject->device, bytes, &error), &error);
  const struct tac_device_array of_copy = {copy, 1};
  expect_ok(tac_queue_copy(queue, copy, 0, y.memory, 0, bytes, &error), &error);
  expect_ok(tac_device_axpy(vectors, queue, n, 0.75, of_x, of_copy, &error), &error);
  expect_ok(tac_device_dot(&parted[0], vectors, queue, n, of_copy, of_z, &error), &error);
  expect_ok(tac_device_axpy(vectors, queue, n, -1.25, of_x, of_copy, &error), &error);
  expect_ok(tac_device_norm(&parted[1], vectors, queue, n, of_copy, &error), &error);
  expect_ok(tac_device_axpy_dot(&fused[0], vectors, queue, n, 0.75, of_x, of_y, of_z, &error), &error);
  expect_ok(tac_device_axpy_norm(&fused[1], vectors, queue, n, -1.25, of_x, of_y, &error), &error);
  ck_assert_msg(parted[0] == fused[0] && parted[1] == fused[1], "n = %zu: %.17g, %.17g and fused %.17g, %.17g", n, parted[0],
                parted[1], fused[0], fused[1]);
  unsigned char *one = malloc(bytes), *other = malloc(bytes);
  expect_ok(tac_queue_read(queue, copy, 0, one, bytes, &error), &error);
  expect_ok(tac_queue_read(queue, y.memory, 0, other, bytes, &error), &error);
  ck_assert_mem_eq(one, other, bytes);
  free(one);
  free(other);
  tac_device_memory_give(&copy);
  dense_elements_destroy(&x);
  dense_elements_destroy(&y);
  dense_elements_destroy(&z);
}

static void check_columns(struct tac_device_vectors *vectors, struct device_subject *subject, enum tac_device_scalar scalar,
                          struct dense_random *random) {
  enum { MATRICES = 10, ROOM = 4000 };
  struct tac_error error;
  struct dense_elements x, out;
  struct tac_device_columns matrix[MATRICES];
  dense_elements_create(&x, subject->device, scalar, MATRICES * ROOM);
  dense_elements_create(&out, subject->device, TAC_DEVICE_REAL64, MATRICES * 60 + 2);
  dense_elements_fill(&x, subject->queue, random);
  dense_elements_fill(&out, subject->queue, random);
  for (size_t i = 0; i < MATRICES; i++) {
    const int m = dense_random_extent(random, 60), n = dense_random_extent(random, 50);
    matrix[i] = (struct tac_device_columns){m, n, m + dense_random_below(random, 3), i * ROOM, i * 60};
    for (int j = 0; j < n; j++) {
      out.host[2 + matrix[i].to + (size_t)j] = 0;
      for (int r = 0; r < m; r++) {
        const double complex e = x.host[5 + matrix[i].from + (size_t)r + (size_t)j * (size_t)matrix[i].ld];
        out.host[2 + matrix[i].to + (size_t)j] += creal(conj(e) * e);
      }
    }
  }
  expect_ok(tac_device_column_squares(vectors, subject->queue, matrix, MATRICES, dense_elements_at(&x, 5),
                                      dense_elements_at(&out, 2), &error),
            &error);
  dense_expect_near(&out, subject->queue, 1e-12);
  dense_elements_destroy(&x);
  dense_elements_destroy(&out);
}

START_TEST(vectors_are_those_of_the_host) {
  const struct dense_case *c = &dense_cases[_i];
  struct dense_random random = dense_random_start(c->name);
  struct device_subject subject;
  struct tac_error error;
  struct tac_device_vectors *vectors;
  open_subject(&subject, 1, 0);
  expect_ok(tac_device_vectors_create_form(&vectors, subject.device, c->scalar, c->form, &error), &error);
  for (int l = 0; l < LENGTHS; l++) {
    check_updates(vectors, &subject, c->scalar, lengths[l], &random);
    check_reductions(vectors, &subject, c->scalar, lengths[l], &random);
    check_fused(vectors, &subject, c->scalar, lengths[l], &random);
  }
  check_combinations(vectors, &subject, c->scalar, 5000, &random);
  check_columns(vectors, &subject, c->scalar, &random);
  tac_device_vectors_destroy(&vectors);
  close_subject(&subject);
}
END_TEST

/* Squares of these overflow, vanish or lose digits; the norm does not. */
START_TEST(norms_of_extreme_vectors) {
  static const double sizes[] = {0, 4.9406564584124654e-324, 1e-310, 3e-200, 2e-160, 1e200, 1.7e308};
  struct device_subject subject;
  struct tac_error error;
  struct dense_elements x;
  open_subject(&subject, 1, 0);
  dense_elements_create(&x, subject.device, TAC_DEVICE_REAL64, 3000);
  for (size_t f = 0; f < DENSE_KERNEL_FORMS; f++) {
    struct tac_device_vectors *vectors;
    double norm = -1;
    expect_ok(tac_device_vectors_create_form(&vectors, subject.device, TAC_DEVICE_REAL64, dense_forms[f], &error), &error);
    const struct tac_device_array at = dense_elements_at(&x, 0);
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
      for (size_t i = 0; i < x.count; i++)
        x.host[i] = i % 1000 == 7 ? sizes[s] / 2 : 0;
      x.host[40] = sizes[s] / 2; /* four halves: the norm is sizes[s] where that can be halved */
      dense_elements_send(&x, subject.queue);
      expect_ok(tac_device_norm(&norm, vectors, subject.queue, x.count, at, &error), &error);
      ck_assert(fabs(norm - 2 * (sizes[s] / 2)) <= 4 * DBL_EPSILON * sizes[s]);
    }
    x.host[5] = INFINITY;
    dense_elements_send(&x, subject.queue);
    expect_ok(tac_device_norm(&norm, vectors, subject.queue, x.count, at, &error), &error);
    ck_assert(isinf(norm) && norm > 0);
    x.host[5] = NAN;
    dense_elements_send(&x, subject.queue);
    expect_ok(tac_device_norm(&norm, vectors, subject.queue, x.count, at, &error), &error);
    ck_assert(isnan(norm));
    tac_device_vectors_destroy(&vectors);
  }
  dense_elements_destroy(&x);
  close_subject(&subject);
}
END_TEST

START_TEST(reductions_give_the_same_bits_on_every_queue) {
  struct dense_random random = dense_random_start("bits");
  struct device_subject subject;
  struct tac_error error;
  struct dense_elements x;
  struct tac_queue *other;
  open_subject(&subject, 1, 0);
  expect_ok(tac_queue_open(&other, subject.device, 1, 1, &error), &error);
  dense_elements_create(&x, subject.device, TAC_DEVICE_COMPLEX64, 40000);
  dense_elements_fill(&x, subject.queue, &random);
  for (size_t f = 0; f < DENSE_KERNEL_FORMS; f++) {
    struct tac_device_vectors *vectors;
    double first = 0;
    expect_ok(tac_device_vectors_create_form(&vectors, subject.device, TAC_DEVICE_COMPLEX64, dense_forms[f], &error), &error);
    for (int round = 0; round < 6; round++) {
      double dot = -1;
      expect_ok(tac_device_dot(&dot, vectors, round & 1 ? other : subject.queue, 39000, dense_elements_at(&x, 0),
                               dense_elements_at(&x, 1000), &error),
                &error);
      if (round == 0)
        first = dot;
      ck_assert_mem_eq(&dot, &first, sizeof dot);
    }
    tac_device_vectors_destroy(&vectors);
  }
  dense_elements_destroy(&x);
  tac_queue_close(&other);
  close_subject(&subject);
}
END_TEST

START_TEST(what_does_not_fit_is_refused) {
  struct device_subject subject;
  struct tac_error error;
  struct dense_elements x;
  struct tac_device_vectors *vectors;
  double value = 0;
  const double one = 1;
  open_subject(&subject, 1, 0);
  expect_ok(tac_device_vectors_create(&vectors, subject.device, TAC_DEVICE_REAL64, &error), &error);
  dense_elements_create(&x, subject.device, TAC_DEVICE_REAL64, 64);
  struct tac_queue *queue = subject.queue;
  const size_t room = tac_device_memory_bytes(x.memory) / sizeof(double);
  const struct tac_device_array at = dense_elements_at(&x, 0), late = dense_elements_at(&x, 1), none = {NULL, 0};
  ck_assert_int_eq(tac_device_axpy(vectors, queue, room, 1, late, at, &error), TAC_STATUS_INVALID);
  ck_assert_int_eq(tac_device_axpy(vectors, queue, room, 1, at, late, &error), TAC_STATUS_INVALID);
  ck_assert_int_eq(tac_device_scale(vectors, queue, room, 1, late, &error), TAC_STATUS_INVALID);
  ck_assert_int_eq(tac_device_combine(vectors, queue, room, 1, &one, &late, at, &error), TAC_STATUS_INVALID);
  ck_assert_int_eq(tac_device_combine(vectors, queue, room, 1, &one, &at, late, &error), TAC_STATUS_INVALID);
  ck_assert_int_eq(tac_device_dot(&value, vectors, queue, 1, none, at, &error), TAC_STATUS_INVALID);
  ck_assert_int_eq(tac_device_dot(&value, vectors, queue, room, at, late, &error), TAC_STATUS_INVALID);
  ck_assert_int_eq(tac_device_norm(&value, vectors, queue, room, late, &error), TAC_STATUS_INVALID);
  struct tac_device_columns matrix[] = {{-1, 1, 1, 0, 0},           {4, 4, 3, 0, 0},
                                        {4, 1, 4, room, 0},         {4, 4, 4, 0, room},
                                        {2, 2, 2, SIZE_MAX - 2, 0}, {2, 2, 2, 0, SIZE_MAX - 1}};
  for (int i = 0; i < 6; i++)
    ck_assert_int_eq(tac_device_column_squares(vectors, queue, &matrix[i], 1, at, at, &error), TAC_STATUS_INVALID);
  expect_ok(tac_device_axpy(vectors, queue, 0, 1, none, none, &error), &error);
  expect_ok(tac_device_column_squares(vectors, queue, NULL, 0, none, none, &error), &error);
  tac_device_vectors_destroy(&vectors);
  ck_assert_ptr_null(vectors);
  tac_device_vectors_destroy(&vectors);
  dense_elements_destroy(&x);
  close_subject(&subject);
}
END_TEST

static void add_tests(TCase *cases) {
  tcase_add_loop_test(cases, vectors_are_those_of_the_host, 0, DENSE_CASES);
  tcase_add_test(cases, norms_of_extreme_vectors);
  tcase_add_test(cases, reductions_give_the_same_bits_on_every_queue);
  tcase_add_test(cases, what_does_not_fit_is_refused);
}

int main(int argc, char **argv) {
  return run_device_cases(argc, argv, "dense_vectors", add_tests);
}
