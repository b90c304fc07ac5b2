/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef HEISENBERG_DMRG_REFERENCE_H
#define HEISENBERG_DMRG_REFERENCE_H

#include <stddef.h>

#include <tactus/dmrg/hamiltonian.h>
#include <tactus/runtime/error.h>

#define TAC_REFERENCE_DENSE_STATES   2000   /* up to here the whole sector is diagonalised */
#define TAC_REFERENCE_LANCZOS_STATES 400000 /* up to here its lowest level is found by Lanczos */

/* Where the exact lowest energy of a sector can come from. */
enum tac_reference_source {
  TAC_REFERENCE_NONE = 0,
  TAC_REFERENCE_DENSE,
  TAC_REFERENCE_LANCZOS,
  TAC_REFERENCE_FREE_FERMIONS, /* spin 1/2, Jz = 0: levels Jxy cos(pi k / (N+1)), the lowest ones filled */
  TAC_REFERENCE_BETHE          /* spin 1/2, |Jxy| = Jz > 0: the open chain's Bethe equations */
};

/* The source that the exact energy of this sector comes from; the cheapest that is exact. */
enum tac_reference_source tac_reference_find(const struct tac_dmrg_hamiltonian *hamiltonian, int twice_sz);
const char *tac_reference_name(enum tac_reference_source source);

/* The lowest energy of the sector, to about 1e-13 of the sum of its couplings. INVALID: no source knows it. MEMORY.
 * NUMERICAL: an iteration did not converge. */
enum tac_status tac_reference_energy(double *energy, const struct tac_dmrg_hamiltonian *hamiltonian, int twice_sz,
                                     struct tac_error *error);

/* The sources themselves, each for the cases that it is listed for. */
enum tac_status tac_reference_dense(double *energy, const struct tac_dmrg_hamiltonian *hamiltonian, int twice_sz,
                                    struct tac_error *error);
enum tac_status tac_reference_lanczos(double *energy, const struct tac_dmrg_hamiltonian *hamiltonian, int twice_sz,
                                      struct tac_error *error);
double tac_reference_free_fermions(const struct tac_dmrg_hamiltonian *hamiltonian, int twice_sz);
enum tac_status tac_reference_bethe(double *energy, const struct tac_dmrg_hamiltonian *hamiltonian, int twice_sz,
                                    struct tac_error *error);

/* How far an energy may lie from the exact one under --check: `above` for a state that is not quite converged, `below` for
 * rounding alone, as no state lies below it. Both are shares of the energy, or of a coupling where that is larger. */
struct tac_reference_tolerance {
  double above, below;
};
struct tac_reference_tolerance tac_reference_tolerance(double exact, const struct tac_dmrg_hamiltonian *hamiltonian,
                                                       int single_precision);

/* Whether an energy lies that near to the exact one. */
int tac_reference_agrees(double energy, double exact, struct tac_reference_tolerance allowed);

#endif
