/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <stdio.h>
#include <string.h>

#include "tests/unit/kokkos_set.h"

static struct tac_kokkos_row by_region(const struct tac_kokkos_counters *counters, size_t number) {
  return tac_kokkos_counters_at(counters, TAC_KOKKOS_REGION_KERNELS, number);
}

/* The row of a kernel in the region of a number. */
static struct tac_kokkos_row within(const struct tac_kokkos_counters *counters, const char *label, size_t region) {
  for (size_t i = 0; i < tac_kokkos_counters_rows(counters, TAC_KOKKOS_REGION_KERNELS); i++)
    if (strcmp(by_region(counters, i).name, label) == 0 && by_region(counters, i).parent == region)
      return by_region(counters, i);
  return (struct tac_kokkos_row){0};
}

static void launch_in(const char *region, const char *label, int64_t duration_ns) {
  tac_kokkos_push_region(region);
  launch(label, duration_ns);
  tac_kokkos_pop_region();
}

START_TEST(kernels_are_told_apart_by_their_innermost_region) {
  struct tac_kokkos_counters *counters = enter_set();
  launch("a", 1);
  tac_kokkos_push_region("outer");
  launch("a", 2);
  launch_in("inner", "a", 4);
  launch("a", 8);
  launch("b", 16);
  tac_kokkos_pop_region();
  launch_in("inner", "a", 32);
  ck_assert_uint_eq(tac_kokkos_counters_rows(counters, TAC_KOKKOS_KERNELS), 2);
  ck_assert_uint_eq(tac_kokkos_counters_rows(counters, TAC_KOKKOS_REGION_KERNELS), 4);
  ck_assert_int_eq(kernel(counters, 0).total_ns, 1 + 2 + 4 + 8 + 32);
  ck_assert_uint_eq(kernel(counters, 0).parent, TAC_KOKKOS_NO_PARENT);
  const struct tac_kokkos_row outer = within(counters, "a", 0);
  ck_assert_uint_eq(outer.count, 2);
  ck_assert_uint_eq(outer.timed, 2);
  ck_assert_int_eq(outer.total_ns, 10);
  ck_assert_int_eq(outer.min_ns, 2);
  ck_assert_int_eq(outer.max_ns, 8);
  ck_assert_int_eq(outer.kind, TAC_KOKKOS_FOR);
  ck_assert_int_eq(within(counters, "a", 1).total_ns, 4);
  ck_assert_int_eq(within(counters, "a", 2).total_ns, 32);
  ck_assert_int_eq(within(counters, "b", 0).total_ns, 16);
  ck_assert_int_eq(tac_kokkos_counters_total(counters, TAC_KOKKOS_REGION_KERNELS).total_ns, 62);
  ck_assert_int_eq(tac_kokkos_counters_total(counters, TAC_KOKKOS_KERNELS).total_ns, 63);
  leave_set(&counters);
}
END_TEST

/* A region's own time, its kernels', their fences' and its child regions' are all of it. */
START_TEST(exclusive_times_of_a_region_add_up) {
  struct tac_kokkos_counters *counters = enter_set();
  tac_kokkos_push_region("step");
  driven_clock_advance(&driven, 1);
  const uint64_t outer = begin("reduce");
  driven_clock_advance(&driven, 2);
  const uint64_t fence = begin_fence("result");
  driven_clock_advance(&driven, 4);
  tac_kokkos_end_fence(fence);
  const uint64_t nested = begin("nested");
  driven_clock_advance(&driven, 8);
  end(nested);
  end(outer);
  launch_in("child", "reduce", 16);
  tac_kokkos_pop_region();
  ck_assert_int_eq(within(counters, "reduce", 0).total_ns, 14);
  ck_assert_int_eq(within(counters, "reduce", 0).exclusive_ns, 2);
  ck_assert_int_eq(within(counters, "nested", 0).exclusive_ns, 8);
  ck_assert_int_eq(within(counters, "reduce", 0).step_ns, 14);
  ck_assert_uint_eq(within(counters, "reduce", 1).step_count, 1);
  ck_assert_int_eq(region(counters, 0).total_ns, 31);
  ck_assert_int_eq(region(counters, 0).exclusive_ns + within(counters, "reduce", 0).exclusive_ns +
                       within(counters, "nested", 0).exclusive_ns + fence_row(counters, 0).exclusive_ns +
                       region(counters, 1).total_ns,
                   region(counters, 0).total_ns);
  leave_set(&counters);
}
END_TEST

/* A kernel that ends amid a fence that it began has the time of that from there on no more. */
START_TEST(what_crosses_is_in_both_rows) {
  struct tac_kokkos_counters *counters = enter_set();
  tac_kokkos_push_region("x");
  const uint64_t outer = begin("a");
  driven_clock_advance(&driven, 1);
  const uint64_t fence = begin_fence("f");
  driven_clock_advance(&driven, 2);
  end(outer);
  driven_clock_advance(&driven, 4);
  tac_kokkos_end_fence(fence);
  tac_kokkos_pop_region();
  ck_assert_int_eq(kernel(counters, 0).total_ns, 3);
  ck_assert_int_eq(kernel(counters, 0).exclusive_ns, 1);
  ck_assert_int_eq(within(counters, "a", 0).total_ns, 3);
  ck_assert_int_eq(within(counters, "a", 0).exclusive_ns, 1);
  leave_set(&counters);
}
END_TEST

/* 50 kernels in 50 regions: 2500 pairs, of which ten times the limit have rows. */
START_TEST(they_take_no_room_from_kernels) {
  struct tac_kokkos_counters *counters = enter_limited_set(100);
  char label[16];
  for (int i = 0; i < 100; i++) {
    snprintf(label, sizeof label, "region %d", i % 50);
    tac_kokkos_push_region(label);
    for (int k = 0; k < 50; k++) {
      snprintf(label, sizeof label, "kernel %d", k);
      end(begin(label));
    }
    tac_kokkos_pop_region();
  }
  ck_assert_uint_eq(tac_kokkos_counters_rows(counters, TAC_KOKKOS_KERNELS), 50);
  ck_assert_uint_eq(tac_kokkos_counters_rows(counters, TAC_KOKKOS_REGIONS), 50);
  ck_assert_uint_eq(tac_kokkos_counters_rows(counters, TAC_KOKKOS_REGION_KERNELS), 1000);
  for (size_t i = 0; i < 1000; i++)
    ck_assert_uint_eq(by_region(counters, i).timed, 2);
  ck_assert_uint_eq(kernel(counters, 49).timed, 100);
  ck_assert_uint_eq(tac_kokkos_counters_dropped(counters), 0);
  ck_assert_uint_eq(tac_kokkos_counters_unrecorded(counters, TAC_KOKKOS_REGION_KERNELS).timed, 2 * 1500);
  leave_set(&counters);
}
END_TEST

/* Where a region has no row its kernels are among all kernels; a kernel without a row is in no region either. */
START_TEST(without_a_row_of_the_one_there_is_none_of_both) {
  struct tac_kokkos_counters *counters = enter_limited_set(4);
  launch_in("x", "a", 1);
  launch_in("y", "b", 2);
  launch_in("no room", "a", 4);
  launch_in("x", "no room", 8);
  launch_in("no room", "no room", 16);
  ck_assert_uint_eq(tac_kokkos_counters_rows(counters, TAC_KOKKOS_REGION_KERNELS), 2);
  ck_assert_int_eq(within(counters, "a", 0).total_ns, 1);
  ck_assert_int_eq(within(counters, "b", 1).total_ns, 2);
  ck_assert_int_eq(kernel(counters, 0).total_ns, 5);
  ck_assert_int_eq(tac_kokkos_counters_unrecorded(counters, TAC_KOKKOS_REGION_KERNELS).total_ns, 4);
  ck_assert_int_eq(tac_kokkos_counters_unrecorded(counters, TAC_KOKKOS_KERNELS).total_ns, 24);
  ck_assert_uint_eq(tac_kokkos_counters_dropped(counters), 2 + 2); /* launches and regions */
  leave_set(&counters);
}
END_TEST

START_TEST(merging_into_a_full_set_loses_no_launch) {
  struct tac_kokkos_counters *full = enter_limited_set(2), *more;
  launch_in("x", "a", 1);
  more = enter_limited_set(100);
  launch_in("x", "a", 2);
  launch_in("y", "a", 4);
  launch_in("x", "b", 8);
  ck_assert_int_eq(tac_kokkos_counters_merge(full, more, NULL), TAC_STATUS_OK);
  leave_set(&more);
  ck_assert_int_eq(kernel(full, 0).total_ns, 7);
  ck_assert_int_eq(within(full, "a", 0).total_ns, 3);
  ck_assert_int_eq(within(full, "b", 0).total_ns, 8); /* there is room by region */
  ck_assert_int_eq(tac_kokkos_counters_unrecorded(full, TAC_KOKKOS_REGION_KERNELS).total_ns, 4);
  ck_assert_int_eq(tac_kokkos_counters_unrecorded(full, TAC_KOKKOS_KERNELS).total_ns, 8);
  ck_assert_int_eq(tac_kokkos_counters_total(full, TAC_KOKKOS_REGION_KERNELS).total_ns, 15);
  leave_set(&full);
}
END_TEST

START_TEST(merging_keeps_their_regions) {
  struct tac_kokkos_counters *one = enter_set(), *two = create_set();
  tac_kokkos_push_region("x");
  launch_in("y", "a", 1);
  tac_kokkos_pop_region();
  launch_in("y", "a", 2);
  ck_assert_int_eq(tac_kokkos_scope_begin(two, NULL), TAC_STATUS_OK);
  launch_in("y", "a", 4);
  tac_kokkos_push_region("y");
  launch_in("x", "b", 8);
  tac_kokkos_pop_region();
  ck_assert_int_eq(tac_kokkos_scope_end(two, NULL), TAC_STATUS_OK);
  ck_assert_int_eq(tac_kokkos_counters_merge(two, one, NULL), TAC_STATUS_OK);
  /* y of the second set, x in it, then x of the first and y in it */
  ck_assert_uint_eq(tac_kokkos_counters_rows(two, TAC_KOKKOS_REGIONS), 4);
  ck_assert_uint_eq(tac_kokkos_counters_rows(two, TAC_KOKKOS_REGION_KERNELS), 3);
  ck_assert_int_eq(within(two, "a", 0).total_ns, 6);
  ck_assert_uint_eq(within(two, "a", 0).count, 2);
  ck_assert_int_eq(within(two, "b", 1).total_ns, 8);
  ck_assert_uint_eq(region(two, 3).parent, 2);
  ck_assert_int_eq(within(two, "a", 3).total_ns, 1);
  ck_assert_int_eq(kernel(two, 0).total_ns, 7);
  counting.left = 0;
  ck_assert_int_eq(tac_kokkos_counters_merge(two, one, NULL), TAC_STATUS_OK);
  counting.left = (size_t)-1;
  ck_assert_int_eq(tac_kokkos_counters_total(two, TAC_KOKKOS_REGION_KERNELS).total_ns, 6 + 8 + 1 + 3);
  ck_assert_int_eq(tac_kokkos_counters_total(two, TAC_KOKKOS_KERNELS).total_ns, 15 + 3);
  tac_kokkos_counters_destroy(&two);
  leave_set(&one);
}
END_TEST

START_TEST(a_reset_amid_a_launch_forgets_both_rows) {
  struct tac_kokkos_counters *counters = enter_set();
  tac_kokkos_push_region("x");
  const uint64_t handle = begin("a");
  tac_kokkos_counters_reset(counters);
  end(handle);
  tac_kokkos_pop_region();
  ck_assert_uint_eq(tac_kokkos_counters_rows(counters, TAC_KOKKOS_REGION_KERNELS), 0);
  launch("a", 3);
  launch_in("x", "a", 5);
  ck_assert_uint_eq(tac_kokkos_counters_rows(counters, TAC_KOKKOS_REGION_KERNELS), 1);
  ck_assert_int_eq(within(counters, "a", 0).total_ns, 5);
  ck_assert_int_eq(kernel(counters, 0).total_ns, 8);
  leave_set(&counters);
}
END_TEST

/* Wherever memory ends, each launch of a kernel that has a row is told once by region, or as one that is not; but for regions
 * without memory for their begin, in which nothing is timed. */
START_TEST(without_memory_no_launch_is_lost) {
  int timed = 0;
  for (size_t left = 0; left < 24; left++) {
    struct tac_kokkos_counters *counters = enter_set();
    char label[16];
    counting.left = left;
    for (int i = 0; i < 40; i++) {
      snprintf(label, sizeof label, "kernel %d", i);
      launch_in(i % 3 ? "x" : "y", label, 1);
    }
    counting.left = (size_t)-1;
    ck_assert_uint_eq(tac_kokkos_counters_total(counters, TAC_KOKKOS_KERNELS).count, 40);
    ck_assert_uint_eq(tac_kokkos_counters_total(counters, TAC_KOKKOS_REGION_KERNELS).timed +
                          tac_kokkos_counters_unrecorded(counters, TAC_KOKKOS_KERNELS).timed,
                      tac_kokkos_counters_total(counters, TAC_KOKKOS_KERNELS).timed);
    timed += tac_kokkos_counters_total(counters, TAC_KOKKOS_KERNELS).timed == 40;
    for (size_t i = 0; i < tac_kokkos_counters_rows(counters, TAC_KOKKOS_REGION_KERNELS); i++)
      ck_assert_uint_eq(by_region(counters, i).count, 1);
    leave_set(&counters);
  }
  ck_assert_int_gt(timed, 12);
  ck_assert_uint_eq(counting.allocated, counting.released);
}
END_TEST

START_TEST(known_launches_do_not_allocate) {
  struct tac_kokkos_counters *counters = enter_set();
  launch_in("x", "a", 1);
  launch_in("y", "a", 1);
  const size_t allocated = counting.allocated;
  for (int i = 0; i < 100; i++)
    launch_in(i % 2 ? "x" : "y", "a", 1);
  ck_assert_uint_eq(counting.allocated, allocated);
  ck_assert_uint_eq(within(counters, "a", 0).count, 51);
  ck_assert_uint_eq(within(counters, "a", 1).count, 51);
  leave_set(&counters);
}
END_TEST

int main(void) {
  const TTest *const tests[] = {
      kernels_are_told_apart_by_their_innermost_region,
      exclusive_times_of_a_region_add_up,
      what_crosses_is_in_both_rows,
      they_take_no_room_from_kernels,
      without_a_row_of_the_one_there_is_none_of_both,
      merging_into_a_full_set_loses_no_launch,
      merging_keeps_their_regions,
      a_reset_amid_a_launch_forgets_both_rows,
      without_memory_no_launch_is_lost,
      known_launches_do_not_allocate,
  };
  return RUN_SUITE("kokkos_by_region", tests);
}
