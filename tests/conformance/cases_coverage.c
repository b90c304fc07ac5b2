/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "tests/conformance/subject.h"

#include <sched.h>

/* Counts around the number of lanes, a prime, and a million. */
static size_t count_number(int which) {
  const size_t lanes = (size_t)tac_subject.lanes;
  const size_t counts[] = {0, 1, lanes - 1, lanes, lanes + 1, 2 * lanes, 64 * lanes + 1, 10007, 1000000};
  return counts[which];
}
enum { COUNTS = 9 };

START_TEST(each_index_runs_once) {
  struct subject subject;
  tac_subject_open(&subject, NULL);
  for (int which = 0; which < COUNTS; which++) {
    struct counts counts;
    tac_counts_open(&counts, count_number(which));
    ck_assert_int_eq(
        tac_subject_run(&subject, (struct tac_batch){.count = counts.count, .item = tac_count_item, .context = &counts}),
        TAC_STATUS_OK);
    tac_counts_expect(&counts, 1);
    tac_counts_close(&counts);
  }
  tac_subject_close(&subject);
}
END_TEST

START_TEST(each_index_runs_once_at_any_grain) {
  const size_t grains[] = {1, 2, 7, 1000, (size_t)-1 / 2 + 1, (size_t)-1};
  struct subject subject;
  tac_subject_open(&subject, NULL);
  for (size_t g = 0; g < sizeof grains / sizeof *grains; g++)
    for (int which = 0; which < COUNTS - 1; which++) {
      struct counts counts;
      tac_counts_open(&counts, count_number(which));
      const struct tac_batch batch = {.count = counts.count, .item = tac_count_item, .context = &counts, .grain = grains[g]};
      ck_assert_int_eq(tac_subject_run(&subject, batch), TAC_STATUS_OK);
      tac_counts_expect(&counts, 1);
      tac_counts_close(&counts);
    }
  tac_subject_close(&subject);
}
END_TEST

START_TEST(no_items_need_no_item_function) {
  struct subject subject;
  tac_subject_open(&subject, NULL);
  ck_assert_int_eq(tac_subject_run(&subject, (struct tac_batch){.count = 0}), TAC_STATUS_OK);
  tac_subject_close(&subject);
}
END_TEST

START_TEST(many_batches_in_a_row) {
  struct subject subject;
  struct counts counts;
  tac_subject_open(&subject, NULL);
  tac_counts_open(&counts, 17);
  for (unsigned pass = 0; pass < 2040; pass++) {
    const size_t count = pass % 18;
    const struct tac_batch batch = {.count = count, .item = tac_count_item, .context = &counts};
    ck_assert_int_eq(tac_subject_run(&subject, batch), TAC_STATUS_OK);
    if (pass % 18 == 17) { /* after counts 0 … 17 item i has run 17 - i times */
      for (size_t i = 0; i < 17; i++)
        ck_assert_uint_eq(counts.ran[i], 17 - i);
      memset(counts.ran, 0, 17);
    }
  }
  tac_counts_close(&counts);
  tac_subject_close(&subject);
}
END_TEST

static _Thread_local char thread_mark;

enum { LANES_MAX = 64 };

struct lane_watch {
  const char *caller;
  size_t count;
  atomic_int inside[LANES_MAX]; /* items that run on a lane now */
  atomic_int wrong;
  int plain[LANES_MAX]; /* a lane runs one item after another: no race here */
};

static int is_its_lane(const struct tac_lane *lane, const struct lane_watch *watch) {
  const int lanes = tac_subject_lanes(watch->count), on_caller = watch->caller == &thread_mark;
  if (lane->number < 0 || lane->number >= lanes || lane->count != lanes || !lane->arena || !lane->error)
    return 0;
  return lane->number == 0 ? on_caller : !on_caller || !tac_subject.lanes_at_once;
}

static enum tac_status watch_lane(void *context, size_t index, struct tac_lane *lane) {
  struct lane_watch *watch = context;
  (void)index;
  if (!is_its_lane(lane, watch)) {
    atomic_fetch_add(&watch->wrong, 1);
    return TAC_STATUS_OK;
  }
  if (atomic_fetch_add(&watch->inside[lane->number], 1) != 0)
    atomic_fetch_add(&watch->wrong, 1);
  watch->plain[lane->number]++;
  atomic_fetch_sub(&watch->inside[lane->number], 1);
  return TAC_STATUS_OK;
}

START_TEST(items_see_their_lane) {
  struct subject subject;
  tac_subject_open(&subject, NULL);
  ck_assert_int_eq(tac_scheduler_lanes(subject.scheduler), tac_subject.lanes);
  ck_assert_int_le(tac_subject.lanes, LANES_MAX);
  for (int which = 0; which < COUNTS - 1; which++) {
    struct lane_watch watch = {.caller = &thread_mark, .count = count_number(which)};
    ck_assert_int_eq(tac_subject_run(&subject, (struct tac_batch){.count = watch.count, .item = watch_lane, .context = &watch}),
                     TAC_STATUS_OK);
    ck_assert_int_eq(watch.wrong, 0);
    size_t ran = 0;
    for (int k = 0; k < LANES_MAX; k++)
      ran += (size_t)watch.plain[k];
    ck_assert_uint_eq(ran, watch.count);
  }
  tac_subject_close(&subject);
}
END_TEST

/* Lane 0 waits for the last lane, and so on: the batch ends only if every lane runs at the same time. */
struct meeting {
  atomic_int arrived;
  int expected;
};

static enum tac_status meet(void *context, size_t index, struct tac_lane *lane) {
  struct meeting *meeting = context;
  (void)index, (void)lane;
  atomic_fetch_add(&meeting->arrived, 1);
  while (atomic_load(&meeting->arrived) < meeting->expected)
    sched_yield();
  return TAC_STATUS_OK;
}

START_TEST(all_lanes_run_at_once) {
  struct subject subject;
  struct meeting meeting = {.expected = tac_subject.lanes};
  tac_subject_open(&subject, NULL);
  for (int pass = 0; pass < 20; pass++) {
    meeting.arrived = 0;
    const struct tac_batch batch = {.count = (size_t)tac_subject.lanes, .item = meet, .context = &meeting};
    ck_assert_int_eq(tac_subject_run(&subject, batch), TAC_STATUS_OK);
    if (tac_subject.level == TAC_DETAILED)
      ck_assert_uint_eq(tac_recorder_batch(subject.recorder, (size_t)pass)->peak_overlap, (uint64_t)tac_subject.lanes);
  }
  tac_subject_close(&subject);
}
END_TEST

/* An ordinary entry runs the off table whatever the level: no clock, no hook, no record. */
START_TEST(the_ordinary_entry_is_off) {
  struct subject subject;
  struct counts counts;
  tac_subject_open(&subject, NULL);
  tac_counts_open(&counts, 100);
  const struct tac_batch batch = {.count = 100, .item = tac_count_item, .context = &counts};
  ck_assert_int_eq(tac_run_batch(subject.scheduler, &batch, NULL), TAC_STATUS_OK);
  tac_counts_expect(&counts, 1);
  ck_assert_int_eq(tac_subject_clock_reads(), 0);
  ck_assert_uint_eq(tac_subject_item_hooks(), 0);
  tac_counts_close(&counts);
  tac_subject_close(&subject);
}
END_TEST

START_TEST(each_level_reads_the_clock_as_often_as_it_says) {
  struct subject subject;
  struct counts counts;
  tac_subject_open(&subject, NULL);
  tac_counts_open(&counts, 100);
  const struct tac_batch batch = {.count = 100, .item = tac_count_item, .context = &counts};
  ck_assert_int_eq(tac_subject_run(&subject, batch), TAC_STATUS_OK);
  const int reads[TAC_LEVEL_COUNT] = {[TAC_OFF] = 0, [TAC_COARSE] = 2, [TAC_DETAILED] = 2 + 2 * 100, [TAC_HOOKED] = 2};
  ck_assert_int_eq(tac_subject_clock_reads(), reads[tac_subject.level]);
  ck_assert_uint_eq(tac_subject_item_hooks(), tac_subject.level == TAC_HOOKED ? 100 : 0);
  tac_counts_close(&counts);
  tac_subject_close(&subject);
}
END_TEST

void tac_coverage_cases(TCase *cases) {
  tcase_add_test(cases, each_index_runs_once);
  tcase_add_test(cases, each_index_runs_once_at_any_grain);
  tcase_add_test(cases, no_items_need_no_item_function);
  tcase_add_test(cases, many_batches_in_a_row);
  tcase_add_test(cases, items_see_their_lane);
  if (tac_subject.lanes_at_once)
    tcase_add_test(cases, all_lanes_run_at_once);
  tcase_add_test(cases, the_ordinary_entry_is_off);
  tcase_add_test(cases, each_level_reads_the_clock_as_often_as_it_says);
}
