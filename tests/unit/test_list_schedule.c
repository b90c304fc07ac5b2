/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "measure/list_schedule.h"

#include "scheduler/order.h"
#include "tests/unit/seed.h"
#include "tests/unit/suite.h"

START_TEST(by_hand) {
  /* Graham's example of longest first at its worst, 11/9 of the best: 5 5 4 4 3 3 3 on three lanes ends at 11, the best at 9.
   */
  const int64_t duration[] = {5, 5, 4, 4, 3, 3, 3};
  const size_t best[] = {4, 0, 1, 5, 2, 3, 6};
  size_t order[7];
  int64_t free_ns[3];
  tac_list_order(order, NULL, 7);
  for (size_t i = 0; i < 7; i++)
    ck_assert_uint_eq(order[i], i);
  ck_assert_int_eq(tac_list_schedule(duration, order, 7, 3, free_ns), 11);
  ck_assert_int_eq(tac_list_schedule(duration, best, 7, 3, free_ns), 9);
  ck_assert(free_ns[0] == 9 && free_ns[1] == 9 && free_ns[2] == 9);
  ck_assert_int_eq(tac_list_bound(duration, 7, 3), 9);
  ck_assert_int_eq(tac_list_bound(duration, 7, 1), 27);
  ck_assert_int_eq(tac_list_bound(duration, 7, 2), 14); /* 13 1/2 */
  ck_assert_int_eq(tac_list_bound(duration, 7, 100), 5);
  ck_assert_int_eq(tac_list_schedule(duration, order, 0, 3, free_ns), 0);
  ck_assert_int_eq(tac_list_bound(duration, 0, 3), 0);
}
END_TEST

START_TEST(the_order_is_what_counts) {
  const int64_t duration[] = {1, 1, 1, 1, 4};
  const double cost[] = {1, 1, 1, 1, 4};
  size_t order[5];
  int64_t free_ns[2];
  tac_list_order(order, NULL, 5);
  ck_assert_int_eq(tac_list_schedule(duration, order, 5, 2, free_ns), 6); /* the longest starts at 2 */
  tac_list_order(order, cost, 5);
  ck_assert_uint_eq(order[0], 4);
  for (size_t i = 1; i < 5; i++) /* ties by index */
    ck_assert_uint_eq(order[i], i - 1);
  ck_assert_int_eq(tac_list_schedule(duration, order, 5, 2, free_ns), 4);
  ck_assert_int_eq(tac_list_schedule(duration, order, 5, 1, free_ns), 8);
}
END_TEST

static const double *costs;

static double cost_of(const void *context, size_t index) {
  (void)context;
  return costs[index];
}

/* The order in which the scheduler starts items of these costs, many of them equal. */
START_TEST(the_scheduler_has_the_same_order) {
  enum { MOST = 300 };
  uint64_t state = test_seed();
  double cost[MOST];
  size_t order[MOST];
  costs = cost;
  void *memory = malloc(tac_order_bytes(MOST) + 64);
  ck_assert_ptr_nonnull(memory);
  for (size_t count = 0; count <= MOST; count += 1 + count / 8) {
    for (size_t i = 0; i < count; i++) {
      state = state * 6364136223846793005u + 1442695040888963407u;
      cost[i] = (double)(state >> 58);
    }
    const struct tac_batch batch = {.count = count, .cost = cost_of};
    const size_t *wanted;
    double total;
    ck_assert_int_eq(tac_order_by_cost(&wanted, &total, memory, &batch, NULL), TAC_STATUS_OK);
    tac_list_order(order, cost, count);
    for (size_t i = 0; i < count; i++)
      ck_assert_uint_eq(order[i], wanted[i]);
  }
  free(memory);
}
END_TEST

int main(void) {
  const TTest *const tests[] = {by_hand, the_order_is_what_counts, the_scheduler_has_the_same_order};
  return RUN_SUITE("list_schedule", tests);
}
