/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
/* Phases of work that is drained by a sync function, which may fail as the work may. */
#include <string.h>

#include "tests/unit/phase_profiles.h"

/* A sync function that takes 100 ns, notes the reads of the clock before it and fails when told. */
struct queue {
  int syncs, reads_before[8];
  enum tac_status status;
  int silent; /* fails without a text */
};

static enum tac_status sync_queue(void *context, struct tac_error *error) {
  struct queue *queue = context;
  queue->reads_before[queue->syncs++] = driven.reads;
  driven_clock_advance(&driven, 100);
  if (queue->status == TAC_STATUS_OK || queue->silent)
    return queue->status;
  return tac_error_set(error, queue->status, "queue", "the queue broke");
}

static struct tac_phase_profile *profile_of(struct queue *queue) {
  struct tac_phase_profile_options options = driven_options();
  options.sync = sync_queue;
  options.sync_context = queue;
  return create(&options);
}

/* The queue takes 100 ns each time: before the start they are nobody's, before the stop they are the phase's. */
START_TEST(the_queue_is_drained_before_the_start_and_before_the_stop) {
  struct queue queue = {0};
  struct tac_phase_profile *profile = profile_of(&queue);
  run(profile, "solve", 7);
  assert_phase(profile, 0, "solve", 107, 1, 0);
  ck_assert_int_eq(queue.syncs, 2);
  ck_assert_int_eq(queue.reads_before[0], 0);
  ck_assert_int_eq(queue.reads_before[1], 1);
  ck_assert_int_eq(tac_phase_record(profile, "solve", 1, 1, NULL), TAC_STATUS_OK);
  ck_assert_int_eq(queue.syncs, 2);
  tac_phase_profile_destroy(&profile);
}
END_TEST

START_TEST(a_failing_sync_fails_the_phase_which_is_recorded) {
  for (int silent = 0; silent < 2; silent++) {
    struct queue queue = {.status = TAC_STATUS_SYSTEM, .silent = silent};
    struct tac_error error;
    struct tac_phase_profile *profile = profile_of(&queue);
    ck_assert_int_eq(tac_phase_enter(profile, "solve", &error), TAC_STATUS_SYSTEM);
    ck_assert_int_eq(error.status, TAC_STATUS_SYSTEM);
    ck_assert_ptr_nonnull(strstr(error.text, silent ? "sync function" : "the queue broke"));
    queue.status = TAC_STATUS_OK;
    ck_assert_int_eq(tac_phase_leave(profile, "solve", &error), TAC_STATUS_OK);
    assert_phase(profile, 0, "solve", 100, 1, 0);
    ck_assert_int_eq(tac_phase_enter(profile, "solve", NULL), TAC_STATUS_OK);
    queue.status = TAC_STATUS_UNAVAILABLE;
    ck_assert_int_eq(tac_phase_leave(profile, "solve", &error), TAC_STATUS_UNAVAILABLE);
    ck_assert_int_eq(error.status, TAC_STATUS_UNAVAILABLE);
    assert_phase(profile, 0, "solve", 200, 2, 0);
    tac_phase_profile_destroy(&profile);
  }
}
END_TEST

/* The form that the header gives, with work that fails. */
static enum tac_status failing_solve(struct tac_phase_profile *profile, struct tac_error *error) {
  enum tac_status status = tac_phase_enter(profile, "solve", error);
  if (!status) {
    driven_clock_advance(&driven, 30);
    status = tac_error_set(error, TAC_STATUS_NUMERICAL, "failing_solve", "no pivot");
  }
  const enum tac_status left = tac_phase_leave(profile, "solve", status ? NULL : error);
  return status ? status : left;
}

START_TEST(a_failing_body_is_recorded_and_its_failure_told) {
  struct queue queue = {0};
  struct tac_error error;
  struct tac_phase_profile *profile = profile_of(&queue);
  ck_assert_int_eq(failing_solve(profile, &error), TAC_STATUS_NUMERICAL);
  ck_assert_str_eq(error.text, "no pivot");
  assert_phase(profile, 0, "solve", 130, 1, 0);
  queue.status = TAC_STATUS_SYSTEM;
  ck_assert_int_eq(failing_solve(profile, &error), TAC_STATUS_SYSTEM);
  assert_phase(profile, 0, "solve", 230, 2, 0);
  tac_phase_profile_destroy(&profile);
}
END_TEST

int main(void) {
  const TTest *const tests[] = {
      the_queue_is_drained_before_the_start_and_before_the_stop,
      a_failing_sync_fails_the_phase_which_is_recorded,
      a_failing_body_is_recorded_and_its_failure_told,
  };
  return RUN_SUITE("phase_profile_sync", tests);
}
