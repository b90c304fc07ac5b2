/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "measure/saturate.h"

#include <math.h>

#include "tests/unit/suite.h"

START_TEST(counts_stop_at_the_largest) {
  ck_assert_uint_eq(tac_sum_counts(2, 3), 5);
  ck_assert_uint_eq(tac_sum_counts(UINT64_MAX - 3, 3), UINT64_MAX);
  ck_assert_uint_eq(tac_sum_counts(UINT64_MAX - 3, 4), UINT64_MAX);
}
END_TEST

START_TEST(times_stop_at_both_ends) {
  static const int64_t sums[][3] = {{2, -3, -1},
                                    {INT64_MAX - 1, 1, INT64_MAX},
                                    {INT64_MAX, 1, INT64_MAX},
                                    {INT64_MIN, -1, INT64_MIN},
                                    {INT64_MIN, INT64_MAX, -1}};
  static const int64_t differences[][3] = {{2, 3, -1},
                                           {INT64_MIN, 1, INT64_MIN},
                                           {-2, INT64_MAX, INT64_MIN},
                                           {0, INT64_MIN, INT64_MAX},
                                           {-1, INT64_MIN, INT64_MAX},
                                           {INT64_MAX, -1, INT64_MAX}};
  for (size_t i = 0; i < sizeof sums / sizeof *sums; i++)
    ck_assert_int_eq(tac_sum_times(sums[i][0], sums[i][1]), sums[i][2]);
  for (size_t i = 0; i < sizeof differences / sizeof *differences; i++)
    ck_assert_int_eq(tac_less_time(differences[i][0], differences[i][1]), differences[i][2]);
  ck_assert_int_eq(tac_times_of(7, 0), 0);
  ck_assert_int_eq(tac_times_of(INT64_MAX / 3, 3), INT64_MAX / 3 * 3);
  ck_assert_int_eq(tac_times_of(INT64_MAX / 3 + 1, 3), INT64_MAX);
}
END_TEST

START_TEST(a_number_that_is_no_time_has_one) {
  static const double numbers[] = {2.5, 2.4, -2.5, (double)INT64_MAX, 1e300, -1e300, INFINITY, NAN};
  static const int64_t times[] = {3, 2, -3, INT64_MAX, INT64_MAX, INT64_MIN, INT64_MAX, 0};
  for (size_t i = 0; i < sizeof times / sizeof *times; i++)
    ck_assert_int_eq(tac_whole_time(numbers[i]), times[i]);
}
END_TEST

int main(void) {
  const TTest *const tests[] = {counts_stop_at_the_largest, times_stop_at_both_ends, a_number_that_is_no_time_has_one};
  return RUN_SUITE("saturate", tests);
}
