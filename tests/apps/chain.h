/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef TESTS_APPS_CHAIN_H
#define TESTS_APPS_CHAIN_H

#include <tactus/dmrg.h>

/* One chain with a state, its environments and a scheduler; any failure fails the running test. */
struct chain {
  const char *executor; /* default serial, one lane */
  int lanes;
  struct tac_dmrg_hamiltonian hamiltonian;
  struct tac_dmrg_state_options start;
  struct tac_dmrg_options options;
  struct tac_scheduler *scheduler;
  struct tac_dmrg_state *state;
  struct tac_dmrg_environments *environments;
  struct tac_dmrg_sweep_summary first, last; /* summaries of the first and the last sweep */
  double lowest;                             /* of all energies of all sweeps, Ritz values included */
  int sweeps, converged;
};

/* Defaults for a sector: nothing is created yet, members may still be set. */
struct chain chain_of(int sites, int twice_spin, int twice_sz);

/* Creates what is missing and sweeps. */
void chain_sweep(struct chain *chain);

/* Sweeps until the energy has converged to `tolerance` or `most` sweeps are done, and gives the last energy. */
double chain_converge(struct chain *chain, double tolerance, int most);

void chain_destroy(struct chain *chain);

#endif
