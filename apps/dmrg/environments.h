/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef APPS_DMRG_ENVIRONMENTS_H
#define APPS_DMRG_ENVIRONMENTS_H

#include "apps/dmrg/bond.h"

/* What the last full decomposition of a bond saw. */
struct tac_guard_bond {
  int known;
  double discarded, residual[2]; /* residuals by direction: near an end they differ much */
};

/* See guard.h. */
struct tac_guard {
  struct tac_guard_bond *bond; /* by its left site */
  int sweep, grown, steady;
  int last_bond, bond_before; /* largest bond dimensions, residuals and energies of the last two sweeps */
  double last_residual, residual_before;
  double last_energy, energy_before;
  uint64_t last_rejected;
};

struct tac_dmrg_environments {
  struct tac_pool pool;
  struct tac_dmrg_hamiltonian hamiltonian; /* without the field */
  double field_energy;                     /* the field's part of every energy: one number in a sector */
  struct tac_dmrg_state *state;
  /* Of each bond 0 … sites: the part left of it where a sweep going right has passed, else the part right of it. No step needs
   * both. */
  struct tac_part *part;
  struct tac_bond bond;
  struct tac_guard guard;
  struct tac_tensor *hints; /* of each bond, by its left site */
  struct tac_buffer parts, guards, hint_memory;
};

/* Builds the right parts of every bond but the first two, unmeasured. */
enum tac_status tac_environments_build(struct tac_dmrg_environments *environments, struct tac_scheduler *scheduler,
                                       struct tac_error *error);
/* Memory and empty parts; nothing is built. A queue: everything lives on its device. */
enum tac_status tac_environments_allocate(struct tac_dmrg_environments **out, const struct tac_dmrg_hamiltonian *hamiltonian,
                                          struct tac_dmrg_state *state, struct tac_queue *queue, struct tac_error *error);

#endif
