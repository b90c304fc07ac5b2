/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <tactus/measure/device_record.h>

#include <stdint.h>
#include <string.h>

#include "tests/unit/suite.h"

enum { NO_ITEM = -1 };

static struct tac_device_interval command(int lane, int item, int64_t start_ns, int64_t finish_ns) {
  return (struct tac_device_interval){.label = "k",
                                      .lane = lane,
                                      .item = item == NO_ITEM ? TAC_COMMAND_NO_ITEM : (size_t)item,
                                      .start_ns = start_ns,
                                      .finish_ns = finish_ns};
}

static struct tac_device_record compute(struct tac_device_slot *slots, size_t item_count,
                                        const struct tac_device_interval *intervals, size_t count) {
  struct tac_device_record record;
  const size_t bytes = tac_device_record_scratch(item_count, count);
  ck_assert_uint_gt(bytes, 0);
  void *scratch = malloc(bytes); /* of exactly that size: the sanitizer sees what is beyond */
  memset(&record, 0x55, sizeof record);
  tac_device_record_compute(&record, slots, item_count, intervals, count, scratch);
  free(scratch);
  return record;
}

static void expect_slot(const struct tac_device_slot *slot, int64_t start_ns, int64_t finish_ns, int64_t busy_ns,
                        uint64_t commands) {
  ck_assert_int_eq(slot->start_ns, start_ns);
  ck_assert_int_eq(slot->finish_ns, finish_ns);
  ck_assert_int_eq(slot->busy_ns, busy_ns);
  ck_assert_uint_eq(slot->commands, commands);
}

/* Two queues. Lane 0: item 0 writes 100-110, runs 110-150; item 2 runs 150-155 and 160-175. Lane 1: item 1 runs 120-180; item 4
 * runs 180-185. Item 3 submits nothing. */
static const struct tac_device_interval *replayed(size_t *count) {
  static struct tac_device_interval intervals[6];
  intervals[0] = command(0, 0, 100, 110);
  intervals[1] = command(0, 0, 110, 150);
  intervals[2] = command(0, 2, 150, 155);
  intervals[3] = command(0, 2, 160, 175);
  intervals[4] = command(1, 1, 120, 180);
  intervals[5] = command(1, 4, 180, 185);
  *count = 6;
  return intervals;
}

START_TEST(replayed_commands_give_hand_computed_values) {
  struct tac_device_slot slots[5];
  size_t count;
  const struct tac_device_interval *intervals = replayed(&count);
  const struct tac_device_record record = compute(slots, 5, intervals, count);
  ck_assert_uint_eq(record.commands, 6);
  ck_assert_uint_eq(record.items, 4);
  ck_assert_uint_eq(record.peak_overlap, 2);
  ck_assert_int_eq(record.begin_ns, 100);
  ck_assert_int_eq(record.wall_ns, 85);
  ck_assert_int_eq(record.total_ns, 10 + 40 + 5 + 15 + 60 + 5);
  ck_assert_int_eq(record.busy_ns, 85);
  ck_assert_int_eq(record.item_max_ns, 60);
  ck_assert_uint_eq(record.slowest_index, 1);
  expect_slot(&slots[0], 100, 150, 50, 2);
  expect_slot(&slots[1], 120, 180, 60, 1);
  expect_slot(&slots[2], 150, 175, 20, 2);
  expect_slot(&slots[3], 0, 0, 0, 0);
  expect_slot(&slots[4], 180, 185, 5, 1);
}
END_TEST

START_TEST(without_slots_the_sums_are_the_same) {
  size_t count;
  const struct tac_device_interval *intervals = replayed(&count);
  const struct tac_device_record record = compute(NULL, 0, intervals, count);
  ck_assert_uint_eq(record.commands, 6);
  ck_assert_int_eq(record.total_ns, 135);
  ck_assert_int_eq(record.busy_ns, 85);
  ck_assert_int_eq(record.wall_ns, 85);
  ck_assert_uint_eq(record.items + record.peak_overlap + (uint64_t)record.item_max_ns, 0);
}
END_TEST

START_TEST(the_order_of_the_commands_does_not_matter) {
  struct tac_device_slot slots[5], expected_slots[5];
  struct tac_device_interval reversed[6];
  size_t count;
  const struct tac_device_interval *intervals = replayed(&count);
  const struct tac_device_record expected = compute(expected_slots, 5, intervals, count);
  for (size_t i = 0; i < count; i++)
    reversed[i] = intervals[count - 1 - i];
  const struct tac_device_record record = compute(slots, 5, reversed, count);
  ck_assert_int_eq(memcmp(&record, &expected, sizeof record), 0);
  ck_assert_int_eq(memcmp(slots, expected_slots, sizeof slots), 0);
}
END_TEST

/* Several streams of one lane: an item's commands may overlap, and its busy time is no sum. */
START_TEST(overlapping_commands_of_an_item_count_once) {
  struct tac_device_slot slot;
  const struct tac_device_interval intervals[] = {command(0, 0, 10, 30), command(0, 0, 20, 25), command(0, 0, 25, 40),
                                                  command(0, 0, 50, 50)};
  const struct tac_device_record record = compute(&slot, 1, intervals, 4);
  expect_slot(&slot, 10, 50, 30, 4);
  ck_assert_int_eq(record.total_ns, 20 + 5 + 15);
  ck_assert_int_eq(record.busy_ns, 30);
  ck_assert_int_eq(record.wall_ns, 40);
  ck_assert_uint_eq(record.peak_overlap, 1);
}
END_TEST

START_TEST(items_of_zero_length_are_items) {
  struct tac_device_slot slots[3];
  const struct tac_device_interval intervals[] = {command(0, 0, 5, 5), command(0, 1, 5, 5), command(1, 2, 0, 9)};
  struct tac_device_record record = compute(slots, 3, intervals, 2);
  ck_assert_uint_eq(record.items, 2);
  ck_assert_uint_eq(record.peak_overlap, 1);
  ck_assert_int_eq(record.wall_ns + record.busy_ns + record.total_ns + record.item_max_ns, 0);
  ck_assert_uint_eq(record.slowest_index, 0);
  ck_assert_int_eq(record.begin_ns, 5);
  record = compute(slots, 3, intervals, 3);
  ck_assert_uint_eq(record.peak_overlap, 2);
  ck_assert_uint_eq(record.slowest_index, 2);
}
END_TEST

START_TEST(a_command_that_ends_before_it_starts_has_no_length) {
  struct tac_device_slot slot;
  const struct tac_device_interval intervals[] = {command(0, 0, 20, 10), command(0, 0, 30, 31)};
  const struct tac_device_record record = compute(&slot, 1, intervals, 2);
  expect_slot(&slot, 20, 31, 1, 2);
  ck_assert_int_eq(record.total_ns, 1);
  ck_assert_int_eq(record.busy_ns, 1);
  ck_assert_int_eq(record.wall_ns, 11);
}
END_TEST

START_TEST(commands_outside_of_items_count_for_the_batch_only) {
  struct tac_device_slot slots[2];
  const struct tac_device_interval intervals[] = {command(0, NO_ITEM, 0, 7), command(0, 1, 7, 9), command(1, 2, 20, 21)};
  const struct tac_device_record record = compute(slots, 2, intervals, 3);
  ck_assert_uint_eq(record.commands, 3);
  ck_assert_uint_eq(record.items, 1);
  ck_assert_int_eq(record.total_ns, 10);
  ck_assert_int_eq(record.item_max_ns, 2);
  ck_assert_uint_eq(record.slowest_index, 1);
  expect_slot(&slots[0], 0, 0, 0, 0);
}
END_TEST

START_TEST(no_commands_give_zeros) {
  static const struct tac_device_record zeros;
  struct tac_device_slot slots[2];
  memset(slots, 0x55, sizeof slots);
  struct tac_device_record record = compute(slots, 2, NULL, 0);
  ck_assert_int_eq(memcmp(&record, &zeros, sizeof record), 0);
  expect_slot(&slots[0], 0, 0, 0, 0);
  expect_slot(&slots[1], 0, 0, 0, 0);
  record = compute(NULL, 0, NULL, 0);
  ck_assert_int_eq(memcmp(&record, &zeros, sizeof record), 0);
  ck_assert_uint_eq(tac_device_record_scratch(1, SIZE_MAX / 16), 0);
  ck_assert_uint_eq(tac_device_record_scratch(SIZE_MAX, 1), 0);
}
END_TEST

int main(void) {
  const TTest *const tests[] = {
      replayed_commands_give_hand_computed_values,
      without_slots_the_sums_are_the_same,
      the_order_of_the_commands_does_not_matter,
      overlapping_commands_of_an_item_count_once,
      items_of_zero_length_are_items,
      a_command_that_ends_before_it_starts_has_no_length,
      commands_outside_of_items_count_for_the_batch_only,
      no_commands_give_zeros,
  };
  return RUN_SUITE("device_record", tests);
}
