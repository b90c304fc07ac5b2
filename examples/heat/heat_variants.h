/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef HEAT_VARIANTS_H
#define HEAT_VARIANTS_H

#include "heat.h"

/* heat_tmpl.c defines one of these each time it is compiled. */
enum tac_status heat_drive_off(struct heat_rod *rod, struct tac_scheduler *scheduler, struct tac_error *error);
enum tac_status heat_drive_coarse(struct heat_rod *rod, struct tac_scheduler *scheduler, struct tac_recorder *recorder,
                                  struct tac_error *error);
enum tac_status heat_drive_detailed(struct heat_rod *rod, struct tac_scheduler *scheduler, struct tac_recorder *recorder,
                                    struct tac_error *error);
enum tac_status heat_drive_hooked(struct heat_rod *rod, struct tac_scheduler *scheduler, struct tac_recorder *recorder,
                                  struct tac_error *error);

#endif
