/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "heat_variants.h"

const struct tac_event_set heat_events = {
    .name = "heat",
    .count = HEAT_EVENT_COUNT,
    .events =
        (const struct tac_event[]){
            [HEAT_EVENT_RUN] = {.name = "run", .parent = TAC_NO_EVENT},
            [HEAT_EVENT_STEP] = {.name = "step", .parent = HEAT_EVENT_RUN},
            [HEAT_EVENT_UPDATE] = {.name = "update", .parent = HEAT_EVENT_STEP, .batched = 1},
            [HEAT_EVENT_PEAK] = {.name = "peak", .parent = HEAT_EVENT_STEP},
        },
};

typedef enum tac_status (*drive_measured_fn)(struct heat_rod *, struct tac_scheduler *, struct tac_recorder *,
                                             struct tac_error *);

/* A recorder is never of level off, so that row is empty. */
static const drive_measured_fn drive_measured[TAC_LEVEL_COUNT] = {
    [TAC_LEVEL_COARSE] = heat_drive_coarse,
    [TAC_LEVEL_DETAILED] = heat_drive_detailed,
    [TAC_LEVEL_HOOKED] = heat_drive_hooked,
};

enum tac_status heat_run(struct heat_rod *rod, struct tac_scheduler *scheduler, struct tac_error *error) {
  return heat_drive_off(rod, scheduler, error);
}

enum tac_status heat_run_measured(struct heat_rod *rod, struct tac_scheduler *scheduler, struct tac_recorder *recorder,
                                  struct tac_error *error) {
  if (!recorder)
    return tac_error_set(error, TAC_STATUS_INVALID, __func__, "no recorder");
  return drive_measured[tac_recorder_level(recorder)](rod, scheduler, recorder, error);
}
