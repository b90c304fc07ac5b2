/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "runtime/nearest_name.h"

#include <string.h>

#include "tests/unit/suite.h"

START_TEST(distances_by_hand) {
  static const struct {
    const char *a, *b;
    size_t distance;
  } cases[] = {
      {"", "", 0},         {"abc", "abc", 0},       {"", "abc", 3},     {"abc", "", 3},
      {"abc", "abd", 1},   {"abc", "ab", 1},        {"abc", "xabc", 1}, {"kitten", "sitting", 3},
      {"flaw", "lawn", 2}, {"serial", "openmp", 6}, {"ab", "ba", 2},    {"intention", "execution", 5},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    ck_assert_uint_eq(tac_name_distance(cases[i].a, cases[i].b), cases[i].distance);
    ck_assert_uint_eq(tac_name_distance(cases[i].b, cases[i].a), cases[i].distance);
  }
}
END_TEST

START_TEST(only_the_beginning_of_a_long_name_counts) {
  char a[300], b[300];
  memset(a, 'x', sizeof a - 1);
  memset(b, 'x', sizeof b - 1);
  a[sizeof a - 1] = b[sizeof b - 1] = '\0';
  b[100] = 'y';
  ck_assert_uint_eq(tac_name_distance(a, b), 0);
  b[10] = 'y';
  ck_assert_uint_eq(tac_name_distance(a, b), 1);
}
END_TEST

START_TEST(nearest_is_the_first_of_the_least) {
  const char *const names[] = {"sites", "steady-sweeps", "states", "seed"};
  ck_assert_str_eq(tac_nearest_name("sweeds", names, 4), "seed");
  ck_assert_str_eq(tac_nearest_name("site", names, 4), "sites");
  ck_assert_str_eq(tac_nearest_name("state", names, 4), "states");
  ck_assert_str_eq(tac_nearest_name("steady-swep", names, 4), "steady-sweeps");
  const char *const equals[] = {"abx", "aby"};
  ck_assert_str_eq(tac_nearest_name("abz", equals, 2), "abx");
}
END_TEST

/* Two changes at most, and fewer than half of the longer name. */
START_TEST(a_slip_is_short) {
  static const struct {
    const char *typed, *name;
    int near;
  } cases[] = {
      {"treads", "threads", 1},           /* 1 of 7 */
      {"tread", "threads", 1},            /* 2 of 7 */
      {"trad", "threads", 0},             /* 3 of 7 */
      {"thr", "threads", 0},              /* 4 of 7 */
      {"ab", "abc", 1},                   /* 1 of 3 */
      {"a", "abc", 0},                    /* 2 of 3 */
      {"a", "ab", 0},                     /* 1 of 2 */
      {"disc", "disk", 1},                /* 1 of 4 */
      {"dick", "disc", 0},                /* 2 of 4 */
      {"gpu", "cuda", 0},                 /* 3 of 4 */
      {"cpu", "cuda", 0},                 /* 3 of 4 */
      {"host", "cuda", 0},                /* 4 of 4 */
      {"cuba", "cuda", 1},                /* 1 of 4 */
      {"uda", "cuda", 1},                 /* 1 of 4 */
      {"opnecl", "opencl", 1},            /* 2 of 6 */
      {"omp", "openmp", 0},               /* 3 of 6 */
      {"maxsttes", "max-states", 1},      /* 2 of 10 */
      {"max-sttes-and", "max-states", 0}, /* 5 of 13 */
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const char *nearest = tac_nearest_name(cases[i].typed, &cases[i].name, 1);
    ck_assert_msg((nearest != NULL) == cases[i].near, "%s and %s", cases[i].typed, cases[i].name);
  }
}
END_TEST

START_TEST(a_stranger_has_no_nearest) {
  const char *const names[] = {"serial", "threads"};
  ck_assert_ptr_null(tac_nearest_name("qqqqqq", names, 2));
  ck_assert_ptr_null(tac_nearest_name("", names, 2));
  ck_assert_ptr_null(tac_nearest_name("serial", names, 0));
}
END_TEST

int main(void) {
  const TTest *const tests[] = {
      distances_by_hand,         only_the_beginning_of_a_long_name_counts, nearest_is_the_first_of_the_least, a_slip_is_short,
      a_stranger_has_no_nearest,
  };
  return RUN_SUITE("nearest_name", tests);
}
