/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "measure/histogram.h"

int64_t tac_histogram_least_ns(size_t bucket) {
  const size_t octave = bucket / TAC_HISTOGRAM_STEPS, step = bucket % TAC_HISTOGRAM_STEPS;
  return octave == 0 ? (int64_t)step : (int64_t)(TAC_HISTOGRAM_STEPS + step) << (octave - 1);
}

int64_t tac_histogram_percentile_ns(const struct tac_histogram *histogram, int thousandths) {
  uint64_t total = 0, seen = 0;
  for (size_t bucket = 0; bucket < TAC_HISTOGRAM_BUCKETS; bucket++)
    total += histogram->count[bucket];
  uint64_t rank = total / 1000 * (uint64_t)thousandths + (total % 1000 * (uint64_t)thousandths + 999) / 1000;
  if (rank == 0)
    rank = 1;
  for (size_t bucket = 0; bucket < TAC_HISTOGRAM_BUCKETS; bucket++) {
    seen += histogram->count[bucket];
    if (seen >= rank)
      return tac_histogram_least_ns(bucket);
  }
  return 0;
}
