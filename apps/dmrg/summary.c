/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/dmrg/summary.h"

#include <math.h>
#include <string.h>

#include "apps/dmrg/engine.h"

/* A part orthogonal to the start that is larger than this many roundings is a change of the vector. */
#define CHANGE_IN_ROUNDINGS 1e4

/* What a projection does not see is a difference of two sums near 1. */
#define DISCARDED_FLOOR_ROUNDINGS 8

struct tac_sweep_range tac_summary_begin(struct tac_dmrg_sweep_summary *summary, struct tac_dmrg_environments *environments) {
  const struct tac_dmrg_state *state = environments->state;
  struct tac_sweep_range range = {.direction = state->center == 0 ? 1 : -1};
  if (state->direction)
    range.direction = state->direction;
  range.site = range.direction > 0 ? state->center : state->center - 1;
  range.bonds = range.direction > 0 ? state->sites - 1 - state->center : state->center;
  memset(summary, 0, sizeof *summary);
  summary->direction = range.direction;
  summary->max_bond = tac_dmrg_state_max_bond_dimension(state);
  return range;
}

enum tac_status tac_summary_add_field(struct tac_dmrg_sweep_summary *summary, const struct tac_dmrg_environments *environments,
                                      struct tac_error *error) {
  summary->energy += environments->field_energy;
  summary->energy_ritz += environments->field_energy;
  if (!isfinite(summary->energy))
    return tac_error_set(error, TAC_STATUS_NUMERICAL, "energy", "site %d: with the field's part it is not finite",
                         environments->state->center);
  return TAC_STATUS_OK;
}

void tac_summary_add_ritz(struct tac_dmrg_sweep_summary *summary, const struct tac_ritz *ritz, const struct tac_bond *bond) {
  summary->energy = summary->energy_ritz = ritz->energy;
  summary->products += (uint64_t)ritz->products;
  summary->max_residual = fmax(summary->max_residual, ritz->residual);
  if (ritz->moved > CHANGE_IN_ROUNDINGS * bond->kernels->epsilon)
    summary->state_changed = 1;
}

void tac_summary_add_split(struct tac_dmrg_sweep_summary *summary, const struct tac_bond *bond) {
  const struct tac_split *split = &bond->split;
  int dimension = 0;
  for (int i = 0; i < bond->blocks; i++) {
    dimension += split->block[i].keep;
    summary->svd_fallbacks += (uint64_t)split->block[i].fallback;
    summary->svd_device_items += (uint64_t)(split->block[i].on_device && !split->block[i].fallback);
  }
  summary->svd_items += (uint64_t)bond->blocks;
  if (split->method != TAC_SPLIT_FULL)
    summary->discarded_floor = DISCARDED_FLOOR_ROUNDINGS * bond->kernels->epsilon;
  summary->max_discarded = fmax(summary->max_discarded, split->discarded);
  summary->max_bond = dimension > summary->max_bond ? dimension : summary->max_bond;
  uint64_t *const bonds[] = {[TAC_SPLIT_FULL] = &summary->full_bonds,
                             [TAC_SPLIT_GRAM] = &summary->gram_bonds,
                             [TAC_SPLIT_WARM] = &summary->warm_bonds};
  ++*bonds[split->method];
}

int tac_summary_needs_energy(const struct tac_dmrg_options *options, const struct tac_bond *bond) {
  return !options->energy_before_truncation && bond->split.discarded > 0;
}

enum tac_status tac_summary_rebuild_center(struct tac_bond *bond, struct tac_error *error) {
  struct tac_krylov krylov;
  enum tac_status status = tac_krylov_reserve(&krylov, bond, 2, error);
  if (status)
    return status;
  bond->x = bond->theta = krylov.vector[1];
  bond->y = krylov.vector[2];
  return bond->engine->build_center(bond, error);
}

enum tac_status tac_summary_set_energy(struct tac_dmrg_sweep_summary *summary, const struct tac_bond *bond,
                                       struct tac_error *error) {
  double product = 0, square = 0;
  enum tac_status status = bond->engine->dot(bond, bond->x, bond->y, &product, error);
  if (!status)
    status = bond->engine->dot(bond, bond->x, bond->x, &square, error);
  if (status)
    return status;
  const double energy = product / square;
  if (!isfinite(energy))
    return tac_error_set(error, TAC_STATUS_NUMERICAL, "energy", "site %d: the energy of the truncated state is not finite",
                         bond->site);
  summary->energy = energy;
  summary->products++;
  return TAC_STATUS_OK;
}
