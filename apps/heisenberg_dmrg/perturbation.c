/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/heisenberg_dmrg/perturbation.h"

#include <string.h>

#include "apps/program/machine.h"

enum { WARM_SWEEPS = 2, PAIR = 2 };

int tac_heisenberg_perturbation_due(const struct tac_heisenberg_run *run) {
  return run->recorder && tac_scheduler_device(run->scheduler) && run->options->sites > 1;
}

const char *tac_heisenberg_pair_name(enum tac_heisenberg_pair pair) {
  return pair == TAC_HEISENBERG_LAST ? "last" : pair == TAC_HEISENBERG_STEADY ? "steady" : "extra";
}

/* Counts that differ by no more than one and a tenth of `whole`: a bond or two change between Gram matrices and warm
 * subspaces from sweep to sweep. */
static int close_counts(uint64_t a, uint64_t b, uint64_t whole) {
  return (a > b ? a - b : b - a) <= 1 + whole / 10;
}

static uint64_t bonds(const struct tac_dmrg_sweep_summary *summary) {
  return summary->full_bonds + summary->gram_bonds + summary->warm_bonds;
}

int tac_heisenberg_same_work(const struct tac_heisenberg_sweep a[2], const struct tac_heisenberg_sweep b[2]) {
  for (int i = 0; i < PAIR; i++) {
    const struct tac_dmrg_sweep_summary *x = &a[i].summary, *y = &b[i].summary;
    if (x->max_bond != y->max_bond || !close_counts(x->products, y->products, x->products) ||
        !close_counts(x->svd_items, y->svd_items, x->svd_items) ||
        !close_counts(x->svd_device_items, y->svd_device_items, x->svd_items) ||
        !close_counts(x->full_bonds, y->full_bonds, bonds(x)) || !close_counts(x->gram_bonds, y->gram_bonds, bonds(x)) ||
        !close_counts(x->warm_bonds, y->warm_bonds, bonds(x)))
      return 0;
  }
  return 1;
}

static double seconds_of(const struct tac_heisenberg_sweep pair[2]) {
  return pair[0].seconds + pair[1].seconds;
}

/* Sweeps that ask the driver for memory are not steady. The run may have turned at the other end: its pair then is back and
 * there. */
static int stands_beside(const struct tac_heisenberg_sweeps *sweeps, const struct tac_heisenberg_sweep off[2]) {
  if (sweeps->count < PAIR)
    return 0;
  const struct tac_heisenberg_sweep *last = sweeps->sweep + sweeps->count - PAIR;
  const int turned = last[0].summary.direction != off[0].summary.direction;
  const struct tac_heisenberg_sweep pair[PAIR] = {last[turned], last[!turned]};
  return last[0].device_allocations + last[1].device_allocations == 0 && tac_heisenberg_same_work(pair, off);
}

/* Sweeps on with whatever scheduler, recorder and environments `other` has. */
static enum tac_status sweep_on(struct tac_heisenberg_run *other, int count, struct tac_heisenberg_progress *progress,
                                struct tac_error *error) {
  enum tac_status status = TAC_STATUS_OK;
  for (int i = 0; i < count && status == TAC_STATUS_OK; i++) {
    progress->sweep = other->sweeps.count + 1;
    status = tac_heisenberg_run_sweep(other, &other->sweeps, error);
  }
  tac_progress_clear(&progress->line);
  return status;
}

/* Environments begin at the left end, where every second sweep arrives: one more, measured as the others and counted with
 * them, leads there. */
static enum tac_status bring_home(struct tac_heisenberg_run *run, struct tac_heisenberg_progress *progress,
                                  struct tac_error *error) {
  enum tac_status status = TAC_STATUS_OK;
  progress->kind = "on the way back, sweep";
  if (tac_dmrg_state_center(run->state) != 0)
    status = sweep_on(run, 1, progress, error);
  tac_dmrg_environments_destroy(&run->environments);
  tac_scheduler_destroy(&run->scheduler);
  return status;
}

/* A steady pair of the state's sweeps at a level. Its bond dimension stays what it is, also where the run was ended early. */
static enum tac_status time_pair(struct tac_heisenberg_sweep pair[2], struct tac_heisenberg_run *run, enum tac_level level,
                                 struct tac_heisenberg_progress *progress, struct tac_error *error) {
  struct tac_heisenberg_options options = *run->options;
  struct tac_heisenberg_run other = {.options = &options,
                                     .hamiltonian = run->hamiltonian,
                                     .state = run->state,
                                     .progress = run->progress,
                                     .progress_context = run->progress_context};
  options.max_states = tac_dmrg_state_max_bond_dimension(run->state);
  progress->kind = level == TAC_OFF ? "measurements off, sweep" : "measured again, sweep";
  enum tac_status status = tac_machine_scheduler(&other.scheduler, &options.machine, level, error);
  if (status == TAC_STATUS_OK)
    status = tac_machine_recorder(&other.recorder, &tac_dmrg_events, level, &options.record, NULL, error);
  if (status == TAC_STATUS_OK)
    status = tac_heisenberg_run_surround(&other, error);
  if (status == TAC_STATUS_OK)
    status = sweep_on(&other, WARM_SWEEPS + PAIR, progress, error);
  if (status == TAC_STATUS_OK)
    memcpy(pair, other.sweeps.sweep + WARM_SWEEPS, PAIR * sizeof *pair);
  tac_dmrg_environments_destroy(&other.environments);
  other.state = NULL; /* stays the run's */
  tac_heisenberg_run_destroy(&other);
  return status;
}

static enum tac_status time_pairs(struct tac_heisenberg_run *run, struct tac_heisenberg_progress *progress,
                                  struct tac_error *error) {
  struct tac_heisenberg_perturbation *perturbation = &run->perturbation;
  const int steady = run->steady.count >= PAIR;
  const struct tac_heisenberg_sweeps *sweeps = steady ? &run->steady : &run->sweeps;
  struct tac_heisenberg_sweep off[PAIR], extra[PAIR];
  enum tac_status status = time_pair(off, run, TAC_OFF, progress, error);
  if (status != TAC_STATUS_OK)
    return status;
  perturbation->off_seconds = seconds_of(off);
  perturbation->same_work = stands_beside(sweeps, off);
  if (perturbation->same_work) {
    perturbation->pair = steady ? TAC_HEISENBERG_STEADY : TAC_HEISENBERG_LAST;
    perturbation->measured_seconds =
        steady ? tac_heisenberg_there_and_back_seconds(sweeps) : seconds_of(sweeps->sweep + sweeps->count - PAIR);
    return status;
  }
  status = time_pair(extra, run, (enum tac_level)run->options->level, progress, error);
  if (status != TAC_STATUS_OK)
    return status;
  perturbation->pair = TAC_HEISENBERG_EXTRA;
  perturbation->measured_seconds = seconds_of(extra);
  perturbation->same_work = tac_heisenberg_same_work(off, extra);
  return status;
}

enum tac_status tac_heisenberg_perturb(struct tac_heisenberg_run *run, struct tac_heisenberg_progress *progress,
                                       struct tac_error *error) {
  enum tac_status status = bring_home(run, progress, error);
  if (status == TAC_STATUS_OK)
    status = time_pairs(run, progress, error);
  if (status == TAC_STATUS_OK)
    return status;
  const struct tac_error reason = error ? *error : (struct tac_error){0};
  tac_error_set(error, status, reason.where, "beside the run, which is done: %s", reason.text);
  return status;
}
