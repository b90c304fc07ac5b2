/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
/* Device times that a measured batch does not get, and the memory that it takes for those it gets. */
#include "tests/unit/replayed_batch.h"

START_TEST(off_keeps_no_time_at_all) {
  struct subject subject;
  open_device(&subject, TAC_OFF);
  subject.script = replay_of_four;
  const struct tac_batch batch = {.count = 4, .item = submit_item, .context = &subject};
  ck_assert_int_eq(tac_run_batch(subject.scheduler, &batch, NULL), TAC_STATUS_OK);
  ck_assert_int_eq(fake_state.timing, 0);
  ck_assert_int_eq(fake_state.calls[FAKE_OPEN_STREAM], 2);
  ck_assert_int_eq(fake_state.events, 0);
  close_all(&subject);
}
END_TEST

START_TEST(times_that_the_device_does_not_tell_are_lost) {
  struct subject subject;
  open_at(&subject, TAC_DETAILED);
  fake_fail(FAKE_TIMES, 1, FAKE_FOREVER, TAC_STATUS_DEVICE);
  const enum tac_status status = run(&subject, replay_of_four, 4);
  ck_assert_int_eq(status, TAC_STATUS_DEVICE); /* the join says so */
  ck_assert_uint_eq(tac_recorder_batch(subject.recorder, 0)->completed, 4);
  ck_assert_uint_eq(tac_recorder_batch(subject.recorder, 0)->device.commands, 0);
  ck_assert_uint_eq(tac_recorder_device_lost(subject.recorder), 1);
  fake_fail(FAKE_TIMES, 1, 0, TAC_STATUS_OK);
  ck_assert_int_eq(run(&subject, replay_of_four, 4), TAC_STATUS_OK);
  ck_assert_uint_eq(tac_recorder_batch(subject.recorder, 1)->device.commands, 6);
  ck_assert_uint_eq(tac_recorder_device_lost(subject.recorder), 1);
  close_all(&subject);
}
END_TEST

/* Whichever allocation is refused, the batch runs and its host record is right, or it is refused before it starts. */
START_TEST(without_memory_device_times_are_lost_and_counted) {
  int refused = 0, lost = 0, complete = 0;
  for (size_t left = 0; left < 16; left++) {
    struct counting counting = COUNTING_INIT;
    const struct tac_allocator allocator = COUNTING_ALLOCATOR(&counting);
    struct tac_recorder_options options = recorder_options(TAC_DETAILED);
    struct subject subject;
    options.allocator = &allocator;
    open_with(&subject, &options);
    counting.left = left;
    const enum tac_status status = run(&subject, replay_of_four, 4);
    const struct tac_batch_summary summary = tac_recorder_summary(subject.recorder, WORK);
    if (status == TAC_STATUS_MEMORY) {
      refused++;
      ck_assert_uint_eq(summary.batches, 0);
    } else {
      ck_assert_int_eq(status, TAC_STATUS_OK);
      ck_assert_uint_eq(summary.completed, 4);
      ck_assert_uint_eq(summary.device.commands, tac_recorder_device_lost(subject.recorder) ? 0 : 6);
      lost += (int)tac_recorder_device_lost(subject.recorder);
      complete += tac_recorder_device_lost(subject.recorder) == 0;
    }
    close_all(&subject);
    ck_assert_uint_eq(counting.allocated, counting.released);
  }
  ck_assert_int_ge(refused, 3);
  ck_assert_int_ge(lost, 1);
  ck_assert_int_ge(complete, 1);
}
END_TEST

START_TEST(reset_keeps_the_memory) {
  struct counting counting = COUNTING_INIT;
  const struct tac_allocator allocator = COUNTING_ALLOCATOR(&counting);
  struct tac_recorder_options options = recorder_options(TAC_DETAILED);
  struct subject subject;
  options.allocator = &allocator;
  open_with(&subject, &options);
  size_t allocated = 0;
  for (int round = 0; round < 3; round++) {
    for (int i = 0; i < 10; i++)
      ck_assert_int_eq(run(&subject, replay_of_four, 4), TAC_STATUS_OK);
    ck_assert_uint_eq(tac_recorder_device_stats(subject.recorder, WORK).commands, 60);
    tac_recorder_reset(subject.recorder);
    if (round > 0)
      ck_assert_uint_eq(counting.allocated - allocated, 2); /* the two labels */
    allocated = counting.allocated;
  }
  close_all(&subject);
  ck_assert_uint_eq(counting.allocated, counting.released);
}
END_TEST

int main(void) {
  const TTest *const tests[] = {
      off_keeps_no_time_at_all,
      times_that_the_device_does_not_tell_are_lost,
      without_memory_device_times_are_lost_and_counted,
      reset_keeps_the_memory,
  };
  return RUN_SUITE("device_losses", tests);
}
