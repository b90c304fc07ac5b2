/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "measure/batch_summary.h"

#include <string.h>

#include "measure/saturate.h"

static int reserve_histogram(struct tac_recorder *recorder, int event) {
  struct tac_histogram **histogram = &recorder->histograms[event];
  if (*histogram)
    return 1;
  *histogram = tac_recorder_allocate(recorder, sizeof **histogram);
  if (!*histogram)
    return 0;
  memset(*histogram, 0, sizeof **histogram);
  return 1;
}

int tac_batch_summary_reserve(struct tac_recorder *recorder, int event, int lanes) {
  if (!reserve_histogram(recorder, event))
    return 0;
  if ((size_t)lanes <= recorder->lane_capacity)
    return 1;
  int64_t *larger = tac_recorder_allocate(recorder, (size_t)lanes * sizeof *larger);
  if (!larger)
    return 0;
  tac_recorder_release(recorder, recorder->lane_busy_ns);
  recorder->lane_busy_ns = larger;
  recorder->lane_capacity = (size_t)lanes;
  return 1;
}

static int64_t larger(int64_t a, int64_t b) {
  return a > b ? a : b;
}

static void add_device(struct tac_device_summary *summary, const struct tac_device_record *record) {
  summary->batches += record->commands > 0;
  summary->commands += record->commands;
  summary->items += record->items;
  if (record->peak_overlap > summary->peak_overlap)
    summary->peak_overlap = record->peak_overlap;
  summary->wall_ns = tac_sum_times(summary->wall_ns, record->wall_ns);
  summary->total_ns = tac_sum_times(summary->total_ns, record->total_ns);
  summary->busy_ns = tac_sum_times(summary->busy_ns, record->busy_ns);
  summary->item_max_ns = larger(summary->item_max_ns, record->item_max_ns);
}

static void add_record(struct tac_batch_summary *summary, const struct tac_batch_record *record) {
  if (record->completed > 0 && (summary->completed == 0 || record->item_max_ns > summary->item_max_ns)) {
    summary->item_max_ns = record->item_max_ns;
    summary->slowest_batch = record->number;
    summary->slowest_index = record->slowest_index;
  }
  summary->batches++;
  summary->ran_inline += record->ran_inline ? 1 : 0;
  summary->failed += record->status != TAC_STATUS_OK;
  summary->submissions += record->submission ? 1 : 0;
  summary->requested += record->requested;
  summary->started += record->started;
  summary->completed += record->completed;
  if (record->peak_overlap > summary->peak_overlap)
    summary->peak_overlap = record->peak_overlap;
  summary->wall_ns = tac_sum_times(summary->wall_ns, record->wall_ns);
  summary->lane_wall_ns = tac_sum_times(summary->lane_wall_ns, tac_times_of(record->wall_ns, record->lanes));
  summary->item_total_ns = tac_sum_times(summary->item_total_ns, record->item_total_ns);
  summary->first_start_delay_max_ns = larger(summary->first_start_delay_max_ns, record->first_start_delay_ns);
  summary->start_spread_max_ns = larger(summary->start_spread_max_ns, record->start_spread_ns);
  summary->finish_spread_max_ns = larger(summary->finish_spread_max_ns, record->finish_spread_ns);
  summary->return_after_last_finish_ns =
      tac_sum_times(summary->return_after_last_finish_ns, record->return_after_last_finish_ns);
  add_device(&summary->device, &record->device);
}

/* Durations of the completed items, by size and by lane. A lane that took no item was idle, and counts in the mean. */
static void add_items(struct tac_batch_summary *summary, struct tac_recorder *recorder, const struct tac_batch_record *record,
                      const struct tac_slot *slots) {
  struct tac_histogram *histogram = recorder->histograms[record->event];
  int64_t *busy_ns = recorder->lane_busy_ns, busiest_ns = 0;
  memset(busy_ns, 0, (size_t)record->lanes * sizeof *busy_ns);
  for (size_t i = 0; i < (size_t)record->requested; i++) {
    if (!slots[i].finish_sequence)
      continue;
    const int64_t duration_ns = slots[i].finish_ns - slots[i].start_ns;
    tac_histogram_add(histogram, duration_ns);
    if (slots[i].lane >= 0 && slots[i].lane < record->lanes)
      busy_ns[slots[i].lane] += duration_ns;
  }
  for (int lane = 0; lane < record->lanes; lane++)
    busiest_ns = larger(busiest_ns, busy_ns[lane]);
  summary->lane_busy_max_ns = tac_sum_times(summary->lane_busy_max_ns, busiest_ns);
  summary->lane_busy_mean_ns += (double)record->item_total_ns / record->lanes;
}

void tac_batch_summary_add(struct tac_recorder *recorder, const struct tac_batch_record *record, const struct tac_slot *slots) {
  struct tac_batch_summary *summary = &recorder->summaries[record->event];
  add_record(summary, record);
  if (record->lanes > 0)
    add_items(summary, recorder, record, slots);
}
