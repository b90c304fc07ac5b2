/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <tactus/measure/device_report.h>

#include <string.h>

#include <jansson.h>

#include "tests/support/driven_clock.h"
#include "tests/support/sink.h"
#include "tests/unit/counting_allocator.h"
#include "tests/unit/suite.h"

static struct driven_clock driven;
static struct test_sink sink;

static const struct tac_device_memory_stats memory = {
    .allocations = 3, .reuses = 40, .used_bytes = 4096, .spare_bytes = 1024, .peak_bytes = 8192};

static struct tac_device_counters *create(size_t label_limit, const struct tac_allocator *allocator) {
  struct tac_device_counters_options options;
  struct tac_device_counters *counters;
  tac_device_counters_options_init(&options);
  driven_clock_init(&driven, 0, 0);
  options.clock = &driven.clock;
  options.allocator = allocator;
  options.label_limit = label_limit;
  ck_assert_int_eq(tac_device_counters_create(&counters, &options, NULL), TAC_STATUS_OK);
  return counters;
}

static void launch(struct tac_device_counters *counters, const char *label, int64_t duration_ns) {
  uint64_t handle;
  tac_device_counters_launch_begin(counters, label, &handle);
  driven_clock_advance(&driven, duration_ns);
  tac_device_counters_launch_end(counters, handle);
}

static void fence(struct tac_device_counters *counters, const char *label, int64_t duration_ns) {
  uint64_t handle;
  tac_device_counters_fence_begin(counters, label, &handle);
  driven_clock_advance(&driven, duration_ns);
  tac_device_counters_fence_end(counters, handle);
}

/* Four labels of launches of which only three find room, one fence, copies both ways. */
static struct tac_device_counters *filled(const struct tac_allocator *allocator) {
  struct tac_device_counters *counters = create(3, allocator);
  launch(counters, "set\x1bup \"\xff\"", 1000);
  launch(counters, "gemm", 4000);
  launch(counters, "gemm", 2000);
  launch(counters, "", 1000);
  launch(counters, "too many", 2000);
  fence(counters, "join", 50000);
  tac_device_counters_copy(counters, TAC_COPY_TO_DEVICE, 100);
  tac_device_counters_copy(counters, TAC_COPY_TO_DEVICE, 28);
  tac_device_counters_copy(counters, TAC_COPY_TO_HOST, UINT64_MAX);
  tac_device_counters_copy(counters, TAC_COPY_TO_HOST, 1);
  return counters;
}

static const char expected_text[] =
    "launches               count  host total      mean       min       max    share\n"
    "gemm                       2    6.000 µs  3.000 µs  2.000 µs  4.000 µs   60.0 %\n"
    "set\\x1bup \"\xef\xbf\xbd\"              1    1.000 µs  1.000 µs  1.000 µs  1.000 µs   10.0 %\n"
    "                           1    1.000 µs  1.000 µs  1.000 µs  1.000 µs   10.0 %\n"
    "(labels without room)      1    2.000 µs  2.000 µs  2.000 µs  2.000 µs   20.0 %\n"
    "all                        5   10.000 µs  2.000 µs  1.000 µs  4.000 µs  100.0 %\n"
    "\n"
    "fences  count  host total       mean        min        max    share\n"
    "join        1   50.000 µs  50.000 µs  50.000 µs  50.000 µs  100.0 %\n"
    "all         1   50.000 µs  50.000 µs  50.000 µs  50.000 µs  100.0 %\n"
    "\n"
    "copies     count                           bytes\n"
    "to device      2                             128\n"
    "to host        2  more than 18446744073709551615\n"
    "on device      0                               0\n"
    "mapped         0                               0\n"
    "Device memory: 3 allocations, 40 requests served by the pool; 4096 bytes in use, 1024 spare, 8192 at most.\n"
    "Ends without their begin, begins without their end, and copies in no direction: 1\n"
    "Times are host wall time: a launch's is that of its dispatch, a fence's that of the wait.\n";

START_TEST(text_is_sorted_by_host_time) {
  struct tac_device_counters *counters = filled(NULL);
  sink = (struct test_sink){.limit = sizeof sink.text};
  tac_device_counters_launch_end(counters, 0);
  ck_assert_int_eq(tac_device_report_text(counters, &memory, test_sink_take, &sink, NULL), TAC_STATUS_OK);
  ck_assert_msg(strcmp(sink.text, expected_text) == 0, "%s", sink.text);
  tac_device_counters_destroy(&counters);
}
END_TEST

START_TEST(empty_counters_report_zeros) {
  struct tac_device_counters *counters = create(3, NULL);
  sink = (struct test_sink){.limit = sizeof sink.text};
  ck_assert_int_eq(tac_device_report_text(counters, NULL, test_sink_take, &sink, NULL), TAC_STATUS_OK);
  ck_assert_ptr_nonnull(strstr(sink.text, "all           0        0 ns  0 ns  0 ns  0 ns      -\n"));
  ck_assert_ptr_null(strstr(sink.text, "Device memory"));
  ck_assert_ptr_null(strstr(sink.text, "without their begin"));
  tac_device_counters_destroy(&counters);
}
END_TEST

static json_int_t integer(const json_t *object, const char *key) {
  const json_t *value = json_object_get(object, key);
  ck_assert_msg(json_is_integer(value), "%s is no integer", key);
  return json_integer_value(value);
}

static void expect_calls(const json_t *calls, const char *label, json_int_t count, json_int_t total_ns, double mean_ns) {
  const json_t *name = json_object_get(calls, "label");
  if (label)
    ck_assert_str_eq(json_string_value(name), label);
  else
    ck_assert_ptr_null(name);
  ck_assert_int_eq(integer(calls, "count"), count);
  ck_assert_int_eq(integer(calls, "timed"), count);
  ck_assert_int_eq(integer(calls, "total_ns"), total_ns);
  ck_assert(json_real_value(json_object_get(calls, "mean_ns")) == mean_ns);
  ck_assert_str_eq(json_string_value(json_object_get(calls, "domain")), "host_wall");
}

static json_t *parsed(const struct tac_device_counters *counters, const struct tac_device_memory_stats *stats) {
  sink = (struct test_sink){.limit = sizeof sink.text};
  ck_assert_int_eq(tac_device_report_json(counters, stats, test_sink_take, &sink, NULL), TAC_STATUS_OK);
  json_error_t error;
  json_t *value = json_loads(sink.text, JSON_REJECT_DUPLICATES, &error);
  ck_assert_msg(value != NULL, "%s at %d", error.text, error.position);
  return value;
}

START_TEST(json_has_the_same_numbers) {
  struct tac_device_counters *counters = filled(NULL);
  json_t *report = parsed(counters, &memory);
  ck_assert_int_eq(integer(report, "schema"), TAC_JSON_SCHEMA);
  const json_t *launches = json_object_get(report, "launches");
  ck_assert_uint_eq(json_array_size(launches), 3);
  expect_calls(json_array_get(launches, 0), "gemm", 2, 6000, 3000);
  expect_calls(json_array_get(launches, 1), "set\x1bup \"\xef\xbf\xbd\"", 1, 1000, 1000);
  expect_calls(json_array_get(launches, 2), "", 1, 1000, 1000);
  expect_calls(json_object_get(report, "launches_unrecorded"), NULL, 1, 2000, 2000);
  expect_calls(json_object_get(report, "launches_total"), NULL, 5, 10000, 2000);
  expect_calls(json_array_get(json_object_get(report, "fences"), 0), "join", 1, 50000, 50000);
  expect_calls(json_object_get(report, "fences_total"), NULL, 1, 50000, 50000);
  expect_calls(json_object_get(report, "fences_unrecorded"), NULL, 0, 0, 0);
  const json_t *copies = json_object_get(report, "copies");
  ck_assert_int_eq(integer(json_object_get(copies, "to_device"), "bytes"), 128);
  ck_assert(json_is_false(json_object_get(json_object_get(copies, "to_device"), "saturated")));
  ck_assert_int_eq(integer(json_object_get(copies, "to_host"), "count"), 2);
  ck_assert(json_is_true(json_object_get(json_object_get(copies, "to_host"), "saturated")));
  ck_assert_int_eq(integer(json_object_get(copies, "on_device"), "count"), 0);
  ck_assert_int_eq(integer(json_object_get(copies, "mapped"), "count"), 0);
  ck_assert_int_eq(integer(report, "call_mismatches"), 0);
  const json_t *pool = json_object_get(report, "device_memory");
  ck_assert_int_eq(integer(pool, "allocations"), 3);
  ck_assert_int_eq(integer(pool, "reuses"), 40);
  ck_assert_int_eq(integer(pool, "used_bytes"), 4096);
  ck_assert_int_eq(integer(pool, "spare_bytes"), 1024);
  ck_assert_int_eq(integer(pool, "peak_bytes"), 8192);
  json_decref(report);
  report = parsed(counters, NULL);
  ck_assert(json_is_null(json_object_get(report, "device_memory")));
  json_decref(report);
  tac_device_counters_destroy(&counters);
}
END_TEST

START_TEST(members_are_the_object_after_its_schema) {
  static struct test_sink members;
  struct tac_device_counters *counters = filled(NULL);
  sink = members = (struct test_sink){.limit = sizeof sink.text};
  ck_assert_int_eq(test_sink_take(&members, "{\"schema\":1,", 12), 0);
  ck_assert_int_eq(tac_device_report_json_members(counters, &memory, test_sink_take, &members, NULL), TAC_STATUS_OK);
  ck_assert_int_eq(test_sink_take(&members, "}", 1), 0);
  ck_assert_int_eq(tac_device_report_json(counters, &memory, test_sink_take, &sink, NULL), TAC_STATUS_OK);
  ck_assert_str_eq(members.text, sink.text);
  tac_device_counters_destroy(&counters);
}
END_TEST

/* Labels without calls, which a fence in progress or a merge leaves, are not told. */
START_TEST(labels_without_calls_are_left_out) {
  struct tac_device_counters *counters = create(3, NULL);
  uint64_t handle;
  tac_device_counters_fence_begin(counters, "waiting", &handle);
  json_t *report = parsed(counters, NULL);
  ck_assert_uint_eq(json_array_size(json_object_get(report, "fences")), 0);
  json_decref(report);
  tac_device_counters_destroy(&counters);
}
END_TEST

typedef enum tac_status (*report_fn)(const struct tac_device_counters *counters, const struct tac_device_memory_stats *stats,
                                     tac_sink_fn take, void *context, struct tac_error *error);

START_TEST(what_a_report_cannot_do_it_says) {
  const report_fn reports[] = {tac_device_report_text, tac_device_report_json};
  struct counting counting = COUNTING_INIT;
  const struct tac_allocator allocator = COUNTING_ALLOCATOR(&counting);
  struct tac_device_counters *counters = filled(&allocator);
  struct tac_error error;
  for (size_t i = 0; i < 2; i++) {
    for (size_t limit = 0; limit < 800; limit += 47) {
      sink = (struct test_sink){.limit = limit};
      ck_assert_int_eq(reports[i](counters, &memory, test_sink_take, &sink, &error), TAC_STATUS_IO);
      ck_assert_uint_eq(sink.pieces_after_refusal, 0);
    }
    enum tac_status status = TAC_STATUS_MEMORY;
    size_t left = 0;
    for (; status == TAC_STATUS_MEMORY; left++) {
      ck_assert_uint_lt(left, 100);
      counting.left = left;
      sink = (struct test_sink){.limit = sizeof sink.text};
      status = reports[i](counters, &memory, test_sink_take, &sink, &error);
    }
    ck_assert_uint_ge(left, 3);
    ck_assert_int_eq(status, TAC_STATUS_OK);
    counting.left = SIZE_MAX;
    ck_assert_int_eq(reports[i](NULL, &memory, test_sink_take, &sink, &error), TAC_STATUS_INVALID);
    ck_assert_int_eq(reports[i](counters, &memory, NULL, NULL, &error), TAC_STATUS_INVALID);
  }
  tac_device_counters_destroy(&counters);
  ck_assert_uint_eq(counting.allocated, counting.released);
}
END_TEST

int main(void) {
  const TTest *const tests[] = {text_is_sorted_by_host_time,       empty_counters_report_zeros,
                                json_has_the_same_numbers,         members_are_the_object_after_its_schema,
                                labels_without_calls_are_left_out, what_a_report_cannot_do_it_says};
  return RUN_SUITE("device_report", tests);
}
