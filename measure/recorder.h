/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef MEASURE_RECORDER_H
#define MEASURE_RECORDER_H

#include <stdatomic.h>

#include <tactus/measure/recorder.h>

#include "measure/histogram.h"
#include "measure/label_table.h"
#include "measure/timeline.h"

struct tac_slots {
  struct tac_slot *slot;
  size_t capacity;
  double *cost; /* of each slot's item */
  double *term; /* the first one of all items, then the second … */
  size_t cost_capacity, term_capacity;
};

/* What a batch had done on the device. */
struct tac_device_store {
  struct tac_device_slot *slot;
  size_t slots, slot_capacity;
  struct tac_device_interval *interval;
  size_t intervals, interval_capacity;
};

/* Slots and store stay over a reset for the next batch at this place. */
struct tac_kept_batch {
  struct tac_batch_record record;
  int has_slots, has_costs; /* what of the next two is this batch's */
  const struct tac_cost_terms *terms;
  struct tac_slots slots;
  struct tac_device_store device;
};

struct tac_open_phase {
  int event;
  int64_t start_ns;
  size_t place; /* on the timeline */
};

struct tac_recorder {
  struct tac_recorder_options options; /* with the defaults filled in */
  struct tac_event_stats *stats;       /* one per event, as the next */
  struct tac_batch_summary *summaries;
  struct tac_histogram **histograms; /* of item durations; NULL until a batch of the event is measured in detail */
  struct tac_open_phase open[TAC_RECORDER_DEPTH];
  size_t depth, too_deep; /* too_deep: enters beyond the depth that were not left yet */
  int64_t origin_ns;
  struct tac_timeline timeline;
  struct tac_kept_batch *batches;
  size_t batch_count, batch_capacity;
  uint64_t dropped, mismatches;
  uint64_t batches_ran; /* those that were measured in detail */
  uint64_t slots_kept, slots_dropped;
  struct tac_slots slots;         /* of the running batch, where they are not kept with it */
  struct tac_device_store device; /* likewise */
  signed char *scratch;           /* of tac_batch_record_compute */
  size_t scratch_capacity;
  int64_t *lane_busy_ns; /* of the batch that is summed up */
  size_t lane_capacity;
  struct tac_device_stats *device_stats; /* one per event */
  struct tac_device_store between;       /* what was submitted between batches */
  struct tac_label_table labels;         /* of the commands that are kept */
  void *device_scratch;
  size_t device_scratch_bytes;
  uint64_t device_lost;
  atomic_int busy; /* 1 from the begin of a measured batch to its end: slots and scratch are that batch's */
};

static inline void *tac_recorder_allocate(const struct tac_recorder *recorder, size_t bytes) {
  return recorder->options.allocator->allocate(recorder->options.allocator->context, bytes);
}

static inline void tac_recorder_release(const struct tac_recorder *recorder, void *memory) {
  recorder->options.allocator->release(recorder->options.allocator->context, memory);
}

static inline int64_t tac_recorder_now(const struct tac_recorder *recorder) {
  return recorder->options.clock->now_ns(recorder->options.clock->context);
}

static inline int tac_recorder_has_event(const struct tac_recorder *recorder, int event) {
  return event >= 0 && (size_t)event < recorder->options.events->count;
}

/* 1: some event names this one as its parent and was entered. */
int tac_recorder_has_children(const struct tac_recorder *recorder, int event);

/* 1: some event has device time. */
int tac_recorder_has_device(const struct tac_recorder *recorder);

/* The end of a phase or batch that was given this place. */
void tac_recorder_end(struct tac_recorder *recorder, int event, size_t place, int64_t begin_ns, int64_t end_ns);

#endif
