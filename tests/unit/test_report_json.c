/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <tactus/measure/report.h>

#include <locale.h>
#include <stdio.h>

#include <jansson.h>

#include "tests/support/recorded.h"
#include "tests/support/recorded_device.h"
#include "tests/support/sink.h"
#include "tests/unit/counting_allocator.h"
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
  ck_assert_int_eq(tac_report_json(*recorder, test_sink_take, &sink, NULL), TAC_STATUS_OK);
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
  const json_t *summary = json_array_get(json_object_get(report, "batch_summaries"), 0);
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
  ck_assert_int_eq(tac_report_json(recorder, test_sink_take, &sink, NULL), TAC_STATUS_OK);
  ck_assert_str_eq(members.text, sink.text);
  tac_recorder_destroy(&recorder);
}
END_TEST

/* A decimal comma must not reach a number. Machines without such a locale check the plain one again. */
START_TEST(numbers_do_not_depend_on_the_locale) {
  static const char *const commas[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "de_DE", "fr_FR"};
  const char *set = NULL;
  for (size_t i = 0; i < sizeof commas / sizeof *commas && !set; i++)
    set = setlocale(LC_ALL, commas[i]);
  printf("# locale %s\n", set ? set : "C");
  json_t *report = parsed_report(TAC_DETAILED, 10);
  ck_assert_ptr_nonnull(strstr(sink.text, "\"mean_ns\":9000.0"));
  json_decref(report);
}
END_TEST

START_TEST(a_sink_that_refuses_stops_the_report) {
  struct tac_recorder *recorder = recorded(TAC_DETAILED, 10);
  struct tac_error error;
  for (size_t limit = 0; limit < 1000; limit += 61) {
    sink = (struct test_sink){.limit = limit};
    ck_assert_int_eq(tac_report_json(recorder, test_sink_take, &sink, &error), TAC_STATUS_IO);
    ck_assert_uint_eq(sink.pieces_after_refusal, 0);
  }
  ck_assert_int_eq(tac_report_json(recorder, NULL, NULL, NULL), TAC_STATUS_INVALID);
  ck_assert_int_eq(tac_report_json(NULL, test_sink_take, &sink, NULL), TAC_STATUS_INVALID);
  tac_recorder_destroy(&recorder);
}
END_TEST

START_TEST(a_refused_allocation_is_reported) {
  struct counting counting = COUNTING_INIT;
  const struct tac_allocator allocator = COUNTING_ALLOCATOR(&counting);
  struct tac_recorder *recorder;
  ck_assert_int_eq(recorded_create(&recorder, TAC_DETAILED, 10, &allocator), TAC_STATUS_OK);
  ck_assert_int_eq(recorded_run(recorder), TAC_STATUS_OK);
  enum tac_status status = TAC_STATUS_MEMORY;
  for (size_t left = 0; status == TAC_STATUS_MEMORY; left++) {
    ck_assert_uint_lt(left, 1000);
    counting.left = left;
    sink = (struct test_sink){.limit = sizeof sink.text};
    status = tac_report_json(recorder, test_sink_take, &sink, NULL);
    ck_assert_int_eq(sink.used == 0, status == TAC_STATUS_MEMORY);
  }
  ck_assert_int_eq(status, TAC_STATUS_OK);
  counting.left = (size_t)-1;
  tac_recorder_destroy(&recorder);
  ck_assert_uint_eq(counting.allocated, counting.released);
}
END_TEST

int main(void) {
  const TTest *const tests[] = {
      events_have_their_durations,      the_head_says_what_was_measured,           batches_stand_in_the_order_they_ran,
      summaries_hold_what_was_dropped,  members_are_the_object_without_its_braces, numbers_do_not_depend_on_the_locale,
      device_times_are_told_apart,      without_a_device_nothing_is_told_of_one,   a_sink_that_refuses_stops_the_report,
      a_refused_allocation_is_reported,
  };
  return RUN_SUITE("report_json", tests);
}
