/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <tactus/measure/report.h>

#include <string.h>

#include <jansson.h>

#include "tests/support/recorded.h"
#include "tests/support/sink.h"
#include "tests/unit/suite.h"

static struct test_sink sink;

static struct tac_recorder *create(size_t timeline_limit) {
  struct tac_recorder_options options;
  struct tac_recorder *recorder;
  tac_recorder_options_init(&options);
  driven_clock_init(&recorded_clock, 1000000, 0);
  options.events = &recorded_set;
  options.level = TAC_COARSE;
  options.clock = &recorded_clock.clock;
  options.timeline_limit = timeline_limit;
  ck_assert_int_eq(tac_recorder_create(&recorder, &options, NULL), TAC_STATUS_OK);
  return recorder;
}

static json_t *parse(struct tac_recorder *recorder, const struct tac_report_facts *facts) {
  json_error_t error;
  sink = (struct test_sink){.limit = sizeof sink.text};
  ck_assert_int_eq(tac_report_speedscope(recorder, facts, test_sink_take, &sink, NULL), TAC_STATUS_OK);
  json_t *file = json_loads(sink.text, JSON_REJECT_DUPLICATES, &error);
  ck_assert_msg(file != NULL, "%s at %d of %s", error.text, error.position, sink.text);
  return file;
}

static const json_t *profile(const json_t *file, size_t number, const char *type) {
  const json_t *value = json_array_get(json_object_get(file, "profiles"), number);
  ck_assert_str_eq(json_string_value(json_object_get(value, "type")), type);
  ck_assert_str_eq(json_string_value(json_object_get(value, "unit")), "nanoseconds");
  ck_assert_int_eq(json_integer_value(json_object_get(value, "startValue")), 0);
  return value;
}

struct event {
  char type;
  int frame;
  json_int_t at;
};

static void expect_events(const json_t *profile_value, const struct event *expected, size_t count, json_int_t end) {
  const json_t *events = json_object_get(profile_value, "events");
  ck_assert_uint_eq(json_array_size(events), count);
  ck_assert_int_eq(json_integer_value(json_object_get(profile_value, "endValue")), end);
  for (size_t i = 0; i < count; i++) {
    const json_t *event = json_array_get(events, i);
    ck_assert_int_eq(json_string_value(json_object_get(event, "type"))[0], expected[i].type);
    ck_assert_int_eq(json_integer_value(json_object_get(event, "frame")), expected[i].frame);
    ck_assert_int_eq(json_integer_value(json_object_get(event, "at")), expected[i].at);
  }
}
#define EXPECT_EVENTS(profile, expected, end) expect_events(profile, expected, sizeof(expected) / sizeof *(expected), end)

START_TEST(the_timeline_opens_and_closes_frames) {
  static const struct event expected[] = {
      {'O', RECORDED_RUN, 0},       {'O', RECORDED_SETUP, 0},     {'C', RECORDED_SETUP, 500},   {'O', RECORDED_SWEEP, 500},
      {'O', RECORDED_SOLVE, 500},   {'C', RECORDED_SOLVE, 2500},  {'O', RECORDED_BATCH, 2500},  {'C', RECORDED_BATCH, 8500},
      {'C', RECORDED_SWEEP, 8500},  {'O', RECORDED_SWEEP, 8500},  {'O', RECORDED_SOLVE, 8500},  {'C', RECORDED_SOLVE, 12500},
      {'O', RECORDED_BATCH, 12500}, {'C', RECORDED_BATCH, 18500}, {'C', RECORDED_SWEEP, 18500}, {'C', RECORDED_RUN, 18500},
  };
  struct tac_recorder *recorder = create(100);
  ck_assert_int_eq(recorded_run(recorder), TAC_STATUS_OK);
  json_t *file = parse(recorder, NULL);
  EXPECT_EVENTS(profile(file, 0, "evented"), expected, 18500);
  ck_assert_uint_eq(json_array_size(json_object_get(json_object_get(file, "shared"), "frames")), RECORDED_EVENTS);
  ck_assert_str_eq(json_string_value(json_object_get(file, "$schema")), "https://www.speedscope.app/file-format-schema.json");
  json_decref(file);
  tac_recorder_destroy(&recorder);
}
END_TEST

/* setup 500, solve 6000, batch 12000; run and sweep have nothing of their own. */
START_TEST(exclusive_time_is_sampled_by_event) {
  static const struct {
    size_t depth;
    json_int_t frame[3], weight;
  } expected[] = {{2, {RECORDED_RUN, RECORDED_SETUP}, 500},
                  {3, {RECORDED_RUN, RECORDED_SWEEP, RECORDED_SOLVE}, 6000},
                  {3, {RECORDED_RUN, RECORDED_SWEEP, RECORDED_BATCH}, 12000}};
  struct tac_recorder *recorder = create(100);
  ck_assert_int_eq(recorded_run(recorder), TAC_STATUS_OK);
  json_t *file = parse(recorder, NULL);
  const json_t *sampled = profile(file, 1, "sampled");
  const json_t *samples = json_object_get(sampled, "samples"), *weights = json_object_get(sampled, "weights");
  ck_assert_uint_eq(json_array_size(samples), 3);
  ck_assert_uint_eq(json_array_size(weights), 3);
  ck_assert_int_eq(json_integer_value(json_object_get(sampled, "endValue")), 18500);
  for (size_t i = 0; i < 3; i++) {
    const json_t *sample = json_array_get(samples, i);
    ck_assert_uint_eq(json_array_size(sample), expected[i].depth);
    for (size_t k = 0; k < expected[i].depth; k++)
      ck_assert_int_eq(json_integer_value(json_array_get(sample, k)), expected[i].frame[k]);
    ck_assert_int_eq(json_integer_value(json_array_get(weights, i)), expected[i].weight);
  }
  json_decref(file);
  tac_recorder_destroy(&recorder);
}
END_TEST

/* The run is still open, what began after the limit is not there: what is left opens and closes in order. */
START_TEST(what_is_missing_leaves_no_gap) {
  static const struct event expected[] = {
      {'O', RECORDED_SWEEP, 1}, {'O', RECORDED_SOLVE, 1}, {'C', RECORDED_SOLVE, 11}, {'C', RECORDED_SWEEP, 14}};
  struct tac_recorder *recorder = create(3);
  tac_recorder_enter(recorder, RECORDED_RUN);
  driven_clock_advance(&recorded_clock, 1);
  tac_recorder_enter(recorder, RECORDED_SWEEP);
  recorded_phase(recorder, RECORDED_SOLVE, 10);
  recorded_phase(recorder, RECORDED_SOLVE, 3);
  tac_recorder_leave(recorder, RECORDED_SWEEP);
  json_t *file = parse(recorder, NULL);
  EXPECT_EVENTS(profile(file, 0, "evented"), expected, 14);
  ck_assert_int_eq(json_integer_value(json_object_get(json_object_get(file, "tactus"), "timeline_dropped")), 1);
  json_decref(file);
  tac_recorder_destroy(&recorder);
}
END_TEST

START_TEST(the_file_says_how_it_came_about) {
  static const struct tac_report_fact fact = {"program", "heat"};
  struct tac_recorder *recorder = create(3);
  json_t *file = parse(recorder, &(struct tac_report_facts){&fact, 1});
  const json_t *about = json_object_get(file, "tactus");
  ck_assert_str_eq(json_string_value(json_object_get(about, "program")), "heat");
  ck_assert_str_eq(json_string_value(json_object_get(about, "level")), "coarse");
  ck_assert(json_is_null(json_object_get(about, "item_record_ns")));
  ck_assert_int_eq(json_integer_value(json_object_get(about, "origin_ns")), 1000000);
  json_decref(file);
  tac_recorder_destroy(&recorder);
}
END_TEST

int main(void) {
  const TTest *const tests[] = {the_timeline_opens_and_closes_frames, exclusive_time_is_sampled_by_event,
                                what_is_missing_leaves_no_gap, the_file_says_how_it_came_about};
  return RUN_SUITE("report_speedscope", tests);
}
