/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <tactus/measure/report.h>

#include <stdio.h>
#include <string.h>

#include "tests/support/recorded.h"
#include "tests/support/recorded_device.h"
#include "tests/support/sink.h"
#include "tests/unit/suite.h"

static struct test_sink sink;

static void report(enum tac_level level, size_t batch_limit, int run) {
  struct tac_recorder *recorder;
  ck_assert_int_eq(recorded_create(&recorder, level, batch_limit, NULL), TAC_STATUS_OK);
  if (run)
    ck_assert_int_eq(recorded_run(recorder), TAC_STATUS_OK);
  else
    tac_recorder_leave(recorder, RECORDED_RUN);
  sink = (struct test_sink){.limit = sizeof sink.text};
  ck_assert_int_eq(tac_report_text(recorder, test_sink_take, &sink, NULL), TAC_STATUS_OK);
  tac_recorder_destroy(&recorder);
}

/* The driven clock stands still while the cost of a record is taken. */
#define CLOCK          "Clock driven with a resolution of 0 ns; a record costs 0 ns a phase"
#define COARSE_CLOCK   CLOCK ".\n"
#define DETAILED_CLOCK CLOCK ", 0 ns an item.\n"

#define EVENT_TABLE                                                                                                            \
  "event             count      total       mean        min        max  of parent\n"                                           \
  "run                   1  18.500 µs  18.500 µs  18.500 µs  18.500 µs          -\n"                                       \
  "  sweep               2  18.000 µs   9.000 µs   8.000 µs  10.000 µs     97.3 %\n"                                       \
  "    solve µ           2   6.000 µs   3.000 µs   2.000 µs   4.000 µs     33.3 %\n"                                      \
  "    batch             2  12.000 µs   6.000 µs   6.000 µs   6.000 µs     66.7 %\n"                                       \
  "    (unmeasured)              0 ns                                       0.0 %\n"                                           \
  "  set\\x1bup \"\xef\xbf\xbd\"       1     500 ns     500 ns     500 ns     500 ns      2.7 %\n"                             \
  "  (unmeasured)                0 ns                                       0.0 %\n"

START_TEST(coarse_is_a_tree_of_events) {
  report(TAC_COARSE, 10, 1);
  ck_assert_str_eq(sink.text,
                   EVENT_TABLE "Times are host wall time; an event contains those indented below it.\n" COARSE_CLOCK);
}
END_TEST

START_TEST(detailed_adds_a_row_for_each_batched_event) {
  report(TAC_DETAILED, 1, 1);
  ck_assert_str_eq(
      sink.text, EVENT_TABLE
      "\n"
      "batched event  batches  inline  requested  started  completed  peak overlap       wall  item total  longest item  "
      "max start delay  max start spread  max finish spread  sum return tail  lanes idle\n"
      "batch                2       0          6        6          6             1  12.000 µs   12.000 µs      3.000 µs  "
      "           0 ns          3.000 µs           5.000 µs             0 ns      50.0 %\n"
      "\n"
      "items of batched event       p50       p90       p99     p99.9   longest  in batch  item    busiest  mean of lanes  "
      "imbalance\n"
      "batch                   1.984 µs  2.944 µs  2.944 µs  2.944 µs  3.000 µs         0     2  12.000 µs       6.000 µs  "
      "     2.00\n"
      "Batches beyond the limit, in the sums but not kept one by one: 1\n"
      "Times are host wall time; an event contains those indented below it.\n" DETAILED_CLOCK
      "Measuring in detail perturbs fine items: take final figures from a run with measurements off.\n");
}
END_TEST

/* One batch on two lanes, 6 µs of items in 6 µs: half of both lanes' time is idle. One inline, all of its one lane's is
 * used: 12 µs of 18 µs in all. */
START_TEST(inline_batches_are_counted_and_have_one_lane) {
  struct tac_recorder *recorder;
  struct tac_scheduler *scheduler;
  struct tac_scheduler_options options;
  struct tac_batch batch = {.count = 3, .item = recorded_item, .event = RECORDED_BATCH};
  tac_scheduler_options_init(&options);
  options.table = &test_executor_in_turn;
  options.executor_options.lanes = 2;
  options.level = TAC_DETAILED;
  ck_assert_int_eq(recorded_create(&recorder, TAC_DETAILED, 10, NULL), TAC_STATUS_OK);
  ck_assert_int_eq(tac_scheduler_create(&scheduler, &options, NULL), TAC_STATUS_OK);
  ck_assert_int_eq(tac_run_batch_measured(scheduler, &batch, recorder, NULL), TAC_STATUS_OK);
  batch.inline_below = 100;
  ck_assert_int_eq(tac_run_batch_measured(scheduler, &batch, recorder, NULL), TAC_STATUS_OK);
  sink = (struct test_sink){.limit = sizeof sink.text};
  ck_assert_int_eq(tac_report_text(recorder, test_sink_take, &sink, NULL), TAC_STATUS_OK);
  ck_assert_ptr_nonnull(strstr(sink.text, "\nbatch                2       1          6        6          6 "));
  ck_assert_ptr_nonnull(strstr(sink.text, "33.3 %\n"));
  tac_scheduler_destroy(&scheduler);
  tac_recorder_destroy(&recorder);
}
END_TEST

START_TEST(a_recorder_without_events_still_reports) {
  report(TAC_DETAILED, 10, 0);
  ck_assert_str_eq(sink.text,
                   "event  count  total  mean  min  max  of parent\n"
                   "Phases entered or left out of order, not counted: 1\n"
                   "Times are host wall time; an event contains those indented below it.\n" DETAILED_CLOCK
                   "Measuring in detail perturbs fine items: take final figures from a run with measurements off.\n");
}
END_TEST

static void report_device(enum tac_level level) {
  struct tac_recorder *recorder;
  ck_assert_int_eq(recorded_create(&recorder, level, 10, NULL), TAC_STATUS_OK);
  ck_assert_int_eq(recorded_device_run(recorder), TAC_STATUS_OK);
  sink = (struct test_sink){.limit = sizeof sink.text};
  ck_assert_int_eq(tac_report_text(recorder, test_sink_take, &sink, NULL), TAC_STATUS_OK);
  tac_recorder_destroy(&recorder);
}

#define DEVICE_EVENT_TABLE                                                                                                     \
  "event             count     total      mean       min       max  of parent  device busy  device total\n"                    \
  "  sweep               1  6.000 µs  6.000 µs  6.000 µs  6.000 µs          -    25.000 µs     30.000 µs\n"              \
  "    batch             1  6.000 µs  6.000 µs  6.000 µs  6.000 µs    100.0 %    25.000 µs     30.000 µs\n"              \
  "    (unmeasured)             0 ns                                    0.0 %\n"
#define DEVICE_NOTE                                                                                                            \
  "Device times are those that the device gave its commands, on CLOCK_MONOTONIC: busy while at least one ran, total is their " \
  "sum.\n"

START_TEST(coarse_has_device_columns_where_there_is_device_time) {
  report_device(TAC_COARSE);
  ck_assert_msg(strcmp(sink.text, DEVICE_EVENT_TABLE
                       "Times are host wall time; an event contains those indented below it.\n" DEVICE_NOTE COARSE_CLOCK) == 0,
                "%s", sink.text);
}
END_TEST

START_TEST(detailed_has_a_device_table_and_names_submissions) {
  report_device(TAC_DETAILED);
  ck_assert_ptr_eq(strstr(sink.text, DEVICE_EVENT_TABLE), sink.text);
  ck_assert_ptr_nonnull(strstr(sink.text, "  lanes idle  item times\n"));
  ck_assert_ptr_nonnull(strstr(sink.text, "                              submission\n"));
  const char *expected =
      "batched event, on the device  batches  items  commands  peak overlap       wall       busy      total  "
      "longest item\n"
      "batch                               1      2         2             2  25.000 µs  25.000 µs  30.000 µs  "
      "   15.000 µs\n";
  ck_assert_msg(strstr(sink.text, expected) != NULL, "%s", sink.text);
  ck_assert_ptr_nonnull(strstr(sink.text,
                               DEVICE_NOTE "Item times of a submission are the host's while it submitted, not those of "
                                           "the work.\n"));
}
END_TEST

/* Runs every event of the set within its parent once and gives the report; no line of it is longer than `most` columns. */
static void report_set(const struct tac_event_set *set, size_t most) {
  struct tac_recorder_options options;
  struct tac_recorder *recorder;
  tac_recorder_options_init(&options);
  driven_clock_init(&recorded_clock, 1000, 0);
  options.events = set;
  options.clock = &recorded_clock.clock;
  ck_assert_int_eq(tac_recorder_create(&recorder, &options, NULL), TAC_STATUS_OK);
  for (size_t i = 0; i < set->count; i++)
    recorded_phase(recorder, (int)i, 5);
  sink = (struct test_sink){.limit = sizeof sink.text};
  ck_assert_int_eq(tac_report_text(recorder, test_sink_take, &sink, NULL), TAC_STATUS_OK);
  for (const char *line = sink.text; *line; line += strcspn(line, "\n") + 1)
    ck_assert_uint_le(strcspn(line, "\n"), most);
  tac_recorder_destroy(&recorder);
}

/* 64 columns of a name are shown: 39, a sign for what is left out, and 24; a control character takes four. */
START_TEST(a_long_name_is_shown_without_its_middle) {
  enum { LENGTH = 100000 };
  static char names[2][LENGTH + 1], fits[64 + 1];
  memset(fits, 'f', 64);
  for (int i = 0; i < 2; i++) {
    memset(names[i], 'm', LENGTH);
    memset(names[i], 'h', 39);
    memset(names[i] + LENGTH - 24, 't', 24);
  }
  names[1][38] = '\x1b'; /* would take columns 39 to 42 */
  const struct tac_event events[] = {{names[0], TAC_NO_EVENT, 0}, {names[1], TAC_NO_EVENT, 0}, {fits, TAC_NO_EVENT, 0}};
  report_set(&(struct tac_event_set){"long", 3, events}, 160);
  ck_assert_ptr_nonnull(strstr(sink.text, "\nhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhh…tttttttttttttttttttttttt      1   "));
  ck_assert_ptr_nonnull(strstr(sink.text, "\nhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhh…tttttttttttttttttttttttt       1   "));
  ck_assert_ptr_nonnull(strstr(sink.text, fits));
}
END_TEST

START_TEST(indentation_ends_where_a_line_would) {
  enum { DEEP = 40 };
  struct tac_event events[DEEP];
  for (int i = 0; i < DEEP; i++)
    events[i] = (struct tac_event){"e", i - 1, 0};
  report_set(&(struct tac_event_set){"deep", DEEP, events}, 140);
  char row[80];
  snprintf(row, sizeof row, "\n%64s e  ", "");
  ck_assert_ptr_null(strstr(sink.text, row));
  snprintf(row, sizeof row, "\n%64se  ", "");
  size_t rows = 0;
  for (const char *found = sink.text; (found = strstr(found, row)) != NULL; found++)
    rows++;
  ck_assert_uint_eq(rows, DEEP - 32);
}
END_TEST

int main(void) {
  const TTest *const tests[] = {coarse_is_a_tree_of_events,
                                detailed_adds_a_row_for_each_batched_event,
                                inline_batches_are_counted_and_have_one_lane,
                                a_recorder_without_events_still_reports,
                                coarse_has_device_columns_where_there_is_device_time,
                                detailed_has_a_device_table_and_names_submissions,
                                a_long_name_is_shown_without_its_middle,
                                indentation_ends_where_a_line_would};
  return RUN_SUITE("report_text", tests);
}
