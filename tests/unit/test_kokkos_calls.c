/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <string.h>

#include "tests/unit/kokkos_set.h"

#define LOW_HALF UINT64_C(0xffffffff)

START_TEST(launches_have_count_and_times) {
  struct tac_kokkos_counters *counters = enter_set();
  launch("a", 5);
  launch("b", 100);
  launch("a", 3);
  launch("a", 10);
  const struct tac_kokkos_row a = kernel(counters, 0);
  ck_assert_str_eq(a.name, "a");
  ck_assert_uint_eq(a.count, 3);
  ck_assert_uint_eq(a.timed, 3);
  ck_assert_int_eq(a.total_ns, 18);
  ck_assert_int_eq(a.min_ns, 3);
  ck_assert_int_eq(a.max_ns, 10);
  ck_assert_int_eq(a.exclusive_ns, 18);
  ck_assert_uint_eq(tac_kokkos_counters_rows(counters, TAC_KOKKOS_KERNELS), 2);
  const struct tac_kokkos_row all = tac_kokkos_counters_total(counters, TAC_KOKKOS_KERNELS);
  ck_assert_ptr_null(all.name);
  ck_assert_uint_eq(all.count, 4);
  ck_assert_int_eq(all.total_ns, 118);
  leave_set(&counters);
}
END_TEST

START_TEST(handles_are_numbers_of_rows) {
  struct tac_kokkos_counters *counters = enter_set();
  for (int round = 0; round < 2; round++)
    for (uint64_t i = 0; i < 3; i++) {
      static const char *const labels[] = {"zero", "one", NULL};
      const uint64_t handle = begin(labels[i]);
      ck_assert_uint_eq(handle & LOW_HALF, i);
      end(handle);
    }
  ck_assert_str_eq(kernel(counters, 2).name, "");
  ck_assert_uint_eq(begin_fence("f") & LOW_HALF, 0);
  ck_assert_uint_eq(begin_fence("g") & LOW_HALF, 0);
  leave_set(&counters);
}
END_TEST

START_TEST(rows_differ_by_kind_device_and_label) {
  struct tac_kokkos_counters *counters = enter_set();
  uint64_t handle;
  for (uint32_t device = 0; device < 2; device++)
    for (int kind = TAC_KOKKOS_FOR; kind <= TAC_KOKKOS_SCAN; kind++) {
      tac_kokkos_begin_kernel((enum tac_kokkos_kind)kind, "same", device, &handle);
      tac_kokkos_end_kernel((enum tac_kokkos_kind)kind, handle);
    }
  ck_assert_uint_eq(tac_kokkos_counters_rows(counters, TAC_KOKKOS_KERNELS), 6);
  ck_assert_uint_eq(kernel(counters, 4).device, 1);
  ck_assert_int_eq(kernel(counters, 4).kind, TAC_KOKKOS_REDUCE);
  leave_set(&counters);
}
END_TEST

START_TEST(exclusive_time_is_without_what_is_within) {
  struct tac_kokkos_counters *counters = enter_set();
  tac_kokkos_push_region("region");
  driven_clock_advance(&driven, 1);
  const uint64_t outer = begin("outer");
  driven_clock_advance(&driven, 10);
  launch("inner", 100);
  const uint64_t fence = begin_fence("fence");
  driven_clock_advance(&driven, 1000);
  tac_kokkos_end_fence(fence);
  copy("Host", "Host", 8, 10000);
  end(outer);
  tac_kokkos_pop_region();
  ck_assert_int_eq(kernel(counters, 0).total_ns, 11110);
  ck_assert_int_eq(kernel(counters, 0).exclusive_ns, 10);
  ck_assert_int_eq(kernel(counters, 1).exclusive_ns, 100);
  ck_assert_int_eq(region(counters, 0).total_ns, 11111);
  ck_assert_int_eq(region(counters, 0).exclusive_ns, 1);
  leave_set(&counters);
}
END_TEST

static int64_t sum_ns(const struct tac_kokkos_counters *counters, enum tac_kokkos_group group) {
  return tac_kokkos_counters_total(counters, group).total_ns;
}

START_TEST(sums_hold_nested_times_once) {
  struct tac_kokkos_counters *counters = enter_set();
  static const char target, source;
  tac_kokkos_push_region("step");
  const uint64_t outer = begin("outer");
  driven_clock_advance(&driven, 1);
  launch("inner", 10);
  const uint64_t around = begin_fence("around");
  driven_clock_advance(&driven, 100);
  const uint64_t within = begin_fence("within");
  driven_clock_advance(&driven, 1000);
  tac_kokkos_end_fence(within);
  tac_kokkos_end_fence(around);
  end(outer);
  tac_kokkos_begin_copy("Cuda", "t", &target, "Host", "s", &source, 8);
  copy("Cuda", "Host", 8, 10000);
  driven_clock_advance(&driven, 100000);
  tac_kokkos_end_copy();
  tac_kokkos_pop_region();
  ck_assert_int_eq(kernel(counters, 0).total_ns, 1111);
  ck_assert_int_eq(sum_ns(counters, TAC_KOKKOS_KERNELS), 11);
  ck_assert_int_eq(sum_ns(counters, TAC_KOKKOS_FENCES), 1100);
  ck_assert_int_eq(sum_ns(counters, TAC_KOKKOS_COPIES), 110000);
  ck_assert_int_eq(sum_ns(counters, TAC_KOKKOS_REGIONS), 0);
  ck_assert_int_eq(tac_kokkos_counters_total(counters, TAC_KOKKOS_KERNELS).step_ns, 11);
  ck_assert_int_eq(tac_kokkos_counters_total(counters, TAC_KOKKOS_COPIES).step_ns, 110000);
  ck_assert_int_eq(tac_kokkos_counters_copies(counters, TAC_KOKKOS_HOST_TO_DEVICE).total_ns, 110000);
  leave_set(&counters);
}
END_TEST

/* Of what crosses, what was begun last has the time: a from 0 to 4, b from 1 to 8, c from 3 to 5, with d discarded around. */
START_TEST(what_crosses_is_counted_once) {
  struct tac_kokkos_counters *counters = enter_set();
  const uint64_t d = begin("d"), a = begin_fence("a");
  driven_clock_advance(&driven, 1);
  static const char target, source;
  tac_kokkos_begin_copy("Cuda", "", &target, "Host", "", &source, 1); /* b */
  driven_clock_advance(&driven, 2);
  const uint64_t c = begin("c");
  driven_clock_advance(&driven, 1);
  tac_kokkos_end_fence(a);
  driven_clock_advance(&driven, 1);
  end(c);
  end(d + 1); /* another handle: its time is nobody's */
  driven_clock_advance(&driven, 3);
  tac_kokkos_end_copy();
  ck_assert_int_eq(fence_row(counters, 0).total_ns, 4);
  ck_assert_int_eq(sum_ns(counters, TAC_KOKKOS_FENCES), 1);
  ck_assert_int_eq(tac_kokkos_counters_at(counters, TAC_KOKKOS_COPIES, 0).total_ns, 7);
  ck_assert_int_eq(sum_ns(counters, TAC_KOKKOS_COPIES), 5);
  ck_assert_int_eq(sum_ns(counters, TAC_KOKKOS_KERNELS), 2);
  ck_assert_uint_eq(tac_kokkos_counters_mismatches(counters).kernels, 1);
  leave_set(&counters);
}
END_TEST

/* What is within a begin whose end did not pair is still not the time of what is around both. */
START_TEST(a_discarded_begin_keeps_what_is_within) {
  struct tac_kokkos_counters *counters = enter_set();
  tac_kokkos_push_region("around");
  const uint64_t discarded = begin("discarded");
  driven_clock_advance(&driven, 1);
  const uint64_t fence = begin_fence("Kokkos Profile Tool Fence");
  driven_clock_advance(&driven, 10);
  copy("Cuda", "Host", 8, 100);
  tac_kokkos_end_fence(fence);
  end(discarded + 1);
  tac_kokkos_pop_region();
  ck_assert_int_eq(region(counters, 0).total_ns, 111);
  ck_assert_int_eq(region(counters, 0).exclusive_ns, 11);
  leave_set(&counters);
}
END_TEST

/* Where Kokkos fences for the tool, the fence at the end of a kernel is the kernel's execution. */
START_TEST(fences_of_the_tool_layer_are_nobodys) {
  struct tac_kokkos_counters *counters = enter_set();
  const uint64_t outer = begin("kernel");
  uint64_t fence = begin_fence("Kokkos::Tools::invoke_kokkosp_callback: Kokkos Profile Tool Fence");
  driven_clock_advance(&driven, 50);
  tac_kokkos_end_fence(fence);
  end(outer);
  fence = begin_fence("Kokkos::Tools::Experimental::Impl::tool_invoked_fence: Tool Requested Fence");
  tac_kokkos_end_fence(fence);
  fence = begin_fence("the program's");
  driven_clock_advance(&driven, 7);
  tac_kokkos_end_fence(fence);
  ck_assert_int_eq(kernel(counters, 0).exclusive_ns, 50);
  ck_assert_uint_eq(tac_kokkos_counters_rows(counters, TAC_KOKKOS_FENCES), 3);
  ck_assert_int_eq(fence_row(counters, 0).tool, 1);
  ck_assert_int_eq(fence_row(counters, 1).tool, 1);
  ck_assert_uint_eq(tac_kokkos_counters_total(counters, TAC_KOKKOS_FENCES).count, 1);
  ck_assert_int_eq(tac_kokkos_counters_total(counters, TAC_KOKKOS_FENCES).total_ns, 7);
  leave_set(&counters);
}
END_TEST

START_TEST(fences_count_when_they_end_on_a_stack_of_their_own) {
  struct tac_kokkos_counters *counters = enter_set();
  const uint64_t outer = begin_fence("outer");
  driven_clock_advance(&driven, 1);
  const uint64_t launched = begin("kernel");
  const uint64_t inner = begin_fence("inner");
  ck_assert_uint_eq(tac_kokkos_counters_total(counters, TAC_KOKKOS_FENCES).count, 0);
  driven_clock_advance(&driven, 10);
  end(launched); /* before the fence within it */
  tac_kokkos_end_fence(inner);
  tac_kokkos_end_fence(outer);
  ck_assert_int_eq(fence_row(counters, 0).total_ns, 11);
  ck_assert_int_eq(fence_row(counters, 1).total_ns, 10);
  ck_assert_int_eq(kernel(counters, 0).total_ns, 10);
  ck_assert_int_eq(fence_row(counters, 0).exclusive_ns, 1);
  ck_assert_int_eq(fence_row(counters, 1).exclusive_ns, 10);
  ck_assert_int_eq(kernel(counters, 0).exclusive_ns, 0);
  ck_assert_uint_eq(tac_kokkos_counters_mismatches(counters).kernels, 0);
  ck_assert_uint_eq(tac_kokkos_counters_mismatches(counters).fences, 0);
  leave_set(&counters);
}
END_TEST

START_TEST(an_end_with_another_handle_consumes_a_start) {
  struct tac_kokkos_counters *counters = enter_set();
  const uint64_t one = begin("one"), two = begin("two");
  end(one);
  ck_assert_uint_eq(tac_kokkos_counters_mismatches(counters).kernels, 1);
  ck_assert_uint_eq(tac_kokkos_counters_mismatches(counters).unfinished, 1);
  end(two);
  ck_assert_uint_eq(tac_kokkos_counters_mismatches(counters).kernels, 2);
  end(one); /* nothing is open */
  ck_assert_uint_eq(tac_kokkos_counters_mismatches(counters).kernels, 3);
  ck_assert_uint_eq(tac_kokkos_counters_total(counters, TAC_KOKKOS_KERNELS).count, 2);
  ck_assert_uint_eq(tac_kokkos_counters_total(counters, TAC_KOKKOS_KERNELS).timed, 0);
  tac_kokkos_end_fence(0);
  tac_kokkos_end_copy();
  ck_assert_uint_eq(tac_kokkos_counters_mismatches(counters).copies, 1);
  launch("one", 4);
  ck_assert_int_eq(kernel(counters, 0).total_ns, 4);
  leave_set(&counters);
}
END_TEST

START_TEST(copies_have_bytes_and_what_they_are) {
  static const char target, source;
  struct tac_kokkos_counters *counters = enter_set();
  copy("Cuda", "Host", 100, 5);
  tac_kokkos_begin_copy("Cuda", "t", &target, "Host", "Scalar", &target, 30); /* a fill, whatever its pointers */
  tac_kokkos_end_copy();
  tac_kokkos_begin_copy("Cuda", "t", &target, "Cuda", NULL, &target, 20);
  tac_kokkos_end_copy();
  tac_kokkos_begin_copy("Host", NULL, &target, "Cuda", "s", &source, 7);
  const struct tac_kokkos_row row = tac_kokkos_counters_at(counters, TAC_KOKKOS_COPIES, 0);
  ck_assert_str_eq(row.name, "Host");
  ck_assert_str_eq(row.to, "Cuda");
  ck_assert_uint_eq(row.count, 2);
  ck_assert_uint_eq(row.bytes, 130);
  ck_assert_uint_eq(row.fill_count, 1);
  ck_assert_uint_eq(row.fill_bytes, 30);
  ck_assert_uint_eq(row.self_count, 0);
  ck_assert_int_eq(row.total_ns, 5);
  ck_assert_uint_eq(tac_kokkos_counters_copies(counters, TAC_KOKKOS_HOST_TO_DEVICE).bytes, 130);
  ck_assert_uint_eq(tac_kokkos_counters_copies(counters, TAC_KOKKOS_SAME).self_bytes, 20);
  ck_assert_uint_eq(tac_kokkos_counters_copies(counters, TAC_KOKKOS_DEVICE_TO_HOST).bytes, 7);
  ck_assert_uint_eq(tac_kokkos_counters_copies(counters, TAC_KOKKOS_DEVICE_TO_HOST).timed, 0); /* it goes on */
  leave_set(&counters);
}
END_TEST

START_TEST(bytes_saturate_with_a_flag) {
  struct tac_kokkos_counters *counters = enter_set();
  copy("Cuda", "Host", UINT64_MAX - 1, 0);
  ck_assert_int_eq(tac_kokkos_counters_at(counters, TAC_KOKKOS_COPIES, 0).saturated, 0);
  copy("Cuda", "Host", 1, 0);
  ck_assert_int_eq(tac_kokkos_counters_at(counters, TAC_KOKKOS_COPIES, 0).saturated, 0);
  copy("Cuda", "Host", 1, 0);
  ck_assert_int_eq(tac_kokkos_counters_at(counters, TAC_KOKKOS_COPIES, 0).saturated, 1);
  copy("Cuda2", "Host", 9, 0); /* the sum of both rows is too large as well */
  ck_assert_uint_eq(tac_kokkos_counters_copies(counters, TAC_KOKKOS_HOST_TO_DEVICE).bytes, UINT64_MAX);
  ck_assert_int_eq(tac_kokkos_counters_copies(counters, TAC_KOKKOS_HOST_TO_DEVICE).saturated, 1);
  leave_set(&counters);
}
END_TEST

START_TEST(regions_are_a_tree) {
  struct tac_kokkos_counters *counters = enter_set();
  for (int i = 0; i < 2; i++) {
    tac_kokkos_push_region("a");
    tac_kokkos_push_region("b");
    driven_clock_advance(&driven, 3);
    tac_kokkos_pop_region();
    tac_kokkos_pop_region();
  }
  tac_kokkos_push_region("b");
  tac_kokkos_pop_region();
  ck_assert_uint_eq(tac_kokkos_counters_rows(counters, TAC_KOKKOS_REGIONS), 3);
  ck_assert_uint_eq(region(counters, 0).parent, TAC_KOKKOS_NO_PARENT);
  ck_assert_uint_eq(region(counters, 1).parent, 0);
  ck_assert_uint_eq(region(counters, 2).parent, TAC_KOKKOS_NO_PARENT);
  ck_assert_uint_eq(region(counters, 1).count, 2);
  ck_assert_int_eq(region(counters, 1).total_ns, 6);
  ck_assert_uint_eq(region(counters, 2).count, 1);
  leave_set(&counters);
}
END_TEST

START_TEST(more_pops_than_pushes_name_the_last_region) {
  struct tac_kokkos_counters *counters = enter_set();
  tac_kokkos_pop_region();
  ck_assert_uint_eq(tac_kokkos_counters_mismatches(counters).regions, 1);
  ck_assert_ptr_null(tac_kokkos_counters_mismatches(counters).last_region);
  tac_kokkos_push_region("x");
  tac_kokkos_push_region("y");
  tac_kokkos_pop_region();
  tac_kokkos_pop_region();
  tac_kokkos_pop_region();
  ck_assert_uint_eq(tac_kokkos_counters_mismatches(counters).regions, 2);
  ck_assert_str_eq(tac_kokkos_counters_mismatches(counters).last_region, "x");
  leave_set(&counters);
}
END_TEST

START_TEST(steps_take_what_is_in_them) {
  struct tac_kokkos_counters *counters = enter_set();
  launch("k", 100);
  for (int i = 0; i < 2; i++) {
    tac_kokkos_push_region("step");
    launch("k", 10);
    launch("k", 10);
    copy("Host", "Cuda", 1, 5);
    tac_kokkos_pop_region();
  }
  launch("k", 100);
  ck_assert_uint_eq(tac_kokkos_counters_steps(counters).timed, 2);
  ck_assert_int_eq(tac_kokkos_counters_steps(counters).total_ns, 50);
  ck_assert_uint_eq(kernel(counters, 0).count, 6);
  ck_assert_uint_eq(kernel(counters, 0).step_count, 4);
  ck_assert_int_eq(kernel(counters, 0).step_ns, 40);
  ck_assert_uint_eq(tac_kokkos_counters_total(counters, TAC_KOKKOS_COPIES).step_count, 2);
  leave_set(&counters);
}
END_TEST

START_TEST(a_step_within_a_step_is_part_of_it) {
  struct tac_kokkos_counters *counters = enter_set();
  tac_kokkos_push_region("step");
  tac_kokkos_push_region("between");
  tac_kokkos_push_region("step");
  launch("k", 10);
  tac_kokkos_pop_region();
  tac_kokkos_pop_region();
  launch("k", 5);
  tac_kokkos_pop_region();
  ck_assert_uint_eq(tac_kokkos_counters_steps(counters).timed, 1);
  ck_assert_int_eq(tac_kokkos_counters_steps(counters).total_ns, 15);
  ck_assert_uint_eq(kernel(counters, 0).step_count, 2);
  leave_set(&counters);
}
END_TEST

/* A row of the same number as before the reset must not get what was begun before. */
START_TEST(a_reset_inside_a_kernel_forgets_it) {
  struct tac_kokkos_counters *counters = enter_set();
  tac_kokkos_push_region("step");
  tac_kokkos_push_region("around");
  const uint64_t old = begin("old");
  driven_clock_advance(&driven, 500);
  tac_kokkos_counters_reset(counters);
  launch("new", 1);
  end(old);
  tac_kokkos_pop_region();
  launch("new", 1);
  tac_kokkos_pop_region();
  tac_kokkos_push_region("later");
  tac_kokkos_pop_region();
  ck_assert_uint_eq(tac_kokkos_counters_rows(counters, TAC_KOKKOS_KERNELS), 1);
  ck_assert_str_eq(kernel(counters, 0).name, "new");
  ck_assert_int_eq(kernel(counters, 0).total_ns, 2);
  ck_assert_uint_eq(kernel(counters, 0).step_count, 0);
  ck_assert_uint_eq(tac_kokkos_counters_rows(counters, TAC_KOKKOS_REGIONS), 1);
  ck_assert_uint_eq(region(counters, 0).parent, TAC_KOKKOS_NO_PARENT);
  const struct tac_kokkos_mismatches all = tac_kokkos_counters_mismatches(counters);
  ck_assert_uint_eq(all.kernels + all.regions + all.unfinished, 0);
  leave_set(&counters);
}
END_TEST

START_TEST(without_memory_ends_still_find_their_begins) {
  struct tac_kokkos_counters *counters = enter_set();
  launch("known", 1);
  counting.left = 0;
  uint64_t handles[100];
  for (int i = 0; i < 100; i++)
    handles[i] = begin(i % 2 ? "known" : "unknown");
  for (int i = 100; i-- > 0;)
    end(handles[i]);
  launch("known", 2);
  counting.left = (size_t)-1;
  ck_assert_uint_eq(kernel(counters, 0).count, 52);
  ck_assert_uint_eq(tac_kokkos_counters_unrecorded(counters, TAC_KOKKOS_KERNELS).count, 50);
  ck_assert_uint_eq(tac_kokkos_counters_dropped(counters), 50);
  ck_assert_uint_eq(tac_kokkos_counters_total(counters, TAC_KOKKOS_KERNELS).count, 102);
  ck_assert_uint_eq(tac_kokkos_counters_mismatches(counters).kernels, 0);
  ck_assert_uint_eq(tac_kokkos_counters_mismatches(counters).unfinished, 0);
  ck_assert_int_eq(kernel(counters, 0).min_ns, 0);
  leave_set(&counters);
}
END_TEST

START_TEST(ends_and_copies_of_known_pairs_do_not_allocate) {
  struct tac_kokkos_counters *counters = enter_set();
  copy("Host", "Cuda", 1, 1);
  const uint64_t handle = begin("a"), fence = begin_fence("f");
  const size_t before = counting.allocated;
  tac_kokkos_end_fence(fence);
  end(handle);
  copy("Host", "Cuda", 1, 1);
  launch("a", 1);
  ck_assert_uint_eq(counting.allocated, before);
  leave_set(&counters);
  ck_assert_uint_eq(counting.allocated, counting.released);
}
END_TEST

int main(void) {
  const TTest *const tests[] = {
      launches_have_count_and_times,
      handles_are_numbers_of_rows,
      rows_differ_by_kind_device_and_label,
      exclusive_time_is_without_what_is_within,
      sums_hold_nested_times_once,
      what_crosses_is_counted_once,
      a_discarded_begin_keeps_what_is_within,
      fences_of_the_tool_layer_are_nobodys,
      fences_count_when_they_end_on_a_stack_of_their_own,
      an_end_with_another_handle_consumes_a_start,
      copies_have_bytes_and_what_they_are,
      bytes_saturate_with_a_flag,
      regions_are_a_tree,
      more_pops_than_pushes_name_the_last_region,
      steps_take_what_is_in_them,
      a_step_within_a_step_is_part_of_it,
      a_reset_inside_a_kernel_forgets_it,
      without_memory_ends_still_find_their_begins,
      ends_and_copies_of_known_pairs_do_not_allocate,
  };
  return RUN_SUITE("kokkos_calls", tests);
}
