/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <tactus/runtime/clock.h>

#include <time.h>

#include "tests/unit/suite.h"

START_TEST(monotonic_never_decreases) {
  const struct tac_clock *clock = tac_clock_monotonic();
  ck_assert_str_eq(clock->name, "CLOCK_MONOTONIC");
  int64_t first = clock->now_ns(clock->context), before = first;
  for (int i = 0; i < 100000; i++) {
    int64_t now = clock->now_ns(clock->context);
    ck_assert_int_ge(now, before);
    before = now;
  }
  ck_assert_int_gt(before, first);
}
END_TEST

/* Its readings lie between two readings of the system's own clock, so unit and origin are right. */
START_TEST(monotonic_is_the_systems_clock) {
  const struct tac_clock *clock = tac_clock_monotonic();
  struct timespec low, high;
  clock_gettime(CLOCK_MONOTONIC, &low);
  int64_t now = clock->now_ns(clock->context);
  clock_gettime(CLOCK_MONOTONIC, &high);
  ck_assert_int_ge(now, (int64_t)low.tv_sec * 1000000000 + low.tv_nsec);
  ck_assert_int_le(now, (int64_t)high.tv_sec * 1000000000 + high.tv_nsec);
}
END_TEST

START_TEST(resolution_of_the_monotonic_clock_is_positive) {
  ck_assert_int_gt(tac_clock_resolution_ns(tac_clock_monotonic(), 0), 0);
}
END_TEST

struct script {
  const int64_t *times;
  int reads;
};

static int64_t scripted_now_ns(void *context) {
  struct script *script = context;
  return script->times[script->reads++];
}

START_TEST(resolution_is_the_smallest_step_above_zero) {
  const int64_t times[] = {10, 10, 50, 57, 57, 57, 60, 100};
  struct script script = {.times = times};
  const struct tac_clock clock = {"scripted", scripted_now_ns, &script};
  ck_assert_int_eq(tac_clock_resolution_ns(&clock, 8), 3);
  ck_assert_int_eq(script.reads, 8);
  script.reads = 0;
  ck_assert_int_eq(tac_clock_resolution_ns(&clock, 3), 40);
}
END_TEST

START_TEST(resolution_of_a_standing_clock_is_zero) {
  const int64_t times[] = {5, 5, 5, 5};
  struct script script = {.times = times};
  const struct tac_clock clock = {"scripted", scripted_now_ns, &script};
  ck_assert_int_eq(tac_clock_resolution_ns(&clock, 4), 0);
}
END_TEST

int main(void) {
  const TTest *const tests[] = {
      monotonic_never_decreases,
      monotonic_is_the_systems_clock,
      resolution_of_the_monotonic_clock_is_positive,
      resolution_is_the_smallest_step_above_zero,
      resolution_of_a_standing_clock_is_zero,
  };
  return RUN_SUITE("clock", tests);
}
