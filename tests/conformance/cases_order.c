/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "tests/conformance/subject.h"

#include <math.h>
#include <pthread.h>

enum { ITEMS = 500, LANES_MAX = 64 };

/* Costs with many ties, in no order. */
static double tied_cost(const void *context, size_t index) {
  (void)context;
  return (double)(index * 7919 % 23);
}

static int comes_before(size_t a, size_t b) {
  const double cost_a = tied_cost(NULL, a), cost_b = tied_cost(NULL, b);
  return cost_a > cost_b || (cost_a == cost_b && a < b);
}

/* What each lane ran, in its order. */
struct trail {
  size_t index[LANES_MAX][ITEMS], length[LANES_MAX];
};

static enum tac_status leave_trail(void *context, size_t index, struct tac_lane *lane) {
  struct trail *trail = context;
  trail->index[lane->number][trail->length[lane->number]++] = index;
  return TAC_STATUS_OK;
}

static size_t trail_length(const struct trail *trail) {
  size_t length = 0;
  for (int k = 0; k < LANES_MAX; k++)
    length += trail->length[k];
  return length;
}

START_TEST(each_lane_takes_falling_costs) {
  static struct trail trail;
  struct subject subject;
  tac_subject_open(&subject, NULL);
  memset(&trail, 0, sizeof trail);
  const struct tac_batch batch = {.count = ITEMS, .item = leave_trail, .cost = tied_cost, .context = &trail};
  ck_assert_int_eq(tac_subject_run(&subject, batch), TAC_STATUS_OK);
  ck_assert_uint_eq(trail_length(&trail), ITEMS);
  for (int k = 0; k < LANES_MAX; k++)
    for (size_t i = 1; i < trail.length[k]; i++)
      ck_assert(comes_before(trail.index[k][i - 1], trail.index[k][i]));
  tac_subject_close(&subject);
}
END_TEST

START_TEST(each_lane_takes_rising_indices_without_a_cost) {
  static struct trail trail;
  struct subject subject;
  tac_subject_open(&subject, NULL);
  memset(&trail, 0, sizeof trail);
  ck_assert_int_eq(tac_subject_run(&subject, (struct tac_batch){.count = ITEMS, .item = leave_trail, .context = &trail}),
                   TAC_STATUS_OK);
  ck_assert_uint_eq(trail_length(&trail), ITEMS);
  for (int k = 0; k < LANES_MAX; k++)
    for (size_t i = 1; i < trail.length[k]; i++)
      ck_assert_uint_lt(trail.index[k][i - 1], trail.index[k][i]);
  tac_subject_close(&subject);
}
END_TEST

/* On one lane (the subject has only one, or the batch is too cheap to share) the order is exact. */
START_TEST(on_one_lane_the_order_is_exact) {
  static struct trail trail;
  struct subject subject;
  tac_subject_open(&subject, NULL);
  memset(&trail, 0, sizeof trail);
  const struct tac_batch batch = {
      .count = ITEMS, .item = leave_trail, .cost = tied_cost, .context = &trail, .inline_below = 1e9};
  ck_assert_int_eq(tac_subject_run(&subject, batch), TAC_STATUS_OK);
  ck_assert_uint_eq(trail.length[0], ITEMS);
  for (size_t i = 1; i < ITEMS; i++)
    ck_assert(comes_before(trail.index[0][i - 1], trail.index[0][i]));
  tac_subject_close(&subject);
}
END_TEST

struct inline_watch {
  const pthread_t caller;
  int elsewhere; /* items on another thread, or on a lane that is not the only one */
};

static enum tac_status watch_inline(void *context, size_t index, struct tac_lane *lane) {
  struct inline_watch *watch = context;
  (void)index;
  watch->elsewhere += !pthread_equal(pthread_self(), watch->caller) || lane->count != 1 || lane->number != 0;
  return TAC_STATUS_OK;
}

static double unit_cost(const void *context, size_t index) {
  (void)context, (void)index;
  return 1;
}

START_TEST(cheap_batches_run_on_the_callers_thread) {
  const struct tac_batch batches[] = {{.count = 10, .inline_below = 10.5},
                                      {.count = 10, .inline_below = 10.5, .cost = unit_cost},
                                      {.count = 1},
                                      {.count = 1, .cost = unit_cost}};
  struct subject subject;
  tac_subject_open(&subject, NULL);
  for (size_t i = 0; i < sizeof batches / sizeof *batches; i++) {
    struct inline_watch watch = {.caller = pthread_self()};
    struct tac_batch batch = batches[i];
    batch.item = watch_inline;
    batch.context = &watch;
    ck_assert_int_eq(tac_subject_run(&subject, batch), TAC_STATUS_OK);
    ck_assert_int_eq(watch.elsewhere, 0);
    if (tac_subject.level == TAC_DETAILED)
      ck_assert_int_eq(tac_recorder_batch(subject.recorder, i)->ran_inline, 1);
  }
  tac_subject_close(&subject);
}
END_TEST

START_TEST(a_batch_at_the_limit_is_shared) {
  struct subject subject;
  struct counts counts;
  tac_subject_open(&subject, NULL);
  tac_counts_open(&counts, 10);
  const struct tac_batch batch = {
      .count = 10, .item = tac_count_item, .context = &counts, .cost = unit_cost, .inline_below = 10};
  ck_assert_int_eq(tac_subject_run(&subject, batch), TAC_STATUS_OK);
  tac_counts_expect(&counts, 1);
  if (tac_subject.level == TAC_DETAILED)
    ck_assert_int_eq(tac_recorder_batch(subject.recorder, 0)->ran_inline, tac_subject.lanes == 1);
  tac_counts_close(&counts);
  tac_subject_close(&subject);
}
END_TEST

static double wrong_cost(const void *context, size_t index) {
  static const double wrong[] = {NAN, INFINITY, -INFINITY, -1};
  const struct counts *counts = context;
  return index + 1 == counts->count ? wrong[counts->count % 4] : 1;
}

START_TEST(a_cost_that_is_none_starts_nothing) {
  struct subject subject;
  tac_subject_open(&subject, NULL);
  for (size_t count = 1; count <= 12; count++) {
    struct counts counts;
    tac_counts_open(&counts, count);
    for (int inline_too = 0; inline_too < 2; inline_too++) {
      const struct tac_batch batch = {
          .count = count, .item = tac_count_item, .context = &counts, .cost = wrong_cost, .inline_below = 1e9 * inline_too};
      ck_assert_int_eq(tac_subject_run(&subject, batch), TAC_STATUS_INVALID);
      ck_assert_uint_eq(subject.error.item, count - 1);
    }
    tac_counts_expect(&counts, 0);
    tac_counts_close(&counts);
  }
  tac_subject_close(&subject);
}
END_TEST

void tac_order_cases(TCase *cases) {
  tcase_add_test(cases, each_lane_takes_falling_costs);
  tcase_add_test(cases, each_lane_takes_rising_indices_without_a_cost);
  tcase_add_test(cases, on_one_lane_the_order_is_exact);
  tcase_add_test(cases, cheap_batches_run_on_the_callers_thread);
  tcase_add_test(cases, a_batch_at_the_limit_is_shared);
  tcase_add_test(cases, a_cost_that_is_none_starts_nothing);
}
