/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "scheduler/state.h"

#include "measure/batch.h"
#include "measure/estimates.h"
#include "scheduler/entries.h"
#include "scheduler/order.h"

static enum tac_status check_scheduler(const struct tac_scheduler *scheduler, struct tac_error *error) {
  return scheduler ? TAC_STATUS_OK : tac_error_set(error, TAC_STATUS_INVALID, "batch", "no scheduler");
}

static enum tac_status check_lane(const struct tac_lane *lane, struct tac_error *error) {
  return lane ? TAC_STATUS_OK : tac_error_set(error, TAC_STATUS_INVALID, "batch", "no lane");
}

/* One exchange keeps a second caller out: another thread, or an item of this scheduler. */
static enum tac_status enter(struct tac_scheduler *scheduler, struct tac_error *error) {
  if (atomic_exchange_explicit(&scheduler->busy, 1, memory_order_acquire))
    return tac_error_set(error, TAC_STATUS_BUSY, "batch", "%s; a batch inside an item is started through its lane",
                         tac_status_text(TAC_STATUS_BUSY));
  return TAC_STATUS_OK;
}

static void leave(struct tac_scheduler *scheduler) {
  atomic_store_explicit(&scheduler->busy, 0, memory_order_release);
}

enum tac_status tac_run_batch(struct tac_scheduler *scheduler, const struct tac_batch *batch, struct tac_error *error) {
  enum tac_status status = check_scheduler(scheduler, error);
  if (status == TAC_STATUS_OK)
    status = tac_batch_check(batch, error);
  if (status == TAC_STATUS_OK)
    status = enter(scheduler, error);
  if (status != TAC_STATUS_OK)
    return status;
  status = tac_entries_off.run(scheduler, batch, error);
  leave(scheduler);
  return status;
}

enum tac_status tac_run_batch_measured(struct tac_scheduler *scheduler, const struct tac_batch *batch,
                                       struct tac_recorder *recorder, struct tac_error *error) {
  enum tac_status status = check_scheduler(scheduler, error);
  if (status == TAC_STATUS_OK)
    status = tac_batch_check(batch, error);
  if (status == TAC_STATUS_OK)
    status = tac_measure_check(recorder, scheduler->level, batch->event, error);
  if (status == TAC_STATUS_OK)
    status = tac_estimates_check(batch->terms, error);
  if (status == TAC_STATUS_OK)
    status = enter(scheduler, error);
  if (status != TAC_STATUS_OK)
    return status;
  status = scheduler->measured->run(scheduler, batch, recorder, error);
  leave(scheduler);
  return status;
}

enum tac_status tac_scheduler_sync(struct tac_scheduler *scheduler, struct tac_recorder *recorder, struct tac_error *error) {
  enum tac_status status = check_scheduler(scheduler, error);
  if (status == TAC_STATUS_OK && !recorder)
    status = tac_error_set(error, TAC_STATUS_INVALID, __func__, "no recorder");
  if (status == TAC_STATUS_OK)
    status = enter(scheduler, error);
  if (status != TAC_STATUS_OK)
    return status;
  status = tac_measure_sync(recorder, (struct tac_measured_lanes){scheduler->place.lane, scheduler->place.lanes}, error);
  leave(scheduler);
  return status;
}

enum tac_status tac_lane_run_batch(struct tac_lane *lane, const struct tac_batch *batch, struct tac_error *error) {
  enum tac_status status = check_lane(lane, error);
  if (status == TAC_STATUS_OK)
    status = tac_batch_check(batch, error);
  return status == TAC_STATUS_OK ? tac_entries_off.lane_run(lane, batch, error) : status;
}

static const struct tac_measured_entries *const measured_entries[TAC_LEVEL_COUNT] = {
    [TAC_COARSE] = &tac_entries_coarse, [TAC_DETAILED] = &tac_entries_detailed, [TAC_HOOKED] = &tac_entries_hooked};

const struct tac_measured_entries *tac_measured_entries_of(enum tac_level level) {
  return measured_entries[level];
}

enum tac_status tac_lane_run_batch_measured(struct tac_lane *lane, const struct tac_batch *batch, struct tac_recorder *recorder,
                                            struct tac_error *error) {
  enum tac_status status = check_lane(lane, error);
  if (status == TAC_STATUS_OK)
    status = tac_batch_check(batch, error);
  if (status == TAC_STATUS_OK)
    status = tac_measure_check(recorder, recorder ? tac_recorder_level(recorder) : TAC_OFF, batch->event, error);
  if (status == TAC_STATUS_OK)
    status = tac_estimates_check(batch->terms, error);
  if (status != TAC_STATUS_OK)
    return status;
  return measured_entries[tac_recorder_level(recorder)]->lane_run(lane, batch, recorder, error);
}

static enum tac_status no_order_memory(const struct tac_batch *batch, struct tac_error *error) {
  return tac_error_set(error, TAC_STATUS_MEMORY, "batch", "no memory to order %zu items", batch->count);
}

enum tac_status tac_scheduler_order_memory(void **memory, struct tac_scheduler *scheduler, const struct tac_batch *batch,
                                           struct tac_error *error) {
  if (batch->cost && batch->count > scheduler->order_capacity) {
    const struct tac_allocator *allocator = scheduler->allocator;
    const size_t bytes = tac_order_bytes(batch->count);
    void *larger = bytes ? allocator->allocate(allocator->context, bytes) : NULL;
    if (!larger)
      return no_order_memory(batch, error);
    allocator->release(allocator->context, scheduler->order_memory);
    scheduler->order_memory = larger;
    scheduler->order_capacity = batch->count;
  }
  *memory = scheduler->order_memory;
  return TAC_STATUS_OK;
}

enum tac_status tac_lane_order_memory(void **memory, struct tac_lane *lane, const struct tac_batch *batch,
                                      struct tac_error *error) {
  *memory = NULL;
  if (!batch->cost || batch->count == 0)
    return TAC_STATUS_OK;
  const size_t bytes = tac_order_bytes(batch->count);
  *memory = bytes ? tac_arena_take(lane->arena, bytes) : NULL;
  return *memory ? TAC_STATUS_OK : no_order_memory(batch, error);
}
