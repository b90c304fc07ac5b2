/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "measure/device_batch.h"

#include <tactus/measure/device_counters.h>

#include "tests/unit/replayed_batch.h"

START_TEST(a_detailed_batch_has_the_times_of_its_items) {
  struct subject subject;
  open_at(&subject, TAC_DETAILED);
  ck_assert_int_eq(run(&subject, replay_of_four, 4), TAC_STATUS_OK);
  const struct tac_device_record *record = &tac_recorder_batch(subject.recorder, 0)->device;
  ck_assert_uint_eq(record->commands, 6);
  ck_assert_uint_eq(record->items, 3);
  ck_assert_uint_eq(record->peak_overlap, 2);
  ck_assert_int_eq(record->begin_ns, 100);
  ck_assert_int_eq(record->wall_ns, 80);
  ck_assert_int_eq(record->total_ns, 10 + 40 + 60 + 5 + 15);
  ck_assert_int_eq(record->busy_ns, 80);
  ck_assert_int_eq(record->item_max_ns, 60);
  ck_assert_uint_eq(record->slowest_index, 1);
  /* The host's own times are on the driven clock, and of the submission. */
  ck_assert_int_eq(tac_recorder_batch(subject.recorder, 0)->item_total_ns, 8);
  size_t count;
  const struct tac_device_slot *slots = tac_recorder_device_slots(subject.recorder, 0, &count);
  ck_assert_uint_eq(count, 4);
  ck_assert_int_eq(slots[2].start_ns, 150);
  ck_assert_int_eq(slots[2].finish_ns, 175);
  ck_assert_int_eq(slots[2].busy_ns, 20);
  ck_assert_uint_eq(slots[2].commands, 3);
  ck_assert_uint_eq(slots[3].commands, 0);
  close_all(&subject);
}
END_TEST

START_TEST(kept_commands_say_what_ran_where) {
  struct subject subject;
  open_at(&subject, TAC_DETAILED);
  ck_assert_int_eq(run(&subject, replay_of_four, 4), TAC_STATUS_OK);
  tac_device_memory_give(&subject.memory);
  tac_scheduler_destroy(&subject.scheduler); /* the labels live on */
  static const struct {
    const char *label;
    enum tac_command_kind kind;
    int lane;
    size_t item;
    int64_t start_ns;
  } expected[] = {{"gemm", TAC_COMMAND_LAUNCH, 0, 0, 100}, {"clear", TAC_COMMAND_LAUNCH, 0, 0, 110},
                  {"gemm", TAC_COMMAND_LAUNCH, 0, 2, 150}, {"clear", TAC_COMMAND_LAUNCH, 0, 2, 160},
                  {"gemm", TAC_COMMAND_LAUNCH, 0, 2, 175}, {"gemm", TAC_COMMAND_LAUNCH, 1, 1, 120}};
  size_t count;
  const struct tac_device_interval *intervals = tac_recorder_device_intervals(subject.recorder, 0, &count);
  ck_assert_uint_eq(count, 6);
  for (size_t i = 0; i < count; i++) {
    ck_assert_str_eq(intervals[i].label, expected[i].label);
    ck_assert_int_eq(intervals[i].kind, expected[i].kind);
    ck_assert_int_eq(intervals[i].lane, expected[i].lane);
    ck_assert_int_eq(intervals[i].stream, 0);
    ck_assert_uint_eq(intervals[i].item, expected[i].item);
    ck_assert_int_eq(intervals[i].start_ns, expected[i].start_ns);
  }
  ck_assert_ptr_null(tac_recorder_device_intervals(subject.recorder, 1, &count));
  ck_assert_uint_eq(count, 0);
  close_all(&subject);
}
END_TEST

START_TEST(a_batch_without_detail_has_sums) {
  static const enum tac_level sums_only[] = {TAC_COARSE, TAC_HOOKED};
  struct subject subject;
  open_at(&subject, sums_only[_i]);
  ck_assert_int_eq(run(&subject, replay_of_four, 4), TAC_STATUS_OK);
  ck_assert_int_eq(driven.reads, 2);
  const struct tac_device_stats stats = tac_recorder_device_stats(subject.recorder, WORK);
  ck_assert_uint_eq(stats.batches, 1);
  ck_assert_uint_eq(stats.commands, 6);
  ck_assert_int_eq(stats.total_ns, 130);
  ck_assert_int_eq(stats.busy_ns, 80);
  close_all(&subject);
}
END_TEST

START_TEST(sums_are_of_the_batches_of_an_event_that_had_commands) {
  struct subject subject;
  open_at(&subject, TAC_COARSE);
  ck_assert_int_eq(run(&subject, replay_of_four, 4), TAC_STATUS_OK);
  ck_assert_int_eq(run(&subject, &replay_of_four[1], 1), TAC_STATUS_OK); /* inline */
  ck_assert_int_eq(run(&subject, &replay_of_four[3], 1), TAC_STATUS_OK); /* without commands */
  const struct tac_device_stats stats = tac_recorder_device_stats(subject.recorder, WORK);
  ck_assert_uint_eq(stats.batches, 2);
  ck_assert_int_eq(stats.total_ns, 190);
  ck_assert_int_eq(stats.busy_ns, 140);
  ck_assert_uint_eq(tac_recorder_device_stats(subject.recorder, OTHER).commands, 0);
  ck_assert_uint_eq(tac_recorder_device_stats(subject.recorder, EVENTS).commands, 0);
  ck_assert_uint_eq(tac_recorder_device_stats(subject.recorder, -1).commands, 0);
  tac_recorder_reset(subject.recorder);
  ck_assert_uint_eq(tac_recorder_device_stats(subject.recorder, WORK).batches, 0);
  close_all(&subject);
}
END_TEST

START_TEST(summaries_add_up) {
  struct subject subject;
  struct tac_recorder_options options = recorder_options(TAC_DETAILED);
  options.batch_limit = 1;
  open_with(&subject, &options);
  ck_assert_int_eq(run(&subject, &replay_of_four[3], 1), TAC_STATUS_OK);
  ck_assert_int_eq(run(&subject, replay_of_four, 4), TAC_STATUS_OK);
  ck_assert_int_eq(run(&subject, replay_of_four, 2), TAC_STATUS_OK);
  const struct tac_device_summary summary = tac_recorder_summary(subject.recorder, WORK).device;
  ck_assert_uint_eq(summary.batches, 2);
  ck_assert_uint_eq(summary.commands, 9);
  ck_assert_uint_eq(summary.items, 5);
  ck_assert_uint_eq(summary.peak_overlap, 2);
  ck_assert_int_eq(summary.wall_ns, 160);
  ck_assert_int_eq(summary.busy_ns, 160);
  ck_assert_int_eq(summary.total_ns, 240);
  ck_assert_int_eq(summary.item_max_ns, 60);
  close_all(&subject);
}
END_TEST

START_TEST(a_failing_batch_has_its_device_times) {
  struct subject subject;
  const struct script scripts[] = {{{{5, 9}}, 1, 1}, {{{6, 8}}, 1, 0}};
  open_at(&subject, TAC_DETAILED);
  ck_assert_int_eq(run(&subject, scripts, 2), TAC_STATUS_ITEM);
  const struct tac_batch_record *record = tac_recorder_batch(subject.recorder, 0);
  ck_assert_int_eq(record->status, TAC_STATUS_ITEM);
  ck_assert_uint_eq(record->device.items, 2);
  ck_assert_int_eq(record->device.busy_ns, 4);
  ck_assert_uint_eq(record->device.peak_overlap, 2);
  close_all(&subject);
}
END_TEST

enum { MANY = 30000, FINISHES = 3 };

static void submit_many(const struct subject *subject, struct tac_queue *queue) {
  for (int i = 0; i < FINISHES; i++) {
    for (int j = 0; j < MANY; j++) {
      fake_replay(j, j + 1);
      ck_assert_int_eq(tac_queue_clear(queue, subject->memory, 0, 8, NULL), TAC_STATUS_OK);
    }
    ck_assert_int_eq(tac_queue_finish(queue, NULL, NULL), TAC_STATUS_OK);
  }
}

static enum tac_status item_of_many(void *context, size_t index, struct tac_lane *lane) {
  (void)index;
  submit_many(context, lane->queue);
  return TAC_STATUS_OK;
}

/* Times of unmeasured work that nobody takes do not pile up, those of a batch are never dropped. */
START_TEST(a_batch_has_the_times_of_any_number_of_commands) {
  struct subject subject;
  open_at(&subject, TAC_DETAILED);
  submit_many(&subject, tac_scheduler_queue(subject.scheduler));
  const struct tac_batch batch = {.count = 1, .item = item_of_many, .context = &subject, .event = WORK};
  tac_recorder_enter(subject.recorder, OTHER);
  ck_assert_int_eq(tac_run_batch_measured(subject.scheduler, &batch, subject.recorder, NULL), TAC_STATUS_OK);
  tac_recorder_leave(subject.recorder, OTHER);
  const struct tac_device_record *record = &tac_recorder_batch(subject.recorder, 0)->device;
  ck_assert_uint_eq(record->commands, FINISHES * MANY);
  ck_assert_int_eq(record->total_ns, FINISHES * MANY);
  ck_assert_int_eq(record->busy_ns, MANY);
  ck_assert_uint_lt(tac_recorder_device_stats(subject.recorder, OTHER).commands, 2 * FINISHES * MANY);
  close_all(&subject);
}
END_TEST

struct inner {
  struct subject *subject;
  struct tac_recorder *recorder;
};

static enum tac_status nesting_item(void *context, size_t index, struct tac_lane *lane) {
  const struct inner *inner = context;
  const struct script own = {{{100 * (int64_t)index, 100 * (int64_t)index + 10}}, 1, 0};
  submit(inner->subject, lane->queue, &own);
  const struct tac_batch batch = {.count = 2, .item = submit_item, .context = inner->subject, .event = OTHER};
  return tac_lane_run_batch_measured(lane, &batch, inner->recorder, NULL);
}

/* Each of two items submits one command and runs a batch of two items with one command each. */
START_TEST(a_batch_inside_an_item_leaves_its_times_to_the_one_around) {
  const struct script scripts[] = {{{{50, 55}}, 1, 0}, {{{60, 61}}, 1, 0}};
  struct subject subject;
  open_at(&subject, TAC_DETAILED);
  const struct tac_recorder_options options = recorder_options(TAC_DETAILED);
  struct inner inner = {&subject, create_recorder(&options)};
  subject.script = scripts;
  const struct tac_batch batch = {.count = 2, .item = nesting_item, .context = &inner};
  ck_assert_int_eq(tac_run_batch_measured(subject.scheduler, &batch, subject.recorder, NULL), TAC_STATUS_OK);
  const struct tac_device_record *record = &tac_recorder_batch(subject.recorder, 0)->device;
  ck_assert_uint_eq(record->items, 2);
  ck_assert_uint_eq(record->commands, 6);
  ck_assert_int_eq(record->total_ns, 2 * (10 + 5 + 1));
  size_t count;
  const struct tac_device_slot *slots = tac_recorder_device_slots(subject.recorder, 0, &count);
  ck_assert_uint_eq(slots[0].commands, 3);
  ck_assert_uint_eq(slots[1].commands, 3);
  ck_assert_uint_eq(tac_recorder_batch_count(inner.recorder), 2);
  ck_assert_uint_eq(tac_recorder_batch(inner.recorder, 0)->device.commands, 0);
  ck_assert_uint_eq(tac_recorder_batch(inner.recorder, 0)->completed, 2);
  tac_recorder_destroy(&inner.recorder);
  close_all(&subject);
}
END_TEST

/* The counts of the replayed batch: launches of "gemm" and clears, and the join of each lane. */
START_TEST(counters_of_a_batch_are_exact) {
  struct subject subject;
  struct tac_device_counters *counters;
  open_at(&subject, TAC_COARSE);
  ck_assert_int_eq(tac_device_counters_create(&counters, NULL, NULL), TAC_STATUS_OK);
  ck_assert_int_eq(tac_scheduler_take_device_counters(subject.scheduler, counters, NULL), TAC_STATUS_OK);
  tac_device_counters_reset(counters);
  ck_assert_int_eq(run(&subject, replay_of_four, 4), TAC_STATUS_OK);
  ck_assert_int_eq(tac_scheduler_take_device_counters(subject.scheduler, counters, NULL), TAC_STATUS_OK);
  ck_assert_uint_eq(tac_device_counters_find(counters, TAC_DEVICE_LAUNCHES, "gemm").count, 4);
  ck_assert_uint_eq(tac_device_counters_find(counters, TAC_DEVICE_LAUNCHES, "clear").count, 2);
  ck_assert_uint_eq(tac_device_counters_total(counters, TAC_DEVICE_LAUNCHES).timed, 6);
  ck_assert_uint_eq(tac_device_counters_find(counters, TAC_DEVICE_FENCES, "join").count, 2);
  ck_assert_uint_eq(tac_device_counters_total(counters, TAC_DEVICE_FENCES).count, 2);
  for (int direction = 0; direction < TAC_COPY_DIRECTIONS; direction++)
    ck_assert_uint_eq(tac_device_counters_copies(counters, (enum tac_copy_direction)direction).count, 0);
  ck_assert_uint_eq(tac_device_counters_mismatches(counters), 0);
  tac_device_counters_destroy(&counters);
  close_all(&subject);
}
END_TEST

int main(void) {
  TCase *cases = tcase_create("device_batch");
  tcase_set_timeout(cases, 60);
  tcase_add_test(cases, a_detailed_batch_has_the_times_of_its_items);
  tcase_add_test(cases, kept_commands_say_what_ran_where);
  tcase_add_loop_test(cases, a_batch_without_detail_has_sums, 0, 2);
  tcase_add_test(cases, sums_are_of_the_batches_of_an_event_that_had_commands);
  tcase_add_test(cases, summaries_add_up);
  tcase_add_test(cases, a_failing_batch_has_its_device_times);
  tcase_add_test(cases, a_batch_has_the_times_of_any_number_of_commands);
  tcase_add_test(cases, a_batch_inside_an_item_leaves_its_times_to_the_one_around);
  tcase_add_test(cases, counters_of_a_batch_are_exact);
  return run_cases("device_batch", cases);
}
