/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/heisenberg_dmrg/reference.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MAX_ROUNDS 2000

static const double pi = 3.14159265358979323846;

/* Jordan and Wigner: spins up are fermions that hop with Jxy/2 on an open chain. */
double tac_reference_free_fermions(const struct tac_dmrg_hamiltonian *hamiltonian, int twice_sz) {
  int up = (hamiltonian->sites + twice_sz) / 2;
  double sum = 0;
  for (int k = 1; k <= up; k++)
    sum -= cos(pi * k / (hamiltonian->sites + 1));
  return fabs(hamiltonian->jxy) * sum - 0.5 * hamiltonian->field * twice_sz;
}

/* One round of the Bethe equations of the open chain in logarithmic form, solved for the left side:
 *   4 N atan(2 x_j) = 2 pi j + sum over k != j of 2 atan(x_j - x_k) + 2 atan(x_j + x_k),   j = 1 … M,
 * with the quantum numbers 1 … M of the lowest level (F. C. Alcaraz et al., J. Phys. A 20 (1987) 6397). Returns the
 * largest change of an angle. */
static double bethe_round(double *next, const double *x, int roots, int sites) {
  double largest = 0;
  for (int j = 0; j < roots; j++) {
    double sum = 2 * pi * (j + 1);
    for (int k = 0; k < roots; k++)
      if (k != j)
        sum += 2 * (atan(x[j] - x[k]) + atan(x[j] + x[k]));
    next[j] = 0.5 * tan(sum / (4 * sites));
    largest = fmax(largest, fabs(atan(2 * next[j]) - atan(2 * x[j])));
  }
  return largest;
}

enum tac_status tac_reference_bethe(double *energy, const struct tac_dmrg_hamiltonian *hamiltonian, int twice_sz,
                                    struct tac_error *error) {
  const int sites = hamiltonian->sites, roots = (sites - abs(twice_sz)) / 2;
  enum tac_status status = TAC_STATUS_OK;
  double change = 1;
  double *x = calloc(2 * (size_t)roots + 1, sizeof *x), *next = x + roots;
  if (!x)
    return tac_error_set(error, TAC_STATUS_MEMORY, __func__, "no memory for %d roots", roots);
  for (int round = 0; round < MAX_ROUNDS && change > 1e-15; round++) {
    change = bethe_round(next, x, roots, sites);
    memcpy(x, next, (size_t)roots * sizeof *x);
  }
  if (change > 1e-13)
    status = tac_error_set(error, TAC_STATUS_NUMERICAL, __func__, "the Bethe equations did not converge: %g", change);
  double sum = 0.25 * (sites - 1);
  for (int j = 0; j < roots; j++)
    sum -= 0.5 / (x[j] * x[j] + 0.25);
  *energy = hamiltonian->jz * sum - 0.5 * hamiltonian->field * twice_sz;
  free(x);
  return status;
}
