/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef MEASURE_ESTIMATES_H
#define MEASURE_ESTIMATES_H

#include "measure/batch.h"
#include "measure/recorder.h"

/* What a batch says of its items before they run: an estimate of each one's cost, and what that is made of. */

/* INVALID: terms without a function, too many, none, without a name, or two of one name. */
enum tac_status tac_estimates_check(const struct tac_cost_terms *terms, struct tac_error *error);

/* Asks the batch, and keeps what it says with its slots. 0: no memory. */
int tac_estimates_take(struct tac_kept_batch *kept, const struct tac_recorder *recorder,
                       const struct tac_measured_batch *batch);

#endif
