/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "scheduler/order.h"

#include <math.h>
#include <stdint.h>

struct key {
  double cost;
  size_t index;
};

enum { RUN_LENGTH = 16 }; /* runs this short are sorted by insertion before merging starts */

size_t tac_order_bytes(size_t count) {
  const size_t bytes = 2 * sizeof(struct key) + sizeof(size_t);
  return count <= SIZE_MAX / bytes ? count * bytes : 0;
}

/* Equal costs keep their order under both sorts, so ties stay in the order of the indices. */
static void sort_run(struct key *key, size_t count) {
  for (size_t i = 1; i < count; i++) {
    const struct key moved = key[i];
    size_t hole = i;
    for (; hole > 0 && key[hole - 1].cost < moved.cost; hole--)
      key[hole] = key[hole - 1];
    key[hole] = moved;
  }
}

static void merge(struct key *out, const struct key *left, size_t left_count, const struct key *right, size_t right_count) {
  size_t l = 0, r = 0;
  while (l < left_count && r < right_count)
    *out++ = left[l].cost >= right[r].cost ? left[l++] : right[r++];
  while (l < left_count)
    *out++ = left[l++];
  while (r < right_count)
    *out++ = right[r++];
}

/* Returns whichever of the two arrays holds the sorted keys. */
static const struct key *sort(struct key *key, struct key *other, size_t count) {
  for (size_t first = 0; first < count; first += RUN_LENGTH)
    sort_run(key + first, count - first < RUN_LENGTH ? count - first : RUN_LENGTH);
  for (size_t width = RUN_LENGTH; width < count; width *= 2) {
    for (size_t first = 0; first < count; first += 2 * width) {
      const size_t left = count - first < width ? count - first : width;
      const size_t rest = count - first - left;
      merge(other + first, key + first, left, key + first + left, rest < width ? rest : width);
    }
    struct key *const sorted = other;
    other = key;
    key = sorted;
  }
  return key;
}

enum tac_status tac_order_by_cost(const size_t **order, double *total, void *memory, const struct tac_batch *batch,
                                  struct tac_error *error) {
  const size_t count = batch->count;
  struct key *key = memory;
  size_t *index = (size_t *)(key + 2 * count);
  double sum = 0;
  for (size_t i = 0; i < count; i++) {
    const double cost = batch->cost(batch->context, i);
    if (!isfinite(cost) || cost < 0) {
      const enum tac_status status = tac_error_set(error, TAC_STATUS_INVALID, "batch",
                                                   "item %zu has the cost %g; a cost is finite and not negative", i, cost);
      if (error)
        error->item = i;
      return status;
    }
    key[i] = (struct key){cost, i};
    sum += cost;
  }
  const struct key *sorted = sort(key, key + count, count);
  for (size_t i = 0; i < count; i++)
    index[i] = sorted[i].index;
  *order = index;
  *total = sum;
  return TAC_STATUS_OK;
}
