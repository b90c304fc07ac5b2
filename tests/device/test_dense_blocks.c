/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
/* Sums of blocks against plain loops, in both forms of the kernels and as the device chooses. */
#include <stdint.h>
#include <stdlib.h>

#include "runtime/device/dense_common.h"
#include "runtime/device/queue.h"
#include "tests/device/dense_case.h"

enum { BLOCKS = 12, TERMS_MAX = 4 };
static const enum tac_device_form forms[] = {TAC_FORM_CPU, TAC_FORM_GPU, TAC_FORM_CHOSEN};

struct sums {
  struct tac_device_block block[BLOCKS];
  struct tac_device_term term[BLOCKS * TERMS_MAX];
  size_t terms;
  struct dense_elements to, source[2];
};

static size_t place(size_t *end, int rows, int columns, int ld, struct dense_random *random) {
  const size_t at = *end + (size_t)dense_random_below(random, 5);
  *end = at + (rows > 0 && columns > 0 ? (size_t)(columns - 1) * (size_t)ld + (size_t)rows : 0);
  return at;
}

static void make_sums(struct sums *made, struct tac_device *device, enum tac_device_scalar scalar,
                      struct dense_random *random) {
  size_t end[3] = {0, 0, 0};
  made->terms = 0;
  for (int i = 0; i < BLOCKS; i++) {
    struct tac_device_block *block = &made->block[i];
    block->m = dense_random_extent(random, i < 2 ? 150 : 40);
    block->n = dense_random_extent(random, i < 2 ? 150 : 40);
    block->ld = block->m + dense_random_below(random, 3);
    block->accumulate = dense_random_below(random, 2);
    block->to = place(&end[2], block->m, block->n, block->ld, random);
    block->first_term = (unsigned)made->terms;
    block->terms = (unsigned)dense_random_below(random, TERMS_MAX + 1);
    for (unsigned t = 0; t < block->terms; t++) {
      struct tac_device_term *term = &made->term[made->terms++];
      term->factor = dense_random_below(random, 3) ? dense_random_unit(random) : 1;
      term->op = "NC"[dense_random_below(random, 2)];
      term->source = (char)dense_random_below(random, 2);
      const int rows = term->op == 'N' ? block->m : block->n;
      term->ld = rows + dense_random_below(random, 3);
      term->from = place(&end[(int)term->source], rows, block->m + block->n - rows, term->ld, random);
    }
  }
  dense_elements_create(&made->to, device, scalar, end[2] + 9);
  dense_elements_create(&made->source[0], device, scalar, end[0] + 9);
  dense_elements_create(&made->source[1], device, scalar, end[1] + 9);
}

static void fill_sums(struct sums *made, struct tac_queue *queue, struct dense_random *random) {
  dense_elements_fill(&made->to, queue, random);
  dense_elements_fill(&made->source[0], queue, random);
  dense_elements_fill(&made->source[1], queue, random);
}

static void free_sums(struct sums *made) {
  dense_elements_destroy(&made->to);
  dense_elements_destroy(&made->source[0]);
  dense_elements_destroy(&made->source[1]);
}

static void sum_on_host(struct sums *made, size_t offset) {
  for (int b = 0; b < BLOCKS; b++) {
    const struct tac_device_block *block = &made->block[b];
    for (int j = 0; j < block->n; j++)
      for (int i = 0; i < block->m; i++) {
        double complex *to = made->to.host + offset + block->to + i + (size_t)j * (size_t)block->ld;
        double complex sum = block->accumulate ? *to : 0;
        for (unsigned t = block->first_term; t < block->first_term + block->terms; t++) {
          const struct tac_device_term *term = &made->term[t];
          const double complex *from = made->source[(int)term->source].host + offset + term->from;
          sum += term->factor *
                 (term->op == 'N' ? from[i + (size_t)j * (size_t)term->ld] : conj(from[j + (size_t)i * (size_t)term->ld]));
        }
        *to = sum;
      }
  }
}

static void run_sums(struct sums *made, struct tac_device_blocks *blocks, struct tac_queue *queue, size_t offset) {
  struct tac_error error;
  expect_ok(tac_device_blocks_run(blocks, queue, dense_elements_at(&made->to, offset),
                                  dense_elements_at(&made->source[0], offset), dense_elements_at(&made->source[1], offset),
                                  &error),
            &error);
}

static void check_sums(enum tac_device_scalar scalar, const char *name) {
  struct dense_random random = dense_random_start(name);
  struct device_subject subject;
  struct tac_error error;
  open_subject(&subject, 1, 0);
  for (size_t f = 0; f < sizeof forms / sizeof *forms; f++) {
    struct tac_device_blocks *blocks;
    expect_ok(tac_device_blocks_create_form(&blocks, subject.device, scalar, forms[f], &error), &error);
    for (int round = 0; round < 4; round++) {
      struct sums made;
      const size_t offset = (size_t)dense_random_below(&random, 8);
      make_sums(&made, subject.device, scalar, &random);
      fill_sums(&made, subject.queue, &random);
      expect_ok(tac_device_blocks_plan(blocks, subject.queue, made.block, BLOCKS, made.term, made.terms, &error), &error);
      run_sums(&made, blocks, subject.queue, offset);
      sum_on_host(&made, offset);
      dense_expect_near(&made.to, subject.queue, 8 * dense_epsilon(scalar));
      free_sums(&made);
    }
    tac_device_blocks_destroy(&blocks);
  }
  close_subject(&subject);
}

START_TEST(real64) {
  check_sums(TAC_DEVICE_REAL64, "real64");
}
END_TEST

START_TEST(real32) {
  check_sums(TAC_DEVICE_REAL32, "real32");
}
END_TEST

START_TEST(complex64) {
  check_sums(TAC_DEVICE_COMPLEX64, "complex64");
}
END_TEST

START_TEST(complex32) {
  check_sums(TAC_DEVICE_COMPLEX32, "complex32");
}
END_TEST

/* The same bits from both forms and on another queue. */
START_TEST(bits_do_not_depend_on_the_queue) {
  struct dense_random random = dense_random_start("bits");
  struct device_subject subject;
  struct tac_error error;
  struct sums made;
  struct tac_queue *other;
  unsigned char *first = NULL;
  open_subject(&subject, 1, 0);
  expect_ok(tac_queue_open(&other, subject.device, 1, 1, &error), &error);
  make_sums(&made, subject.device, TAC_DEVICE_COMPLEX32, &random);
  fill_sums(&made, subject.queue, &random);
  for (int round = 0; round < 4; round++) {
    struct tac_queue *queue = round & 1 ? other : subject.queue;
    struct tac_device_blocks *blocks;
    expect_ok(tac_device_blocks_create_form(&blocks, subject.device, TAC_DEVICE_COMPLEX32, forms[round / 2], &error), &error);
    dense_elements_send(&made.to, queue);
    expect_ok(tac_device_blocks_plan(blocks, queue, made.block, BLOCKS, made.term, made.terms, &error), &error);
    run_sums(&made, blocks, queue, 0);
    unsigned char *raw = dense_elements_bytes(&made.to, queue);
    if (first)
      ck_assert_mem_eq(raw, first, made.to.count * tac_device_scalar_bytes(TAC_DEVICE_COMPLEX32));
    free(first);
    first = raw;
    tac_device_blocks_destroy(&blocks);
  }
  free(first);
  free_sums(&made);
  tac_queue_close(&other);
  close_subject(&subject);
}
END_TEST

/* x = 2 x - x / 2 by two terms that lie where x does. */
START_TEST(a_block_may_be_a_term_of_itself) {
  struct dense_random random = dense_random_start("itself");
  struct device_subject subject;
  struct tac_error error;
  struct dense_elements x;
  open_subject(&subject, 1, 0);
  dense_elements_create(&x, subject.device, TAC_DEVICE_REAL64, 90 * 70);
  for (size_t f = 0; f < 2; f++) {
    struct tac_device_blocks *blocks;
    const struct tac_device_block block = {.m = 90, .n = 70, .ld = 90, .first_term = 0, .terms = 2};
    const struct tac_device_term terms[] = {{.factor = 2, .ld = 90, .op = 'N'},
                                            {.factor = -0.5, .ld = 90, .op = 'N', .source = 1}};
    dense_elements_fill(&x, subject.queue, &random);
    expect_ok(tac_device_blocks_create_form(&blocks, subject.device, TAC_DEVICE_REAL64, forms[f], &error), &error);
    expect_ok(tac_device_blocks_plan(blocks, subject.queue, &block, 1, terms, 2, &error), &error);
    const struct tac_device_array at = dense_elements_at(&x, 0);
    expect_ok(tac_device_blocks_run(blocks, subject.queue, at, at, at, &error), &error);
    for (size_t i = 0; i < x.count; i++)
      x.host[i] *= 1.5;
    dense_expect_near(&x, subject.queue, 1e-15);
    tac_device_blocks_destroy(&blocks);
  }
  dense_elements_destroy(&x);
  close_subject(&subject);
}
END_TEST

START_TEST(what_cannot_be_is_refused) {
  struct device_subject subject;
  struct tac_error error;
  struct dense_elements x;
  struct tac_device_blocks *blocks;
  open_subject(&subject, 1, 0);
  expect_ok(tac_device_blocks_create(&blocks, subject.device, TAC_DEVICE_REAL64, &error), &error);
  dense_elements_create(&x, subject.device, TAC_DEVICE_REAL64, 64);
  const struct tac_device_block good = {.m = 4, .n = 3, .ld = 4, .terms = 1};
  const struct tac_device_term term = {.factor = 1, .ld = 4, .op = 'N'};
  struct tac_device_block bad_block[] = {good, good, good, good};
  struct tac_device_term bad_term[] = {term, term, term, term};
  bad_block[0].m = -1;
  bad_block[1].ld = 3;
  bad_block[2].first_term = 1;
  bad_block[3].terms = 2;
  bad_term[0].op = 'T';
  bad_term[1].ld = 3;
  bad_term[2].source = 2;
  bad_term[3].op = 'C';
  bad_term[3].ld = 2;
  for (int i = 0; i < 4; i++) {
    ck_assert_int_eq(tac_device_blocks_plan(blocks, subject.queue, &bad_block[i], 1, &term, 1, &error), TAC_STATUS_INVALID);
    ck_assert_uint_eq(error.item, 0);
    ck_assert_int_eq(tac_device_blocks_plan(blocks, subject.queue, &good, 1, &bad_term[i], 1, &error), TAC_STATUS_INVALID);
  }
  const struct tac_device_array at = dense_elements_at(&x, 0), none = {NULL, 0};
  const struct tac_device_array beyond = dense_elements_at(&x, tac_device_memory_bytes(x.memory) / sizeof(double) - 11);
  expect_ok(tac_device_blocks_plan(blocks, subject.queue, &good, 1, &term, 1, &error), &error);
  ck_assert_int_eq(tac_device_blocks_run(blocks, subject.queue, at, beyond, none, &error), TAC_STATUS_INVALID);
  ck_assert_int_eq(tac_device_blocks_run(blocks, subject.queue, beyond, at, none, &error), TAC_STATUS_INVALID);
  ck_assert_int_eq(tac_device_blocks_run(blocks, subject.queue, at, none, none, &error), TAC_STATUS_INVALID);
  struct tac_device_block wraps = good; /* an end that cannot be counted */
  wraps.to = SIZE_MAX - 2;
  expect_ok(tac_device_blocks_plan(blocks, subject.queue, &wraps, 1, &term, 1, &error), &error);
  ck_assert_int_eq(tac_device_blocks_run(blocks, subject.queue, at, at, none, &error), TAC_STATUS_INVALID);
  static struct tac_device_block many[1 << 14]; /* whose pieces number a multiple of 2^64 */
  for (size_t i = 0; i < sizeof many / sizeof *many; i++)
    many[i] = (struct tac_device_block){.m = INT32_MAX, .n = INT32_MAX, .ld = INT32_MAX};
  ck_assert_int_eq(tac_device_blocks_plan(blocks, subject.queue, many, sizeof many / sizeof *many, NULL, 0, &error),
                   TAC_STATUS_INVALID);
  expect_ok(tac_device_blocks_plan(blocks, subject.queue, &good, 1, &term, 1, &error), &error);
  expect_ok(tac_device_blocks_run(blocks, subject.queue, at, at, none, &error), &error);
  expect_ok(tac_device_blocks_plan(blocks, subject.queue, NULL, 0, NULL, 0, &error), &error);
  expect_ok(tac_device_blocks_run(blocks, subject.queue, none, none, none, &error), &error);
  expect_ok(tac_queue_finish(subject.queue, "test", &error), &error);
  tac_device_blocks_destroy(&blocks);
  ck_assert_ptr_null(blocks);
  tac_device_blocks_destroy(&blocks);
  dense_elements_destroy(&x);
  close_subject(&subject);
}
END_TEST

int main(int argc, char **argv) {
  const TTest *const tests[] = {real64,
                                real32,
                                complex64,
                                complex32,
                                bits_do_not_depend_on_the_queue,
                                a_block_may_be_a_term_of_itself,
                                what_cannot_be_is_refused};
  return run_device_suite(argc, argv, "dense_blocks", tests, sizeof tests / sizeof *tests);
}
