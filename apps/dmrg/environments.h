/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef APPS_DMRG_ENVIRONMENTS_H
#define APPS_DMRG_ENVIRONMENTS_H

#include "apps/dmrg/bond.h"

struct tac_dmrg_environments {
  struct tac_pool pool;
  struct tac_dmrg_hamiltonian hamiltonian;
  struct tac_dmrg_state *state;
  struct tac_part *left, *right; /* of each bond 0 … sites: the sites left and right of it */
  struct tac_bond bond;
  struct tac_buffer parts;
};

/* Builds the right parts of every bond but the first two, unmeasured. */
enum tac_status tac_environments_build(struct tac_dmrg_environments *environments, struct tac_scheduler *scheduler,
                                       struct tac_error *error);
/* Memory and empty parts; nothing is built. */
enum tac_status tac_environments_allocate(struct tac_dmrg_environments **out, const struct tac_dmrg_hamiltonian *hamiltonian,
                                          struct tac_dmrg_state *state, struct tac_error *error);

#endif
