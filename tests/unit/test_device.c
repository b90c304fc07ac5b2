/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
/* What stands above a device runtime, on one of the tests' own that can be made to fail. */
#include <string.h>

#include <tactus/measure/device_counters.h>
#include <tactus/measure/recorder.h>
#include <tactus/scheduler/scheduler.h>

#include "runtime/arena.h"
#include "tests/unit/counting_allocator.h"
#include "tests/unit/fake_scheduler.h"

enum { BYTES = 1000, ITEMS = 12, LANES = 3 };

static const struct tac_event events[] = {{"batch", TAC_NO_EVENT, 1}};
static const struct tac_event_set event_set = {"device", 1, events};

static struct tac_recorder *recorder_of(enum tac_level level) {
  struct tac_recorder_options options;
  struct tac_recorder *recorder = NULL;
  struct tac_error error;
  tac_recorder_options_init(&options);
  options.events = &event_set;
  options.level = level;
  expect_ok(tac_recorder_create(&recorder, &options, &error), &error);
  return recorder;
}

/* Items with a block of memory each: a clear, and two launches that add 1 each. */
struct work {
  struct tac_device *device;
  struct tac_device_kernel *kernel;
  struct tac_device_memory *memory[ITEMS];
};

static void open_work(struct work *work, struct tac_scheduler *scheduler) {
  struct tac_error error;
  struct tac_device_program *program;
  work->device = tac_scheduler_device(scheduler);
  expect_ok(tac_device_program(&program, work->device, "text", "", NULL, &error), &error);
  expect_ok(tac_device_kernel(&work->kernel, program, "increment", &error), &error);
  for (int i = 0; i < ITEMS; i++)
    expect_ok(tac_device_memory_take(&work->memory[i], work->device, BYTES, &error), &error);
}

static void close_work(struct work *work) {
  for (int i = 0; i < ITEMS; i++)
    tac_device_memory_give(&work->memory[i]);
}

static enum tac_status item(void *context, size_t index, struct tac_lane *lane) {
  struct work *work = context;
  const struct tac_argument argument = tac_argument_memory(work->memory[index]);
  const struct tac_launch launch = {.kernel = work->kernel, .groups = {1, 1, 1}, .arguments = &argument, .argument_count = 1};
  enum tac_status status = tac_queue_clear(lane->queue, work->memory[index], 0, BYTES, lane->error);
  for (int i = 0; i < 2 && !status; i++)
    status = tac_queue_launch(lane->queue, &launch, lane->error);
  return status;
}

static struct tac_batch batch_of(struct work *work) {
  return (struct tac_batch){.count = ITEMS, .item = item, .context = work, .failure_mode = TAC_RUN_ALL};
}

START_TEST(nothing_is_left_behind) {
  for (int lanes = 1; lanes <= LANES; lanes++)
    for (int level = 0; level < TAC_LEVEL_COUNT - 1; level++) {
      fake_reset();
      struct tac_scheduler *scheduler = scheduler_of((enum tac_level)level, lanes, 0);
      struct work work;
      struct tac_error error;
      open_work(&work, scheduler);
      const struct tac_batch batch = batch_of(&work);
      expect_ok(tac_run_batch(scheduler, &batch, &error), &error);
      for (int i = 0; i < ITEMS; i++) {
        unsigned char bytes[BYTES];
        expect_ok(tac_queue_read(tac_scheduler_queue(scheduler), work.memory[i], 0, bytes, BYTES, &error), &error);
        ck_assert_int_eq(bytes[BYTES - 1], 2);
      }
      close_work(&work);
      ck_assert_int_eq(fake_state.timing, level != TAC_OFF);
      tac_scheduler_destroy(&scheduler);
      ck_assert_int_eq(atomic_load(&fake_state.live), 0);
    }
}
END_TEST

START_TEST(creation_survives_every_refusal) {
  const enum fake_call kinds[] = {FAKE_OPEN, FAKE_OPEN_STREAM};
  for (size_t k = 0; k < 2; k++)
    for (int number = 1; number <= (k ? 7 : 1); number++) {
      fake_reset();
      fake_fail(kinds[k], number, 1, TAC_STATUS_DEVICE);
      struct tac_scheduler *scheduler;
      struct tac_error error = {0};
      ck_assert_int_eq(open_scheduler(&scheduler, TAC_OFF, LANES, 7, NULL, &error), TAC_STATUS_DEVICE);
      ck_assert_ptr_null(scheduler);
      ck_assert_str_ne(error.text, "");
      ck_assert_int_eq(atomic_load(&fake_state.live), 0);
    }
}
END_TEST

START_TEST(creation_survives_every_refused_allocation) {
  for (size_t allowed = 0;; allowed++) {
    fake_reset();
    struct counting counting = COUNTING_INIT;
    const struct tac_allocator allocator = COUNTING_ALLOCATOR(&counting);
    counting.left = allowed;
    struct tac_scheduler *scheduler;
    struct tac_error error = {0};
    const enum tac_status status = open_scheduler(&scheduler, TAC_COARSE, 2, 0, &allocator, &error);
    tac_scheduler_destroy(&scheduler);
    ck_assert_int_eq(atomic_load(&fake_state.live), 0);
    ck_assert_uint_eq(counting.allocated, counting.released);
    if (status == TAC_STATUS_OK)
      break;
    ck_assert_int_eq(status, TAC_STATUS_MEMORY);
  }
}
END_TEST

START_TEST(a_launch_that_fails_fails_its_item) {
  fake_reset();
  struct tac_scheduler *scheduler = scheduler_of(TAC_OFF, LANES, 0);
  struct work work;
  struct tac_error error = {0};
  open_work(&work, scheduler);
  const struct tac_batch batch = batch_of(&work);
  fake_fail(FAKE_LAUNCH, 5, 1, TAC_STATUS_DEVICE);
  ck_assert_int_eq(tac_run_batch(scheduler, &batch, &error), TAC_STATUS_DEVICE);
  ck_assert_uint_lt(error.item, ITEMS);
  ck_assert_msg(strstr(error.text, "call 5") != NULL, "%s", error.text);
  ck_assert_int_eq(calls(FAKE_FINISH), LANES); /* joined all the same */
  expect_ok(tac_run_batch(scheduler, &batch, &error), &error);
  close_work(&work);
  tac_scheduler_destroy(&scheduler);
  ck_assert_int_eq(atomic_load(&fake_state.live), 0);
}
END_TEST

/* Work on a scheduler of a level, and who records its batch. */
struct measured {
  struct tac_scheduler *scheduler;
  struct tac_recorder *recorder;
  struct work work;
  struct tac_batch batch;
};

static void open_measured(struct measured *measured, enum tac_level level) {
  fake_reset();
  measured->scheduler = scheduler_of(level, LANES, 0);
  measured->recorder = recorder_of(level);
  open_work(&measured->work, measured->scheduler);
  measured->batch = batch_of(&measured->work);
}

static enum tac_status run_measured(struct measured *measured, struct tac_error *error) {
  return tac_run_batch_measured(measured->scheduler, &measured->batch, measured->recorder, error);
}

static void close_measured(struct measured *measured) {
  close_work(&measured->work);
  tac_recorder_destroy(&measured->recorder);
  tac_scheduler_destroy(&measured->scheduler);
  ck_assert_int_eq(atomic_load(&fake_state.live), 0);
}

/* A device that is lost shows when a queue is finished: the batch fails, every queue is finished, and the batch is recorded. */
START_TEST(a_lost_device_fails_the_batch_that_is_recorded) {
  struct measured measured;
  struct tac_error error = {0};
  open_measured(&measured, TAC_DETAILED);
  fake_fail(FAKE_FINISH, 2, FAKE_FOREVER, TAC_STATUS_DEVICE);
  ck_assert_int_eq(run_measured(&measured, &error), TAC_STATUS_DEVICE);
  ck_assert_msg(strstr(error.text, "call 2") != NULL, "%s", error.text);
  ck_assert_int_eq(calls(FAKE_FINISH), LANES);
  ck_assert_uint_eq(tac_recorder_batch_count(measured.recorder), 1);
  ck_assert_int_eq(tac_recorder_batch(measured.recorder, 0)->status, TAC_STATUS_DEVICE);
  ck_assert_uint_eq(tac_recorder_batch(measured.recorder, 0)->completed, ITEMS);
  close_measured(&measured);
}
END_TEST

/* What a part of the commands took is not the batch's device time. */
START_TEST(a_time_that_is_missing_makes_the_batch_one_whose_device_time_is_lost) {
  struct measured measured;
  struct tac_error error = {0};
  open_measured(&measured, TAC_DETAILED);
  fake_fail(FAKE_TIMES, 2, 1, TAC_STATUS_DEVICE);
  ck_assert_int_eq(run_measured(&measured, &error), TAC_STATUS_DEVICE);
  ck_assert_uint_eq(tac_recorder_device_lost(measured.recorder), 1);
  ck_assert_uint_eq(tac_recorder_device_stats(measured.recorder, 0).commands, 0);
  expect_ok(run_measured(&measured, &error), &error);
  ck_assert_uint_eq(tac_recorder_device_lost(measured.recorder), 1);
  ck_assert_uint_eq(tac_recorder_device_stats(measured.recorder, 0).commands, 3 * ITEMS);
  close_measured(&measured);
}
END_TEST

START_TEST(inline_and_nested_batches_are_finished) {
  fake_reset();
  struct tac_scheduler *scheduler = scheduler_of(TAC_OFF, LANES, 0);
  struct work work;
  struct tac_error error;
  open_work(&work, scheduler);
  struct tac_batch batch = batch_of(&work);
  batch.count = 1;
  expect_ok(tac_run_batch(scheduler, &batch, &error), &error);
  ck_assert_int_eq(calls(FAKE_FINISH), 1);
  struct tac_error lane_error;
  struct tac_arena *arena = NULL;
  expect_ok(tac_arena_create(&arena, NULL, &error), &error);
  struct tac_lane lane = {.count = 1, .queue = tac_scheduler_queue(scheduler), .arena = arena, .error = &lane_error};
  batch.count = 4;
  expect_ok(tac_lane_run_batch(&lane, &batch, &error), &error);
  ck_assert_int_eq(calls(FAKE_FINISH), 2);
  batch.leave_queued = 1; /* the lane's queue is the batch's around the item */
  expect_ok(tac_lane_run_batch(&lane, &batch, &error), &error);
  ck_assert_int_eq(calls(FAKE_FINISH), 2);
  tac_arena_destroy(&arena);
  close_work(&work);
  tac_scheduler_destroy(&scheduler);
}
END_TEST

/* Unmeasured, on one stream, and when all went well; in any other case the join waits for each stream that took part. */
START_TEST(a_batch_may_leave_what_the_caller_queued) {
  static const struct {
    enum tac_level level;
    int lanes, streams, fails, waits;
  } cases[] = {{TAC_OFF, 1, 0, 0, 0}, {TAC_OFF, LANES, 0, 0, LANES - 1}, {TAC_OFF, 1, 2, 0, 2},
               {TAC_OFF, 1, 0, 1, 1}, {TAC_COARSE, 1, 0, 0, 1},          {TAC_DETAILED, LANES, 0, 0, LANES}};
  for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
    fake_reset();
    struct tac_scheduler *scheduler = scheduler_of(cases[c].level, cases[c].lanes, cases[c].streams);
    struct tac_recorder *recorder = cases[c].level ? recorder_of(cases[c].level) : NULL;
    struct work work;
    struct tac_error error = {0};
    open_work(&work, scheduler);
    struct tac_batch batch = batch_of(&work);
    batch.leave_queued = 1;
    if (cases[c].fails)
      fake_fail(FAKE_LAUNCH, 3, 1, TAC_STATUS_DEVICE);
    const enum tac_status status =
        recorder ? tac_run_batch_measured(scheduler, &batch, recorder, &error) : tac_run_batch(scheduler, &batch, &error);
    ck_assert_int_eq(status, cases[c].fails ? TAC_STATUS_DEVICE : TAC_STATUS_OK);
    ck_assert_msg(calls(FAKE_FINISH) == cases[c].waits, "case %zu: %d waits", c, calls(FAKE_FINISH));
    close_work(&work);
    tac_recorder_destroy(&recorder);
    tac_scheduler_destroy(&scheduler);
    ck_assert_int_eq(atomic_load(&fake_state.live), 0);
  }
}
END_TEST

START_TEST(counters_see_every_call) {
  struct measured measured;
  struct tac_device_counters *counters;
  struct tac_error error;
  open_measured(&measured, TAC_COARSE);
  expect_ok(run_measured(&measured, &error), &error);
  expect_ok(tac_device_counters_create(&counters, NULL, &error), &error);
  expect_ok(tac_scheduler_take_device_counters(measured.scheduler, counters, &error), &error);
  ck_assert_uint_eq(tac_device_counters_find(counters, TAC_DEVICE_LAUNCHES, "increment").count, 2 * ITEMS);
  ck_assert_uint_eq(tac_device_counters_find(counters, TAC_DEVICE_LAUNCHES, "clear").count, ITEMS);
  ck_assert_uint_eq(tac_device_counters_find(counters, TAC_DEVICE_FENCES, "join").count, LANES);
  ck_assert_uint_eq(tac_device_counters_mismatches(counters), 0);
  tac_device_counters_reset(counters);
  expect_ok(tac_scheduler_take_device_counters(measured.scheduler, counters, &error), &error);
  ck_assert_uint_eq(tac_device_counters_total(counters, TAC_DEVICE_LAUNCHES).count, 0);
  tac_device_counters_destroy(&counters);
  close_measured(&measured);
}
END_TEST

START_TEST(a_scheduler_that_measures_nothing_counts_nothing) {
  fake_reset();
  struct tac_scheduler *scheduler = scheduler_of(TAC_OFF, 1, 0);
  struct tac_device_counters *counters;
  struct tac_error error;
  expect_ok(tac_device_counters_create(&counters, NULL, &error), &error);
  ck_assert_int_eq(tac_scheduler_take_device_counters(scheduler, counters, &error), TAC_STATUS_UNAVAILABLE);
  ck_assert_int_eq(fake_state.timing, 0);
  tac_device_counters_destroy(&counters);
  tac_scheduler_destroy(&scheduler);
}
END_TEST

/* Every call of a run of everything may fail once: the failure comes back as itself, and nothing is left behind. */
START_TEST(every_call_may_fail) {
  for (int kind = FAKE_LAUNCH; kind <= FAKE_TIMES; kind++) {
    fake_reset();
    fake_state.shares_memory = 1;
    struct tac_scheduler *scheduler = scheduler_of(TAC_COARSE, 1, 2);
    struct tac_queue *queue = tac_scheduler_queue(scheduler);
    struct work work;
    struct tac_error error = {0};
    unsigned char bytes[BYTES] = {0};
    void *mapped;
    open_work(&work, scheduler);
    fake_fail((enum fake_call)kind, 1, 1, TAC_STATUS_DEVICE);
    const struct tac_argument argument = tac_argument_memory(work.memory[0]);
    const struct tac_launch launch = {.kernel = work.kernel, .groups = {1, 1, 1}, .arguments = &argument, .argument_count = 1};
    int failed = tac_queue_launch(queue, &launch, &error) != TAC_STATUS_OK;
    failed += tac_queue_write(queue, work.memory[0], 0, bytes, BYTES, &error) != TAC_STATUS_OK;
    failed += tac_queue_read(queue, work.memory[0], 0, bytes, BYTES, &error) != TAC_STATUS_OK;
    failed += tac_queue_copy(queue, work.memory[0], 0, work.memory[1], 0, BYTES, &error) != TAC_STATUS_OK;
    failed += tac_queue_clear(queue, work.memory[0], 0, BYTES, &error) != TAC_STATUS_OK;
    failed += tac_queue_map(queue, work.memory[0], 0, 8, TAC_MAP_READ, &mapped, &error) != TAC_STATUS_OK;
    failed += mapped && tac_queue_unmap(queue, work.memory[0], &error) != TAC_STATUS_OK;
    failed += tac_queue_wait(queue, queue, &error) != TAC_STATUS_OK;
    failed += tac_queue_finish(queue, NULL, &error) != TAC_STATUS_OK;
    ck_assert_int_eq(failed, 1);
    ck_assert_int_eq(error.status, TAC_STATUS_DEVICE);
    close_work(&work);
    tac_scheduler_destroy(&scheduler);
    ck_assert_int_eq(atomic_load(&fake_state.live), 0);
  }
}
END_TEST

START_TEST(a_program_that_does_not_build_shows_the_error_of_its_log) {
  fake_reset();
  struct tac_scheduler *scheduler = scheduler_of(TAC_OFF, 1, 0);
  struct tac_device *device = tac_scheduler_device(scheduler);
  struct tac_device_program *program;
  struct tac_error error = {0};
  fake_fail(FAKE_BUILD, 1, 1, TAC_STATUS_INVALID);
  ck_assert_int_eq(tac_device_program(&program, device, "name", "", NULL, &error), TAC_STATUS_INVALID);
  ck_assert_msg(strstr(error.text, "name does not build: the second line has an error: here") != NULL, "%s", error.text);
  expect_ok(tac_device_program(&program, device, "name", "", NULL, &error), &error);
  ck_assert_msg(strstr(tac_device_program_log(program), "note: built") != NULL, "%s", tac_device_program_log(program));
  expect_ok(tac_device_program(&program, device, "silent", "say nothing", NULL, &error), &error);
  ck_assert_str_eq(tac_device_program_log(program), "");
  tac_scheduler_destroy(&scheduler);
  ck_assert_int_eq(atomic_load(&fake_state.live), 0);
}
END_TEST

int main(void) {
  const TTest *const tests[] = {nothing_is_left_behind,
                                creation_survives_every_refusal,
                                creation_survives_every_refused_allocation,
                                a_launch_that_fails_fails_its_item,
                                a_lost_device_fails_the_batch_that_is_recorded,
                                a_time_that_is_missing_makes_the_batch_one_whose_device_time_is_lost,
                                inline_and_nested_batches_are_finished,
                                a_batch_may_leave_what_the_caller_queued,
                                counters_see_every_call,
                                a_scheduler_that_measures_nothing_counts_nothing,
                                every_call_may_fail,
                                a_program_that_does_not_build_shows_the_error_of_its_log};
  return RUN_SUITE("device", tests);
}
