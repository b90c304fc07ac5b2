/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/dmrg/lanczos_tmpl.h"

#include <math.h>

#include "apps/dmrg/krylov.h"

enum tac_status TAC_VARIANT(tac_apply)(struct tac_bond *bond, struct tac_scheduler *scheduler TAC_RECORDER_PARAMETER,
                                       struct tac_error *error) {
  const struct tac_batch batch = {.count = bond->apply_tasks.count,
                                  .item = tac_apply_item,
                                  .cost = tac_apply_cost,
                                  .context = bond,
                                  .event = TAC_DMRG_EVENT_APPLICATION,
                                  .inline_below = TAC_BOND_INLINE_BELOW};
  return TAC_RUN_BATCH(scheduler, &batch, error);
}

/* The start, normalised. */
static enum tac_status start(struct tac_bond *bond TAC_RECORDER_PARAMETER, struct tac_error *error) {
  const struct tac_kernels *kernels = bond->kernels;
  TAC_DETAIL_ENTER(TAC_DMRG_EVENT_KRYLOV_REDUCTION)
  const double norm = kernels->norm(bond->length, bond->theta);
  TAC_DETAIL_LEAVE(TAC_DMRG_EVENT_KRYLOV_REDUCTION)
  if (!isfinite(norm) || norm == 0)
    return tac_error_set(error, TAC_STATUS_NUMERICAL, "local eigensolver", "site %d: the start vector's norm is %g", bond->site,
                         norm);
  TAC_DETAIL_ENTER(TAC_DMRG_EVENT_KRYLOV_UPDATE)
  kernels->scale(bond->length, 1 / norm, bond->theta);
  TAC_DETAIL_LEAVE(TAC_DMRG_EVENT_KRYLOV_UPDATE)
  return TAC_STATUS_OK;
}

/* One step of the recurrence: w = H v[j] - beta[j-1] v[j-1] - alpha[j] v[j] stands where v[j+1] goes, beta[j] is its norm. */
static enum tac_status step(struct tac_krylov *krylov, int j, struct tac_bond *bond,
                            struct tac_scheduler *scheduler TAC_RECORDER_PARAMETER, struct tac_error *error) {
  const struct tac_kernels *kernels = bond->kernels;
  const size_t n = bond->length;
  void *w = krylov->vector[j + 1];
  bond->x = krylov->vector[j];
  bond->y = w;
  enum tac_status status = TAC_VARIANT(tac_apply)(bond, scheduler TAC_RECORDER_ARGUMENT, error);
  if (status)
    return status;
  TAC_DETAIL_ENTER(TAC_DMRG_EVENT_KRYLOV_UPDATE)
  if (j > 0)
    kernels->axpy(n, -krylov->beta[j - 1], krylov->vector[j - 1], w);
  TAC_DETAIL_LEAVE(TAC_DMRG_EVENT_KRYLOV_UPDATE)
  TAC_DETAIL_ENTER(TAC_DMRG_EVENT_KRYLOV_REDUCTION)
  krylov->alpha[j] = kernels->dot(n, krylov->vector[j], w);
  TAC_DETAIL_LEAVE(TAC_DMRG_EVENT_KRYLOV_REDUCTION)
  TAC_DETAIL_ENTER(TAC_DMRG_EVENT_KRYLOV_UPDATE)
  kernels->axpy(n, -krylov->alpha[j], krylov->vector[j], w);
  TAC_DETAIL_LEAVE(TAC_DMRG_EVENT_KRYLOV_UPDATE)
  TAC_DETAIL_ENTER(TAC_DMRG_EVENT_KRYLOV_REDUCTION)
  krylov->beta[j] = kernels->norm(n, w);
  TAC_DETAIL_LEAVE(TAC_DMRG_EVENT_KRYLOV_REDUCTION)
  if (!isfinite(krylov->alpha[j]) || !isfinite(krylov->beta[j]))
    return tac_error_set(error, TAC_STATUS_NUMERICAL, "local eigensolver", "site %d: product %d is not finite", bond->site,
                         j + 1);
  return TAC_STATUS_OK;
}

/* The space closes where the next vector is rounding, or too short to be normalised. */
static int closed(const struct tac_krylov *krylov, int j, const struct tac_kernels *kernels) {
  const double scale = fmax(fabs(krylov->alpha[j]), j > 0 ? krylov->beta[j - 1] : 0);
  return krylov->beta[j] < kernels->smallest || krylov->beta[j] <= 10 * kernels->epsilon * scale;
}

enum tac_status TAC_VARIANT(tac_lanczos)(struct tac_ritz *out, struct tac_bond *bond, struct tac_scheduler *scheduler,
                                         int products TAC_RECORDER_PARAMETER, struct tac_error *error) {
  const struct tac_kernels *kernels = bond->kernels;
  const int most = bond->elements < (size_t)products ? (int)bond->elements : products;
  struct tac_krylov krylov;
  TAC_DETAIL_ENTER(TAC_DMRG_EVENT_KRYLOV_ALLOCATION)
  enum tac_status status = tac_krylov_reserve(&krylov, bond, most, error);
  TAC_DETAIL_LEAVE(TAC_DMRG_EVENT_KRYLOV_ALLOCATION)
  if (!status)
    status = tac_apply_plan(bond, error);
  if (!status)
    status = start(bond TAC_RECORDER_ARGUMENT, error);
  int dimension = 0;
  while (!status && dimension < most) {
    const int j = dimension;
    status = step(&krylov, j, bond, scheduler TAC_RECORDER_ARGUMENT, error);
    dimension++;
    if (status || closed(&krylov, j, kernels))
      break;
    if (dimension < most) {
      TAC_DETAIL_ENTER(TAC_DMRG_EVENT_KRYLOV_UPDATE)
      kernels->scale(bond->length, 1 / krylov.beta[j], krylov.vector[j + 1]);
      TAC_DETAIL_LEAVE(TAC_DMRG_EVENT_KRYLOV_UPDATE)
    }
  }
  if (!status)
    status = tac_krylov_ritz(&krylov, dimension, out, bond->site, error);
  if (status || dimension == 1)
    return status;
  TAC_DETAIL_ENTER(TAC_DMRG_EVENT_KRYLOV_UPDATE)
  void *ritz = krylov.vector[dimension];
  kernels->combine(bond->length, dimension, krylov.coefficient, (const void *const *)krylov.vector, ritz);
  bond->theta = ritz;
  TAC_DETAIL_LEAVE(TAC_DMRG_EVENT_KRYLOV_UPDATE)
  return TAC_STATUS_OK;
}
