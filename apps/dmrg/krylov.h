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
  int most;
  int ahead;            /* the next three stay on a device until they are fetched, and vectors are not normalised */
  double norm;          /* of the start */
  double *alpha, *beta; /* the tridiagonal matrix */
  int exact;            /* after that: no square that stood in for a norm overflowed or vanished */
  double *length;       /* of vector[j], where ahead */
  double *coefficient;  /* of vector[j] in the lowest Ritz vector, as they are */
  double *work, *eigen, *fetched;
  struct tac_vector *vector;
};

enum tac_status tac_krylov_reserve(struct tac_krylov *out, struct tac_bond *bond, int most, struct tac_error *error);

/* NUMERICAL where a number is not finite, or the start's norm is 0. */
enum tac_status tac_krylov_check_start(const struct tac_krylov *krylov, int site, struct tac_error *error);
enum tac_status tac_krylov_check_step(const struct tac_krylov *krylov, int j, int site, struct tac_error *error);
/* The space closes where the next vector is rounding (of this length), or too short to be normalised. */
double tac_krylov_rounding(const struct tac_krylov *krylov, int j, const struct tac_kernels *kernels);
int tac_krylov_closed(const struct tac_krylov *krylov, int j, const struct tac_kernels *kernels);
/* Checks a space that was ahead, and cuts its dimension to where it closes. */
enum tac_status tac_krylov_cut(const struct tac_krylov *krylov, int *dimension, const struct tac_bond *bond,
                               struct tac_error *error);

/* The lowest eigenpair of the leading dimension x dimension tridiagonal matrix. NUMERICAL when LAPACK finds none. */
enum tac_status tac_krylov_ritz(struct tac_krylov *krylov, int dimension, struct tac_ritz *out, int site,
                                struct tac_error *error);

#endif
