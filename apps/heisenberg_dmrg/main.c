/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <tactus/runtime/version.h>

#include "apps/heisenberg_dmrg/json.h"
#include "apps/heisenberg_dmrg/options.h"
#include "apps/heisenberg_dmrg/perturbation.h"
#include "apps/heisenberg_dmrg/print.h"
#include "apps/heisenberg_dmrg/progress.h"
#include "apps/heisenberg_dmrg/run.h"
#include "apps/program/program.h"
#include "apps/program/record_files.h"

#define PROGRAM "heisenberg_dmrg"

/* Prefixes the number of the sweep to what the library says of phase and site. */
static enum tac_status name_sweep(struct tac_error *error, const char *kind, size_t number) {
  struct tac_error reason = *error;
  tac_error_set(error, reason.status, reason.where, "%s %zu, %s", kind, number, reason.text);
  error->native_code = reason.native_code;
  return reason.status;
}

static enum tac_status sweep_and_print(struct tac_heisenberg_run *run, struct tac_heisenberg_sweeps *sweeps, const char *kind,
                                       struct tac_heisenberg_progress *progress, struct tac_error *error) {
  progress->sweep = sweeps->count + 1;
  enum tac_status status = tac_heisenberg_run_sweep(run, sweeps, error);
  tac_progress_clear(&progress->line);
  if (status != TAC_STATUS_OK)
    return name_sweep(error, kind, sweeps->count + 1);
  if (!run->options->quiet)
    tac_print_sweep(stdout, run, sweeps);
  return tac_program_check_output(error);
}

static enum tac_status run_sweeps(struct tac_heisenberg_run *run, struct tac_heisenberg_progress *progress,
                                  struct tac_error *error) {
  enum tac_status status = tac_heisenberg_run_start(run, error);
  if (status == TAC_STATUS_OK && !run->options->quiet)
    tac_print_sweep_heading(stdout, "sweep");
  for (int due = 1; due && status == TAC_STATUS_OK;) {
    status = sweep_and_print(run, &run->sweeps, "sweep", progress, error);
    due = status == TAC_STATUS_OK && tac_heisenberg_run_continues(run);
  }
  return status;
}

static enum tac_status run_steady(struct tac_heisenberg_run *run, struct tac_heisenberg_progress *progress,
                                  struct tac_error *error) {
  enum tac_status status = TAC_STATUS_OK;
  if (!run->options->quiet)
    tac_print_sweep_heading(stdout, "steady");
  for (int i = 0; i < run->options->steady_sweeps && status == TAC_STATUS_OK; i++)
    status = sweep_and_print(run, &run->steady, "steady sweep", progress, error);
  tac_print_steady(stdout, run);
  return status;
}

/* The record as it is at the end of the run: what follows is recorded, too, and not told. */
struct whole {
  json_t *members; /* NULL: no file holds it */
  struct tac_recorded recorded;
};

static enum tac_status take_whole(struct whole *whole, const struct tac_heisenberg_run *run, int argc, char *const argv[],
                                  struct tac_error *error) {
  if (!run->options->record.json && !run->options->record.report)
    return TAC_STATUS_OK;
  const enum tac_status status = tac_heisenberg_json(&whole->members, run, argc, argv, error);
  return status == TAC_STATUS_OK ? tac_recorded_take(&whole->recorded, run->recorder, error) : status;
}

static enum tac_status write_whole(const struct tac_heisenberg_run *run, const struct whole *whole, struct tac_error *error) {
  return whole->members ? tac_record_write_whole(&run->options->record, whole->members, &whole->recorded, error)
                        : TAC_STATUS_OK;
}

/* What measuring cost comes after all else is written, which stays whatever becomes of the sweeps for it. A pipe, which takes
 * one object, gets it afterwards. */
static enum tac_status perturb(struct tac_heisenberg_run *run, const struct whole *whole,
                               struct tac_heisenberg_progress *progress, struct tac_error *error) {
  const int early = tac_record_replaces(&run->options->record);
  enum tac_status status = early ? write_whole(run, whole, error) : TAC_STATUS_OK;
  if (status != TAC_STATUS_OK)
    return status;
  status = tac_heisenberg_perturb(run, progress, error);
  if (status != TAC_STATUS_OK) {
    struct tac_error second;
    if (!early)
      (void)write_whole(run, whole, &second);
    return status;
  }
  tac_print_perturbation(stdout, run);
  status = tac_program_check_output(error);
  if (status == TAC_STATUS_OK && whole->members)
    status = tac_heisenberg_json_perturbation(whole->members, run, error);
  return status == TAC_STATUS_OK ? write_whole(run, whole, error) : status;
}

/* The files that need nothing of what follows. */
static enum tac_status write_tables(struct tac_heisenberg_run *run, struct tac_error *error) {
  const struct tac_report_facts facts = tac_run_facts_list(&run->facts);
  const enum tac_status status = tac_program_name_option(tac_trace_file_finish(run->trace, error), "--trace", error);
  return status == TAC_STATUS_OK ? tac_record_write_tables(&run->options->record, &facts, run->recorder, error) : status;
}

/* What follows the tables. */
static enum tac_status conclude(struct tac_heisenberg_run *run, struct tac_heisenberg_progress *progress, int argc,
                                char *const argv[], struct tac_error *error) {
  struct whole whole = {0};
  if (!tac_heisenberg_perturbation_due(run)) /* all is taken; open counters would want the descriptors of the files */
    tac_hook_tool_destroy(&run->hooks);
  enum tac_status status = write_tables(run, error);
  if (status == TAC_STATUS_OK)
    status = take_whole(&whole, run, argc, argv, error);
  if (status == TAC_STATUS_OK)
    status = tac_heisenberg_perturbation_due(run) ? perturb(run, &whole, progress, error) : write_whole(run, &whole, error);
  tac_recorded_release(&whole.recorded);
  json_decref(whole.members);
  return status;
}

typedef enum tac_status (*sweeps_fn)(struct tac_heisenberg_run *run, struct tac_heisenberg_progress *progress,
                                     struct tac_error *error);

/* Sweeps within the event that holds them, which is left also after a failure. */
static enum tac_status measure(struct tac_heisenberg_run *run, sweeps_fn sweeps, struct tac_heisenberg_progress *progress,
                               struct tac_error *error) {
  enum tac_status status = tac_heisenberg_run_enter(run, error);
  if (status != TAC_STATUS_OK)
    return status;
  status = sweeps(run, progress, error);
  const enum tac_status left = tac_heisenberg_run_leave(run, status == TAC_STATUS_OK ? error : NULL);
  return status == TAC_STATUS_OK ? left : status;
}

/* The whole run in the order in which it is printed. */
static enum tac_status execute(struct tac_heisenberg_run *run, int argc, char *const argv[], struct tac_error *error) {
  struct tac_heisenberg_progress progress = {.line = {.stream = stderr, .clock = tac_clock_monotonic()}};
  const struct tac_heisenberg_options *options = run->options;
  if (!options->quiet && isatty(STDERR_FILENO)) {
    run->progress = tac_heisenberg_progress_show;
    run->progress_context = &progress;
  }
  if (!options->quiet)
    tac_print_header(stdout, run);
  enum tac_status status = measure(run, run_sweeps, &progress, error);
  if (status == TAC_STATUS_OK)
    status = tac_heisenberg_run_finish(run, error);
  if (status == TAC_STATUS_OK && options->check)
    status = tac_heisenberg_run_compare(run, error);
  if (status != TAC_STATUS_OK)
    return status;
  tac_print_result(stdout, run);
  if (options->check)
    tac_print_comparison(stdout, run);
  if (options->steady_sweeps > 0)
    status = measure(run, run_steady, &progress, error);
  if (status == TAC_STATUS_OK && run->recorder)
    status = tac_print_measurements(stdout, run, error);
  if (status == TAC_STATUS_OK)
    status = tac_program_check_output(error);
  return status == TAC_STATUS_OK ? conclude(run, &progress, argc, argv, error) : status;
}

/* --help, --executor=help, --hooks=help or --version. */
static enum tac_exit print_and_leave(const struct tac_heisenberg_options *options, struct tac_error *error) {
  if (options->help)
    tac_manual_help(stdout, &tac_heisenberg_manual);
  else if (options->version)
    printf(PROGRAM " %s\n", tac_version());
  else if (tac_hooks_asks_for_help(options->hooks))
    tac_hooks_help(stdout);
  else
    tac_machine_executor_help(stdout);
  return tac_program_check_output(error) == TAC_STATUS_OK ? TAC_EXIT_DONE : tac_program_report(PROGRAM, error);
}

/* What would spoil the run at its end is said at its beginning. */
static enum tac_exit refuse_early(const struct tac_heisenberg_run *run, struct tac_error *error) {
  const struct tac_heisenberg_options *options = run->options;
  if (tac_heisenberg_options_probe(options, error) != TAC_STATUS_OK)
    return tac_program_report(PROGRAM, error);
  if (options->check && tac_reference_find(&run->hamiltonian, options->twice_sz) == TAC_REFERENCE_NONE) {
    fputs(PROGRAM ": --check: no exact energy is known for this chain and sector\n", stderr);
    return TAC_EXIT_MISSED;
  }
  return TAC_EXIT_DONE;
}

int main(int argc, char *argv[]) {
  struct tac_heisenberg_options options;
  struct tac_heisenberg_run run = {0};
  struct tac_error error;
  tac_error_clear(&error);
  if (tac_program_secure_streams(&error) != TAC_STATUS_OK ||
      tac_heisenberg_options_parse(&options, argc, argv, &error) != TAC_STATUS_OK)
    return tac_program_report(PROGRAM, &error);
  if (options.help || options.version || tac_hooks_asks_for_help(options.hooks) ||
      strcmp(options.machine.executor, "help") == 0)
    return print_and_leave(&options, &error);
  enum tac_exit exit_status = TAC_EXIT_DONE;
  if (tac_heisenberg_options_check(&options, &error) != TAC_STATUS_OK)
    return tac_program_report(PROGRAM, &error);
  run.argv = argv;
  if (tac_heisenberg_run_prepare(&run, &options, &error) != TAC_STATUS_OK)
    exit_status = tac_program_report(PROGRAM, &error);
  else
    exit_status = refuse_early(&run, &error);
  if (exit_status == TAC_EXIT_DONE && execute(&run, argc, argv, &error) != TAC_STATUS_OK) {
    exit_status = tac_program_report(PROGRAM, &error);
    tac_trace_file_leave(run.trace);
  }
  if (exit_status == TAC_EXIT_DONE && options.check && !run.comparison.passed) {
    fputs(PROGRAM ": --check: the energy is not the exact one\n", stderr);
    exit_status = TAC_EXIT_MISSED;
  }
  tac_heisenberg_run_destroy(&run);
  return tac_program_leave(exit_status, &error);
}
