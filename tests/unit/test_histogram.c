/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "measure/histogram.h"

#include "tests/unit/suite.h"

/* Every bucket begins where the one before it ends: its least duration falls into it, one less does not. */
START_TEST(buckets_follow_one_another) {
  for (size_t bucket = 1; bucket < TAC_HISTOGRAM_BUCKETS; bucket++) {
    const int64_t least_ns = tac_histogram_least_ns(bucket);
    ck_assert_uint_eq(tac_histogram_bucket(least_ns), bucket);
    ck_assert_uint_eq(tac_histogram_bucket(least_ns - 1), bucket - 1);
    const int64_t width_ns = least_ns - tac_histogram_least_ns(bucket - 1);
    ck_assert_int_ge(width_ns, 1);
    ck_assert(width_ns == 1 || 16 * width_ns <= tac_histogram_least_ns(bucket - 1));
  }
  ck_assert_uint_eq(tac_histogram_bucket(INT64_MAX), TAC_HISTOGRAM_BUCKETS - 1);
  ck_assert_uint_eq(tac_histogram_bucket(0), 0);
  ck_assert_uint_eq(tac_histogram_bucket(-5), 0);
}
END_TEST

START_TEST(small_durations_are_exact_and_large_ones_are_near) {
  static const int64_t expected[][2] = {{1, 1},   {15, 15}, {16, 16},    {31, 31},     {33, 32},         {35, 34},
                                        {63, 62}, {64, 64}, {1000, 992}, {1024, 1024}, {999999, 983040}, {1048576, 1048576}};
  for (size_t i = 0; i < sizeof expected / sizeof *expected; i++)
    ck_assert_int_eq(tac_histogram_least_ns(tac_histogram_bucket(expected[i][0])), expected[i][1]);
}
END_TEST

START_TEST(percentiles_are_of_the_item_that_the_rank_names) {
  static struct tac_histogram histogram;
  histogram = (struct tac_histogram){0};
  ck_assert_int_eq(tac_histogram_percentile_ns(&histogram, 500), 0);
  for (int ns = 1; ns <= 20; ns++)
    tac_histogram_add(&histogram, ns);
  static const int expected[][2] = {{0, 1}, {1, 1}, {50, 1}, {51, 2}, {500, 10}, {501, 11}, {950, 19}, {999, 20}, {1000, 20}};
  for (size_t i = 0; i < sizeof expected / sizeof *expected; i++)
    ck_assert_int_eq(tac_histogram_percentile_ns(&histogram, expected[i][0]), expected[i][1]);
}
END_TEST

/* 2000 items, of which the two longest are the last thousandth. */
START_TEST(ranks_of_many_items_do_not_round_away) {
  static struct tac_histogram histogram;
  histogram = (struct tac_histogram){0};
  for (int i = 0; i < 1998; i++)
    tac_histogram_add(&histogram, 3);
  tac_histogram_add(&histogram, 7);
  tac_histogram_add(&histogram, 7);
  ck_assert_int_eq(tac_histogram_percentile_ns(&histogram, 999), 3);
  ck_assert_int_eq(tac_histogram_percentile_ns(&histogram, 1000), 7);
  tac_histogram_add(&histogram, 7);
  ck_assert_int_eq(tac_histogram_percentile_ns(&histogram, 999), 7);
}
END_TEST

int main(void) {
  const TTest *const tests[] = {buckets_follow_one_another, small_durations_are_exact_and_large_ones_are_near,
                                percentiles_are_of_the_item_that_the_rank_names, ranks_of_many_items_do_not_round_away};
  return RUN_SUITE("histogram", tests);
}
