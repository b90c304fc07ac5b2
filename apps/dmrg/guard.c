/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/dmrg/guard.h"

#include <math.h>

/* Sweeps in which a bond gets one full decomposition; odd, so that it comes from either direction in turn. */
enum { GUARD_PERIOD = 9 };

/* A run is steady when the last sweep's largest residual is at least this share of the one before, or when its energy differs
 * from the one before by at most this, relatively: what changes then is below what a warm decomposition could spoil. */
#define STEADY_RESIDUALS  0.3
#define STEADY_ENERGY     1e-9
/* More discarded than the last full decomposition did by this factor and by what rounding leaves is refused. */
#define DISCARD_GROWTH    1.1
#define DISCARD_ROUNDINGS 8
/* A local residual that has grown by this factor asks for a full decomposition. */
#define RESIDUAL_GROWTH   2.0
#define RESIDUAL_FLOOR    1e-12

static const struct tac_guard_bond *bond_of(const struct tac_dmrg_environments *environments) {
  return &environments->guard.bond[environments->bond.site];
}

void tac_guard_begin(struct tac_dmrg_environments *environments) {
  struct tac_guard *guard = &environments->guard;
  guard->sweep++;
  guard->grown = guard->last_bond > 0 && guard->last_bond == guard->bond_before;
  const int settled = fabs(guard->last_energy - guard->energy_before) <= STEADY_ENERGY * fabs(guard->last_energy);
  guard->steady = guard->grown && (settled || guard->last_residual >= STEADY_RESIDUALS * guard->residual_before) &&
                  guard->last_rejected * 10 <= (uint64_t)environments->state->sites;
}

enum tac_split_method tac_guard_method(const struct tac_dmrg_environments *environments, const struct tac_dmrg_options *options,
                                       const struct tac_ritz *ritz) {
  const struct tac_guard *guard = &environments->guard;
  const struct tac_guard_bond *last = bond_of(environments);
  if (options->decomposition == TAC_DMRG_EXACT || environments->bond.kernels->epsilon > 1e-10 || !guard->grown)
    return TAC_SPLIT_FULL;
  const int turn = (guard->sweep + environments->bond.site) % GUARD_PERIOD == 0;
  const double residual = last->residual[environments->bond.direction > 0];
  const int calm = last->known && ritz->residual <= RESIDUAL_GROWTH * residual + RESIDUAL_FLOOR;
  return guard->steady && calm && !turn ? TAC_SPLIT_WARM : TAC_SPLIT_GRAM;
}

int tac_guard_accepts(const struct tac_dmrg_environments *environments) {
  const struct tac_split *split = &environments->bond.split;
  if (split->method != TAC_SPLIT_WARM)
    return 1;
  return split->discarded <=
         DISCARD_GROWTH * bond_of(environments)->discarded + DISCARD_ROUNDINGS * environments->bond.kernels->epsilon;
}

void tac_guard_note(struct tac_dmrg_environments *environments, const struct tac_ritz *ritz) {
  struct tac_guard_bond *bond = &environments->guard.bond[environments->bond.site];
  if (environments->bond.split.method == TAC_SPLIT_WARM)
    return;
  bond->known = 1;
  bond->discarded = environments->bond.split.discarded;
  bond->residual[environments->bond.direction > 0] = ritz->residual;
}

void tac_guard_end(struct tac_dmrg_environments *environments, const struct tac_dmrg_sweep_summary *summary) {
  struct tac_guard *guard = &environments->guard;
  guard->bond_before = guard->last_bond;
  guard->residual_before = guard->last_residual;
  guard->energy_before = guard->last_energy;
  guard->last_bond = summary->max_bond;
  guard->last_energy = summary->energy_ritz;
  guard->last_residual = summary->max_residual;
  guard->last_rejected = summary->warm_rejected;
}
