/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef MEASURE_COST_COMPARISON_H
#define MEASURE_COST_COMPARISON_H

#include <stddef.h>
#include <stdint.h>

#include <tactus/runtime/error.h>
#include <tactus/runtime/memory.h>

/* A batch that has been seen, with what a model says of its items. */
struct tac_seen_batch {
  size_t count;
  int lanes, ran_inline;
  int64_t wall_ns;
  const int64_t *duration_ns;
  const double *cost;      /* by which it was ordered; NULL: by index */
  const double *predicted; /* seconds */
};

/* Lane time of batches, lanes times how long each takes: as seen, and as list schedules of the items' seen durations. */
struct tac_lane_times {
  int64_t seen_ns;     /* lanes times wall time */
  int64_t recorded_ns; /* in the order in which the items were started */
  int64_t predicted_ns;
  int64_t known_ns; /* longest first, as if durations were known */
  int64_t bound_ns; /* of any schedule */
};

/* The batches of one event. */
struct tac_cost_comparison {
  uint64_t items;                                /* all below */
  double median_ratio, lower_ratio, upper_ratio; /* predicted over seen: median, and the tenth and nine tenths about it */
  double rank_correlation; /* Spearman's within a batch, mean over batches of several items, by their items; 0 without any */
  uint64_t batches;        /* on several lanes; what follows is of these */
  int64_t item_ns;
  struct tac_lane_times times;
};

/* Share of lane time in which no item runs; 0 without any. */
double tac_idle_share(int64_t item_ns, int64_t lane_ns);

/* Seen durations below TAC_COST_SHORTEST_SECONDS count as that in ratios. INVALID: lane times whose sum is no number of 64
 * bits. MEMORY. */
enum tac_status tac_cost_compare(struct tac_cost_comparison *out, const struct tac_seen_batch *batch, size_t batches,
                                 const struct tac_allocator *allocator, struct tac_error *error);

#endif
