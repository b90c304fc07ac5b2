/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "measure/estimates.h"

#include "tests/unit/measured.h"

enum { ITEMS = 4 };

/* A batch that counts who asks it, and when: what the clock says at each call. */
struct asked {
  int64_t durations[ITEMS];
  int cost_calls, term_calls;
  int64_t last_ns;
};

static double cost(const void *context, size_t index) {
  struct asked *asked = (struct asked *)context;
  asked->cost_calls++;
  return 10.0 * (double)index;
}

static void values(const void *context, size_t index, double *out) {
  struct asked *asked = (struct asked *)context;
  asked->term_calls++;
  asked->last_ns = driven.now_ns;
  driven_clock_advance(&driven, 100);
  out[0] = (double)index + 0.5;
  out[1] = 7;
}

static const char *const names[] = {"m*n*k", "items"};
static const struct tac_cost_terms terms = {2, names, values};

static struct tac_batch batch_of(struct asked *asked) {
  *asked = (struct asked){.durations = {1, 2, 3, 4}};
  return (struct tac_batch){.count = ITEMS, .item = timed_item, .cost = cost, .context = asked, .terms = &terms};
}

START_TEST(kept_with_the_slots) {
  struct tac_recorder *recorder = recorder_at(TAC_DETAILED);
  struct tac_scheduler *scheduler = scheduler_at(TAC_DETAILED, NULL);
  struct asked asked;
  struct tac_batch batch = batch_of(&asked);
  ck_assert_int_eq(tac_run_batch_measured(scheduler, &batch, recorder, NULL), TAC_STATUS_OK);
  ck_assert_int_eq(asked.cost_calls, 2 * ITEMS); /* to order them, and to tell */
  ck_assert_int_eq(asked.term_calls, ITEMS);
  /* 1000 at first, and three terms before the last, before any item: nothing of it is in the batch's time. */
  ck_assert_int_eq(asked.last_ns, 1300);
  ck_assert_int_eq(tac_recorder_batch(recorder, 0)->wall_ns, 10);
  size_t count;
  ck_assert_ptr_nonnull(tac_recorder_slots(recorder, 0, &count));
  ck_assert_uint_eq(count, ITEMS);
  const double *costs = tac_recorder_costs(recorder, 0);
  const struct tac_cost_terms *of = NULL;
  const double *value = tac_recorder_terms(recorder, 0, &of);
  ck_assert_ptr_eq(of, &terms);
  for (size_t i = 0; i < ITEMS; i++) {
    ck_assert(costs[i] == 10.0 * (double)i);
    ck_assert(value[i] == (double)i + 0.5);
    ck_assert(value[ITEMS + i] == 7);
  }
  tac_scheduler_destroy(&scheduler);
  tac_recorder_destroy(&recorder);
}
END_TEST

START_TEST(each_batch_keeps_its_own) {
  struct tac_recorder *recorder = recorder_at(TAC_DETAILED);
  struct tac_scheduler *scheduler = scheduler_at(TAC_DETAILED, NULL);
  struct asked asked;
  struct tac_batch batch = batch_of(&asked);
  const struct tac_cost_terms *of = &terms;
  for (int round = 0; round < 2; round++) { /* memory of places that had terms, then none, is used again after a reset */
    batch.cost = round ? cost : NULL;
    batch.terms = round ? NULL : &terms;
    ck_assert_int_eq(tac_run_batch_measured(scheduler, &batch, recorder, NULL), TAC_STATUS_OK);
    ck_assert_int_eq(tac_recorder_costs(recorder, 0) != NULL, round);
    const double *value = tac_recorder_terms(recorder, 0, &of);
    ck_assert_ptr_eq(of, round ? NULL : &terms);
    ck_assert(round ? value == NULL : value[2] == 2.5);
    ck_assert_ptr_null(tac_recorder_costs(recorder, 1));
    ck_assert_ptr_null(tac_recorder_terms(recorder, 1, &of));
    tac_recorder_reset(recorder);
  }
  tac_scheduler_destroy(&scheduler);
  tac_recorder_destroy(&recorder);
}
END_TEST

/* Only a recorder that keeps slots asks, only at detailed, and only for the batches that it keeps. */
START_TEST(nobody_else_asks) {
  const enum tac_level levels[] = {TAC_COARSE, TAC_HOOKED, TAC_DETAILED, TAC_DETAILED};
  for (int i = 0; i < 4; i++) {
    struct tac_recorder_options options = recorder_options(levels[i]);
    options.keep_slots = i != 2;
    options.batch_limit = i == 3 ? 0 : 10;
    struct tac_recorder *recorder = create_recorder(&options);
    struct tac_scheduler *scheduler = scheduler_at(levels[i], NULL);
    struct asked asked;
    const struct tac_batch batch = batch_of(&asked);
    const struct tac_cost_terms *of;
    ck_assert_int_eq(tac_run_batch_measured(scheduler, &batch, recorder, NULL), TAC_STATUS_OK);
    ck_assert_int_eq(tac_run_batch(scheduler, &batch, NULL), TAC_STATUS_OK);
    ck_assert_int_eq(asked.term_calls, 0);
    ck_assert_int_eq(asked.cost_calls, 2 * ITEMS); /* two orders */
    ck_assert_ptr_null(tac_recorder_costs(recorder, 0));
    ck_assert_ptr_null(tac_recorder_terms(recorder, 0, &of));
    tac_scheduler_destroy(&scheduler);
    tac_recorder_destroy(&recorder);
  }
}
END_TEST

START_TEST(malformed_terms_are_refused_where_they_would_be_asked) {
  static const char *const nameless[] = {"m", NULL}, *const alike[] = {"m", "m"};
  const struct tac_cost_terms wrong[] = {{0, names, values},    {TAC_COST_TERMS_MAX + 1, names, values},
                                         {1, NULL, values},     {1, names, NULL},
                                         {2, nameless, values}, {2, alike, values}};
  struct tac_recorder *recorder = recorder_at(TAC_DETAILED);
  struct tac_scheduler *scheduler = scheduler_at(TAC_DETAILED, NULL);
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    struct asked asked;
    struct tac_batch batch = batch_of(&asked);
    batch.terms = &wrong[i];
    ck_assert_int_eq(tac_run_batch_measured(scheduler, &batch, recorder, NULL), TAC_STATUS_INVALID);
    ck_assert_int_eq(asked.cost_calls + asked.term_calls, 0);
    ck_assert_int_eq(tac_run_batch(scheduler, &batch, NULL), TAC_STATUS_OK);
  }
  ck_assert_uint_eq(tac_recorder_batch_count(recorder), 0);
  tac_scheduler_destroy(&scheduler);
  tac_recorder_destroy(&recorder);
}
END_TEST

/* Without memory for the estimates nothing starts. */
START_TEST(want_of_memory_is_told_before_anything_starts) {
  struct counting counting = {.largest = SIZE_MAX, .left = SIZE_MAX};
  const struct tac_allocator allocator = {counting_allocate, counting_release, &counting};
  struct tac_recorder_options options = recorder_options(TAC_DETAILED);
  options.allocator = &allocator;
  struct tac_recorder *recorder = create_recorder(&options);
  struct tac_scheduler *scheduler = scheduler_at(TAC_DETAILED, NULL);
  struct asked asked;
  const struct tac_batch batch = batch_of(&asked);
  enum tac_status status = TAC_STATUS_MEMORY;
  size_t left = 0;
  for (; status != TAC_STATUS_OK; left++) {
    tac_recorder_destroy(&recorder);
    counting.left = SIZE_MAX;
    recorder = create_recorder(&options);
    counting.left = left;
    status = tac_run_batch_measured(scheduler, &batch, recorder, NULL);
    ck_assert_int_eq(status, status ? TAC_STATUS_MEMORY : TAC_STATUS_OK);
    ck_assert_uint_eq(tac_recorder_stats(recorder, WORK).count, status ? 0 : 1);
  }
  ck_assert_uint_gt(left, 4); /* a place, slots, costs and terms at least */
  ck_assert_int_eq(asked.term_calls, ITEMS);
  tac_scheduler_destroy(&scheduler);
  tac_recorder_destroy(&recorder);
  ck_assert_uint_eq(counting.allocated, counting.released);
}
END_TEST

int main(void) {
  const TTest *const tests[] = {kept_with_the_slots, each_batch_keeps_its_own, nobody_else_asks,
                                malformed_terms_are_refused_where_they_would_be_asked,
                                want_of_memory_is_told_before_anything_starts};
  return RUN_SUITE("estimates", tests);
}
