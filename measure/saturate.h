/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef MEASURE_SATURATE_H
#define MEASURE_SATURATE_H

#include <stdint.h>

/* Sums that stop at the ends of their type: a clock of the caller's or a record from a file may hold any numbers. */

static inline uint64_t tac_sum_counts(uint64_t a, uint64_t b) {
  return b > UINT64_MAX - a ? UINT64_MAX : a + b;
}

static inline int64_t tac_sum_times(int64_t a_ns, int64_t b_ns) {
  if (b_ns > 0 && a_ns > INT64_MAX - b_ns)
    return INT64_MAX;
  if (b_ns < 0 && a_ns < INT64_MIN - b_ns)
    return INT64_MIN;
  return a_ns + b_ns;
}

/* a less b. */
static inline int64_t tac_less_time(int64_t a_ns, int64_t b_ns) {
  if (b_ns < 0 && a_ns > INT64_MAX + b_ns)
    return INT64_MAX;
  if (b_ns > 0 && a_ns < INT64_MIN + b_ns)
    return INT64_MIN;
  return a_ns - b_ns;
}

/* A time that is not negative, so many times. */
static inline int64_t tac_times_of(int64_t time_ns, int count) {
  return count > 0 && time_ns > INT64_MAX / count ? INT64_MAX : time_ns * count;
}

/* The nearest whole number, at most the ends; 0 of none. */
static inline int64_t tac_whole_time(double time_ns) {
  if (!(time_ns < 0x1p63))
    return time_ns > 0 ? INT64_MAX : 0;
  if (time_ns <= -0x1p63)
    return INT64_MIN;
  return (int64_t)(time_ns + (time_ns < 0 ? -0.5 : 0.5));
}

#endif
