/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <tactus/dmrg/sweep.h>

#include <math.h>
#include <string.h>

/* Below, differences are none: an energy of 0 has no relative ones. */
#define NO_ENERGY 1e-300

void tac_dmrg_convergence_init(struct tac_dmrg_convergence *convergence) {
  memset(convergence, 0, sizeof *convergence);
  convergence->tolerance = 1e-11;
  convergence->min_sweeps = 2;
}

int tac_dmrg_convergence_add(struct tac_dmrg_convergence *convergence, const struct tac_dmrg_sweep_summary *summary,
                             int max_states) {
  const int full = summary->max_bond >= max_states || summary->max_bond == convergence->last_max_bond;
  const double scale = fmax(fabs(summary->energy), fabs(convergence->last_energy));
  const int close = fabs(summary->energy - convergence->last_energy) <= fmax(convergence->tolerance * scale, NO_ENERGY);
  convergence->hits = convergence->sweeps > 0 && full && close ? convergence->hits + 1 : 0;
  convergence->sweeps++;
  convergence->last_energy = summary->energy;
  convergence->last_max_bond = summary->max_bond;
  return convergence->hits >= 2 && convergence->sweeps >= convergence->min_sweeps;
}
