/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
/* The statements with which a level measures batches and items, for the scheduler's *_tmpl.c files. This header and
 * <tactus/measure/variant.h> are the two places that test the level. At off every one vanishes, arguments included.
 *
 *   TAC_ENTRIES                                        tag of the table of entry points
 *   TAC_MEASURE_MEMBER                                 member `measure` of what a level runs
 *   TAC_MEASURE_BEGIN(status, measure, place, batch, error)
 *                                                      after `status` OK: storage, then the first clock read; the lanes of
 *                                                      `place` are those that the batch may use
 *   TAC_MEASURE_CANCEL(measure)                        the batch was refused after all: nothing is recorded
 *   TAC_MEASURE_END(status, measure, run, error)       the second clock read and the record; may turn OK into CONTRACT
 *   TAC_LEAVE_QUEUED(batch)                            whether the join need not wait for the caller's queue
 *   TAC_ITEM_ENTER(measure, index, lane)               before and after an item, on its lane
 *   TAC_ITEM_LEAVE(measure, index, lane, status) */
#ifndef MEASURE_VARIANT_BATCH_H
#define MEASURE_VARIANT_BATCH_H

#include <tactus/measure/variant.h>

#if TAC_LEVEL == TAC_LEVEL_OFF
#define TAC_ENTRIES tac_plain_entries
#define TAC_MEASURE_MEMBER
#define TAC_MEASURE_BEGIN(status, measure, place, batch, error)
#define TAC_MEASURE_CANCEL(measure)
#define TAC_MEASURE_END(status, measure, run, error)
#define TAC_LEAVE_QUEUED(batch) (batch)->leave_queued
#else
#include "measure/batch.h"
#define TAC_ENTRIES        tac_measured_entries
#define TAC_MEASURE_MEMBER struct tac_measure measure;
#define TAC_MEASURE_BEGIN(status, measure, place, batch, error)                                                                \
  if ((status) == TAC_STATUS_OK)                                                                                               \
    (status) = TAC_VARIANT(tac_measure_begin)(                                                                                 \
        &(measure), recorder, (struct tac_measured_lanes){(place)->lane, (place)->lanes},                                      \
        &(struct tac_measured_batch){(batch)->event, (batch)->count, (batch)->cost, (batch)->terms, (batch)->context},         \
        (error));
#define TAC_MEASURE_CANCEL(measure) TAC_VARIANT(tac_measure_cancel)(&(measure));
#define TAC_MEASURE_END(status, measure, run, error)                                                                           \
  (status) = TAC_VARIANT(tac_measure_end)(&(measure), (run).work.lanes, (run).ran_inline, (status), (error));
#define TAC_LEAVE_QUEUED(batch) 0 /* the device's time is read when its queues are empty */
#endif

#if TAC_LEVEL == TAC_LEVEL_DETAILED || TAC_LEVEL == TAC_LEVEL_HOOKED
#define TAC_ITEM_ENTER(measure, index, lane)         TAC_VARIANT(tac_item_enter)(&(measure), (index), (lane));
#define TAC_ITEM_LEAVE(measure, index, lane, status) TAC_VARIANT(tac_item_leave)(&(measure), (index), (lane), (status));
#else
#define TAC_ITEM_ENTER(measure, index, lane)
#define TAC_ITEM_LEAVE(measure, index, lane, status)
#endif

#endif
