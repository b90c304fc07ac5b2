/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <tactus/runtime/executor.h>

#include <sched.h>

#include "tests/unit/suite.h"

START_TEST(counts_the_affinity_mask) {
  cpu_set_t mask;
  ck_assert_int_eq(sched_getaffinity(0, sizeof mask, &mask), 0);
  ck_assert_int_eq(tac_processors_allowed(), CPU_COUNT(&mask));
}
END_TEST

START_TEST(follows_a_narrower_mask) {
  cpu_set_t mask, one;
  ck_assert_int_eq(sched_getaffinity(0, sizeof mask, &mask), 0);
  int first = 0;
  while (!CPU_ISSET(first, &mask))
    first++;
  CPU_ZERO(&one);
  CPU_SET(first, &one);
  ck_assert_int_eq(sched_setaffinity(0, sizeof one, &one), 0);
  ck_assert_int_eq(tac_processors_allowed(), 1);
}
END_TEST

int main(void) {
  const TTest *const tests[] = {counts_the_affinity_mask, follows_a_narrower_mask};
  return RUN_SUITE("processors", tests);
}
