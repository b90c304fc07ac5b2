/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "measure/device_batch.h"

#include <string.h>

#include <tactus/measure/device_counters.h>

#include "tests/support/replayed_device.h"
#include "tests/unit/measured.h"

enum { MOST_COMMANDS = 4 };

/* What an item submits: so many commands with these times, alternately launches of "gemm" and clears of 8 bytes. */
struct script {
  struct {
    int64_t start_ns, finish_ns;
  } command[MOST_COMMANDS];
  int commands;
  int fails;
};

struct subject {
  struct tac_recorder *recorder;
  struct tac_scheduler *scheduler;
  struct tac_device_kernel *kernel;
  struct tac_device_memory *memory;
  const struct script *script;
};

static void open_with(struct subject *subject, const struct tac_recorder_options *options, int lanes) {
  struct tac_scheduler_options scheduler_options;
  tac_scheduler_options_init(&scheduler_options);
  scheduler_options.table = &test_executor_replayed;
  scheduler_options.executor_options.lanes = lanes;
  scheduler_options.level = options->level;
  replay_refuse(0, 0);
  subject->recorder = create_recorder(options);
  ck_assert_int_eq(tac_scheduler_create(&subject->scheduler, &scheduler_options, NULL), TAC_STATUS_OK);
  struct tac_device *device = tac_scheduler_device(subject->scheduler);
  subject->kernel = replayed_kernel(device, "gemm");
  ck_assert_ptr_nonnull(subject->kernel);
  ck_assert_int_eq(tac_device_memory_take(&subject->memory, device, 64, NULL), TAC_STATUS_OK);
}

static void open_at(struct subject *subject, enum tac_level level) {
  const struct tac_recorder_options options = recorder_options(level);
  open_with(subject, &options, 2);
}

static void close_all(struct subject *subject) {
  tac_device_memory_give(&subject->memory);
  tac_scheduler_destroy(&subject->scheduler);
  tac_recorder_destroy(&subject->recorder);
  ck_assert_int_eq(replayed_take().events_left, 0);
}

static void submit(const struct subject *subject, struct tac_queue *queue, const struct script *script) {
  for (int i = 0; i < script->commands; i++) {
    replay(script->command[i].start_ns, script->command[i].finish_ns);
    const struct tac_launch launch = {.kernel = subject->kernel, .groups = {1, 1, 1}};
    ck_assert_int_eq(i % 2 ? tac_queue_clear(queue, subject->memory, 0, 8, NULL) : tac_queue_launch(queue, &launch, NULL),
                     TAC_STATUS_OK);
  }
}

static enum tac_status submit_item(void *context, size_t index, struct tac_lane *lane) {
  const struct subject *subject = context;
  submit(subject, lane->queue, &subject->script[index]);
  driven_clock_advance(&driven, 2);
  return subject->script[index].fails ? TAC_STATUS_ITEM : TAC_STATUS_OK;
}

static enum tac_status run(struct subject *subject, const struct script *script, size_t count) {
  subject->script = script;
  const struct tac_batch batch = {
      .count = count, .item = submit_item, .context = subject, .event = WORK, .failure_mode = TAC_RUN_ALL};
  return tac_run_batch_measured(subject->scheduler, &batch, subject->recorder, NULL);
}

/* Items 0 and 2 on lane 0, 1 and 3 on lane 1; item 3 submits nothing. */
static const struct script replay_of_four[] = {
    {{{100, 110}, {110, 150}}, 2, 0}, {{{120, 180}}, 1, 0}, {{{150, 155}, {160, 175}, {175, 175}}, 3, 0}, {.commands = 0}};

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

START_TEST(a_coarse_batch_has_sums) {
  struct subject subject;
  open_at(&subject, TAC_COARSE);
  ck_assert_int_eq(run(&subject, replay_of_four, 4), TAC_STATUS_OK);
  ck_assert_int_eq(driven.reads, 2);
  struct tac_device_stats stats = tac_recorder_device_stats(subject.recorder, WORK);
  ck_assert_uint_eq(stats.batches, 1);
  ck_assert_uint_eq(stats.commands, 6);
  ck_assert_int_eq(stats.total_ns, 130);
  ck_assert_int_eq(stats.busy_ns, 80);
  ck_assert_int_eq(run(&subject, &replay_of_four[1], 1), TAC_STATUS_OK); /* inline */
  ck_assert_int_eq(run(&subject, &replay_of_four[3], 1), TAC_STATUS_OK); /* without commands */
  stats = tac_recorder_device_stats(subject.recorder, WORK);
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

START_TEST(hooked_is_as_coarse) {
  struct subject subject;
  open_at(&subject, TAC_HOOKED);
  ck_assert_int_eq(run(&subject, replay_of_four, 4), TAC_STATUS_OK);
  ck_assert_int_eq(driven.reads, 2);
  const struct tac_device_stats stats = tac_recorder_device_stats(subject.recorder, WORK);
  ck_assert_uint_eq(stats.commands, 6);
  ck_assert_int_eq(stats.total_ns, 130);
  ck_assert_int_eq(stats.busy_ns, 80);
  close_all(&subject);
}
END_TEST

START_TEST(summaries_add_up) {
  struct subject subject;
  struct tac_recorder_options options = recorder_options(TAC_DETAILED);
  options.batch_limit = 1;
  open_with(&subject, &options, 2);
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
  open_with(&subject, &options, 2);
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

enum { MANY = 30000, FINISHES = 3 };

static void submit_many(const struct subject *subject, struct tac_queue *queue) {
  for (int i = 0; i < FINISHES; i++) {
    for (int j = 0; j < MANY; j++) {
      replay(j, j + 1);
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

START_TEST(times_that_the_device_does_not_tell_are_lost) {
  struct subject subject;
  open_at(&subject, TAC_DETAILED);
  replay_refuse(1, 0);
  const enum tac_status status = run(&subject, replay_of_four, 4);
  ck_assert_int_eq(status, TAC_STATUS_DEVICE); /* the join says so */
  ck_assert_uint_eq(tac_recorder_batch(subject.recorder, 0)->completed, 4);
  ck_assert_uint_eq(tac_recorder_batch(subject.recorder, 0)->device.commands, 0);
  ck_assert_uint_eq(tac_recorder_device_lost(subject.recorder), 1);
  replay_refuse(0, 0);
  ck_assert_int_eq(run(&subject, replay_of_four, 4), TAC_STATUS_OK);
  ck_assert_uint_eq(tac_recorder_batch(subject.recorder, 1)->device.commands, 6);
  ck_assert_uint_eq(tac_recorder_device_lost(subject.recorder), 1);
  close_all(&subject);
}
END_TEST

START_TEST(a_sync_that_fails_says_so) {
  struct subject subject;
  struct tac_error error;
  open_at(&subject, TAC_COARSE);
  replay_refuse(0, 1);
  ck_assert_int_eq(tac_scheduler_sync(subject.scheduler, subject.recorder, &error), TAC_STATUS_DEVICE);
  ck_assert_str_eq(error.text, "the replay was torn");
  replay_refuse(0, 0);
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

START_TEST(off_keeps_no_time_at_all) {
  struct subject subject;
  struct tac_scheduler_options options;
  replayed_take();
  tac_scheduler_options_init(&options);
  options.table = &test_executor_replayed;
  ck_assert_int_eq(tac_scheduler_create(&subject.scheduler, &options, NULL), TAC_STATUS_OK);
  struct tac_device *device = tac_scheduler_device(subject.scheduler);
  subject.kernel = replayed_kernel(device, "gemm");
  subject.script = replay_of_four;
  ck_assert_int_eq(tac_device_memory_take(&subject.memory, device, 64, NULL), TAC_STATUS_OK);
  const struct tac_batch batch = {.count = 4, .item = submit_item, .context = &subject};
  ck_assert_int_eq(tac_run_batch(subject.scheduler, &batch, NULL), TAC_STATUS_OK);
  const struct replayed happened = replayed_take();
  ck_assert_int_eq(happened.timed_streams, 0);
  ck_assert_int_eq(happened.untimed_streams, 2);
  ck_assert_int_eq(happened.events, 0);
  tac_device_memory_give(&subject.memory);
  tac_scheduler_destroy(&subject.scheduler);
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
    open_with(&subject, &options, 2);
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
  open_with(&subject, &options, 2);
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
  const TTest *const tests[] = {
      a_detailed_batch_has_the_times_of_its_items,
      kept_commands_say_what_ran_where,
      a_coarse_batch_has_sums,
      hooked_is_as_coarse,
      summaries_add_up,
      a_failing_batch_has_its_device_times,
      phases_have_what_is_within_them,
      what_ran_before_a_phase_is_not_its_own,
      a_batch_without_items_takes_nothing,
      a_batch_has_the_times_of_any_number_of_commands,
      a_batch_inside_an_item_leaves_its_times_to_the_one_around,
      times_that_the_device_does_not_tell_are_lost,
      a_sync_that_fails_says_so,
      a_sync_on_a_host_executor_does_nothing,
      off_keeps_no_time_at_all,
      without_memory_device_times_are_lost_and_counted,
      reset_keeps_the_memory,
      counters_of_a_batch_are_exact,
  };
  return RUN_SUITE("device_batch", tests);
}
