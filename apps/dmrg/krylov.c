/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/dmrg/krylov.h"

#include <math.h>
#include <string.h>

#include <lapacke.h>

enum tac_status tac_krylov_reserve(struct tac_krylov *out, struct tac_bond *bond, int most, struct tac_error *error) {
  const size_t k = (size_t)most;
  enum tac_status status =
      tac_buffer_reserve_numbers(&bond->krylov_memory, bond->pool, k * bond->length * bond->kernels->size, error);
  if (!status)
    status = tac_buffer_reserve(
        &bond->ritz_memory, bond->pool,
        (9 * k + 1 + k * k) * sizeof(double) + (k + 1) * (sizeof *out->vector + sizeof(struct tac_device_array)), error);
  if (status)
    return status;
  out->most = most;
  out->ahead = 0;
  out->alpha = bond->ritz_memory.data;
  out->beta = out->alpha + k;
  out->length = out->beta + k;
  out->coefficient = out->length + k;
  out->work = out->coefficient + k;
  out->eigen = out->work + 3 * k;
  out->fetched = out->eigen + k * k;
  out->vector = (struct tac_vector *)(out->fetched + 2 * k + 1);
  bond->operands = out->vector + k + 1;
  out->vector[0] = bond->theta;
  for (size_t j = 1; j <= k; j++) {
    out->vector[j] = (struct tac_vector){&bond->krylov_memory, (j - 1) * bond->length};
    tac_bond_zero_padding(bond, out->vector[j]);
  }
  return TAC_STATUS_OK;
}

enum tac_status tac_krylov_check_start(const struct tac_krylov *krylov, int site, struct tac_error *error) {
  if (isfinite(krylov->norm) && krylov->norm != 0)
    return TAC_STATUS_OK;
  return tac_error_set(error, TAC_STATUS_NUMERICAL, "local eigensolver", "site %d: the start vector's norm is %g", site,
                       krylov->norm);
}

enum tac_status tac_krylov_check_step(const struct tac_krylov *krylov, int j, int site, struct tac_error *error) {
  if (isfinite(krylov->alpha[j]) && isfinite(krylov->beta[j]))
    return TAC_STATUS_OK;
  return tac_error_set(error, TAC_STATUS_NUMERICAL, "local eigensolver", "site %d: product %d is not finite", site, j + 1);
}

double tac_krylov_rounding(const struct tac_krylov *krylov, int j, const struct tac_kernels *kernels) {
  return 10 * kernels->epsilon * fmax(fabs(krylov->alpha[j]), j > 0 ? krylov->beta[j - 1] : 0);
}

int tac_krylov_closed(const struct tac_krylov *krylov, int j, const struct tac_kernels *kernels) {
  return krylov->beta[j] < kernels->smallest || krylov->beta[j] <= tac_krylov_rounding(krylov, j, kernels);
}

enum tac_status tac_krylov_cut(const struct tac_krylov *krylov, int *dimension, const struct tac_bond *bond,
                               struct tac_error *error) {
  const int steps = *dimension;
  enum tac_status status = tac_krylov_check_start(krylov, bond->site, error);
  for (int j = 0; j < steps && !status; j++) {
    status = tac_krylov_check_step(krylov, j, bond->site, error);
    *dimension = j + 1;
    if (!status && tac_krylov_closed(krylov, j, bond->kernels))
      break;
  }
  return status;
}

enum tac_status tac_krylov_ritz(struct tac_krylov *krylov, int dimension, struct tac_ritz *out, int site,
                                struct tac_error *error) {
  /* stev overwrites both diagonals: alpha's copy ends as the eigenvalues, beta's in the work space. */
  double *values = krylov->coefficient, *off = krylov->work + 2 * dimension;
  memcpy(values, krylov->alpha, (size_t)dimension * sizeof *values);
  memcpy(off, krylov->beta, (size_t)(dimension - 1) * sizeof *off);
  int info = LAPACKE_dstev_work(LAPACK_COL_MAJOR, 'V', dimension, values, off, krylov->eigen, dimension, krylov->work);
  if (info)
    return tac_error_set(error, TAC_STATUS_NUMERICAL, "local eigensolver", "site %d: LAPACK's stev gave info %d", site, info);
  out->energy = values[0];
  memcpy(krylov->coefficient, krylov->eigen, (size_t)dimension * sizeof *krylov->coefficient);
  out->residual = krylov->beta[dimension - 1] * fabs(krylov->coefficient[dimension - 1]);
  out->products = dimension;
  double square = 0;
  for (int j = 1; j < dimension; j++)
    square += krylov->coefficient[j] * krylov->coefficient[j];
  out->moved = sqrt(square);
  for (int j = 0; krylov->ahead && j < dimension; j++)
    krylov->coefficient[j] /= krylov->length[j];
  return TAC_STATUS_OK;
}
