/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/dmrg/lanczos_tmpl.h"

#include "apps/dmrg/engine.h"
#include "apps/dmrg/krylov.h"

enum tac_status TAC_VARIANT(tac_apply)(struct tac_bond *bond, struct tac_scheduler *scheduler TAC_RECORDER_PARAMETER,
                                       struct tac_error *error) {
  const struct tac_batch batch = {.count = bond->apply_tasks.count,
                                  .item = bond->engine->apply_item,
                                  .cost = tac_apply_cost,
                                  .context = bond,
                                  .event = TAC_DMRG_EVENT_APPLICATION,
                                  .inline_below = bond->apply_tasks.inline_below,
                                  .terms = TAC_OFF_OR_MEASURED(NULL, bond->engine->apply_terms),
                                  .leave_queued = 1};
  return TAC_RUN_BATCH(scheduler, &batch, error);
}

static enum tac_status normalize(const struct tac_krylov *krylov, int j, struct tac_bond *bond,
                                 struct tac_scheduler *scheduler TAC_RECORDER_PARAMETER, struct tac_error *error) {
  TAC_DETAIL_ENTER(TAC_DMRG_EVENT_KRYLOV_UPDATE)
  enum tac_status status = bond->engine->normalize(krylov, j, bond, error);
  TAC_DETAIL_SYNC(status, scheduler, error)
  TAC_DETAIL_LEAVE(TAC_DMRG_EVENT_KRYLOV_UPDATE)
  return status;
}

static enum tac_status start(struct tac_krylov *krylov, struct tac_bond *bond,
                             struct tac_scheduler *scheduler TAC_RECORDER_PARAMETER, struct tac_error *error) {
  TAC_DETAIL_ENTER(TAC_DMRG_EVENT_KRYLOV_REDUCTION)
  enum tac_status status = bond->engine->start(krylov, bond, error);
  TAC_DETAIL_SYNC(status, scheduler, error)
  TAC_DETAIL_LEAVE(TAC_DMRG_EVENT_KRYLOV_REDUCTION)
  if (status || krylov->ahead)
    return status;
  status = tac_krylov_check_start(krylov, bond->site, error);
  return status ? status : normalize(krylov, 0, bond, scheduler TAC_RECORDER_ARGUMENT, error);
}

/* What follows the product in one step of the recurrence: w = H v[j] - beta[j-1] v[j-1] - alpha[j] v[j], and its norm. Each
 * update goes with the reduction that needs it, in one pass where numbers live on a device. */
static enum tac_status orthogonalize(struct tac_krylov *krylov, int j, const struct tac_bond *bond,
                                     struct tac_scheduler *scheduler TAC_RECORDER_PARAMETER, struct tac_error *error) {
  const struct tac_engine *engine = bond->engine;
  TAC_DETAIL_ENTER(TAC_DMRG_EVENT_KRYLOV_REDUCTION)
  enum tac_status status = engine->project(krylov, j, bond, error);
  TAC_DETAIL_SYNC(status, scheduler, error)
  TAC_DETAIL_LEAVE(TAC_DMRG_EVENT_KRYLOV_REDUCTION)
  TAC_DETAIL_ENTER(TAC_DMRG_EVENT_KRYLOV_REDUCTION)
  if (!status)
    status = engine->subtract(krylov, j, bond, error);
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
  return status || krylov->ahead ? status : tac_krylov_check_step(krylov, j, bond->site, error);
}

/* Steps until the space closes or is full. One that is ahead is made whole: where it has closed is seen when its numbers are
 * fetched. */
static enum tac_status recur(struct tac_krylov *krylov, int *dimension, struct tac_bond *bond,
                             struct tac_scheduler *scheduler TAC_RECORDER_PARAMETER, struct tac_error *error) {
  enum tac_status status = start(krylov, bond, scheduler TAC_RECORDER_ARGUMENT, error);
  int closed = 0;
  *dimension = 0;
  while (!status && !closed && *dimension < krylov->most) {
    const int j = (*dimension)++;
    status = step(krylov, j, bond, scheduler TAC_RECORDER_ARGUMENT, error);
    closed = !status && !krylov->ahead && tac_krylov_closed(krylov, j, bond->kernels);
    if (!status && !closed && !krylov->ahead && *dimension < krylov->most)
      status = normalize(krylov, *dimension, bond, scheduler TAC_RECORDER_ARGUMENT, error);
  }
  return status;
}

/* The recurrence; where the engine can run ahead and norms turn out to be beyond its squares, once more from the start and step
 * by step. */
static enum tac_status build(struct tac_krylov *krylov, int *dimension, struct tac_bond *bond,
                             struct tac_scheduler *scheduler TAC_RECORDER_PARAMETER, struct tac_error *error) {
  krylov->ahead = bond->engine->fetch != NULL;
  enum tac_status status = recur(krylov, dimension, bond, scheduler TAC_RECORDER_ARGUMENT, error);
  if (status || !krylov->ahead)
    return status;
  TAC_DETAIL_ENTER(TAC_DMRG_EVENT_KRYLOV_REDUCTION)
  status = bond->engine->fetch(krylov, *dimension, bond, error);
  TAC_DETAIL_LEAVE(TAC_DMRG_EVENT_KRYLOV_REDUCTION)
  if (!status && krylov->exact)
    return tac_krylov_cut(krylov, dimension, bond, error);
  krylov->ahead = 0;
  if (!status)
    status = bond->engine->build_center(bond, error);
  return status ? status : recur(krylov, dimension, bond, scheduler TAC_RECORDER_ARGUMENT, error);
}

enum tac_status TAC_VARIANT(tac_lanczos)(struct tac_ritz *out, struct tac_bond *bond, struct tac_scheduler *scheduler,
                                         int products TAC_RECORDER_PARAMETER, struct tac_error *error) {
  const int most = bond->elements < (size_t)products ? (int)bond->elements : products;
  int dimension = 0;
  struct tac_krylov krylov;
  TAC_DETAIL_ENTER(TAC_DMRG_EVENT_KRYLOV_ALLOCATION)
  enum tac_status status = tac_krylov_reserve(&krylov, bond, most, error);
  TAC_DETAIL_LEAVE(TAC_DMRG_EVENT_KRYLOV_ALLOCATION)
  if (!status)
    status = bond->engine->plan_apply(bond, error);
  if (!status)
    status = build(&krylov, &dimension, bond, scheduler TAC_RECORDER_ARGUMENT, error);
  if (!status)
    status = tac_krylov_ritz(&krylov, dimension, out, bond->site, error);
  if (status || (dimension == 1 && !krylov.ahead))
    return status;
  TAC_DETAIL_ENTER(TAC_DMRG_EVENT_KRYLOV_UPDATE)
  bond->theta = krylov.vector[dimension];
  status = bond->engine->combine(bond, dimension, krylov.coefficient, krylov.vector, bond->theta, error);
  TAC_DETAIL_SYNC(status, scheduler, error)
  TAC_DETAIL_LEAVE(TAC_DMRG_EVENT_KRYLOV_UPDATE)
  return status;
}
