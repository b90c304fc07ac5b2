/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "measure/spans.h"

#include <string.h>

#include "tests/unit/seed.h"
#include "tests/unit/suite.h"

enum { MOST = 64 };

struct expected {
  struct tac_span spans[8];
  size_t count;
  int64_t sum_ns, union_ns;
  uint64_t peak;
};

static void expect(const struct expected *expected) {
  struct tac_span spans[8];
  int64_t scratch[8];
  memcpy(spans, expected->spans, sizeof spans);
  tac_spans_sort(spans, expected->count);
  ck_assert_int_eq(tac_spans_sum_ns(spans, expected->count), expected->sum_ns);
  ck_assert_int_eq(tac_spans_union_ns(spans, expected->count), expected->union_ns);
  ck_assert_uint_eq(tac_spans_peak_overlap(spans, expected->count, scratch), expected->peak);
}

START_TEST(hand_made_spans_give_hand_computed_values) {
  static const struct expected cases[] = {
      {.count = 0},
      {{{10, 30}}, 1, 20, 20, 1},
      {{{10, 30}, {50, 60}}, 2, 30, 30, 1},           /* apart */
      {{{50, 60}, {10, 30}}, 2, 30, 30, 1},           /* in another order */
      {{{10, 30}, {20, 40}}, 2, 40, 30, 2},           /* overlapping */
      {{{10, 40}, {20, 30}}, 2, 40, 30, 2},           /* one within the other */
      {{{10, 20}, {10, 20}, {10, 20}}, 3, 30, 10, 3}, /* the same */
      {{{10, 90}, {20, 30}, {30, 40}, {35, 50}}, 4, 115, 80, 3},
      {{{-30, -10}, {-20, 5}}, 2, 45, 35, 2}, /* before the clock's zero */
      {{{0, 10}, {5, 25}, {20, 30}, {28, 40}, {29, 35}}, 5, 10 + 20 + 10 + 12 + 6, 40, 3},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    expect(&cases[i]);
}
END_TEST

START_TEST(what_ends_when_another_starts_does_not_overlap_it) {
  expect(&(struct expected){{{10, 20}, {20, 30}, {30, 40}}, 3, 30, 30, 1});
  expect(&(struct expected){{{10, 20}, {10, 20}, {20, 30}, {20, 30}}, 4, 40, 20, 2});
}
END_TEST

START_TEST(a_span_of_zero_length_counts_one) {
  expect(&(struct expected){{{5, 5}}, 1, 0, 0, 1});
  expect(&(struct expected){{{5, 5}, {5, 5}, {5, 5}}, 3, 0, 0, 1}); /* one after the other, for all that one knows */
  expect(&(struct expected){{{0, 10}, {5, 5}}, 2, 10, 10, 2});      /* within */
  expect(&(struct expected){{{0, 10}, {5, 5}, {5, 5}}, 3, 10, 10, 2});
  expect(&(struct expected){{{0, 5}, {5, 5}, {5, 10}}, 3, 10, 10, 1}); /* between */
  expect(&(struct expected){{{0, 10}, {2, 8}, {4, 4}}, 3, 16, 10, 3});
  expect(&(struct expected){{{0, 10}, {0, 0}, {10, 10}}, 3, 10, 10, 1}); /* at the ends */
}
END_TEST

/* Counts instant by instant, half an instant apart, over small whole times. */
static void count_instants(const struct tac_span *spans, size_t count, int64_t *union_ns, uint64_t *peak) {
  *union_ns = 0;
  *peak = 0;
  for (int64_t at = 0; at < 40; at++) {
    uint64_t open = 0, through = 0;
    int zero = 0;
    for (size_t i = 0; i < count; i++) {
      open += spans[i].start_ns <= at && at < spans[i].finish_ns;
      through += spans[i].start_ns < at && at < spans[i].finish_ns;
      zero |= spans[i].start_ns == at && spans[i].finish_ns == at;
    }
    *union_ns += open > 0;
    if (zero && through + 1 > *peak)
      *peak = through + 1;
    if (open > *peak)
      *peak = open;
  }
}

START_TEST(random_spans_agree_with_counting) {
  srand((unsigned)test_seed());
  for (int round = 0; round < 2000; round++) {
    struct tac_span spans[MOST];
    int64_t scratch[MOST], union_ns, sum_ns = 0;
    uint64_t peak;
    const size_t count = (size_t)(rand() % (round % 2 ? 6 : MOST));
    for (size_t i = 0; i < count; i++) {
      spans[i].start_ns = rand() % 30;
      spans[i].finish_ns = spans[i].start_ns + rand() % 8;
      sum_ns += spans[i].finish_ns - spans[i].start_ns;
    }
    count_instants(spans, count, &union_ns, &peak);
    tac_spans_sort(spans, count);
    ck_assert_int_eq(tac_spans_sum_ns(spans, count), sum_ns);
    ck_assert_int_eq(tac_spans_union_ns(spans, count), union_ns);
    ck_assert_uint_eq(tac_spans_peak_overlap(spans, count, scratch), peak);
  }
}
END_TEST

int main(void) {
  const TTest *const tests[] = {hand_made_spans_give_hand_computed_values, what_ends_when_another_starts_does_not_overlap_it,
                                a_span_of_zero_length_counts_one, random_spans_agree_with_counting};
  return RUN_SUITE("spans", tests);
}
