/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef SCHEDULER_LOOP_TMPL_H
#define SCHEDULER_LOOP_TMPL_H

#include "measure/variant_batch.h"
#include "scheduler/run.h"

/* What a level runs: the run, and its measurement at the levels that have one. */
struct tac_frame {
  struct tac_run run; /* first: the loops get a pointer to its work */
  TAC_MEASURE_MEMBER
};

/* `work` is the one of a struct tac_frame. shared claims from the shared index; alone runs every position on the calling
 * thread without an atomic operation; one runs a single position. ordered: through run->order. */
void TAC_VARIANT(tac_loop_shared)(struct tac_work *work, struct tac_lane *lane);
void TAC_VARIANT(tac_loop_shared_ordered)(struct tac_work *work, struct tac_lane *lane);
void TAC_VARIANT(tac_loop_alone)(struct tac_work *work, struct tac_lane *lane);
void TAC_VARIANT(tac_loop_alone_ordered)(struct tac_work *work, struct tac_lane *lane);
void TAC_VARIANT(tac_loop_one)(struct tac_work *work, size_t position, struct tac_lane *lane);

#endif
