/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef APPS_DMRG_STATE_H
#define APPS_DMRG_STATE_H

#include "apps/dmrg/kernels.h"
#include "apps/dmrg/space.h"

struct tac_dmrg_state {
  struct tac_pool pool;
  const struct tac_kernels *kernels;
  enum tac_dmrg_scalar scalar;
  int sites, twice_spin, twice_sz;
  int center;
  int lost;                  /* its numbers were on a device that failed before they came back */
  int direction;             /* +1 or -1: which way an interrupted sweep was going; 0 at an end */
  struct tac_tensor *tensor; /* one a site */
  struct tac_buffer tensors;
};

/* Fill the tensors of a new state: centre at the left end, everything else a right isometry. */
enum tac_status tac_state_start_product(struct tac_dmrg_state *state, struct tac_error *error);
enum tac_status tac_state_start_random(struct tac_dmrg_state *state, int most_states, uint64_t seed, struct tac_error *error);

#endif
