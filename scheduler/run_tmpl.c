/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "scheduler/loop_tmpl.h"

#include "runtime/arena.h"
#include "scheduler/entries.h"
#include "scheduler/state.h"

static enum tac_status run_alone(struct tac_run *run) {
  if (run->order)
    TAC_VARIANT(tac_loop_alone_ordered)(&run->work, run->work.lane);
  else
    TAC_VARIANT(tac_loop_alone)(&run->work, run->work.lane);
  return TAC_STATUS_OK;
}

/* A batch inside an item stays on the item's stream, this one need not. */
static enum tac_status run_inline(struct tac_run *run) {
  run->work.one = TAC_VARIANT(tac_loop_one);
  return run->work.lane->queue && tac_run_on_streams(run) ? TAC_STATUS_OK : run_alone(run);
}

static enum tac_status run_shared(struct tac_run *run, const struct tac_scheduler *scheduler, struct tac_error *error) {
  run->work.loop = run->order ? TAC_VARIANT(tac_loop_shared_ordered) : TAC_VARIANT(tac_loop_shared);
  run->work.one = TAC_VARIANT(tac_loop_one);
  return scheduler->executor->run(scheduler->state, &run->work, error);
}

/* Between the two clock reads of a measured level: ordering, claims, items and the join. */
static enum tac_status run(struct tac_scheduler *scheduler, const struct tac_batch *batch TAC_RECORDER_PARAMETER,
                           struct tac_error *error) {
  struct tac_frame frame;
  void *memory;
  enum tac_status status = tac_scheduler_order_memory(&memory, scheduler, batch, error);
  TAC_MEASURE_BEGIN(status, frame.measure, &scheduler->place, batch, error)
  if (status != TAC_STATUS_OK)
    return status;
  status = tac_run_plan(&frame.run, &scheduler->place, batch, memory, error);
  if (status != TAC_STATUS_OK) {
    TAC_MEASURE_CANCEL(frame.measure)
    return status;
  }
  status = frame.run.work.lanes > 1 ? run_shared(&frame.run, scheduler, error) : run_inline(&frame.run);
  if (scheduler->place.lane->queue)
    status = tac_run_finish_queues(&frame.run, TAC_LEAVE_QUEUED(batch), status, error);
  status = tac_run_collect(&frame.run, status, error);
  TAC_MEASURE_END(status, frame.measure, frame.run, error)
  return status;
}

static enum tac_status run_on_lane(struct tac_lane *lane, const struct tac_batch *batch TAC_RECORDER_PARAMETER,
                                   struct tac_error *error) {
  struct tac_frame frame;
  struct tac_lane_failure failure = {.status = TAC_STATUS_OK};
  struct tac_lane inner = {.queue = lane->queue, .native = lane->native, .arena = lane->arena, .error = &failure.error};
  const struct tac_run_place place = {.lane = &inner, .failure = &failure, .lanes = 1};
  void *memory;
  enum tac_status status = tac_lane_order_memory(&memory, lane, batch, error);
  TAC_MEASURE_BEGIN(status, frame.measure, &place, batch, error)
  if (status != TAC_STATUS_OK)
    return status;
  status = tac_run_plan(&frame.run, &place, batch, memory, error);
  if (status != TAC_STATUS_OK) {
    TAC_MEASURE_CANCEL(frame.measure)
    return status;
  }
  status = run_alone(&frame.run);
  if (lane->queue)
    status = tac_run_finish_queues(&frame.run, TAC_LEAVE_QUEUED(batch), status, error);
  status = tac_run_collect(&frame.run, status, error);
  TAC_MEASURE_END(status, frame.measure, frame.run, error)
  return status;
}

/* A batch inside an item has the item's thread, native handle and arena, and failures of its own. */
static enum tac_status lane_run(struct tac_lane *lane, const struct tac_batch *batch TAC_RECORDER_PARAMETER,
                                struct tac_error *error) {
  const size_t mark = tac_arena_mark(lane->arena);
  const enum tac_status status = run_on_lane(lane, batch TAC_RECORDER_ARGUMENT, error);
  tac_arena_release(lane->arena, mark);
  return status;
}

const struct TAC_ENTRIES TAC_VARIANT(tac_entries) = {.run = run, .lane_run = lane_run};
