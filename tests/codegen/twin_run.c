/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
/* The batch driver beside twin_loop.c: the yardstick of the off variant of scheduler/run_tmpl.c, without a header of
 * measure/. A scheduler's structure names its level, so this one has its own with the members that a run needs. */
#include "runtime/arena.h"
#include "scheduler/run.h"

struct tac_scheduler {
  const struct tac_executor *executor;
  void *state;
  struct tac_run_place place;
};

enum tac_status tac_scheduler_order_memory(void **memory, struct tac_scheduler *scheduler, const struct tac_batch *batch,
                                           struct tac_error *error);
enum tac_status tac_lane_order_memory(void **memory, struct tac_lane *lane, const struct tac_batch *batch,
                                      struct tac_error *error);
void tac_loop_shared_twin(struct tac_work *work, struct tac_lane *lane);
void tac_loop_shared_ordered_twin(struct tac_work *work, struct tac_lane *lane);
void tac_loop_alone_twin(struct tac_work *work, struct tac_lane *lane);
void tac_loop_alone_ordered_twin(struct tac_work *work, struct tac_lane *lane);
void tac_loop_one_twin(struct tac_work *work, size_t position, struct tac_lane *lane);
enum tac_status run_twin(struct tac_scheduler *scheduler, const struct tac_batch *batch, struct tac_error *error);
enum tac_status lane_run_twin(struct tac_lane *lane, const struct tac_batch *batch, struct tac_error *error);

static enum tac_status run_alone(struct tac_run *run) {
  if (run->order)
    tac_loop_alone_ordered_twin(&run->work, run->work.lane);
  else
    tac_loop_alone_twin(&run->work, run->work.lane);
  return TAC_STATUS_OK;
}

static enum tac_status run_inline(struct tac_run *run) {
  run->work.one = tac_loop_one_twin;
  return run->work.lane->queue && tac_run_on_streams(run) ? TAC_STATUS_OK : run_alone(run);
}

static enum tac_status run_shared(struct tac_run *run, const struct tac_scheduler *scheduler, struct tac_error *error) {
  run->work.loop = run->order ? tac_loop_shared_ordered_twin : tac_loop_shared_twin;
  run->work.one = tac_loop_one_twin;
  return scheduler->executor->run(scheduler->state, &run->work, error);
}

enum tac_status run_twin(struct tac_scheduler *scheduler, const struct tac_batch *batch, struct tac_error *error) {
  struct tac_run run;
  void *memory;
  enum tac_status status = tac_scheduler_order_memory(&memory, scheduler, batch, error);
  if (status == TAC_STATUS_OK)
    status = tac_run_plan(&run, &scheduler->place, batch, memory, error);
  if (status != TAC_STATUS_OK)
    return status;
  status = run.work.lanes > 1 ? run_shared(&run, scheduler, error) : run_inline(&run);
  if (scheduler->place.lane->queue)
    status = tac_run_finish_queues(&run, batch->leave_queued, status, error);
  return tac_run_collect(&run, status, error);
}

enum tac_status lane_run_twin(struct tac_lane *lane, const struct tac_batch *batch, struct tac_error *error) {
  struct tac_run run;
  struct tac_lane_failure failure = {.status = TAC_STATUS_OK};
  struct tac_lane inner = {.queue = lane->queue, .native = lane->native, .arena = lane->arena, .error = &failure.error};
  const struct tac_run_place place = {.lane = &inner, .failure = &failure, .lanes = 1};
  const size_t mark = tac_arena_mark(lane->arena);
  void *memory;
  enum tac_status status = tac_lane_order_memory(&memory, lane, batch, error);
  if (status == TAC_STATUS_OK)
    status = tac_run_plan(&run, &place, batch, memory, error);
  if (status == TAC_STATUS_OK) {
    status = run_alone(&run);
    if (lane->queue)
      status = tac_run_finish_queues(&run, batch->leave_queued, status, error);
    status = tac_run_collect(&run, status, error);
  }
  tac_arena_release(lane->arena, mark);
  return status;
}
