/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "measure/cost_comparison.h"

#include <limits.h>
#include <string.h>

#include "tests/unit/counting_allocator.h"
#include "tests/unit/suite.h"

static struct tac_cost_comparison compare(const struct tac_seen_batch *batch, size_t batches) {
  struct tac_cost_comparison out;
  ck_assert_int_eq(tac_cost_compare(&out, batch, batches, NULL, NULL), TAC_STATUS_OK);
  return out;
}

/* Five items on two lanes. In the order of the indices 1 1 | 1 1, then 4: it ends at 6. The costs of the second batch put the
 * long one first: 4 | 1 1 1 1, the best there is. The predictions put a short one first: 6 again. */
START_TEST(orders_by_hand) {
  const int64_t duration[] = {1000, 1000, 1000, 1000, 4000};
  const double right[] = {1, 1, 1, 1, 4}, wrong[] = {4e-6, 1e-6, 1e-6, 1e-6, 1e-6};
  const struct tac_seen_batch batch[] = {{5, 2, 0, 7000, duration, NULL, wrong}, {5, 2, 0, 5000, duration, right, wrong}};
  struct tac_cost_comparison c = compare(batch, 1);
  ck_assert_uint_eq(c.batches, 1);
  ck_assert_int_eq(c.item_ns, 8000);
  ck_assert_int_eq(c.times.seen_ns, 14000);
  ck_assert_int_eq(c.times.recorded_ns, 12000);
  ck_assert_int_eq(c.times.predicted_ns, 12000);
  ck_assert_int_eq(c.times.known_ns, 8000);
  ck_assert_int_eq(c.times.bound_ns, 8000);
  c = compare(batch, 2);
  ck_assert_uint_eq(c.batches, 2);
  ck_assert_int_eq(c.times.seen_ns, 24000);
  ck_assert_int_eq(c.times.recorded_ns, 20000);
  ck_assert_int_eq(c.times.predicted_ns, 24000);
  ck_assert_int_eq(c.times.known_ns, 16000);
  ck_assert_double_eq_tol(tac_idle_share(c.item_ns, c.times.recorded_ns), 0.2, 1e-15);
  ck_assert(tac_idle_share(c.item_ns, c.times.bound_ns) == 0);
  ck_assert(tac_idle_share(0, 0) == 0);
}
END_TEST

/* Of more lanes than items all but one an item are idle; neither their number nor long times break a sum. */
START_TEST(many_lanes_and_long_times) {
  const int64_t duration[] = {1000, 3000}, long_duration[] = {INT64_C(1) << 60, 1};
  const double predicted[] = {1e-6, 3e-6};
  struct tac_seen_batch batch = {2, INT_MAX, 0, 3000, duration, NULL, predicted};
  const struct tac_cost_comparison c = compare(&batch, 1);
  ck_assert_int_eq(c.times.seen_ns, INT64_C(3000) * INT_MAX);
  ck_assert_int_eq(c.times.recorded_ns, INT64_C(3000) * INT_MAX);
  ck_assert_int_eq(c.times.bound_ns, INT64_C(3000) * INT_MAX);
  struct tac_cost_comparison out;
  struct tac_error error;
  batch.wall_ns = INT64_C(1) << 60;
  ck_assert_int_eq(tac_cost_compare(&out, &batch, 1, NULL, &error), TAC_STATUS_INVALID);
  ck_assert_ptr_nonnull(strstr(error.text, "no run takes that long"));
  batch = (struct tac_seen_batch){2, 8, 0, 3000, long_duration, NULL, predicted};
  ck_assert_int_eq(tac_cost_compare(&out, &batch, 1, NULL, &error), TAC_STATUS_INVALID);
}
END_TEST

/* Ratios 1/2, 1, 2, 4 and 4 of five items: the tenth lies four tenths of the way from the first to the second. */
START_TEST(ratios_by_hand) {
  const int64_t duration[] = {2000, 1000, 1000}, other[] = {1000, 1000};
  const double predicted[] = {1e-6, 1e-6, 2e-6}, above[] = {4e-6, 4e-6};
  const struct tac_seen_batch batch[] = {{3, 1, 1, 5000, duration, NULL, predicted}, {2, 2, 1, 3000, other, NULL, above}};
  const struct tac_cost_comparison c = compare(batch, 2);
  ck_assert_uint_eq(c.items, 5);
  ck_assert_double_eq_tol(c.median_ratio, 2, 1e-12);
  ck_assert_double_eq_tol(c.lower_ratio, 0.7, 1e-12);
  ck_assert_double_eq_tol(c.upper_ratio, 4, 1e-12);
  ck_assert_uint_eq(c.batches, 0); /* both ran on one lane */
  ck_assert_int_eq(c.times.seen_ns, 0);
}
END_TEST

START_TEST(a_duration_of_nothing_counts_as_the_shortest) {
  const int64_t duration = 0;
  const double predicted = 3e-7;
  const struct tac_seen_batch batch = {1, 2, 0, 10, &duration, NULL, &predicted};
  const struct tac_cost_comparison c = compare(&batch, 1);
  ck_assert_double_eq_tol(c.median_ratio, 3, 1e-12);
  ck_assert(c.rank_correlation == 0); /* of one item there is none */
}
END_TEST

START_TEST(rank_correlations_by_hand) {
  const int64_t rising[] = {1, 2, 3, 4}, tied[] = {1, 2, 2, 3};
  const double up[] = {10, 20, 30, 40}, down[] = {4, 3, 2, 1}, flat[] = {5, 5, 5, 5}, mixed[] = {1, 2, 4, 3};
  const struct {
    const int64_t *duration;
    const double *predicted;
    double expected;
  } cases[] = {{rising, up, 1},
               {rising, down, -1},
               {rising, flat, 0},
               {rising, mixed, 0.8},        /* 1 - 6 * (1 + 1) / (4 * 15) */
               {tied, up, 0.9486832980505}, /* ranks 1 2.5 2.5 4: 4.5 / sqrt(4.5 * 5) */
               {tied, flat, 0}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const struct tac_seen_batch batch = {4, 1, 1, 10, cases[i].duration, NULL, cases[i].predicted};
    ck_assert_double_eq_tol(compare(&batch, 1).rank_correlation, cases[i].expected, 1e-12);
  }
  /* Within batches: between them predictions fall while durations rise, which does not matter; a single item does not count. */
  const int64_t two[] = {100, 200}, one[] = {1};
  const double two_predicted[] = {0.1, 0.2};
  const struct tac_seen_batch batch[] = {
      {2, 1, 1, 300, two, NULL, two_predicted}, {4, 1, 1, 10, rising, NULL, down}, {1, 1, 1, 1, one, NULL, up}};
  ck_assert_double_eq_tol(compare(batch, 3).rank_correlation, (2 * 1 + 4 * -1) / 6.0, 1e-12);
}
END_TEST

START_TEST(nothing_and_no_memory) {
  const struct tac_cost_comparison c = compare(NULL, 0);
  ck_assert_uint_eq(c.items, 0);
  ck_assert(c.median_ratio == 0);
  struct counting counting = {.largest = SIZE_MAX, .left = 0};
  const struct tac_allocator allocator = {counting_allocate, counting_release, &counting};
  const int64_t duration = 1;
  const double predicted = 1;
  const struct tac_seen_batch batch = {1, 2, 0, 10, &duration, NULL, &predicted};
  struct tac_cost_comparison out;
  ck_assert_int_eq(tac_cost_compare(&out, &batch, 1, &allocator, NULL), TAC_STATUS_MEMORY);
}
END_TEST

int main(void) {
  const TTest *const tests[] = {orders_by_hand,
                                many_lanes_and_long_times,
                                ratios_by_hand,
                                a_duration_of_nothing_counts_as_the_shortest,
                                rank_correlations_by_hand,
                                nothing_and_no_memory};
  return RUN_SUITE("cost_comparison", tests);
}
