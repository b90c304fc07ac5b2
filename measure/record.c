/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <tactus/measure/record.h>

#include <string.h>

double tac_event_stats_mean_ns(const struct tac_event_stats *stats) {
  return stats->count ? (double)stats->total_ns / (double)stats->count : 0;
}

double tac_batch_summary_idle_share(const struct tac_batch_summary *summary) {
  if (summary->lane_wall_ns <= 0)
    return 0;
  const double share = 1 - (double)summary->item_total_ns / (double)summary->lane_wall_ns;
  return share > 0 ? share : 0;
}

double tac_batch_summary_imbalance(const struct tac_batch_summary *summary) {
  if (summary->submissions > 0 || !(summary->lane_busy_mean_ns > 0))
    return 0;
  return (double)summary->lane_busy_max_ns / summary->lane_busy_mean_ns;
}

/* The place of a sequence number in the scratch. Only an index started twice pushes numbers beyond two an item; they share
 * the last place, where a start and a finish cancel. */
static size_t place_of(uint64_t sequence, size_t count) {
  return sequence <= 2 * count ? (size_t)sequence : 2 * count;
}

/* Walks through all starts and finishes in the order of their sequence numbers. */
static uint64_t peak_overlap(const struct tac_slot *slots, size_t count, signed char *step) {
  memset(step, 0, 2 * count + 1);
  for (size_t i = 0; i < count; i++) {
    if (slots[i].start_sequence)
      step[place_of(slots[i].start_sequence, count)]++;
    if (slots[i].finish_sequence)
      step[place_of(slots[i].finish_sequence, count)]--;
  }
  int64_t running = 0, peak = 0;
  for (size_t place = 1; place <= 2 * count; place++) {
    running += step[place];
    if (running > peak)
      peak = running;
  }
  return (uint64_t)peak;
}

struct extremes {
  int64_t first_start_ns, last_start_ns, first_finish_ns, last_finish_ns;
};

static void add_slot(struct tac_batch_record *record, struct extremes *extremes, const struct tac_slot *slot, size_t index) {
  if (!slot->start_sequence)
    return;
  if (record->started++ == 0)
    extremes->first_start_ns = extremes->last_start_ns = slot->start_ns;
  if (slot->start_ns < extremes->first_start_ns)
    extremes->first_start_ns = slot->start_ns;
  if (slot->start_ns > extremes->last_start_ns)
    extremes->last_start_ns = slot->start_ns;
  if (!slot->finish_sequence)
    return;
  const int64_t duration_ns = slot->finish_ns - slot->start_ns;
  if (record->completed++ == 0) {
    extremes->first_finish_ns = extremes->last_finish_ns = slot->finish_ns;
    record->item_max_ns = duration_ns;
    record->slowest_index = index;
  }
  if (slot->finish_ns < extremes->first_finish_ns)
    extremes->first_finish_ns = slot->finish_ns;
  if (slot->finish_ns > extremes->last_finish_ns)
    extremes->last_finish_ns = slot->finish_ns;
  record->item_total_ns += duration_ns;
  if (duration_ns > record->item_max_ns) {
    record->item_max_ns = duration_ns;
    record->slowest_index = index;
  }
}

enum tac_status tac_batch_record_compute(struct tac_batch_record *out, const struct tac_slot *slots, size_t count,
                                         int64_t begin_ns, int64_t end_ns, signed char *scratch, struct tac_error *error) {
  struct tac_batch_record record = {.event = out->event,
                                    .number = out->number,
                                    .lanes = out->lanes,
                                    .ran_inline = out->ran_inline,
                                    .status = out->status,
                                    .submission = out->submission,
                                    .device = out->device,
                                    .requested = count,
                                    .begin_ns = begin_ns,
                                    .wall_ns = count > 0 ? end_ns - begin_ns : 0};
  struct extremes extremes = {0};
  size_t twice = count;
  for (size_t i = 0; i < count; i++) {
    add_slot(&record, &extremes, &slots[i], i);
    if (slots[i].starts > 1 && twice == count)
      twice = i;
  }
  if (record.started) {
    record.first_start_delay_ns = extremes.first_start_ns - begin_ns;
    record.start_spread_ns = extremes.last_start_ns - extremes.first_start_ns;
    record.peak_overlap = peak_overlap(slots, count, scratch);
  }
  if (record.completed) {
    record.finish_spread_ns = extremes.last_finish_ns - extremes.first_finish_ns;
    record.return_after_last_finish_ns = end_ns - extremes.last_finish_ns;
  }
  *out = record;
  if (twice == count)
    return TAC_STATUS_OK;
  const enum tac_status status =
      tac_error_set(error, TAC_STATUS_CONTRACT, "batch", "item %zu was started %u times", twice, (unsigned)slots[twice].starts);
  if (error)
    error->item = twice;
  return status;
}
