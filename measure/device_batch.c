/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "measure/device_batch.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/device/queue.h"

enum { FIRST_CAPACITY = 64 };

int tac_device_batch_owns(struct tac_measured_lanes lanes) {
  const struct tac_queue *queue = lanes.lane[0].queue;
  return queue && tac_queue_keeps_times(queue) && tac_queue_item(queue) == TAC_QUEUE_NO_ITEM;
}

static void mark(struct tac_measured_lanes lanes, size_t item) {
  for (int k = 0; k < lanes.count; k++)
    tac_queue_set_item(lanes.lane[k].queue, item);
}

void tac_device_batch_mark(struct tac_measured_lanes lanes) {
  mark(lanes, TAC_QUEUE_BATCH);
}

void tac_device_batch_unmark(struct tac_measured_lanes lanes) {
  mark(lanes, TAC_QUEUE_NO_ITEM);
}

int tac_device_batch_reserve(const struct tac_recorder *recorder, struct tac_device_store *store, size_t count) {
  if (count > store->slot_capacity) {
    struct tac_device_slot *larger =
        count <= SIZE_MAX / sizeof *larger ? tac_recorder_allocate(recorder, count * sizeof *larger) : NULL;
    if (!larger)
      return 0;
    tac_recorder_release(recorder, store->slot);
    store->slot = larger;
    store->slot_capacity = count;
  }
  store->slots = count;
  return 1;
}

static int append(const struct tac_recorder *recorder, struct tac_device_store *store,
                  const struct tac_device_interval *interval) {
  if (store->intervals == store->interval_capacity) {
    const size_t capacity = store->interval_capacity ? 2 * store->interval_capacity : FIRST_CAPACITY;
    struct tac_device_interval *larger = tac_recorder_allocate(recorder, capacity * sizeof *larger);
    if (!larger)
      return 0;
    if (store->intervals > 0)
      memcpy(larger, store->interval, store->intervals * sizeof *larger);
    tac_recorder_release(recorder, store->interval);
    store->interval = larger;
    store->interval_capacity = capacity;
  }
  store->interval[store->intervals++] = *interval;
  return 1;
}

static int reserve_scratch(struct tac_recorder *recorder, size_t item_count, size_t interval_count) {
  const size_t bytes = tac_device_record_scratch(item_count, interval_count);
  if (bytes > 0 && bytes <= recorder->device_scratch_bytes)
    return 1;
  void *larger = bytes > 0 ? tac_recorder_allocate(recorder, bytes) : NULL;
  if (!larger)
    return 0;
  tac_recorder_release(recorder, recorder->device_scratch);
  recorder->device_scratch = larger;
  recorder->device_scratch_bytes = bytes;
  return 1;
}

/* Every queue is emptied, also after a failure. */
static int take_lanes(struct tac_recorder *recorder, struct tac_device_store *store, struct tac_measured_lanes lanes) {
  int complete = 1;
  for (int k = 0; k < lanes.count; k++) {
    const struct tac_device_interval *intervals;
    size_t count;
    if (tac_queue_take_intervals(lanes.lane[k].queue, &intervals, &count, NULL) != TAC_STATUS_OK)
      complete = 0;
    for (size_t i = 0; i < count && complete; i++) {
      struct tac_device_interval interval = intervals[i];
      const int between = interval.item == TAC_QUEUE_NO_ITEM;
      if (interval.item == TAC_QUEUE_BATCH)
        interval.item = TAC_COMMAND_NO_ITEM;
      complete = append(recorder, between ? &recorder->between : store, &interval);
    }
  }
  return complete;
}

static void add_stats(struct tac_device_stats *stats, const struct tac_device_record *record) {
  stats->batches += record->commands > 0;
  stats->commands += record->commands;
  stats->total_ns += record->total_ns;
  stats->busy_ns += record->busy_ns;
}

static int compare_starts(const void *a, const void *b) {
  const struct tac_device_interval *left = a, *right = b;
  return (left->start_ns > right->start_ns) - (left->start_ns < right->start_ns);
}

/* A phase has what ran since it was entered, as far as its clock can tell. */
static void add_between(struct tac_recorder *recorder) {
  const struct tac_device_store *between = &recorder->between;
  const int comparable = recorder->options.clock == tac_clock_monotonic();
  if (between->intervals == 0)
    return;
  qsort(between->interval, between->intervals, sizeof *between->interval, compare_starts);
  for (size_t i = 0; i < recorder->depth; i++) {
    const struct tac_open_phase *phase = &recorder->open[i];
    struct tac_device_record record;
    size_t first = 0;
    while (comparable && first < between->intervals && between->interval[first].start_ns < phase->start_ns)
      first++;
    tac_device_record_compute(&record, NULL, 0, between->interval + first, between->intervals - first,
                              recorder->device_scratch);
    add_stats(&recorder->device_stats[phase->event], &record);
  }
}

static void add_batch(struct tac_recorder *recorder, const struct tac_device_record *record, int event) {
  if (event != TAC_NO_EVENT)
    add_stats(&recorder->device_stats[event], record);
  for (size_t i = 0; i < recorder->depth; i++)
    add_stats(&recorder->device_stats[recorder->open[i].event], record);
}

struct tac_device_record tac_device_batch_take(struct tac_recorder *recorder, struct tac_device_store *store,
                                               struct tac_measured_lanes lanes, int event) {
  struct tac_device_record record = {0};
  struct tac_device_store *between = &recorder->between;
  store->intervals = between->intervals = 0;
  const int complete = take_lanes(recorder, store, lanes);
  const size_t most = store->intervals > between->intervals ? store->intervals : between->intervals;
  if (!complete || !reserve_scratch(recorder, store->slots, most)) {
    store->intervals = store->slots = 0;
    recorder->device_lost++;
    return record;
  }
  tac_device_record_compute(&record, store->slot, store->slots, store->interval, store->intervals, recorder->device_scratch);
  add_batch(recorder, &record, event);
  add_between(recorder);
  return record;
}

void tac_device_batch_keep(struct tac_recorder *recorder, struct tac_device_store *store) {
  for (size_t i = 0; i < store->intervals; i++) {
    const size_t number = tac_label_table_add(&recorder->labels, store->interval[i].label);
    store->interval[i].label = number == TAC_NO_LABEL ? "" : recorder->labels.labels[number];
  }
}

enum tac_status tac_measure_sync(struct tac_recorder *recorder, struct tac_measured_lanes lanes, struct tac_error *error) {
  struct tac_queue *queue = lanes.lane[0].queue;
  if (!queue)
    return TAC_STATUS_OK;
  const enum tac_status status = tac_queue_finish(queue, "phase", error);
  if (tac_device_batch_owns(lanes)) {
    recorder->device.slots = 0;
    tac_device_batch_take(recorder, &recorder->device, lanes, TAC_NO_EVENT);
  }
  return status;
}
