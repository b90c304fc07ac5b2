/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef APPS_FMM_DRIVER_H
#define APPS_FMM_DRIVER_H

#include <tactus/scheduler/scheduler.h>

struct tac_fmm_plan;

/* The phases of one evaluation, from working coefficients to values in class form; one function a level. */
struct tac_recorder;
enum tac_status tac_fmm_drive_off(struct tac_fmm_plan *plan, struct tac_scheduler *scheduler, struct tac_error *error);
enum tac_status tac_fmm_drive_coarse(struct tac_fmm_plan *plan, struct tac_scheduler *scheduler, struct tac_recorder *recorder,
                                     struct tac_error *error);
enum tac_status tac_fmm_drive_detailed(struct tac_fmm_plan *plan, struct tac_scheduler *scheduler,
                                       struct tac_recorder *recorder, struct tac_error *error);
enum tac_status tac_fmm_drive_hooked(struct tac_fmm_plan *plan, struct tac_scheduler *scheduler, struct tac_recorder *recorder,
                                     struct tac_error *error);

#endif
