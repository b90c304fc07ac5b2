/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <tactus/measure/phase_report.h>

#include <math.h>
#include <string.h>

#include <jansson.h>

#include "tests/support/driven_clock.h"
#include "tests/support/recorded_device.h"
#include "tests/support/sink.h"
#include "tests/unit/counting_allocator.h"
#include "tests/unit/suite.h"

enum { NEAR, UP, DOWN, PHASES };
static const char *const phases[PHASES] = {"near", "up", "down"};

#define CSV_HEADER                                                                                                             \
  "kernel,near,scope,phase,ops_unit,ops,ops_share,flops,seconds,seconds_share,calls,counting_rule,device_seconds\n"

static struct test_sink sink;
static struct driven_clock driven;
static struct tac_operation_count entries[PHASES];
static struct tac_operation_counts counts;
static struct tac_phase_report report;

static void record(struct tac_phase_profile *profile, const char *name, int64_t duration_ns, uint64_t calls) {
  ck_assert_int_eq(tac_phase_record(profile, name, duration_ns, calls, NULL), TAC_STATUS_OK);
}

/* near 4 ms in 2 calls, up 1 ms in one, down never entered, 3 ms of 8 ms elsewhere; the profile found them in another order. */
static struct tac_phase_profile *prepare(const struct tac_allocator *allocator) {
  struct tac_phase_profile_options options;
  struct tac_phase_profile *profile;
  tac_phase_profile_options_init(&options);
  driven_clock_init(&driven, 0, 0);
  options.clock = &driven.clock;
  options.allocator = allocator;
  ck_assert_int_eq(tac_phase_profile_create(&profile, &options, NULL), TAC_STATUS_OK);
  record(profile, "up", 1000000, 1);
  record(profile, "near", 4000000, 2);
  tac_operation_counts_init(&counts, entries, phases, PHASES, "coefficient touch", "rule-1");
  entries[NEAR] = (struct tac_operation_count){"near", 300, 6e6, 1, 1};
  entries[UP] = (struct tac_operation_count){"up", 100, 2.5e6, 1, 1};
  entries[DOWN] = (struct tac_operation_count){"down", 0, 0, 1, 1};
  tac_phase_report_init(&report);
  report.phases = phases;
  report.phase_count = PHASES;
  report.profile = profile;
  report.counts = &counts;
  report.profiled_ns = 8000000;
  report.off_ns = 7500000;
  report.kernel = "laplace";
  report.near = "tables";
  report.scope = "solve";
  return profile;
}

typedef enum tac_status (*report_fn)(const struct tac_phase_report *, tac_sink_fn, void *, struct tac_error *);

static const char *told(report_fn tell) {
  sink = (struct test_sink){.limit = sizeof sink.text};
  ck_assert_int_eq(tell(&report, test_sink_take, &sink, NULL), TAC_STATUS_OK);
  return sink.text;
}

static json_t *told_json(void) {
  json_error_t error;
  json_t *value = json_loads(told(tac_phase_report_json), JSON_REJECT_DUPLICATES, &error);
  ck_assert_msg(value != NULL, "%s at %d", error.text, error.position);
  return value;
}

static double number(const json_t *object, const char *key) {
  const json_t *value = json_object_get(object, key);
  ck_assert_msg(json_is_number(value), "%s is no number", key);
  return json_number_value(value);
}

static const char *text(const json_t *object, const char *key) {
  const json_t *value = json_object_get(object, key);
  ck_assert_msg(json_is_string(value), "%s is no text", key);
  return json_string_value(value);
}

static void assert_null(const json_t *object, const char *key) {
  ck_assert_msg(json_is_null(json_object_get(object, key)), "%s is not null", key);
}

/* 8.5e6 flops in 8 ms are 1.0625 GF/s, in 7.5 ms 1.1333. */
START_TEST(the_table_has_a_row_for_each_phase_of_the_list) {
  struct tac_phase_profile *profile = prepare(NULL);
  ck_assert_str_eq(told(tac_phase_report_text),
                   "phase            seconds  calls      mean   share  operations  of operations    flops   GF/s\n"
                   "near            0.004000      2  2.000 ms  50.0 %         300         75.0 %    6e+06    1.5\n"
                   "up              0.001000      1  1.000 ms  12.5 %         100         25.0 %  2.5e+06    2.5\n"
                   "down            0.000000      0      0 ns   0.0 %           0          0.0 %        0\n"
                   "residual        0.003000                   37.5 %\n"
                   "profiled total  0.008000                                  400                 8.5e+06  1.062\n"
                   "off total       0.007500                                  400                 8.5e+06  1.133\n"
                   "Measured, the work took 0.008000 s, and 0.007500 s with measurements off: 6.7 % more.\n"
                   "Operations are in units of one coefficient touch, by the counting rule rule-1.\n");
  tac_phase_profile_destroy(&profile);
}
END_TEST

START_TEST(csv_rows_follow_the_list) {
  struct tac_phase_profile *profile = prepare(NULL);
  sink = (struct test_sink){.limit = sizeof sink.text};
  ck_assert_int_eq(tac_phase_report_csv_header(test_sink_take, &sink, NULL), TAC_STATUS_OK);
  ck_assert_str_eq(sink.text, CSV_HEADER);
  ck_assert_str_eq(told(tac_phase_report_csv),
                   "laplace,tables,solve,near,coefficient touch,300,0.75,6000000,0.004000000,0.5,2,rule-1,\n"
                   "laplace,tables,solve,up,coefficient touch,100,0.25,2500000,0.001000000,0.125,1,rule-1,\n"
                   "laplace,tables,solve,down,coefficient touch,0,0,0,0.000000000,0,0,rule-1,\n");
  tac_phase_profile_destroy(&profile);
}
END_TEST

START_TEST(json_has_the_same_numbers) {
  static const struct {
    double total_ns, calls, mean_ns, share, operations, operations_share, flops;
  } expected[PHASES] = {{4e6, 2, 2e6, 0.5, 300, 0.75, 6e6}, {1e6, 1, 1e6, 0.125, 100, 0.25, 2.5e6}, {0, 0, 0, 0, 0, 0, 0}};
  struct tac_phase_profile *profile = prepare(NULL);
  json_t *value = told_json();
  const json_t *list = json_object_get(value, "phases");
  ck_assert_uint_eq(json_array_size(list), PHASES);
  for (size_t i = 0; i < PHASES; i++) {
    const json_t *row = json_array_get(list, i);
    ck_assert_str_eq(text(row, "name"), phases[i]);
    ck_assert(number(row, "total_ns") == expected[i].total_ns);
    ck_assert(number(row, "calls") == expected[i].calls);
    ck_assert(fabs(number(row, "mean_ns") - expected[i].mean_ns) < 1e-6);
    ck_assert(number(row, "share") == expected[i].share);
    ck_assert(number(row, "operations") == expected[i].operations);
    ck_assert(number(row, "operations_share") == expected[i].operations_share);
    ck_assert(number(row, "flops") == expected[i].flops);
    ck_assert(json_is_false(json_object_get(row, "nested")));
    ck_assert_str_eq(text(row, "domain"), "host_wall");
  }
  ck_assert(number(json_array_get(list, NEAR), "gflops_per_second") == 1.5);
  assert_null(json_array_get(list, DOWN), "gflops_per_second");
  ck_assert(number(value, "schema") == TAC_JSON_SCHEMA);
  ck_assert_str_eq(text(value, "kernel"), "laplace");
  ck_assert_str_eq(text(value, "near"), "tables");
  ck_assert_str_eq(text(value, "scope"), "solve");
  ck_assert_str_eq(text(value, "operations_unit"), "coefficient touch");
  ck_assert_str_eq(text(value, "counting_rule"), "rule-1");
  ck_assert(number(value, "profiled_total_ns") == 8e6);
  ck_assert(number(value, "off_total_ns") == 7.5e6);
  ck_assert(number(value, "residual_ns") == 3e6);
  ck_assert(number(value, "residual_share") == 0.375);
  ck_assert(number(value, "operations_total") == 400);
  ck_assert(number(value, "flops_total") == 8.5e6);
  assert_null(value, "withheld");
  json_decref(value);
  tac_phase_profile_destroy(&profile);
}
END_TEST

START_TEST(members_are_what_follows_the_schema) {
  static const char head[] = "{\"schema\":1,";
  struct tac_phase_profile *profile = prepare(NULL);
  static struct test_sink members;
  members = (struct test_sink){.limit = sizeof members.text};
  ck_assert_int_eq(test_sink_take(&members, head, sizeof head - 1), 0);
  ck_assert_int_eq(tac_phase_report_json_members(&report, test_sink_take, &members, NULL), TAC_STATUS_OK);
  ck_assert_int_eq(test_sink_take(&members, "}", 1), 0);
  ck_assert_str_eq(members.text, told(tac_phase_report_json));
  tac_phase_profile_destroy(&profile);
}
END_TEST

/* One phase without a count leaves no share, and no total, of operations; flops have a flag of their own. */
START_TEST(an_unknown_count_blanks_its_cells_and_every_share) {
  struct tac_phase_profile *profile = prepare(NULL);
  entries[UP].operations_known = 0;
  entries[NEAR].flops_known = 0;
  ck_assert_str_eq(told(tac_phase_report_csv),
                   "laplace,tables,solve,near,coefficient touch,300,,,0.004000000,0.5,2,rule-1,\n"
                   "laplace,tables,solve,up,coefficient touch,,,2500000,0.001000000,0.125,1,rule-1,\n"
                   "laplace,tables,solve,down,coefficient touch,0,,0,0.000000000,0,0,rule-1,\n");
  ck_assert_str_eq(told(tac_phase_report_text),
                   "phase            seconds  calls      mean   share  operations  of operations    flops  GF/s\n"
                   "near            0.004000      2  2.000 ms  50.0 %         300\n"
                   "up              0.001000      1  1.000 ms  12.5 %                             2.5e+06   2.5\n"
                   "down            0.000000      0      0 ns   0.0 %           0                       0\n"
                   "residual        0.003000                   37.5 %\n"
                   "profiled total  0.008000\n"
                   "off total       0.007500\n"
                   "Measured, the work took 0.008000 s, and 0.007500 s with measurements off: 6.7 % more.\n"
                   "Operations are in units of one coefficient touch, by the counting rule rule-1.\n");
  json_t *value = told_json();
  const json_t *list = json_object_get(value, "phases");
  assert_null(json_array_get(list, UP), "operations");
  assert_null(json_array_get(list, NEAR), "operations_share");
  assert_null(json_array_get(list, NEAR), "flops");
  assert_null(json_array_get(list, NEAR), "gflops_per_second");
  assert_null(value, "operations_total");
  assert_null(value, "flops_total");
  json_decref(value);
  tac_phase_profile_destroy(&profile);
}
END_TEST

START_TEST(without_counts_and_totals_nothing_is_invented) {
  struct tac_phase_profile *profile = prepare(NULL);
  report.counts = NULL;
  report.profiled_ns = report.off_ns = TAC_NO_TOTAL;
  ck_assert_str_eq(told(tac_phase_report_csv), "laplace,tables,solve,near,,,,,0.004000000,,2,,\n"
                                               "laplace,tables,solve,up,,,,,0.001000000,,1,,\n"
                                               "laplace,tables,solve,down,,,,,0.000000000,,0,,\n");
  ck_assert_str_eq(told(tac_phase_report_text),
                   "phase      seconds  calls      mean  share  operations  of operations  flops  GF/s\n"
                   "near      0.004000      2  2.000 ms\n"
                   "up        0.001000      1  1.000 ms\n"
                   "down      0.000000      0      0 ns\n"
                   "residual\n");
  json_t *value = told_json();
  static const char *const unknown[] = {"operations_unit", "counting_rule",  "profiled_total_ns", "off_total_ns",
                                        "residual_ns",     "residual_share", "operations_total",  "flops_total"};
  for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++)
    assert_null(value, unknown[i]);
  assert_null(json_array_get(json_object_get(value, "phases"), NEAR), "share");
  json_decref(value);
  tac_phase_profile_destroy(&profile);
}
END_TEST

/* A total of zero is known, but nothing has a share of it; operations that are all zero have no shares either. */
START_TEST(zero_denominators_give_no_shares) {
  struct tac_phase_profile *profile = prepare(NULL);
  entries[NEAR].operations = entries[UP].operations = 0;
  report.profiled_ns = 0;
  ck_assert_str_eq(told(tac_phase_report_csv), "laplace,tables,solve,near,coefficient touch,0,,6000000,0.004000000,,2,rule-1,\n"
                                               "laplace,tables,solve,up,coefficient touch,0,,2500000,0.001000000,,1,rule-1,\n"
                                               "laplace,tables,solve,down,coefficient touch,0,,0,0.000000000,,0,rule-1,\n");
  json_t *value = told_json();
  ck_assert(number(value, "residual_ns") == -5e6);
  assert_null(value, "residual_share");
  json_decref(value);
  ck_assert_ptr_nonnull(strstr(told(tac_phase_report_text), "\nresidual        -0.005000\n"));
  tac_phase_profile_destroy(&profile);
}
END_TEST

START_TEST(phases_that_are_more_than_the_total_leave_a_negative_residual) {
  struct tac_phase_profile *profile = prepare(NULL);
  report.profiled_ns = 4000000;
  ck_assert_ptr_nonnull(strstr(told(tac_phase_report_text), "\nresidual        -0.001000                   -25.0 %\n"));
  tac_phase_profile_destroy(&profile);
}
END_TEST

static void record_nested(struct tac_phase_profile *profile) {
  ck_assert_int_eq(tac_phase_enter(profile, "up", NULL), TAC_STATUS_OK);
  ck_assert_int_eq(tac_phase_enter(profile, "in\x1bner", NULL), TAC_STATUS_OK);
  ck_assert_int_eq(tac_phase_enter(profile, "inmost", NULL), TAC_STATUS_OK);
  driven_clock_advance(&driven, 1000000);
  ck_assert_int_eq(tac_phase_leave(profile, "inmost", NULL), TAC_STATUS_OK);
  ck_assert_int_eq(tac_phase_leave(profile, "in\x1bner", NULL), TAC_STATUS_OK);
  ck_assert_int_eq(tac_phase_leave(profile, "up", NULL), TAC_STATUS_OK);
}

/* Also where the list does not have the nested names. */
START_TEST(nested_names_withhold_shares_in_every_form) {
  struct tac_phase_profile *profile = prepare(NULL);
  record_nested(profile);
  ck_assert_str_eq(told(tac_phase_report_text),
                   "phase            seconds  calls      mean  share  operations  of operations    flops   GF/s\n"
                   "near            0.004000      2  2.000 ms                300         75.0 %    6e+06    1.5\n"
                   "up              0.002000      2  1.000 ms                100         25.0 %  2.5e+06   1.25\n"
                   "down            0.000000      0      0 ns                  0          0.0 %        0\n"
                   "residual\n"
                   "profiled total  0.008000                                 400                 8.5e+06  1.062\n"
                   "off total       0.007500                                 400                 8.5e+06  1.133\n"
                   "Measured, the work took 0.008000 s, and 0.007500 s with measurements off: 6.7 % more.\n"
                   "Operations are in units of one coefficient touch, by the counting rule rule-1.\n"
                   "Shares and the residual are withheld: a phase was entered inside another, and its time counts under both "
                   "(inmost, in\\x1bner).\n");
  ck_assert_str_eq(told(tac_phase_report_csv),
                   "laplace,tables,solve,near,coefficient touch,300,0.75,6000000,0.004000000,,2,rule-1,\n"
                   "laplace,tables,solve,up,coefficient touch,100,0.25,2500000,0.002000000,,2,rule-1,\n"
                   "laplace,tables,solve,down,coefficient touch,0,0,0,0.000000000,,0,rule-1,\n");
  json_t *value = told_json();
  assert_null(json_array_get(json_object_get(value, "phases"), NEAR), "share");
  assert_null(value, "residual_ns");
  assert_null(value, "residual_share");
  ck_assert_str_eq(text(value, "withheld"), "a phase was entered inside another, and its time counts under both");
  json_decref(value);
  tac_phase_profile_destroy(&profile);
}
END_TEST

START_TEST(lost_phases_withhold_shares_too) {
  struct counting counting = COUNTING_INIT;
  const struct tac_allocator allocator = COUNTING_ALLOCATOR(&counting);
  struct tac_phase_profile *profile = prepare(&allocator);
  counting.left = 0;
  ck_assert_int_eq(tac_phase_record(profile, "down", 1, 1, NULL), TAC_STATUS_MEMORY);
  ck_assert_ptr_nonnull(strstr(told(tac_phase_report_text), "\nShares and the residual are withheld: the time of a phase was "
                                                            "lost, as there was no room for it.\n"));
  ck_assert_ptr_nonnull(strstr(told(tac_phase_report_csv), ",0.004000000,,2,"));
  tac_phase_profile_destroy(&profile);
}
END_TEST

START_TEST(names_of_any_bytes_are_quoted_escaped_or_replaced) {
  static const char *const names[] = {"a,b", "say \"up\"", "two\nlines", "\xff", "", " b\t"};
  enum { NAMES = sizeof names / sizeof *names };
  struct tac_phase_profile *profile = prepare(NULL);
  for (int i = 0; i < NAMES; i++)
    record(profile, names[i], 1000, 1);
  report.phases = names;
  report.phase_count = NAMES;
  report.counts = NULL;
  report.profiled_ns = TAC_NO_TOTAL;
  report.kernel = "l=1,5";
  report.near = report.scope = "";
  ck_assert_str_eq(told(tac_phase_report_csv), "\"l=1,5\",,,\"a,b\",,,,,0.000001000,,1,,\n"
                                               "\"l=1,5\",,,\"say \"\"up\"\"\",,,,,0.000001000,,1,,\n"
                                               "\"l=1,5\",,,\"two\nlines\",,,,,0.000001000,,1,,\n"
                                               "\"l=1,5\",,,\xef\xbf\xbd,,,,,0.000001000,,1,,\n"
                                               "\"l=1,5\",,,,,,,,0.000001000,,1,,\n"
                                               "\"l=1,5\",,, b\t,,,,,0.000001000,,1,,\n");
  ck_assert_ptr_nonnull(strstr(told(tac_phase_report_text), "\ntwo\\x0alines  0.000001      1  1.000 µs\n"));
  json_t *value = told_json();
  ck_assert_str_eq(text(json_array_get(json_object_get(value, "phases"), 2), "name"), names[2]);
  ck_assert_str_eq(text(json_array_get(json_object_get(value, "phases"), 3), "name"), "\xef\xbf\xbd");
  json_decref(value);
  tac_phase_profile_destroy(&profile);
}
END_TEST

/* The largest of everything: whole numbers stay whole as far as they are told as such, and a sum beyond 64 bits is unknown. */
START_TEST(huge_counts_are_told_or_left_blank) {
  struct tac_phase_profile *profile = prepare(NULL);
  tac_phase_profile_reset(profile);
  record(profile, "near", INT64_MAX, UINT64_MAX);
  entries[NEAR].operations = UINT64_MAX;
  entries[NEAR].flops = 1e300;
  entries[UP].operations = 0;
  report.profiled_ns = INT64_MAX;
  ck_assert_str_eq(strtok((char *)told(tac_phase_report_csv), "\n"),
                   "laplace,tables,solve,near,coefficient touch,18446744073709551615,1,1.0000000000000001e+300,"
                   "9223372036.854775807,1,18446744073709551615,rule-1,");
  ck_assert_ptr_nonnull(strstr(told(tac_phase_report_text),
                               "near            9223372036.854776  18446744073709551615  0 ns  100.0 %  18446744073709551615"));
  json_t *value = told_json();
  ck_assert(number(json_array_get(json_object_get(value, "phases"), NEAR), "operations") == 18446744073709551615.0);
  ck_assert(number(json_array_get(json_object_get(value, "phases"), NEAR), "total_ns") == (double)INT64_MAX);
  json_decref(value);
  entries[UP].operations = 1;
  ck_assert_ptr_nonnull(strstr(told(tac_phase_report_csv), ",18446744073709551615,,"));
  tac_phase_profile_destroy(&profile);
}
END_TEST

START_TEST(an_empty_profile_and_an_empty_list_are_reports) {
  struct tac_phase_profile *profile = prepare(NULL);
  tac_phase_profile_reset(profile);
  ck_assert_ptr_nonnull(strstr(told(tac_phase_report_text), "\nnear            0.000000      0  0 ns    0.0 %         300"));
  report.phases = NULL;
  report.phase_count = 0;
  ck_assert_str_eq(told(tac_phase_report_csv), "");
  ck_assert_str_eq(told(tac_phase_report_text),
                   "phase            seconds  calls  mean    share  operations  of operations  flops  GF/s\n"
                   "residual        0.008000               100.0 %\n"
                   "profiled total  0.008000                                 0                     0     0\n"
                   "off total       0.007500                                 0                     0     0\n"
                   "Measured, the work took 0.008000 s, and 0.007500 s with measurements off: 6.7 % more.\n"
                   "Operations are in units of one coefficient touch, by the counting rule rule-1.\n");
  json_t *value = told_json();
  ck_assert_uint_eq(json_array_size(json_object_get(value, "phases")), 0);
  json_decref(value);
  tac_phase_profile_destroy(&profile);
}
END_TEST

static const report_fn forms[] = {tac_phase_report_text, tac_phase_report_csv, tac_phase_report_json,
                                  tac_phase_report_json_members};
enum { FORMS = sizeof forms / sizeof *forms };

static void assert_refused(void) {
  for (int i = 0; i < FORMS; i++) {
    struct tac_error error;
    sink = (struct test_sink){.limit = sizeof sink.text};
    ck_assert_int_eq(forms[i](&report, test_sink_take, &sink, &error), TAC_STATUS_INVALID);
    ck_assert_int_eq(error.status, TAC_STATUS_INVALID);
    ck_assert_uint_eq(sink.used, 0);
  }
}

START_TEST(wrong_reports_are_refused) {
  static const char *const twice[] = {"up", "near", "up"};
  static const char *const missing[] = {"up", NULL};
  struct tac_phase_profile *profile = prepare(NULL);
  const struct tac_phase_report good = report;
  report.size = 0;
  assert_refused();
  report = good;
  report.profile = NULL;
  assert_refused();
  report = good;
  report.scope = NULL;
  assert_refused();
  report = good;
  report.phases = NULL;
  assert_refused();
  report = good;
  report.phases = twice;
  assert_refused();
  report.phases = missing;
  report.phase_count = 2;
  assert_refused();
  report = good;
  counts.counting_rule = NULL;
  assert_refused();
  counts.counting_rule = "";
  for (int i = 0; i < FORMS; i++) {
    ck_assert_int_eq(forms[i](NULL, test_sink_take, &sink, NULL), TAC_STATUS_INVALID);
    ck_assert_int_eq(forms[i](&report, NULL, NULL, NULL), TAC_STATUS_INVALID);
  }
  ck_assert_int_eq(tac_phase_report_csv_header(NULL, NULL, NULL), TAC_STATUS_INVALID);
  tac_phase_profile_destroy(&profile);
}
END_TEST

START_TEST(a_sink_that_refuses_stops_the_report) {
  struct tac_phase_profile *profile = prepare(NULL);
  for (int i = 0; i < FORMS; i++)
    for (size_t limit = 0; limit < 220; limit += 13) {
      sink = (struct test_sink){.limit = limit};
      ck_assert_int_eq(forms[i](&report, test_sink_take, &sink, NULL), TAC_STATUS_IO);
      ck_assert_uint_eq(sink.pieces_after_refusal, 0);
    }
  sink = (struct test_sink){.limit = 10};
  ck_assert_int_eq(tac_phase_report_csv_header(test_sink_take, &sink, NULL), TAC_STATUS_IO);
  tac_phase_profile_destroy(&profile);
}
END_TEST

START_TEST(a_refused_allocation_is_reported) {
  struct counting counting = COUNTING_INIT;
  const struct tac_allocator allocator = COUNTING_ALLOCATOR(&counting);
  struct tac_phase_profile *profile = prepare(&allocator);
  enum tac_status status = TAC_STATUS_MEMORY;
  size_t refusals = 0;
  for (; status == TAC_STATUS_MEMORY; refusals++) {
    ck_assert_uint_lt(refusals, 1000);
    counting.left = refusals;
    sink = (struct test_sink){.limit = sizeof sink.text};
    status = tac_phase_report_json(&report, test_sink_take, &sink, NULL);
    ck_assert_int_eq(sink.used == 0, status == TAC_STATUS_MEMORY);
  }
  ck_assert_int_eq(status, TAC_STATUS_OK);
  ck_assert_uint_gt(refusals, PHASES);
  tac_phase_profile_destroy(&profile);
  ck_assert_uint_eq(counting.allocated, counting.released);
}
END_TEST

/* A batch of 25 µs on the device within a sweep of which no other time is known there. */
static struct tac_phase_profile *prepare_with_device(void) {
  static const char *const device_phases[] = {"solve \xc2\xb5", "batch"};
  static const int device_events[] = {RECORDED_SOLVE, RECORDED_BATCH};
  struct tac_recorder *recorder;
  struct tac_phase_profile *profile;
  ck_assert_int_eq(recorded_create(&recorder, TAC_COARSE, 10, NULL), TAC_STATUS_OK);
  ck_assert_int_eq(recorded_device_run(recorder), TAC_STATUS_OK);
  ck_assert_int_eq(tac_phase_profile_create(&profile, NULL, NULL), TAC_STATUS_OK);
  ck_assert_int_eq(tac_phase_profile_take(profile, recorder, device_events, 2, NULL), TAC_STATUS_OK);
  tac_recorder_destroy(&recorder);
  tac_phase_report_init(&report);
  report.phases = device_phases;
  report.phase_count = 2;
  report.profile = profile;
  report.profiled_ns = 12000;
  report.off_ns = 16000;
  return profile;
}

START_TEST(device_seconds_stand_beside_the_hosts) {
  struct tac_phase_profile *profile = prepare_with_device();
  static const char expected[] =
      "phase            seconds  calls      mean   share  operations  of operations  flops  GF/s  device seconds\n"
      "solve \xc2\xb5         0.000000      0      0 ns   0.0 %                                                0.000000\n"
      "batch           0.000006      1  6.000 \xc2\xb5s  50.0 %                                                0.000025\n"
      "residual        0.000006                   50.0 %\n"
      "profiled total  0.000012\n"
      "off total       0.000016\n"
      "Seconds are host wall time, device seconds the time in which the device ran commands of the phase, by its own stamps on "
      "CLOCK_MONOTONIC.\n"
      "Measured, the work took 0.000012 s, and 0.000016 s with measurements off: 25.0 % less; every batch drains its queues at "
      "its "
      "join, measured or not.\n";
  ck_assert_msg(strcmp(told(tac_phase_report_text), expected) == 0, "%s", sink.text);
  ck_assert_str_eq(told(tac_phase_report_csv), ",,,solve \xc2\xb5,,,,,0.000000000,0,0,,0.000000000\n"
                                               ",,,batch,,,,,0.000006000,0.5,1,,0.000025000\n");
  json_t *value = told_json();
  const json_t *row = json_array_get(json_object_get(value, "phases"), 1);
  ck_assert(number(row, "device_ns") == 25000);
  ck_assert_str_eq(text(row, "device_domain"), "device");
  json_decref(value);
  struct tac_phase_profile *copy;
  ck_assert_int_eq(tac_phase_profile_copy(&copy, profile, NULL), TAC_STATUS_OK);
  const struct tac_phase copied = tac_phase_profile_find(copy, "batch");
  ck_assert_int_eq(copied.device_known, 1);
  ck_assert_int_eq(copied.device_ns, 25000);
  tac_phase_profile_destroy(&copy);
  tac_phase_profile_destroy(&profile);
}
END_TEST

START_TEST(an_unknown_device_time_is_left_blank) {
  struct tac_phase_profile *profile = prepare_with_device();
  record(profile, "batch", 1000, 1); /* of this call the device's part is not known */
  ck_assert_str_eq(told(tac_phase_report_csv), ",,,solve \xc2\xb5,,,,,0.000000000,0,0,,0.000000000\n"
                                               ",,,batch,,,,,0.000007000,0.583333333,2,,\n");
  json_t *value = told_json();
  ck_assert_ptr_null(json_object_get(json_array_get(json_object_get(value, "phases"), 1), "device_ns"));
  json_decref(value);
  tac_phase_profile_destroy(&profile);
}
END_TEST

int main(void) {
  const TTest *const tests[] = {
      the_table_has_a_row_for_each_phase_of_the_list,
      csv_rows_follow_the_list,
      json_has_the_same_numbers,
      members_are_what_follows_the_schema,
      an_unknown_count_blanks_its_cells_and_every_share,
      without_counts_and_totals_nothing_is_invented,
      zero_denominators_give_no_shares,
      phases_that_are_more_than_the_total_leave_a_negative_residual,
      nested_names_withhold_shares_in_every_form,
      lost_phases_withhold_shares_too,
      names_of_any_bytes_are_quoted_escaped_or_replaced,
      huge_counts_are_told_or_left_blank,
      an_empty_profile_and_an_empty_list_are_reports,
      wrong_reports_are_refused,
      a_sink_that_refuses_stops_the_report,
      a_refused_allocation_is_reported,
      device_seconds_stand_beside_the_hosts,
      an_unknown_device_time_is_left_blank,
  };
  return RUN_SUITE("phase_report", tests);
}
