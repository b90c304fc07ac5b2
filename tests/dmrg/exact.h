/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef TESTS_DMRG_EXACT_H
#define TESTS_DMRG_EXACT_H

#include <complex.h>

#include <tactus/dmrg.h>

/* Small chains in the full product space: amplitude number s_0 d^(N-1) + … + s_(N-1), local states in the order of falling
 * Sz. Written from the definitions alone, as the judge of the block code. */

size_t exact_dimension(int sites, int twice_spin);

/* y = H x. */
void exact_apply(const struct tac_dmrg_hamiltonian *hamiltonian, const double complex *x, double complex *y);

/* The lowest energy of the sector, by dense diagonalisation of the Hamiltonian between its product states. */
double exact_ground_energy(const struct tac_dmrg_hamiltonian *hamiltonian, int twice_sz);

/* The states of a bond by their charge, each a vector over the product states of its own sites. */
struct exact_basis {
  int sites; /* of the vectors */
  size_t dimension;
  int count;
  int *charge;
  double complex **vector; /* number i has charge[i]; equal charges follow each other */
};
/* Of the left states of `bond` (every site left of it in left form), of its right states (every site right of it in right
 * form); the states of a centre are not normalised. */
struct exact_basis exact_left_basis(const struct tac_dmrg_state *state, int bond);
struct exact_basis exact_right_basis(const struct tac_dmrg_state *state, int bond);
void exact_basis_destroy(struct exact_basis *basis);
/* Number of the first vector of that charge, and -1 when there is none. */
int exact_basis_first(const struct exact_basis *basis, int charge);

/* All amplitudes of the chain; free() them. */
double complex *exact_amplitudes(const struct tac_dmrg_state *state);

double exact_norm(size_t count, const double complex *x);
/* x^H y */
double complex exact_dot(size_t count, const double complex *x, const double complex *y);
/* Twice Sz of a product state. */
int exact_twice_sz(int sites, int twice_spin, size_t number);

#endif
