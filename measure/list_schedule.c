/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "measure/list_schedule.h"

#include <string.h>

/* Whether a stands before b; indices that differ never tie. */
static int goes_first(const double *cost, size_t a, size_t b) {
  return !cost || cost[a] == cost[b] ? a < b : cost[a] > cost[b];
}

/* Below `root` everything stands before it no earlier than its parent: a heap with the last of the order on top. */
static void sink(size_t *order, const double *cost, size_t root, size_t count) {
  const size_t moved = order[root];
  for (size_t child; (child = 2 * root + 1) < count; root = child) {
    if (child + 1 < count && goes_first(cost, order[child], order[child + 1]))
      child++;
    if (!goes_first(cost, moved, order[child]))
      break;
    order[root] = order[child];
  }
  order[root] = moved;
}

void tac_list_order(size_t *order, const double *cost, size_t count) {
  for (size_t i = 0; i < count; i++)
    order[i] = i;
  if (!cost)
    return;
  for (size_t root = count / 2; root-- > 0;)
    sink(order, cost, root, count);
  for (size_t end = count; end-- > 1;) {
    const size_t last = order[0];
    order[0] = order[end];
    order[end] = last;
    sink(order, cost, 0, end);
  }
}

int64_t tac_list_schedule(const int64_t *duration_ns, const size_t *order, size_t count, int lanes, int64_t *free_ns) {
  int64_t end_ns = 0;
  memset(free_ns, 0, (size_t)lanes * sizeof *free_ns);
  for (size_t i = 0; i < count; i++) {
    int first = 0;
    for (int lane = 1; lane < lanes; lane++)
      if (free_ns[lane] < free_ns[first])
        first = lane;
    free_ns[first] += duration_ns[order[i]];
    if (free_ns[first] > end_ns)
      end_ns = free_ns[first];
  }
  return end_ns;
}

int64_t tac_list_bound(const int64_t *duration_ns, size_t count, int lanes) {
  int64_t sum_ns = 0, longest_ns = 0;
  for (size_t i = 0; i < count; i++) {
    sum_ns += duration_ns[i];
    if (duration_ns[i] > longest_ns)
      longest_ns = duration_ns[i];
  }
  const int64_t share_ns = sum_ns / lanes + (sum_ns % lanes != 0);
  return share_ns > longest_ns ? share_ns : longest_ns;
}
