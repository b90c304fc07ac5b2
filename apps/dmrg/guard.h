/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef APPS_DMRG_GUARD_H
#define APPS_DMRG_GUARD_H

#include "apps/dmrg/environments.h"
#include "apps/dmrg/krylov.h"

/* Decides how a bond is decomposed. By default: by SVD while the bond dimension grows; then by Gram matrices; warm while the
 * run is steady (residuals no longer fall fast, or the energy has settled, and few warm decompositions were taken back) and
 * the bond's last complete decomposition discarded no less and left no smaller residual. Every bond is decomposed completely
 * once in GUARD_PERIOD sweeps, in turn. */

void tac_guard_begin(struct tac_dmrg_environments *environments);
enum tac_split_method tac_guard_method(const struct tac_dmrg_environments *environments, const struct tac_dmrg_options *options,
                                       const struct tac_ritz *ritz);
/* After the selection: 0 when a warm decomposition must not stand. */
int tac_guard_accepts(const struct tac_dmrg_environments *environments);
/* What was done at this bond at last. */
void tac_guard_note(struct tac_dmrg_environments *environments, const struct tac_ritz *ritz);
void tac_guard_end(struct tac_dmrg_environments *environments, const struct tac_dmrg_sweep_summary *summary);

#endif
