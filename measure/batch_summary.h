/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef MEASURE_BATCH_SUMMARY_H
#define MEASURE_BATCH_SUMMARY_H

#include "measure/recorder.h"

/* Room for what the next needs of a batch of the event on so many lanes. 0: there is no memory. */
int tac_batch_summary_reserve(struct tac_recorder *recorder, int event, int lanes);

/* Adds a record, and its items' durations, to the sums of its event. */
void tac_batch_summary_add(struct tac_recorder *recorder, const struct tac_batch_record *record, const struct tac_slot *slots);

#endif
