/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "scheduler/order.h"

#include <math.h>
#include <stdint.h>

#include "tests/unit/seed.h"
#include "tests/unit/suite.h"

static double cost_of(const void *context, size_t index) {
  return ((const double *)context)[index];
}

struct ordered {
  enum tac_status status;
  struct tac_error error;
  void *memory;
  const size_t *order;
  double total;
};

static struct ordered order(double *costs, size_t count) {
  const struct tac_batch batch = {.count = count, .cost = cost_of, .context = costs};
  struct ordered ordered = {.memory = tac_allocator_system()->allocate(NULL, tac_order_bytes(count)), .total = -1};
  ck_assert_ptr_nonnull(ordered.memory);
  ordered.status = tac_order_by_cost(&ordered.order, &ordered.total, ordered.memory, &batch, &ordered.error);
  return ordered;
}

static void release(struct ordered *ordered) {
  tac_allocator_system()->release(NULL, ordered->memory);
}

START_TEST(largest_first_ties_by_index) {
  double costs[] = {2, 5, 0, 5, 2, 7, 0};
  const size_t expected[] = {5, 1, 3, 0, 4, 2, 6};
  struct ordered ordered = order(costs, 7);
  ck_assert_int_eq(ordered.status, TAC_STATUS_OK);
  ck_assert(ordered.total == 21);
  for (size_t i = 0; i < 7; i++)
    ck_assert_uint_eq(ordered.order[i], expected[i]);
  release(&ordered);
}
END_TEST

/* Sorted with ties in the order of the indices is one permutation only: falling costs, and rising indices among equals. */
static void check_order(double *costs, size_t count) {
  struct ordered ordered = order(costs, count);
  ck_assert_int_eq(ordered.status, TAC_STATUS_OK);
  char *seen = calloc(count + 1, 1);
  double total = 0;
  for (size_t i = 0; i < count; i++) {
    const size_t index = ordered.order[i];
    ck_assert_uint_lt(index, count);
    ck_assert_int_eq(seen[index]++, 0);
    total += costs[i];
    if (i > 0) {
      const size_t before = ordered.order[i - 1];
      ck_assert(costs[before] > costs[index] || (costs[before] == costs[index] && before < index));
    }
  }
  ck_assert(total == ordered.total);
  free(seen);
  release(&ordered);
}

START_TEST(every_length_sorts) {
  srand((unsigned)test_seed());
  static double costs[1000];
  for (size_t count = 0; count < 300; count++) {
    for (size_t i = 0; i < count; i++)
      costs[i] = rand() % 40;
    check_order(costs, count);
  }
  for (size_t i = 0; i < 1000; i++)
    costs[i] = (double)i;
  check_order(costs, 1000);
  for (size_t i = 0; i < 1000; i++)
    costs[i] = (double)(1000 - i);
  check_order(costs, 1000);
  for (size_t i = 0; i < 1000; i++)
    costs[i] = 1;
  check_order(costs, 1000);
}
END_TEST

START_TEST(costs_that_are_none_are_refused) {
  const double wrong[] = {NAN, INFINITY, -INFINITY, -1, -1e-300};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    double costs[] = {1, 2, wrong[i], 3};
    struct ordered ordered = order(costs, 4);
    ck_assert_int_eq(ordered.status, TAC_STATUS_INVALID);
    ck_assert_uint_eq(ordered.error.item, 2);
    release(&ordered);
  }
  double zero[] = {-0.0, 0.0};
  struct ordered ordered = order(zero, 2);
  ck_assert_int_eq(ordered.status, TAC_STATUS_OK);
  ck_assert_uint_eq(ordered.order[0], 0);
  release(&ordered);
}
END_TEST

START_TEST(memory_beyond_the_address_space_is_none) {
  ck_assert_uint_eq(tac_order_bytes(SIZE_MAX), 0);
  ck_assert_uint_eq(tac_order_bytes(SIZE_MAX / 16), 0);
  ck_assert_uint_gt(tac_order_bytes(3), tac_order_bytes(2));
}
END_TEST

int main(void) {
  const TTest *const tests[] = {largest_first_ties_by_index, every_length_sorts, costs_that_are_none_are_refused,
                                memory_beyond_the_address_space_is_none};
  return RUN_SUITE("order", tests);
}
