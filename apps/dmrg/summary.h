/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef APPS_DMRG_SUMMARY_H
#define APPS_DMRG_SUMMARY_H

#include "apps/dmrg/environments.h"
#include "apps/dmrg/krylov.h"

/* The bonds that a sweep still has before it: their left sites from `site` on. */
struct tac_sweep_range {
  int site, direction, bonds;
};

/* Empties the summary and says where the sweep starts: at the centre's end, or where an interrupted sweep stopped. */
struct tac_sweep_range tac_summary_begin(struct tac_dmrg_sweep_summary *summary, struct tac_dmrg_environments *environments);

/* Adds what the field gives to the energies of a sweep that has ended. Until then they are those without it, which the guard
 * compares. */
enum tac_status tac_summary_add_field(struct tac_dmrg_sweep_summary *summary, const struct tac_dmrg_environments *environments,
                                      struct tac_error *error);

void tac_summary_add_ritz(struct tac_dmrg_sweep_summary *summary, const struct tac_ritz *ritz, const struct tac_bond *bond);
/* After the factors were installed. */
void tac_summary_add_split(struct tac_dmrg_sweep_summary *summary, const struct tac_bond *bond);

/* Whether the stored state's energy differs from the last Ritz value and is asked for; the centre that the stored factors
 * give, ready to be multiplied; and the energy from the product. */
int tac_summary_needs_energy(const struct tac_dmrg_options *options, const struct tac_bond *bond);
enum tac_status tac_summary_rebuild_center(struct tac_bond *bond, struct tac_error *error);
enum tac_status tac_summary_set_energy(struct tac_dmrg_sweep_summary *summary, const struct tac_bond *bond,
                                       struct tac_error *error);

#endif
