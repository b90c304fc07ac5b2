/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef MEASURE_HISTOGRAM_H
#define MEASURE_HISTOGRAM_H

#include <stddef.h>
#include <stdint.h>

/* Durations in buckets that are sixteen to each power of two, and 1 ns wide below 32 ns. */
enum { TAC_HISTOGRAM_STEP_BITS = 4, TAC_HISTOGRAM_STEPS = 1 << TAC_HISTOGRAM_STEP_BITS, TAC_HISTOGRAM_BUCKETS = 960 };

struct tac_histogram {
  uint64_t count[TAC_HISTOGRAM_BUCKETS];
};

/* The bucket of a duration, and the shortest duration of a bucket. A negative duration counts as 0. */
static inline size_t tac_histogram_bucket(int64_t duration_ns) {
  const uint64_t ns = duration_ns > 0 ? (uint64_t)duration_ns : 0;
  if (ns < TAC_HISTOGRAM_STEPS)
    return (size_t)ns;
  const int power = 63 - __builtin_clzll(ns); /* 2^power <= ns */
  const size_t step = (size_t)(ns >> (power - TAC_HISTOGRAM_STEP_BITS)) - TAC_HISTOGRAM_STEPS;
  return (size_t)(power - TAC_HISTOGRAM_STEP_BITS + 1) * TAC_HISTOGRAM_STEPS + step;
}
int64_t tac_histogram_least_ns(size_t bucket);

static inline void tac_histogram_add(struct tac_histogram *histogram, int64_t duration_ns) {
  histogram->count[tac_histogram_bucket(duration_ns)]++;
}

/* The shortest duration of the bucket that holds the last of so many thousandths of all, rounded up and at least one; 0 of
 * none. */
int64_t tac_histogram_percentile_ns(const struct tac_histogram *histogram, int thousandths);

#endif
