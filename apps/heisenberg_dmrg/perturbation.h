/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef HEISENBERG_DMRG_PERTURBATION_H
#define HEISENBERG_DMRG_PERTURBATION_H

#include "apps/heisenberg_dmrg/progress.h"
#include "apps/heisenberg_dmrg/run.h"

/* Whether a run owes one: a measured one on a device, which waits for it where one at off does not, of a chain with a bond. */
int tac_heisenberg_perturbation_due(const struct tac_heisenberg_run *run);

/* Fills run->perturbation. Call it last: it ends the run's environments, its scheduler and with that its device, so that two
 * never hold memory there at once, and sweeps on from the state. One pair of sweeps, there and back, warms up at off on queues
 * of its own, and the next is timed. Beside it stands the run's last pair or its steady one, or where those did other work, one
 * that is warmed and timed at the run's level in the same way. */
enum tac_status tac_heisenberg_perturb(struct tac_heisenberg_run *run, struct tac_heisenberg_progress *progress,
                                       struct tac_error *error);

/* Whether two pairs of sweeps, there and back, did the same work but for some percent. */
int tac_heisenberg_same_work(const struct tac_heisenberg_sweep a[2], const struct tac_heisenberg_sweep b[2]);

/* "last", "steady" or "extra". */
const char *tac_heisenberg_pair_name(enum tac_heisenberg_pair pair);

#endif
