/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef APPS_DMRG_GUARD_H
#define APPS_DMRG_GUARD_H

#include "apps/dmrg/environments.h"
#include "apps/dmrg/krylov.h"

/* Decides when a warm decomposition may stand for a full one. It may while the run is steady (the bond dimension has stopped
 * growing and residuals no longer fall fast) and while the bond's last full decomposition is recent, discarded no less and
 * left no smaller residual. Every bond is decomposed in full once in GUARD_PERIOD sweeps, in turn. */

void tac_guard_begin(struct tac_dmrg_environments *environments);
int tac_guard_allows(const struct tac_dmrg_environments *environments, const struct tac_dmrg_options *options,
                     const struct tac_ritz *ritz);
/* After the selection of a warm decomposition: 1 when it may stand. */
int tac_guard_accepts(const struct tac_dmrg_environments *environments);
/* What was done at this bond at last. */
void tac_guard_note(struct tac_dmrg_environments *environments, const struct tac_ritz *ritz);
void tac_guard_end(struct tac_dmrg_environments *environments, const struct tac_dmrg_sweep_summary *summary);

#endif
