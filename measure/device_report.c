/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "measure/device_report.h"

#include <stdlib.h>

#include "measure/device_counters.h"

static int compare_ranks(const void *a, const void *b) {
  const struct tac_ranked_call *left = a, *right = b;
  if (left->calls.total_ns != right->calls.total_ns)
    return left->calls.total_ns > right->calls.total_ns ? -1 : 1;
  return (left->number > right->number) - (left->number < right->number);
}

enum tac_status tac_ranking_create(struct tac_ranking *out, const struct tac_device_counters *counters,
                                   enum tac_device_call_kind kind, const char *where, struct tac_error *error) {
  const struct tac_allocator *allocator = counters->options.allocator;
  const size_t labels = tac_device_counters_labels(counters, kind);
  *out = (struct tac_ranking){0};
  if (labels == 0)
    return TAC_STATUS_OK;
  out->ranked = allocator->allocate(allocator->context, labels * sizeof *out->ranked);
  if (!out->ranked)
    return tac_error_set(error, TAC_STATUS_MEMORY, where, "no memory to order %zu labels", labels);
  for (size_t i = 0; i < labels; i++) {
    const struct tac_device_calls calls = tac_device_counters_at(counters, kind, i);
    if (calls.count > 0)
      out->ranked[out->count++] = (struct tac_ranked_call){calls, i};
  }
  qsort(out->ranked, out->count, sizeof *out->ranked, compare_ranks);
  return TAC_STATUS_OK;
}

void tac_ranking_release(struct tac_ranking *ranking, const struct tac_device_counters *counters) {
  const struct tac_allocator *allocator = counters->options.allocator;
  allocator->release(allocator->context, ranking->ranked);
  *ranking = (struct tac_ranking){0};
}

double tac_device_calls_mean_ns(const struct tac_device_calls *calls) {
  return calls->timed > 0 ? (double)calls->total_ns / (double)calls->timed : 0;
}
