/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
/* Batched products against plain loops, in both forms of the kernels and as the device chooses. */
#include <stdint.h>
#include <stdlib.h>

#include "runtime/device/queue.h"
#include "tests/device/dense_case.h"

enum { PRODUCTS = 14 };

struct products {
  struct tac_device_product product[PRODUCTS];
  struct dense_elements a, b, c;
};

/* Every third one continues the one before it, with the roles of the two arrays exchanged. */
static void make_products(struct products *made, struct device_subject *subject, enum tac_device_scalar scalar,
                          struct dense_random *random) {
  size_t end[3] = {0, 0, 0};
  for (int i = 0; i < PRODUCTS; i++) {
    struct tac_device_product *p = &made->product[i];
    *p = (struct tac_device_product){.continues = i % 3 == 2};
    /* Some inner extents pass a chunk, some results the block of one work-item or the tile of one group. */
    p->m = p->continues ? p[-1].m : dense_random_extent(random, i == 0 ? 130 : 60);
    p->n = p->continues ? p[-1].n : dense_random_extent(random, i == 1 ? 300 : 60);
    p->k = dense_random_extent(random, i < 3 ? 600 : 60);
    p->op_a = "NC"[dense_random_below(random, 2)];
    p->op_b = "NC"[dense_random_below(random, 2)];
    p->accumulate = dense_random_below(random, 2);
    const int rows_a = p->op_a == 'N' ? p->m : p->k, rows_b = p->op_b == 'N' ? p->k : p->n;
    p->lda = rows_a + dense_random_below(random, 3);
    p->ldb = rows_b + dense_random_below(random, 3);
    p->ldc = p->continues ? p[-1].ldc : p->m + dense_random_below(random, 3);
    p->a = dense_place(&end[p->continues], rows_a, p->m + p->k - rows_a, p->lda, random);
    p->b = dense_place(&end[!p->continues], rows_b, p->k + p->n - rows_b, p->ldb, random);
    p->c = p->continues ? p[-1].c : dense_place(&end[2], p->m, p->n, p->ldc, random);
  }
  struct dense_elements *const sides[] = {&made->a, &made->b, &made->c};
  for (int s = 0; s < 3; s++)
    dense_elements_create(sides[s], subject->device, scalar, end[s] + 7);
}

static void fill_products(struct products *made, struct tac_queue *queue, struct dense_random *random) {
  dense_elements_fill(&made->a, queue, random);
  dense_elements_fill(&made->b, queue, random);
  dense_elements_fill(&made->c, queue, random);
}

static void free_products(struct products *made) {
  dense_elements_destroy(&made->a);
  dense_elements_destroy(&made->b);
  dense_elements_destroy(&made->c);
}

static void multiply_on_host(struct products *made, size_t offset) {
  for (int q = 0; q < PRODUCTS; q++) {
    const struct tac_device_product *p = &made->product[q];
    const struct dense_elements *first = p->continues ? &made->b : &made->a, *second = p->continues ? &made->a : &made->b;
    const double complex *a = first->host + offset + p->a, *b = second->host + offset + p->b;
    for (int j = 0; j < p->n; j++)
      for (int i = 0; i < p->m; i++) {
        double complex *c = made->c.host + offset + p->c + i + (size_t)j * (size_t)p->ldc, sum = 0;
        for (int k = 0; k < p->k; k++)
          sum += dense_element(a, p->lda, p->op_a, i, k) * dense_element(b, p->ldb, p->op_b, k, j);
        *c = p->accumulate || p->continues ? *c + sum : sum;
      }
  }
}

static void run_products(struct products *made, struct tac_device_gemm *gemm, struct tac_queue *queue, size_t offset) {
  struct tac_error error;
  const struct tac_device_array a = dense_elements_at(&made->a, offset), b = dense_elements_at(&made->b, offset);
  const struct tac_device_array factors[3] = {a, b, a};
  expect_ok(tac_device_gemm_run_continued(gemm, queue, factors, factors + 1, dense_elements_at(&made->c, offset), &error),
            &error);
}

START_TEST(products_are_those_of_the_host) {
  const struct dense_case *c = &dense_cases[_i];
  struct dense_random random = dense_random_start(c->name);
  struct device_subject subject;
  struct tac_error error;
  struct tac_device_gemm *gemm;
  open_subject(&subject, 1, 0);
  expect_ok(tac_device_gemm_create_form(&gemm, subject.device, c->scalar, c->form, &error), &error);
  for (int round = 0; round < 3; round++) {
    struct products made;
    const size_t offset = (size_t)dense_random_below(&random, 8);
    double flops = 0;
    make_products(&made, &subject, c->scalar, &random);
    fill_products(&made, subject.queue, &random);
    for (int i = 0; i < PRODUCTS; i++)
      flops += (dense_is_complex(c->scalar) ? 8.0 : 2.0) * made.product[i].m * made.product[i].n * made.product[i].k;
    expect_ok(tac_device_gemm_plan(gemm, subject.queue, made.product, PRODUCTS, &error), &error);
    ck_assert_double_eq(tac_device_gemm_flops(gemm), flops);
    run_products(&made, gemm, subject.queue, offset);
    multiply_on_host(&made, offset);
    dense_expect_near(&made.c, subject.queue, 600 * dense_epsilon(c->scalar));
    free_products(&made);
  }
  tac_device_gemm_destroy(&gemm);
  close_subject(&subject);
}
END_TEST

/* The same bits again, on another queue, and from both forms of the kernels. */
START_TEST(bits_do_not_depend_on_the_queue) {
  struct dense_random random = dense_random_start("bits");
  struct device_subject subject;
  struct tac_error error;
  struct products made;
  struct tac_queue *other;
  unsigned char *first = NULL;
  open_subject(&subject, 1, 0);
  expect_ok(tac_queue_open(&other, subject.device, 1, 1, &error), &error);
  make_products(&made, &subject, TAC_DEVICE_COMPLEX64, &random);
  fill_products(&made, subject.queue, &random);
  for (int f = 0; f < DENSE_KERNEL_FORMS; f++) {
    struct tac_device_gemm *gemm;
    expect_ok(tac_device_gemm_create_form(&gemm, subject.device, TAC_DEVICE_COMPLEX64, dense_forms[f], &error), &error);
    for (int round = 0; round < 3; round++) {
      struct tac_queue *queue = round == 1 ? other : subject.queue;
      dense_elements_send(&made.c, queue);
      expect_ok(tac_device_gemm_plan(gemm, queue, made.product, PRODUCTS, &error), &error);
      run_products(&made, gemm, queue, 0);
      dense_expect_same_bytes(&first, &made.c, queue);
    }
    tac_device_gemm_destroy(&gemm);
  }
  free(first);
  free_products(&made);
  tac_queue_close(&other);
  close_subject(&subject);
}
END_TEST

START_TEST(plans_are_forgotten_and_may_be_empty) {
  struct device_subject subject;
  struct tac_error error;
  struct dense_elements c;
  struct dense_random random = dense_random_start("plans");
  open_subject(&subject, 1, 0);
  struct tac_device_gemm *gemm;
  expect_ok(tac_device_gemm_create(&gemm, subject.device, TAC_DEVICE_REAL64, &error), &error);
  dense_elements_create(&c, subject.device, TAC_DEVICE_REAL64, 12);
  dense_elements_fill(&c, subject.queue, &random);
  const struct tac_device_array none = {NULL, 0}, at = dense_elements_at(&c, 0);
  expect_ok(tac_device_gemm_run(gemm, subject.queue, none, none, none, &error), &error);
  /* Without an inner extent no factor is needed; c is cleared or stays. */
  const struct tac_device_product empty[] = {{2, 2, 0, 'N', 'N', 0, 2, 0, 2, 0, 0, 0, 0},
                                             {2, 2, 0, 'N', 'N', 1, 2, 0, 2, 0, 0, 4, 0}};
  expect_ok(tac_device_gemm_plan(gemm, subject.queue, empty, 2, &error), &error);
  expect_ok(tac_device_gemm_run(gemm, subject.queue, none, none, at, &error), &error);
  for (int i = 0; i < 4; i++)
    c.host[i] = 0;
  dense_expect_near(&c, subject.queue, 0);
  expect_ok(tac_device_gemm_plan(gemm, subject.queue, NULL, 0, &error), &error);
  expect_ok(tac_device_gemm_run(gemm, subject.queue, none, none, none, &error), &error);
  ck_assert_double_eq(tac_device_gemm_flops(gemm), 0);
  tac_device_gemm_destroy(&gemm);
  ck_assert_ptr_null(gemm);
  tac_device_gemm_destroy(&gemm);
  dense_elements_destroy(&c);
  close_subject(&subject);
}
END_TEST

START_TEST(what_cannot_be_is_refused) {
  struct device_subject subject;
  struct tac_error error;
  struct dense_elements x;
  open_subject(&subject, 1, 0);
  struct tac_device_gemm *gemm;
  expect_ok(tac_device_gemm_create(&gemm, subject.device, TAC_DEVICE_REAL64, &error), &error);
  dense_elements_create(&x, subject.device, TAC_DEVICE_REAL64, 64);
  const struct tac_device_product good = {4, 4, 4, 'N', 'N', 0, 4, 4, 4, 0, 0, 0, 0};
  struct tac_device_product bad[] = {good, good, good, good, good, good, good, good, good, good};
  bad[0].m = -1;
  bad[1].op_a = 'T';
  bad[2].op_b = 'n';
  bad[3].lda = 3;
  bad[4].ldb = 3;
  bad[5].ldc = 3;
  for (int i = 6; i < 10; i++)
    bad[i].continues = 1;
  bad[6].m = 3;
  bad[7].n = 3;
  bad[8].c = 1;
  bad[9].ldc = 5;
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    const struct tac_device_product two[] = {good, bad[i]};
    ck_assert_int_eq(tac_device_gemm_plan(gemm, subject.queue, two, 2, &error), TAC_STATUS_INVALID);
    ck_assert_uint_eq(error.item, 1);
  }
  struct tac_device_product chain[] = {good, good, good};
  chain[1].continues = chain[2].continues = 1;
  ck_assert_int_eq(tac_device_gemm_plan(gemm, subject.queue, chain, 3, &error), TAC_STATUS_INVALID);
  ck_assert_uint_eq(error.item, 2);
  ck_assert_int_eq(tac_device_gemm_plan(gemm, subject.queue, chain + 1, 1, &error), TAC_STATUS_INVALID);
  expect_ok(tac_device_gemm_plan(gemm, subject.queue, &good, 1, &error), &error);
  const size_t beyond = tac_device_memory_bytes(x.memory) / sizeof(double) - 15;
  const struct tac_device_array at = dense_elements_at(&x, 0), out = dense_elements_at(&x, beyond), none = {NULL, 0};
  ck_assert_int_eq(tac_device_gemm_run(gemm, subject.queue, out, at, at, &error), TAC_STATUS_INVALID);
  ck_assert_int_eq(tac_device_gemm_run(gemm, subject.queue, at, at, out, &error), TAC_STATUS_INVALID);
  ck_assert_int_eq(tac_device_gemm_run(gemm, subject.queue, at, none, at, &error), TAC_STATUS_INVALID);
  struct tac_device_product wraps = good; /* an end that cannot be counted */
  wraps.a = SIZE_MAX - 2;
  expect_ok(tac_device_gemm_plan(gemm, subject.queue, &wraps, 1, &error), &error);
  ck_assert_int_eq(tac_device_gemm_run(gemm, subject.queue, at, at, at, &error), TAC_STATUS_INVALID);
  ck_assert_int_eq(tac_device_gemm_create(&gemm, subject.device, (enum tac_device_scalar)9, &error), TAC_STATUS_INVALID);
  tac_device_gemm_destroy(&gemm);
  dense_elements_destroy(&x);
  close_subject(&subject);
}
END_TEST

static void add_tests(TCase *cases) {
  tcase_add_loop_test(cases, products_are_those_of_the_host, 0, DENSE_CASES);
  tcase_add_test(cases, bits_do_not_depend_on_the_queue);
  tcase_add_test(cases, plans_are_forgotten_and_may_be_empty);
  tcase_add_test(cases, what_cannot_be_is_refused);
}

int main(int argc, char **argv) {
  return run_device_cases(argc, argv, "dense_gemm", add_tests);
}
