/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <tactus/measure/operation_counts.h>

#include <float.h>
#include <math.h>

#include "tests/unit/suite.h"

enum { NEAR, UP, DOWN, PHASES };
static const char *const phases[PHASES] = {"near", "up", "down"};

static struct tac_operation_count entries[PHASES];
static struct tac_operation_counts counts;

static void set(int phase, uint64_t operations, double flops) {
  entries[phase] = (struct tac_operation_count){phases[phase], operations, flops, 1, 1};
}

static void set_all(void) {
  tac_operation_counts_init(&counts, entries, phases, PHASES, "touch", "rule 1");
  set(NEAR, 112, 224);
  set(UP, 0, 0);
  set(DOWN, 324, 600.5);
}

START_TEST(a_new_set_knows_nothing) {
  uint64_t operations = 7;
  double flops = 7;
  tac_operation_counts_init(&counts, entries, phases, PHASES, "touch", "rule 1");
  ck_assert_str_eq(counts.unit, "touch");
  ck_assert_str_eq(counts.counting_rule, "rule 1");
  ck_assert_uint_eq(counts.count, PHASES);
  for (int i = 0; i < PHASES; i++) {
    ck_assert_str_eq(counts.phases[i].phase, phases[i]);
    ck_assert_int_eq(counts.phases[i].operations_known, 0);
    ck_assert_int_eq(counts.phases[i].flops_known, 0);
  }
  ck_assert_int_eq(tac_operation_counts_total(&operations, &counts, phases, 1), 0);
  ck_assert_int_eq(tac_operation_counts_total_flops(&flops, &counts, phases, 1), 0);
  ck_assert_uint_eq(operations, 7);
  ck_assert(flops == 7);
}
END_TEST

START_TEST(totals_are_of_the_phases_asked_for) {
  uint64_t operations;
  double flops;
  set_all();
  ck_assert_int_eq(tac_operation_counts_total(&operations, &counts, phases, PHASES), 1);
  ck_assert_uint_eq(operations, 436);
  ck_assert_int_eq(tac_operation_counts_total_flops(&flops, &counts, phases, PHASES), 1);
  ck_assert(flops == 824.5);
  ck_assert_int_eq(tac_operation_counts_total(&operations, &counts, &phases[UP], 2), 1);
  ck_assert_uint_eq(operations, 324);
  ck_assert_int_eq(tac_operation_counts_total(&operations, &counts, phases, 0), 1);
  ck_assert_uint_eq(operations, 0);
  ck_assert_int_eq(tac_operation_counts_total_flops(&flops, &counts, phases, 0), 1);
  ck_assert(flops == 0);
}
END_TEST

/* Each of the two numbers has a flag of its own. */
START_TEST(an_unknown_part_blanks_the_total) {
  uint64_t operations;
  double flops;
  set_all();
  entries[UP].operations_known = 0;
  ck_assert_int_eq(tac_operation_counts_total(&operations, &counts, phases, PHASES), 0);
  ck_assert_int_eq(tac_operation_counts_total_flops(&flops, &counts, phases, PHASES), 1);
  ck_assert_int_eq(tac_operation_counts_total(&operations, &counts, phases, 1), 1);
  set_all();
  entries[DOWN].flops_known = 0;
  ck_assert_int_eq(tac_operation_counts_total(&operations, &counts, phases, PHASES), 1);
  ck_assert_int_eq(tac_operation_counts_total_flops(&flops, &counts, phases, PHASES), 0);
}
END_TEST

START_TEST(a_phase_outside_the_set_is_unknown) {
  static const char *const others[] = {"near", "elsewhere"};
  uint64_t operations;
  double flops;
  set_all();
  ck_assert_ptr_eq(tac_operation_counts_find(&counts, "down"), &entries[DOWN]);
  ck_assert_ptr_null(tac_operation_counts_find(&counts, "elsewhere"));
  ck_assert_ptr_null(tac_operation_counts_find(&counts, ""));
  ck_assert_int_eq(tac_operation_counts_total(&operations, &counts, others, 2), 0);
  ck_assert_int_eq(tac_operation_counts_total_flops(&flops, &counts, others, 2), 0);
}
END_TEST

START_TEST(a_sum_that_does_not_fit_is_unknown) {
  uint64_t sum = 3;
  ck_assert_int_eq(tac_operations_add(&sum, 4, 5), 1);
  ck_assert_uint_eq(sum, 23);
  ck_assert_int_eq(tac_operations_add(&sum, UINT64_MAX, 0), 1);
  ck_assert_int_eq(tac_operations_add(&sum, 0, UINT64_MAX), 1);
  ck_assert_int_eq(tac_operations_add(&sum, (uint64_t)1 << 32, (uint64_t)1 << 32), 0);
  ck_assert_uint_eq(sum, 23);
  ck_assert_int_eq(tac_operations_add(&sum, UINT64_MAX - 23, 1), 1);
  ck_assert_uint_eq(sum, UINT64_MAX);
  ck_assert_int_eq(tac_operations_add(&sum, 1, 1), 0);
  ck_assert_uint_eq(sum, UINT64_MAX);
  set_all();
  set(NEAR, UINT64_MAX - 324, 0);
  ck_assert_int_eq(tac_operation_counts_total(&sum, &counts, phases, PHASES), 1);
  ck_assert_uint_eq(sum, UINT64_MAX);
  entries[UP].operations = 1;
  ck_assert_int_eq(tac_operation_counts_total(&sum, &counts, phases, PHASES), 0);
}
END_TEST

START_TEST(flops_that_are_no_count_are_unknown) {
  static const double wrong[] = {NAN, INFINITY, -1};
  double flops;
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    set_all();
    entries[UP].flops = wrong[i];
    ck_assert_int_eq(tac_operation_counts_total_flops(&flops, &counts, phases, PHASES), 0);
  }
  set(UP, 0, DBL_MAX);
  set(DOWN, 0, DBL_MAX);
  ck_assert_int_eq(tac_operation_counts_total_flops(&flops, &counts, phases, PHASES), 0);
}
END_TEST

int main(void) {
  const TTest *const tests[] = {
      a_new_set_knows_nothing,
      totals_are_of_the_phases_asked_for,
      an_unknown_part_blanks_the_total,
      a_phase_outside_the_set_is_unknown,
      a_sum_that_does_not_fit_is_unknown,
      flops_that_are_no_count_are_unknown,
  };
  return RUN_SUITE("operation_counts", tests);
}
