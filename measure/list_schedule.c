/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "measure/list_schedule.h"

#include <stdlib.h>
#include <string.h>

/* Indices that differ never tie. */
static int compare_places(const void *left, const void *right, void *costs) {
  const size_t a = *(const size_t *)left, b = *(const size_t *)right;
  const double *cost = costs;
  return cost[a] == cost[b] ? (a > b) - (a < b) : (cost[a] < cost[b]) - (cost[a] > cost[b]);
}

void tac_list_order(size_t *order, const double *cost, size_t count) {
  for (size_t i = 0; i < count; i++)
    order[i] = i;
  if (cost)
    qsort_r(order, count, sizeof *order, compare_places, (void *)cost);
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
