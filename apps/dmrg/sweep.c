/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <tactus/dmrg/sweep.h>

#include <math.h>
#include <string.h>

#include <tactus/measure/recorder.h>

#include "apps/dmrg/driver.h"
#include "apps/dmrg/engine.h"
#include "apps/dmrg/environments.h"

static const struct tac_driver *const drivers[TAC_LEVEL_COUNT] = {NULL, &tac_driver_coarse, &tac_driver_detailed,
                                                                  &tac_driver_hooked};

void tac_dmrg_options_init(struct tac_dmrg_options *options) {
  memset(options, 0, sizeof *options);
  options->size = sizeof *options;
  options->max_states = 256;
  options->local_matvecs = 4;
}

enum tac_status tac_dmrg_options_check(const struct tac_dmrg_options *options, struct tac_error *error) {
  if (!options || options->size != sizeof *options)
    return tac_error_set(error, TAC_STATUS_INVALID, "options", "not made by tac_dmrg_options_init of this version");
  if (options->max_states < 1)
    return tac_error_set(error, TAC_STATUS_INVALID, "options", "max_states is %d: at least 1", options->max_states);
  if (!(options->cutoff >= 0 && options->cutoff <= 1))
    return tac_error_set(error, TAC_STATUS_INVALID, "options", "cutoff is %g: between 0 and 1", options->cutoff);
  if (options->local_matvecs < 1)
    return tac_error_set(error, TAC_STATUS_INVALID, "options", "local_matvecs is %d: at least 1", options->local_matvecs);
  if ((unsigned)options->decomposition > TAC_DMRG_EXACT)
    return tac_error_set(error, TAC_STATUS_INVALID, "options", "decomposition is %d: unknown", (int)options->decomposition);
  if ((unsigned)options->split > TAC_DMRG_SPLIT_HOST)
    return tac_error_set(error, TAC_STATUS_INVALID, "options", "split is %d: unknown", (int)options->split);
  return TAC_STATUS_OK;
}

static enum tac_status check_recorder(const struct tac_recorder *recorder, const struct tac_scheduler *scheduler,
                                      struct tac_error *error) {
  if (!recorder)
    return tac_error_set(error, TAC_STATUS_INVALID, "measured DMRG", "no recorder: the ordinary entry takes none");
  if (tac_recorder_events(recorder) != &tac_dmrg_events)
    return tac_error_set(error, TAC_STATUS_INVALID, "measured DMRG", "the recorder was not made for tac_dmrg_events");
  if (tac_recorder_level(recorder) != tac_scheduler_level(scheduler))
    return tac_error_set(error, TAC_STATUS_LEVEL, "measured DMRG", "the recorder is %s, the scheduler %s",
                         tac_level_name(tac_recorder_level(recorder)), tac_level_name(tac_scheduler_level(scheduler)));
  return TAC_STATUS_OK;
}

static enum tac_status check_sweep(const struct tac_dmrg_state *state, const struct tac_sweep *sweep, struct tac_error *error) {
  if (!state || !sweep->environments || !sweep->scheduler || !sweep->summary)
    return tac_error_set(error, TAC_STATUS_INVALID, "sweep", "state, environments, scheduler or summary is missing");
  if (sweep->environments->state != state)
    return tac_error_set(error, TAC_STATUS_INVALID, "sweep", "the environments belong to another state");
  if (tac_scheduler_queue(sweep->scheduler) != sweep->environments->pool.queue)
    return tac_error_set(error, TAC_STATUS_INVALID, "sweep", "the environments were not made for the device of this scheduler");
  enum tac_status status = tac_dmrg_options_check(sweep->options, error);
  if (!status && sweep->options->costs && sweep->environments->pool.queue)
    status = tac_error_set(error, TAC_STATUS_INVALID, "sweep", "costs are of items on the host: the executor %s has a device",
                           tac_scheduler_executor(sweep->scheduler)->name);
  if (!status)
    status = tac_bond_set_costs(&sweep->environments->bond, sweep->options->costs, error);
  if (!status && sweep->options->split == TAC_DMRG_SPLIT_DEVICE && sweep->environments->bond.engine == &tac_engine_host)
    status = tac_error_set(error, TAC_STATUS_INVALID, "sweep", "split is on the device: the executor %s has none",
                           tac_scheduler_executor(sweep->scheduler)->name);
  return status;
}

static enum tac_status check_environments(struct tac_dmrg_environments **out, const struct tac_dmrg_hamiltonian *hamiltonian,
                                          const struct tac_dmrg_state *state, const struct tac_scheduler *scheduler,
                                          struct tac_error *error) {
  if (!out || !state || !scheduler)
    return tac_error_set(error, TAC_STATUS_INVALID, "environments", "state, scheduler or place for the result is missing");
  *out = NULL;
  enum tac_status status = tac_dmrg_hamiltonian_check(hamiltonian, error);
  if (status)
    return status;
  if (hamiltonian->sites != tac_dmrg_state_sites(state) || hamiltonian->twice_spin != tac_dmrg_state_twice_spin(state))
    return tac_error_set(error, TAC_STATUS_INVALID, "environments",
                         "the Hamiltonian has %d sites, the state %d, or spins differ", hamiltonian->sites,
                         tac_dmrg_state_sites(state));
  if (tac_dmrg_state_center(state) != 0)
    return tac_error_set(error, TAC_STATUS_INVALID, "environments", "the state's centre is at site %d, not at the left end",
                         tac_dmrg_state_center(state));
  if (state->lost)
    return tac_error_set(error, TAC_STATUS_DEVICE, "environments", "the state was lost with the device that it was on");
  if (state->pool.queue)
    return tac_error_set(error, TAC_STATUS_INVALID, "environments", "other environments have the state on a device");
  return TAC_STATUS_OK;
}

enum tac_status tac_dmrg_environments_create(struct tac_dmrg_environments **out, const struct tac_dmrg_hamiltonian *hamiltonian,
                                             struct tac_dmrg_state *state, struct tac_scheduler *scheduler,
                                             struct tac_error *error) {
  struct tac_dmrg_environments *made = NULL;
  enum tac_status status = check_environments(out, hamiltonian, state, scheduler, error);
  if (!status)
    status = tac_environments_allocate(&made, hamiltonian, state, tac_scheduler_queue(scheduler), error);
  if (!status)
    status = tac_driver_off.initial_environments(made, scheduler, error);
  if (status)
    tac_dmrg_environments_destroy(&made);
  else
    *out = made;
  return status;
}

enum tac_status tac_dmrg_environments_create_measured(struct tac_dmrg_environments **out,
                                                      const struct tac_dmrg_hamiltonian *hamiltonian,
                                                      struct tac_dmrg_state *state, struct tac_scheduler *scheduler,
                                                      struct tac_recorder *recorder, struct tac_error *error) {
  struct tac_dmrg_environments *made = NULL;
  enum tac_status status = check_environments(out, hamiltonian, state, scheduler, error);
  if (!status)
    status = check_recorder(recorder, scheduler, error);
  struct tac_queue *queue = status ? NULL : tac_scheduler_queue(scheduler);
  if (queue)
    tac_recorder_enter(recorder, TAC_DMRG_EVENT_DEVICE_SETUP);
  if (!status)
    status = tac_environments_allocate(&made, hamiltonian, state, queue, error);
  if (queue)
    tac_recorder_leave(recorder, TAC_DMRG_EVENT_DEVICE_SETUP);
  if (!status)
    status = drivers[tac_recorder_level(recorder)]->initial_environments(made, scheduler, recorder, error);
  if (status)
    tac_dmrg_environments_destroy(&made);
  else
    *out = made;
  return status;
}

enum tac_status tac_dmrg_sweep(struct tac_dmrg_state *state, struct tac_dmrg_environments *environments,
                               struct tac_scheduler *scheduler, const struct tac_dmrg_options *options,
                               struct tac_dmrg_sweep_summary *summary, struct tac_error *error) {
  const struct tac_sweep sweep = {environments, scheduler, options, summary};
  enum tac_status status = check_sweep(state, &sweep, error);
  return status ? status : tac_driver_off.sweep(&sweep, error);
}

enum tac_status tac_dmrg_sweep_measured(struct tac_dmrg_state *state, struct tac_dmrg_environments *environments,
                                        struct tac_scheduler *scheduler, const struct tac_dmrg_options *options,
                                        struct tac_dmrg_sweep_summary *summary, struct tac_recorder *recorder,
                                        struct tac_error *error) {
  const struct tac_sweep sweep = {environments, scheduler, options, summary};
  enum tac_status status = check_sweep(state, &sweep, error);
  if (!status)
    status = check_recorder(recorder, scheduler, error);
  return status ? status : drivers[tac_recorder_level(recorder)]->sweep(&sweep, recorder, error);
}

static enum tac_status check_progress(tac_dmrg_progress_fn progress, struct tac_error *error) {
  return progress ? TAC_STATUS_OK : tac_error_set(error, TAC_STATUS_INVALID, "sweep", "no progress function");
}

enum tac_status tac_dmrg_sweep_progress(struct tac_dmrg_state *state, struct tac_dmrg_environments *environments,
                                        struct tac_scheduler *scheduler, const struct tac_dmrg_options *options,
                                        struct tac_dmrg_sweep_summary *summary, tac_dmrg_progress_fn progress, void *context,
                                        struct tac_error *error) {
  const struct tac_sweep sweep = {environments, scheduler, options, summary};
  enum tac_status status = check_sweep(state, &sweep, error);
  if (!status)
    status = check_progress(progress, error);
  return status ? status : tac_driver_off.sweep_progress(&sweep, progress, context, error);
}

enum tac_status tac_dmrg_sweep_progress_measured(struct tac_dmrg_state *state, struct tac_dmrg_environments *environments,
                                                 struct tac_scheduler *scheduler, const struct tac_dmrg_options *options,
                                                 struct tac_dmrg_sweep_summary *summary, tac_dmrg_progress_fn progress,
                                                 void *context, struct tac_recorder *recorder, struct tac_error *error) {
  const struct tac_sweep sweep = {environments, scheduler, options, summary};
  enum tac_status status = check_sweep(state, &sweep, error);
  if (!status)
    status = check_progress(progress, error);
  if (!status)
    status = check_recorder(recorder, scheduler, error);
  return status ? status : drivers[tac_recorder_level(recorder)]->sweep_progress(&sweep, progress, context, recorder, error);
}
