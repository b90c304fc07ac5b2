/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <tactus/measure/phase_report.h>

#include <math.h>
#include <string.h>

#include "tests/unit/counting_allocator.h"
#include "tests/unit/phase_reports.h"

#define CSV_HEADER                                                                                                             \
  "kernel,near,scope,phase,ops_unit,ops,ops_share,flops,seconds,seconds_share,calls,counting_rule,device_seconds\n"

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

/* A twentieth more or less is no cost; measuring makes nothing faster. */
START_TEST(a_difference_within_the_noise_is_not_told_as_a_cost) {
  struct tac_phase_profile *profile = prepare(NULL);
  static const int64_t within[] = {7875000, 7500000, 7130000};
  for (size_t i = 0; i < sizeof within / sizeof *within; i++) {
    report.profiled_ns = within[i];
    const char *told_text = told(tac_phase_report_text);
    ck_assert_ptr_nonnull(strstr(told_text, " s, and 0.007500 s with measurements off: within the noise of one timing.\n"));
    ck_assert_ptr_null(strstr(told_text, "% more"));
  }
  report.profiled_ns = 3000000;
  ck_assert_ptr_nonnull(strstr(told(tac_phase_report_text), " off: 60.0 % less, so single timings say nothing here.\n"));
  report.profiled_ns = 7900000;
  ck_assert_ptr_nonnull(strstr(told(tac_phase_report_text), "with measurements off: 5.3 % more.\n"));
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

START_TEST(json_has_a_row_for_each_phase) {
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
  json_decref(value);
  tac_phase_profile_destroy(&profile);
}
END_TEST

START_TEST(json_has_the_totals) {
  struct tac_phase_profile *profile = prepare(NULL);
  json_t *value = told_json();
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

int main(void) {
  const TTest *const tests[] = {
      the_table_has_a_row_for_each_phase_of_the_list,
      a_difference_within_the_noise_is_not_told_as_a_cost,
      csv_rows_follow_the_list,
      json_has_a_row_for_each_phase,
      json_has_the_totals,
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
  };
  return RUN_SUITE("phase_report", tests);
}
