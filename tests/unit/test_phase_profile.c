/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <tactus/measure/phase_profile.h>

#include <stdio.h>
#include <string.h>

#include "tests/unit/counting_allocator.h"
#include "tests/unit/phase_profiles.h"

START_TEST(phases_stand_in_the_order_of_their_first_record) {
  struct tac_phase_profile *profile = driven_profile();
  char name[] = "up";
  run(profile, "near", 4000);
  run(profile, name, 1000);
  name[0] = '?'; /* the profile has a copy */
  run(profile, "near", 8000);
  ck_assert_int_eq(tac_phase_record(profile, "set-up", 500, 3, NULL), TAC_STATUS_OK);
  ck_assert_int_eq(tac_phase_record(profile, "up", 20, 0, NULL), TAC_STATUS_OK);
  ck_assert_uint_eq(tac_phase_profile_count(profile), 3);
  assert_phase(profile, 0, "near", 12000, 2, 0);
  assert_phase(profile, 1, "up", 1020, 1, 0);
  assert_phase(profile, 2, "set-up", 500, 3, 0);
  ck_assert_int_eq(tac_phase_profile_total_ns(profile), 13520);
  ck_assert_int_eq(driven.reads, 6);
  const struct tac_phase near = tac_phase_profile_find(profile, "near");
  ck_assert(tac_phase_seconds(&near) == 12e-6);
  ck_assert(tac_phase_mean_seconds(&near) == 6e-6);
  tac_phase_profile_destroy(&profile);
  ck_assert_ptr_null(profile);
  tac_phase_profile_destroy(&profile);
  tac_phase_profile_destroy(NULL);
}
END_TEST

START_TEST(an_unknown_phase_and_one_never_entered_are_zeros) {
  struct tac_phase_profile *profile = create(NULL);
  double shares[1];
  const struct tac_phase unknown = tac_phase_profile_find(profile, "nowhere");
  ck_assert_str_eq(unknown.name, "nowhere");
  ck_assert_int_eq(unknown.total_ns, 0);
  ck_assert_uint_eq(unknown.calls, 0);
  ck_assert(tac_phase_mean_seconds(&unknown) == 0);
  ck_assert_ptr_null(tac_phase_profile_at(profile, 0).name);
  ck_assert_uint_eq(tac_phase_profile_count(profile), 0);
  ck_assert_int_eq(tac_phase_profile_total_ns(profile), 0);
  ck_assert_uint_eq(tac_phase_profile_shares(shares, profile, TAC_PHASE_TOTAL), 0);
  ck_assert_uint_eq(tac_phase_profile_shares(shares, profile, 10), 0);
  ck_assert_ptr_null(tac_phase_profile_withheld(profile));
  ck_assert_int_eq(tac_phase_record(profile, "", 0, 0, NULL), TAC_STATUS_OK);
  assert_phase(profile, 0, "", 0, 0, 0);
  ck_assert_uint_eq(tac_phase_profile_shares(shares, profile, TAC_PHASE_TOTAL), 0);
  ck_assert_uint_eq(tac_phase_profile_shares(shares, profile, 10), 1);
  ck_assert(shares[0] == 0);
  tac_phase_profile_destroy(&profile);
}
END_TEST

START_TEST(shares_and_the_residual_are_of_what_the_caller_gives) {
  struct tac_phase_profile *profile = driven_profile();
  double shares[2] = {7, 7};
  int64_t residual_ns = 7;
  run(profile, "a", 300);
  run(profile, "b", 100);
  ck_assert_uint_eq(tac_phase_profile_shares(shares, profile, 0), 0);
  ck_assert_uint_eq(tac_phase_profile_shares(shares, profile, -500), 0);
  ck_assert(shares[0] == 7);
  ck_assert_uint_eq(tac_phase_profile_shares(shares, profile, TAC_PHASE_TOTAL), 2);
  ck_assert(shares[0] == 0.75 && shares[1] == 0.25);
  ck_assert_uint_eq(tac_phase_profile_shares(shares, profile, 800), 2);
  ck_assert(shares[0] == 0.375 && shares[1] == 0.125);
  ck_assert_int_eq(tac_phase_profile_residual_ns(&residual_ns, profile, 450), 1);
  ck_assert_int_eq(residual_ns, 50);
  ck_assert_int_eq(tac_phase_profile_residual_ns(&residual_ns, profile, 390), 1);
  ck_assert_int_eq(residual_ns, -10);
  tac_phase_profile_destroy(&profile);
}
END_TEST

/* outer 10 + inner 20 + outer 5 ns: the inner time counts under both, and nothing that needs a partition is told. */
START_TEST(a_nested_name_is_marked_and_withholds_shares) {
  struct tac_phase_profile *profile = driven_profile();
  double shares[2];
  int64_t residual_ns = 7;
  run(profile, "inner", 1);
  ck_assert_ptr_null(tac_phase_profile_withheld(profile));
  enter(profile, "outer", 10);
  run(profile, "inner", 20);
  driven_clock_advance(&driven, 5);
  leave(profile, "outer");
  assert_phase(profile, 0, "inner", 21, 2, 1);
  assert_phase(profile, 1, "outer", 35, 1, 0);
  ck_assert_int_eq(tac_phase_profile_total_ns(profile), 56);
  ck_assert_ptr_nonnull(strstr(tac_phase_profile_withheld(profile), "inside another"));
  ck_assert_uint_eq(tac_phase_profile_shares(shares, profile, TAC_PHASE_TOTAL), 0);
  ck_assert_uint_eq(tac_phase_profile_shares(shares, profile, 100), 0);
  ck_assert_int_eq(tac_phase_profile_residual_ns(&residual_ns, profile, 100), 0);
  ck_assert_int_eq(residual_ns, 7);
  tac_phase_profile_reset(profile);
  ck_assert_ptr_null(tac_phase_profile_withheld(profile));
  enter(profile, "outer", 1);
  run(profile, "outer", 2);
  leave(profile, "outer");
  assert_phase(profile, 0, "outer", 5, 2, 1);
  tac_phase_profile_destroy(&profile);
}
END_TEST

START_TEST(a_leave_out_of_order_changes_nothing) {
  struct tac_phase_profile *profile = driven_profile();
  struct tac_error error;
  ck_assert_int_eq(tac_phase_leave(profile, "a", &error), TAC_STATUS_INVALID);
  ck_assert_ptr_nonnull(strstr(error.text, "'a' is not open"));
  enter(profile, "a", 1);
  enter(profile, "b", 1);
  ck_assert_int_eq(tac_phase_leave(profile, "a", &error), TAC_STATUS_INVALID);
  ck_assert_ptr_nonnull(strstr(error.text, "'b' was entered last"));
  ck_assert_int_eq(tac_phase_leave(profile, NULL, NULL), TAC_STATUS_INVALID);
  ck_assert_int_eq(tac_phase_enter(profile, NULL, NULL), TAC_STATUS_INVALID);
  ck_assert_int_eq(tac_phase_record(profile, NULL, 1, 1, NULL), TAC_STATUS_INVALID);
  ck_assert_int_eq(tac_phase_record(profile, "a", -1, 1, NULL), TAC_STATUS_INVALID);
  ck_assert_uint_eq(tac_phase_profile_count(profile), 0);
  leave(profile, "b");
  leave(profile, "a");
  assert_phase(profile, 1, "a", 2, 1, 0);
  ck_assert_uint_eq(tac_phase_profile_unrecorded(profile), 0);
  tac_phase_profile_destroy(&profile);
}
END_TEST

START_TEST(phases_beyond_the_depth_are_counted_as_unrecorded) {
  struct tac_phase_profile *profile = driven_profile();
  for (int i = 0; i < TAC_PHASE_DEPTH; i++)
    enter(profile, "deep", 1);
  for (int i = 0; i < 2; i++)
    ck_assert_int_eq(tac_phase_enter(profile, "deeper", NULL), TAC_STATUS_INVALID);
  for (int i = 0; i < 2; i++)
    ck_assert_int_eq(tac_phase_leave(profile, "deeper", NULL), TAC_STATUS_INVALID);
  for (int i = 0; i < TAC_PHASE_DEPTH; i++)
    leave(profile, "deep");
  /* Phase k of 64 lasts from its own enter to the end: 64 + 63 + … + 1. */
  ck_assert_uint_eq(tac_phase_profile_count(profile), 1);
  assert_phase(profile, 0, "deep", (int64_t)TAC_PHASE_DEPTH * (TAC_PHASE_DEPTH + 1) / 2, TAC_PHASE_DEPTH, 1);
  ck_assert_uint_eq(tac_phase_profile_unrecorded(profile), 2);
  tac_phase_profile_destroy(&profile);
}
END_TEST

START_TEST(time_without_calls_is_lost_as_well) {
  struct tac_phase_profile_options options = driven_options();
  options.name_limit = 1;
  struct tac_phase_profile *profile = create(&options);
  ck_assert_int_eq(tac_phase_record(profile, "one", 5, 0, NULL), TAC_STATUS_OK);
  ck_assert_int_eq(tac_phase_record(profile, "two", 0, 0, NULL), TAC_STATUS_MEMORY);
  ck_assert_ptr_null(tac_phase_profile_withheld(profile)); /* nothing is missing but a name */
  ck_assert_int_eq(tac_phase_record(profile, "two", 5, 0, NULL), TAC_STATUS_MEMORY);
  ck_assert_uint_eq(tac_phase_profile_unrecorded(profile), 1);
  ck_assert_ptr_nonnull(tac_phase_profile_withheld(profile));
  tac_phase_profile_destroy(&profile);
}
END_TEST

START_TEST(names_beyond_the_limit_are_refused) {
  struct tac_phase_profile_options options = driven_options();
  struct tac_error error;
  int64_t residual_ns;
  options.name_limit = 40;
  struct tac_phase_profile *profile = create(&options), *copy;
  char name[16];
  for (int i = 0; i < 40; i++) {
    snprintf(name, sizeof name, "phase %d", i);
    run(profile, name, i);
  }
  for (int i = 0; i < 40; i++) {
    snprintf(name, sizeof name, "phase %d", i);
    assert_phase(profile, (size_t)i, name, i, 1, 0);
  }
  run(profile, "phase 3", 10);
  enter(profile, "one more", 1);
  ck_assert_int_eq(tac_phase_leave(profile, "one more", &error), TAC_STATUS_MEMORY);
  ck_assert_ptr_nonnull(strstr(error.text, "one more"));
  ck_assert_int_eq(tac_phase_record(profile, "one more", 1, 3, NULL), TAC_STATUS_MEMORY);
  ck_assert_uint_eq(tac_phase_profile_count(profile), 40);
  assert_phase(profile, 3, "phase 3", 13, 2, 0);
  ck_assert_uint_eq(tac_phase_profile_unrecorded(profile), 4);
  ck_assert_ptr_nonnull(strstr(tac_phase_profile_withheld(profile), "lost"));
  ck_assert_int_eq(tac_phase_profile_residual_ns(&residual_ns, profile, 5000), 0);
  ck_assert_int_eq(tac_phase_profile_copy(&copy, profile, NULL), TAC_STATUS_OK);
  ck_assert_uint_eq(tac_phase_profile_unrecorded(copy), 4);
  tac_phase_profile_destroy(&copy);
  tac_phase_profile_reset(profile);
  ck_assert_uint_eq(tac_phase_profile_unrecorded(profile), 0);
  run(profile, "one more", 1);
  tac_phase_profile_destroy(&profile);
}
END_TEST

START_TEST(sums_stop_at_the_largest_value) {
  struct tac_phase_profile *profile = driven_profile();
  ck_assert_int_eq(tac_phase_record(profile, "a", INT64_MAX - 5, UINT64_MAX - 5, NULL), TAC_STATUS_OK);
  ck_assert_int_eq(tac_phase_record(profile, "a", 10, 10, NULL), TAC_STATUS_OK);
  ck_assert_int_eq(tac_phase_record(profile, "b", 10, 10, NULL), TAC_STATUS_OK);
  assert_phase(profile, 0, "a", INT64_MAX, UINT64_MAX, 0);
  ck_assert_int_eq(tac_phase_profile_total_ns(profile), INT64_MAX);
  tac_phase_profile_destroy(&profile);
}
END_TEST

START_TEST(reset_forgets_and_open_phases_start_anew) {
  struct tac_phase_profile *profile = driven_profile();
  run(profile, "a", 5);
  enter(profile, "b", 100);
  tac_phase_profile_reset(profile);
  ck_assert_uint_eq(tac_phase_profile_count(profile), 0);
  driven_clock_advance(&driven, 7);
  leave(profile, "b");
  ck_assert_uint_eq(tac_phase_profile_count(profile), 1);
  assert_phase(profile, 0, "b", 7, 1, 0);
  tac_phase_profile_destroy(&profile);
}
END_TEST

START_TEST(a_copy_is_independent) {
  struct tac_phase_profile *profile = driven_profile(), *copy;
  enter(profile, "outer", 1);
  run(profile, "inner", 2);
  ck_assert_int_eq(tac_phase_profile_copy(&copy, profile, NULL), TAC_STATUS_OK);
  leave(profile, "outer");
  tac_phase_profile_destroy(&profile);
  ck_assert_uint_eq(tac_phase_profile_count(copy), 1);
  assert_phase(copy, 0, "inner", 2, 1, 1);
  ck_assert_int_eq(tac_phase_leave(copy, "outer", NULL), TAC_STATUS_INVALID);
  run(copy, "other", 3); /* on the same clock */
  assert_phase(copy, 1, "other", 3, 1, 0);
  tac_phase_profile_destroy(&copy);
}
END_TEST

START_TEST(wrong_options_are_refused) {
  struct tac_phase_profile_options options;
  struct tac_phase_profile *profile = (void *)1;
  tac_phase_profile_options_init(&options);
  options.size--;
  ck_assert_int_eq(tac_phase_profile_create(&profile, &options, NULL), TAC_STATUS_INVALID);
  ck_assert_ptr_null(profile);
  ck_assert_int_eq(tac_phase_profile_create(NULL, NULL, NULL), TAC_STATUS_INVALID);
}
END_TEST

/* Every allocation is refused once: creation, the array, its growth, a name. What was recorded before stays. */
START_TEST(a_refused_allocation_loses_only_its_own_phase) {
  enum { NAMES = 20 };
  for (size_t left = 0; left < NAMES + 3; left++) {
    struct counting counting = COUNTING_INIT;
    const struct tac_allocator allocator = COUNTING_ALLOCATOR(&counting);
    struct tac_phase_profile_options options = driven_options();
    struct tac_phase_profile *profile;
    struct tac_error error;
    options.allocator = &allocator;
    counting.left = left;
    const enum tac_status created = tac_phase_profile_create(&profile, &options, &error);
    ck_assert_int_eq(created, left == 0 ? TAC_STATUS_MEMORY : TAC_STATUS_OK);
    if (created != TAC_STATUS_OK)
      continue;
    uint64_t lost = 0;
    for (int i = 0; i < NAMES; i++) {
      char name[16];
      snprintf(name, sizeof name, "phase %d", i);
      enter(profile, name, 1);
      lost += tac_phase_leave(profile, name, NULL) == TAC_STATUS_MEMORY;
    }
    ck_assert_uint_gt(lost, 0);
    ck_assert_uint_eq(tac_phase_profile_unrecorded(profile), lost);
    ck_assert_uint_eq(tac_phase_profile_count(profile), NAMES - lost);
    ck_assert_int_eq(tac_phase_profile_total_ns(profile), NAMES - (int64_t)lost);
    tac_phase_profile_destroy(&profile);
    ck_assert_uint_eq(counting.allocated, counting.released);
  }
}
END_TEST

int main(void) {
  const TTest *const tests[] = {
      phases_stand_in_the_order_of_their_first_record,
      an_unknown_phase_and_one_never_entered_are_zeros,
      shares_and_the_residual_are_of_what_the_caller_gives,
      a_nested_name_is_marked_and_withholds_shares,
      a_leave_out_of_order_changes_nothing,
      phases_beyond_the_depth_are_counted_as_unrecorded,
      time_without_calls_is_lost_as_well,
      names_beyond_the_limit_are_refused,
      sums_stop_at_the_largest_value,
      reset_forgets_and_open_phases_start_anew,
      a_copy_is_independent,
      wrong_options_are_refused,
      a_refused_allocation_loses_only_its_own_phase,
  };
  return RUN_SUITE("phase_profile", tests);
}
