/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/tactus/comparison.h"

#include <float.h>
#include <math.h>

#include "tests/unit/suite.h"

enum { RUNS_MOST = 32 };

/* Of all orders of two sides' runs, one a choice of the places that the base's have: those of which one has ranges apart. */
static double orders_by_one_apart(size_t base, size_t with) {
  const size_t all = base + with;
  size_t orders = 0, apart = 0;
  for (uint64_t places = ((uint64_t)1 << base) - 1; places < (uint64_t)1 << all; orders++) {
    double values[TAC_SIDES][RUNS_MOST];
    size_t count[TAC_SIDES] = {0, 0};
    for (size_t place = 0; place < all; place++) {
      const enum tac_side side = places >> place & 1 ? TAC_SIDE_BASE : TAC_SIDE_NEW;
      values[side][count[side]++] = (double)(place + 1);
    }
    const struct tac_spread of_base = tac_spread_of(values[TAC_SIDE_BASE], base),
                            of_new = tac_spread_of(values[TAC_SIDE_NEW], with);
    apart += of_new.least > of_base.most || of_new.most < of_base.least;
    /* The next larger number with as many bits. */
    const uint64_t lowest = places & (~places + 1), carried = places + lowest;
    places = carried | (((carried ^ places) / lowest) >> 2);
  }
  return (double)orders / (double)apart;
}

START_TEST(the_chance_is_that_of_all_orders) {
  static const size_t runs[][TAC_SIDES] = {{1, 1},  {1, 4},  {3, 3},  {3, 5},   {5, 5},  {9, 9},  {3, 10}, {10, 3},
                                           {12, 3}, {4, 13}, {9, 10}, {10, 10}, {3, 20}, {20, 4}, {20, 1}, {2, 30}};
  for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
    const double counted = orders_by_one_apart(runs[i][TAC_SIDE_BASE], runs[i][TAC_SIDE_NEW]);
    const double told = tac_chance_of_apart(runs[i][TAC_SIDE_BASE], runs[i][TAC_SIDE_NEW]);
    ck_assert_double_eq_tol(told / counted, 1, 1e-12);
  }
}
END_TEST

START_TEST(the_chance_is_known_for_some) {
  static const struct {
    size_t base, with;
    double one_in;
  } known[] = {{3, 3, 10}, {4, 4, 35}, {5, 5, 126}, {10, 10, 915}, {12, 12, 9325}, {3, 12, 57}, {12, 3, 57}};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    ck_assert_double_eq(round(tac_chance_of_apart(known[i].base, known[i].with)), known[i].one_in);
}
END_TEST

START_TEST(many_runs_have_a_chance) {
  ck_assert_double_eq_tol(tac_chance_of_apart(200, 200) / 1.9529610883738695e64, 1, 1e-12);
  ck_assert_double_eq(tac_chance_of_apart(1000, 1000), DBL_MAX);
}
END_TEST

START_TEST(a_tenth_is_left_aside_at_either_end) {
  double values[RUNS_MOST];
  for (size_t count = 1; count <= 30; count++) {
    for (size_t i = 0; i < count; i++)
      values[i] = (double)(count - i);
    const struct tac_spread spread = tac_spread_of(values, count);
    ck_assert_uint_eq(tac_runs_left_aside(count), count < 10 ? 0 : count < 20 ? 1 : count < 30 ? 2 : 3);
    ck_assert_double_eq(spread.least, 1 + (double)tac_runs_left_aside(count));
    ck_assert_double_eq(spread.most, (double)(count - tac_runs_left_aside(count)));
    ck_assert_double_eq(spread.median, (double)(count + 1) / 2);
  }
}
END_TEST

int main(void) {
  const TTest *const tests[] = {the_chance_is_that_of_all_orders, the_chance_is_known_for_some, many_runs_have_a_chance,
                                a_tenth_is_left_aside_at_either_end};
  return RUN_SUITE("comparison", tests);
}
