/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <tactus/measure/report.h>

#include "tests/support/recorded.h"
#include "tests/support/recorded_device.h"
#include "tests/support/sink.h"
#include "tests/support/slices.h"
#include "tests/support/text_sink.h"
#include "tests/unit/suite.h"

static struct slices slices;

/* The trace as an object, and its slices, which nest. */
static json_t *parse_trace(struct tac_recorder *recorder, const struct tac_report_facts *facts) {
  struct text_sink sink;
  json_error_t error;
  text_sink_open(&sink);
  ck_assert_int_eq(tac_report_trace(recorder, facts, text_sink_take, &sink, NULL), TAC_STATUS_OK);
  char *text = text_sink_text(&sink);
  json_t *trace = json_loads(text, JSON_REJECT_DUPLICATES, &error);
  ck_assert_msg(trace != NULL, "%s at %d of %s", error.text, error.position, text);
  free(text);
  slices_read(&slices, json_object_get(trace, "traceEvents"));
  return trace;
}

static struct tac_recorder *recorded(enum tac_level level, size_t batch_limit) {
  struct tac_recorder *recorder;
  ck_assert_int_eq(recorded_create(&recorder, level, batch_limit, NULL), TAC_STATUS_OK);
  ck_assert_int_eq(recorded_run(recorder), TAC_STATUS_OK);
  return recorder;
}

/* Processes that have a name: the host, and the device where something was on it. */
static size_t count_processes(const json_t *events) {
  size_t i, processes = 0;
  json_t *event;
  json_array_foreach(events, i, event) processes +=
      strcmp(json_string_value(json_object_get(event, "name")), "process_name") == 0;
  return processes;
}

static const struct slice caller[] = {
    {"run", 1, 1, 0, 18500},
    {"set\x1bup \"\xef\xbf\xbd\"", 1, 1, 0, 500},
    {"sweep", 1, 1, 500, 8000},
    {"solve \xc2\xb5", 1, 1, 500, 2000},
    {"batch", 1, 1, 2500, 6000},
    {"sweep", 1, 1, 8500, 10000},
    {"solve \xc2\xb5", 1, 1, 8500, 4000},
    {"batch", 1, 1, 12500, 6000},
};

START_TEST(phases_and_batches_are_on_the_callers_track) {
  for (int level = TAC_COARSE; level <= TAC_DETAILED; level++) {
    struct tac_recorder *recorder = recorded((enum tac_level)level, 10);
    json_t *trace = parse_trace(recorder, NULL);
    const json_t *events = json_object_get(trace, "traceEvents");
    SLICES_EXPECT(&slices, slices_track(events, "phases and batches"), caller);
    ck_assert_int_eq(slices_track(events, "lane 0") > 0, level == TAC_DETAILED);
    ck_assert_uint_eq(count_processes(events), 1);
    json_decref(trace);
    tac_recorder_destroy(&recorder);
  }
}
END_TEST

START_TEST(lanes_hold_their_batches_and_these_their_items) {
  static const struct slice first[] = {
      {"batch", 1, 0, 2500, 6000},  {"item 0", 1, 0, 2500, 1000},  {"item 1", 1, 0, 3500, 2000},  {"item 2", 1, 0, 5500, 3000},
      {"batch", 1, 0, 12500, 6000}, {"item 0", 1, 0, 12500, 1000}, {"item 1", 1, 0, 13500, 2000}, {"item 2", 1, 0, 15500, 3000},
  };
  static const struct slice second[] = {{"batch", 1, 0, 2500, 6000}, {"batch", 1, 0, 12500, 6000}}; /* idle */
  struct tac_recorder *recorder = recorded(TAC_DETAILED, 10);
  json_t *trace = parse_trace(recorder, NULL);
  const json_t *events = json_object_get(trace, "traceEvents");
  SLICES_EXPECT(&slices, slices_track(events, "lane 0"), first);
  SLICES_EXPECT(&slices, slices_track(events, "lane 1"), second);
  json_decref(trace);
  tac_recorder_destroy(&recorder);
}
END_TEST

/* An arrow from the batch on the caller's track to where its longest item begins, one a batch. */
START_TEST(an_arrow_leads_to_the_slowest_item) {
  static const long long expected[][2] = {{2500, 5500}, {12500, 15500}};
  struct tac_recorder *recorder = recorded(TAC_DETAILED, 10);
  json_t *trace = parse_trace(recorder, NULL);
  const json_t *events = json_object_get(trace, "traceEvents");
  size_t starts = 0, ends = 0;
  for (size_t i = 0; i < json_array_size(events); i++) {
    const json_t *event = json_array_get(events, i);
    const char *kind = json_string_value(json_object_get(event, "ph"));
    const int is_end = strcmp(kind, "f") == 0;
    if (strcmp(kind, "s") != 0 && !is_end)
      continue;
    size_t *count = is_end ? &ends : &starts;
    ck_assert_uint_lt(*count, 2);
    ck_assert_int_eq(slice_ns(event, "ts"), expected[*count][is_end]);
    ck_assert_int_eq(json_integer_value(json_object_get(event, "id")), (json_int_t)*count + 1);
    ck_assert_int_eq(json_integer_value(json_object_get(event, "tid")),
                     slices_track(events, is_end ? "lane 0" : "phases and batches"));
    (*count)++;
  }
  ck_assert_uint_eq(starts, 2);
  ck_assert_uint_eq(ends, 2);
  json_decref(trace);
  tac_recorder_destroy(&recorder);
}
END_TEST

START_TEST(what_is_missing_is_counted_and_the_origin_told) {
  static const struct tac_report_fact fact[] = {{"program", "a \"b\""}, {"lanes", "2"}};
  const struct tac_report_facts facts = {fact, 2};
  struct tac_recorder *recorder = recorded(TAC_DETAILED, 1);
  json_t *trace = parse_trace(recorder, &facts);
  const json_t *about = json_object_get(trace, "otherData");
  static const struct {
    const char *key;
    json_int_t value;
  } numbers[] = {{"schema", 1},        {"origin_ns", 1000000}, {"clock_resolution_ns", 0}, {"dropped", 0},
                 {"without_items", 1}, {"without_track", 0},   {"clock_read_ns", 0}};
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
    ck_assert_msg(json_integer_value(json_object_get(about, numbers[i].key)) == numbers[i].value, "%s", numbers[i].key);
  ck_assert_str_eq(json_string_value(json_object_get(about, "program")), "a \"b\"");
  ck_assert_str_eq(json_string_value(json_object_get(about, "lanes")), "2");
  ck_assert_str_eq(json_string_value(json_object_get(about, "clock")), "driven");
  json_decref(trace);
  tac_recorder_destroy(&recorder);
}
END_TEST

/* Commands from 10 to 25 and 20 to 35 µs of the device's own time, each its item: two items that overlap lie on two tracks. */
START_TEST(a_device_has_tracks_of_its_own) {
  static const struct slice one[] = {{"item 0", 2, 0, 0, 15000}}, other[] = {{"item 1", 2, 0, 10000, 15000}};
  struct tac_recorder *recorder;
  ck_assert_int_eq(recorded_create(&recorder, TAC_DETAILED, 10, NULL), TAC_STATUS_OK);
  ck_assert_int_eq(recorded_device_run(recorder), TAC_STATUS_OK);
  json_t *trace = parse_trace(recorder, NULL);
  const json_t *events = json_object_get(trace, "traceEvents");
  SLICES_EXPECT(&slices, slices_track(events, "items on the device"), one);
  SLICES_EXPECT(&slices, slices_track(events, "items on the device, 2"), other);
  ck_assert_uint_eq(count_processes(events), 2);
  ck_assert_int_eq(json_integer_value(json_object_get(json_object_get(trace, "otherData"), "device_origin_ns")), 10000);
  size_t commands = 0;
  for (size_t i = 0; i < slices.count; i++)
    if (strcmp(slices.slice[i].name, "clear") == 0) {
      ck_assert_int_eq(slices.slice[i].pid, 2);
      commands++;
    }
  ck_assert_uint_eq(commands, 2);
  json_decref(trace);
  tac_recorder_destroy(&recorder);
}
END_TEST

/* An event that is left out of order stays open and is left out, and what was in it stands alone. */
START_TEST(what_has_not_ended_is_left_out) {
  static const struct slice expected[] = {{"solve \xc2\xb5", 1, 0, 0, 7}};
  struct tac_recorder *recorder;
  ck_assert_int_eq(recorded_create(&recorder, TAC_COARSE, 10, NULL), TAC_STATUS_OK);
  tac_recorder_enter(recorder, RECORDED_RUN);
  recorded_phase(recorder, RECORDED_SOLVE, 7);
  json_t *trace = parse_trace(recorder, NULL);
  SLICES_EXPECT(&slices, slices_track(json_object_get(trace, "traceEvents"), "phases and batches"), expected);
  json_decref(trace);
  tac_recorder_destroy(&recorder);
}
END_TEST

int main(void) {
  const TTest *const tests[] = {phases_and_batches_are_on_the_callers_track,
                                lanes_hold_their_batches_and_these_their_items,
                                an_arrow_leads_to_the_slowest_item,
                                what_is_missing_is_counted_and_the_origin_told,
                                a_device_has_tracks_of_its_own,
                                what_has_not_ended_is_left_out};
  return RUN_SUITE("report_trace", tests);
}
