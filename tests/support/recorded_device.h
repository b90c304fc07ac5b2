/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef TESTS_SUPPORT_RECORDED_DEVICE_H
#define TESTS_SUPPORT_RECORDED_DEVICE_H

#include <tactus/runtime/device.h>

#include "tests/support/fake_backend.h"
#include "tests/support/recorded.h"

/* Item i of three takes the host 1000 (i + 1) ns to submit one command, which runs from 10 µs (i + 1) for 15 µs; the last
 * submits nothing. */
static inline enum tac_status recorded_device_item(void *memory, size_t index, struct tac_lane *lane) {
  const int64_t start_ns = 10000 * (int64_t)(index + 1);
  driven_clock_advance(&recorded_clock, 1000 * (int64_t)(index + 1));
  fake_replay(start_ns, start_ns + 15000);
  return index < 2 ? tac_queue_clear(lane->queue, memory, 0, 8, lane->error) : TAC_STATUS_OK;
}

/* A sweep with one such batch on two lanes. */
static inline enum tac_status recorded_device_run(struct tac_recorder *recorder) {
  struct tac_scheduler_options options;
  struct tac_scheduler *scheduler;
  struct tac_device_memory *memory = NULL;
  fake_reset();
  tac_scheduler_options_init(&options);
  options.table = &fake_executor_one_thread;
  options.executor_options.lanes = 2;
  options.level = tac_recorder_level(recorder);
  enum tac_status status = tac_scheduler_create(&scheduler, &options, NULL);
  if (status != TAC_STATUS_OK)
    return status;
  status = tac_device_memory_take(&memory, tac_scheduler_device(scheduler), 8, NULL);
  tac_recorder_enter(recorder, RECORDED_SWEEP);
  const struct tac_batch batch = {.count = 3, .item = recorded_device_item, .context = memory, .event = RECORDED_BATCH};
  if (status == TAC_STATUS_OK)
    status = tac_run_batch_measured(scheduler, &batch, recorder, NULL);
  tac_recorder_leave(recorder, RECORDED_SWEEP);
  tac_device_memory_give(&memory);
  tac_scheduler_destroy(&scheduler);
  return status;
}

#endif
