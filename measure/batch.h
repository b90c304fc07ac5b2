/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef MEASURE_BATCH_H
#define MEASURE_BATCH_H

#include <stdalign.h>
#include <stdatomic.h>

#include "measure/device_batch.h"
#include "runtime/device/queue.h"

/* A batch as measurement sees it: what it needs of the scheduler's. */
struct tac_measured_batch {
  int event;
  size_t count;
  double (*cost)(const void *context, size_t index); /* NULL: without one */
  const struct tac_cost_terms *terms;                /* NULL: without any */
  const void *context;
};

/* One batch under measurement, from its first clock read to its record. begin makes all storage ready before it reads the
 * clock (MEMORY, or BUSY while the recorder records another batch: nothing was recorded), end runs after the join and returns
 * the batch's status, or CONTRACT where that was OK and the executor did not start each index exactly once. */
struct tac_measure {
  struct tac_recorder *recorder;
  const struct tac_clock *clock;
  const struct tac_hooks *hooks;
  const char *name; /* the event's, for the hooks */
  struct tac_slot *slots;
  struct tac_measured_lanes lanes;
  struct tac_device_store *device; /* where the device times of the lanes' queues go; NULL: they are not this batch's */
  size_t count;
  int event;
  int kept;     /* the recorder will keep this batch's record */
  size_t place; /* on the timeline */
  int64_t begin_ns;
  alignas(TAC_ALIGNMENT) _Atomic uint64_t sequence; /* starts and finishes so far */
};

/* INVALID: no recorder, or an event outside its set. LEVEL: another level. */
enum tac_status tac_measure_check(const struct tac_recorder *recorder, enum tac_level level, int event,
                                  struct tac_error *error);

enum tac_status tac_measure_begin_coarse(struct tac_measure *measure, struct tac_recorder *recorder,
                                         struct tac_measured_lanes lanes, const struct tac_measured_batch *batch,
                                         struct tac_error *error);
enum tac_status tac_measure_begin_detailed(struct tac_measure *measure, struct tac_recorder *recorder,
                                           struct tac_measured_lanes lanes, const struct tac_measured_batch *batch,
                                           struct tac_error *error);
enum tac_status tac_measure_begin_hooked(struct tac_measure *measure, struct tac_recorder *recorder,
                                         struct tac_measured_lanes lanes, const struct tac_measured_batch *batch,
                                         struct tac_error *error);
/* Instead of end, where the batch is refused after begin: nothing is recorded. */
void tac_measure_cancel_coarse(struct tac_measure *measure);
void tac_measure_cancel_detailed(struct tac_measure *measure);
void tac_measure_cancel_hooked(struct tac_measure *measure);
enum tac_status tac_measure_end_coarse(struct tac_measure *measure, int lanes, int ran_inline, enum tac_status status,
                                       struct tac_error *error);
enum tac_status tac_measure_end_detailed(struct tac_measure *measure, int lanes, int ran_inline, enum tac_status status,
                                         struct tac_error *error);
enum tac_status tac_measure_end_hooked(struct tac_measure *measure, int lanes, int ran_inline, enum tac_status status,
                                       struct tac_error *error);

/* The increments enclose the clock reads, so that the sequence never shows less overlap than the times do. */
static inline void tac_item_enter_detailed(struct tac_measure *measure, size_t index, const struct tac_lane *lane) {
  struct tac_slot *slot = &measure->slots[index];
  if (measure->device)
    tac_queue_set_item(lane->queue, index);
  slot->index = index;
  slot->lane = lane->number;
  slot->starts++;
  slot->start_sequence = atomic_fetch_add_explicit(&measure->sequence, 1, memory_order_relaxed) + 1;
  slot->start_ns = measure->clock->now_ns(measure->clock->context);
}

static inline void tac_item_leave_detailed(struct tac_measure *measure, size_t index, const struct tac_lane *lane,
                                           enum tac_status status) {
  (void)lane;
  struct tac_slot *slot = &measure->slots[index];
  slot->finish_ns = measure->clock->now_ns(measure->clock->context);
  slot->finish_sequence = atomic_fetch_add_explicit(&measure->sequence, 1, memory_order_relaxed) + 1;
  slot->status = (int32_t)status;
}

static inline void tac_item_enter_hooked(struct tac_measure *measure, size_t index, const struct tac_lane *lane) {
  if (measure->hooks->item_enter)
    measure->hooks->item_enter(measure->hooks->context, measure->event, index, lane->number);
}

static inline void tac_item_leave_hooked(struct tac_measure *measure, size_t index, const struct tac_lane *lane,
                                         enum tac_status status) {
  if (measure->hooks->item_leave)
    measure->hooks->item_leave(measure->hooks->context, measure->event, index, lane->number, status);
}

#endif
