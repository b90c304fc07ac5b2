/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "tests/unit/measured.h"

START_TEST(coarse_reads_the_clock_twice_a_batch) {
  struct tac_recorder *recorder = recorder_at(TAC_COARSE);
  struct tac_scheduler *scheduler = scheduler_at(TAC_COARSE, NULL);
  int64_t durations[] = {5, 0, 7};
  const struct tac_batch batch = {.count = 3, .item = timed_item, .context = durations, .event = OTHER};
  ck_assert_int_eq(tac_run_batch_measured(scheduler, &batch, recorder, NULL), TAC_STATUS_OK);
  ck_assert_int_eq(driven.reads, 2);
  ck_assert_int_eq(tac_recorder_stats(recorder, OTHER).total_ns, 12);
  ck_assert_uint_eq(tac_recorder_stats(recorder, OTHER).count, 1);
  ck_assert_uint_eq(tac_recorder_stats(recorder, WORK).count, 0);
  ck_assert_uint_eq(tac_recorder_batch_count(recorder), 0);
  tac_scheduler_destroy(&scheduler);
  tac_recorder_destroy(&recorder);
}
END_TEST

START_TEST(detailed_reads_the_clock_twice_more_an_item) {
  struct tac_recorder *recorder = recorder_at(TAC_DETAILED);
  struct tac_scheduler *scheduler = scheduler_at(TAC_DETAILED, NULL);
  int64_t durations[100] = {0};
  int reads = 0;
  for (size_t count = 0; count <= 100; count += 25) {
    const struct tac_batch batch = {.count = count, .item = timed_item, .context = durations};
    ck_assert_int_eq(tac_run_batch_measured(scheduler, &batch, recorder, NULL), TAC_STATUS_OK);
    ck_assert_int_eq(driven.reads - reads, 2 + 2 * (int)count);
    reads = driven.reads;
  }
  tac_scheduler_destroy(&scheduler);
  tac_recorder_destroy(&recorder);
}
END_TEST

/* A clock that looks at the slots whenever it is read: read 1 starts the batch, reads 2 i + 2 and 2 i + 3 are item i's. */
struct witness {
  struct tac_recorder *recorder;
  size_t count;
  struct tac_slot before[8];
  int reads, strangers;
};

static int64_t witness_now(void *context) {
  struct witness *witness = context;
  if (witness->reads > 0) {
    const size_t running = (size_t)(witness->reads - 1) / 2;
    const struct tac_slot *slots = witness->recorder->batches[0].slots.slot;
    for (size_t i = 0; i < witness->count; i++) {
      const int just_finished = running > 0 && i == running - 1 && witness->reads % 2 == 1;
      if (i != running && !just_finished && memcmp(&slots[i], &witness->before[i], sizeof *slots) != 0)
        witness->strangers++;
      witness->before[i] = slots[i];
    }
  }
  return ++witness->reads;
}

START_TEST(an_item_writes_its_own_slot_only) {
  struct witness witness = {.count = 8};
  const struct tac_clock clock = {"witness", witness_now, &witness};
  struct tac_recorder_options options = recorder_options(TAC_DETAILED);
  options.clock = &clock;
  struct tac_recorder *recorder = witness.recorder = create_recorder(&options);
  witness.reads = 0; /* the recorder's making reads the clock once */
  struct tac_scheduler *scheduler = scheduler_at(TAC_DETAILED, NULL);
  int64_t durations[8] = {0};
  const struct tac_batch batch = {.count = 8, .item = timed_item, .context = durations};
  ck_assert_int_eq(tac_run_batch_measured(scheduler, &batch, recorder, NULL), TAC_STATUS_OK);
  ck_assert_int_eq(witness.reads, 18);
  ck_assert_int_eq(witness.strangers, 0);
  size_t count;
  const struct tac_slot *slots = tac_recorder_slots(recorder, 0, &count);
  ck_assert_uint_eq(count, 8);
  for (size_t i = 0; i < count; i++) {
    ck_assert_uint_eq(slots[i].index, i);
    ck_assert_int_eq(slots[i].start_ns, 2 * (int64_t)i + 2);
    ck_assert_int_eq(slots[i].finish_ns, 2 * (int64_t)i + 3);
    ck_assert_uint_eq(slots[i].start_sequence, 2 * i + 1);
    ck_assert_uint_eq(slots[i].finish_sequence, 2 * i + 2);
    ck_assert_uint_eq(slots[i].starts, 1);
    ck_assert_int_eq(slots[i].lane, 0);
    ck_assert_int_eq(slots[i].status, TAC_STATUS_OK);
  }
  tac_scheduler_destroy(&scheduler);
  tac_recorder_destroy(&recorder);
}
END_TEST

/* The clock stands still: every start and finish is at the same time, and one lane can only show one item at once. */
START_TEST(equal_times_on_the_serial_executor_peak_at_1) {
  struct tac_recorder *recorder = recorder_at(TAC_DETAILED);
  struct tac_scheduler *scheduler = scheduler_at(TAC_DETAILED, NULL);
  int64_t durations[50] = {0};
  const struct tac_batch batch = {.count = 50, .item = timed_item, .context = durations};
  ck_assert_int_eq(tac_run_batch_measured(scheduler, &batch, recorder, NULL), TAC_STATUS_OK);
  const struct tac_batch_record *record = tac_recorder_batch(recorder, 0);
  ck_assert_uint_eq(record->peak_overlap, 1);
  ck_assert_uint_eq(record->completed, 50);
  ck_assert_int_eq(record->item_total_ns, 0);
  ck_assert_int_eq(record->wall_ns, 0);
  tac_scheduler_destroy(&scheduler);
  tac_recorder_destroy(&recorder);
}
END_TEST

START_TEST(a_failing_batch_leaves_its_record) {
  struct tac_recorder *recorder = recorder_at(TAC_DETAILED);
  struct tac_scheduler *scheduler = scheduler_at(TAC_DETAILED, NULL);
  int64_t durations[] = {10, 20, -30, 40};
  const struct tac_batch batch = {.count = 4, .item = timed_item, .context = durations};
  struct tac_error error;
  ck_assert_int_eq(tac_run_batch_measured(scheduler, &batch, recorder, &error), TAC_STATUS_ITEM);
  ck_assert_str_eq(error.text, "item 2 broke");
  ck_assert_uint_eq(error.item, 2);
  ck_assert_uint_eq(tac_recorder_batch_count(recorder), 1);
  const struct tac_batch_record *record = tac_recorder_batch(recorder, 0);
  ck_assert_uint_eq(record->requested, 4);
  ck_assert_uint_eq(record->started, 3);
  ck_assert_uint_eq(record->completed, 3);
  ck_assert_uint_eq(record->peak_overlap, 1);
  ck_assert_int_eq(record->item_total_ns, 60);
  ck_assert_int_eq(record->item_max_ns, 30);
  ck_assert_uint_eq(record->slowest_index, 2);
  ck_assert_int_eq(record->status, TAC_STATUS_ITEM);
  ck_assert_int_eq(record->ran_inline, 1);
  ck_assert_int_eq(record->lanes, 1);
  ck_assert_uint_eq(tac_recorder_stats(recorder, WORK).count, 1);
  ck_assert_int_eq(tac_recorder_stats(recorder, WORK).total_ns, 60);
  ck_assert_uint_eq(tac_recorder_summary(recorder, WORK).failed, 1);
  tac_scheduler_destroy(&scheduler);
  tac_recorder_destroy(&recorder);
}
END_TEST

START_TEST(no_items_leave_a_record_of_zeros) {
  struct tac_recorder *recorder = recorder_at(TAC_DETAILED);
  driven.step_ns = 5;
  struct tac_scheduler *scheduler = scheduler_at(TAC_DETAILED, NULL);
  ck_assert_int_eq(tac_run_batch_measured(scheduler, &(struct tac_batch){0}, recorder, NULL), TAC_STATUS_OK);
  ck_assert_uint_eq(tac_recorder_batch_count(recorder), 1);
  const struct tac_batch_record record = *tac_recorder_batch(recorder, 0);
  ck_assert_int_eq(record.begin_ns, 1000);
  ck_assert_int_eq(record.lanes | record.ran_inline | record.status, 0);
  ck_assert_uint_eq(record.requested | record.started | record.completed | record.peak_overlap | record.slowest_index, 0);
  ck_assert_int_eq(record.wall_ns | record.item_total_ns | record.item_max_ns | record.first_start_delay_ns, 0);
  ck_assert_int_eq(record.start_spread_ns | record.finish_spread_ns | record.return_after_last_finish_ns, 0);
  ck_assert_uint_eq(tac_recorder_stats(recorder, WORK).count, 1);
  ck_assert_int_eq(tac_recorder_stats(recorder, WORK).total_ns, 5); /* the event lasted all the same */
  tac_scheduler_destroy(&scheduler);
  tac_recorder_destroy(&recorder);
}
END_TEST

START_TEST(a_double_invocation_is_reported_unless_an_item_failed) {
  struct tac_recorder *recorder = recorder_at(TAC_DETAILED);
  struct tac_scheduler *scheduler = scheduler_at(TAC_DETAILED, &test_executor_twice);
  int64_t durations[] = {1, 1, 1, 1};
  const struct tac_batch batch = {.count = 4, .item = timed_item, .context = durations, .failure_mode = TAC_RUN_ALL};
  struct tac_error error;
  ck_assert_int_eq(tac_run_batch_measured(scheduler, &batch, recorder, &error), TAC_STATUS_CONTRACT);
  ck_assert_uint_eq(error.item, 3);
  ck_assert_str_eq(error.text, "item 3 was started 2 times");
  ck_assert_int_eq(tac_recorder_batch(recorder, 0)->status, TAC_STATUS_CONTRACT);
  durations[1] = -1;
  ck_assert_int_eq(tac_run_batch_measured(scheduler, &batch, recorder, &error), TAC_STATUS_ITEM);
  ck_assert_uint_eq(error.item, 1);
  ck_assert_uint_eq(tac_recorder_batch_count(recorder), 2);
  tac_scheduler_destroy(&scheduler);
  tac_recorder_destroy(&recorder);
}
END_TEST

START_TEST(items_left_out_are_reported) {
  struct tac_recorder *recorder = recorder_at(TAC_DETAILED);
  struct tac_scheduler *scheduler = scheduler_at(TAC_DETAILED, &test_executor_skipping);
  int64_t durations[] = {1, 1, 1, 1};
  const struct tac_batch batch = {.count = 4, .item = timed_item, .context = durations};
  struct tac_error error;
  ck_assert_int_eq(tac_run_batch_measured(scheduler, &batch, recorder, &error), TAC_STATUS_CONTRACT);
  ck_assert_str_eq(error.text, "the executor started 3 of 4 items");
  tac_scheduler_destroy(&scheduler);
  tac_recorder_destroy(&recorder);
}
END_TEST

static void run_batches(struct tac_recorder *recorder, int batches, size_t count) {
  struct tac_scheduler *scheduler = scheduler_at(TAC_DETAILED, NULL);
  int64_t durations[8] = {3, 3, 3, 3, 3, 3, 3, 3};
  for (int i = 0; i < batches; i++) {
    const struct tac_batch batch = {.count = count, .item = timed_item, .context = durations, .event = i % 2};
    ck_assert_int_eq(tac_run_batch_measured(scheduler, &batch, recorder, NULL), TAC_STATUS_OK);
  }
  tac_scheduler_destroy(&scheduler);
}

START_TEST(batches_beyond_the_limit_are_summarised) {
  struct tac_recorder_options options = recorder_options(TAC_DETAILED);
  options.batch_limit = 3;
  struct tac_recorder *recorder = create_recorder(&options);
  run_batches(recorder, 10, 2);
  ck_assert_uint_eq(tac_recorder_batch_count(recorder), 3);
  ck_assert_uint_eq(tac_recorder_dropped(recorder), 7);
  const int expected[] = {WORK, OTHER, WORK};
  for (size_t i = 0; i < 3; i++)
    ck_assert_int_eq(tac_recorder_batch(recorder, i)->event, expected[i]);
  ck_assert_ptr_null(tac_recorder_batch(recorder, 3));
  for (int event = 0; event < EVENTS; event++) {
    const struct tac_batch_summary summary = tac_recorder_summary(recorder, event);
    ck_assert_uint_eq(summary.batches, 5);
    ck_assert_uint_eq(summary.completed, 10);
    ck_assert_uint_eq(summary.ran_inline, 5);
    ck_assert_int_eq(summary.item_total_ns, 30);
    ck_assert_int_eq(summary.wall_ns, 30);
    ck_assert_int_eq(tac_recorder_stats(recorder, event).total_ns, 30);
  }
  tac_recorder_destroy(&recorder);
  options.batch_limit = 0;
  recorder = create_recorder(&options);
  run_batches(recorder, 2, 2);
  ck_assert_uint_eq(tac_recorder_batch_count(recorder), 0);
  ck_assert_uint_eq(tac_recorder_dropped(recorder), 2);
  tac_recorder_destroy(&recorder);
}
END_TEST

START_TEST(slots_are_kept_only_where_asked) {
  struct tac_recorder_options options = recorder_options(TAC_DETAILED);
  options.batch_limit = 2;
  struct tac_recorder *recorder = create_recorder(&options);
  run_batches(recorder, 3, 4);
  size_t count;
  ck_assert_ptr_nonnull(tac_recorder_slots(recorder, 1, &count));
  ck_assert_uint_eq(count, 4);
  ck_assert_ptr_ne(tac_recorder_slots(recorder, 0, &count), tac_recorder_slots(recorder, 1, &count));
  ck_assert_ptr_null(tac_recorder_slots(recorder, 2, &count));
  ck_assert_uint_eq(count, 0);
  tac_recorder_destroy(&recorder);
  options.keep_slots = 0;
  recorder = create_recorder(&options);
  run_batches(recorder, 1, 4);
  ck_assert_ptr_null(tac_recorder_slots(recorder, 0, &count));
  ck_assert_uint_eq(count, 0);
  tac_recorder_destroy(&recorder);
}
END_TEST

START_TEST(slots_beyond_their_limit_are_counted) {
  struct tac_recorder_options options = recorder_options(TAC_DETAILED);
  options.slot_limit = 9;
  struct tac_recorder *recorder = create_recorder(&options);
  run_batches(recorder, 3, 4); /* 8 of 9 slots are used, the third batch needs 4 */
  size_t count;
  ck_assert_ptr_nonnull(tac_recorder_slots(recorder, 1, &count));
  ck_assert_ptr_null(tac_recorder_slots(recorder, 2, &count));
  ck_assert_uint_eq(tac_recorder_batch_count(recorder), 3);
  ck_assert_uint_eq(tac_recorder_slots_dropped(recorder), 4);
  ck_assert_uint_eq(tac_recorder_summary(recorder, WORK).completed, 8);
  tac_recorder_reset(recorder);
  ck_assert_uint_eq(tac_recorder_slots_dropped(recorder), 0);
  run_batches(recorder, 1, 8);
  ck_assert_ptr_nonnull(tac_recorder_slots(recorder, 0, &count));
  ck_assert_uint_eq(count, 8);
  tac_recorder_destroy(&recorder);
}
END_TEST

static double remaining(const void *context, size_t index) {
  return (double)((const int64_t *)context)[index];
}

/* Takes as long as the context says, and says then that nothing remains. */
static enum tac_status using_item(void *context, size_t index, struct tac_lane *lane) {
  (void)lane;
  driven_clock_advance(&driven, ((int64_t *)context)[index]);
  ((int64_t *)context)[index] = 0;
  return TAC_STATUS_OK;
}

START_TEST(costs_are_those_before_the_items_ran) {
  struct tac_recorder *recorder = recorder_at(TAC_DETAILED);
  struct tac_scheduler *scheduler = scheduler_at(TAC_DETAILED, NULL);
  int64_t durations[] = {5, 9, 7};
  struct tac_batch batch = {.count = 3, .item = using_item, .context = durations, .cost = remaining};
  ck_assert_int_eq(tac_run_batch_measured(scheduler, &batch, recorder, NULL), TAC_STATUS_OK);
  batch.cost = NULL;
  ck_assert_int_eq(tac_run_batch_measured(scheduler, &batch, recorder, NULL), TAC_STATUS_OK);
  const double *costs = tac_recorder_costs(recorder, 0);
  ck_assert_ptr_nonnull(costs);
  ck_assert(costs[0] == 5 && costs[1] == 9 && costs[2] == 7);
  ck_assert_ptr_null(tac_recorder_costs(recorder, 1));
  ck_assert_ptr_null(tac_recorder_costs(recorder, 2));
  tac_scheduler_destroy(&scheduler);
  tac_recorder_destroy(&recorder);
}
END_TEST

/* Two lanes in turn: the first runs all of a batch, or they share it by position. */
static void run_on_two_lanes(struct tac_recorder *recorder, const struct tac_executor *table, int64_t *durations,
                             size_t count) {
  struct tac_scheduler_options options;
  struct tac_scheduler *scheduler;
  tac_scheduler_options_init(&options);
  options.table = table;
  options.executor_options.lanes = 2;
  options.level = TAC_DETAILED;
  ck_assert_int_eq(tac_scheduler_create(&scheduler, &options, NULL), TAC_STATUS_OK);
  const struct tac_batch batch = {.count = count, .item = timed_item, .context = durations};
  ck_assert_int_eq(tac_run_batch_measured(scheduler, &batch, recorder, NULL), TAC_STATUS_OK);
  tac_scheduler_destroy(&scheduler);
}

/* 100 ns on one of two lanes, and 10 + 30 on the one, 20 on the other: (100 + 40) / (50 + 30). */
START_TEST(lanes_are_compared_batch_by_batch) {
  struct tac_recorder *recorder = recorder_at(TAC_DETAILED);
  int64_t alone[] = {60, 40}, shared[] = {10, 20, 30};
  run_on_two_lanes(recorder, &test_executor_in_turn, alone, 2);
  run_on_two_lanes(recorder, &test_executor_alternating, shared, 3);
  const struct tac_batch_summary summary = tac_recorder_summary(recorder, WORK);
  ck_assert_int_eq(summary.lane_busy_max_ns, 140);
  ck_assert(summary.lane_busy_mean_ns == 80);
  ck_assert(tac_batch_summary_imbalance(&summary) == 1.75);
  ck_assert_uint_eq(summary.slowest_batch, 0);
  ck_assert_uint_eq(summary.slowest_index, 0);
  ck_assert_int_eq(summary.item_max_ns, 60);
  /* 10, 20, 30, 40, 60: exact below 32, in steps of 2 from there */
  const int64_t expected[][2] = {{0, 10}, {200, 10}, {201, 20}, {500, 30}, {800, 40}, {801, 60}, {1000, 60}};
  for (size_t i = 0; i < sizeof expected / sizeof *expected; i++)
    ck_assert_int_eq(tac_recorder_item_percentile_ns(recorder, WORK, (int)expected[i][0]), expected[i][1]);
  ck_assert_int_eq(tac_recorder_item_percentile_ns(recorder, OTHER, 500), 0);
  ck_assert_int_eq(tac_recorder_item_percentile_ns(recorder, WORK, 1001), 0);
  tac_recorder_destroy(&recorder);
}
END_TEST

START_TEST(reset_keeps_the_memory) {
  struct counting counting = COUNTING_INIT;
  const struct tac_allocator allocator = COUNTING_ALLOCATOR(&counting);
  struct tac_recorder_options options = recorder_options(TAC_DETAILED);
  options.allocator = &allocator;
  struct tac_recorder *recorder = create_recorder(&options);
  run_batches(recorder, 100, 8);
  const size_t allocated = counting.allocated;
  tac_recorder_reset(recorder);
  ck_assert_uint_eq(tac_recorder_batch_count(recorder), 0);
  ck_assert_uint_eq(tac_recorder_summary(recorder, WORK).batches, 0);
  ck_assert_uint_eq(tac_recorder_stats(recorder, WORK).count, 0);
  run_batches(recorder, 100, 8);
  ck_assert_uint_eq(counting.allocated, allocated);
  ck_assert_uint_eq(tac_recorder_batch_count(recorder), 100);
  ck_assert_int_eq(tac_recorder_batch(recorder, 99)->item_total_ns, 24);
  tac_recorder_destroy(&recorder);
  ck_assert_uint_eq(counting.allocated, counting.released);
}
END_TEST

/* Storage for slots is a condition, a place in the list of records is not: there the batch is summarised. */
START_TEST(no_memory_refuses_the_batch_or_drops_its_record) {
  int64_t durations[8] = {1, 1, 1, 1, 1, 1, 1, 1};
  const struct tac_batch batch = {.count = 8, .item = timed_item, .context = durations};
  int refused = 0, dropped = 0;
  for (size_t left = 0; left < 8; left++) {
    struct counting counting = COUNTING_INIT;
    const struct tac_allocator allocator = COUNTING_ALLOCATOR(&counting);
    struct tac_recorder_options options = recorder_options(TAC_DETAILED);
    options.allocator = &allocator;
    struct tac_recorder *recorder = create_recorder(&options);
    struct tac_scheduler *scheduler = scheduler_at(TAC_DETAILED, NULL);
    counting.largest = left == 7 ? 10000 : (size_t)-1; /* the list of records is the largest block */
    counting.left = left;
    const enum tac_status status = tac_run_batch_measured(scheduler, &batch, recorder, NULL);
    if (status == TAC_STATUS_MEMORY) {
      refused++;
      ck_assert_int_eq(driven.now_ns, 1000);
      ck_assert_uint_eq(tac_recorder_stats(recorder, WORK).count, 0);
      ck_assert_uint_eq(tac_recorder_batch_count(recorder), 0);
    } else {
      ck_assert_int_eq(status, TAC_STATUS_OK);
      dropped += (int)tac_recorder_dropped(recorder);
      ck_assert_uint_eq(tac_recorder_summary(recorder, WORK).completed, 8);
      ck_assert_uint_eq(tac_recorder_batch_count(recorder) + tac_recorder_dropped(recorder), 1);
    }
    tac_scheduler_destroy(&scheduler);
    tac_recorder_destroy(&recorder);
    ck_assert_uint_eq(counting.allocated, counting.released);
  }
  ck_assert_int_ge(refused, 2);
  ck_assert_int_eq(dropped, 1);
}
END_TEST

static void log_enter(void *context, int event, const char *name) {
  sprintf((char *)context + strlen(context), "{%d%s ", event, name);
}

static void log_leave(void *context, int event, const char *name) {
  sprintf((char *)context + strlen(context), "%d%s} ", event, name);
}

static void log_item_enter(void *context, int event, size_t index, int lane) {
  sprintf((char *)context + strlen(context), "(%d:%zu@%d ", event, index, lane);
}

static void log_item_leave(void *context, int event, size_t index, int lane, enum tac_status status) {
  sprintf((char *)context + strlen(context), "%d:%zu@%d=%d) ", event, index, lane, (int)status);
}

static double refused_cost(const void *context, size_t index) {
  (void)context, (void)index;
  return -1;
}

START_TEST(hooks_are_called_in_order) {
  char log[512] = "";
  const struct tac_hooks hooks = {log, log_enter, log_leave, log_item_enter, log_item_leave};
  struct tac_recorder_options options = recorder_options(TAC_HOOKED);
  options.hooks = &hooks;
  struct tac_recorder *recorder = create_recorder(&options);
  struct tac_scheduler *scheduler = scheduler_at(TAC_HOOKED, NULL);
  int64_t durations[] = {1, -1};
  struct tac_batch batch = {.count = 2, .item = timed_item, .context = durations, .event = OTHER};
  ck_assert_int_eq(tac_run_batch_measured(scheduler, &batch, recorder, NULL), TAC_STATUS_ITEM);
  ck_assert_str_eq(log, "{1other (1:0@0 1:0@0=0) (1:1@0 1:1@0=8) 1other} ");
  ck_assert_int_eq(driven.reads, 2);
  ck_assert_int_eq(tac_recorder_stats(recorder, OTHER).total_ns, 2);
  batch.cost = refused_cost; /* enter and leave pair also where the batch is refused after all */
  log[0] = '\0';
  ck_assert_int_eq(tac_run_batch_measured(scheduler, &batch, recorder, NULL), TAC_STATUS_INVALID);
  ck_assert_str_eq(log, "{1other 1other} ");
  size_t entries;
  ck_assert_ptr_nonnull(tac_recorder_timeline(recorder, &entries));
  ck_assert_uint_eq(entries, 1); /* of the batch that was not refused */
  ck_assert_uint_eq(tac_recorder_stats(recorder, OTHER).count, 1);
  tac_scheduler_destroy(&scheduler);
  tac_recorder_destroy(&recorder);
}
END_TEST

int main(void) {
  const TTest *const tests[] = {
      coarse_reads_the_clock_twice_a_batch,
      detailed_reads_the_clock_twice_more_an_item,
      an_item_writes_its_own_slot_only,
      equal_times_on_the_serial_executor_peak_at_1,
      a_failing_batch_leaves_its_record,
      no_items_leave_a_record_of_zeros,
      a_double_invocation_is_reported_unless_an_item_failed,
      items_left_out_are_reported,
      batches_beyond_the_limit_are_summarised,
      slots_are_kept_only_where_asked,
      slots_beyond_their_limit_are_counted,
      costs_are_those_before_the_items_ran,
      lanes_are_compared_batch_by_batch,
      reset_keeps_the_memory,
      no_memory_refuses_the_batch_or_drops_its_record,
      hooks_are_called_in_order,
  };
  return RUN_SUITE("measured_batch", tests);
}
