/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "measure/kokkos/report.h"
#include "tests/support/sink.h"
#include "tests/unit/kokkos_set.h"

static struct test_sink sink;

static struct tac_kokkos_counters *counted(void) {
  struct tac_kokkos_counters *counters = enter_set();
  uint64_t handle;
  launch("a \"b\"\n", 1500);
  tac_kokkos_begin_kernel(TAC_KOKKOS_FOR, "a \"b\"\n", 0x01000001, &handle);
  driven_clock_advance(&driven, 500);
  end(handle);
  tac_kokkos_push_region("step");
  launch("slow", 1000000000);
  tac_kokkos_pop_region();
  handle = begin_fence("f");
  driven_clock_advance(&driven, 250);
  tac_kokkos_end_fence(handle);
  copy("Cuda", "Host", 64, 10);
  copy("Host", "Cuda", 32, 20);
  tac_kokkos_pop_region();
  tac_kokkos_allocate("Cuda", 4);
  tac_kokkos_deallocate("Cuda", 10);
  return counters;
}

START_TEST(the_text_is_pairs_in_lines) {
  struct tac_kokkos_counters *counters = counted();
  sink = (struct test_sink){.limit = sizeof sink.text};
  ck_assert_int_eq(tac_kokkos_report_text(counters, "p", test_sink_take, &sink, NULL), TAC_STATUS_OK);
  ck_assert_str_eq(
      sink.text, "p launches=3 launches_s=1 fences=1 fences_s=0.00000025 copies=2 copies_s=0.00000003 h2d_bytes=64 "
                 "d2h_bytes=32 same_bytes=0 self_bytes=0 fill_bytes=0 step=\"step\" steps=1 steps_s=1 launches_per_step=1 "
                 "fences_per_step=0 copies_per_step=0 mismatches=1 unfinished=0 dropped=0 excess_pops=1 last_region=\"step\"\n"
                 "p kernel=\"slow\" kind=parallel_for n=1 s=1 mean_s=1 min_s=1 max_s=1 "
                 "exclusive_s=1 per_step=1 s_per_step=1\n"
                 "p kernel=\"a \\\"b\\\"\\u000a\" kind=parallel_for n=2 s=0.000002 mean_s=0.000001 min_s=0.0000005 "
                 "max_s=0.0000015 exclusive_s=0.000002 per_step=0 s_per_step=0\n"
                 "p copy=\"Host\" to=\"Cuda\" direction=host_to_device n=1 bytes=64 s=0.00000001 exclusive_s=0.00000001 "
                 "self_bytes=0 fill_bytes=0\n"
                 "p copy=\"Cuda\" to=\"Host\" direction=device_to_host n=1 bytes=32 s=0.00000002 exclusive_s=0.00000002 "
                 "self_bytes=0 fill_bytes=0\n"
                 "p space=\"Cuda\" allocations=1 deallocations=1 bytes=-6 high_water_bytes=4\n"
                 "p region=\"step\" depth=0 n=1 s=1 mean_s=1 min_s=1 max_s=1 exclusive_s=0\n");
  leave_set(&counters);
}
END_TEST

static const char *text_of(const struct tac_kokkos_counters *counters, const struct tac_kokkos_span *span) {
  const struct tac_kokkos_text_context more = {.span = span, .extra = " more=1"};
  sink = (struct test_sink){.limit = sizeof sink.text};
  ck_assert_int_eq(tac_kokkos_write_text(counters, "p", &more, test_sink_take, &sink, NULL), TAC_STATUS_OK);
  return sink.text;
}

/* 299/16 ns, 2/3 ns, 1999/2 ns and 19999/2 ns, by hand to four digits. */
START_TEST(means_have_four_digits_too) {
  static const struct {
    int launches;
    int64_t first_ns, others_ns;
    const char *mean;
  } cases[] = {{16, 44, 17, " mean_s=0.00000001869 "}, {3, 2, 0, " mean_s=0.0000000006667 "},
               {2, 1999, 0, " mean_s=0.0000009995 "},  {2, 19999, 0, " mean_s=0.00001 "},
               {2, 7, 7, " mean_s=0.000000007 "},      {2, 0, 0, " mean_s=0 "}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct tac_kokkos_counters *counters = enter_set();
    launch("a", cases[i].first_ns);
    for (int k = 1; k < cases[i].launches; k++)
      launch("a", cases[i].others_ns);
    sink = (struct test_sink){.limit = sizeof sink.text};
    ck_assert_int_eq(tac_kokkos_report_text(counters, "p", test_sink_take, &sink, NULL), TAC_STATUS_OK);
    ck_assert_msg(strstr(sink.text, cases[i].mean) != NULL, "no%s in %s", cases[i].mean, sink.text);
    leave_set(&counters);
  }
}
END_TEST

START_TEST(without_memory_kernels_stand_as_they_came) {
  struct tac_kokkos_counters *counters = enter_set();
  struct tac_error error;
  launch("short", 10);
  launch("long", 20);
  sink = (struct test_sink){.limit = sizeof sink.text};
  counting.left = 0;
  ck_assert_int_eq(tac_kokkos_report_text(counters, "p", test_sink_take, &sink, &error), TAC_STATUS_MEMORY);
  counting.left = SIZE_MAX;
  ck_assert_str_eq(error.text, "no memory to sort 2 kernels: they stand as they came, devices and instances apart");
  ck_assert_int_eq(strncmp(sink.text, "p launches=2 launches_s=0.00000003 ", 35), 0);
  const char *first = strstr(sink.text, "\np kernel=\"short\" kind=parallel_for n=1 s=0.00000001 ");
  ck_assert_ptr_nonnull(first);
  ck_assert_ptr_nonnull(strstr(first, "\np kernel=\"long\" kind=parallel_for n=1 s=0.00000002 "));
  leave_set(&counters);
}
END_TEST

START_TEST(the_innermost_open_region_is_named) {
  struct tac_kokkos_counters *counters = enter_set();
  tac_kokkos_push_region("closed");
  tac_kokkos_push_region("within");
  tac_kokkos_pop_region();
  tac_kokkos_pop_region();
  ck_assert_ptr_null(tac_kokkos_open_region(counters));
  tac_kokkos_push_region("outer");
  tac_kokkos_push_region("inner");
  ck_assert_str_eq(tac_kokkos_open_region(counters), "inner");
  tac_kokkos_push_region("popped");
  tac_kokkos_pop_region();
  ck_assert_str_eq(tac_kokkos_open_region(counters), "inner");
  tac_kokkos_pop_region();
  ck_assert_str_eq(tac_kokkos_open_region(counters), "outer");
  tac_kokkos_pop_region();
  ck_assert_ptr_null(tac_kokkos_open_region(counters));
  leave_set(&counters);
}
END_TEST

START_TEST(kernels_are_a_share_of_the_wall_time) {
  struct tac_kokkos_counters *counters = enter_set();
  launch("work", 12345678);
  const char *text = text_of(counters, &(struct tac_kokkos_span){.wall_ns = 49382712, .threads = 1});
  ck_assert_ptr_nonnull(strstr(text, " launches_s=0.01235 wall_s=0.04938 launches_share=0.25 outside_s=0.03704 fences="));
  ck_assert_ptr_nonnull(strstr(text, " more=1\n"));
  /* Two threads at once: what is outside is not known; nor where there is more than the wall time. */
  text = text_of(counters, &(struct tac_kokkos_span){.wall_ns = 49382712, .threads = 2});
  ck_assert_ptr_nonnull(strstr(text, " launches_share=0.25 fences="));
  text = text_of(counters, &(struct tac_kokkos_span){.wall_ns = 6172839, .threads = 1});
  ck_assert_ptr_nonnull(strstr(text, " wall_s=0.006173 launches_share=2 fences="));
  text = text_of(counters, &(struct tac_kokkos_span){.wall_ns = 0, .threads = 1});
  ck_assert_ptr_nonnull(strstr(text, " wall_s=0 fences="));
  leave_set(&counters);
}
END_TEST

START_TEST(seconds_are_short) {
  static const struct {
    int64_t duration_ns;
    const char *text;
  } expected[] = {{0, "0"},
                  {7, "0.000000007"},
                  {9999, "0.000009999"},
                  {79669, "0.00007967"},
                  {12984715, "0.01298"},
                  {2500000000, "2.5"},
                  {12345600000000, "12346"}};
  for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
    struct tac_kokkos_counters *counters = enter_set();
    char pair[64];
    launch("work", expected[i].duration_ns);
    snprintf(pair, sizeof pair, " launches_s=%s fences=", expected[i].text);
    ck_assert_ptr_nonnull(strstr(text_of(counters, NULL), pair));
    leave_set(&counters);
  }
}
END_TEST

/* Kokkos' numbers: 0 Serial, 1 OpenMP, 2 Cuda, 6 Threads. */
START_TEST(host_devices_run_to_their_end) {
  struct tac_kokkos_counters *counters = enter_set();
  uint64_t handle;
  ck_assert_str_eq(tac_kokkos_seconds(counters, 0), "dispatch");
  ck_assert_str_eq(tac_kokkos_seconds(counters, 1), "execution");
  for (uint32_t device = 0; device <= 6; device += device == 0 ? 1 : 5) {
    tac_kokkos_begin_kernel(TAC_KOKKOS_FOR, "host", device << 24 | 3, &handle);
    end(handle);
    ck_assert_str_eq(tac_kokkos_seconds(counters, 0), "execution");
    ck_assert_str_eq(tac_kokkos_seconds(counters, -1), "execution");
  }
  tac_kokkos_begin_kernel(TAC_KOKKOS_FOR, "device", 2U << 24, &handle);
  end(handle);
  ck_assert_str_eq(tac_kokkos_seconds(counters, 0), "mixed");
  ck_assert_str_eq(tac_kokkos_seconds(counters, 1), "execution");
  ck_assert_str_eq(tac_kokkos_seconds(counters, -1), "unknown");
  leave_set(&counters);
  counters = enter_set();
  tac_kokkos_begin_kernel(TAC_KOKKOS_FOR, "device", 2U << 24, &handle);
  end(handle);
  ck_assert_str_eq(tac_kokkos_seconds(counters, 0), "dispatch");
  leave_set(&counters);
}
END_TEST

START_TEST(the_json_has_what_was_counted) {
  struct tac_kokkos_counters *counters = counted();
  json_error_t where;
  sink = (struct test_sink){.limit = sizeof sink.text};
  driven.step_ns = 3;
  ck_assert_int_eq(tac_kokkos_report_json(counters, NULL, test_sink_take, &sink, NULL), TAC_STATUS_OK);
  json_t *record = json_loads(sink.text, 0, &where);
  ck_assert_ptr_nonnull(record);
  ck_assert_int_eq(json_integer_value(json_object_get(record, "schema")), 1);
  ck_assert_str_eq(json_string_value(json_object_get(record, "kind")), "kokkos");
  ck_assert_int_eq(json_integer_value(json_object_get(json_object_get(record, "clock"), "resolution_ns")), 3);
  ck_assert_int_eq(json_integer_value(json_object_get(json_object_get(record, "clock"), "origin_ns")), 1000);
  ck_assert_double_eq(json_number_value(json_object_get(json_object_get(record, "cost"), "clock_read_ns")), 3);
  json_t *kernels = json_object_get(record, "kernels"), *first = json_array_get(kernels, 0);
  ck_assert_uint_eq(json_array_size(kernels), 3);
  ck_assert_str_eq(json_string_value(json_object_get(first, "name")), "a \"b\"\n");
  ck_assert_int_eq(json_integer_value(json_object_get(first, "total_ns")), 1500);
  ck_assert_str_eq(json_string_value(json_object_get(json_array_get(kernels, 1), "device")), "OpenMP");
  ck_assert_int_eq(json_integer_value(json_object_get(json_array_get(kernels, 1), "instance")), 1);
  json_t *directions = json_object_get(record, "directions");
  ck_assert_int_eq(json_integer_value(json_object_get(json_object_get(directions, "host_to_device"), "bytes")), 64);
  ck_assert_int_eq(json_integer_value(json_object_get(json_object_get(directions, "device_to_host"), "bytes")), 32);
  ck_assert_str_eq(json_string_value(json_object_get(json_object_get(record, "mismatches"), "last_region")), "step");
  json_decref(record);
  leave_set(&counters);
}
END_TEST

START_TEST(regions_are_written_in_the_order_of_a_walk) {
  static const struct {
    const char *name;
    json_int_t parent, depth;
  } expected[] = {{"a", -1, 0}, {"b", 0, 1}, {"d", 1, 2}, {"e", 0, 1}, {"c", -1, 0}, {"b", 4, 1}};
  struct tac_kokkos_counters *counters = enter_set();
  static const json_int_t launched[][2] = {{0, 2}, {1, 2}, {4, 1}, {5, 1}, {2, 1}, {3, 1}}; /* regions, by their first launch */
  /* Each letter pushes and launches, each point pops. */
  for (const char *next = "ab..cb..abd..e.."; *next; next++) {
    const char name[2] = {*next, '\0'};
    if (*next == '.') {
      tac_kokkos_pop_region();
      continue;
    }
    tac_kokkos_push_region(name);
    launch("k", 1);
  }
  sink = (struct test_sink){.limit = sizeof sink.text};
  ck_assert_int_eq(tac_kokkos_report_json(counters, NULL, test_sink_take, &sink, NULL), TAC_STATUS_OK);
  json_t *record = json_loads(sink.text, 0, NULL), *regions = json_object_get(record, "regions");
  ck_assert_uint_eq(json_array_size(regions), sizeof expected / sizeof *expected);
  for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
    json_t *row = json_array_get(regions, i), *parent = json_object_get(row, "parent");
    ck_assert_str_eq(json_string_value(json_object_get(row, "name")), expected[i].name);
    ck_assert_int_eq(json_is_null(parent) ? -1 : json_integer_value(parent), expected[i].parent);
    ck_assert_int_eq(json_integer_value(json_object_get(row, "depth")), expected[i].depth);
    row = json_array_get(json_object_get(record, "kernels_by_region"), i);
    ck_assert_str_eq(json_string_value(json_object_get(row, "name")), "k");
    ck_assert_int_eq(json_integer_value(json_object_get(row, "parent")), launched[i][0]);
    ck_assert_int_eq(json_integer_value(json_object_get(row, "count")), launched[i][1]);
  }
  json_decref(record);
  leave_set(&counters);
}
END_TEST

START_TEST(regions_are_told_as_they_nest) {
  struct tac_kokkos_counters *counters = enter_set();
  for (int i = 0; i < 2; i++) {
    tac_kokkos_push_region("a \"1\"");
    driven_clock_advance(&driven, 30);
    tac_kokkos_push_region("b");
    driven_clock_advance(&driven, 10);
    tac_kokkos_pop_region();
    tac_kokkos_pop_region();
  }
  ck_assert_ptr_nonnull(strstr(text_of(counters, NULL),
                               "p region=\"a \\\"1\\\"\" depth=0 n=2 s=0.00000008 mean_s=0.00000004 min_s=0.00000004 "
                               "max_s=0.00000004 exclusive_s=0.00000006\n"
                               "p region=\"b\" depth=1 in=\"a \\\"1\\\"\" n=2 s=0.00000002 mean_s=0.00000001 min_s=0.00000001 "
                               "max_s=0.00000001 exclusive_s=0.00000002\n"));
  leave_set(&counters);
}
END_TEST

START_TEST(facts_are_the_run) {
  static const struct tac_report_fact fact[] = {{"program", "a \"b\""},
                                                {"wall_ns", "123"},
                                                {"threads", "many"},
                                                {"command_line", "a \"b\" -c"},
                                                {"kernels_ns", "99999999999999999999"},
                                                {"k\"\xff", "7"}};
  const struct tac_report_facts facts = {fact, sizeof fact / sizeof *fact};
  struct tac_kokkos_counters *counters = counted();
  sink = (struct test_sink){.limit = sizeof sink.text};
  ck_assert_int_eq(tac_kokkos_report_json(counters, &facts, test_sink_take, &sink, NULL), TAC_STATUS_OK);
  json_t *record = json_loads(sink.text, JSON_REJECT_DUPLICATES, NULL), *run = json_object_get(record, "run");
  char *written = json_dumps(run, JSON_COMPACT | JSON_SORT_KEYS);
  ck_assert_str_eq(written, "{\"command_line\":[\"a \\\"b\\\" -c\"],\"k\\\"\xef\xbf\xbd\":\"7\",\"kernels_ns\":"
                            "\"99999999999999999999\",\"program\":\"a \\\"b\\\"\",\"threads\":\"many\",\"wall_ns\":123}");
  free(written);
  json_decref(record);
  sink = (struct test_sink){.limit = sizeof sink.text};
  ck_assert_int_eq(tac_kokkos_report_json(counters, NULL, test_sink_take, &sink, NULL), TAC_STATUS_OK);
  record = json_loads(sink.text, 0, NULL);
  ck_assert_ptr_nonnull(record);
  ck_assert_ptr_null(json_object_get(record, "run"));
  json_decref(record);
  leave_set(&counters);
}
END_TEST

/* By hand, for a C++ runtime that is not there. */
static char *demangle(const char *mangled, char *buffer, size_t *bytes, int *status) {
  static const char *const known[][2] = {{"N1a1fIiEE", "a::f<int>"},
                                         {"Z4mainEUliE_", "main::{lambda(int)}"},
                                         {"3Tag", "Tag"},
                                         {"4Ctor", "Ctor"},
                                         {"4ctor", "ctor"},
                                         {"2nd", "nd"},
                                         {"1aIiE", "a<int>"},
                                         {"St4lessIiE", "std::less<int>"},
                                         {"i", "int"},
                                         {"f", "float"}};
  ck_assert(!buffer && !bytes && status);
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (strcmp(mangled, known[i][0]) == 0)
      return strdup(known[i][1]);
  *status = -2;
  return NULL;
}

START_TEST(labels_made_from_types_are_told_as_types) {
  static const char *const expected[][2] = {{"N1a1fIiEE", "a::f<int>"},
                                            {"Z4mainEUliE_", "main::{lambda(int)}"},
                                            {"Z4mainEUliE_/N1a1fIiEE", "main::{lambda(int)}/a::f<int>"},
                                            {"4Ctor/4Ctor", "Ctor/Ctor"},
                                            {"1aIiE", "a<int>"},
                                            {"St4lessIiE", "std::less<int>"},
                                            {"4Ctor", "Ctor"},
                                            /* What may be the program's own stays. */
                                            {"4ctor", "4ctor"},
                                            {"2nd", "2nd"},
                                            {"3Tag", "3Tag"},
                                            {"i", "i"},
                                            {"f", "f"},
                                            {"Newton", "Newton"},
                                            {"4Ctor/i", "4Ctor/i"},
                                            {"i/4Ctor", "i/4Ctor"},
                                            {"4Ctor/", "4Ctor/"},
                                            {"99999999999999999999999a", "99999999999999999999999a"},
                                            {"", ""}};
  struct tac_kokkos_options options;
  struct tac_kokkos_counters *counters, *merged;
  driven_clock_init(&driven, 1000, 0);
  tac_kokkos_options_init(&options);
  options.clock = &driven.clock;
  options.demangle = demangle;
  ck_assert_int_eq(tac_kokkos_counters_create(&counters, &options, NULL), TAC_STATUS_OK);
  ck_assert_int_eq(tac_kokkos_counters_create(&merged, &options, NULL), TAC_STATUS_OK);
  ck_assert_int_eq(tac_kokkos_scope_begin(counters, NULL), TAC_STATUS_OK);
  for (int twice = 0; twice < 2; twice++)
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++)
      launch(expected[i][0], 1);
  tac_kokkos_push_region("4Ctor");
  tac_kokkos_pop_region();
  ck_assert_int_eq(tac_kokkos_counters_merge(merged, counters, NULL), TAC_STATUS_OK);
  ck_assert_uint_eq(tac_kokkos_counters_rows(merged, TAC_KOKKOS_KERNELS), sizeof expected / sizeof *expected);
  for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
    ck_assert_str_eq(kernel(counters, i).name, expected[i][1]);
    ck_assert_str_eq(kernel(merged, i).name, expected[i][1]);
    ck_assert_uint_eq(kernel(merged, i).count, 2);
  }
  ck_assert_str_eq(region(counters, 0).name, "4Ctor");
  leave_set(&counters);
  tac_kokkos_counters_destroy(&merged);
}
END_TEST

START_TEST(a_sink_that_refuses_is_told) {
  struct tac_kokkos_counters *counters = counted();
  for (size_t limit = 0; limit < 900; limit += 60) {
    sink = (struct test_sink){.limit = limit};
    ck_assert_int_eq(tac_kokkos_report_json(counters, NULL, test_sink_take, &sink, NULL), TAC_STATUS_IO);
    ck_assert_uint_eq(sink.pieces_after_refusal, 0);
  }
  sink = (struct test_sink){.limit = 100};
  ck_assert_int_eq(tac_kokkos_report_text(counters, "p", test_sink_take, &sink, NULL), TAC_STATUS_IO);
  ck_assert_int_eq(tac_kokkos_report_text(counters, NULL, test_sink_take, &sink, NULL), TAC_STATUS_INVALID);
  ck_assert_int_eq(tac_kokkos_report_json(NULL, NULL, test_sink_take, &sink, NULL), TAC_STATUS_INVALID);
  counting.left = 0;
  sink = (struct test_sink){.limit = 100};
  ck_assert_int_eq(tac_kokkos_report_text(counters, "p", test_sink_take, &sink, NULL), TAC_STATUS_IO);
  ck_assert_uint_eq(sink.pieces_after_refusal, 0);
  counting.left = (size_t)-1;
  leave_set(&counters);
}
END_TEST

int main(void) {
  const TTest *const tests[] = {
      the_text_is_pairs_in_lines,
      kernels_are_a_share_of_the_wall_time,
      seconds_are_short,
      host_devices_run_to_their_end,
      the_json_has_what_was_counted,
      regions_are_written_in_the_order_of_a_walk,
      regions_are_told_as_they_nest,
      facts_are_the_run,
      labels_made_from_types_are_told_as_types,
      means_have_four_digits_too,
      without_memory_kernels_stand_as_they_came,
      the_innermost_open_region_is_named,
      a_sink_that_refuses_is_told,
  };
  return RUN_SUITE("kokkos_report", tests);
}
