/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
/* The pool of a device's memory, and the host's ways into it. */
#include <string.h>

#include <tactus/measure/device_counters.h>

#include "tests/unit/fake_scheduler.h"

enum { BYTES = 1000 };

/* The pool asks the driver again after its spare blocks went back, and refuses what the device does not have. */
START_TEST(the_pool_gives_way) {
  fake_reset();
  struct tac_scheduler *scheduler = scheduler_of(TAC_OFF, 1, 0);
  struct tac_device *device = tac_scheduler_device(scheduler);
  struct tac_device_memory *block[4] = {NULL}, *more = NULL;
  struct tac_error error = {0};
  for (int i = 0; i < 4; i++)
    expect_ok(tac_device_memory_take(&block[i], device, 256 << 10, &error), &error);
  ck_assert_int_eq(tac_device_memory_take(&more, device, 1, &error), TAC_STATUS_MEMORY);
  ck_assert_ptr_null(more);
  for (int i = 0; i < 4; i++)
    tac_device_memory_give(&block[i]);
  ck_assert_uint_eq(tac_device_memory_stats(device).spare_bytes, 1 << 20);
  expect_ok(tac_device_memory_take(&more, device, 512 << 10, &error), &error);
  ck_assert_uint_eq(tac_device_memory_stats(device).spare_bytes, 0);
  ck_assert_uint_eq(tac_device_memory_stats(device).peak_bytes, 1 << 20);
  tac_device_memory_give(&more);
  fake_fail(FAKE_ALLOCATE, calls(FAKE_ALLOCATE) + 1, 1, TAC_STATUS_MEMORY); /* the driver refuses once */
  tac_error_clear(&error);
  expect_ok(tac_device_memory_take(&more, device, 1000, &error), &error);
  ck_assert_int_eq(error.status, TAC_STATUS_OK);
  ck_assert_str_eq(error.text, "");
  tac_device_memory_give(&more);
  fake_fail(FAKE_ALLOCATE, calls(FAKE_ALLOCATE) + 1, 1, TAC_STATUS_DEVICE);
  ck_assert_int_eq(tac_device_memory_take(&more, device, 5000, &error), TAC_STATUS_DEVICE);
  ck_assert_int_eq(error.status, TAC_STATUS_DEVICE);
  ck_assert_ptr_nonnull(strstr(error.text, "fails"));
  tac_scheduler_destroy(&scheduler);
  ck_assert_int_eq(atomic_load(&fake_state.live), 0);
}
END_TEST

START_TEST(mappings_copy_where_memory_is_not_shared) {
  for (int shared = 0; shared < 2; shared++)
    for (int mode = TAC_MAP_READ; mode <= TAC_MAP_READ_WRITE; mode++) {
      fake_reset();
      fake_state.shares_memory = shared;
      struct tac_scheduler *scheduler = scheduler_of(TAC_COARSE, 1, 0);
      struct tac_queue *queue = tac_scheduler_queue(scheduler);
      struct tac_device_memory *memory;
      struct tac_device_counters *counters;
      struct tac_error error;
      unsigned char *mapped, out[BYTES];
      expect_ok(tac_device_memory_take(&memory, tac_scheduler_device(scheduler), BYTES, &error), &error);
      expect_ok(tac_queue_clear(queue, memory, 0, BYTES, &error), &error);
      void *pointer;
      expect_ok(tac_queue_map(queue, memory, 100, 50, (enum tac_map_mode)mode, &pointer, &error), &error);
      mapped = pointer;
      if (mode & TAC_MAP_READ)
        ck_assert_int_eq(mapped[49], 0);
      memset(mapped, 7, 50);
      expect_ok(tac_queue_unmap(queue, memory, &error), &error);
      expect_ok(tac_device_counters_create(&counters, NULL, &error), &error);
      expect_ok(tac_scheduler_take_device_counters(scheduler, counters, &error), &error);
      const uint64_t to_host = tac_device_counters_copies(counters, TAC_COPY_TO_HOST).bytes;
      const uint64_t to_device = tac_device_counters_copies(counters, TAC_COPY_TO_DEVICE).bytes;
      ck_assert_uint_eq(to_host, !shared && mode & TAC_MAP_READ ? 50 : 0);
      ck_assert_uint_eq(to_device, !shared && mode & TAC_MAP_WRITE ? 50 : 0);
      ck_assert_uint_eq(tac_device_counters_copies(counters, TAC_COPY_MAPPED).bytes, shared ? 50 : 0);
      ck_assert_uint_eq(tac_device_counters_total(counters, TAC_DEVICE_FENCES).count, 1);
      expect_ok(tac_queue_read(queue, memory, 0, out, BYTES, &error), &error);
      if (mode & TAC_MAP_WRITE)
        ck_assert(out[99] == 0 && out[100] == 7 && out[149] == 7 && out[150] == 0);
      tac_device_counters_destroy(&counters);
      tac_device_memory_give(&memory);
      tac_scheduler_destroy(&scheduler);
      ck_assert_int_eq(atomic_load(&fake_state.live), 0);
    }
}
END_TEST

/* Also at the very end of a block. */
START_TEST(a_mapping_of_nothing_copies_nothing) {
  for (int shared = 0; shared < 2; shared++)
    for (int mode = TAC_MAP_READ; mode <= TAC_MAP_READ_WRITE; mode++) {
      fake_reset();
      fake_state.shares_memory = shared;
      struct tac_scheduler *scheduler = scheduler_of(TAC_OFF, 1, 0);
      struct tac_queue *queue = tac_scheduler_queue(scheduler);
      struct tac_device_memory *memory;
      struct tac_error error;
      void *mapped;
      expect_ok(tac_device_memory_take(&memory, tac_scheduler_device(scheduler), BYTES, &error), &error);
      const size_t end = tac_device_memory_bytes(memory);
      expect_ok(tac_queue_map(queue, memory, end, 0, (enum tac_map_mode)mode, &mapped, &error), &error);
      ck_assert_ptr_nonnull(mapped);
      expect_ok(tac_queue_unmap(queue, memory, &error), &error);
      ck_assert_int_eq(calls(FAKE_READ) + calls(FAKE_WRITE), 0);
      tac_device_memory_give(&memory);
      tac_scheduler_destroy(&scheduler);
    }
}
END_TEST

/* Begun mappings wait with the next one; where memory is not shared only the bytes that come to the host are waited for. */
START_TEST(mappings_begun_are_no_fences) {
  for (int shared = 0; shared < 2; shared++) {
    fake_reset();
    fake_state.shares_memory = shared;
    struct tac_scheduler *scheduler = scheduler_of(TAC_COARSE, 1, 0);
    struct tac_queue *queue = tac_scheduler_queue(scheduler);
    struct tac_device_memory *memory[3];
    struct tac_device_counters *counters;
    struct tac_error error;
    void *mapped[3];
    for (int i = 0; i < 3; i++)
      expect_ok(tac_device_memory_take(&memory[i], tac_scheduler_device(scheduler), BYTES, &error), &error);
    expect_ok(tac_device_counters_create(&counters, NULL, &error), &error);
    expect_ok(tac_queue_map_begin(queue, memory[0], 0, BYTES, TAC_MAP_WRITE, &mapped[0], &error), &error);
    expect_ok(tac_queue_map_begin(queue, memory[1], 0, BYTES, TAC_MAP_READ, &mapped[1], &error), &error);
    expect_ok(tac_scheduler_take_device_counters(scheduler, counters, &error), &error);
    ck_assert_uint_eq(tac_device_counters_total(counters, TAC_DEVICE_FENCES).count, shared ? 0 : 1);
    expect_ok(tac_queue_map(queue, memory[2], 0, BYTES, TAC_MAP_WRITE, &mapped[2], &error), &error);
    expect_ok(tac_scheduler_take_device_counters(scheduler, counters, &error), &error);
    ck_assert_uint_eq(tac_device_counters_total(counters, TAC_DEVICE_FENCES).count, shared ? 1 : 2);
    for (int i = 0; i < 3; i++) {
      memset(mapped[i], 1, BYTES);
      expect_ok(tac_queue_unmap(queue, memory[i], &error), &error);
      tac_device_memory_give(&memory[i]);
    }
    tac_device_counters_destroy(&counters);
    tac_scheduler_destroy(&scheduler);
    ck_assert_int_eq(atomic_load(&fake_state.live), 0);
  }
}
END_TEST

int main(void) {
  const TTest *const tests[] = {the_pool_gives_way, mappings_copy_where_memory_is_not_shared,
                                a_mapping_of_nothing_copies_nothing, mappings_begun_are_no_fences};
  return RUN_SUITE("device_memory", tests);
}
