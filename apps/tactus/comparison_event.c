/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <math.h>

#include "apps/tactus/comparison_parts.h"

typedef double (*figure_fn)(const struct tac_compared_run *run);

static double count_of(const struct tac_compared_run *run) {
  return (double)run->stats.count;
}

static double total_of(const struct tac_compared_run *run) {
  return (double)run->stats.total_ns;
}

static double mean_of(const struct tac_compared_run *run) {
  return tac_event_stats_mean_ns(&run->stats);
}

static double min_of(const struct tac_compared_run *run) {
  return (double)run->stats.min_ns;
}

static double device_of(const struct tac_compared_run *run) {
  return (double)run->device_busy_ns;
}

static double bytes_of(const struct tac_compared_run *run) {
  return (double)run->bytes;
}

static double idle_of(const struct tac_compared_run *run) {
  return run->items.idle_share;
}

static double imbalance_of(const struct tac_compared_run *run) {
  return run->items.imbalance;
}

static double p50_of(const struct tac_compared_run *run) {
  return run->items.p50_ns;
}

static double p90_of(const struct tac_compared_run *run) {
  return run->items.p90_ns;
}

static double p99_of(const struct tac_compared_run *run) {
  return run->items.p99_ns;
}

static double longest_of(const struct tac_compared_run *run) {
  return run->items.max_ns;
}

static struct tac_spread spread_of(const struct tac_compared_run *runs, size_t count, figure_fn figure, double *values,
                                   int *known) {
  for (size_t i = 0; i < count; i++) {
    values[i] = figure(&runs[i]);
    if (isnan(values[i])) {
      *known = 0;
      return (struct tac_spread){NAN, NAN, NAN};
    }
  }
  return tac_spread_of(values, count);
}

static struct tac_compared_pair pair_of(const struct tac_comparison *comparison, const struct tac_compared_event *event,
                                        figure_fn figure, double *values) {
  const size_t base = comparison->sides[TAC_SIDE_BASE].count, with = comparison->sides[TAC_SIDE_NEW].count;
  struct tac_compared_pair pair = {.known = 1};
  pair.side[TAC_SIDE_BASE] = spread_of(event->runs, base, figure, values, &pair.known);
  pair.side[TAC_SIDE_NEW] = spread_of(event->runs + base, with, figure, values, &pair.known);
  pair.ratio = tac_ratio_of(&pair.side[TAC_SIDE_BASE], &pair.side[TAC_SIDE_NEW]);
  return pair;
}

static int has_figure(const struct tac_compared_event *event, enum tac_compared_figure figure) {
  switch (figure) {
  case TAC_COMPARE_MEAN:
    return event->calls != TAC_CALLS_MIXED;
  case TAC_COMPARE_MIN:
    return event->calls == TAC_CALLS_TIMED;
  default:
    return 1;
  }
}

static struct tac_compared_pair time_of(const struct tac_comparison *comparison, const struct tac_compared_event *event,
                                        enum tac_compared_figure figure, double *values) {
  static const figure_fn figures[] = {[TAC_COMPARE_TOTAL] = total_of, [TAC_COMPARE_MEAN] = mean_of, [TAC_COMPARE_MIN] = min_of};
  const struct tac_spread none = {NAN, NAN, NAN};
  return has_figure(event, figure) ? pair_of(comparison, event, figures[figure], values)
                                   : (struct tac_compared_pair){{none, none}, {NAN, NAN, NAN}, 0};
}

void tac_comparison_figures(const struct tac_comparison *comparison, struct tac_compared_event *event, double *values) {
  const struct tac_compared_pair counts = pair_of(comparison, event, count_of, values);
  for (int side = 0; side < TAC_SIDES; side++)
    event->count[side] = counts.side[side];
  event->time = time_of(comparison, event, comparison->options->figure, values);
  event->fastest = time_of(comparison, event, TAC_COMPARE_MIN, values);
  event->device = pair_of(comparison, event, device_of, values);
  event->bytes = pair_of(comparison, event, bytes_of, values);
  event->idle = pair_of(comparison, event, idle_of, values);
  event->imbalance = pair_of(comparison, event, imbalance_of, values);
  event->p50 = pair_of(comparison, event, p50_of, values);
  event->p90 = pair_of(comparison, event, p90_of, values);
  event->p99 = pair_of(comparison, event, p99_of, values);
  event->longest = pair_of(comparison, event, longest_of, values);
}
