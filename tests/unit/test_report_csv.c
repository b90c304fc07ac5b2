/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <tactus/measure/report.h>

#include <stdio.h>

#include "tests/support/csv_rows.h"
#include "tests/support/recorded.h"
#include "tests/support/recorded_device.h"
#include "tests/support/sink.h"
#include "tests/unit/suite.h"

static struct test_sink sink;
static struct csv_rows rows;

static void read_report(struct tac_recorder *recorder, const struct tac_report_facts *facts) {
  sink = (struct test_sink){.limit = sizeof sink.text};
  ck_assert_int_eq(tac_report_csv(recorder, facts, test_sink_take, &sink, NULL), TAC_STATUS_OK);
  csv_rows_read(&rows, sink.text);
}

struct cell {
  const char *column, *value;
};

static void expect_row(size_t row, const struct cell *cells, size_t count) {
  for (size_t i = 0; i < count; i++)
    ck_assert_msg(strcmp(csv_rows_get(&rows, row, cells[i].column), cells[i].value) == 0, "row %zu, %s is %s, not %s", row,
                  cells[i].column, csv_rows_get(&rows, row, cells[i].column), cells[i].value);
}
#define EXPECT_ROW(row, cells) expect_row(row, cells, sizeof(cells) / sizeof *(cells))

START_TEST(a_row_an_event) {
  static const struct cell sweep[] = {
      {"event", "sweep"},  {"parent", "run"},  {"batched", "0"},      {"count", "2"},         {"total_ns", "18000"},
      {"mean_ns", "9000"}, {"min_ns", "8000"}, {"max_ns", "10000"},   {"exclusive_ns", "0"},  {"unmeasured_ns", "0"},
      {"batches", ""},     {"imbalance", ""},  {"slowest_index", ""}, {"device_busy_ns", ""}, {"timeline_dropped", "0"}};
  static const struct cell batch[] = {{"event", "batch"},
                                      {"batched", "1"},
                                      {"exclusive_ns", "12000"},
                                      {"unmeasured_ns", ""},
                                      {"batches", "2"},
                                      {"ran_inline", "0"},
                                      {"completed", "6"},
                                      {"peak_overlap", "1"},
                                      {"wall_ns", "12000"},
                                      {"lane_wall_ns", "24000"},
                                      {"item_total_ns", "12000"},
                                      {"item_max_ns", "3000"},
                                      {"start_spread_max_ns", "3000"},
                                      {"finish_spread_max_ns", "5000"},
                                      {"return_after_last_finish_ns", "0"},
                                      {"idle_share", "0.5"},
                                      {"lane_busy_max_ns", "12000"},
                                      {"lane_busy_mean_ns", "6000"},
                                      {"imbalance", "2"},
                                      {"item_p50_ns", "1984"},
                                      {"item_p999_ns", "2944"},
                                      {"slowest_batch", "0"},
                                      {"slowest_index", "2"},
                                      {"dropped", "1"}};
  struct tac_recorder *recorder;
  ck_assert_int_eq(recorded_create(&recorder, TAC_DETAILED, 1, NULL), TAC_STATUS_OK);
  ck_assert_int_eq(recorded_run(recorder), TAC_STATUS_OK);
  read_report(recorder, NULL);
  ck_assert_uint_eq(rows.rows, 1 + 5); /* one event was never entered */
  EXPECT_ROW(2, sweep);
  EXPECT_ROW(5, batch);
  ck_assert_str_eq(rows.field[1][1], ""); /* run has no parent */
  tac_recorder_destroy(&recorder);
}
END_TEST

START_TEST(every_row_says_how_it_came_about) {
  static const struct cell cells[] = {{"schema", "1"},          {"level", "coarse"},       {"clock", "driven"},
                                      {"origin_ns", "1000000"}, {"clock_read_ns", "0"},    {"phase_record_ns", "0"},
                                      {"item_record_ns", ""},   {"program", "p \"q\", r"}, {"lines", "a\r\nb"}};
  static const struct tac_report_fact fact[] = {{"program", "p \"q\", r"}, {"lines", "a\r\nb"}};
  const struct tac_report_facts facts = {fact, 2};
  struct tac_recorder *recorder;
  ck_assert_int_eq(recorded_create(&recorder, TAC_COARSE, 1, NULL), TAC_STATUS_OK);
  ck_assert_int_eq(recorded_run(recorder), TAC_STATUS_OK);
  read_report(recorder, &facts);
  for (size_t row = 1; row < rows.rows; row++)
    EXPECT_ROW(row, cells);
  tac_recorder_destroy(&recorder);
}
END_TEST

/* One sweep with a batch of three items, of which two submit a command each. */
START_TEST(device_columns_are_filled_where_there_is_device_time) {
  static const struct cell cells[] = {{"device_commands", "2"}, {"device_busy_ns", "25000"}, {"device_total_ns", "30000"}};
  static const struct cell of_batch[] = {{"submissions", "1"}, {"idle_share", ""}, {"imbalance", ""}};
  struct tac_recorder *recorder;
  ck_assert_int_eq(recorded_create(&recorder, TAC_DETAILED, 1, NULL), TAC_STATUS_OK);
  ck_assert_int_eq(recorded_device_run(recorder), TAC_STATUS_OK);
  read_report(recorder, NULL);
  EXPECT_ROW(1, cells);
  EXPECT_ROW(2, cells);
  EXPECT_ROW(2, of_batch);
  tac_recorder_destroy(&recorder);
}
END_TEST

int main(void) {
  const TTest *const tests[] = {a_row_an_event, every_row_says_how_it_came_about,
                                device_columns_are_filled_where_there_is_device_time};
  return RUN_SUITE("report_csv", tests);
}
