/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "measure/batch.h"

#include <stdint.h>
#include <string.h>

#include "measure/batch_summary.h"
#include "measure/recorder.h"
#include "measure/trace.h"

enum tac_status tac_measure_check(const struct tac_recorder *recorder, enum tac_level level, int event,
                                  struct tac_error *error) {
  if (!recorder)
    return tac_error_set(error, TAC_STATUS_INVALID, "batch", "a measured batch needs a recorder");
  if (recorder->options.level != level)
    return tac_error_set(error, TAC_STATUS_LEVEL, "batch", "the recorder's level is %s, the scheduler's %s",
                         tac_level_name(recorder->options.level), tac_level_name(level));
  if (event < 0 || (size_t)event >= recorder->options.events->count)
    return tac_error_set(error, TAC_STATUS_INVALID, "batch", "event %d is not in the set of %zu events", event,
                         recorder->options.events->count);
  return TAC_STATUS_OK;
}

static int reserve_slots(struct tac_slots *slots, const struct tac_recorder *recorder, size_t count) {
  if (count <= slots->capacity)
    return 1;
  struct tac_slot *larger = count <= SIZE_MAX / sizeof *larger ? tac_recorder_allocate(recorder, count * sizeof *larger) : NULL;
  if (!larger)
    return 0;
  tac_recorder_release(recorder, slots->slot);
  slots->slot = larger;
  slots->capacity = count;
  return 1;
}

static int reserve_costs(struct tac_slots *slots, const struct tac_recorder *recorder, size_t count) {
  if (count <= slots->cost_capacity)
    return 1;
  double *larger = count <= SIZE_MAX / sizeof *larger ? tac_recorder_allocate(recorder, count * sizeof *larger) : NULL;
  if (!larger)
    return 0;
  tac_recorder_release(recorder, slots->cost);
  slots->cost = larger;
  slots->cost_capacity = count;
  return 1;
}

/* Called where slots for `count` items exist: the sum cannot overflow. */
static int reserve_scratch(struct tac_recorder *recorder, size_t count) {
  if (2 * count + 1 <= recorder->scratch_capacity)
    return 1;
  signed char *larger = tac_recorder_allocate(recorder, 2 * count + 1);
  if (!larger)
    return 0;
  tac_recorder_release(recorder, recorder->scratch);
  recorder->scratch = larger;
  recorder->scratch_capacity = 2 * count + 1;
  return 1;
}

/* A place for one more record, if the limit and the memory allow: otherwise the batch is only summarised. */
static int make_room(struct tac_recorder *recorder) {
  if (recorder->batch_count < recorder->batch_capacity)
    return 1;
  const size_t limit = recorder->options.batch_limit;
  if (recorder->batch_count >= limit)
    return 0;
  size_t capacity = recorder->batch_capacity ? recorder->batch_capacity * 2 : 64;
  if (capacity > limit)
    capacity = limit;
  struct tac_kept_batch *batches = tac_recorder_allocate(recorder, capacity * sizeof *batches);
  if (!batches)
    return 0;
  memset(batches, 0, capacity * sizeof *batches);
  if (recorder->batch_count > 0)
    memcpy(batches, recorder->batches, recorder->batch_count * sizeof *batches);
  tac_recorder_release(recorder, recorder->batches);
  recorder->batches = batches;
  recorder->batch_capacity = capacity;
  return 1;
}

/* The place where the slots of the running batch stay; NULL where they do not. */
static struct tac_kept_batch *place_to_keep(const struct tac_measure *measure) {
  struct tac_recorder *recorder = measure->recorder;
  if (!measure->kept)
    return NULL;
  struct tac_kept_batch *kept = &recorder->batches[recorder->batch_count];
  kept->has_slots = recorder->options.keep_slots && measure->count <= recorder->options.slot_limit - recorder->slots_kept;
  kept->has_costs = 0;
  return kept->has_slots ? kept : NULL;
}

/* Costs are asked for before the first item, which may change what they are computed from. */
static int take_costs(struct tac_kept_batch *kept, const struct tac_recorder *recorder,
                      const struct tac_measured_batch *batch) {
  if (!kept || !batch->cost)
    return 1;
  if (!reserve_costs(&kept->slots, recorder, batch->count))
    return 0;
  for (size_t i = 0; i < batch->count; i++)
    kept->slots.cost[i] = batch->cost(batch->context, i);
  kept->has_costs = 1;
  return 1;
}

/* Storage of the running batch: where its record will be kept with its slots that of its place, else the recorder's. */
static enum tac_status make_slots(struct tac_measure *measure, const struct tac_measured_batch *batch,
                                  struct tac_error *error) {
  struct tac_recorder *recorder = measure->recorder;
  struct tac_kept_batch *kept = place_to_keep(measure);
  struct tac_slots *slots = kept ? &kept->slots : &recorder->slots;
  struct tac_device_store *device = kept ? &kept->device : &recorder->device;
  device->slots = device->intervals = 0;
  if (measure->device)
    measure->device = device;
  if (!reserve_slots(slots, recorder, batch->count) || !reserve_scratch(recorder, batch->count) ||
      !tac_batch_summary_reserve(recorder, measure->event, measure->lanes.count) || !take_costs(kept, recorder, batch) ||
      (measure->device && !tac_device_batch_reserve(recorder, device, batch->count)))
    return tac_error_set(error, TAC_STATUS_MEMORY, "batch", "no memory to record %zu items", batch->count);
  measure->slots = slots->slot;
  if (batch->count > 0)
    memset(measure->slots, 0, batch->count * sizeof *measure->slots);
  return TAC_STATUS_OK;
}

/* Without the exchange an item that hands on the recorder of the batch around it would take that batch's slots away. */
static enum tac_status begin(struct tac_measure *measure, struct tac_recorder *recorder, struct tac_measured_lanes lanes,
                             const struct tac_measured_batch *batch, struct tac_error *error) {
  if (atomic_exchange_explicit(&recorder->busy, 1, memory_order_acquire))
    return tac_error_set(error, TAC_STATUS_BUSY, "batch", "the recorder is recording a batch; an item needs one of its own");
  measure->recorder = recorder;
  measure->clock = recorder->options.clock;
  measure->hooks = recorder->options.hooks;
  measure->name = recorder->options.events->events[batch->event].name;
  measure->lanes = lanes;
  measure->device = tac_device_batch_owns(lanes) ? &recorder->device : NULL;
  measure->count = batch->count;
  measure->event = batch->event;
  atomic_init(&measure->sequence, 0);
  return TAC_STATUS_OK;
}

/* The last step before the first clock read. */
static void start(struct tac_measure *measure) {
  if (measure->device)
    tac_device_batch_mark(measure->lanes);
  measure->place = tac_timeline_begin(&measure->recorder->timeline, measure->event, measure->recorder->depth);
  measure->begin_ns = tac_recorder_now(measure->recorder);
}

static void release(const struct tac_measure *measure) {
  if (measure->device)
    tac_device_batch_unmark(measure->lanes);
  atomic_store_explicit(&measure->recorder->busy, 0, memory_order_release);
}

static void cancel(const struct tac_measure *measure) {
  tac_timeline_take_back(&measure->recorder->timeline, measure->place);
  release(measure);
}

static int64_t end_duration(const struct tac_measure *measure) {
  const int64_t end_ns = tac_recorder_now(measure->recorder);
  tac_recorder_end(measure->recorder, measure->event, measure->place, measure->begin_ns, end_ns);
  return end_ns;
}

/* Queues have finished where lanes took part: a batch without items leaves what the caller submitted to the next. */
static struct tac_device_record take_device(const struct tac_measure *measure, int lanes) {
  if (!measure->device || lanes == 0)
    return (struct tac_device_record){0};
  return tac_device_batch_take(measure->recorder, measure->device, measure->lanes, measure->event);
}

enum tac_status tac_measure_begin_coarse(struct tac_measure *measure, struct tac_recorder *recorder,
                                         struct tac_measured_lanes lanes, const struct tac_measured_batch *batch,
                                         struct tac_error *error) {
  const enum tac_status status = begin(measure, recorder, lanes, batch, error);
  if (status == TAC_STATUS_OK)
    start(measure);
  return status;
}

enum tac_status tac_measure_begin_detailed(struct tac_measure *measure, struct tac_recorder *recorder,
                                           struct tac_measured_lanes lanes, const struct tac_measured_batch *batch,
                                           struct tac_error *error) {
  enum tac_status status = begin(measure, recorder, lanes, batch, error);
  if (status != TAC_STATUS_OK)
    return status;
  measure->kept = make_room(recorder);
  status = make_slots(measure, batch, error);
  if (status == TAC_STATUS_OK)
    start(measure);
  else
    release(measure);
  return status;
}

enum tac_status tac_measure_begin_hooked(struct tac_measure *measure, struct tac_recorder *recorder,
                                         struct tac_measured_lanes lanes, const struct tac_measured_batch *batch,
                                         struct tac_error *error) {
  const enum tac_status status = begin(measure, recorder, lanes, batch, error);
  if (status != TAC_STATUS_OK)
    return status;
  if (measure->hooks->phase_enter)
    measure->hooks->phase_enter(measure->hooks->context, measure->event, measure->name);
  start(measure);
  return TAC_STATUS_OK;
}

void tac_measure_cancel_coarse(struct tac_measure *measure) {
  cancel(measure);
}

void tac_measure_cancel_detailed(struct tac_measure *measure) {
  cancel(measure);
}

static void leave_hooks(const struct tac_measure *measure) {
  if (measure->hooks->phase_leave)
    measure->hooks->phase_leave(measure->hooks->context, measure->event, measure->name);
}

void tac_measure_cancel_hooked(struct tac_measure *measure) {
  leave_hooks(measure);
  cancel(measure);
}

enum tac_status tac_measure_end_coarse(struct tac_measure *measure, int lanes, int ran_inline, enum tac_status status,
                                       struct tac_error *error) {
  (void)ran_inline, (void)error;
  end_duration(measure);
  take_device(measure, lanes);
  release(measure);
  return status;
}

enum tac_status tac_measure_end_hooked(struct tac_measure *measure, int lanes, int ran_inline, enum tac_status status,
                                       struct tac_error *error) {
  (void)ran_inline, (void)error;
  end_duration(measure);
  take_device(measure, lanes);
  leave_hooks(measure);
  release(measure);
  return status;
}

/* An item's failure explains missing items, and comes before anything an executor did wrong. */
static enum tac_status check_contract(const struct tac_batch_record *record, enum tac_status computed,
                                      const struct tac_error *computed_error, enum tac_status status, struct tac_error *error) {
  if (status != TAC_STATUS_OK)
    return status;
  if (computed != TAC_STATUS_OK) {
    if (error)
      *error = *computed_error;
    return computed;
  }
  if (record->started != record->requested)
    return tac_error_set(error, TAC_STATUS_CONTRACT, "batch", "the executor started %llu of %llu items",
                         (unsigned long long)record->started, (unsigned long long)record->requested);
  return TAC_STATUS_OK;
}

static void keep(const struct tac_measure *measure, const struct tac_batch_record *record) {
  struct tac_recorder *recorder = measure->recorder;
  if (!measure->kept) {
    recorder->dropped++;
    return;
  }
  struct tac_kept_batch *kept = &recorder->batches[recorder->batch_count++];
  kept->record = *record;
  if (kept->has_slots)
    recorder->slots_kept += record->requested;
  else if (recorder->options.keep_slots)
    recorder->slots_dropped += record->requested;
}

/* A batch that is not kept one by one is not told one by one either. */
static void tell(const struct tac_measure *measure, const struct tac_batch_record *record) {
  struct tac_recorder *recorder = measure->recorder;
  struct tac_trace *trace = recorder->options.trace;
  const struct tac_device_store *device = measure->device;
  if (!measure->kept) {
    trace->summarised++;
    return;
  }
  const struct tac_kept_batch *kept = &recorder->batches[recorder->batch_count - 1];
  struct tac_batch_details details = {.record = record, .slots = measure->slots};
  if (kept->has_costs)
    details.costs = kept->slots.cost;
  if (device) {
    details.device_slots = device->slot;
    details.device_slot_count = device->slots;
    details.intervals = device->interval;
    details.interval_count = device->intervals;
  }
  tac_trace_batch(trace, measure->name, &details, measure->place != TAC_NOT_ON_TIMELINE);
}

enum tac_status tac_measure_end_detailed(struct tac_measure *measure, int lanes, int ran_inline, enum tac_status status,
                                         struct tac_error *error) {
  struct tac_recorder *recorder = measure->recorder;
  const int64_t end_ns = end_duration(measure);
  struct tac_batch_record record = {.event = measure->event,
                                    .number = recorder->batches_ran++,
                                    .lanes = lanes,
                                    .ran_inline = ran_inline,
                                    .device = take_device(measure, lanes)};
  record.submission = record.device.items > 0;
  struct tac_error computed_error;
  const enum tac_status computed = tac_batch_record_compute(&record, measure->slots, measure->count, measure->begin_ns, end_ns,
                                                            recorder->scratch, &computed_error);
  record.status = (int)check_contract(&record, computed, &computed_error, status, error);
  tac_batch_summary_add(recorder, &record, measure->slots);
  if (measure->device && measure->device != &recorder->device)
    tac_device_batch_keep(recorder, measure->device);
  keep(measure, &record);
  if (recorder->options.trace)
    tell(measure, &record);
  release(measure);
  return (enum tac_status)record.status;
}
