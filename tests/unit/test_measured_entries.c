/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "tests/unit/measured.h"

static double refused_cost(const void *context, size_t index) {
  (void)context, (void)index;
  return -1;
}

static void expect_refused(struct tac_scheduler *scheduler, const struct tac_batch *batch, struct tac_recorder *recorder,
                           enum tac_status status) {
  ck_assert_int_eq(tac_run_batch_measured(scheduler, batch, recorder, NULL), status);
  ck_assert_int_eq(driven.now_ns, 1000);
  ck_assert_int_eq(driven.reads, 0);
  if (recorder)
    ck_assert_uint_eq(tac_recorder_batch_count(recorder), 0);
}

START_TEST(levels_that_do_not_match_are_refused) {
  int64_t durations[] = {1, 1};
  struct tac_batch batch = {.count = 2, .item = timed_item, .context = durations};
  for (int a = TAC_OFF; a < TAC_LEVEL_COUNT; a++)
    for (int b = TAC_COARSE; b < TAC_LEVEL_COUNT; b++) {
      struct tac_scheduler *scheduler = scheduler_at((enum tac_level)a, NULL);
      struct tac_recorder *recorder = recorder_at((enum tac_level)b);
      if (a != b)
        expect_refused(scheduler, &batch, recorder, TAC_STATUS_LEVEL);
      tac_recorder_destroy(&recorder);
      tac_scheduler_destroy(&scheduler);
    }
}
END_TEST

START_TEST(wrong_recorders_and_events_are_refused) {
  int64_t durations[] = {1, 1};
  struct tac_batch batch = {.count = 2, .item = timed_item, .context = durations};
  struct tac_scheduler *scheduler = scheduler_at(TAC_DETAILED, NULL);
  struct tac_recorder *recorder = recorder_at(TAC_DETAILED);
  expect_refused(scheduler, &batch, NULL, TAC_STATUS_INVALID);
  batch.event = EVENTS;
  expect_refused(scheduler, &batch, recorder, TAC_STATUS_INVALID);
  batch.event = TAC_NO_EVENT;
  expect_refused(scheduler, &batch, recorder, TAC_STATUS_INVALID);
  batch = (struct tac_batch){.count = 2};
  expect_refused(scheduler, &batch, recorder, TAC_STATUS_INVALID);
  expect_refused(scheduler, NULL, recorder, TAC_STATUS_INVALID);
  tac_recorder_destroy(&recorder);
  tac_scheduler_destroy(&scheduler);
}
END_TEST

START_TEST(an_ordinary_entry_on_a_measured_scheduler_is_off) {
  for (int level = TAC_COARSE; level < TAC_LEVEL_COUNT; level++) {
    struct tac_recorder *recorder = recorder_at((enum tac_level)level);
    struct tac_scheduler *scheduler = scheduler_at((enum tac_level)level, NULL);
    int64_t durations[] = {1, 1};
    const struct tac_batch batch = {.count = 2, .item = timed_item, .context = durations};
    ck_assert_int_eq(tac_run_batch(scheduler, &batch, NULL), TAC_STATUS_OK);
    ck_assert_int_eq(driven.now_ns, 1002);
    ck_assert_int_eq(driven.reads, 0);
    ck_assert_uint_eq(tac_recorder_stats(recorder, WORK).count, 0);
    tac_recorder_destroy(&recorder);
    tac_scheduler_destroy(&scheduler);
  }
}
END_TEST

static enum tac_status nest(void *context, size_t index, struct tac_lane *lane) {
  (void)index;
  int64_t durations[] = {2, 3};
  const struct tac_batch batch = {.count = 2, .item = timed_item, .context = durations, .event = OTHER};
  return tac_lane_run_batch_measured(lane, &batch, context, lane->error);
}

/* The item's own recorder may have any level; the batch around it may be unmeasured. */
START_TEST(a_nested_batch_is_recorded_by_its_item) {
  for (int level = TAC_COARSE; level < TAC_LEVEL_COUNT; level++) {
    struct tac_recorder *inner = recorder_at((enum tac_level)level);
    struct tac_scheduler *scheduler = scheduler_at(TAC_OFF, NULL);
    const struct tac_batch batch = {.count = 1, .item = nest, .context = inner};
    ck_assert_int_eq(tac_run_batch(scheduler, &batch, NULL), TAC_STATUS_OK);
    ck_assert_int_eq(tac_recorder_stats(inner, OTHER).total_ns, 5);
    ck_assert_uint_eq(tac_recorder_batch_count(inner), level == TAC_DETAILED ? 1 : 0);
    const struct tac_batch nameless = {.count = 1, .item = nest};
    ck_assert_int_eq(tac_run_batch(scheduler, &nameless, NULL), TAC_STATUS_INVALID);
    tac_scheduler_destroy(&scheduler);
    tac_recorder_destroy(&inner);
  }
}
END_TEST

/* The item hands on the recorder of the batch around it: with more items inside than outside, a nested batch that ran would
 * take the outer slots away. */
static enum tac_status nest_into_the_outer_recorder(void *context, size_t index, struct tac_lane *lane) {
  (void)index;
  int64_t durations[100] = {1};
  const struct tac_batch batch = {.count = 100, .item = timed_item, .context = durations, .event = OTHER};
  struct tac_error error = {0};
  const enum tac_status status = tac_lane_run_batch_measured(lane, &batch, context, &error);
  return status == TAC_STATUS_BUSY && error.text[0] ? TAC_STATUS_OK : TAC_STATUS_CONTRACT;
}

START_TEST(a_recorder_records_one_batch_at_a_time) {
  for (int level = TAC_COARSE; level < TAC_LEVEL_COUNT; level++) {
    struct tac_recorder_options options = recorder_options((enum tac_level)level);
    options.keep_slots = 0;
    struct tac_recorder *recorder = create_recorder(&options);
    struct tac_scheduler *scheduler = scheduler_at((enum tac_level)level, NULL);
    const struct tac_batch batch = {.count = 3, .item = nest_into_the_outer_recorder, .context = recorder};
    for (int pass = 0; pass < 2; pass++)
      ck_assert_int_eq(tac_run_batch_measured(scheduler, &batch, recorder, NULL), TAC_STATUS_OK);
    ck_assert_uint_eq(tac_recorder_stats(recorder, WORK).count, 2);
    ck_assert_uint_eq(tac_recorder_stats(recorder, OTHER).count, 0);
    ck_assert_int_eq(driven.now_ns, 1000);
    tac_scheduler_destroy(&scheduler);
    tac_recorder_destroy(&recorder);
  }
}
END_TEST

/* Returns the recorder where it was busy. */
static void *record_elsewhere(void *recorder) {
  struct tac_scheduler_options options;
  struct tac_scheduler *scheduler = NULL;
  tac_scheduler_options_init(&options);
  options.executor = "serial";
  options.level = tac_recorder_level(recorder);
  if (tac_scheduler_create(&scheduler, &options, NULL) != TAC_STATUS_OK)
    return NULL;
  const enum tac_status status = tac_run_batch_measured(scheduler, &(struct tac_batch){0}, recorder, NULL);
  tac_scheduler_destroy(&scheduler);
  return status == TAC_STATUS_BUSY ? recorder : NULL;
}

static enum tac_status use_on_a_thread(void *context, size_t index, struct tac_lane *lane) {
  (void)index, (void)lane;
  pthread_t thread;
  void *status = NULL;
  if (pthread_create(&thread, NULL, record_elsewhere, context) != 0 || pthread_join(thread, &status) != 0)
    return TAC_STATUS_SYSTEM;
  return status == context ? TAC_STATUS_OK : TAC_STATUS_CONTRACT;
}

START_TEST(a_second_thread_finds_the_recorder_busy) {
  struct tac_recorder *recorder = recorder_at(TAC_DETAILED);
  struct tac_scheduler *scheduler = scheduler_at(TAC_DETAILED, NULL);
  const struct tac_batch batch = {.count = 1, .item = use_on_a_thread, .context = recorder};
  ck_assert_int_eq(tac_run_batch_measured(scheduler, &batch, recorder, NULL), TAC_STATUS_OK);
  ck_assert_uint_eq(tac_recorder_batch_count(recorder), 1);
  tac_scheduler_destroy(&scheduler);
  tac_recorder_destroy(&recorder);
}
END_TEST

START_TEST(a_refused_batch_leaves_the_recorder_free) {
  int64_t durations[] = {1, 1};
  for (int level = TAC_COARSE; level < TAC_LEVEL_COUNT; level++) {
    struct tac_recorder *recorder = recorder_at((enum tac_level)level);
    struct tac_scheduler *scheduler = scheduler_at((enum tac_level)level, NULL);
    struct tac_batch batch = {.count = 2, .item = timed_item, .context = durations, .cost = refused_cost};
    ck_assert_int_eq(tac_run_batch_measured(scheduler, &batch, recorder, NULL), TAC_STATUS_INVALID);
    batch.cost = NULL;
    ck_assert_int_eq(tac_run_batch_measured(scheduler, &batch, recorder, NULL), TAC_STATUS_OK);
    tac_scheduler_destroy(&scheduler);
    tac_recorder_destroy(&recorder);
  }
}
END_TEST

START_TEST(no_scheduler_and_no_lane_are_refused) {
  int64_t durations[] = {1};
  const struct tac_batch batch = {.count = 1, .item = timed_item, .context = durations};
  struct tac_recorder *recorder = recorder_at(TAC_COARSE);
  struct tac_error error;
  ck_assert_int_eq(tac_run_batch_measured(NULL, &batch, recorder, &error), TAC_STATUS_INVALID);
  ck_assert_str_eq(error.text, "no scheduler");
  ck_assert_int_eq(tac_lane_run_batch_measured(NULL, &batch, recorder, &error), TAC_STATUS_INVALID);
  ck_assert_str_eq(error.text, "no lane");
  ck_assert_int_eq(driven.reads, 0);
  tac_recorder_destroy(&recorder);
}
END_TEST

int main(void) {
  const TTest *const tests[] = {
      levels_that_do_not_match_are_refused,
      wrong_recorders_and_events_are_refused,
      an_ordinary_entry_on_a_measured_scheduler_is_off,
      a_nested_batch_is_recorded_by_its_item,
      a_recorder_records_one_batch_at_a_time,
      a_second_thread_finds_the_recorder_busy,
      a_refused_batch_leaves_the_recorder_free,
      no_scheduler_and_no_lane_are_refused,
  };
  return RUN_SUITE("measured_entries", tests);
}
