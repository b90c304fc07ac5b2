/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
/* Which phase and which batch a command belongs to, and the sync that ends a phase. */
#include "tests/unit/replayed_batch.h"

/* What the caller submits between batches is no batch's, but it is of the phase around it. */
START_TEST(phases_have_what_is_within_them) {
  const struct script before = {{{10, 30}}, 1, 0}, after = {{{200, 207}}, 1, 0};
  struct subject subject;
  open_at(&subject, TAC_COARSE);
  struct tac_queue *queue = tac_scheduler_queue(subject.scheduler);
  tac_recorder_enter(subject.recorder, OTHER);
  submit(&subject, queue, &before);
  ck_assert_int_eq(run(&subject, replay_of_four, 4), TAC_STATUS_OK);
  ck_assert_int_eq(tac_recorder_device_stats(subject.recorder, WORK).busy_ns, 80);
  ck_assert_int_eq(tac_recorder_device_stats(subject.recorder, OTHER).busy_ns, 100);
  ck_assert_uint_eq(tac_recorder_device_stats(subject.recorder, OTHER).commands, 7);
  ck_assert_uint_eq(tac_recorder_device_stats(subject.recorder, OTHER).batches, 2);
  submit(&subject, queue, &after);
  ck_assert_int_eq(tac_scheduler_sync(subject.scheduler, subject.recorder, NULL), TAC_STATUS_OK);
  tac_recorder_leave(subject.recorder, OTHER);
  ck_assert_int_eq(tac_recorder_device_stats(subject.recorder, OTHER).busy_ns, 107);
  ck_assert_int_eq(tac_recorder_device_stats(subject.recorder, OTHER).total_ns, 157);
  ck_assert_int_eq(tac_recorder_device_stats(subject.recorder, WORK).busy_ns, 80);
  close_all(&subject);
}
END_TEST

/* On the device's own clock a phase does not get what ran before it was entered. */
START_TEST(what_ran_before_a_phase_is_not_its_own) {
  struct subject subject;
  struct tac_recorder_options options = recorder_options(TAC_COARSE);
  options.clock = NULL;
  open_with(&subject, &options);
  struct tac_queue *queue = tac_scheduler_queue(subject.scheduler);
  const struct tac_clock *clock = tac_clock_monotonic();
  const int64_t now_ns = clock->now_ns(clock->context), later_ns = now_ns + 1000000000;
  const struct script before = {{{now_ns - 50, now_ns - 20}}, 1, 0}, within = {{{later_ns, later_ns + 4}}, 1, 0};
  tac_recorder_enter(subject.recorder, OTHER);
  submit(&subject, queue, &before);
  submit(&subject, queue, &within);
  ck_assert_int_eq(tac_scheduler_sync(subject.scheduler, subject.recorder, NULL), TAC_STATUS_OK);
  tac_recorder_leave(subject.recorder, OTHER);
  ck_assert_uint_eq(tac_recorder_device_stats(subject.recorder, OTHER).commands, 1);
  ck_assert_int_eq(tac_recorder_device_stats(subject.recorder, OTHER).total_ns, 4);
  close_all(&subject);
}
END_TEST

START_TEST(a_batch_without_items_takes_nothing) {
  const struct script before = {{{10, 30}}, 1, 0};
  struct subject subject;
  open_at(&subject, TAC_DETAILED);
  tac_recorder_enter(subject.recorder, OTHER);
  submit(&subject, tac_scheduler_queue(subject.scheduler), &before);
  ck_assert_int_eq(run(&subject, NULL, 0), TAC_STATUS_OK);
  ck_assert_uint_eq(tac_recorder_device_stats(subject.recorder, OTHER).commands, 0);
  ck_assert_int_eq(tac_scheduler_sync(subject.scheduler, subject.recorder, NULL), TAC_STATUS_OK);
  tac_recorder_leave(subject.recorder, OTHER);
  ck_assert_uint_eq(tac_recorder_device_stats(subject.recorder, OTHER).commands, 1);
  ck_assert_uint_eq(tac_recorder_device_stats(subject.recorder, WORK).commands, 0);
  close_all(&subject);
}
END_TEST

START_TEST(a_sync_that_fails_says_so) {
  struct subject subject;
  struct tac_error error;
  open_at(&subject, TAC_COARSE);
  fake_fail(FAKE_FINISH, 1, FAKE_FOREVER, TAC_STATUS_DEVICE);
  ck_assert_int_eq(tac_scheduler_sync(subject.scheduler, subject.recorder, &error), TAC_STATUS_DEVICE);
  ck_assert_ptr_nonnull(strstr(error.text, "call 1 of kind"));
  fake_fail(FAKE_FINISH, 1, 0, TAC_STATUS_OK);
  ck_assert_int_eq(tac_scheduler_sync(subject.scheduler, NULL, &error), TAC_STATUS_INVALID);
  ck_assert_int_eq(tac_scheduler_sync(NULL, subject.recorder, &error), TAC_STATUS_INVALID);
  close_all(&subject);
}
END_TEST

START_TEST(a_sync_on_a_host_executor_does_nothing) {
  struct tac_recorder *recorder = recorder_at(TAC_COARSE);
  struct tac_scheduler *scheduler = scheduler_at(TAC_COARSE, NULL);
  ck_assert_int_eq(tac_scheduler_sync(scheduler, recorder, NULL), TAC_STATUS_OK);
  ck_assert_int_eq(driven.reads, 0);
  tac_scheduler_destroy(&scheduler);
  tac_recorder_destroy(&recorder);
}
END_TEST

int main(void) {
  const TTest *const tests[] = {
      phases_have_what_is_within_them, what_ran_before_a_phase_is_not_its_own, a_batch_without_items_takes_nothing,
      a_sync_that_fails_says_so,       a_sync_on_a_host_executor_does_nothing,
  };
  return RUN_SUITE("device_phases", tests);
}
