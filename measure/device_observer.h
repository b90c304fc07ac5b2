/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef MEASURE_DEVICE_OBSERVER_H
#define MEASURE_DEVICE_OBSERVER_H

#include <tactus/measure/device_counters.h>

/* Counters of what the queues of an executor do: a set for each lane, written only by the thread that uses the lane's queue, so
 * that nothing is atomic. The observer tells of lanes 0 … lanes-1; what it tells of others is not counted. */
struct tac_device_observation;

/* NULL allocator, NULL clock: the defaults. MEMORY. */
enum tac_status tac_device_observation_create(struct tac_device_observation **out, int lanes,
                                              const struct tac_allocator *allocator, const struct tac_clock *clock,
                                              struct tac_error *error);
/* The executor that was given the observer is gone by then. */
void tac_device_observation_destroy(struct tac_device_observation **observation);

/* What an executor's options take. */
const struct tac_device_observer *tac_device_observation_observer(void);
void *tac_device_observation_context(struct tac_device_observation *observation);

/* Adds what all lanes counted since the last call to `counters`, and forgets it. No queue is in use meanwhile. INVALID: there
 * are no counters. */
enum tac_status tac_device_observation_take(struct tac_device_observation *observation, struct tac_device_counters *counters,
                                            struct tac_error *error);

#endif
