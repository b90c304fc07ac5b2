/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "tests/conformance/subject.h"

#include <sched.h>
#include <stdio.h>

enum { ITEMS = 200 };

/* Items fail where `fails` says; each leaves its mark in the counts. */
struct plan {
  struct counts counts;
  char fails[ITEMS];
};

static enum tac_status planned_item(void *context, size_t index, struct tac_lane *lane) {
  struct plan *plan = context;
  tac_count_item(&plan->counts, index, lane);
  return plan->fails[index] ? tac_error_set(lane->error, TAC_STATUS_NUMERICAL, "planned_item", "item %zu broke", index)
                            : TAC_STATUS_OK;
}

static double falling_cost(const void *context, size_t index) {
  (void)context;
  return (double)(ITEMS - index);
}

/* Failing items at the start, at the end, in the middle, some, and all. */
enum { PATTERNS = 6 };
static void make_plan(struct plan *plan, int pattern) {
  static const size_t places[PATTERNS][4] = {
      {0, 0, 0, 0}, {ITEMS - 1, ITEMS - 1, ITEMS - 1, ITEMS - 1}, {77, 77, 77, 77}, {50, 51, 120, 199}, {0, 99, 198, 199}};
  *plan = (struct plan){0};
  tac_counts_open(&plan->counts, ITEMS);
  memset(plan->fails, pattern == PATTERNS - 1, ITEMS);
  for (int i = 0; i < 4; i++)
    plan->fails[places[pattern][i]] = 1;
}

static size_t first_failing(const struct plan *plan) {
  size_t index = 0;
  while (!plan->fails[index])
    index++;
  return index;
}

/* The failure names an item that failed, with that item's words. */
static void expect_failure(const struct subject *subject, const struct plan *plan, enum tac_status status) {
  char text[64];
  ck_assert_int_eq(status, TAC_STATUS_NUMERICAL);
  ck_assert_int_eq(subject->error.status, TAC_STATUS_NUMERICAL);
  ck_assert_uint_lt(subject->error.item, ITEMS);
  ck_assert_int_eq(plan->fails[subject->error.item], 1);
  ck_assert_uint_eq(plan->counts.ran[subject->error.item], 1);
  snprintf(text, sizeof text, "item %zu broke", subject->error.item);
  ck_assert_str_eq(subject->error.text, text);
  for (size_t i = 0; i < subject->error.item; i++) /* no lower index failed */
    ck_assert(!plan->fails[i] || plan->counts.ran[i] == 0);
}

START_TEST(run_all_runs_all_and_reports_the_lowest) {
  struct subject subject;
  struct plan plan;
  tac_subject_open(&subject, NULL);
  for (int pattern = 0; pattern < PATTERNS; pattern++)
    for (int ordered = 0; ordered < 2; ordered++) {
      make_plan(&plan, pattern);
      const struct tac_batch batch = {.count = ITEMS,
                                      .item = planned_item,
                                      .context = &plan,
                                      .cost = ordered ? falling_cost : NULL,
                                      .failure_mode = TAC_RUN_ALL};
      expect_failure(&subject, &plan, tac_subject_run(&subject, batch));
      ck_assert_uint_eq(subject.error.item, first_failing(&plan));
      tac_counts_expect(&plan.counts, 1);
      tac_counts_close(&plan.counts);
    }
  tac_subject_close(&subject);
}
END_TEST

START_TEST(a_failure_stops_new_claims) {
  struct subject subject;
  struct plan plan;
  tac_subject_open(&subject, NULL);
  for (int pattern = 0; pattern < PATTERNS; pattern++) {
    make_plan(&plan, pattern);
    const struct tac_batch batch = {.count = ITEMS, .item = planned_item, .context = &plan, .grain = 1};
    expect_failure(&subject, &plan, tac_subject_run(&subject, batch));
    const size_t ran = tac_counts_ran(&plan.counts);
    if (tac_subject.lanes == 1)
      ck_assert_uint_eq(ran, first_failing(&plan) + 1);
    tac_counts_close(&plan.counts);
  }
  tac_subject_close(&subject);
}
END_TEST

/* On one lane everything after the failing item is untouched, in the order of the costs. */
START_TEST(inline_batches_stop_at_the_failing_item) {
  struct subject subject;
  struct plan plan;
  tac_subject_open(&subject, NULL);
  for (int pattern = 0; pattern < PATTERNS; pattern++) {
    make_plan(&plan, pattern);
    const struct tac_batch batch = {
        .count = ITEMS, .item = planned_item, .context = &plan, .cost = falling_cost, .inline_below = 1e9};
    expect_failure(&subject, &plan, tac_subject_run(&subject, batch));
    for (size_t i = 0; i < ITEMS; i++)
      ck_assert_uint_eq(plan.counts.ran[i], i <= first_failing(&plan));
    tac_counts_close(&plan.counts);
  }
  tac_subject_close(&subject);
}
END_TEST

START_TEST(the_next_batch_runs_as_if_nothing_had_failed) {
  struct subject subject;
  struct plan plan;
  tac_subject_open(&subject, NULL);
  for (int pass = 0; pass < 20; pass++) {
    make_plan(&plan, pass % PATTERNS);
    const struct tac_batch failing = {.count = ITEMS, .item = planned_item, .context = &plan};
    expect_failure(&subject, &plan, tac_subject_run(&subject, failing));
    tac_counts_close(&plan.counts);
    tac_counts_open(&plan.counts, ITEMS);
    const struct tac_batch sound = {.count = ITEMS, .item = tac_count_item, .context = &plan.counts};
    ck_assert_int_eq(tac_subject_run(&subject, sound), TAC_STATUS_OK);
    ck_assert_int_eq(subject.error.status, TAC_STATUS_OK);
    tac_counts_expect(&plan.counts, 1);
    tac_counts_close(&plan.counts);
  }
  tac_subject_close(&subject);
}
END_TEST

/* One item fails while every other lane is inside an item: those go on only after the failure was under way. */
struct crash {
  atomic_int arrived, failing, ended;
  int lanes;
  atomic_uchar ran[ITEMS];
};

static enum tac_status crash_item(void *context, size_t index, struct tac_lane *lane) {
  struct crash *crash = context;
  const int first = atomic_fetch_add(&crash->arrived, 1) < crash->lanes;
  atomic_fetch_add(&crash->ran[index], 1);
  while (first && atomic_load(&crash->arrived) < crash->lanes)
    sched_yield();
  if (index == 1) {
    atomic_store(&crash->failing, 1);
    return tac_error_set(lane->error, TAC_STATUS_ITEM, "crash_item", "while others ran");
  }
  while (first && !atomic_load(&crash->failing))
    sched_yield();
  atomic_fetch_add(&crash->ended, 1);
  return TAC_STATUS_OK;
}

START_TEST(a_failure_while_others_run_waits_for_them) {
  struct subject subject;
  tac_subject_open(&subject, NULL);
  for (int pass = 0; pass < 20; pass++) {
    struct crash crash = {.lanes = tac_subject.lanes};
    const struct tac_batch batch = {.count = ITEMS, .item = crash_item, .context = &crash, .grain = 1};
    ck_assert_int_eq(tac_subject_run(&subject, batch), TAC_STATUS_ITEM);
    ck_assert_uint_eq(subject.error.item, 1);
    ck_assert_str_eq(subject.error.text, "while others ran");
    ck_assert_int_eq(crash.ended, crash.arrived - 1);
    ck_assert_int_ge(crash.arrived, tac_subject.lanes);
    for (size_t i = 0; i < ITEMS; i++)
      ck_assert_uint_le(crash.ran[i], 1);
  }
  tac_subject_close(&subject);
}
END_TEST

/* The executor under test, with a flag that the lane of a failed item sets once it is out of the loop: from then on the
 * failure is visible to every lane that sees the flag. */
static struct {
  const struct tac_executor *executor;
  void (*loop)(struct tac_work *work, struct tac_lane *lane);
  void (*one)(struct tac_work *work, size_t position, struct tac_lane *lane);
  atomic_int arrived, failing_lane, visible, ran;
} held;

static void leave_failing_lane(const struct tac_lane *lane) {
  if (atomic_load(&held.failing_lane) == lane->number)
    atomic_store(&held.visible, 1);
}

static void held_loop(struct tac_work *work, struct tac_lane *lane) {
  held.loop(work, lane);
  leave_failing_lane(lane);
}

static void held_one(struct tac_work *work, size_t position, struct tac_lane *lane) {
  held.one(work, position, lane);
  leave_failing_lane(lane);
}

static enum tac_status run_held(void *state, struct tac_work *work, struct tac_error *error) {
  held.loop = work->loop;
  held.one = work->one;
  work->loop = held_loop;
  work->one = held_one;
  return held.executor->run(state, work, error);
}

/* The first item of each lane meets the others; then one fails, and the others end when that is visible. */
static enum tac_status held_item(void *context, size_t index, struct tac_lane *lane) {
  (void)context, (void)index;
  const int ticket = atomic_fetch_add(&held.arrived, 1);
  atomic_fetch_add(&held.ran, 1);
  while (atomic_load(&held.arrived) < tac_subject.lanes)
    sched_yield();
  if (ticket == 0) {
    atomic_store(&held.failing_lane, lane->number);
    return TAC_STATUS_ITEM;
  }
  while (ticket < tac_subject.lanes && !atomic_load(&held.visible))
    sched_yield();
  return TAC_STATUS_OK;
}

START_TEST(nothing_starts_after_a_visible_failure_at_any_grain) {
  const size_t grains[] = {0, 1, 7, 100};
  struct tac_executor watched = *tac_subject.executor;
  held.executor = tac_subject.executor;
  watched.run = run_held;
  tac_subject.executor = &watched;
  struct subject subject;
  tac_subject_open(&subject, NULL);
  for (size_t g = 0; g < sizeof grains / sizeof *grains; g++) {
    atomic_store(&held.arrived, 0);
    atomic_store(&held.failing_lane, -1);
    atomic_store(&held.visible, 0);
    atomic_store(&held.ran, 0);
    const struct tac_batch batch = {.count = 1000 * (size_t)tac_subject.lanes, .item = held_item, .grain = grains[g]};
    ck_assert_int_eq(tac_subject_run(&subject, batch), TAC_STATUS_ITEM);
    ck_assert_int_eq(atomic_load(&held.ran), tac_subject.lanes);
  }
  tac_subject_close(&subject);
  tac_subject.executor = held.executor;
}
END_TEST

/* All lanes fail at the same time: they have met inside their items, so each has failed when the batch ends. */
static enum tac_status fail_together(void *context, size_t index, struct tac_lane *lane) {
  struct crash *crash = context;
  atomic_fetch_add(&crash->arrived, 1);
  while (atomic_load(&crash->arrived) < crash->lanes)
    sched_yield();
  return tac_error_set(lane->error, index == 0 ? TAC_STATUS_NUMERICAL : TAC_STATUS_ITEM, "fail_together", "item %zu", index);
}

START_TEST(of_failures_at_once_the_lowest_index_is_reported) {
  struct subject subject;
  tac_subject_open(&subject, NULL);
  for (int pass = 0; pass < 20; pass++) {
    struct crash crash = {.lanes = tac_subject.lanes};
    const struct tac_batch batch = {.count = (size_t)tac_subject.lanes, .item = fail_together, .context = &crash};
    ck_assert_int_eq(tac_subject_run(&subject, batch), TAC_STATUS_NUMERICAL);
    ck_assert_uint_eq(subject.error.item, 0);
    ck_assert_str_eq(subject.error.text, "item 0");
  }
  tac_subject_close(&subject);
}
END_TEST

static enum tac_status fail_silently(void *context, size_t index, struct tac_lane *lane) {
  (void)context, (void)lane;
  return index == 5 ? TAC_STATUS_ITEM : TAC_STATUS_OK;
}

START_TEST(a_silent_failure_names_its_item) {
  struct subject subject;
  tac_subject_open(&subject, NULL);
  ck_assert_int_eq(tac_subject_run(&subject, (struct tac_batch){.count = 9, .item = fail_silently}), TAC_STATUS_ITEM);
  ck_assert_uint_eq(subject.error.item, 5);
  ck_assert_str_eq(subject.error.text, "item 5: an item failed");
  tac_subject_close(&subject);
}
END_TEST

void tac_failure_cases(TCase *cases) {
  tcase_add_test(cases, run_all_runs_all_and_reports_the_lowest);
  tcase_add_test(cases, a_failure_stops_new_claims);
  tcase_add_test(cases, inline_batches_stop_at_the_failing_item);
  tcase_add_test(cases, the_next_batch_runs_as_if_nothing_had_failed);
  tcase_add_test(cases, a_silent_failure_names_its_item);
  if (tac_subject.lanes_at_once && tac_subject.lanes > 1) {
    tcase_add_test(cases, a_failure_while_others_run_waits_for_them);
    tcase_add_test(cases, nothing_starts_after_a_visible_failure_at_any_grain);
    tcase_add_test(cases, of_failures_at_once_the_lowest_index_is_reported);
  }
}
