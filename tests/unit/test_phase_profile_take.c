/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
/* Phases that a profile takes from a recorder. */
#include "tests/unit/counting_allocator.h"
#include "tests/unit/phase_profiles.h"

enum { SOLVE, NEAR, FAR, UP, NEVER, EVENTS };
static const struct tac_event events[EVENTS] = {[SOLVE] = {"solve", TAC_NO_EVENT, 0},
                                                [NEAR] = {"near", SOLVE, 0},
                                                [FAR] = {"far", SOLVE, 0},
                                                [UP] = {"up", FAR, 0},
                                                [NEVER] = {"never", FAR, 0}};
static const struct tac_event_set event_set = {"test", EVENTS, events};

/* solve 11 > {near 3, far 8 > up 6} */
static struct tac_recorder *recorded(void) {
  struct tac_recorder_options options;
  struct tac_recorder *recorder;
  tac_recorder_options_init(&options);
  options.events = &event_set;
  options.clock = &driven.clock;
  ck_assert_int_eq(tac_recorder_create(&recorder, &options, NULL), TAC_STATUS_OK);
  tac_recorder_enter(recorder, SOLVE);
  tac_recorder_enter(recorder, NEAR);
  driven_clock_advance(&driven, 3);
  tac_recorder_leave(recorder, NEAR);
  tac_recorder_enter(recorder, FAR);
  driven_clock_advance(&driven, 2);
  tac_recorder_enter(recorder, UP);
  driven_clock_advance(&driven, 6);
  tac_recorder_leave(recorder, UP);
  tac_recorder_leave(recorder, FAR);
  tac_recorder_leave(recorder, SOLVE);
  return recorder;
}

START_TEST(a_recorder_feeds_a_profile_from_its_own_clock_reads) {
  static const int phases[] = {UP, NEVER, NEAR};
  struct tac_phase_profile *profile = driven_profile();
  struct tac_recorder *recorder = recorded();
  const int reads = driven.reads;
  ck_assert_int_eq(tac_phase_profile_take(profile, recorder, phases, 3, NULL), TAC_STATUS_OK);
  ck_assert_int_eq(driven.reads, reads);
  ck_assert_uint_eq(tac_phase_profile_count(profile), 3);
  assert_phase(profile, 0, "up", 6, 1, 0);
  assert_phase(profile, 1, "never", 0, 0, 0);
  assert_phase(profile, 2, "near", 3, 1, 0);
  ck_assert_int_eq(tac_phase_profile_take(profile, recorder, phases, 3, NULL), TAC_STATUS_OK);
  assert_phase(profile, 0, "up", 12, 2, 0);
  ck_assert_ptr_null(tac_phase_profile_withheld(profile));
  tac_recorder_destroy(&recorder);
  tac_phase_profile_destroy(&profile);
}
END_TEST

/* A grandparent in the list is enough; an event that was never entered took no time under two names. */
START_TEST(an_event_taken_beside_its_ancestor_is_nested) {
  static const int phases[] = {UP, SOLVE, NEVER};
  struct tac_phase_profile *profile = driven_profile();
  struct tac_recorder *recorder = recorded();
  ck_assert_int_eq(tac_phase_profile_take(profile, recorder, phases, 3, NULL), TAC_STATUS_OK);
  assert_phase(profile, 0, "up", 6, 1, 1);
  assert_phase(profile, 1, "solve", 11, 1, 0);
  assert_phase(profile, 2, "never", 0, 0, 0);
  ck_assert_ptr_nonnull(tac_phase_profile_withheld(profile));
  tac_recorder_destroy(&recorder);
  tac_phase_profile_destroy(&profile);
}
END_TEST

START_TEST(wrong_lists_of_events_are_refused) {
  static const int wrong[][2] = {{NEAR, EVENTS}, {NEAR, -1}, {NEAR, NEAR}};
  struct tac_phase_profile *profile = driven_profile();
  struct tac_recorder *recorder = recorded();
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    struct tac_error error;
    ck_assert_int_eq(tac_phase_profile_take(profile, recorder, wrong[i], 2, &error), TAC_STATUS_INVALID);
    ck_assert_int_eq(error.status, TAC_STATUS_INVALID);
  }
  ck_assert_uint_eq(tac_phase_profile_count(profile), 0);
  ck_assert_int_eq(tac_phase_profile_take(profile, recorder, NULL, 0, NULL), TAC_STATUS_OK);
  tac_recorder_destroy(&recorder);
  tac_phase_profile_destroy(&profile);
}
END_TEST

START_TEST(a_copy_or_a_take_without_memory_leaves_nothing_behind) {
  static const int phases[] = {NEAR, UP};
  struct counting counting = COUNTING_INIT;
  const struct tac_allocator allocator = COUNTING_ALLOCATOR(&counting);
  struct tac_phase_profile_options options = driven_options();
  options.allocator = &allocator;
  struct tac_phase_profile *profile = create(&options), *copy;
  struct tac_recorder *recorder = recorded();
  counting.left = 2; /* the array and one of the two names */
  ck_assert_int_eq(tac_phase_profile_take(profile, recorder, phases, 2, NULL), TAC_STATUS_MEMORY);
  ck_assert_int_eq(tac_phase_profile_total_ns(profile), 0);
  counting.left = 1;
  ck_assert_int_eq(tac_phase_profile_take(profile, recorder, phases, 2, NULL), TAC_STATUS_OK);
  ck_assert_int_eq(tac_phase_profile_total_ns(profile), 9);
  for (size_t left = 0; left < 4; left++) {
    counting.left = left;
    ck_assert_int_eq(tac_phase_profile_copy(&copy, profile, NULL), TAC_STATUS_MEMORY);
    ck_assert_ptr_null(copy);
  }
  counting.left = 4; /* the profile, its array and two names */
  ck_assert_int_eq(tac_phase_profile_copy(&copy, profile, NULL), TAC_STATUS_OK);
  tac_phase_profile_destroy(&copy);
  tac_phase_profile_destroy(&profile);
  tac_recorder_destroy(&recorder);
  ck_assert_uint_eq(counting.allocated, counting.released);
}
END_TEST

int main(void) {
  const TTest *const tests[] = {
      a_recorder_feeds_a_profile_from_its_own_clock_reads,
      an_event_taken_beside_its_ancestor_is_nested,
      wrong_lists_of_events_are_refused,
      a_copy_or_a_take_without_memory_leaves_nothing_behind,
  };
  return RUN_SUITE("phase_profile_take", tests);
}
