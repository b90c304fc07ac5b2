/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef APPS_DMRG_LANCZOS_TMPL_H
#define APPS_DMRG_LANCZOS_TMPL_H

#include <tactus/measure/variant.h>

#include "apps/dmrg/krylov.h"

/* Replaces bond->theta by the lowest Ritz vector of a Krylov space of at most `products` vectors that starts at it: three-term
 * recurrence without reorthogonalisation, stopped early where the space closes. */
enum tac_status TAC_VARIANT(tac_lanczos)(struct tac_ritz *out, struct tac_bond *bond, struct tac_scheduler *scheduler,
                                         int products TAC_RECORDER_PARAMETER, struct tac_error *error);

/* bond->y = H bond->x as one batch. */
enum tac_status TAC_VARIANT(tac_apply)(struct tac_bond *bond, struct tac_scheduler *scheduler TAC_RECORDER_PARAMETER,
                                       struct tac_error *error);

#endif
