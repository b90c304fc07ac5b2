/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <tactus/measure/device_counters.h>

#include <stdio.h>

#include "tests/support/driven_clock.h"
#include "tests/unit/counting_allocator.h"
#include "tests/unit/suite.h"

static const enum tac_device_call_kind LAUNCHES = TAC_DEVICE_LAUNCHES, FENCES = TAC_DEVICE_FENCES;

static struct driven_clock driven;

static struct tac_device_counters *create(size_t label_limit, const struct tac_allocator *allocator) {
  struct tac_device_counters_options options;
  struct tac_device_counters *counters;
  tac_device_counters_options_init(&options);
  driven_clock_init(&driven, 1000, 0);
  options.clock = &driven.clock;
  options.allocator = allocator;
  options.label_limit = label_limit;
  ck_assert_int_eq(tac_device_counters_create(&counters, &options, NULL), TAC_STATUS_OK);
  return counters;
}

static uint64_t begin_launch(struct tac_device_counters *counters, const char *label) {
  uint64_t handle = 77;
  tac_device_counters_launch_begin(counters, label, &handle);
  return handle;
}

static uint64_t begin_fence(struct tac_device_counters *counters, const char *label) {
  uint64_t handle = 77;
  tac_device_counters_fence_begin(counters, label, &handle);
  return handle;
}

static uint64_t launch(struct tac_device_counters *counters, const char *label, int64_t duration_ns) {
  const uint64_t handle = begin_launch(counters, label);
  driven_clock_advance(&driven, duration_ns);
  tac_device_counters_launch_end(counters, handle);
  return handle;
}

static void fence(struct tac_device_counters *counters, const char *label, int64_t duration_ns) {
  const uint64_t handle = begin_fence(counters, label);
  ck_assert_uint_eq(handle, 0);
  driven_clock_advance(&driven, duration_ns);
  tac_device_counters_fence_end(counters, handle);
}

static void expect_calls(struct tac_device_calls calls, uint64_t count, uint64_t timed, int64_t total_ns, int64_t min_ns,
                         int64_t max_ns) {
  ck_assert_uint_eq(calls.count, count);
  ck_assert_uint_eq(calls.timed, timed);
  ck_assert_int_eq(calls.total_ns, total_ns);
  ck_assert_int_eq(calls.min_ns, min_ns);
  ck_assert_int_eq(calls.max_ns, max_ns);
}

static void expect_label(const struct tac_device_counters *counters, enum tac_device_call_kind kind, const char *label,
                         uint64_t count, int64_t total_ns) {
  const struct tac_device_calls calls = tac_device_counters_find(counters, kind, label);
  ck_assert_str_eq(calls.label, label);
  ck_assert_uint_eq(calls.count, count);
  ck_assert_int_eq(calls.total_ns, total_ns);
}

START_TEST(launches_count_with_their_times_by_label) {
  struct tac_device_counters *counters = create(10, NULL);
  ck_assert_uint_eq(launch(counters, "gemm", 4), 0);
  ck_assert_uint_eq(launch(counters, "scatter", 5), 1);
  ck_assert_uint_eq(launch(counters, "gemm", 8), 0);
  ck_assert_uint_eq(launch(counters, "gemm", 6), 0);
  ck_assert_uint_eq(tac_device_counters_labels(counters, LAUNCHES), 2);
  expect_calls(tac_device_counters_at(counters, LAUNCHES, 0), 3, 3, 18, 4, 8);
  expect_calls(tac_device_counters_at(counters, LAUNCHES, 1), 1, 1, 5, 5, 5);
  expect_calls(tac_device_counters_total(counters, LAUNCHES), 4, 4, 23, 4, 8);
  ck_assert_str_eq(tac_device_counters_at(counters, LAUNCHES, 1).label, "scatter");
  ck_assert_ptr_null(tac_device_counters_total(counters, LAUNCHES).label);
  ck_assert_uint_eq(tac_device_counters_labels(counters, FENCES), 0);
  ck_assert_uint_eq(tac_device_counters_mismatches(counters), 0);
  tac_device_counters_destroy(&counters);
  ck_assert_ptr_null(counters);
  tac_device_counters_destroy(&counters);
  tac_device_counters_destroy(NULL);
}
END_TEST

START_TEST(a_begin_counts_and_its_end_adds_the_time) {
  struct tac_device_counters *counters = create(10, NULL);
  const uint64_t handle = begin_launch(counters, "gemm");
  expect_calls(tac_device_counters_at(counters, LAUNCHES, 0), 1, 0, 0, 0, 0);
  driven_clock_advance(&driven, 9);
  ck_assert_int_eq(driven.reads, 1);
  tac_device_counters_launch_end(counters, handle);
  ck_assert_int_eq(driven.reads, 2);
  expect_calls(tac_device_counters_at(counters, LAUNCHES, 0), 1, 1, 9, 9, 9);
  tac_device_counters_destroy(&counters);
}
END_TEST

START_TEST(fences_count_when_they_end) {
  struct tac_device_counters *counters = create(10, NULL);
  launch(counters, "finish", 1);
  const uint64_t handle = begin_fence(counters, "finish");
  ck_assert_uint_eq(handle, 0);
  expect_calls(tac_device_counters_total(counters, FENCES), 0, 0, 0, 0, 0);
  driven_clock_advance(&driven, 7);
  tac_device_counters_fence_end(counters, handle);
  expect_label(counters, FENCES, "finish", 1, 7);
  fence(counters, "read", 3);
  fence(counters, "finish", 2);
  expect_calls(tac_device_counters_find(counters, FENCES, "finish"), 2, 2, 9, 2, 7);
  expect_calls(tac_device_counters_total(counters, FENCES), 3, 3, 12, 2, 7);
  expect_label(counters, LAUNCHES, "finish", 1, 1);
  tac_device_counters_destroy(&counters);
}
END_TEST

/* A launch within a fence within a launch, ended in the order in which they began: each kind has its own order. */
START_TEST(launches_and_fences_do_not_mind_each_other) {
  struct tac_device_counters *counters = create(10, NULL);
  const uint64_t outer = begin_launch(counters, "outer");
  driven_clock_advance(&driven, 1);
  const uint64_t around = begin_fence(counters, "around");
  driven_clock_advance(&driven, 10);
  const uint64_t inner = begin_launch(counters, "inner");
  driven_clock_advance(&driven, 100);
  tac_device_counters_fence_end(counters, around);
  tac_device_counters_launch_end(counters, inner);
  driven_clock_advance(&driven, 1000);
  tac_device_counters_launch_end(counters, outer);
  expect_label(counters, LAUNCHES, "outer", 1, 1111);
  expect_label(counters, LAUNCHES, "inner", 1, 100);
  expect_label(counters, FENCES, "around", 1, 110);
  ck_assert_uint_eq(tac_device_counters_mismatches(counters), 0);
  tac_device_counters_destroy(&counters);
}
END_TEST

/* The end of the unknown handle ends "b", so that the next one finds "a". */
START_TEST(an_end_with_an_unknown_handle_consumes_its_start) {
  struct tac_device_counters *counters = create(10, NULL);
  const uint64_t a = begin_launch(counters, "a");
  driven_clock_advance(&driven, 1);
  begin_launch(counters, "b");
  driven_clock_advance(&driven, 10);
  tac_device_counters_launch_end(counters, 12345);
  ck_assert_uint_eq(tac_device_counters_mismatches(counters), 1);
  driven_clock_advance(&driven, 100);
  tac_device_counters_launch_end(counters, a);
  ck_assert_uint_eq(tac_device_counters_mismatches(counters), 1);
  expect_calls(tac_device_counters_find(counters, LAUNCHES, "a"), 1, 1, 111, 111, 111);
  expect_calls(tac_device_counters_find(counters, LAUNCHES, "b"), 1, 0, 0, 0, 0);
  begin_fence(counters, "f");
  begin_fence(counters, "g");
  tac_device_counters_fence_end(counters, 1);
  tac_device_counters_fence_end(counters, 0);
  ck_assert_uint_eq(tac_device_counters_mismatches(counters), 2);
  expect_label(counters, FENCES, "f", 1, 0);
  expect_label(counters, FENCES, "g", 0, 0);
  tac_device_counters_destroy(&counters);
}
END_TEST

START_TEST(an_end_of_another_launch_adds_to_neither) {
  struct tac_device_counters *counters = create(10, NULL);
  const uint64_t a = begin_launch(counters, "a");
  const uint64_t b = begin_launch(counters, "b");
  driven_clock_advance(&driven, 5);
  tac_device_counters_launch_end(counters, a);
  tac_device_counters_launch_end(counters, b);
  ck_assert_uint_eq(tac_device_counters_mismatches(counters), 2);
  expect_calls(tac_device_counters_total(counters, LAUNCHES), 2, 0, 0, 0, 0);
  tac_device_counters_destroy(&counters);
}
END_TEST

START_TEST(ends_without_a_begin_are_mismatches) {
  struct tac_device_counters *counters = create(10, NULL);
  tac_device_counters_launch_end(counters, 0);
  tac_device_counters_fence_end(counters, 0);
  const uint64_t handle = launch(counters, "a", 3);
  tac_device_counters_launch_end(counters, handle);
  ck_assert_uint_eq(tac_device_counters_mismatches(counters), 3);
  expect_label(counters, LAUNCHES, "a", 1, 3);
  expect_calls(tac_device_counters_total(counters, FENCES), 0, 0, 0, 0, 0);
  tac_device_counters_destroy(&counters);
}
END_TEST

START_TEST(calls_nest_deeply) {
  enum { DEEP = 3000 };
  struct tac_device_counters *counters = create(10, NULL);
  static uint64_t handles[DEEP];
  for (int i = 0; i < DEEP; i++) {
    handles[i] = begin_launch(counters, i % 2 ? "odd" : "even");
    begin_fence(counters, "fence");
    driven_clock_advance(&driven, 1);
  }
  for (int i = DEEP - 1; i >= 0; i--) {
    tac_device_counters_launch_end(counters, handles[i]);
    tac_device_counters_fence_end(counters, 0);
  }
  ck_assert_uint_eq(tac_device_counters_mismatches(counters), 0);
  /* The durations are 1, 2, … DEEP, the even ones of them those of "even", as DEEP is even. */
  expect_calls(tac_device_counters_find(counters, LAUNCHES, "even"), DEEP / 2, DEEP / 2, DEEP / 2 * (DEEP / 2 + 1), 2, DEEP);
  expect_calls(tac_device_counters_find(counters, LAUNCHES, "odd"), DEEP / 2, DEEP / 2, DEEP / 2 * (DEEP / 2), 1, DEEP - 1);
  expect_calls(tac_device_counters_total(counters, FENCES), DEEP, DEEP, DEEP * (DEEP + 1) / 2, 1, DEEP);
  tac_device_counters_destroy(&counters);
}
END_TEST

START_TEST(many_labels_are_told_apart) {
  enum { MANY = 4000 };
  char label[32];
  struct tac_device_counters *counters = create(MANY, NULL);
  for (int round = 1; round <= 2; round++)
    for (int i = 0; i < MANY; i++) {
      snprintf(label, sizeof label, "kernel<%d>", i);
      ck_assert_uint_eq(launch(counters, label, i), (uint64_t)i);
    }
  ck_assert_uint_eq(tac_device_counters_labels(counters, LAUNCHES), MANY);
  for (int i = 0; i < MANY; i++)
    expect_calls(tac_device_counters_at(counters, LAUNCHES, (size_t)i), 2, 2, 2 * i, i, i);
  tac_device_counters_destroy(&counters);
}
END_TEST

START_TEST(labels_are_copied_and_may_be_missing) {
  struct tac_device_counters *counters = create(10, NULL);
  char label[] = "gemm \"a\\b\"\n\xff";
  launch(counters, label, 1);
  label[0] = 'x';
  launch(counters, NULL, 2);
  launch(counters, "", 4);
  ck_assert_str_eq(tac_device_counters_at(counters, LAUNCHES, 0).label, "gemm \"a\\b\"\n\xff");
  expect_label(counters, LAUNCHES, "", 2, 6);
  tac_device_counters_destroy(&counters);
}
END_TEST

START_TEST(copies_count_by_direction) {
  struct tac_device_counters *counters = create(10, NULL);
  for (int direction = 0; direction < TAC_COPY_DIRECTIONS; direction++)
    for (int i = 0; i <= direction; i++)
      tac_device_counters_copy(counters, (enum tac_copy_direction)direction, 100 + (uint64_t)direction);
  for (int direction = 0; direction < TAC_COPY_DIRECTIONS; direction++) {
    const struct tac_device_copies copies = tac_device_counters_copies(counters, (enum tac_copy_direction)direction);
    ck_assert_uint_eq(copies.count, 1 + (uint64_t)direction);
    ck_assert_uint_eq(copies.bytes, (1 + (uint64_t)direction) * (100 + (uint64_t)direction));
    ck_assert_int_eq(copies.saturated, 0);
  }
  tac_device_counters_copy(counters, TAC_COPY_DIRECTIONS, 5);
  tac_device_counters_copy(counters, (enum tac_copy_direction) - 1, 5);
  ck_assert_uint_eq(tac_device_counters_mismatches(counters), 2);
  ck_assert_uint_eq(tac_device_counters_copies(counters, TAC_COPY_DIRECTIONS).count, 0);
  ck_assert_int_eq(driven.reads, 0);
  tac_device_counters_destroy(&counters);
}
END_TEST

START_TEST(byte_sums_saturate_with_a_flag) {
  struct tac_device_counters *counters = create(10, NULL), *sum = create(10, NULL);
  tac_device_counters_copy(counters, TAC_COPY_TO_HOST, UINT64_MAX - 10);
  tac_device_counters_copy(counters, TAC_COPY_TO_HOST, 10);
  ck_assert_uint_eq(tac_device_counters_copies(counters, TAC_COPY_TO_HOST).bytes, UINT64_MAX);
  ck_assert_int_eq(tac_device_counters_copies(counters, TAC_COPY_TO_HOST).saturated, 0);
  tac_device_counters_copy(counters, TAC_COPY_TO_HOST, 1);
  ck_assert_uint_eq(tac_device_counters_copies(counters, TAC_COPY_TO_HOST).bytes, UINT64_MAX);
  ck_assert_int_eq(tac_device_counters_copies(counters, TAC_COPY_TO_HOST).saturated, 1);
  ck_assert_uint_eq(tac_device_counters_copies(counters, TAC_COPY_TO_HOST).count, 3);
  ck_assert_int_eq(tac_device_counters_copies(counters, TAC_COPY_TO_DEVICE).saturated, 0);
  tac_device_counters_copy(sum, TAC_COPY_TO_DEVICE, 6);
  tac_device_counters_copy(counters, TAC_COPY_TO_DEVICE, UINT64_MAX - 5);
  ck_assert_int_eq(tac_device_counters_merge(sum, counters, NULL), TAC_STATUS_OK);
  ck_assert_int_eq(tac_device_counters_copies(sum, TAC_COPY_TO_DEVICE).saturated, 1);
  ck_assert_uint_eq(tac_device_counters_copies(sum, TAC_COPY_TO_DEVICE).bytes, UINT64_MAX);
  ck_assert_int_eq(tac_device_counters_copies(sum, TAC_COPY_TO_HOST).saturated, 1); /* the flag is merged, too */
  tac_device_counters_destroy(&counters);
  tac_device_counters_destroy(&sum);
}
END_TEST

START_TEST(labels_beyond_the_limit_are_unrecorded) {
  struct tac_device_counters *counters = create(2, NULL);
  launch(counters, "a", 1);
  launch(counters, "b", 2);
  const uint64_t c = begin_launch(counters, "c");
  driven_clock_advance(&driven, 4);
  launch(counters, "a", 8);
  tac_device_counters_launch_end(counters, c);
  expect_calls(tac_device_counters_unrecorded(counters, LAUNCHES), 1, 1, 12, 12, 12);
  expect_calls(tac_device_counters_total(counters, LAUNCHES), 4, 4, 23, 1, 12);
  expect_calls(tac_device_counters_find(counters, LAUNCHES, "c"), 0, 0, 0, 0, 0);
  for (int i = 0; i < 3; i++)
    fence(counters, i == 0 ? "f" : i == 1 ? "g" : "h", 10 * (i + 1));
  expect_calls(tac_device_counters_unrecorded(counters, FENCES), 1, 1, 30, 30, 30);
  expect_calls(tac_device_counters_total(counters, FENCES), 3, 3, 60, 10, 30);
  ck_assert_uint_eq(tac_device_counters_mismatches(counters), 0);
  tac_device_counters_destroy(&counters);
}
END_TEST

/* Ten launches in each other, and as many fences, for every point at which memory runs out: all are counted and none is a
 * mismatch; what has no memory for its label or its time goes without. */
START_TEST(without_memory_calls_count_all_the_same) {
  int without_label = 0, without_time = 0;
  for (size_t left = 1; left < 40; left++) {
    struct counting counting = COUNTING_INIT;
    const struct tac_allocator allocator = COUNTING_ALLOCATOR(&counting);
    char label[16];
    uint64_t handles[10];
    counting.left = left;
    struct tac_device_counters *counters = create(100, &allocator);
    for (int i = 0; i < 10; i++) {
      snprintf(label, sizeof label, "%d", i);
      handles[i] = begin_launch(counters, label);
      begin_fence(counters, label);
    }
    const size_t allocated = counting.allocated;
    counting.left = SIZE_MAX;
    for (int i = 9; i >= 0; i--) {
      tac_device_counters_launch_end(counters, handles[i]);
      tac_device_counters_fence_end(counters, 0);
    }
    tac_device_counters_copy(counters, TAC_COPY_ON_DEVICE, 1);
    ck_assert_uint_eq(counting.allocated, allocated);
    for (int kind = 0; kind < TAC_DEVICE_CALL_KINDS; kind++) {
      const struct tac_device_calls total = tac_device_counters_total(counters, (enum tac_device_call_kind)kind);
      ck_assert_uint_eq(total.count, 10);
      without_time += total.timed < 10;
      without_label += tac_device_counters_unrecorded(counters, (enum tac_device_call_kind)kind).count > 0;
    }
    ck_assert_uint_eq(tac_device_counters_mismatches(counters), 0);
    tac_device_counters_launch_end(counters, 0);
    ck_assert_uint_eq(tac_device_counters_mismatches(counters), 1); /* nothing was left open */
    tac_device_counters_destroy(&counters);
    ck_assert_uint_eq(counting.allocated, counting.released);
  }
  ck_assert_int_gt(without_label, 0);
  ck_assert_int_gt(without_time, 0);
}
END_TEST

START_TEST(a_reset_forgets_and_open_calls_count_nowhere) {
  struct tac_device_counters *counters = create(10, NULL);
  launch(counters, "a", 1);
  tac_device_counters_copy(counters, TAC_COPY_TO_HOST, UINT64_MAX);
  tac_device_counters_copy(counters, TAC_COPY_TO_HOST, 1);
  tac_device_counters_fence_end(counters, 0);
  const uint64_t b = begin_launch(counters, "b");
  begin_fence(counters, "f");
  tac_device_counters_reset(counters);
  ck_assert_uint_eq(tac_device_counters_labels(counters, LAUNCHES), 0);
  ck_assert_uint_eq(tac_device_counters_mismatches(counters), 0);
  ck_assert_uint_eq(tac_device_counters_copies(counters, TAC_COPY_TO_HOST).count, 0);
  ck_assert_int_eq(tac_device_counters_copies(counters, TAC_COPY_TO_HOST).saturated, 0);
  ck_assert_uint_eq(launch(counters, "c", 5), 0);
  ck_assert_uint_eq(launch(counters, "d", 6), 1); /* has the number that "b" had */
  driven_clock_advance(&driven, 50);
  tac_device_counters_launch_end(counters, b);
  tac_device_counters_fence_end(counters, 0);
  ck_assert_uint_eq(tac_device_counters_mismatches(counters), 0);
  expect_calls(tac_device_counters_total(counters, LAUNCHES), 2, 2, 11, 5, 6);
  expect_calls(tac_device_counters_total(counters, FENCES), 0, 0, 0, 0, 0);
  tac_device_counters_destroy(&counters);
}
END_TEST

START_TEST(a_merge_adds_label_by_label) {
  struct tac_device_counters *sum = create(10, NULL), *more = create(10, NULL);
  launch(sum, "a", 10);
  launch(more, "b", 3);
  launch(more, "a", 2);
  launch(more, "a", 30);
  fence(more, "f", 7);
  tac_device_counters_copy(sum, TAC_COPY_ON_DEVICE, 5);
  tac_device_counters_copy(more, TAC_COPY_ON_DEVICE, 6);
  tac_device_counters_fence_end(more, 0);
  begin_launch(more, "open");
  ck_assert_int_eq(tac_device_counters_merge(sum, more, NULL), TAC_STATUS_OK);
  expect_calls(tac_device_counters_find(sum, LAUNCHES, "a"), 3, 3, 42, 2, 30);
  expect_calls(tac_device_counters_find(sum, LAUNCHES, "b"), 1, 1, 3, 3, 3);
  expect_calls(tac_device_counters_find(sum, LAUNCHES, "open"), 1, 0, 0, 0, 0);
  expect_calls(tac_device_counters_find(sum, FENCES, "f"), 1, 1, 7, 7, 7);
  ck_assert_uint_eq(tac_device_counters_copies(sum, TAC_COPY_ON_DEVICE).bytes, 11);
  ck_assert_uint_eq(tac_device_counters_copies(sum, TAC_COPY_ON_DEVICE).count, 2);
  ck_assert_uint_eq(tac_device_counters_mismatches(sum), 1);
  tac_device_counters_launch_end(sum, 0);
  ck_assert_uint_eq(tac_device_counters_mismatches(sum), 2); /* what is open was not merged */
  ck_assert_int_eq(tac_device_counters_merge(sum, sum, NULL), TAC_STATUS_INVALID);
  ck_assert_int_eq(tac_device_counters_merge(sum, NULL, NULL), TAC_STATUS_INVALID);
  ck_assert_int_eq(tac_device_counters_merge(NULL, more, NULL), TAC_STATUS_INVALID);
  tac_device_counters_destroy(&sum);
  tac_device_counters_destroy(&more);
}
END_TEST

START_TEST(a_merge_without_room_is_unrecorded) {
  struct tac_device_counters *sum = create(1, NULL), *more = create(10, NULL);
  launch(sum, "a", 10);
  launch(more, "b", 3);
  launch(more, "c", 4);
  fence(more, "f", 7);
  ck_assert_int_eq(tac_device_counters_merge(sum, more, NULL), TAC_STATUS_OK);
  expect_calls(tac_device_counters_unrecorded(sum, LAUNCHES), 2, 2, 7, 3, 4);
  expect_label(sum, LAUNCHES, "a", 1, 10);
  expect_label(sum, FENCES, "f", 1, 7);
  tac_device_counters_destroy(&sum);
  tac_device_counters_destroy(&more);
}
END_TEST

START_TEST(what_is_not_there_is_zeros) {
  struct tac_device_counters *counters = create(10, NULL);
  expect_calls(tac_device_counters_at(counters, LAUNCHES, 0), 0, 0, 0, 0, 0);
  expect_calls(tac_device_counters_at(counters, TAC_DEVICE_CALL_KINDS, 0), 0, 0, 0, 0, 0);
  expect_label(counters, TAC_DEVICE_CALL_KINDS, "x", 0, 0);
  ck_assert_ptr_null(tac_device_counters_find(counters, LAUNCHES, NULL).label);
  expect_calls(tac_device_counters_total(counters, TAC_DEVICE_CALL_KINDS), 0, 0, 0, 0, 0);
  ck_assert_uint_eq(tac_device_counters_labels(counters, TAC_DEVICE_CALL_KINDS), 0);
  tac_device_counters_destroy(&counters);
}
END_TEST

START_TEST(wrong_options_are_refused) {
  struct tac_device_counters_options options;
  struct tac_device_counters *counters;
  struct counting counting = COUNTING_INIT;
  const struct tac_allocator allocator = COUNTING_ALLOCATOR(&counting);
  struct tac_error error;
  tac_device_counters_options_init(&options);
  ck_assert_int_eq(tac_device_counters_create(NULL, &options, &error), TAC_STATUS_INVALID);
  options.size--;
  ck_assert_int_eq(tac_device_counters_create(&counters, &options, &error), TAC_STATUS_INVALID);
  ck_assert_ptr_null(counters);
  options.size++;
  options.allocator = &allocator;
  counting.left = 0;
  ck_assert_int_eq(tac_device_counters_create(&counters, &options, &error), TAC_STATUS_MEMORY);
  ck_assert_int_eq(error.status, TAC_STATUS_MEMORY);
  ck_assert_ptr_null(counters);
  ck_assert_int_eq(tac_device_counters_create(&counters, NULL, &error), TAC_STATUS_OK);
  tac_device_counters_destroy(&counters);
}
END_TEST

int main(void) {
  const TTest *const tests[] = {
      launches_count_with_their_times_by_label,
      a_begin_counts_and_its_end_adds_the_time,
      fences_count_when_they_end,
      launches_and_fences_do_not_mind_each_other,
      an_end_with_an_unknown_handle_consumes_its_start,
      an_end_of_another_launch_adds_to_neither,
      ends_without_a_begin_are_mismatches,
      calls_nest_deeply,
      many_labels_are_told_apart,
      labels_are_copied_and_may_be_missing,
      copies_count_by_direction,
      byte_sums_saturate_with_a_flag,
      labels_beyond_the_limit_are_unrecorded,
      without_memory_calls_count_all_the_same,
      a_reset_forgets_and_open_calls_count_nowhere,
      a_merge_adds_label_by_label,
      a_merge_without_room_is_unrecorded,
      what_is_not_there_is_zeros,
      wrong_options_are_refused,
  };
  return RUN_SUITE("device_counters", tests);
}
