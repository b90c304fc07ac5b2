/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/heisenberg_dmrg/reference.h"

#include <math.h>

#include "apps/heisenberg_dmrg/sector.h"

#define BETHE_SITES 1000 /* a round costs the square of it */

enum tac_reference_source tac_reference_find(const struct tac_dmrg_hamiltonian *h, int twice_sz) {
  size_t states = tac_sector_dimension(h->sites, h->twice_spin, twice_sz, TAC_REFERENCE_LANCZOS_STATES);
  if (states == 0 || !isfinite(h->jxy) || !isfinite(h->jz) || !isfinite(h->field))
    return TAC_REFERENCE_NONE;
  if (states <= TAC_REFERENCE_DENSE_STATES && h->sites <= TAC_SECTOR_SITES)
    return TAC_REFERENCE_DENSE;
  if (h->twice_spin == 1 && h->jz == 0)
    return TAC_REFERENCE_FREE_FERMIONS;
  if (states <= TAC_REFERENCE_LANCZOS_STATES && h->sites <= TAC_SECTOR_SITES)
    return TAC_REFERENCE_LANCZOS;
  if (h->twice_spin == 1 && h->jz > 0 && fabs(h->jxy) == h->jz && h->sites <= BETHE_SITES)
    return TAC_REFERENCE_BETHE;
  return TAC_REFERENCE_NONE;
}

const char *tac_reference_name(enum tac_reference_source source) {
  switch (source) {
  case TAC_REFERENCE_NONE:
    break;
  case TAC_REFERENCE_DENSE:
    return "exact diagonalisation";
  case TAC_REFERENCE_LANCZOS:
    return "Lanczos on the whole sector";
  case TAC_REFERENCE_FREE_FERMIONS:
    return "free fermions";
  case TAC_REFERENCE_BETHE:
    return "Bethe equations";
  }
  return "none";
}

enum tac_status tac_reference_energy(double *energy, const struct tac_dmrg_hamiltonian *hamiltonian, int twice_sz,
                                     struct tac_error *error) {
  switch (tac_reference_find(hamiltonian, twice_sz)) {
  case TAC_REFERENCE_NONE:
    break;
  case TAC_REFERENCE_DENSE:
    return tac_reference_dense(energy, hamiltonian, twice_sz, error);
  case TAC_REFERENCE_LANCZOS:
    return tac_reference_lanczos(energy, hamiltonian, twice_sz, error);
  case TAC_REFERENCE_FREE_FERMIONS:
    *energy = tac_reference_free_fermions(hamiltonian, twice_sz);
    return TAC_STATUS_OK;
  case TAC_REFERENCE_BETHE:
    return tac_reference_bethe(energy, hamiltonian, twice_sz, error);
  }
  return tac_error_set(error, TAC_STATUS_INVALID, __func__,
                       "no exact energy is known: the sector has more than %d states and its couplings no closed form",
                       TAC_REFERENCE_LANCZOS_STATES);
}

struct tac_reference_tolerance tac_reference_tolerance(double exact, const struct tac_dmrg_hamiltonian *h,
                                                       int single_precision) {
  double scale = fmax(fabs(exact), fmax(fabs(h->jxy), fabs(h->jz)));
  struct tac_reference_tolerance tolerance = {1e-10 * scale, 1e-12 * scale};
  if (single_precision)
    tolerance.above = tolerance.below = 1e-5 * scale;
  return tolerance;
}

int tac_reference_agrees(double energy, double exact, struct tac_reference_tolerance allowed) {
  return energy - exact <= allowed.above && exact - energy <= allowed.below;
}
