/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
/* Sums of blocks against plain loops, in both forms of the kernels and as the device chooses. */
#include <stdint.h>
#include <stdlib.h>

#include "runtime/device/queue.h"
#include "tests/device/dense_case.h"

enum { BLOCKS = 12, TERMS_MAX = 4, TARGETS = TAC_DEVICE_BLOCKS_TARGETS, SOURCES = TAC_DEVICE_BLOCKS_SOURCES };

struct sums {
  struct tac_device_block block[BLOCKS];
  struct tac_device_term term[BLOCKS * TERMS_MAX];
  size_t terms;
  struct dense_elements to[TARGETS], source[SOURCES];
};

static void make_sums(struct sums *made, struct tac_device *device, enum tac_device_scalar scalar,
                      struct dense_random *random) {
  size_t to_end[TARGETS] = {0}, end[SOURCES] = {0};
  made->terms = 0;
  for (int i = 0; i < BLOCKS; i++) {
    struct tac_device_block *block = &made->block[i];
    block->m = dense_random_extent(random, i < 2 ? 150 : 40);
    block->n = dense_random_extent(random, i < 2 ? 150 : 40);
    block->ld = block->m + dense_random_below(random, 3);
    block->accumulate = dense_random_below(random, 2);
    block->target = dense_random_below(random, TARGETS);
    block->to = dense_place(&to_end[block->target], block->m, block->n, block->ld, random);
    block->first_term = (unsigned)made->terms;
    block->terms = (unsigned)dense_random_below(random, TERMS_MAX + 1);
    for (unsigned t = 0; t < block->terms; t++) {
      struct tac_device_term *term = &made->term[made->terms++];
      term->factor = dense_random_below(random, 3) ? dense_random_unit(random) : 1;
      term->op = "NC"[dense_random_below(random, 2)];
      term->source = (char)dense_random_below(random, SOURCES);
      const int rows = term->op == 'N' ? block->m : block->n;
      term->ld = rows + dense_random_below(random, 3);
      term->from = dense_place(&end[(int)term->source], rows, block->m + block->n - rows, term->ld, random);
    }
  }
  for (int i = 0; i < TARGETS; i++)
    dense_elements_create(&made->to[i], device, scalar, to_end[i] + 9);
  for (int i = 0; i < SOURCES; i++)
    dense_elements_create(&made->source[i], device, scalar, end[i] + 9);
}

static void fill_sums(struct sums *made, struct tac_queue *queue, struct dense_random *random) {
  for (int i = 0; i < TARGETS; i++)
    dense_elements_fill(&made->to[i], queue, random);
  for (int i = 0; i < SOURCES; i++)
    dense_elements_fill(&made->source[i], queue, random);
}

static void free_sums(struct sums *made) {
  for (int i = 0; i < TARGETS; i++)
    dense_elements_destroy(&made->to[i]);
  for (int i = 0; i < SOURCES; i++)
    dense_elements_destroy(&made->source[i]);
}

static void sum_on_host(struct sums *made, size_t offset) {
  for (int b = 0; b < BLOCKS; b++) {
    const struct tac_device_block *block = &made->block[b];
    for (int j = 0; j < block->n; j++)
      for (int i = 0; i < block->m; i++) {
        double complex *to = made->to[block->target].host + offset + block->to + i + (size_t)j * (size_t)block->ld;
        double complex sum = block->accumulate ? *to : 0;
        for (unsigned t = block->first_term; t < block->first_term + block->terms; t++) {
          const struct tac_device_term *term = &made->term[t];
          const double complex *from = made->source[(int)term->source].host + offset + term->from;
          sum += term->factor * dense_element(from, term->ld, term->op, i, j);
        }
        *to = sum;
      }
  }
}

static void run_sums(struct sums *made, struct tac_device_blocks *blocks, struct tac_queue *queue, size_t offset) {
  struct tac_error error;
  struct tac_device_array to[TARGETS], source[SOURCES];
  for (int i = 0; i < TARGETS; i++)
    to[i] = dense_elements_at(&made->to[i], offset);
  for (int i = 0; i < SOURCES; i++)
    source[i] = dense_elements_at(&made->source[i], offset);
  expect_ok(tac_device_blocks_run_many(blocks, queue, to, source, &error), &error);
}

START_TEST(sums_are_those_of_the_host) {
  const struct dense_case *c = &dense_cases[_i];
  struct dense_random random = dense_random_start(c->name);
  struct device_subject subject;
  struct tac_error error;
  struct tac_device_blocks *blocks;
  open_subject(&subject, 1, 0);
  expect_ok(tac_device_blocks_create_form(&blocks, subject.device, c->scalar, c->form, &error), &error);
  for (int round = 0; round < 4; round++) {
    struct sums made;
    const size_t offset = (size_t)dense_random_below(&random, 8);
    make_sums(&made, subject.device, c->scalar, &random);
    fill_sums(&made, subject.queue, &random);
    expect_ok(tac_device_blocks_plan(blocks, subject.queue, made.block, BLOCKS, made.term, made.terms, &error), &error);
    run_sums(&made, blocks, subject.queue, offset);
    sum_on_host(&made, offset);
    for (int i = 0; i < TARGETS; i++)
      dense_expect_near(&made.to[i], subject.queue, 8 * dense_epsilon(c->scalar));
    free_sums(&made);
  }
  tac_device_blocks_destroy(&blocks);
  close_subject(&subject);
}
END_TEST

/* The same bits from both forms and on another queue. */
START_TEST(bits_do_not_depend_on_the_queue) {
  struct dense_random random = dense_random_start("bits");
  struct device_subject subject;
  struct tac_error error;
  struct sums made;
  struct tac_queue *other;
  unsigned char *first[TARGETS] = {NULL};
  open_subject(&subject, 1, 0);
  expect_ok(tac_queue_open(&other, subject.device, 1, 1, &error), &error);
  make_sums(&made, subject.device, TAC_DEVICE_COMPLEX32, &random);
  fill_sums(&made, subject.queue, &random);
  for (int round = 0; round < 2 * DENSE_KERNEL_FORMS; round++) {
    struct tac_queue *queue = round & 1 ? other : subject.queue;
    struct tac_device_blocks *blocks;
    expect_ok(tac_device_blocks_create_form(&blocks, subject.device, TAC_DEVICE_COMPLEX32, dense_forms[round / 2], &error),
              &error);
    for (int i = 0; i < TARGETS; i++)
      dense_elements_send(&made.to[i], queue);
    expect_ok(tac_device_blocks_plan(blocks, queue, made.block, BLOCKS, made.term, made.terms, &error), &error);
    run_sums(&made, blocks, queue, 0);
    for (int i = 0; i < TARGETS; i++)
      dense_expect_same_bytes(&first[i], &made.to[i], queue);
    tac_device_blocks_destroy(&blocks);
  }
  for (int i = 0; i < TARGETS; i++)
    free(first[i]);
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
  for (size_t f = 0; f < DENSE_KERNEL_FORMS; f++) {
    struct tac_device_blocks *blocks;
    const struct tac_device_block block = {.m = 90, .n = 70, .ld = 90, .first_term = 0, .terms = 2};
    const struct tac_device_term terms[] = {{.factor = 2, .ld = 90, .op = 'N'},
                                            {.factor = -0.5, .ld = 90, .op = 'N', .source = 1}};
    dense_elements_fill(&x, subject.queue, &random);
    expect_ok(tac_device_blocks_create_form(&blocks, subject.device, TAC_DEVICE_REAL64, dense_forms[f], &error), &error);
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

static const struct tac_device_block good_block = {.m = 4, .n = 3, .ld = 4, .terms = 1};
static const struct tac_device_term good_term = {.factor = 1, .ld = 4, .op = 'N'};

START_TEST(plans_that_cannot_be_are_refused) {
  struct device_subject subject;
  struct tac_error error;
  struct tac_device_blocks *blocks;
  open_subject(&subject, 1, 0);
  expect_ok(tac_device_blocks_create(&blocks, subject.device, TAC_DEVICE_REAL64, &error), &error);
  struct tac_device_block block[] = {good_block, good_block, good_block, good_block, good_block, good_block};
  struct tac_device_term term[] = {good_term, good_term, good_term, good_term, good_term, good_term};
  block[0].m = -1;
  block[1].ld = 3;
  block[2].first_term = 1;
  block[3].terms = 2;
  block[4].target = -1;
  block[5].target = TARGETS;
  term[0].op = 'T';
  term[1].ld = 3;
  term[2].source = SOURCES;
  term[4].source = -1;
  term[3].op = 'C';
  term[3].ld = 2;
  term[5].op = 'c';
  for (int i = 0; i < 6; i++) {
    ck_assert_int_eq(tac_device_blocks_plan(blocks, subject.queue, &block[i], 1, &good_term, 1, &error), TAC_STATUS_INVALID);
    ck_assert_uint_eq(error.item, 0);
    ck_assert_int_eq(tac_device_blocks_plan(blocks, subject.queue, &good_block, 1, &term[i], 1, &error), TAC_STATUS_INVALID);
  }
  static struct tac_device_block many[1 << 14]; /* whose pieces number a multiple of 2^64 */
  for (size_t i = 0; i < sizeof many / sizeof *many; i++)
    many[i] = (struct tac_device_block){.m = INT32_MAX, .n = INT32_MAX, .ld = INT32_MAX};
  ck_assert_int_eq(tac_device_blocks_plan(blocks, subject.queue, many, sizeof many / sizeof *many, NULL, 0, &error),
                   TAC_STATUS_INVALID);
  tac_device_blocks_destroy(&blocks);
  ck_assert_ptr_null(blocks);
  tac_device_blocks_destroy(&blocks);
  close_subject(&subject);
}
END_TEST

START_TEST(arrays_that_are_too_short_are_refused) {
  struct device_subject subject;
  struct tac_error error;
  struct dense_elements x;
  struct tac_device_blocks *blocks;
  open_subject(&subject, 1, 0);
  expect_ok(tac_device_blocks_create(&blocks, subject.device, TAC_DEVICE_REAL64, &error), &error);
  dense_elements_create(&x, subject.device, TAC_DEVICE_REAL64, 64);
  const struct tac_device_array at = dense_elements_at(&x, 0), none = {NULL, 0};
  const struct tac_device_array beyond = dense_elements_at(&x, tac_device_memory_bytes(x.memory) / sizeof(double) - 11);
  expect_ok(tac_device_blocks_plan(blocks, subject.queue, &good_block, 1, &good_term, 1, &error), &error);
  ck_assert_int_eq(tac_device_blocks_run(blocks, subject.queue, at, beyond, none, &error), TAC_STATUS_INVALID);
  ck_assert_int_eq(tac_device_blocks_run(blocks, subject.queue, beyond, at, none, &error), TAC_STATUS_INVALID);
  ck_assert_int_eq(tac_device_blocks_run(blocks, subject.queue, at, none, none, &error), TAC_STATUS_INVALID);
  struct tac_device_block wraps = good_block; /* an end that cannot be counted */
  wraps.to = SIZE_MAX - 2;
  expect_ok(tac_device_blocks_plan(blocks, subject.queue, &wraps, 1, &good_term, 1, &error), &error);
  ck_assert_int_eq(tac_device_blocks_run(blocks, subject.queue, at, at, none, &error), TAC_STATUS_INVALID);
  expect_ok(tac_device_blocks_plan(blocks, subject.queue, &good_block, 1, &good_term, 1, &error), &error);
  expect_ok(tac_device_blocks_run(blocks, subject.queue, at, at, none, &error), &error);
  expect_ok(tac_device_blocks_plan(blocks, subject.queue, NULL, 0, NULL, 0, &error), &error);
  expect_ok(tac_device_blocks_run(blocks, subject.queue, none, none, none, &error), &error);
  expect_ok(tac_queue_finish(subject.queue, "test", &error), &error);
  tac_device_blocks_destroy(&blocks);
  dense_elements_destroy(&x);
  close_subject(&subject);
}
END_TEST

static void add_tests(TCase *cases) {
  tcase_add_loop_test(cases, sums_are_those_of_the_host, 0, DENSE_CASES);
  tcase_add_test(cases, bits_do_not_depend_on_the_queue);
  tcase_add_test(cases, a_block_may_be_a_term_of_itself);
  tcase_add_test(cases, plans_that_cannot_be_are_refused);
  tcase_add_test(cases, arrays_that_are_too_short_are_refused);
}

int main(int argc, char **argv) {
  return run_device_cases(argc, argv, "dense_blocks", add_tests);
}
