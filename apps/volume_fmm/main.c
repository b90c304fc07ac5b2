/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <tactus/runtime/version.h>

#include "apps/program/program.h"
#include "apps/program/record_files.h"
#include "apps/program/replace_file.h"
#include "apps/volume_fmm/json.h"
#include "apps/volume_fmm/options.h"
#include "apps/volume_fmm/print.h"
#include "apps/volume_fmm/run.h"

#define PROGRAM "volume_fmm"

typedef enum tac_status (*step_fn)(struct tac_volume_run *run, struct tac_error *error);
typedef void (*print_fn)(FILE *stream, const struct tac_volume_run *run);

/* One step of the run, and what there is to print of it. The line of progress goes away before; a stream that fails is asked
 * at once, while the reason is known. */
static enum tac_status do_step(step_fn step, print_fn print, struct tac_volume_run *run, struct tac_error *error) {
  enum tac_status status = step ? step(run, error) : TAC_STATUS_OK;
  if (run->progress)
    tac_progress_clear(run->progress);
  if (status != TAC_STATUS_OK || !print)
    return status;
  print(stdout, run);
  return tac_program_check_output(error);
}

static enum tac_status set_up(struct tac_volume_run *run, struct tac_error *error) {
  const int quiet = run->options->quiet;
  enum tac_status status = do_step(NULL, quiet ? NULL : tac_volume_print_header, run, error);
  if (status == TAC_STATUS_OK)
    status = do_step(tac_volume_make_tree, quiet ? NULL : tac_volume_print_tree, run, error);
  if (status == TAC_STATUS_OK)
    status = do_step(tac_volume_make_plan, quiet ? NULL : tac_volume_print_plan, run, error);
  return status;
}

static enum tac_status print_phases(struct tac_volume_run *run, struct tac_error *error) {
  enum tac_status status = tac_volume_print_phases(stdout, run, error);
  return status == TAC_STATUS_OK ? tac_program_check_output(error) : status;
}

static enum tac_status write_whole(const struct tac_volume_run *run, int argc, char *const argv[], struct tac_error *error) {
  const struct tac_record_options *record = &run->options->record;
  struct tac_recorded recorded = {0};
  json_t *members = NULL;
  if (!record->json && !record->report)
    return TAC_STATUS_OK;
  enum tac_status status = tac_volume_json(&members, run, argc, argv, error);
  if (status == TAC_STATUS_OK)
    status = tac_recorded_take(&recorded, run->recorder, error);
  if (status == TAC_STATUS_OK)
    status = tac_record_write_whole(record, members, &recorded, error);
  tac_recorded_release(&recorded);
  json_decref(members);
  return status;
}

static enum tac_status write_files(struct tac_volume_run *run, int argc, char *const argv[], struct tac_error *error) {
  const struct tac_volume_options *o = run->options;
  const struct tac_report_facts facts = tac_run_facts_list(&run->facts);
  tac_hook_tool_destroy(&run->hooks); /* all is taken; open counters would want the descriptors of the files */
  enum tac_status status = tac_program_name_option(tac_trace_file_finish(run->trace, error), "--trace", error);
  if (status == TAC_STATUS_OK && o->output)
    status = tac_volume_write_answer(run, error);
  if (status == TAC_STATUS_OK && o->plot)
    status = tac_volume_write_plot(run, error);
  if (status == TAC_STATUS_OK && o->phases)
    status = tac_program_name_option(tac_replace_file_filled(o->phases, tac_volume_csv, run, error), "--phases", error);
  if (status == TAC_STATUS_OK)
    status = tac_record_write_tables(&o->record, &facts, run->recorder, error);
  return status == TAC_STATUS_OK ? write_whole(run, argc, argv, error) : status;
}

/* The whole run in the order in which it is printed. */
static enum tac_status execute(struct tac_volume_run *run, int argc, char *const argv[], struct tac_error *error) {
  struct tac_progress progress = {.stream = stderr, .clock = tac_clock_monotonic()};
  if (!run->options->quiet && isatty(STDERR_FILENO))
    run->progress = &progress;
  enum tac_status status = set_up(run, error);
  if (status == TAC_STATUS_OK)
    status = do_step(tac_volume_evaluate, NULL, run, error);
  if (status == TAC_STATUS_OK)
    status = do_step(tac_volume_evaluate_answer, tac_volume_print_result, run, error);
  if (status == TAC_STATUS_OK && run->recorder)
    status = print_phases(run, error);
  if (status == TAC_STATUS_OK)
    status = do_step(tac_volume_compare, tac_volume_print_comparison, run, error);
  run->progress = NULL;
  return status == TAC_STATUS_OK ? write_files(run, argc, argv, error) : status;
}

/* What only asks for information. */
static int is_question(const struct tac_volume_options *options) {
  return options->help || options->version || strcmp(options->density, "help") == 0 ||
         tac_hooks_asks_for_help(options->hooks) || strcmp(options->machine.executor, "help") == 0;
}

static enum tac_exit answer_question(const struct tac_volume_options *options, struct tac_error *error) {
  if (options->help)
    tac_manual_help(stdout, &tac_volume_manual);
  else if (options->version)
    printf(PROGRAM " %s\n", tac_version());
  else if (strcmp(options->density, "help") == 0)
    tac_density_help(stdout);
  else if (tac_hooks_asks_for_help(options->hooks))
    tac_hooks_help(stdout);
  else
    tac_machine_executor_help(stdout);
  return tac_program_check_output(error) == TAC_STATUS_OK ? TAC_EXIT_DONE : tac_program_report(PROGRAM, error);
}

int main(int argc, char *argv[]) {
  struct tac_volume_options options;
  struct tac_volume_run run = {0};
  struct tac_error error;
  tac_error_clear(&error);
  if (tac_program_secure_streams(&error) != TAC_STATUS_OK ||
      tac_volume_options_parse(&options, argc, argv, &error) != TAC_STATUS_OK)
    return tac_program_report(PROGRAM, &error);
  if (is_question(&options))
    return answer_question(&options, &error);
  if (tac_volume_options_check(&options, &error) != TAC_STATUS_OK ||
      tac_volume_options_probe(&options, &error) != TAC_STATUS_OK)
    return tac_program_report(PROGRAM, &error);
  enum tac_exit exit_status = TAC_EXIT_DONE;
  run.argv = argv;
  if (tac_volume_prepare(&run, &options, &error) != TAC_STATUS_OK) {
    exit_status = tac_program_report(PROGRAM, &error);
  } else if (execute(&run, argc, argv, &error) != TAC_STATUS_OK) {
    exit_status = tac_program_report(PROGRAM, &error);
    tac_trace_file_leave(run.trace);
  }
  if (exit_status == TAC_EXIT_DONE && options.check && !run.comparison.passed) {
    fputs(PROGRAM ": --check: the answer is off by more than is allowed\n", stderr);
    exit_status = TAC_EXIT_MISSED;
  }
  tac_volume_destroy(&run);
  return tac_program_leave(exit_status, &error);
}
