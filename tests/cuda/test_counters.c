/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors
 *
 * What an observer is told of the dense libraries' calls is what the CUDA runtime saw: every copy, and every wait, as a fence
 * whose time is no launch's. */
#include <tactus/runtime/device_dense.h>

#include <stdlib.h>
#include <string.h>

#include "measure/device_observer.h"
#include "runtime/device/queue.h"
#include "tests/cuda/scene.h"
#include "tests/support/driven_clock.h"
#include "tests/unit/suite.h"

enum { ELEMENTS = 20000, DISPATCH_NS = 1, WAIT_NS = 1000 };

/* Tells the counters, on a clock that goes on by fixed steps; counts what the runtime was asked to wait for inside fences. */
static struct {
  struct driven_clock clock;
  struct tac_device_observation *counted;
  int launches_open, fences_open, waits_before, waits;
} told;

static int waits_seen(void) {
  return fake_calls("cudaStreamSynchronize");
}

static void launch_begin(void *context, int lane, const char *label, uint64_t *handle) {
  ck_assert_int_eq(told.launches_open++, 0);
  ck_assert_int_eq(told.fences_open, 0);
  tac_device_observation_observer()->launch_begin(context, lane, label, handle);
}

static void launch_end(void *context, int lane, uint64_t handle) {
  ck_assert_int_eq(--told.launches_open, 0);
  ck_assert_int_eq(told.fences_open, 0);
  driven_clock_advance(&told.clock, DISPATCH_NS);
  tac_device_observation_observer()->launch_end(context, lane, handle);
}

static void fence_begin(void *context, int lane, const char *label, uint64_t *handle) {
  ck_assert_int_eq(told.fences_open++, 0);
  told.waits_before = waits_seen();
  tac_device_observation_observer()->fence_begin(context, lane, label, handle);
}

static void fence_end(void *context, int lane, uint64_t handle) {
  ck_assert_int_eq(--told.fences_open, 0);
  told.waits += waits_seen() - told.waits_before;
  driven_clock_advance(&told.clock, WAIT_NS);
  tac_device_observation_observer()->fence_end(context, lane, handle);
}

static void copy(void *context, int lane, enum tac_copy_direction direction, uint64_t bytes) {
  tac_device_observation_observer()->copy(context, lane, direction, bytes);
}

static const struct tac_device_observer observer = {launch_begin, launch_end, fence_begin, fence_end, copy};

struct counted {
  struct tac_device *device;
  struct tac_queue *queue;
  struct tac_device_memory *memory[4];
  struct tac_device_counters *counters;
  double *values;
  struct tac_error error;
};

static void expect_ok(const struct counted *counted, enum tac_status status) {
  ck_assert_msg(status == TAC_STATUS_OK, "%s: %s", counted->error.where, counted->error.text);
}

static void open_counted(struct counted *counted) {
  driven_clock_init(&told.clock, 0, 0);
  expect_ok(counted, tac_device_observation_create(&told.counted, 1, NULL, &told.clock.clock, &counted->error));
  expect_ok(counted, tac_device_counters_create(&counted->counters, NULL, &counted->error));
  const struct tac_device_options options = {.timing = 1,
                                             .blas_handles = 1,
                                             .solver_handles = 1,
                                             .observer = &observer,
                                             .observer_context = tac_device_observation_context(told.counted)};
  expect_ok(counted, tac_device_open(&counted->device, &tac_backend_cuda_table, &options, &counted->error));
  expect_ok(counted, tac_queue_open(&counted->queue, counted->device, 0, 1, &counted->error));
  counted->values = malloc(ELEMENTS * sizeof(double));
  scene_random(counted->values, ELEMENTS);
  for (int k = 0; k < 4; k++) {
    expect_ok(counted,
              tac_device_memory_take(&counted->memory[k], counted->device, ELEMENTS * sizeof(double), &counted->error));
    expect_ok(counted, tac_queue_write(counted->queue, counted->memory[k], 0, counted->values, ELEMENTS * sizeof(double),
                                       &counted->error));
  }
}

static void close_counted(struct counted *counted) {
  for (int k = 0; k < 4; k++)
    tac_device_memory_give(&counted->memory[k]);
  tac_queue_close(&counted->queue);
  tac_device_close(&counted->device);
  tac_device_observation_destroy(&told.counted);
  tac_device_counters_destroy(&counted->counters);
  free(counted->values);
  ck_assert_int_eq(fake_live_in_all(), 0);
}

static void expect_copies(const struct counted *counted, enum tac_copy_direction direction, enum cudaMemcpyKind kind) {
  const struct tac_device_copies copies = tac_device_counters_copies(counted->counters, direction);
  const struct fake_copies seen = fake_copies(kind);
  ck_assert_uint_eq(copies.count, seen.count);
  ck_assert_uint_eq(copies.bytes, seen.bytes);
}

/* All that was told since the start is all that the runtime saw. */
static void expect_all_told(struct counted *counted) {
  expect_ok(counted, tac_device_observation_take(told.counted, counted->counters, &counted->error));
  expect_copies(counted, TAC_COPY_TO_DEVICE, cudaMemcpyHostToDevice);
  expect_copies(counted, TAC_COPY_TO_HOST, cudaMemcpyDeviceToHost);
  expect_copies(counted, TAC_COPY_ON_DEVICE, cudaMemcpyDeviceToDevice);
  ck_assert_int_eq(told.waits, waits_seen());
  const struct tac_device_calls launches = tac_device_counters_total(counted->counters, TAC_DEVICE_LAUNCHES);
  const struct tac_device_calls fences = tac_device_counters_total(counted->counters, TAC_DEVICE_FENCES);
  ck_assert_uint_eq(launches.timed, launches.count);
  ck_assert_int_eq(launches.total_ns, (int64_t)launches.count * DISPATCH_NS);
  ck_assert_int_eq(fences.total_ns, (int64_t)fences.count * WAIT_NS);
  ck_assert_uint_eq(tac_device_counters_mismatches(counted->counters), 0);
}

static uint64_t calls_of(const struct counted *counted, enum tac_device_call_kind kind, const char *label) {
  return tac_device_counters_find(counted->counters, kind, label).count;
}

/* Products of two shapes, whose addresses are sent, one of them continued. */
START_TEST(products_tell_what_they_send) {
  static const struct tac_device_product products[] = {
      {.m = 3, .n = 4, .k = 5, .op_a = 'N', .op_b = 'N', .lda = 3, .ldb = 5, .ldc = 3},
      {.m = 3, .n = 4, .k = 2, .op_a = 'N', .op_b = 'N', .lda = 3, .ldb = 2, .ldc = 3, .a = 30, .b = 40, .continues = 1},
      {.m = 2, .n = 2, .k = 2, .op_a = 'C', .op_b = 'N', .lda = 2, .ldb = 2, .ldc = 2, .a = 60, .b = 70, .c = 80},
      {.m = 2, .n = 2, .k = 9, .op_a = 'N', .op_b = 'N', .lda = 2, .ldb = 9, .ldc = 2, .a = 90, .b = 10, .c = 90}};
  struct counted counted = {0};
  struct tac_device_gemm *gemm;
  open_counted(&counted);
  const struct tac_device_array a = {counted.memory[0], 0}, b = {counted.memory[1], 1}, c = {counted.memory[2], 2};
  expect_ok(&counted, tac_device_gemm_create(&gemm, counted.device, TAC_DEVICE_REAL64, &counted.error));
  for (size_t turn = 0; turn < 3; turn++) {
    expect_ok(&counted, tac_device_gemm_plan(gemm, counted.queue, products, 4, &counted.error));
    for (size_t run = 0; run < turn; run++)
      expect_ok(&counted, tac_device_gemm_run(gemm, counted.queue, a, b, c, &counted.error));
  }
  tac_device_gemm_destroy(&gemm);
  expect_ok(&counted, tac_queue_read(counted.queue, counted.memory[2], 0, counted.values, 800, &counted.error));
  expect_all_told(&counted);
  ck_assert_uint_eq(tac_device_counters_copies(counted.counters, TAC_COPY_TO_DEVICE).count, 4 + 3); /* one a plan */
  ck_assert_uint_eq(calls_of(&counted, TAC_DEVICE_LAUNCHES, "gemm"), 6);
  ck_assert_uint_eq(calls_of(&counted, TAC_DEVICE_FENCES, "gemm"), 0);
  ck_assert_uint_eq(calls_of(&counted, TAC_DEVICE_FENCES, "descriptors"), 3);
  close_counted(&counted);
}
END_TEST

/* Small ones, which nobody waits for, and large ones, whose shifts are looked at and two of which are repeated. */
START_TEST(decompositions_tell_where_they_wait) {
  static const struct tac_device_svd_problem problems[] = {
      {.m = 5, .n = 3, .lda = 5, .ldu = 5, .ldv = 3},
      {.m = 40, .n = 35, .lda = 40, .ldu = 40, .ldv = 35, .a = 100, .u = 100, .s = 100, .v = 100},
      {.m = 35, .n = 40, .lda = 35, .ldu = 35, .ldv = 40, .a = 4000, .u = 4000, .s = 4000, .v = 4000}};
  struct counted counted = {0};
  struct tac_device_svd *svd;
  const struct tac_device_interval *intervals;
  size_t count, timed = 0;
  open_counted(&counted);
  struct tac_device_array at[4];
  for (int k = 0; k < 4; k++)
    at[k] = (struct tac_device_array){counted.memory[k], 0};
  expect_ok(&counted, tac_device_svd_create(&svd, counted.device, TAC_DEVICE_REAL64, &counted.error));
  for (size_t turn = 0; turn < 3; turn++) { /* small ones alone; no shift; shifts */
    fake_set_shift(turn == 2 ? 1e-10 : 0);
    expect_ok(&counted, tac_device_svd_plan(svd, counted.queue, problems, turn ? 3 : 1, &counted.error));
    expect_ok(&counted, tac_device_svd_run(svd, counted.queue, at[0], at[1], at[2], at[3], &counted.error));
    expect_ok(&counted, tac_device_svd_check(svd, counted.queue, &counted.error));
  }
  tac_device_svd_destroy(&svd);
  expect_ok(&counted, tac_queue_finish(counted.queue, NULL, &counted.error));
  expect_all_told(&counted);
  ck_assert_int_eq(fake_calls("cusolverDnDgesvdj"), 2);
  ck_assert_uint_eq(tac_device_counters_copies(counted.counters, TAC_COPY_TO_DEVICE).count, 4 + 3);
  ck_assert_uint_eq(tac_device_counters_copies(counted.counters, TAC_COPY_TO_HOST).count, 3 + 2); /* reports, largest values */
  ck_assert_uint_eq(calls_of(&counted, TAC_DEVICE_LAUNCHES, "svd"), 3);
  ck_assert_uint_eq(calls_of(&counted, TAC_DEVICE_FENCES, "svd"), 2);
  expect_ok(&counted, tac_queue_take_intervals(counted.queue, &intervals, &count, &counted.error));
  for (size_t k = 0; k < count; k++)
    timed += strcmp(intervals[k].label, "svd") == 0;
  ck_assert_uint_eq(timed, 3); /* one command a launch, its wait included or not */
  close_counted(&counted);
}
END_TEST

int main(void) {
  const TTest *const tests[] = {products_tell_what_they_send, decompositions_tell_where_they_wait};
  return RUN_SUITE("counters", tests);
}
