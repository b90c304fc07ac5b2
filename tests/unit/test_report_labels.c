/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
/* Names of any bytes come out of every form valid, and as they went in where they are UTF-8. */
#include <tactus/measure/report.h>

#include <jansson.h>

#include "tests/support/csv_rows.h"
#include "tests/support/driven_clock.h"
#include "tests/support/slices.h"
#include "tests/support/text_sink.h"
#include "tests/unit/suite.h"

enum { QUOTES, BREAKS, CONTROLS, BROKEN, LONG, EMPTY, MARKUP, EVENTS, LONG_BYTES = 4096, KEY_BYTES = 16 };

static char long_name[LONG_BYTES + 1];
static struct tac_event events[EVENTS] = {
    [QUOTES] = {"a \"b\", \\c\\ 'd'", TAC_NO_EVENT, 0},
    [BREAKS] = {"one\ntwo\r\nthree\tfour", TAC_NO_EVENT, 0},
    [CONTROLS] = {"\x01\x08\x0c\x1b[31m\x1f\x7f", TAC_NO_EVENT, 0},
    [BROKEN] = {"\xff\xfe \xc0\x80 \xed\xa0\x80 \xf5\x80\x80\x80 \xe2\x82", TAC_NO_EVENT, 0},
    [LONG] = {long_name, TAC_NO_EVENT, 0},
    [EMPTY] = {"", TAC_NO_EVENT, 0},
    [MARKUP] = {"</script><!-- &amp; \xc2\xb5 \xf0\x9f\x8e\xb5", TAC_NO_EVENT, 0},
};
#define U "\xef\xbf\xbd"
/* One U+FFFD a byte that belongs to no character. */
static const char repaired[] = U U " " U U " " U U U " " U U U U " " U U;

static const struct tac_event_set event_set = {"labels \"\x02\xff", EVENTS, events};
static struct driven_clock driven;

static const char *expected_name(int event) {
  return event == BROKEN ? repaired : events[event].name;
}

/* Each event once, as its own fact too. */
static struct tac_recorder *record(void) {
  struct tac_recorder_options options;
  struct tac_recorder *recorder;
  for (size_t i = 0; i < LONG_BYTES; i++)
    long_name[i] = "\"\\\n\x01x,"[i % 6];
  tac_recorder_options_init(&options);
  driven_clock_init(&driven, 1000, 0);
  options.events = &event_set;
  options.clock = &driven.clock;
  ck_assert_int_eq(tac_recorder_create(&recorder, &options, NULL), TAC_STATUS_OK);
  for (int event = 0; event < EVENTS; event++) {
    tac_recorder_enter(recorder, event);
    driven_clock_advance(&driven, 5);
    tac_recorder_leave(recorder, event);
  }
  return recorder;
}

typedef enum tac_status (*report_fn)(const struct tac_recorder *recorder, const struct tac_report_facts *facts,
                                     tac_sink_fn sink, void *context, struct tac_error *error);

static char *report_of(report_fn report) {
  struct tac_recorder *recorder = record();
  struct tac_report_fact fact[EVENTS];
  char key[EVENTS][KEY_BYTES];
  struct text_sink sink;
  for (int i = 0; i < EVENTS; i++) {
    snprintf(key[i], sizeof key[i], "fact \"%d\" \xff", i);
    fact[i] = (struct tac_report_fact){key[i], events[i].name};
  }
  text_sink_open(&sink);
  ck_assert_int_eq(report(recorder, &(struct tac_report_facts){fact, EVENTS}, text_sink_take, &sink, NULL), TAC_STATUS_OK);
  tac_recorder_destroy(&recorder);
  return text_sink_text(&sink);
}

static json_t *parsed_of(report_fn report) {
  char *text = report_of(report);
  json_error_t error;
  json_t *value = json_loads(text, JSON_REJECT_DUPLICATES, &error);
  ck_assert_msg(value != NULL, "%s at %d", error.text, error.position);
  free(text);
  return value;
}

static void expect_facts(const json_t *about) {
  for (int i = 0; i < EVENTS; i++) {
    char key[KEY_BYTES];
    snprintf(key, sizeof key, "fact \"%d\" " U, i);
    ck_assert_str_eq(json_string_value(json_object_get(about, key)), expected_name(i));
  }
}

START_TEST(json_holds_every_name) {
  json_t *record_value = parsed_of(tac_report_json);
  for (int i = 0; i < EVENTS; i++) {
    const json_t *event = json_array_get(json_object_get(record_value, "events"), (size_t)i);
    ck_assert_str_eq(json_string_value(json_object_get(event, "name")), expected_name(i));
    ck_assert_str_eq(json_string_value(json_array_get(json_object_get(record_value, "events_all"), (size_t)i)),
                     expected_name(i));
  }
  expect_facts(json_object_get(record_value, "run"));
  json_decref(record_value);
}
END_TEST

START_TEST(a_trace_holds_every_name) {
  static struct slices slices;
  json_t *trace = parsed_of(tac_report_trace);
  slices_read(&slices, json_object_get(trace, "traceEvents"));
  ck_assert_uint_eq(slices.count, EVENTS);
  for (int i = 0; i < EVENTS; i++)
    ck_assert_str_eq(slices.slice[i].name, expected_name(i));
  expect_facts(json_object_get(trace, "otherData"));
  json_decref(trace);
}
END_TEST

START_TEST(speedscope_holds_every_name) {
  json_t *file = parsed_of(tac_report_speedscope);
  const json_t *frames = json_object_get(json_object_get(file, "shared"), "frames");
  for (int i = 0; i < EVENTS; i++)
    ck_assert_str_eq(json_string_value(json_object_get(json_array_get(frames, (size_t)i), "name")), expected_name(i));
  ck_assert_str_eq(json_string_value(json_object_get(file, "name")), "labels \"\x02" U);
  expect_facts(json_object_get(file, "tactus"));
  json_decref(file);
}
END_TEST

START_TEST(csv_holds_every_name) {
  static struct csv_rows rows;
  char *text = report_of(tac_report_csv);
  csv_rows_read(&rows, text);
  ck_assert_uint_eq(rows.rows, 1 + EVENTS);
  for (int i = 0; i < EVENTS; i++) {
    char key[KEY_BYTES];
    ck_assert_str_eq(csv_rows_get(&rows, (size_t)i + 1, "event"), expected_name(i));
    snprintf(key, sizeof key, "fact \"%d\" " U, i);
    ck_assert_str_eq(csv_rows_get(&rows, 1, key), expected_name(i));
  }
  free(rows.text);
  free(text);
}
END_TEST

int main(void) {
  const TTest *const tests[] = {json_holds_every_name, a_trace_holds_every_name, speedscope_holds_every_name,
                                csv_holds_every_name};
  return RUN_SUITE("report_labels", tests);
}
