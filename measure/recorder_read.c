/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "measure/recorder.h"
#include "measure/saturate.h"

enum tac_level tac_recorder_level(const struct tac_recorder *recorder) {
  return recorder->options.level;
}

const struct tac_event_set *tac_recorder_events(const struct tac_recorder *recorder) {
  return recorder->options.events;
}

const struct tac_clock *tac_recorder_clock(const struct tac_recorder *recorder) {
  return recorder->options.clock;
}

struct tac_event_stats tac_recorder_stats(const struct tac_recorder *recorder, int event) {
  return tac_recorder_has_event(recorder, event) ? recorder->stats[event] : (struct tac_event_stats){0};
}

struct tac_batch_summary tac_recorder_summary(const struct tac_recorder *recorder, int event) {
  return tac_recorder_has_event(recorder, event) ? recorder->summaries[event] : (struct tac_batch_summary){0};
}

int64_t tac_recorder_origin_ns(const struct tac_recorder *recorder) {
  return recorder->origin_ns;
}

int tac_recorder_has_children(const struct tac_recorder *recorder, int event) {
  const struct tac_event_set *set = recorder->options.events;
  for (size_t i = (size_t)event + 1; i < set->count; i++)
    if (set->events[i].parent == event && recorder->stats[i].count > 0)
      return 1;
  return 0;
}

int64_t tac_recorder_exclusive_ns(const struct tac_recorder *recorder, int event) {
  const struct tac_event_set *set = recorder->options.events;
  if (!tac_recorder_has_event(recorder, event))
    return 0;
  int64_t exclusive_ns = recorder->stats[event].total_ns;
  for (size_t i = (size_t)event + 1; i < set->count; i++)
    if (set->events[i].parent == event)
      exclusive_ns = tac_less_time(exclusive_ns, recorder->stats[i].total_ns);
  return exclusive_ns;
}

int64_t tac_recorder_item_percentile_ns(const struct tac_recorder *recorder, int event, int thousandths) {
  if (!tac_recorder_has_event(recorder, event) || !recorder->histograms[event] || thousandths < 0 || thousandths > 1000)
    return 0;
  return tac_histogram_percentile_ns(recorder->histograms[event], thousandths);
}

const struct tac_timeline_entry *tac_recorder_timeline(const struct tac_recorder *recorder, size_t *count) {
  *count = recorder->timeline.count;
  return *count > 0 ? recorder->timeline.entry : NULL;
}

uint64_t tac_recorder_timeline_dropped(const struct tac_recorder *recorder) {
  return recorder->timeline.dropped;
}

size_t tac_recorder_batch_count(const struct tac_recorder *recorder) {
  return recorder->batch_count;
}

const struct tac_batch_record *tac_recorder_batch(const struct tac_recorder *recorder, size_t number) {
  return number < recorder->batch_count ? &recorder->batches[number].record : NULL;
}

uint64_t tac_recorder_dropped(const struct tac_recorder *recorder) {
  return recorder->dropped;
}

uint64_t tac_recorder_mismatches(const struct tac_recorder *recorder) {
  return recorder->mismatches;
}

/* NULL where its slots are not kept. */
static const struct tac_kept_batch *kept_with_slots(const struct tac_recorder *recorder, size_t number) {
  return number < recorder->batch_count && recorder->batches[number].has_slots ? &recorder->batches[number] : NULL;
}

const struct tac_slot *tac_recorder_slots(const struct tac_recorder *recorder, size_t number, size_t *count) {
  const struct tac_kept_batch *kept = kept_with_slots(recorder, number);
  *count = kept ? (size_t)kept->record.requested : 0;
  return kept ? kept->slots.slot : NULL;
}

const double *tac_recorder_costs(const struct tac_recorder *recorder, size_t number) {
  const struct tac_kept_batch *kept = kept_with_slots(recorder, number);
  return kept && kept->has_costs ? kept->slots.cost : NULL;
}

const double *tac_recorder_terms(const struct tac_recorder *recorder, size_t number, const struct tac_cost_terms **terms) {
  const struct tac_kept_batch *kept = kept_with_slots(recorder, number);
  *terms = kept ? kept->terms : NULL;
  return *terms ? kept->slots.term : NULL;
}

uint64_t tac_recorder_slots_dropped(const struct tac_recorder *recorder) {
  return recorder->slots_dropped;
}

struct tac_device_stats tac_recorder_device_stats(const struct tac_recorder *recorder, int event) {
  return tac_recorder_has_event(recorder, event) ? recorder->device_stats[event] : (struct tac_device_stats){0};
}

int tac_recorder_has_device(const struct tac_recorder *recorder) {
  for (size_t i = 0; i < recorder->options.events->count; i++)
    if (recorder->device_stats[i].commands > 0)
      return 1;
  return 0;
}

static const struct tac_device_store *kept_store(const struct tac_recorder *recorder, size_t number) {
  const struct tac_kept_batch *kept = kept_with_slots(recorder, number);
  return kept ? &kept->device : NULL;
}

const struct tac_device_slot *tac_recorder_device_slots(const struct tac_recorder *recorder, size_t number, size_t *count) {
  const struct tac_device_store *store = kept_store(recorder, number);
  *count = store ? store->slots : 0;
  return *count > 0 ? store->slot : NULL;
}

const struct tac_device_interval *tac_recorder_device_intervals(const struct tac_recorder *recorder, size_t number,
                                                                size_t *count) {
  const struct tac_device_store *store = kept_store(recorder, number);
  *count = store ? store->intervals : 0;
  return *count > 0 ? store->interval : NULL;
}

uint64_t tac_recorder_device_lost(const struct tac_recorder *recorder) {
  return recorder->device_lost;
}
