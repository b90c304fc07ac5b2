/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/heisenberg_dmrg/options.h"

#include <tactus/dmrg/hamiltonian.h>

#include "apps/program/costs.h"

/* Rounding alone moves the energy of an fp32 sweep of 100 sites by up to 3e-6 of it. */
#define SINGLE_ENERGY_TOL 5e-6

/* Twice the total Sz of N spins S has the parity of 2 S N. */
static enum tac_status check_sector(struct tac_heisenberg_options *options, struct tac_error *error) {
  if (!tac_heisenberg_option_given(options, "--twice-sz"))
    options->twice_sz = options->sites * options->twice_spin % 2;
  struct tac_error reason;
  tac_error_clear(&reason);
  if (tac_dmrg_sector_check(options->sites, options->twice_spin, options->twice_sz, &reason) == TAC_STATUS_OK)
    return TAC_STATUS_OK;
  return tac_error_set(error, TAC_STATUS_INVALID, "--twice-sz", "'%d': %s", options->twice_sz, reason.text);
}

static int is_device(const char *name) {
  const struct tac_executor *executor;
  return tac_executor_find(&executor, name, NULL) == TAC_STATUS_OK && executor->device;
}

static enum tac_status check_files(const struct tac_heisenberg_options *options, struct tac_error *error) {
  struct tac_output_target target[TAC_RECORD_FILES];
  const struct tac_input_file input = {"--costs", options->costs};
  tac_record_options_targets(target, &options->record);
  return tac_output_targets_check(target, TAC_RECORD_FILES, &input, 1, error);
}

enum tac_status tac_heisenberg_options_probe(const struct tac_heisenberg_options *options, struct tac_error *error) {
  struct tac_output_target target[TAC_RECORD_FILES];
  tac_record_options_targets(target, &options->record);
  return tac_output_targets_probe(target, TAC_RECORD_FILES, error);
}

enum tac_status tac_heisenberg_options_check(struct tac_heisenberg_options *options, struct tac_error *error) {
  enum tac_status status = tac_machine_options_check(&options->machine, &tac_heisenberg_option_table, options->given, error);
  if (status == TAC_STATUS_OK)
    status = tac_hooks_check(options->hooks, (enum tac_level)options->level, error);
  if (status == TAC_STATUS_OK)
    status = tac_record_options_check(&options->record, (enum tac_level)options->level, &tac_heisenberg_option_table,
                                      options->given, error);
  if (status == TAC_STATUS_OK)
    status = tac_costs_check_machine(options->costs, &options->machine, error);
  if (status == TAC_STATUS_OK)
    status = check_files(options, error);
  options->record.keeps_items = options->costs != NULL;
  if (status != TAC_STATUS_OK)
    return status;
  if (tac_heisenberg_option_given(options, "--split") && !is_device(options->machine.executor))
    return tac_error_set(error, TAC_STATUS_INVALID, "--split", "belongs to --executor=opencl and cuda, not to %s",
                         options->machine.executor);
  if (options->trajectory && options->cutoff > 0)
    return tac_error_set(error, TAC_STATUS_INVALID, "--cutoff", "'%g' with --trajectory=uni20, which keeps every state it may",
                         options->cutoff);
  if (tac_heisenberg_option_given(options, "--min-sweeps") && options->min_sweeps > options->max_sweeps)
    return tac_error_set(error, TAC_STATUS_INVALID, "--min-sweeps", "'%d' is more than --max-sweeps=%d", options->min_sweeps,
                         options->max_sweeps);
  if (options->single_precision && !tac_heisenberg_option_given(options, "--energy-tol"))
    options->energy_tol = SINGLE_ENERGY_TOL;
  return check_sector(options, error);
}
