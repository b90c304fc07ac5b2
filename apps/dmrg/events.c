/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <tactus/dmrg/sweep.h>

static const struct tac_event events[TAC_DMRG_EVENT_COUNT] = {
    [TAC_DMRG_EVENT_RUN] = {.name = "run", .parent = TAC_NO_EVENT},
    [TAC_DMRG_EVENT_DEVICE_SETUP] = {.name = "device set-up", .parent = TAC_DMRG_EVENT_RUN},
    [TAC_DMRG_EVENT_INITIAL_ENVIRONMENTS] = {.name = "initial environments", .parent = TAC_DMRG_EVENT_RUN},
    [TAC_DMRG_EVENT_SWEEP] = {.name = "sweep", .parent = TAC_DMRG_EVENT_RUN},
    [TAC_DMRG_EVENT_BOND] = {.name = "bond", .parent = TAC_DMRG_EVENT_SWEEP},
    [TAC_DMRG_EVENT_CENTER] = {.name = "center construction", .parent = TAC_DMRG_EVENT_BOND, .batched = 1},
    [TAC_DMRG_EVENT_EIGENSOLVER] = {.name = "local eigensolver", .parent = TAC_DMRG_EVENT_BOND},
    [TAC_DMRG_EVENT_APPLICATION] = {.name = "effective-H application", .parent = TAC_DMRG_EVENT_EIGENSOLVER, .batched = 1},
    [TAC_DMRG_EVENT_KRYLOV_ALLOCATION] = {.name = "Krylov allocation", .parent = TAC_DMRG_EVENT_EIGENSOLVER},
    [TAC_DMRG_EVENT_KRYLOV_UPDATE] = {.name = "Krylov vector update", .parent = TAC_DMRG_EVENT_EIGENSOLVER},
    [TAC_DMRG_EVENT_KRYLOV_REDUCTION] = {.name = "Krylov reduction", .parent = TAC_DMRG_EVENT_EIGENSOLVER},
    [TAC_DMRG_EVENT_SVD] = {.name = "block SVD", .parent = TAC_DMRG_EVENT_BOND},
    [TAC_DMRG_EVENT_SVD_BATCH] = {.name = "SVD batch", .parent = TAC_DMRG_EVENT_SVD, .batched = 1},
    [TAC_DMRG_EVENT_SELECTION] = {.name = "state selection", .parent = TAC_DMRG_EVENT_BOND},
    [TAC_DMRG_EVENT_MATERIALIZATION] = {.name = "factor materialization", .parent = TAC_DMRG_EVENT_BOND, .batched = 1},
    [TAC_DMRG_EVENT_ENVIRONMENT] = {.name = "environment update", .parent = TAC_DMRG_EVENT_BOND, .batched = 1},
};

const struct tac_event_set tac_dmrg_events = {.name = "dmrg", .count = TAC_DMRG_EVENT_COUNT, .events = events};
