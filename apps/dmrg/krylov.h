/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef APPS_DMRG_KRYLOV_H
#define APPS_DMRG_KRYLOV_H

#include "apps/dmrg/bond.h"

/* The lowest Ritz pair. */
struct tac_ritz {
  double energy, residual;
  int products;
  double moved; /* norm of the Ritz vector's part orthogonal to the start */
};

/* A Krylov space in the memory of a bond: vector[0] is the centre, vector[1 … most] follow; the last one is spare. */
struct tac_krylov {
  double *alpha, *beta; /* the tridiagonal matrix */
  double *coefficient;  /* of the lowest Ritz vector */
  double *work, *eigen;
  struct tac_vector *vector;
};

enum tac_status tac_krylov_reserve(struct tac_krylov *out, struct tac_bond *bond, int most, struct tac_error *error);

/* The lowest eigenpair of the leading dimension x dimension tridiagonal matrix. NUMERICAL when LAPACK finds none. */
enum tac_status tac_krylov_ritz(struct tac_krylov *krylov, int dimension, struct tac_ritz *out, int site,
                                struct tac_error *error);

#endif
