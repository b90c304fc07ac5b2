/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "runtime/starvation.h"

#include <time.h>

#include "tests/unit/suite.h"

#define MS 1000000

START_TEST(starved_is_the_lag_within_the_wait) {
  const struct tac_usage before = {.wall_ns = 100 * MS, .processor_ns = 7 * MS, .blocked = 3};
  static const struct {
    struct tac_usage now;
    int64_t waited_ns, starved_ns;
  } cases[] = {
      {{110 * MS, 17 * MS, 3}, 9 * MS, 0},     /* it ran all the time */
      {{110 * MS, 9 * MS, 3}, 9 * MS, 8 * MS}, /* ten passed, two of them on a processor */
      {{110 * MS, 9 * MS, 3}, 5 * MS, 5 * MS}, /* the caller waited for five of the eight */
      {{110 * MS, 9 * MS, 4}, 9 * MS, 0},      /* it blocked of itself */
      {{110 * MS, 18 * MS, 3}, 9 * MS, 0},     /* the processor's clock is coarser and ahead */
      {{110 * MS, 9 * MS, 3}, -1, 0},          /* the wait is a later batch's */
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    ck_assert_int_eq(tac_starved_ns(&before, &cases[i].now, cases[i].waited_ns), cases[i].starved_ns);
}
END_TEST

START_TEST(rest_is_eight_times_the_loss_and_bounded) {
  ck_assert_int_eq(tac_rest_ns(0), 0);
  ck_assert_int_eq(tac_rest_ns(99999), 0);
  ck_assert_int_eq(tac_rest_ns(100000), 800000);
  ck_assert_int_eq(tac_rest_ns(4 * MS), 32 * MS);
  ck_assert_int_eq(tac_rest_ns(12 * MS), 96 * MS);
  ck_assert_int_eq(tac_rest_ns(13 * MS), 100 * MS);
  ck_assert_int_eq(tac_rest_ns(INT64_MAX), 100 * MS);
}
END_TEST

START_TEST(usage_counts_work_and_blocking) {
  struct tac_usage start = tac_usage_now(), now;
  volatile unsigned work = 0;
  do {
    for (int i = 0; i < 100000; i++)
      work += 1;
    now = tac_usage_now();
  } while (now.processor_ns < start.processor_ns + 5 * MS);
  ck_assert_int_gt(now.wall_ns, start.wall_ns);
  nanosleep(&(struct timespec){.tv_nsec = MS}, NULL);
  struct tac_usage after = tac_usage_now();
  ck_assert_int_gt(after.blocked, now.blocked);
  ck_assert_int_ge(after.wall_ns - now.wall_ns, MS);
}
END_TEST

int main(void) {
  const TTest *const tests[] = {
      starved_is_the_lag_within_the_wait,
      rest_is_eight_times_the_loss_and_bounded,
      usage_counts_work_and_blocking,
  };
  return RUN_SUITE("starvation", tests);
}
