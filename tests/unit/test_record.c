/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <tactus/measure/record.h>

#include <string.h>

#include "tests/unit/suite.h"

static struct tac_slot slot(uint64_t index, int64_t start_ns, int64_t finish_ns, uint64_t start, uint64_t finish) {
  return (struct tac_slot){.index = index,
                           .start_ns = start_ns,
                           .finish_ns = finish_ns,
                           .start_sequence = start,
                           .finish_sequence = finish,
                           .starts = start ? 1 : 0};
}

static struct tac_batch_record compute(const struct tac_slot *slots, size_t count, int64_t begin_ns, int64_t end_ns) {
  signed char scratch[64];
  struct tac_batch_record record = {.event = 3, .lanes = 2, .ran_inline = 1, .status = 8};
  ck_assert_uint_le(2 * count + 1, sizeof scratch);
  ck_assert_int_eq(tac_batch_record_compute(&record, slots, count, begin_ns, end_ns, scratch, NULL), TAC_STATUS_OK);
  return record;
}

/* Lane 0 runs items 0 (110-150) and 3 (150-190), lane 1 runs items 1 (120-160) and 2 (170-180); the batch lasts 100-200. */
START_TEST(hand_made_slots_give_hand_computed_values) {
  const struct tac_slot slots[] = {slot(0, 110, 150, 1, 3), slot(1, 120, 160, 2, 5), slot(2, 170, 180, 6, 7),
                                   slot(3, 150, 190, 4, 8)};
  const struct tac_batch_record record = compute(slots, 4, 100, 200);
  ck_assert_uint_eq(record.requested, 4);
  ck_assert_uint_eq(record.started, 4);
  ck_assert_uint_eq(record.completed, 4);
  ck_assert_uint_eq(record.peak_overlap, 2);
  ck_assert_int_eq(record.begin_ns, 100);
  ck_assert_int_eq(record.wall_ns, 100);
  ck_assert_int_eq(record.item_total_ns, 40 + 40 + 10 + 40);
  ck_assert_int_eq(record.item_max_ns, 40);
  ck_assert_uint_eq(record.slowest_index, 0); /* the first of three equally long ones */
  ck_assert_int_eq(record.first_start_delay_ns, 10);
  ck_assert_int_eq(record.start_spread_ns, 60);
  ck_assert_int_eq(record.finish_spread_ns, 40);
  ck_assert_int_eq(record.return_after_last_finish_ns, 10);
}
END_TEST

START_TEST(what_the_caller_knows_is_left_alone) {
  const struct tac_slot slots[] = {slot(0, 1, 2, 1, 2)};
  const struct tac_batch_record record = compute(slots, 1, 0, 3);
  ck_assert_int_eq(record.event, 3);
  ck_assert_int_eq(record.lanes, 2);
  ck_assert_int_eq(record.ran_inline, 1);
  ck_assert_int_eq(record.status, 8);
}
END_TEST

/* All times are equal: only the sequence tells that nothing overlapped, and in the second set that everything did. */
START_TEST(equal_times_do_not_decide_the_overlap) {
  const struct tac_slot one_by_one[] = {slot(0, 5, 5, 1, 2), slot(1, 5, 5, 3, 4), slot(2, 5, 5, 5, 6)};
  ck_assert_uint_eq(compute(one_by_one, 3, 5, 5).peak_overlap, 1);
  const struct tac_slot together[] = {slot(0, 5, 5, 1, 4), slot(1, 5, 5, 2, 5), slot(2, 5, 5, 3, 6)};
  const struct tac_batch_record record = compute(together, 3, 5, 5);
  ck_assert_uint_eq(record.peak_overlap, 3);
  ck_assert_int_eq(record.wall_ns, 0);
  ck_assert_int_eq(record.item_total_ns, 0);
  ck_assert_int_eq(record.item_max_ns, 0);
  ck_assert_int_eq(record.start_spread_ns, 0);
  ck_assert_int_eq(record.finish_spread_ns, 0);
}
END_TEST

START_TEST(zero_duration_items_count_as_completed) {
  const struct tac_slot slots[] = {slot(0, 10, 10, 1, 2), slot(1, 20, 20, 3, 4)};
  const struct tac_batch_record record = compute(slots, 2, 0, 30);
  ck_assert_uint_eq(record.completed, 2);
  ck_assert_int_eq(record.item_total_ns, 0);
  ck_assert_int_eq(record.start_spread_ns, 10);
  ck_assert_int_eq(record.finish_spread_ns, 10);
  ck_assert_int_eq(record.return_after_last_finish_ns, 10);
}
END_TEST

START_TEST(items_that_did_not_start_do_not_count) {
  const struct tac_slot slots[] = {slot(0, 0, 0, 0, 0), slot(1, 12, 15, 1, 2), slot(2, 0, 0, 0, 0)};
  const struct tac_batch_record record = compute(slots, 3, 10, 20);
  ck_assert_uint_eq(record.requested, 3);
  ck_assert_uint_eq(record.started, 1);
  ck_assert_uint_eq(record.completed, 1);
  ck_assert_uint_eq(record.slowest_index, 1);
  ck_assert_int_eq(record.item_max_ns, 3);
  ck_assert_int_eq(record.first_start_delay_ns, 2);
  ck_assert_int_eq(record.start_spread_ns, 0);
}
END_TEST

START_TEST(an_item_that_did_not_finish_started_all_the_same) {
  const struct tac_slot slots[] = {slot(0, 1, 0, 1, 0), slot(1, 2, 4, 2, 3)};
  const struct tac_batch_record record = compute(slots, 2, 0, 5);
  ck_assert_uint_eq(record.started, 2);
  ck_assert_uint_eq(record.completed, 1);
  ck_assert_uint_eq(record.peak_overlap, 2);
  ck_assert_int_eq(record.item_total_ns, 2);
  ck_assert_int_eq(record.start_spread_ns, 1);
}
END_TEST

START_TEST(no_items_give_zeros) {
  const struct tac_batch_record record = compute(NULL, 0, 100, 107);
  ck_assert_int_eq(record.begin_ns, 100);
  ck_assert_int_eq(record.wall_ns, 0);
  ck_assert_uint_eq(record.requested + record.started + record.completed + record.peak_overlap, 0);
  ck_assert_int_eq(record.item_total_ns, 0);
  ck_assert_int_eq(record.first_start_delay_ns, 0);
  ck_assert_int_eq(record.return_after_last_finish_ns, 0);
}
END_TEST

/* The second start of index 1 took the numbers beyond two an item; the record is complete all the same. */
START_TEST(a_double_start_is_reported) {
  struct tac_slot slots[] = {slot(0, 1, 2, 1, 2), slot(1, 5, 6, 5, 6)};
  slots[1].starts = 2;
  signed char scratch[5];
  struct tac_batch_record record = {0};
  struct tac_error error;
  ck_assert_int_eq(tac_batch_record_compute(&record, slots, 2, 0, 9, scratch, &error), TAC_STATUS_CONTRACT);
  ck_assert_uint_eq(error.item, 1);
  ck_assert_ptr_nonnull(strstr(error.text, "item 1 was started 2 times"));
  ck_assert_uint_eq(record.started, 2);
  ck_assert_uint_eq(record.completed, 2);
  ck_assert_int_eq(record.wall_ns, 9);
}
END_TEST

START_TEST(mean_of_nothing_is_zero) {
  ck_assert(tac_event_stats_mean_ns(&(struct tac_event_stats){0}) == 0);
  ck_assert(tac_event_stats_mean_ns(&(struct tac_event_stats){.count = 4, .total_ns = 18}) == 4.5);
}
END_TEST

START_TEST(idle_share_is_what_items_left_of_the_lanes) {
  ck_assert(tac_batch_summary_idle_share(&(struct tac_batch_summary){0}) == 0);
  ck_assert(tac_batch_summary_idle_share(&(struct tac_batch_summary){.lane_wall_ns = 200, .item_total_ns = 150}) == 0.25);
  ck_assert(tac_batch_summary_idle_share(&(struct tac_batch_summary){.lane_wall_ns = 200, .item_total_ns = 200}) == 0);
}
END_TEST

int main(void) {
  const TTest *const tests[] = {
      hand_made_slots_give_hand_computed_values,
      what_the_caller_knows_is_left_alone,
      equal_times_do_not_decide_the_overlap,
      zero_duration_items_count_as_completed,
      items_that_did_not_start_do_not_count,
      an_item_that_did_not_finish_started_all_the_same,
      no_items_give_zeros,
      a_double_start_is_reported,
      mean_of_nothing_is_zero,
      idle_share_is_what_items_left_of_the_lanes,
  };
  return RUN_SUITE("record", tests);
}
