/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <pthread.h>
#include <string.h>

#include "measure/kokkos/counters.h"
#include "tests/unit/kokkos_set.h"

static uint64_t launches(const struct tac_kokkos_counters *counters) {
  return tac_kokkos_counters_total(counters, TAC_KOKKOS_KERNELS).count;
}

START_TEST(without_a_scope_handles_are_zero_and_nothing_happens) {
  uint32_t section = 5;
  ck_assert_uint_eq(begin("a"), 0);
  ck_assert_uint_eq(begin_fence("a"), 0);
  tac_kokkos_end_fence(3);
  end(4);
  copy("Host", "Cuda", 1, 0);
  tac_kokkos_pop_region();
  tac_kokkos_push_region("a");
  tac_kokkos_pop_region();
  tac_kokkos_allocate("Host", 1);
  tac_kokkos_deallocate("Host", 1);
  tac_kokkos_create_section("a", &section);
  tac_kokkos_start_section(section);
  tac_kokkos_stop_section(section);
  tac_kokkos_destroy_section(section);
  tac_kokkos_mark("a");
  ck_assert_ptr_null(tac_kokkos_scope());
}
END_TEST

START_TEST(the_innermost_scope_receives) {
  struct tac_kokkos_counters *outer = enter_set(), *inner = create_set();
  const uint64_t around = begin("around");
  ck_assert_int_eq(tac_kokkos_scope_begin(inner, NULL), TAC_STATUS_OK);
  ck_assert_ptr_eq(tac_kokkos_scope(), inner);
  launch("within", 4);
  leave_set(&inner);
  ck_assert_ptr_eq(tac_kokkos_scope(), outer);
  end(around);
  ck_assert_uint_eq(launches(outer), 1);
  ck_assert_int_eq(kernel(outer, 0).total_ns, 4);
  leave_set(&outer);
}
END_TEST

/* What a removed set had open is of no concern to the set that receives then, though it has open what looks the same. */
START_TEST(ends_of_a_removed_set_do_nothing) {
  static const char target, source;
  struct tac_kokkos_counters *outer = enter_set(), *inner = create_set();
  const uint64_t outer_kernel = begin("same"), outer_fence = begin_fence("same");
  tac_kokkos_push_region("outer");
  tac_kokkos_begin_copy("Host", "", &target, "Cuda", "", &source, 1);
  ck_assert_int_eq(tac_kokkos_scope_begin(inner, NULL), TAC_STATUS_OK);
  const uint64_t kernel_handle = begin("same"), fence_handle = begin_fence("same");
  tac_kokkos_push_region("inner");
  tac_kokkos_begin_copy("Host", "", &target, "Cuda", "", &source, 1);
  ck_assert_int_eq(tac_kokkos_scope_end(inner, NULL), TAC_STATUS_OK);
  ck_assert_uint_eq(tac_kokkos_counters_mismatches(inner).unfinished, 4);
  driven_clock_advance(&driven, 20);
  tac_kokkos_end_copy();
  tac_kokkos_pop_region();
  tac_kokkos_end_fence(fence_handle);
  end(kernel_handle);
  ck_assert_uint_eq(tac_kokkos_counters_mismatches(outer).unfinished, 4); /* all still open */
  tac_kokkos_end_copy();
  tac_kokkos_pop_region();
  tac_kokkos_end_fence(outer_fence);
  end(outer_kernel);
  const struct tac_kokkos_mismatches all = tac_kokkos_counters_mismatches(outer);
  ck_assert_uint_eq(all.kernels + all.fences + all.copies + all.regions + all.unfinished, 0);
  ck_assert_int_eq(kernel(outer, 0).total_ns, 20);
  ck_assert_int_eq(region(outer, 0).total_ns, 20);
  ck_assert_uint_eq(kernel(inner, 0).timed, 0);
  tac_kokkos_counters_destroy(&inner);
  leave_set(&outer);
}
END_TEST

/* A destroyed set whose end comes in a scope begun later. */
START_TEST(ends_in_a_later_scope_do_nothing) {
  struct tac_kokkos_counters *first = enter_set();
  const uint64_t handle = begin("a");
  tac_kokkos_push_region("r");
  tac_kokkos_counters_destroy(&first);
  ck_assert_ptr_null(tac_kokkos_scope());
  struct tac_kokkos_counters *second = enter_set();
  const uint64_t own = begin("a");
  tac_kokkos_pop_region();
  end(handle);
  end(own);
  ck_assert_uint_eq(kernel(second, 0).timed, 1);
  const struct tac_kokkos_mismatches all = tac_kokkos_counters_mismatches(second);
  ck_assert_uint_eq(all.kernels + all.regions + all.unfinished, 0);
  leave_set(&second);
}
END_TEST

/* A region that was pushed before the scope is not in it, and its pop is no mismatch. */
START_TEST(a_region_around_a_scope_is_not_in_it) {
  tac_kokkos_push_region("around");
  struct tac_kokkos_counters *counters = enter_set();
  tac_kokkos_push_region("within");
  tac_kokkos_pop_region();
  tac_kokkos_pop_region();
  ck_assert_uint_eq(tac_kokkos_counters_mismatches(counters).regions, 0);
  tac_kokkos_pop_region();
  ck_assert_uint_eq(tac_kokkos_counters_mismatches(counters).regions, 1);
  ck_assert_uint_eq(tac_kokkos_counters_rows(counters, TAC_KOKKOS_REGIONS), 1);
  leave_set(&counters);
}
END_TEST

START_TEST(scopes_out_of_order_are_refused) {
  struct tac_kokkos_counters *outer = enter_set(), *inner = create_set();
  struct tac_error error;
  ck_assert_int_eq(tac_kokkos_scope_begin(NULL, &error), TAC_STATUS_INVALID);
  ck_assert_int_eq(tac_kokkos_scope_end(inner, &error), TAC_STATUS_INVALID);
  ck_assert_int_eq(tac_kokkos_scope_begin(outer, &error), TAC_STATUS_BUSY);
  ck_assert_ptr_nonnull(strstr(error.text, "in a scope already"));
  ck_assert_int_eq(tac_kokkos_scope_begin(inner, NULL), TAC_STATUS_OK);
  ck_assert_int_eq(tac_kokkos_scope_end(outer, &error), TAC_STATUS_INVALID);
  leave_set(&inner);
  leave_set(&outer);
}
END_TEST

struct elsewhere {
  struct tac_kokkos_counters *counters;
  uint64_t foreign;
};

static void *end_elsewhere(void *context) {
  struct elsewhere *elsewhere = context;
  if (tac_kokkos_scope_begin(elsewhere->counters, NULL) != TAC_STATUS_OK)
    return NULL;
  const uint64_t own = begin("a");
  end(elsewhere->foreign);
  end(own);
  for (int i = 0; i < 1000; i++)
    end(begin("b"));
  tac_kokkos_scope_end(elsewhere->counters, NULL);
  return NULL;
}

START_TEST(an_end_on_another_thread_is_a_mismatch_there) {
  pthread_t thread;
  struct tac_kokkos_counters *here = enter_set();
  struct elsewhere elsewhere = {.foreign = begin("a")};
  ck_assert_int_eq(tac_kokkos_counters_create(&elsewhere.counters, NULL, NULL), TAC_STATUS_OK); /* an allocator of its own */
  ck_assert_int_eq(pthread_create(&thread, NULL, end_elsewhere, &elsewhere), 0);
  for (int i = 0; i < 1000; i++)
    launch("b", 1);
  ck_assert_int_eq(pthread_join(thread, NULL), 0);
  ck_assert_uint_eq(tac_kokkos_counters_mismatches(elsewhere.counters).kernels, 1);
  ck_assert_uint_eq(tac_kokkos_counters_mismatches(elsewhere.counters).unfinished, 0);
  ck_assert_uint_eq(kernel(elsewhere.counters, 0).timed, 1);
  ck_assert_uint_eq(kernel(elsewhere.counters, 1).count, 1000);
  end(elsewhere.foreign);
  ck_assert_uint_eq(kernel(here, 0).timed, 1);
  ck_assert_uint_eq(tac_kokkos_counters_mismatches(here).kernels, 0);
  ck_assert_int_eq(tac_kokkos_counters_merge(here, elsewhere.counters, NULL), TAC_STATUS_OK);
  ck_assert_uint_eq(kernel(here, 0).count, 2);
  ck_assert_uint_eq(kernel(here, 1).count, 2000);
  ck_assert_uint_eq(tac_kokkos_counters_mismatches(here).kernels, 1);
  tac_kokkos_counters_destroy(&elsewhere.counters);
  leave_set(&here);
}
END_TEST

START_TEST(a_section_that_is_started_while_it_is_stopped_takes_no_time) {
  struct tac_kokkos_counters *counters = enter_set();
  uint32_t section;
  int64_t start_ns = 0;
  tac_kokkos_create_section("s", &section);
  const int64_t stop_ns = driven.clock.now_ns(driven.clock.context);
  driven_clock_advance(&driven, 7);
  tac_kokkos_start_section(section);
  ck_assert_str_eq(tac_ledger_section_stop(counters->ledger, section, stop_ns, &start_ns), "s");
  ck_assert_int_eq(start_ns, stop_ns);
  const struct tac_kokkos_section row = tac_kokkos_counters_section(counters, 0);
  ck_assert_uint_eq(row.count, 1);
  ck_assert_int_eq(row.total_ns, 0);
  ck_assert_int_eq(row.min_ns, 0);
  ck_assert_int_eq(row.max_ns, 0);
  leave_set(&counters);
}
END_TEST

int main(void) {
  const TTest *const tests[] = {
      without_a_scope_handles_are_zero_and_nothing_happens,
      the_innermost_scope_receives,
      ends_of_a_removed_set_do_nothing,
      ends_in_a_later_scope_do_nothing,
      a_region_around_a_scope_is_not_in_it,
      scopes_out_of_order_are_refused,
      an_end_on_another_thread_is_a_mismatch_there,
      a_section_that_is_started_while_it_is_stopped_takes_no_time,
  };
  return RUN_SUITE("kokkos_scope", tests);
}
