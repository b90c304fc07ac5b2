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

START_TEST(no_rest_while_taking_part_pays) {
  struct tac_patience patience;
  tac_patience_init(&patience, 0);
  ck_assert_int_eq(tac_patience_rest_ns(&patience, 40 * MS, 10 * MS), 0); /* four times the loss */
  ck_assert_int_eq(tac_patience_rest_ns(&patience, 81 * MS, 10 * MS), 0); /* again, counted from the last loss */
  ck_assert_int_eq(tac_patience_rest_ns(&patience, 85 * MS, 2 * MS), 8 * MS);
}
END_TEST

START_TEST(rests_grow_with_losses_in_a_row) {
  struct tac_patience patience;
  tac_patience_init(&patience, 0);
  static const int64_t rests_ms[] = {4, 8, 16, 32, 32, 32};
  int64_t now_ns = 0;
  for (size_t i = 0; i < sizeof rests_ms / sizeof *rests_ms; i++) {
    now_ns += 2 * MS;
    ck_assert_int_eq(tac_patience_rest_ns(&patience, now_ns, MS), rests_ms[i] * MS);
    patience.since_ns = now_ns += rests_ms[i] * MS;
  }
  now_ns += 4 * MS;
  ck_assert_int_eq(tac_patience_rest_ns(&patience, now_ns, MS), 0); /* it paid: from the start again */
  now_ns += 3 * MS;
  ck_assert_int_eq(tac_patience_rest_ns(&patience, now_ns, MS), 4 * MS);
}
END_TEST

START_TEST(rests_are_bounded) {
  struct tac_patience patience;
  tac_patience_init(&patience, 0);
  ck_assert_int_eq(tac_patience_rest_ns(&patience, 30 * MS, 26 * MS), 100 * MS);
  ck_assert_int_eq(tac_patience_rest_ns(&patience, 60 * MS, INT64_MAX), 100 * MS);
}
END_TEST

START_TEST(small_losses_change_nothing) {
  struct tac_patience patience;
  tac_patience_init(&patience, 0);
  ck_assert_int_eq(tac_patience_rest_ns(&patience, MS, 99999), 0);
  ck_assert_int_eq(patience.since_ns, 0);
  ck_assert_int_eq(tac_patience_rest_ns(&patience, MS / 10, 100000), 400000);
}
END_TEST

START_TEST(usage_counts_work_and_blocking) {
  struct tac_usage start = tac_usage_now(), now;
  volatile unsigned work = 0;
  do {
    for (int i = 0; i < 100000; i++)
      work = work + 1;
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
      starved_is_the_lag_within_the_wait, no_rest_while_taking_part_pays, rests_grow_with_losses_in_a_row, rests_are_bounded,
      small_losses_change_nothing,        usage_counts_work_and_blocking,
  };
  return RUN_SUITE("starvation", tests);
}
