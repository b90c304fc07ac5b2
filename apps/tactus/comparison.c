/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/tactus/comparison.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "apps/tactus/comparison_parts.h"
#include "measure/saturate.h"

static enum tac_status no_memory(struct tac_error *error) {
  return tac_error_set(error, TAC_STATUS_MEMORY, "compare", "no memory to compare the records");
}

static size_t run_count(const struct tac_comparison *comparison) {
  return comparison->sides[TAC_SIDE_BASE].count + comparison->sides[TAC_SIDE_NEW].count;
}

static struct tac_compared_event *find_event(const struct tac_comparison *comparison, const char *name, int parent, int group) {
  for (size_t i = 0; i < comparison->count; i++) {
    struct tac_compared_event *event = &comparison->events[i];
    if (event->parent == parent && event->group == group && strcmp(event->name, name) == 0)
      return event;
  }
  return NULL;
}

static struct tac_compared_event *add_event(struct tac_comparison *comparison, const char *name, int parent, int group) {
  const size_t count = comparison->count, runs = run_count(comparison);
  struct tac_compared_event *larger =
      (count & (count - 1)) == 0 ? realloc(comparison->events, 2 * (count + 1) * sizeof *larger) : comparison->events;
  if (!larger)
    return NULL;
  comparison->events = larger;
  struct tac_compared_event *event = &larger[count];
  *event = (struct tac_compared_event){.name = name, .parent = parent, .group = group};
  event->runs = calloc(runs, sizeof *event->runs);
  if (!event->runs)
    return NULL;
  for (size_t run = 0; run < runs; run++)
    event->runs[run].items = (struct tac_record_items){NAN, NAN, NAN, NAN, NAN, NAN};
  comparison->count++;
  return event;
}

/* Two events of one name in one place are one. */
static void add_run(struct tac_compared_run *run, const struct tac_record_event *event) {
  if (run->stats.count == 0 || event->stats.min_ns < run->stats.min_ns)
    run->stats.min_ns = event->stats.min_ns;
  if (event->stats.max_ns > run->stats.max_ns)
    run->stats.max_ns = event->stats.max_ns;
  run->stats.count += event->stats.count;
  run->stats.total_ns += event->stats.total_ns;
  run->device_busy_ns += event->device.busy_ns;
  run->bytes = tac_sum_counts(run->bytes, event->bytes);
  if (event->batches)
    run->items = event->items;
}

/* Adds one record as one run. `numbers` has room for as many numbers as it has events. */
static int merge_record(struct tac_comparison *comparison, const struct tac_record *record, size_t run, int *numbers) {
  for (size_t i = 0; i < record->event_count; i++) {
    const struct tac_record_event *event = &record->events[i];
    const int parent = event->parent == TAC_NO_EVENT ? TAC_NO_EVENT : numbers[event->parent];
    struct tac_compared_event *merged = find_event(comparison, event->name, parent, event->group);
    if (!merged)
      merged = add_event(comparison, event->name, parent, event->group);
    if (!merged)
      return 0;
    numbers[i] = (int)(merged - comparison->events);
    merged->batches |= event->batches;
    merged->calls = event->calls;
    if (event->stats.count > 0)
      add_run(&merged->runs[run], event);
  }
  return 1;
}

static enum tac_status merge(struct tac_comparison *comparison, struct tac_error *error) {
  size_t run = 0;
  for (int side = 0; side < TAC_SIDES; side++)
    for (size_t i = 0; i < comparison->sides[side].count; i++, run++) {
      const struct tac_record *record = &comparison->sides[side].records[i];
      int *numbers = calloc(record->event_count + 1, sizeof *numbers);
      const int merged = numbers && merge_record(comparison, record, run, numbers);
      free(numbers);
      if (!merged)
        return no_memory(error);
    }
  return TAC_STATUS_OK;
}

static double total_of_group(const struct tac_comparison *comparison, int group, size_t run) {
  double total_ns = 0;
  for (size_t i = 0; i < comparison->count; i++)
    if (comparison->events[i].parent == TAC_NO_EVENT && comparison->events[i].group == group)
      total_ns += (double)comparison->events[i].runs[run].stats.total_ns;
  return total_ns;
}

/* The median over the runs of a side, the first of which is the number `first` of all. */
static double share_of(const struct tac_comparison *comparison, const struct tac_compared_event *event, int side, size_t first,
                       double *values) {
  const size_t count = comparison->sides[side].count;
  for (size_t i = 0; i < count; i++) {
    const int64_t wall_ns = comparison->sides[side].records[i].wall_ns;
    const int group = event->group == TAC_GROUP_REGION_KERNELS ? TAC_GROUP_REGIONS : event->group;
    const double whole = wall_ns > 0 ? (double)wall_ns : total_of_group(comparison, group, first + i);
    values[i] = whole > 0 ? (double)event->runs[first + i].stats.total_ns / whole : 0;
  }
  return tac_spread_of(values, count).median;
}

static enum tac_verdict verdict_of(const struct tac_comparison *comparison, const struct tac_compared_event *event) {
  const size_t base = comparison->sides[TAC_SIDE_BASE].count, with = comparison->sides[TAC_SIDE_NEW].count;
  if (event->count[TAC_SIDE_BASE].median <= 0)
    return TAC_VERDICT_ONLY_NEW;
  if (event->count[TAC_SIDE_NEW].median <= 0)
    return TAC_VERDICT_ONLY_BASE;
  if (!event->time.known)
    return TAC_VERDICT_NO_FIGURE;
  if (base < TAC_VERDICT_RUNS || with < TAC_VERDICT_RUNS)
    return TAC_VERDICT_UNKNOWN;
  const struct tac_spread *side = event->time.side;
  if (side[TAC_SIDE_NEW].least > side[TAC_SIDE_BASE].most)
    return TAC_VERDICT_SLOWER;
  return side[TAC_SIDE_NEW].most < side[TAC_SIDE_BASE].least ? TAC_VERDICT_FASTER : TAC_VERDICT_NOISE;
}

static void judge(struct tac_comparison *comparison, double *values) {
  size_t first = 0;
  for (int side = 0; side < TAC_SIDES; side++) {
    const size_t count = comparison->sides[side].count;
    for (size_t i = 0; i < comparison->count; i++)
      comparison->events[i].share[side] = share_of(comparison, &comparison->events[i], side, first, values);
    first += count;
  }
  for (size_t i = 0; i < comparison->count; i++) {
    struct tac_compared_event *event = &comparison->events[i];
    tac_comparison_figures(comparison, event, values);
    event->verdict = verdict_of(comparison, event);
  }
}

enum tac_status tac_comparison_make(struct tac_comparison *out, const struct tac_runs sides[TAC_SIDES],
                                    const struct tac_comparison_options *options, struct tac_error *error) {
  *out = (struct tac_comparison){.options = options, .sides = sides};
  enum tac_status status = merge(out, error);
  double *values = calloc(run_count(out), sizeof *values);
  out->order = calloc(out->count + 1, sizeof *out->order);
  if (status == TAC_STATUS_OK && values && out->order) {
    judge(out, values);
    status = tac_comparison_select(out, error);
  } else if (status == TAC_STATUS_OK) {
    status = no_memory(error);
  }
  free(values);
  return status;
}

void tac_comparison_release(struct tac_comparison *comparison) {
  for (size_t i = 0; i < comparison->count; i++)
    free(comparison->events[i].runs);
  free(comparison->events);
  free(comparison->order);
  *comparison = (struct tac_comparison){0};
}
