/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef MEASURE_SPANS_H
#define MEASURE_SPANS_H

#include <stddef.h>
#include <stdint.h>

/* A stretch of time, half-open: its finish is not in it. finish_ns >= start_ns. */
struct tac_span {
  int64_t start_ns, finish_ns;
};

/* By start, then by finish. */
void tac_spans_sort(struct tac_span *spans, size_t count);

int64_t tac_spans_sum_ns(const struct tac_span *spans, size_t count);

/* Of sorted spans: the time that lies in at least one. */
int64_t tac_spans_union_ns(const struct tac_span *sorted, size_t count);

/* Of sorted spans: the most that are open at once. What ends when another starts is not open with it. One of zero length counts
 * 1, beside those that are open before and after it, and not beside another of zero length at its instant. `scratch` holds
 * `count` times. */
uint64_t tac_spans_peak_overlap(const struct tac_span *sorted, size_t count, int64_t *scratch);

#endif
