/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <tactus/measure/device_counters.h>

#include <pthread.h>
#include <string.h>

#include "tests/support/driven_clock.h"
#include "tests/unit/suite.h"

static struct driven_clock driven;

static struct tac_device_counters *create(void) {
  struct tac_device_counters_options options;
  struct tac_device_counters *counters;
  tac_device_counters_options_init(&options);
  driven_clock_init(&driven, 1000, 0);
  options.clock = &driven.clock;
  ck_assert_int_eq(tac_device_counters_create(&counters, &options, NULL), TAC_STATUS_OK);
  return counters;
}

static void begin_scope(struct tac_device_counters *counters) {
  ck_assert_int_eq(tac_device_scope_begin(counters, NULL), TAC_STATUS_OK);
  ck_assert_ptr_eq(tac_device_scope(), counters);
}

static void end_scope(struct tac_device_counters *counters) {
  ck_assert_int_eq(tac_device_scope_end(counters, NULL), TAC_STATUS_OK);
}

static void launch(const char *label, int64_t duration_ns) {
  uint64_t handle;
  tac_device_launch_begin(label, &handle);
  driven_clock_advance(&driven, duration_ns);
  tac_device_launch_end(handle);
}

static uint64_t launched(const struct tac_device_counters *counters) {
  return tac_device_counters_total(counters, TAC_DEVICE_LAUNCHES).count;
}

START_TEST(without_a_scope_handles_are_zero_and_nothing_happens) {
  uint64_t launch_handle = 5, fence_handle = 6;
  tac_device_launch_begin("a", &launch_handle);
  tac_device_fence_begin("b", &fence_handle);
  ck_assert_uint_eq(launch_handle, 0);
  ck_assert_uint_eq(fence_handle, 0);
  tac_device_launch_end(3);
  tac_device_fence_end(4);
  tac_device_copy(TAC_COPY_TO_HOST, 100);
  ck_assert_ptr_null(tac_device_scope());
}
END_TEST

START_TEST(callbacks_reach_the_set_of_the_scope) {
  struct tac_device_counters *counters = create();
  uint64_t handle = 9;
  launch("before", 1);
  begin_scope(counters);
  launch("a", 2);
  tac_device_launch_begin("b", &handle);
  ck_assert_uint_eq(handle, 1);
  tac_device_launch_end(handle);
  tac_device_fence_begin("f", &handle);
  ck_assert_uint_eq(handle, 0);
  driven_clock_advance(&driven, 5);
  tac_device_fence_end(handle);
  tac_device_copy(TAC_COPY_TO_DEVICE, 64);
  end_scope(counters);
  launch("after", 3);
  ck_assert_ptr_null(tac_device_scope());
  ck_assert_uint_eq(launched(counters), 2);
  ck_assert_int_eq(tac_device_counters_find(counters, TAC_DEVICE_LAUNCHES, "a").total_ns, 2);
  ck_assert_int_eq(tac_device_counters_find(counters, TAC_DEVICE_FENCES, "f").total_ns, 5);
  ck_assert_uint_eq(tac_device_counters_copies(counters, TAC_COPY_TO_DEVICE).bytes, 64);
  ck_assert_uint_eq(tac_device_counters_mismatches(counters), 0);
  tac_device_counters_destroy(&counters);
}
END_TEST

START_TEST(the_innermost_scope_receives) {
  struct tac_device_counters *outer = create(), *inner = create();
  uint64_t handle;
  begin_scope(outer);
  tac_device_launch_begin("around", &handle);
  begin_scope(inner);
  launch("within", 4);
  launch("within", 4);
  end_scope(inner);
  ck_assert_ptr_eq(tac_device_scope(), outer);
  tac_device_launch_end(handle);
  end_scope(outer);
  ck_assert_uint_eq(launched(outer), 1);
  ck_assert_uint_eq(launched(inner), 2);
  ck_assert_int_eq(tac_device_counters_find(outer, TAC_DEVICE_LAUNCHES, "around").total_ns, 8);
  ck_assert_uint_eq(tac_device_counters_mismatches(outer) + tac_device_counters_mismatches(inner), 0);
  tac_device_counters_destroy(&outer);
  tac_device_counters_destroy(&inner);
}
END_TEST

/* What a scope leaves open must not be there in the next one, where an end would find it. */
START_TEST(the_end_of_a_scope_drops_what_is_open) {
  struct tac_device_counters *counters = create();
  uint64_t handle, before;
  tac_device_counters_launch_begin(counters, "before", &before);
  begin_scope(counters);
  tac_device_launch_begin("a", &handle);
  tac_device_launch_begin("b", &handle);
  tac_device_fence_begin("f", &handle);
  end_scope(counters);
  ck_assert_uint_eq(tac_device_counters_mismatches(counters), 3);
  driven_clock_advance(&driven, 7);
  tac_device_counters_launch_end(counters, before);
  ck_assert_uint_eq(tac_device_counters_mismatches(counters), 3);
  ck_assert_int_eq(tac_device_counters_find(counters, TAC_DEVICE_LAUNCHES, "before").total_ns, 7);
  ck_assert_uint_eq(tac_device_counters_find(counters, TAC_DEVICE_LAUNCHES, "a").timed, 0);
  begin_scope(counters);
  tac_device_launch_end(0);
  end_scope(counters);
  ck_assert_uint_eq(tac_device_counters_mismatches(counters), 4);
  tac_device_counters_destroy(&counters);
}
END_TEST

START_TEST(scopes_out_of_order_are_refused) {
  struct tac_device_counters *outer = create(), *inner = create();
  struct tac_error error;
  ck_assert_int_eq(tac_device_scope_begin(NULL, &error), TAC_STATUS_INVALID);
  ck_assert_int_eq(tac_device_scope_end(NULL, &error), TAC_STATUS_INVALID);
  ck_assert_int_eq(tac_device_scope_end(outer, &error), TAC_STATUS_INVALID);
  begin_scope(outer);
  ck_assert_int_eq(tac_device_scope_begin(outer, &error), TAC_STATUS_BUSY);
  ck_assert_ptr_nonnull(strstr(error.text, "in a scope already"));
  begin_scope(inner);
  ck_assert_int_eq(tac_device_scope_end(outer, &error), TAC_STATUS_INVALID);
  ck_assert_ptr_eq(tac_device_scope(), inner);
  end_scope(inner);
  end_scope(outer);
  begin_scope(outer); /* again */
  end_scope(outer);
  tac_device_counters_destroy(&outer);
  tac_device_counters_destroy(&inner);
}
END_TEST

START_TEST(a_destroyed_set_leaves_the_stack) {
  struct tac_device_counters *first = create(), *second = create(), *third = create();
  begin_scope(first);
  begin_scope(second);
  begin_scope(third);
  tac_device_counters_destroy(&second);
  ck_assert_ptr_eq(tac_device_scope(), third);
  tac_device_counters_destroy(&third);
  ck_assert_ptr_eq(tac_device_scope(), first);
  launch("a", 1);
  ck_assert_uint_eq(launched(first), 1);
  end_scope(first);
  tac_device_counters_destroy(&first);
}
END_TEST

struct other_thread {
  struct tac_device_counters *counters, *taken;
  int launches, had_none;
  enum tac_status busy;
};

static void *launch_elsewhere(void *context) {
  struct other_thread *other = context;
  uint64_t handle = 3;
  tac_device_launch_begin("nowhere", &handle);
  other->had_none = tac_device_scope() == NULL && handle == 0;
  other->busy = tac_device_scope_begin(other->taken, NULL);
  if (tac_device_scope_begin(other->counters, NULL) != TAC_STATUS_OK)
    return NULL;
  for (int i = 0; i < other->launches; i++) {
    tac_device_launch_begin(i % 2 ? "odd" : "even", &handle);
    tac_device_launch_end(handle);
  }
  tac_device_scope_end(other->counters, NULL);
  return NULL;
}

START_TEST(each_thread_has_scopes_of_its_own) {
  enum { THREADS = 4 };
  pthread_t threads[THREADS];
  struct other_thread others[THREADS];
  struct tac_device_counters *counters = create();
  begin_scope(counters);
  for (int i = 0; i < THREADS; i++)
    others[i] = (struct other_thread){.counters = create(), .taken = counters, .launches = 1000 + i};
  for (int i = 0; i < THREADS; i++)
    ck_assert_int_eq(pthread_create(&threads[i], NULL, launch_elsewhere, &others[i]), 0);
  for (int i = 0; i < 500; i++)
    launch("here", 1);
  for (int i = 0; i < THREADS; i++) {
    ck_assert_int_eq(pthread_join(threads[i], NULL), 0);
    ck_assert_int_eq(others[i].had_none, 1);
    ck_assert_int_eq(others[i].busy, TAC_STATUS_BUSY);
    ck_assert_uint_eq(launched(others[i].counters), 1000 + (uint64_t)i);
    ck_assert_uint_eq(tac_device_counters_mismatches(others[i].counters), 0);
    tac_device_counters_destroy(&others[i].counters);
  }
  end_scope(counters);
  ck_assert_uint_eq(launched(counters), 500);
  tac_device_counters_destroy(&counters);
}
END_TEST

int main(void) {
  const TTest *const tests[] = {
      without_a_scope_handles_are_zero_and_nothing_happens,
      callbacks_reach_the_set_of_the_scope,
      the_innermost_scope_receives,
      the_end_of_a_scope_drops_what_is_open,
      scopes_out_of_order_are_refused,
      a_destroyed_set_leaves_the_stack,
      each_thread_has_scopes_of_its_own,
  };
  return RUN_SUITE("device_scope", tests);
}
