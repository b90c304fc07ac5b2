/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "measure/device_observer.h"

#include <pthread.h>

#include "tests/support/driven_clock.h"
#include "tests/unit/counting_allocator.h"
#include "tests/unit/suite.h"

enum { LANES = 4 };

static struct driven_clock driven;
static struct tac_device_observation *observation;
static const struct tac_device_observer *observer;
static void *context;
static struct tac_device_counters *counters;

static void start(void) {
  driven_clock_init(&driven, 0, 0);
  ck_assert_int_eq(tac_device_observation_create(&observation, LANES, NULL, &driven.clock, NULL), TAC_STATUS_OK);
  observer = tac_device_observation_observer();
  context = tac_device_observation_context(observation);
  ck_assert_int_eq(tac_device_counters_create(&counters, NULL, NULL), TAC_STATUS_OK);
}

static void stop(void) {
  tac_device_observation_destroy(&observation);
  ck_assert_ptr_null(observation);
  tac_device_counters_destroy(&counters);
}

static void launch(int lane, const char *label, int64_t duration_ns) {
  uint64_t handle = 9;
  observer->launch_begin(context, lane, label, &handle);
  driven_clock_advance(&driven, duration_ns);
  observer->launch_end(context, lane, handle);
}

static void fence(int lane, const char *label, int64_t duration_ns) {
  uint64_t handle = 9;
  observer->fence_begin(context, lane, label, &handle);
  ck_assert_uint_eq(handle, 0);
  driven_clock_advance(&driven, duration_ns);
  observer->fence_end(context, lane, handle);
}

static void take(void) {
  ck_assert_int_eq(tac_device_observation_take(observation, counters, NULL), TAC_STATUS_OK);
}

START_TEST(lanes_are_merged_and_emptied) {
  start();
  for (int lane = 0; lane < LANES; lane++) {
    for (int i = 0; i <= lane; i++)
      launch(lane, "gemm", 10);
    launch(lane, lane % 2 ? "odd" : "even", 1);
    fence(lane, "finish", 100);
    observer->copy(context, lane, TAC_COPY_TO_DEVICE, 8);
  }
  take();
  for (int round = 0; round < 2; round++) {
    ck_assert_uint_eq(tac_device_counters_find(counters, TAC_DEVICE_LAUNCHES, "gemm").count, 1 + 2 + 3 + 4);
    ck_assert_int_eq(tac_device_counters_find(counters, TAC_DEVICE_LAUNCHES, "gemm").total_ns, 100);
    ck_assert_uint_eq(tac_device_counters_find(counters, TAC_DEVICE_LAUNCHES, "odd").count, 2);
    ck_assert_uint_eq(tac_device_counters_find(counters, TAC_DEVICE_LAUNCHES, "even").count, 2);
    ck_assert_int_eq(tac_device_counters_find(counters, TAC_DEVICE_FENCES, "finish").total_ns, 400);
    ck_assert_uint_eq(tac_device_counters_copies(counters, TAC_COPY_TO_DEVICE).bytes, 32);
    ck_assert_uint_eq(tac_device_counters_mismatches(counters), 0);
    take(); /* nothing is left to be taken */
  }
  launch(2, "gemm", 5);
  take();
  ck_assert_uint_eq(tac_device_counters_find(counters, TAC_DEVICE_LAUNCHES, "gemm").count, 11);
  stop();
}
END_TEST

/* A vendor's call that waits: the fence is within the launch, and its time is the fence's alone. */
START_TEST(a_wait_within_a_launch_is_not_its_time) {
  uint64_t handle;
  start();
  observer->launch_begin(context, 0, "svd", &handle);
  driven_clock_advance(&driven, 5);
  fence(0, "svd", 1000);
  driven_clock_advance(&driven, 20);
  fence(0, "other", 300);
  observer->launch_end(context, 0, handle);
  fence(0, "svd", 4000);
  launch(0, "svd", 7);
  take();
  const struct tac_device_calls launches = tac_device_counters_find(counters, TAC_DEVICE_LAUNCHES, "svd");
  ck_assert_uint_eq(launches.count, 2);
  ck_assert_uint_eq(launches.timed, 2);
  ck_assert_int_eq(launches.max_ns, 25);
  ck_assert_int_eq(launches.min_ns, 7);
  ck_assert_int_eq(tac_device_counters_find(counters, TAC_DEVICE_FENCES, "svd").total_ns, 5000);
  ck_assert_int_eq(tac_device_counters_find(counters, TAC_DEVICE_FENCES, "other").total_ns, 300);
  ck_assert_uint_eq(tac_device_counters_mismatches(counters), 0);
  stop();
}
END_TEST

/* A launch on one lane within one on another: neither is the other's end. */
START_TEST(lanes_have_begins_of_their_own) {
  uint64_t first, second;
  start();
  observer->launch_begin(context, 0, "a", &first);
  driven_clock_advance(&driven, 1);
  observer->launch_begin(context, 1, "b", &second);
  driven_clock_advance(&driven, 10);
  observer->launch_end(context, 0, first);
  driven_clock_advance(&driven, 100);
  observer->launch_end(context, 1, second);
  take();
  ck_assert_int_eq(tac_device_counters_find(counters, TAC_DEVICE_LAUNCHES, "a").total_ns, 11);
  ck_assert_int_eq(tac_device_counters_find(counters, TAC_DEVICE_LAUNCHES, "b").total_ns, 110);
  ck_assert_uint_eq(tac_device_counters_mismatches(counters), 0);
  stop();
}
END_TEST

START_TEST(other_lanes_are_not_counted) {
  start();
  const int others[] = {-1, LANES, 1000};
  for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
    uint64_t handle = 5;
    observer->launch_begin(context, others[i], "a", &handle);
    ck_assert_uint_eq(handle, 0);
    observer->launch_end(context, others[i], handle);
    fence(others[i], "f", 1);
    observer->copy(context, others[i], TAC_COPY_TO_HOST, 1);
  }
  take();
  ck_assert_uint_eq(tac_device_counters_total(counters, TAC_DEVICE_LAUNCHES).count, 0);
  ck_assert_uint_eq(tac_device_counters_total(counters, TAC_DEVICE_FENCES).count, 0);
  ck_assert_uint_eq(tac_device_counters_copies(counters, TAC_COPY_TO_HOST).count, 0);
  ck_assert_int_eq(tac_device_observation_take(observation, NULL, NULL), TAC_STATUS_INVALID);
  stop();
}
END_TEST

static void *launch_on_lane(void *lane) {
  for (int i = 0; i < 2000; i++)
    launch(*(const int *)lane, i % 3 ? "a" : "b", 0);
  return NULL;
}

START_TEST(lanes_count_at_once) {
  pthread_t threads[LANES];
  int lanes[LANES];
  start();
  for (int lane = 0; lane < LANES; lane++) {
    lanes[lane] = lane;
    ck_assert_int_eq(pthread_create(&threads[lane], NULL, launch_on_lane, &lanes[lane]), 0);
  }
  for (int lane = 0; lane < LANES; lane++)
    ck_assert_int_eq(pthread_join(threads[lane], NULL), 0);
  take();
  ck_assert_uint_eq(tac_device_counters_find(counters, TAC_DEVICE_LAUNCHES, "b").count, LANES * 667);
  ck_assert_uint_eq(tac_device_counters_find(counters, TAC_DEVICE_LAUNCHES, "a").timed, LANES * 1333);
  stop();
}
END_TEST

START_TEST(creation_survives_every_refused_allocation) {
  for (size_t allowed = 0;; allowed++) {
    struct counting counting = COUNTING_INIT;
    counting.left = allowed;
    const struct tac_allocator allocator = COUNTING_ALLOCATOR(&counting);
    struct tac_error error;
    const enum tac_status status = tac_device_observation_create(&observation, LANES, &allocator, NULL, &error);
    ck_assert((status == TAC_STATUS_OK) == (observation != NULL));
    tac_device_observation_destroy(&observation);
    tac_device_observation_destroy(NULL);
    ck_assert_uint_eq(counting.allocated, counting.released);
    if (status == TAC_STATUS_OK)
      break;
    ck_assert_int_eq(error.status, TAC_STATUS_MEMORY);
  }
}
END_TEST

int main(void) {
  const TTest *const tests[] = {lanes_are_merged_and_emptied,
                                a_wait_within_a_launch_is_not_its_time,
                                lanes_have_begins_of_their_own,
                                other_lanes_are_not_counted,
                                lanes_count_at_once,
                                creation_survives_every_refused_allocation};
  return RUN_SUITE("device_observer", tests);
}
