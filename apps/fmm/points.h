/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef APPS_FMM_POINTS_H
#define APPS_FMM_POINTS_H

/* What tac_fmm_evaluate_at makes at its first call and keeps with the plan. */
struct tac_points;
void tac_points_destroy(struct tac_points **points);

#endif
