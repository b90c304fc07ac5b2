/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef TESTS_DMRG_CHAIN_H
#define TESTS_DMRG_CHAIN_H

#include <tactus/dmrg.h>

#include "apps/dmrg/environments.h"

/* What a run needs, made from plain values. */
struct chain {
  struct tac_dmrg_hamiltonian hamiltonian;
  struct tac_dmrg_state_options start;
  struct tac_dmrg_options options;
  struct tac_scheduler_options scheduling;
  struct tac_scheduler *scheduler;
  struct tac_dmrg_state *state;
  struct tac_dmrg_environments *environments;
  struct tac_dmrg_sweep_summary summary;
  struct tac_error error;
};

/* The library's defaults for `sites` spins 1/2 on the serial executor, exact decomposition. Set what differs, then create. */
void chain_init(struct chain *chain, int sites);
void chain_set_spin(struct chain *chain, int twice_spin);
void chain_create(struct chain *chain);
void chain_destroy(struct chain *chain);

/* One sweep that must succeed; its energy. */
double chain_sweep(struct chain *chain);
/* Sweeps that must succeed; the energy of the last one. */
double chain_sweeps(struct chain *chain, int count);

/* Sweeps until the bond whose left site is `site` is done. */
void chain_stop_after(struct chain *chain, int site);

/* Runs every item on one lane of the caller's; the first failure, with what the item wrote in *error. */
enum tac_status chain_run_items(struct tac_bond *bond, size_t count, enum tac_status (*item)(void *, size_t, struct tac_lane *),
                                struct tac_error *error);

/* Lays out a bond and builds its centre, as the sweep does; direction is that of the state's forms. */
void chain_center(struct chain *chain, int site, int direction);

/* A number that differs whenever a bit of the state differs. */
uint64_t chain_fingerprint(const struct tac_dmrg_state *state);

#endif
