/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/dmrg/lanczos_tmpl.h"

#include <math.h>

#include "apps/dmrg/engine.h"
#include "apps/dmrg/krylov.h"

enum tac_status TAC_VARIANT(tac_apply)(struct tac_bond *bond, struct tac_scheduler *scheduler TAC_RECORDER_PARAMETER,
                                       struct tac_error *error) {
  const struct tac_batch batch = {.count = bond->apply_tasks.count,
                                  .item = bond->engine->apply_item,
                                  .cost = tac_apply_cost,
                                  .context = bond,
                                  .event = TAC_DMRG_EVENT_APPLICATION,
                                  .inline_below = TAC_BOND_INLINE_BELOW};
  return TAC_RUN_BATCH(scheduler, &batch, error);
}

/* The start, normalised. */
static enum tac_status start(struct tac_bond *bond, struct tac_scheduler *scheduler TAC_RECORDER_PARAMETER,
                             struct tac_error *error) {
  const struct tac_engine *engine = bond->engine;
  double norm = 0;
  TAC_DETAIL_ENTER(TAC_DMRG_EVENT_KRYLOV_REDUCTION)
  enum tac_status status = engine->norm(bond, bond->theta, &norm, error);
  TAC_DETAIL_SYNC(status, scheduler, error)
  TAC_DETAIL_LEAVE(TAC_DMRG_EVENT_KRYLOV_REDUCTION)
  if (!status && (!isfinite(norm) || norm == 0))
    status = tac_error_set(error, TAC_STATUS_NUMERICAL, "local eigensolver", "site %d: the start vector's norm is %g",
                           bond->site, norm);
  if (status)
    return status;
  TAC_DETAIL_ENTER(TAC_DMRG_EVENT_KRYLOV_UPDATE)
  status = engine->scale(bond, 1 / norm, bond->theta, error);
  TAC_DETAIL_SYNC(status, scheduler, error)
  TAC_DETAIL_LEAVE(TAC_DMRG_EVENT_KRYLOV_UPDATE)
  return status;
}

/* What follows the product in one step of the recurrence: w = H v[j] - beta[j-1] v[j-1] - alpha[j] v[j], and its norm. Each
 * update goes with the reduction that needs it, in one pass where numbers live on a device. */
static enum tac_status orthogonalize(struct tac_krylov *krylov, int j, const struct tac_bond *bond,
                                     struct tac_scheduler *scheduler TAC_RECORDER_PARAMETER, struct tac_error *error) {
  const struct tac_engine *engine = bond->engine;
  const struct tac_vector *v = krylov->vector, w = v[j + 1];
  double *alpha = &krylov->alpha[j];
  TAC_DETAIL_ENTER(TAC_DMRG_EVENT_KRYLOV_REDUCTION)
  enum tac_status status = j > 0 ? engine->axpy_dot(bond, -krylov->beta[j - 1], v[j - 1], w, v[j], alpha, error)
                                 : engine->dot(bond, w, v[j], alpha, error);
  TAC_DETAIL_SYNC(status, scheduler, error)
  TAC_DETAIL_LEAVE(TAC_DMRG_EVENT_KRYLOV_REDUCTION)
  TAC_DETAIL_ENTER(TAC_DMRG_EVENT_KRYLOV_REDUCTION)
  if (!status)
    status = engine->axpy_norm(bond, -*alpha, v[j], w, &krylov->beta[j], error);
  TAC_DETAIL_SYNC(status, scheduler, error)
  TAC_DETAIL_LEAVE(TAC_DMRG_EVENT_KRYLOV_REDUCTION)
  return status;
}

/* One step of the recurrence: w stands where v[j+1] goes, beta[j] is its norm. */
static enum tac_status step(struct tac_krylov *krylov, int j, struct tac_bond *bond,
                            struct tac_scheduler *scheduler TAC_RECORDER_PARAMETER, struct tac_error *error) {
  bond->x = krylov->vector[j];
  bond->y = krylov->vector[j + 1];
  enum tac_status status = TAC_VARIANT(tac_apply)(bond, scheduler TAC_RECORDER_ARGUMENT, error);
  if (!status)
    status = orthogonalize(krylov, j, bond, scheduler TAC_RECORDER_ARGUMENT, error);
  if (!status && (!isfinite(krylov->alpha[j]) || !isfinite(krylov->beta[j])))
    status =
        tac_error_set(error, TAC_STATUS_NUMERICAL, "local eigensolver", "site %d: product %d is not finite", bond->site, j + 1);
  return status;
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
    status = bond->engine->plan_apply(bond, error);
  if (!status)
    status = start(bond, scheduler TAC_RECORDER_ARGUMENT, error);
  int dimension = 0;
  while (!status && dimension < most) {
    const int j = dimension;
    status = step(&krylov, j, bond, scheduler TAC_RECORDER_ARGUMENT, error);
    dimension++;
    if (status || closed(&krylov, j, kernels))
      break;
    if (dimension < most) {
      TAC_DETAIL_ENTER(TAC_DMRG_EVENT_KRYLOV_UPDATE)
      status = bond->engine->scale(bond, 1 / krylov.beta[j], krylov.vector[j + 1], error);
      TAC_DETAIL_SYNC(status, scheduler, error)
      TAC_DETAIL_LEAVE(TAC_DMRG_EVENT_KRYLOV_UPDATE)
    }
  }
  if (!status)
    status = tac_krylov_ritz(&krylov, dimension, out, bond->site, error);
  if (status || dimension == 1)
    return status;
  TAC_DETAIL_ENTER(TAC_DMRG_EVENT_KRYLOV_UPDATE)
  bond->theta = krylov.vector[dimension];
  status = bond->engine->combine(bond, dimension, krylov.coefficient, krylov.vector, bond->theta, error);
  TAC_DETAIL_SYNC(status, scheduler, error)
  TAC_DETAIL_LEAVE(TAC_DMRG_EVENT_KRYLOV_UPDATE)
  return status;
}
