/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef APPS_TACTUS_COMPARISON_PARTS_H
#define APPS_TACTUS_COMPARISON_PARTS_H

#include "apps/tactus/comparison.h"

/* Fills spreads and ratios of an event from its runs; `values` has room for one a run. */
void tac_comparison_figures(const struct tac_comparison *comparison, struct tac_compared_event *event, double *values);

/* Which events are shown, in which order and depth, and which of them fail. */
enum tac_status tac_comparison_select(struct tac_comparison *comparison, struct tac_error *error);

#endif
