/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "measure/spans.h"

#include <stdlib.h>

static int compare_times(int64_t a_ns, int64_t b_ns) {
  return (a_ns > b_ns) - (a_ns < b_ns);
}

static int compare_spans(const void *a, const void *b) {
  const struct tac_span *left = a, *right = b;
  const int starts = compare_times(left->start_ns, right->start_ns);
  return starts ? starts : compare_times(left->finish_ns, right->finish_ns);
}

static int compare_finishes(const void *a, const void *b) {
  return compare_times(*(const int64_t *)a, *(const int64_t *)b);
}

void tac_spans_sort(struct tac_span *spans, size_t count) {
  if (count > 1)
    qsort(spans, count, sizeof *spans, compare_spans);
}

int64_t tac_spans_sum_ns(const struct tac_span *spans, size_t count) {
  int64_t sum_ns = 0;
  for (size_t i = 0; i < count; i++)
    sum_ns += spans[i].finish_ns - spans[i].start_ns;
  return sum_ns;
}

int64_t tac_spans_union_ns(const struct tac_span *sorted, size_t count) {
  int64_t union_ns = 0, covered_ns = count > 0 ? sorted[0].start_ns : 0;
  for (size_t i = 0; i < count; i++) {
    if (sorted[i].finish_ns <= covered_ns)
      continue;
    union_ns += sorted[i].finish_ns - (sorted[i].start_ns > covered_ns ? sorted[i].start_ns : covered_ns);
    covered_ns = sorted[i].finish_ns;
  }
  return union_ns;
}

uint64_t tac_spans_peak_overlap(const struct tac_span *sorted, size_t count, int64_t *scratch) {
  size_t finishes = 0, finished = 0;
  uint64_t open = 0, peak = 0;
  for (size_t i = 0; i < count; i++)
    if (sorted[i].finish_ns > sorted[i].start_ns)
      scratch[finishes++] = sorted[i].finish_ns;
  if (finishes > 1)
    qsort(scratch, finishes, sizeof *scratch, compare_finishes);
  for (size_t i = 0; i < count; i++) {
    /* Whatever finishes by now started before: its start was counted. */
    for (; finished < finishes && scratch[finished] <= sorted[i].start_ns; finished++)
      open--;
    const int has_length = sorted[i].finish_ns > sorted[i].start_ns;
    if (open + 1 > peak)
      peak = open + 1;
    open += (uint64_t)has_length;
  }
  return peak;
}
