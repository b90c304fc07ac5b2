/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/tactus/record.h"

#include <stdio.h>
#include <unistd.h>

#include <tactus/measure/report.h>

#include "tests/support/recorded.h"
#include "tests/support/recorded_device.h"
#include "tests/unit/suite.h"

static int write_piece(void *stream, const char *text, size_t bytes) {
  return fwrite(text, 1, bytes, stream) != bytes;
}

/* What a recorder reports, as a JSON value. */
static json_t *reported(const struct tac_recorder *recorder) {
  char *text = NULL;
  size_t bytes = 0;
  FILE *stream = open_memstream(&text, &bytes);
  ck_assert_ptr_nonnull(stream);
  ck_assert_int_eq(tac_report_json(recorder, NULL, write_piece, stream, NULL), TAC_STATUS_OK);
  fclose(stream);
  json_t *value = json_loadb(text, bytes, 0, NULL);
  ck_assert_ptr_nonnull(value);
  free(text);
  return value;
}

static struct tac_recorder *create(enum tac_level level, size_t batch_limit, size_t timeline_limit) {
  struct tac_recorder *recorder;
  struct tac_recorder_options options;
  tac_recorder_options_init(&options);
  driven_clock_init(&recorded_clock, 1000000, 7);
  options.events = &recorded_set;
  options.level = level;
  options.clock = &recorded_clock.clock;
  options.batch_limit = batch_limit;
  options.timeline_limit = timeline_limit;
  options.keep_slots = 1;
  ck_assert_int_eq(tac_recorder_create(&recorder, &options, NULL), TAC_STATUS_OK);
  return recorder;
}

/* Writes the recorder's record to a file, reads it back, and compares what both report to the last member. */
static void expect_same_after_reading(struct tac_recorder **recorder) {
  char path[] = "record-XXXXXX";
  struct tac_record record;
  struct tac_error error;
  const int file = mkstemp(path);
  ck_assert_int_ge(file, 0);
  json_t *before = reported(*recorder);
  tac_recorder_destroy(recorder);
  FILE *stream = fdopen(file, "w");
  ck_assert_int_eq(json_dumpf(before, stream, 0), 0);
  fclose(stream);
  tac_error_clear(&error);
  const enum tac_status status = tac_record_read(&record, path, &error);
  unlink(path);
  ck_assert_msg(status == TAC_STATUS_OK, "%s: %s", error.where, error.text);
  json_t *after = reported(record.recorder);
  char *wanted = json_dumps(before, 0), *found = json_dumps(after, 0);
  ck_assert_str_eq(found, wanted);
  free(wanted);
  free(found);
  json_decref(before);
  json_decref(after);
  tac_record_release(&record);
}

START_TEST(phases_come_back) {
  struct tac_recorder *recorder = create(TAC_COARSE, 100, 100);
  ck_assert_int_eq(recorded_run(recorder), TAC_STATUS_OK);
  tac_recorder_leave(recorder, RECORDED_SOLVE); /* a mismatch */
  expect_same_after_reading(&recorder);
}
END_TEST

START_TEST(batches_and_items_come_back) {
  struct tac_recorder *recorder = create(TAC_DETAILED, 100, 100);
  ck_assert_int_eq(recorded_run(recorder), TAC_STATUS_OK);
  expect_same_after_reading(&recorder);
}
END_TEST

START_TEST(limits_come_back) {
  struct tac_recorder *recorder = create(TAC_DETAILED, 1, 3);
  ck_assert_int_eq(recorded_run(recorder), TAC_STATUS_OK);
  expect_same_after_reading(&recorder);
}
END_TEST

START_TEST(commands_of_devices_come_back) {
  struct tac_recorder *recorder = create(TAC_DETAILED, 100, 100);
  ck_assert_int_eq(recorded_device_run(recorder), TAC_STATUS_OK);
  expect_same_after_reading(&recorder);
}
END_TEST

static enum tac_status failing_item(void *context, size_t index, struct tac_lane *lane) {
  (void)context, (void)lane;
  driven_clock_advance(&recorded_clock, 10);
  return index == 2 ? TAC_STATUS_NUMERICAL : TAC_STATUS_OK;
}

static double cost_of(const void *context, size_t index) {
  (void)context;
  return 0.5 * (double)index;
}

/* Costs, failures, and items that never started. */
START_TEST(costs_and_failures_come_back) {
  struct tac_recorder *recorder = create(TAC_DETAILED, 100, 0);
  struct tac_scheduler_options options;
  struct tac_scheduler *scheduler;
  tac_scheduler_options_init(&options);
  options.table = &test_executor_in_turn;
  options.executor_options.lanes = 2;
  options.level = TAC_DETAILED;
  ck_assert_int_eq(tac_scheduler_create(&scheduler, &options, NULL), TAC_STATUS_OK);
  const struct tac_batch batch = {.count = 5, .item = failing_item, .cost = cost_of, .event = RECORDED_BATCH};
  ck_assert_int_eq(tac_run_batch_measured(scheduler, &batch, recorder, NULL), TAC_STATUS_NUMERICAL);
  tac_scheduler_destroy(&scheduler);
  expect_same_after_reading(&recorder);
}
END_TEST

START_TEST(nothing_comes_back) {
  struct tac_recorder *recorder = create(TAC_DETAILED, 100, 100);
  expect_same_after_reading(&recorder);
}
END_TEST

int main(void) {
  const TTest *const tests[] = {phases_come_back,
                                batches_and_items_come_back,
                                limits_come_back,
                                commands_of_devices_come_back,
                                costs_and_failures_come_back,
                                nothing_comes_back};
  return RUN_SUITE("record", tests);
}
