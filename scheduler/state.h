/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef SCHEDULER_STATE_H
#define SCHEDULER_STATE_H

#include <stdatomic.h>

#include <tactus/scheduler/scheduler.h>

#include "scheduler/run.h"

struct tac_device_observation;
struct tac_measured_entries;

struct tac_scheduler {
  const struct tac_executor *executor;
  void *state; /* the executor's */
  const struct tac_allocator *allocator;
  const struct tac_measured_entries *measured; /* NULL at off */
  enum tac_level level;
  struct tac_run_place place;
  struct tac_device_observation *observation; /* of a measured level on a device executor, else NULL */
  void *order_memory;                         /* kept from batch to batch, grown when a batch with a cost needs more */
  size_t order_capacity;
  atomic_int busy;
};

/* Order memory for a batch: NULL without a cost or when *status is MEMORY then. */
enum tac_status tac_scheduler_order_memory(void **memory, struct tac_scheduler *scheduler, const struct tac_batch *batch,
                                           struct tac_error *error);
enum tac_status tac_lane_order_memory(void **memory, struct tac_lane *lane, const struct tac_batch *batch,
                                      struct tac_error *error);

#endif
