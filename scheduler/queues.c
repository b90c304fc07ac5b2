/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <tactus/runtime/device.h>

#include "scheduler/run.h"

enum tac_status tac_run_finish_queues(const struct tac_run *run, enum tac_status status, struct tac_error *error) {
  for (int k = 0; k < run->work.lanes; k++) {
    const enum tac_status finished = tac_queue_finish(run->work.lane[k].queue, "join", status ? NULL : error);
    status = status ? status : finished;
  }
  return status;
}
