/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <tactus/measure/report.h>

#include <stdio.h>

#include <jansson.h>

#include "tests/support/recorded.h"
#include "tests/support/recorded_device.h"
#include "tests/support/sink.h"
#include "tests/unit/suite.h"

static struct test_sink sink;

static struct tac_recorder *recorded(enum tac_level level, size_t batch_limit) {
  struct tac_recorder *recorder;
  ck_assert_int_eq(recorded_create(&recorder, level, batch_limit, NULL), TAC_STATUS_OK);
  ck_assert_int_eq(recorded_run(recorder), TAC_STATUS_OK);
  return recorder;
}

/* The report as a JSON library reads it: valid UTF-8, every number where the grammar has one. */
static json_t *parse_report(struct tac_recorder **recorder) {
  sink = (struct test_sink){.limit = sizeof sink.text};
  ck_assert_int_eq(tac_report_json(*recorder, NULL, test_sink_take, &sink, NULL), TAC_STATUS_OK);
  tac_recorder_destroy(recorder);
  json_error_t error;
  json_t *value = json_loads(sink.text, JSON_REJECT_DUPLICATES, &error);
  ck_assert_msg(value != NULL, "%s at %d", error.text, error.position);
  return value;
}

static json_t *parsed_report(enum tac_level level, size_t batch_limit) {
  struct tac_recorder *recorder = recorded(level, batch_limit);
  return parse_report(&recorder);
}

static json_int_t integer(const json_t *object, const char *key) {
  const json_t *value = json_object_get(object, key);
  ck_assert_msg(json_is_integer(value), "%s is no integer", key);
  return json_integer_value(value);
}

static const char *text(const json_t *object, const char *key) {
  const json_t *value = json_object_get(object, key);
  ck_assert_msg(json_is_string(value), "%s is no text", key);
  return json_string_value(value);
}

START_TEST(events_have_their_durations) {
  static const struct {
    const char *name, *parent;
    json_int_t count, total, min, max;
    double mean;
  } expected[] = {
      {"run", NULL, 1, 18500, 18500, 18500, 18500},
      {"sweep", "run", 2, 18000, 8000, 10000, 9000},
      {"set\x1bup \"\xef\xbf\xbd\"", "run", 1, 500, 500, 500, 500},
      {"solve \xc2\xb5", "sweep", 2, 6000, 2000, 4000, 3000},
      {"batch", "sweep", 2, 12000, 6000, 6000, 6000},
  };
  json_t *report = parsed_report(TAC_COARSE, 10);
  const json_t *list = json_object_get(report, "events");
  ck_assert_uint_eq(json_array_size(list), sizeof expected / sizeof *expected);
  for (size_t i = 0; i < json_array_size(list); i++) {
    const json_t *event = json_array_get(list, i);
    ck_assert_str_eq(text(event, "name"), expected[i].name);
    if (expected[i].parent)
      ck_assert_str_eq(text(event, "parent"), expected[i].parent);
    else
      ck_assert(json_is_null(json_object_get(event, "parent")));
    ck_assert_int_eq(integer(event, "count"), expected[i].count);
    ck_assert_int_eq(integer(event, "total_ns"), expected[i].total);
    ck_assert_int_eq(integer(event, "min_ns"), expected[i].min);
    ck_assert_int_eq(integer(event, "max_ns"), expected[i].max);
    ck_assert(json_real_value(json_object_get(event, "mean_ns")) == expected[i].mean);
    ck_assert_str_eq(text(event, "domain"), "host_wall");
  }
  ck_assert_uint_eq(json_array_size(json_object_get(report, "batches")), 0);
  json_decref(report);
}
END_TEST

START_TEST(the_head_says_what_was_measured) {
  json_t *report = parsed_report(TAC_DETAILED, 10);
  ck_assert_int_eq(integer(report, "schema"), TAC_JSON_SCHEMA);
  ck_assert_str_eq(text(report, "level"), "detailed");
  const json_t *clock = json_object_get(report, "clock");
  ck_assert_str_eq(text(clock, "name"), "driven");
  ck_assert_int_eq(integer(clock, "resolution_ns"), 0); /* a clock that stands still shows none */
  const json_t *cost = json_object_get(report, "cost");
  static const char *const keys[] = {"clock_read_ns", "phase_record_ns", "item_record_ns"};
  for (size_t i = 0; i < 3; i++)
    ck_assert(json_is_real(json_object_get(cost, keys[i])) && json_real_value(json_object_get(cost, keys[i])) == 0);
  ck_assert_int_eq(integer(report, "dropped"), 0);
  ck_assert_int_eq(integer(report, "mismatches"), 0);
  json_decref(report);
}
END_TEST

/* One lane runs 1000, 2000 and 3000 ns without a pause, the other finds nothing left. */
START_TEST(batches_stand_in_the_order_they_ran) {
  json_t *report = parsed_report(TAC_DETAILED, 10);
  const json_t *list = json_object_get(report, "batches");
  ck_assert_uint_eq(json_array_size(list), 2);
  for (size_t i = 0; i < 2; i++) {
    const json_t *batch = json_array_get(list, i);
    ck_assert_str_eq(text(batch, "event"), "batch");
    ck_assert_int_eq(integer(batch, "begin_ns"), i == 0 ? 1002500 : 1012500);
    ck_assert_int_eq(integer(batch, "requested"), 3);
    ck_assert_int_eq(integer(batch, "started"), 3);
    ck_assert_int_eq(integer(batch, "completed"), 3);
    ck_assert_int_eq(integer(batch, "wall_ns"), 6000);
    ck_assert_int_eq(integer(batch, "item_total_ns"), 6000);
    ck_assert_int_eq(integer(batch, "item_max_ns"), 3000);
    ck_assert_int_eq(integer(batch, "slowest_index"), 2);
    ck_assert_int_eq(integer(batch, "first_start_delay_ns"), 0);
    ck_assert_int_eq(integer(batch, "start_spread_ns"), 3000);
    ck_assert_int_eq(integer(batch, "finish_spread_ns"), 5000);
    ck_assert_int_eq(integer(batch, "return_after_last_finish_ns"), 0);
    ck_assert_int_eq(integer(batch, "peak_overlap"), 1);
    ck_assert_int_eq(integer(batch, "lanes"), 2);
    ck_assert(json_is_false(json_object_get(batch, "inline")));
    ck_assert_str_eq(text(batch, "status"), "OK");
    ck_assert_str_eq(text(batch, "domain"), "host_wall");
  }
  json_decref(report);
}
END_TEST

START_TEST(summaries_hold_what_was_dropped) {
  json_t *report = parsed_report(TAC_DETAILED, 1);
  ck_assert_uint_eq(json_array_size(json_object_get(report, "batches")), 1);
  ck_assert_int_eq(integer(report, "dropped"), 1);
  const json_t *list = json_object_get(report, "batch_summaries");
  ck_assert_uint_eq(json_array_size(list), 1);
  const json_t *summary = json_array_get(list, 0);
  ck_assert_str_eq(text(summary, "event"), "batch");
  ck_assert_int_eq(integer(summary, "batches"), 2);
  ck_assert_int_eq(integer(summary, "completed"), 6);
  ck_assert_int_eq(integer(summary, "wall_ns"), 12000);
  ck_assert_int_eq(integer(summary, "lane_wall_ns"), 24000);
  ck_assert_int_eq(integer(summary, "item_total_ns"), 12000);
  ck_assert(json_real_value(json_object_get(summary, "idle_share")) == 0.5);
  json_decref(report);
}
END_TEST

/* An array of integers. */
static void expect_integers(const json_t *object, const char *key, const json_int_t *expected, size_t count) {
  const json_t *value = json_object_get(object, key);
  ck_assert_msg(json_is_array(value), "%s is no array", key);
  ck_assert_uint_eq(json_array_size(value), count);
  for (size_t i = 0; i < count; i++)
    ck_assert_msg(json_integer_value(json_array_get(value, i)) == expected[i], "%s[%zu]", key, i);
}
#define EXPECT_INTEGERS(object, key, ...)                                                                                      \
  expect_integers(object, key, (const json_int_t[]){__VA_ARGS__},                                                              \
                  sizeof((const json_int_t[]){__VA_ARGS__}) / sizeof(json_int_t))

START_TEST(exclusive_time_stands_beside_the_whole) {
  static const struct {
    json_int_t exclusive;
    int has_children, batched;
  } expected[] = {{0, 1, 0}, {0, 1, 0}, {500, 0, 0}, {6000, 0, 0}, {12000, 0, 1}};
  json_t *report = parsed_report(TAC_COARSE, 10);
  for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
    const json_t *event = json_array_get(json_object_get(report, "events"), i);
    const json_t *unmeasured = json_object_get(event, "unmeasured_ns");
    ck_assert_int_eq(integer(event, "exclusive_ns"), expected[i].exclusive);
    ck_assert_int_eq(unmeasured != NULL, expected[i].has_children);
    ck_assert_int_eq(json_integer_value(unmeasured), 0);
    ck_assert_int_eq(json_is_true(json_object_get(event, "batched")), expected[i].batched);
  }
  json_decref(report);
}
END_TEST

START_TEST(the_timeline_is_in_order_of_begin) {
  json_t *report = parsed_report(TAC_COARSE, 10);
  const json_t *timeline = json_object_get(report, "timeline");
  EXPECT_INTEGERS(timeline, "event", RECORDED_RUN, RECORDED_SETUP, RECORDED_SWEEP, RECORDED_SOLVE, RECORDED_BATCH,
                  RECORDED_SWEEP, RECORDED_SOLVE, RECORDED_BATCH);
  EXPECT_INTEGERS(timeline, "begin_ns", 0, 0, 500, 500, 2500, 8500, 8500, 12500);
  EXPECT_INTEGERS(timeline, "duration_ns", 18500, 500, 8000, 2000, 6000, 10000, 4000, 6000);
  ck_assert_int_eq(integer(report, "timeline_dropped"), 0);
  ck_assert_int_eq(integer(json_object_get(report, "clock"), "origin_ns"), 1000000);
  const json_t *names = json_object_get(report, "events_all");
  ck_assert_uint_eq(json_array_size(names), RECORDED_EVENTS);
  ck_assert_str_eq(json_string_value(json_array_get(names, RECORDED_NEVER)), "never");
  json_decref(report);
}
END_TEST

/* 1000 is in the bucket from 31 * 32, 2000 in that from 31 * 64, 3000 in that from 23 * 128. */
START_TEST(summaries_tell_lanes_and_items) {
  json_t *report = parsed_report(TAC_DETAILED, 1);
  const json_t *summary = json_array_get(json_object_get(report, "batch_summaries"), 0);
  const json_t *histogram = json_object_get(summary, "item_histogram_ns"), *slowest = json_object_get(summary, "slowest");
  static const json_int_t buckets[][2] = {{992, 2}, {1984, 2}, {2944, 2}};
  ck_assert_int_eq(integer(summary, "lane_busy_max_ns"), 12000);
  ck_assert(json_real_value(json_object_get(summary, "lane_busy_mean_ns")) == 6000);
  ck_assert(json_real_value(json_object_get(summary, "imbalance")) == 2);
  ck_assert_int_eq(integer(summary, "item_p50_ns"), 1984);
  ck_assert_int_eq(integer(summary, "item_p90_ns"), 2944);
  ck_assert_int_eq(integer(summary, "item_p99_ns"), 2944);
  ck_assert_int_eq(integer(summary, "item_p999_ns"), 2944);
  ck_assert_uint_eq(json_array_size(histogram), 3);
  for (size_t i = 0; i < 3; i++)
    for (size_t k = 0; k < 2; k++)
      ck_assert_int_eq(json_integer_value(json_array_get(json_array_get(histogram, i), k)), buckets[i][k]);
  ck_assert_int_eq(integer(slowest, "batch"), 0);
  ck_assert_int_eq(integer(slowest, "index"), 2);
  ck_assert_int_eq(integer(slowest, "duration_ns"), 3000);
  json_decref(report);
}
END_TEST

START_TEST(batches_hold_their_items) {
  json_t *report = parsed_report(TAC_DETAILED, 10);
  const json_t *batch = json_array_get(json_object_get(report, "batches"), 1);
  const json_t *items = json_object_get(batch, "items");
  ck_assert_int_eq(integer(batch, "number"), 1);
  EXPECT_INTEGERS(items, "index", 0, 1, 2);
  EXPECT_INTEGERS(items, "lane", 0, 0, 0);
  EXPECT_INTEGERS(items, "start_ns", 0, 1000, 3000);
  EXPECT_INTEGERS(items, "duration_ns", 1000, 2000, 3000);
  ck_assert_ptr_null(json_object_get(items, "status"));
  ck_assert_ptr_null(json_object_get(items, "cost"));
  ck_assert_int_eq(integer(report, "slots_dropped"), 0);
  json_decref(report);
}
END_TEST

static double recorded_cost(const void *context, size_t index) {
  (void)context;
  return 0.5 * (double)index;
}

static enum tac_status failing_item(void *context, size_t index, struct tac_lane *lane) {
  (void)recorded_item(context, index, lane);
  return index == 1 ? TAC_STATUS_ITEM : TAC_STATUS_OK;
}

/* Largest cost first: item 1 runs and fails before item 0 would start. */
START_TEST(costs_and_failures_stand_beside_the_items) {
  struct tac_scheduler_options options;
  struct tac_scheduler *scheduler;
  struct tac_recorder *recorder;
  const struct tac_batch batch = {.count = 3, .item = failing_item, .cost = recorded_cost, .event = RECORDED_BATCH};
  tac_scheduler_options_init(&options);
  options.executor = "serial";
  options.level = TAC_DETAILED;
  ck_assert_int_eq(tac_scheduler_create(&scheduler, &options, NULL), TAC_STATUS_OK);
  ck_assert_int_eq(recorded_create(&recorder, TAC_DETAILED, 10, NULL), TAC_STATUS_OK);
  ck_assert_int_eq(tac_run_batch_measured(scheduler, &batch, recorder, NULL), TAC_STATUS_ITEM);
  tac_scheduler_destroy(&scheduler);
  json_t *report = parse_report(&recorder);
  const json_t *items = json_object_get(json_array_get(json_object_get(report, "batches"), 0), "items");
  const json_t *costs = json_object_get(items, "cost"), *statuses = json_object_get(items, "status");
  EXPECT_INTEGERS(items, "index", 1, 2);
  EXPECT_INTEGERS(items, "start_ns", 3000, 0);
  ck_assert(json_real_value(json_array_get(costs, 0)) == 0.5 && json_real_value(json_array_get(costs, 1)) == 1);
  ck_assert_str_eq(json_string_value(json_array_get(statuses, 0)), tac_status_name(TAC_STATUS_ITEM));
  ck_assert_str_eq(json_string_value(json_array_get(statuses, 1)), "OK");
  json_decref(report);
}
END_TEST

static void expect_device(const json_t *device, json_int_t commands, json_int_t busy_ns, json_int_t total_ns) {
  ck_assert_ptr_nonnull(device);
  ck_assert_str_eq(text(device, "domain"), "device");
  ck_assert_int_eq(integer(device, "commands"), commands);
  ck_assert_int_eq(integer(device, "busy_ns"), busy_ns);
  ck_assert_int_eq(integer(device, "total_ns"), total_ns);
}

START_TEST(device_times_are_told_apart) {
  struct tac_recorder *recorder;
  ck_assert_int_eq(recorded_create(&recorder, TAC_DETAILED, 10, NULL), TAC_STATUS_OK);
  ck_assert_int_eq(recorded_device_run(recorder), TAC_STATUS_OK);
  json_t *report = parse_report(&recorder);
  ck_assert_str_eq(text(report, "device_clock"), "CLOCK_MONOTONIC");
  ck_assert_int_eq(integer(report, "device_lost"), 0);
  for (size_t i = 0; i < 2; i++) { /* the sweep and its batch */
    const json_t *event = json_array_get(json_object_get(report, "events"), i);
    expect_device(json_object_get(event, "device"), 2, 25000, 30000);
    ck_assert_str_eq(text(event, "domain"), "host_wall");
  }
  const json_t *batch = json_array_get(json_object_get(report, "batches"), 0);
  const json_t *device = json_object_get(batch, "device");
  ck_assert(json_is_true(json_object_get(batch, "submission")));
  ck_assert_int_eq(integer(batch, "item_total_ns"), 6000);
  expect_device(device, 2, 25000, 30000);
  ck_assert_int_eq(integer(device, "items"), 2);
  ck_assert_int_eq(integer(device, "peak_overlap"), 2);
  ck_assert_int_eq(integer(device, "begin_ns"), 10000);
  ck_assert_int_eq(integer(device, "wall_ns"), 25000);
  ck_assert_int_eq(integer(device, "item_max_ns"), 15000);
  ck_assert_int_eq(integer(device, "slowest_index"), 0);
  const json_t *items = json_object_get(batch, "device_items"), *commands = json_object_get(batch, "device_commands");
  EXPECT_INTEGERS(items, "index", 0, 1);
  EXPECT_INTEGERS(items, "start_ns", 10000 - 1000000, 20000 - 1000000); /* the driven clock is not the device's */
  EXPECT_INTEGERS(items, "duration_ns", 15000, 15000);
  EXPECT_INTEGERS(items, "busy_ns", 15000, 15000);
  EXPECT_INTEGERS(items, "commands", 1, 1);
  EXPECT_INTEGERS(commands, "item", 0, 1);
  EXPECT_INTEGERS(commands, "label", 0, 0);
  EXPECT_INTEGERS(commands, "duration_ns", 15000, 15000);
  ck_assert_str_eq(json_string_value(json_array_get(json_object_get(commands, "kind"), 0)), "launch");
  ck_assert_str_eq(json_string_value(json_array_get(json_object_get(report, "device_labels"), 0)), "clear");
  const json_t *summary = json_array_get(json_object_get(report, "batch_summaries"), 0);
  ck_assert(json_is_null(json_object_get(summary, "imbalance")));
  ck_assert_int_eq(integer(summary, "submissions"), 1);
  device = json_object_get(summary, "device");
  expect_device(device, 2, 25000, 30000);
  ck_assert_int_eq(integer(device, "batches"), 1);
  ck_assert_int_eq(integer(device, "items"), 2);
  ck_assert_int_eq(integer(device, "wall_ns"), 25000);
  json_decref(report);
}
END_TEST

START_TEST(without_a_device_nothing_is_told_of_one) {
  json_t *report = parsed_report(TAC_DETAILED, 10);
  ck_assert_ptr_null(strstr(sink.text, "\"device\""));
  ck_assert_ptr_null(strstr(sink.text, "device_clock"));
  const json_t *batch = json_array_get(json_object_get(report, "batches"), 0);
  ck_assert(json_is_false(json_object_get(batch, "submission")));
  json_decref(report);
}
END_TEST

/* The members between braces of one's own are the object. */
START_TEST(members_are_the_object_without_its_braces) {
  static struct test_sink members;
  struct tac_recorder *recorder = recorded(TAC_DETAILED, 10);
  sink = members = (struct test_sink){.limit = sizeof sink.text};
  ck_assert_int_eq(test_sink_take(&members, "{", 1), 0);
  ck_assert_int_eq(tac_report_json_members(recorder, test_sink_take, &members, NULL), TAC_STATUS_OK);
  ck_assert_int_eq(test_sink_take(&members, "}", 1), 0);
  ck_assert_int_eq(tac_report_json(recorder, NULL, test_sink_take, &sink, NULL), TAC_STATUS_OK);
  ck_assert_str_eq(members.text, sink.text);
  tac_recorder_destroy(&recorder);
}
END_TEST

START_TEST(facts_are_the_member_run) {
  static const struct tac_report_fact fact[] = {
      {"program", "a \"b\"\n\xff"}, {"lanes", "2"}, {"command_line", "a 1"}, {"blas", "OpenBLAS"}, {"blas_threads", "one"}};
  const struct tac_report_facts facts = {fact, 5}, none = {NULL, 0};
  struct tac_recorder *recorder = recorded(TAC_COARSE, 10);
  sink = (struct test_sink){.limit = sizeof sink.text};
  ck_assert_int_eq(tac_report_json(recorder, &facts, test_sink_take, &sink, NULL), TAC_STATUS_OK);
  json_t *report = json_loads(sink.text, JSON_REJECT_DUPLICATES, NULL);
  ck_assert_str_eq(json_string_value(json_object_get(json_object_get(report, "run"), "program")), "a \"b\"\n\xef\xbf\xbd");
  const json_t *run = json_object_get(report, "run"), *blas = json_object_get(run, "blas");
  ck_assert_int_eq(json_integer_value(json_object_get(run, "lanes")), 2);
  ck_assert_str_eq(json_string_value(json_array_get(json_object_get(run, "command_line"), 0)), "a 1");
  ck_assert_str_eq(json_string_value(json_object_get(blas, "name")), "OpenBLAS");
  ck_assert_str_eq(json_string_value(json_object_get(blas, "threads")), "one");
  json_decref(report);
  sink = (struct test_sink){.limit = sizeof sink.text};
  ck_assert_int_eq(tac_report_json(recorder, &none, test_sink_take, &sink, NULL), TAC_STATUS_OK);
  report = json_loads(sink.text, JSON_REJECT_DUPLICATES, NULL);
  ck_assert_uint_eq(json_object_size(json_object_get(report, "run")), 0);
  json_decref(report);
  tac_recorder_destroy(&recorder);
}
END_TEST

int main(void) {
  const TTest *const tests[] = {
      events_have_their_durations,
      the_head_says_what_was_measured,
      batches_stand_in_the_order_they_ran,
      summaries_hold_what_was_dropped,
      members_are_the_object_without_its_braces,
      facts_are_the_member_run,
      device_times_are_told_apart,
      without_a_device_nothing_is_told_of_one,
      exclusive_time_stands_beside_the_whole,
      the_timeline_is_in_order_of_begin,
      summaries_tell_lanes_and_items,
      batches_hold_their_items,
      costs_and_failures_stand_beside_the_items,
  };
  return RUN_SUITE("report_json", tests);
}
