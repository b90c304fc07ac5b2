/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef MEASURE_DEVICE_BATCH_H
#define MEASURE_DEVICE_BATCH_H

#include <tactus/runtime/executor.h>

#include "measure/recorder.h"

/* The lanes that a batch may use. */
struct tac_measured_lanes {
  const struct tac_lane *lane;
  int count;
};

/* Whether the device times of these lanes' queues are the batch's: they have queues that keep times, and no batch around this
 * one measures the same queues. */
int tac_device_batch_owns(struct tac_measured_lanes lanes);

/* What the lanes submit from now on belongs to the batch, and after the second no more. */
void tac_device_batch_mark(struct tac_measured_lanes lanes);
void tac_device_batch_unmark(struct tac_measured_lanes lanes);

/* Room for the slots of `count` items. 0: there is no memory. */
int tac_device_batch_reserve(const struct tac_recorder *recorder, struct tac_device_store *store, size_t count);

/* Takes the times of all commands of the lanes, whose queues have finished. Those of the batch go into `store`, its slots
 * included where it has some, into the sums of the event and of the phases that are open, and into the record that is returned;
 * those since the last batch into the sums of the open phases. Where there is no memory for it nothing is added, and that is
 * counted. */
struct tac_device_record tac_device_batch_take(struct tac_recorder *recorder, struct tac_device_store *store,
                                               struct tac_measured_lanes lanes, int event);

/* Makes the labels of what is in the store the recorder's own. */
void tac_device_batch_keep(struct tac_recorder *recorder, struct tac_device_store *store);

/* At the end of a phase whose work the caller submitted itself: waits for the first lane's queue, and adds what was submitted
 * since the last batch to the sums of the open phases. Does nothing on host executors. */
enum tac_status tac_measure_sync(struct tac_recorder *recorder, struct tac_measured_lanes lanes, struct tac_error *error);

#endif
