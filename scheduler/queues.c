/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <tactus/runtime/device.h>

#include "runtime/device/queue.h"
#include "scheduler/run.h"

int tac_run_on_streams(struct tac_run *run) {
  struct tac_lane *lane = run->work.lane;
  if (run->work.count < 2 || tac_queue_streams(lane->queue) < 2)
    return 0;
  for (size_t position = 0; position < run->work.count; position++) {
    tac_queue_rotate(lane->queue);
    lane->native = tac_queue_native(lane->queue);
    run->work.one(&run->work, position, lane);
  }
  return 1;
}

static int leaves_first(struct tac_run *run, int leave, enum tac_status status) {
  return leave && !status && !atomic_load_explicit(&run->failed, memory_order_relaxed) && run->work.lanes > 0 &&
         tac_queue_streams(run->work.lane->queue) == 1;
}

enum tac_status tac_run_finish_queues(struct tac_run *run, int leave, enum tac_status status, struct tac_error *error) {
  for (int k = leaves_first(run, leave, status); k < run->work.lanes; k++) {
    const enum tac_status finished = tac_queue_finish(run->work.lane[k].queue, "join", status ? NULL : error);
    status = status ? status : finished;
  }
  return status;
}
