/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef TESTS_UNIT_KOKKOS_SET_H
#define TESTS_UNIT_KOKKOS_SET_H

#include <tactus/measure/kokkos.h>

#include "tests/support/driven_clock.h"
#include "tests/unit/counting_allocator.h"
#include "tests/unit/suite.h"

/* A set on a clock that the test drives, in a scope of the calling thread. */
static struct driven_clock driven;
static struct counting counting = COUNTING_INIT;
static const struct tac_allocator counting_allocator = COUNTING_ALLOCATOR(&counting);

static inline struct tac_kokkos_counters *create_limited_set(size_t row_limit) {
  struct tac_kokkos_options options;
  struct tac_kokkos_counters *counters = NULL;
  tac_kokkos_options_init(&options);
  options.clock = &driven.clock;
  options.allocator = &counting_allocator;
  options.step = "step";
  options.row_limit = row_limit;
  ck_assert_int_eq(tac_kokkos_counters_create(&counters, &options, NULL), TAC_STATUS_OK);
  return counters;
}

static inline struct tac_kokkos_counters *create_set(void) {
  return create_limited_set(10000);
}

static inline struct tac_kokkos_counters *enter_limited_set(size_t row_limit) {
  driven_clock_init(&driven, 1000, 0);
  struct tac_kokkos_counters *counters = create_limited_set(row_limit);
  ck_assert_int_eq(tac_kokkos_scope_begin(counters, NULL), TAC_STATUS_OK);
  return counters;
}

static inline struct tac_kokkos_counters *enter_set(void) {
  return enter_limited_set(10000);
}

static inline void leave_set(struct tac_kokkos_counters **counters) {
  ck_assert_int_eq(tac_kokkos_scope_end(*counters, NULL), TAC_STATUS_OK);
  tac_kokkos_counters_destroy(counters);
}

static inline uint64_t begin(const char *label) {
  uint64_t handle = 99;
  tac_kokkos_begin_kernel(TAC_KOKKOS_FOR, label, 0, &handle);
  return handle;
}

static inline void end(uint64_t handle) {
  tac_kokkos_end_kernel(TAC_KOKKOS_FOR, handle);
}

static inline void launch(const char *label, int64_t duration_ns) {
  const uint64_t handle = begin(label);
  driven_clock_advance(&driven, duration_ns);
  end(handle);
}

static inline uint64_t begin_fence(const char *label) {
  uint64_t handle = 99;
  tac_kokkos_begin_fence(label, 0, &handle);
  return handle;
}

static inline void copy(const char *to, const char *from, uint64_t bytes, int64_t duration_ns) {
  static const char target, source;
  tac_kokkos_begin_copy(to, "t", &target, from, "s", &source, bytes);
  driven_clock_advance(&driven, duration_ns);
  tac_kokkos_end_copy();
}

static inline struct tac_kokkos_row kernel(const struct tac_kokkos_counters *counters, size_t number) {
  return tac_kokkos_counters_at(counters, TAC_KOKKOS_KERNELS, number);
}

static inline struct tac_kokkos_row fence_row(const struct tac_kokkos_counters *counters, size_t number) {
  return tac_kokkos_counters_at(counters, TAC_KOKKOS_FENCES, number);
}

static inline struct tac_kokkos_row region(const struct tac_kokkos_counters *counters, size_t number) {
  return tac_kokkos_counters_at(counters, TAC_KOKKOS_REGIONS, number);
}

#endif
