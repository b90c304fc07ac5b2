/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef MEASURE_HISTOGRAM_H
#define MEASURE_HISTOGRAM_H

#include <stddef.h>
#include <stdint.h>

/* Durations in buckets that are sixteen to each power of two, and 1 ns wide below 32 ns. */
enum { TAC_HISTOGRAM_STEPS = 16, TAC_HISTOGRAM_BUCKETS = 960 };

struct tac_histogram {
  uint64_t total;
  uint64_t count[TAC_HISTOGRAM_BUCKETS];
};

/* The bucket of a duration, and the shortest duration of a bucket. A negative duration counts as 0. */
size_t tac_histogram_bucket(int64_t duration_ns);
int64_t tac_histogram_least_ns(size_t bucket);

static inline void tac_histogram_add(struct tac_histogram *histogram, int64_t duration_ns) {
  histogram->count[tac_histogram_bucket(duration_ns)]++;
  histogram->total++;
}

/* The shortest duration of the bucket that holds the last of so many thousandths of all, rounded up and at least one; 0 of
 * none. */
int64_t tac_histogram_percentile_ns(const struct tac_histogram *histogram, int thousandths);

#endif
