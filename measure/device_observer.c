/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "measure/device_observer.h"

#include "measure/device_counters.h"

struct tac_device_observation {
  const struct tac_allocator *allocator;
  int lanes;
  struct tac_device_counters **counters; /* one a lane */
};

static enum tac_status create_counters(struct tac_device_observation *observation, int lanes, const struct tac_clock *clock,
                                       struct tac_error *error) {
  const struct tac_allocator *allocator = observation->allocator;
  struct tac_device_counters_options options;
  tac_device_counters_options_init(&options);
  options.allocator = allocator;
  options.clock = clock;
  observation->counters = allocator->allocate(allocator->context, (size_t)lanes * sizeof(struct tac_device_counters *));
  if (!observation->counters)
    return tac_error_set(error, TAC_STATUS_MEMORY, "tac_device_observation", "no memory for the counters of %d lanes", lanes);
  enum tac_status status = TAC_STATUS_OK;
  for (; observation->lanes < lanes && status == TAC_STATUS_OK; observation->lanes += status == TAC_STATUS_OK)
    status = tac_device_counters_create(&observation->counters[observation->lanes], &options, error);
  return status;
}

enum tac_status tac_device_observation_create(struct tac_device_observation **out, int lanes,
                                              const struct tac_allocator *allocator, const struct tac_clock *clock,
                                              struct tac_error *error) {
  if (!allocator)
    allocator = tac_allocator_system();
  *out = NULL;
  struct tac_device_observation *observation = allocator->allocate(allocator->context, sizeof *observation);
  if (!observation)
    return tac_error_set(error, TAC_STATUS_MEMORY, "tac_device_observation", "no memory for an observer of devices");
  *observation = (struct tac_device_observation){.allocator = allocator};
  const enum tac_status status = create_counters(observation, lanes, clock, error);
  if (status != TAC_STATUS_OK)
    tac_device_observation_destroy(&observation);
  *out = observation;
  return status;
}

void tac_device_observation_destroy(struct tac_device_observation **observation) {
  if (!observation || !*observation)
    return;
  struct tac_device_observation *gone = *observation;
  for (int lane = 0; lane < gone->lanes; lane++)
    tac_device_counters_destroy(&gone->counters[lane]);
  gone->allocator->release(gone->allocator->context, gone->counters);
  gone->allocator->release(gone->allocator->context, gone);
  *observation = NULL;
}

static struct tac_device_counters *counters_of(const struct tac_device_observation *observation, int lane) {
  return lane >= 0 && lane < observation->lanes ? observation->counters[lane] : NULL;
}

static void launch_begin(void *context, int lane, const char *label, uint64_t *handle) {
  struct tac_device_counters *counters = counters_of(context, lane);
  *handle = 0;
  if (counters)
    tac_device_counters_launch_begin(counters, label, handle);
}

static void launch_end(void *context, int lane, uint64_t handle) {
  struct tac_device_counters *counters = counters_of(context, lane);
  if (counters)
    tac_device_counters_launch_end(counters, handle);
}

static void fence_begin(void *context, int lane, const char *label, uint64_t *handle) {
  struct tac_device_counters *counters = counters_of(context, lane);
  *handle = 0;
  if (counters)
    tac_device_counters_fence_begin(counters, label, handle);
}

static void fence_end(void *context, int lane, uint64_t handle) {
  struct tac_device_counters *counters = counters_of(context, lane);
  if (counters)
    tac_device_counters_wait_end(counters, handle);
}

static void copy(void *context, int lane, enum tac_copy_direction direction, uint64_t bytes) {
  struct tac_device_counters *counters = counters_of(context, lane);
  if (counters)
    tac_device_counters_copy(counters, direction, bytes);
}

const struct tac_device_observer *tac_device_observation_observer(void) {
  static const struct tac_device_observer observer = {launch_begin, launch_end, fence_begin, fence_end, copy};
  return &observer;
}

void *tac_device_observation_context(struct tac_device_observation *observation) {
  return observation;
}

enum tac_status tac_device_observation_take(struct tac_device_observation *observation, struct tac_device_counters *counters,
                                            struct tac_error *error) {
  if (!counters)
    return tac_error_set(error, TAC_STATUS_INVALID, "tac_device_observation", "no counters");
  for (int lane = 0; lane < observation->lanes; lane++) {
    const enum tac_status status = tac_device_counters_merge(counters, observation->counters[lane], error);
    if (status != TAC_STATUS_OK)
      return status;
    tac_device_counters_reset(observation->counters[lane]);
  }
  return TAC_STATUS_OK;
}
