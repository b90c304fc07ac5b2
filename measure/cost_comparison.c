/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "measure/cost_comparison.h"

#include <math.h>
#include <stdlib.h>

#include <tactus/measure/cost_fit.h>

#include "measure/list_schedule.h"

#define MOST_NS 0x1p62 /* so that no sum of lane times overflows */

/* Room for the largest batch, and for the ratios of all items. */
struct scratch {
  double *ratio;
  double *rank[2], *real; /* ranks of predicted and seen; seen durations as real numbers */
  size_t *order;
  int64_t *free_ns;
};

double tac_idle_share(int64_t item_ns, int64_t lane_ns) {
  return lane_ns > 0 ? 1 - (double)item_ns / (double)lane_ns : 0;
}

static int compare_numbers(const void *left, const void *right) {
  const double a = *(const double *)left, b = *(const double *)right;
  return (a > b) - (a < b);
}

/* The number below which that share of the sorted ones lies, between neighbours where it falls between. */
static double quantile(const double *sorted, size_t count, double share) {
  const double place = share * (double)(count - 1);
  const size_t below = (size_t)place, above = below + 1 < count ? below + 1 : below;
  return sorted[below] + (place - (double)below) * (sorted[above] - sorted[below]);
}

/* Ranks of the numbers, the largest first; equal ones share the mean of theirs. */
static void rank(double *out, const double *number, size_t *order, size_t count) {
  tac_list_order(order, number, count);
  for (size_t first = 0, end; first < count; first = end) {
    for (end = first + 1; end < count && number[order[end]] == number[order[first]];)
      end++;
    for (size_t i = first; i < end; i++)
      out[order[i]] = 0.5 * (double)(first + end - 1);
  }
}

/* Correlation of the ranks; 0 where all of one are equal. */
static double correlation(const double *a, const double *b, size_t count) {
  const double mean = 0.5 * (double)(count - 1);
  double aa = 0, bb = 0, ab = 0;
  for (size_t i = 0; i < count; i++) {
    aa += (a[i] - mean) * (a[i] - mean);
    bb += (b[i] - mean) * (b[i] - mean);
    ab += (a[i] - mean) * (b[i] - mean);
  }
  return aa > 0 && bb > 0 ? ab / sqrt(aa * bb) : 0;
}

static double rank_correlation(const struct tac_seen_batch *batch, const struct scratch *s) {
  for (size_t i = 0; i < batch->count; i++)
    s->real[i] = (double)batch->duration_ns[i];
  rank(s->rank[0], batch->predicted, s->order, batch->count);
  rank(s->rank[1], s->real, s->order, batch->count);
  return correlation(s->rank[0], s->rank[1], batch->count);
}

/* More lanes than items stay free. */
static int64_t lane_time(const struct tac_seen_batch *batch, const double *cost, const struct scratch *s) {
  const int lanes = (size_t)batch->lanes < batch->count ? batch->lanes : (int)batch->count;
  tac_list_order(s->order, cost, batch->count);
  return batch->lanes * tac_list_schedule(batch->duration_ns, s->order, batch->count, lanes, s->free_ns);
}

static void add_times(struct tac_cost_comparison *out, const struct tac_seen_batch *batch, const struct scratch *s) {
  struct tac_lane_times *times = &out->times;
  out->batches++;
  for (size_t i = 0; i < batch->count; i++) {
    out->item_ns += batch->duration_ns[i];
    s->real[i] = (double)batch->duration_ns[i];
  }
  times->seen_ns += batch->lanes * batch->wall_ns;
  times->recorded_ns += lane_time(batch, batch->cost, s);
  times->predicted_ns += lane_time(batch, batch->predicted, s);
  times->known_ns += lane_time(batch, s->real, s);
  times->bound_ns += batch->lanes * tac_list_bound(batch->duration_ns, batch->count, batch->lanes);
}

static void compare(struct tac_cost_comparison *out, const struct tac_seen_batch *batch, size_t batches,
                    const struct scratch *s) {
  double ranked = 0, items = 0;
  for (size_t b = 0; b < batches; b++) {
    for (size_t i = 0; i < batch[b].count; i++)
      s->ratio[out->items++] = batch[b].predicted[i] / fmax(1e-9 * (double)batch[b].duration_ns[i], TAC_COST_SHORTEST_SECONDS);
    if (batch[b].count > 1) {
      ranked += (double)batch[b].count * rank_correlation(&batch[b], s);
      items += (double)batch[b].count;
    }
    if (batch[b].lanes > 1 && !batch[b].ran_inline)
      add_times(out, &batch[b], s);
  }
  out->rank_correlation = items > 0 ? ranked / items : 0;
  if (out->items == 0)
    return;
  qsort(s->ratio, out->items, sizeof *s->ratio, compare_numbers);
  out->median_ratio = quantile(s->ratio, out->items, 0.5);
  out->lower_ratio = quantile(s->ratio, out->items, 0.1);
  out->upper_ratio = quantile(s->ratio, out->items, 0.9);
}

/* What no sum of lane times exceeds. */
static double most_lane_time(const struct tac_seen_batch *batch, size_t batches) {
  double most_ns = 0;
  for (size_t b = 0; b < batches; b++) {
    double longest_ns = (double)batch[b].wall_ns;
    for (size_t i = 0; i < batch[b].count; i++)
      longest_ns += (double)batch[b].duration_ns[i];
    most_ns += batch[b].lanes * longest_ns;
  }
  return most_ns;
}

enum tac_status tac_cost_compare(struct tac_cost_comparison *out, const struct tac_seen_batch *batch, size_t batches,
                                 const struct tac_allocator *allocator, struct tac_error *error) {
  size_t items = 0, most = 0;
  if (!allocator)
    allocator = tac_allocator_system();
  for (size_t b = 0; b < batches; b++) {
    items += batch[b].count;
    most = batch[b].count > most ? batch[b].count : most;
  }
  *out = (struct tac_cost_comparison){0};
  const double most_ns = most_lane_time(batch, batches);
  if (most_ns > MOST_NS)
    return tac_error_set(error, TAC_STATUS_INVALID, "costs", "batches of %.3g s on their lanes: no run takes that long",
                         1e-9 * most_ns);
  /* One piece: numbers of eight bytes, all of them. */
  const size_t numbers = items + 5 * most;
  double *memory = allocator->allocate(allocator->context, (numbers + 1) * sizeof *memory);
  if (!memory)
    return tac_error_set(error, TAC_STATUS_MEMORY, __func__, "no memory to compare %zu items", items);
  double *const batch_memory = memory + items;
  const struct scratch scratch = {.ratio = memory,
                                  .rank = {batch_memory, batch_memory + most},
                                  .real = batch_memory + 2 * most,
                                  .order = (size_t *)(batch_memory + 3 * most),
                                  .free_ns = (int64_t *)(batch_memory + 4 * most)};
  compare(out, batch, batches, &scratch);
  allocator->release(allocator->context, memory);
  return TAC_STATUS_OK;
}
