/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/heisenberg_dmrg/run.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <tactus/runtime/device.h>

#include "apps/heisenberg_dmrg/sector.h"
#include "apps/program/machine.h"

enum tac_status tac_heisenberg_run_prepare(struct tac_heisenberg_run *run, const struct tac_heisenberg_options *options,
                                           struct tac_error *error) {
  const enum tac_level level = (enum tac_level)options->level;
  run->options = options;
  tac_dmrg_hamiltonian_init(&run->hamiltonian, options->sites);
  run->hamiltonian.twice_spin = options->twice_spin;
  run->hamiltonian.jxy = options->jxy;
  run->hamiltonian.jz = options->jz;
  run->hamiltonian.field = options->field;
  enum tac_status status = tac_machine_prepare(&run->scheduler, &run->blas, &options->machine, level, error);
  if (status == TAC_STATUS_OK)
    status = tac_machine_counters(&run->counters, run->scheduler, error);
  if (status == TAC_STATUS_OK)
    status = tac_machine_counters(&run->other_counters, run->scheduler, error);
  if (status == TAC_STATUS_OK)
    status = tac_machine_trace(&run->trace, &run->facts, "heisenberg_dmrg", run->argv, run->scheduler, &run->blas,
                               &options->record, error);
  return status == TAC_STATUS_OK ? tac_machine_recorder(&run->recorder, &tac_dmrg_events, level, &options->record,
                                                        tac_trace_file_trace(run->trace), error)
                                 : status;
}

/* Moves what the queues did since the last time to a set of counters. */
static enum tac_status count(struct tac_heisenberg_run *run, struct tac_device_counters *counters, struct tac_error *error) {
  return counters ? tac_scheduler_take_device_counters(run->scheduler, counters, error) : TAC_STATUS_OK;
}

enum tac_status tac_heisenberg_run_enter(struct tac_heisenberg_run *run, struct tac_error *error) {
  const enum tac_status status = count(run, run->other_counters, error);
  if (status == TAC_STATUS_OK && run->recorder)
    tac_recorder_enter(run->recorder, TAC_DMRG_EVENT_RUN);
  return status;
}

enum tac_status tac_heisenberg_run_leave(struct tac_heisenberg_run *run, struct tac_error *error) {
  if (run->recorder)
    tac_recorder_leave(run->recorder, TAC_DMRG_EVENT_RUN);
  return count(run, run->counters, error);
}

static enum tac_dmrg_scalar scalar_of(const struct tac_heisenberg_options *options) {
  if (options->single_precision)
    return options->complex_scalar ? TAC_DMRG_COMPLEX32 : TAC_DMRG_REAL32;
  return options->complex_scalar ? TAC_DMRG_COMPLEX64 : TAC_DMRG_REAL64;
}

enum tac_status tac_heisenberg_run_surround(struct tac_heisenberg_run *run, struct tac_error *error) {
  if (run->recorder)
    return tac_dmrg_environments_create_measured(&run->environments, &run->hamiltonian, run->state, run->scheduler,
                                                 run->recorder, error);
  return tac_dmrg_environments_create(&run->environments, &run->hamiltonian, run->state, run->scheduler, error);
}

enum tac_status tac_heisenberg_run_start(struct tac_heisenberg_run *run, struct tac_error *error) {
  const struct tac_heisenberg_options *options = run->options;
  struct tac_dmrg_state_options state_options;
  tac_dmrg_state_options_init(&state_options, options->sites);
  state_options.twice_spin = options->twice_spin;
  state_options.twice_sz = options->twice_sz;
  state_options.start = (enum tac_dmrg_start)options->start;
  state_options.seed = options->seed;
  state_options.scalar = scalar_of(options);
  if (state_options.random_states > options->max_states)
    state_options.random_states = options->max_states;
  enum tac_status status = tac_dmrg_state_create(&run->state, &state_options, error);
  if (status != TAC_STATUS_OK)
    return status;
  tac_dmrg_convergence_init(&run->convergence);
  run->convergence.tolerance = options->energy_tol;
  run->convergence.min_sweeps = options->min_sweeps;
  return tac_heisenberg_run_surround(run, error);
}

static struct tac_dmrg_options sweep_options(const struct tac_heisenberg_options *options) {
  struct tac_dmrg_options result;
  tac_dmrg_options_init(&result);
  result.max_states = options->max_states;
  result.cutoff = options->cutoff;
  result.local_matvecs = options->local_matvecs;
  result.decomposition = options->trajectory || options->single_precision ? TAC_DMRG_EXACT : TAC_DMRG_GUARDED;
  result.energy_before_truncation = options->trajectory;
  result.split = (enum tac_dmrg_split_place)options->split;
  return result;
}

/* With and without measurement, with and without a progress line: four entries, so that none tests for the other. */
static enum tac_status sweep_once(struct tac_heisenberg_run *run, struct tac_dmrg_sweep_summary *summary,
                                  struct tac_error *error) {
  const struct tac_dmrg_options options = sweep_options(run->options);
  if (run->recorder && run->progress)
    return tac_dmrg_sweep_progress_measured(run->state, run->environments, run->scheduler, &options, summary, run->progress,
                                            run->progress_context, run->recorder, error);
  if (run->recorder)
    return tac_dmrg_sweep_measured(run->state, run->environments, run->scheduler, &options, summary, run->recorder, error);
  if (run->progress)
    return tac_dmrg_sweep_progress(run->state, run->environments, run->scheduler, &options, summary, run->progress,
                                   run->progress_context, error);
  return tac_dmrg_sweep(run->state, run->environments, run->scheduler, &options, summary, error);
}

static enum tac_status reserve(struct tac_heisenberg_sweeps *sweeps, struct tac_error *error) {
  if (sweeps->count < sweeps->capacity)
    return TAC_STATUS_OK;
  size_t capacity = sweeps->capacity ? 2 * sweeps->capacity : 64;
  struct tac_heisenberg_sweep *larger = realloc(sweeps->sweep, capacity * sizeof *larger);
  if (!larger)
    return tac_error_set(error, TAC_STATUS_MEMORY, "sweep", "no memory for %zu summaries", capacity);
  sweeps->sweep = larger;
  sweeps->capacity = capacity;
  return TAC_STATUS_OK;
}

static uint64_t device_allocations(const struct tac_heisenberg_run *run) {
  const struct tac_device *device = tac_scheduler_device(run->scheduler);
  return device ? tac_device_memory_stats(device).allocations : 0;
}

enum tac_status tac_heisenberg_run_sweep(struct tac_heisenberg_run *run, struct tac_heisenberg_sweeps *sweeps,
                                         struct tac_error *error) {
  enum tac_status status = reserve(sweeps, error);
  if (status != TAC_STATUS_OK)
    return status;
  struct tac_heisenberg_sweep *sweep = &sweeps->sweep[sweeps->count];
  memset(sweep, 0, sizeof *sweep);
  const uint64_t allocations = tac_dmrg_environments_allocations(run->environments), of_device = device_allocations(run);
  double wall = tac_machine_seconds(CLOCK_MONOTONIC), cpu = tac_machine_seconds(CLOCK_PROCESS_CPUTIME_ID);
  status = sweep_once(run, &sweep->summary, error);
  if (status != TAC_STATUS_OK)
    return status;
  sweep->summary.energy += 0.0; /* no "-0" */
  sweep->summary.energy_ritz += 0.0;
  sweep->seconds = tac_machine_seconds(CLOCK_MONOTONIC) - wall;
  sweep->cpu_seconds = tac_machine_seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu;
  sweep->allocations = tac_dmrg_environments_allocations(run->environments) - allocations;
  sweep->device_allocations = device_allocations(run) - of_device;
  sweeps->count++;
  return TAC_STATUS_OK;
}

int tac_heisenberg_run_continues(struct tac_heisenberg_run *run) {
  const struct tac_dmrg_sweep_summary *last = &run->sweeps.sweep[run->sweeps.count - 1].summary;
  run->result.converged = tac_dmrg_convergence_add(&run->convergence, last, run->options->max_states);
  return !run->result.converged && run->sweeps.count < (size_t)run->options->max_sweeps;
}

enum tac_status tac_heisenberg_run_finish(struct tac_heisenberg_run *run, struct tac_error *error) {
  struct tac_heisenberg_result *result = &run->result;
  const struct tac_dmrg_sweep_summary *last = &run->sweeps.sweep[run->sweeps.count - 1].summary;
  result->energy = last->energy;
  result->energy_ritz = last->energy_ritz;
  for (size_t i = 0; i < run->sweeps.count; i++) {
    const struct tac_dmrg_sweep_summary *summary = &run->sweeps.sweep[i].summary;
    result->full += summary->full_bonds;
    result->gram += summary->gram_bonds;
    result->warm += summary->warm_bonds;
    result->rejected += summary->warm_rejected;
    result->fallbacks += summary->svd_fallbacks;
    result->blocks += summary->svd_items;
    result->device_blocks += summary->svd_device_items;
  }
  result->start_stuck = !run->sweeps.sweep[0].summary.state_changed &&
                        tac_sector_dimension(run->options->sites, run->options->twice_spin, run->options->twice_sz, 1) > 1;
  enum tac_status status = tac_dmrg_variance(&result->variance, &result->energy_state, run->state, &run->hamiltonian, error);
  if (status != TAC_STATUS_NUMERICAL)
    return status;
  result->variance = result->energy_state = NAN; /* H^2 overflows where H does not: the energies stand */
  return TAC_STATUS_OK;
}

enum tac_status tac_heisenberg_run_compare(struct tac_heisenberg_run *run, struct tac_error *error) {
  struct tac_heisenberg_comparison *comparison = &run->comparison;
  struct tac_dmrg_hamiltonian without_field = run->hamiltonian;
  without_field.field = 0;
  comparison->source = tac_reference_find(&run->hamiltonian, run->options->twice_sz);
  double exact = 0;
  enum tac_status status = tac_reference_energy(&exact, &without_field, run->options->twice_sz, error);
  if (status != TAC_STATUS_OK)
    return status;
  comparison->exact = exact - 0.5 * run->hamiltonian.field * run->options->twice_sz + 0.0; /* no "-0" */
  comparison->allowed = tac_reference_tolerance(exact, &without_field, run->options->single_precision);
  /* The field's part is one number: it makes the sum rounder, and no other error larger. */
  const double rounding = 4 * DBL_EPSILON * fabs(comparison->exact);
  comparison->allowed.above += rounding;
  comparison->allowed.below += rounding;
  comparison->passed = tac_reference_agrees(run->result.energy, comparison->exact, comparison->allowed);
  return TAC_STATUS_OK;
}

void tac_heisenberg_run_destroy(struct tac_heisenberg_run *run) {
  tac_dmrg_environments_destroy(&run->environments);
  tac_dmrg_state_destroy(&run->state);
  tac_recorder_destroy(&run->recorder);
  tac_trace_file_destroy(&run->trace);
  tac_run_facts_release(&run->facts);
  tac_device_counters_destroy(&run->counters);
  tac_device_counters_destroy(&run->other_counters);
  tac_scheduler_destroy(&run->scheduler);
  free(run->sweeps.sweep);
  free(run->steady.sweep);
}
