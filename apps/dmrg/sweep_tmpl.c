/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <tactus/measure/variant.h>

#include "apps/dmrg/driver.h"
#include "apps/dmrg/engine.h"
#include "apps/dmrg/guard.h"
#include "apps/dmrg/lanczos_tmpl.h"
#include "apps/dmrg/summary.h"

static enum tac_status center(struct tac_bond *bond, struct tac_scheduler *scheduler TAC_RECORDER_PARAMETER,
                              struct tac_error *error) {
  const enum tac_status status = bond->engine->plan_center(bond, error);
  const struct tac_batch batch = {.count = bond->center_tasks.count,
                                  .item = bond->engine->center_item,
                                  .cost = tac_center_cost,
                                  .context = bond,
                                  .event = TAC_DMRG_EVENT_CENTER,
                                  .inline_below = bond->center_tasks.inline_below,
                                  .terms = TAC_OFF_OR_MEASURED(NULL, bond->engine->center_terms),
                                  .leave_queued = 1};
  return status ? status : TAC_RUN_BATCH(scheduler, &batch, error);
}

static enum tac_status decompose(const struct tac_sweep *sweep, enum tac_split_method method TAC_RECORDER_PARAMETER,
                                 struct tac_error *error) {
  struct tac_bond *bond = &sweep->environments->bond;
  enum tac_status status = bond->engine->plan_split(bond, method, sweep->options->split, error);
  const struct tac_batch batch = {.count = bond->split_tasks.count,
                                  .item = bond->engine->split_item,
                                  .cost = tac_split_cost,
                                  .context = bond,
                                  .event = TAC_DMRG_EVENT_SVD_BATCH,
                                  .inline_below = bond->split_tasks.inline_below,
                                  .terms = TAC_OFF_OR_MEASURED(NULL, bond->engine->split_terms)};
  if (!status)
    status = TAC_RUN_BATCH(sweep->scheduler, &batch, error);
  return status ? status : bond->engine->end_split(bond, sweep->scheduler, error);
}

/* Decomposes the centre and chooses the states to keep. */
static enum tac_status split(const struct tac_sweep *sweep, enum tac_split_method method TAC_RECORDER_PARAMETER,
                             struct tac_error *error) {
  struct tac_bond *bond = &sweep->environments->bond;
  TAC_PHASE_ENTER(TAC_DMRG_EVENT_SVD)
  enum tac_status status = decompose(sweep, method TAC_RECORDER_ARGUMENT, error);
  TAC_PHASE_SYNC(status, sweep->scheduler, error)
  TAC_PHASE_LEAVE(TAC_DMRG_EVENT_SVD)
  if (status)
    return status;
  TAC_PHASE_ENTER(TAC_DMRG_EVENT_SELECTION)
  status = tac_split_select(bond, sweep->options, error);
  TAC_PHASE_LEAVE(TAC_DMRG_EVENT_SELECTION)
  return status;
}

/* What the guard allows; and a complete decomposition where it takes a warm one back. */
static enum tac_status split_guarded(const struct tac_sweep *sweep, const struct tac_ritz *ritz TAC_RECORDER_PARAMETER,
                                     struct tac_error *error) {
  struct tac_dmrg_environments *e = sweep->environments;
  const enum tac_split_method method = tac_guard_method(e, sweep->options, ritz);
  const enum tac_status status = split(sweep, method TAC_RECORDER_ARGUMENT, error);
  if (status || tac_guard_accepts(e))
    return status;
  sweep->summary->warm_rejected++;
  return split(sweep, TAC_SPLIT_GRAM TAC_RECORDER_ARGUMENT, error);
}

static enum tac_status factors(struct tac_bond *bond, struct tac_scheduler *scheduler TAC_RECORDER_PARAMETER,
                               struct tac_error *error) {
  const enum tac_status status = bond->engine->plan_factor(bond, error);
  const struct tac_batch batch = {.count = bond->factor_tasks.count,
                                  .item = bond->engine->factor_item,
                                  .cost = tac_factor_cost,
                                  .context = bond,
                                  .event = TAC_DMRG_EVENT_MATERIALIZATION,
                                  .inline_below = bond->factor_tasks.inline_below,
                                  .terms = TAC_OFF_OR_MEASURED(NULL, bond->engine->factor_terms),
                                  .leave_queued = 1};
  return status ? status : TAC_RUN_BATCH(scheduler, &batch, error);
}

static enum tac_status environment(struct tac_bond *bond, struct tac_part *part,
                                   struct tac_scheduler *scheduler TAC_RECORDER_PARAMETER, struct tac_error *error) {
  const enum tac_status status = bond->engine->plan_part(bond, &bond->isometry, part, error);
  const struct tac_batch batch = {.count = bond->part_tasks.count,
                                  .item = bond->engine->part_item,
                                  .cost = tac_part_cost,
                                  .context = bond,
                                  .event = TAC_DMRG_EVENT_ENVIRONMENT,
                                  .inline_below = bond->part_tasks.inline_below,
                                  .terms = TAC_OFF_OR_MEASURED(NULL, bond->engine->part_terms),
                                  .leave_queued = 1};
  return status ? status : TAC_RUN_BATCH(scheduler, &batch, error);
}

/* The steps of one bond, in the order in which the tables show them. */
static enum tac_status steps(const struct tac_sweep *sweep, struct tac_part *part TAC_RECORDER_PARAMETER,
                             struct tac_error *error) {
  struct tac_bond *bond = &sweep->environments->bond;
  struct tac_ritz ritz;
  enum tac_status status = center(bond, sweep->scheduler TAC_RECORDER_ARGUMENT, error);
  if (status)
    return status;
  TAC_PHASE_ENTER(TAC_DMRG_EVENT_EIGENSOLVER)
  status = TAC_VARIANT(tac_lanczos)(&ritz, bond, sweep->scheduler, sweep->options->local_matvecs TAC_RECORDER_ARGUMENT, error);
  TAC_PHASE_SYNC(status, sweep->scheduler, error)
  TAC_PHASE_LEAVE(TAC_DMRG_EVENT_EIGENSOLVER)
  if (status)
    return status;
  tac_summary_add_ritz(sweep->summary, &ritz, bond);
  status = split_guarded(sweep, &ritz TAC_RECORDER_ARGUMENT, error);
  if (!status)
    status = factors(bond, sweep->scheduler TAC_RECORDER_ARGUMENT, error);
  if (!status)
    status = environment(bond, part, sweep->scheduler TAC_RECORDER_ARGUMENT, error);
  if (status) /* the state has not changed: the bond can be done again */
    return status;
  tac_factor_install(bond);
  tac_guard_note(sweep->environments, &ritz);
  tac_summary_add_split(sweep->summary, bond);
  return TAC_STATUS_OK;
}

/* The energy of the state as it is stored: one more product where the last bond lost weight. */
static enum tac_status energy(const struct tac_sweep *sweep TAC_RECORDER_PARAMETER, struct tac_error *error) {
  struct tac_bond *bond = &sweep->environments->bond;
  TAC_PHASE_ENTER(TAC_DMRG_EVENT_EIGENSOLVER)
  enum tac_status status = tac_summary_rebuild_center(bond, error);
  if (!status)
    status = TAC_VARIANT(tac_apply)(bond, sweep->scheduler TAC_RECORDER_ARGUMENT, error);
  TAC_PHASE_SYNC(status, sweep->scheduler, error)
  TAC_PHASE_LEAVE(TAC_DMRG_EVENT_EIGENSOLVER)
  return status ? status : tac_summary_set_energy(sweep->summary, bond, error);
}

static enum tac_status bond_step(const struct tac_sweep *sweep, const struct tac_sweep_range *range TAC_RECORDER_PARAMETER,
                                 struct tac_error *error) {
  struct tac_dmrg_environments *e = sweep->environments;
  const int site = range->site;
  TAC_PHASE_ENTER(TAC_DMRG_EVENT_BOND)
  e->bond.hints = &e->hints[site];
  e->bond.seed = (uint64_t)(unsigned)e->guard.sweep << 32 | (uint64_t)(unsigned)site << 12;
  enum tac_status status = tac_bond_layout(&e->bond, site, range->direction, &e->part[site], &e->part[site + 2], error);
  if (!status)
    status = steps(sweep, &e->part[site + 1] TAC_RECORDER_ARGUMENT, error);
  if (!status && range->bonds == 1 && tac_summary_needs_energy(sweep->options, &e->bond))
    status = energy(sweep TAC_RECORDER_ARGUMENT, error);
  TAC_PHASE_LEAVE(TAC_DMRG_EVENT_BOND)
  return status;
}

/* What the last bonds have left in progress belongs to this sweep, too. */
static enum tac_status end_sweep(const struct tac_sweep *sweep, enum tac_status status, struct tac_error *error) {
  struct tac_queue *queue = tac_scheduler_queue(sweep->scheduler);
  tac_guard_end(sweep->environments, sweep->summary);
  if (!status)
    status = tac_summary_add_field(sweep->summary, sweep->environments, error);
  const enum tac_status finished = queue ? tac_queue_finish(queue, "sweep", status ? NULL : error) : TAC_STATUS_OK;
  return status ? status : finished;
}

static enum tac_status run_sweep(const struct tac_sweep *sweep TAC_RECORDER_PARAMETER, struct tac_error *error) {
  TAC_PHASE_ENTER(TAC_DMRG_EVENT_SWEEP)
  struct tac_sweep_range range = tac_summary_begin(sweep->summary, sweep->environments);
  tac_guard_begin(sweep->environments);
  enum tac_status status = TAC_STATUS_OK;
  for (; range.bonds > 0 && !status; range.bonds--, range.site += range.direction)
    status = bond_step(sweep, &range TAC_RECORDER_ARGUMENT, error);
  status = end_sweep(sweep, status, error);
  TAC_PHASE_SYNC(status, sweep->scheduler, error)
  TAC_PHASE_LEAVE(TAC_DMRG_EVENT_SWEEP)
  return status;
}

static enum tac_status run_sweep_progress(const struct tac_sweep *sweep, tac_dmrg_progress_fn progress,
                                          void *context TAC_RECORDER_PARAMETER, struct tac_error *error) {
  TAC_PHASE_ENTER(TAC_DMRG_EVENT_SWEEP)
  struct tac_sweep_range range = tac_summary_begin(sweep->summary, sweep->environments);
  tac_guard_begin(sweep->environments);
  const int bonds = range.bonds;
  enum tac_status status = TAC_STATUS_OK;
  for (int stop = 0; range.bonds > 0 && !status && !stop; range.site += range.direction) {
    status = bond_step(sweep, &range TAC_RECORDER_ARGUMENT, error);
    range.bonds--;
    stop = !status && progress(context, range.site, bonds - range.bonds, bonds,
                               sweep->summary->energy_ritz + sweep->environments->field_energy);
  }
  status = end_sweep(sweep, status, error);
  TAC_PHASE_SYNC(status, sweep->scheduler, error)
  TAC_PHASE_LEAVE(TAC_DMRG_EVENT_SWEEP)
  return status;
}

static enum tac_status initial_environments(struct tac_dmrg_environments *environments,
                                            struct tac_scheduler *scheduler TAC_RECORDER_PARAMETER, struct tac_error *error) {
  TAC_PHASE_ENTER(TAC_DMRG_EVENT_INITIAL_ENVIRONMENTS)
  enum tac_status status = tac_environments_build(environments, scheduler, error);
  TAC_PHASE_SYNC(status, scheduler, error)
  TAC_PHASE_LEAVE(TAC_DMRG_EVENT_INITIAL_ENVIRONMENTS)
  return status;
}

const struct TAC_OFF_OR_MEASURED(tac_driver_off, tac_driver) TAC_VARIANT(tac_driver) = {
    .initial_environments = initial_environments,
    .sweep = run_sweep,
    .sweep_progress = run_sweep_progress,
};
