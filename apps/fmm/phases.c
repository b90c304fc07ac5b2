/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <tactus/fmm/plan.h>

#define P2M              "far_form_multipoles"
#define M2M              "far_coarsen_multipoles"
#define TABLE_APPLY      "nearfield_table_apply"
#define SPLIT_CORRECTION "split_correction"
#define M2L              "far_multipole_to_local"
#define M2P              "far_eval_multipoles"
#define P2L              "far_form_locals"
#define L2L              "far_refine_locals"
#define L2P              "far_eval_locals"
#define PHASE(phase_name)                                                                                                      \
  { .name = phase_name, .parent = TAC_FMM_EVENT_SOLVE, .batched = 1 }

static const struct tac_event events[TAC_FMM_EVENT_COUNT] = {
    [TAC_FMM_EVENT_SOLVE] = {.name = "solve", .parent = TAC_NO_EVENT},
    [TAC_FMM_EVENT_FORM_MULTIPOLES] = PHASE(P2M),
    [TAC_FMM_EVENT_COARSEN_MULTIPOLES] = PHASE(M2M),
    [TAC_FMM_EVENT_TABLE_APPLY] = PHASE(TABLE_APPLY),
    [TAC_FMM_EVENT_SPLIT_CORRECTION] = PHASE(SPLIT_CORRECTION),
    [TAC_FMM_EVENT_MULTIPOLE_TO_LOCAL] = PHASE(M2L),
    [TAC_FMM_EVENT_EVAL_MULTIPOLES] = PHASE(M2P),
    [TAC_FMM_EVENT_FORM_LOCALS] = PHASE(P2L),
    [TAC_FMM_EVENT_REFINE_LOCALS] = PHASE(L2L),
    [TAC_FMM_EVENT_EVAL_LOCALS] = PHASE(L2P),
};
const struct tac_event_set tac_fmm_events = {.name = "volume_fmm", .count = TAC_FMM_EVENT_COUNT, .events = events};

const char *const tac_fmm_phases[TAC_FMM_PHASES] = {P2M, M2M, TABLE_APPLY, SPLIT_CORRECTION, M2L, M2P, P2L, L2L, L2P};
const char *const tac_fmm_far_phases[TAC_FMM_FAR_PHASES] = {P2M, M2M, M2L, M2P, P2L, L2L, L2P};
const char *const tac_fmm_near_phases[TAC_FMM_NEAR_PHASES] = {TABLE_APPLY, SPLIT_CORRECTION};
