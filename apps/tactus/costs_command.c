/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <stdio.h>

#include "apps/tactus/command.h"
#include "apps/tactus/costs.h"
#include "apps/tactus/costs_print.h"
#include "apps/tactus/output.h"
#include "apps/tactus/record_parts.h"

struct options {
  struct tac_option_words files;
  const char *out, *json;
  int help;
};

#define MEMBER(name) offsetof(struct options, name)
#define RECORDS      "The records"
#define OUTPUT       "What becomes of them; FILE may be - for standard output"

static const struct tac_option rows[] = {
    {"", RECORDS, TAC_OPTION_WORDS, MEMBER(files), "FILE...", NULL,
     "What one program wrote with --measurements=detailed --json=FILE on host lanes, in one run or in several; - is standard "
     "input.",
     0, 0, NULL},
    {"--out", OUTPUT, TAC_OPTION_TEXT, MEMBER(out), "FILE", NULL,
     "The costs, for the program's option --costs=FILE. FILE is replaced only once the new text is complete.", 0, 0, NULL},
    {"--json", OUTPUT, TAC_OPTION_TEXT, MEMBER(json), "FILE", NULL, "What the tables tell, as one JSON object.", 0, 0, NULL},
    {"--help", OUTPUT, TAC_OPTION_FLAG, MEMBER(help), NULL, NULL, "This text.", 0, 0, NULL},
};
static const struct tac_option_table table = {rows, sizeof rows / sizeof *rows};

static const char *const usage[] = {"tactus costs [--out=FILE] [--json=FILE] FILE...", NULL};

static const char description[] =
    "Fits what the items of each event cost, from how long they took: seconds for a unit of each of their\n"
    "terms, such as the multiplications of a product. Prints the fit, its predictions against what was\n"
    "seen, and what share of the lanes' time stays idle: as seen; if items are started in the order of the\n"
    "run, in that of the fitted costs, and longest first as if durations were known, each on the lane that\n"
    "is free first; and at least, whatever the schedule.\n";

static const struct tac_manual_example examples[] = {
    {"heisenberg_dmrg --measurements=detailed --json=run.json", "a record with the durations of all items"},
    {"tactus costs run.json --out=costs.json", "costs of this machine"},
    {"heisenberg_dmrg --costs=costs.json", "a run in their order"},
    {NULL, NULL}};

static const struct tac_manual_status statuses[] = {
    {0, "done"},
    {1, "a file cannot be read, or the output could not be written"},
    {2, "the command line, or what a record holds, is wrong; or there is nothing to fit"},
    {0, NULL}};

static const struct tac_manual manual = {
    .name = "tactus costs",
    .summary = "fit the costs of items to their durations",
    .usage = usage,
    .description = description,
    .examples = examples,
    .options = &table,
    .statuses = statuses,
};

static enum tac_status write_costs(void *context, tac_sink_fn sink, void *stream, struct tac_error *error) {
  const struct tac_costs *costs = context;
  const enum tac_status status = tac_cost_model_write(&costs->model, NULL, sink, stream, error);
  if (status == TAC_STATUS_OK && sink(stream, "\n", 1) != 0)
    return tac_error_set(error, TAC_STATUS_IO, "--out", "cannot be written");
  return status;
}

static enum tac_status write_report(void *context, tac_sink_fn sink, void *stream, struct tac_error *error) {
  return tac_costs_write_fit(context, sink, stream, error);
}

static enum tac_status check(const struct options *options, struct tac_error *error) {
  if (options->files.count == 0)
    return tac_error_set(error, TAC_STATUS_INVALID, "FILE...", "no record is given");
  const struct tac_output_target targets[] = {{"--out", options->out, 0}, {"--json", options->json, 0}};
  return tac_output_check(targets, 2, options->files.word, options->files.count, error);
}

/* Tables go to standard output unless one of the forms does. */
static int prints_tables(const struct options *options) {
  return !(options->out && tac_output_is_standard(options->out)) && !(options->json && tac_output_is_standard(options->json));
}

static enum tac_exit read_records(struct tac_costs *costs, const struct options *options) {
  struct tac_error error;
  tac_error_clear(&error);
  for (size_t i = 0; i < options->files.count; i++) {
    struct tac_record record;
    enum tac_status status = tac_record_read(&record, options->files.word[i], &error);
    if (status == TAC_STATUS_OK && record.kind == TAC_RECORD_KOKKOS)
      status = tac_error_set(&error, TAC_STATUS_INVALID, "kind", "a record of the Kokkos module has no batches");
    if (status == TAC_STATUS_OK)
      status = tac_costs_add(costs, record.root, &error);
    tac_record_release(&record);
    if (status != TAC_STATUS_OK)
      return tac_command_fail_file(options->files.word[i], &error);
  }
  return TAC_EXIT_DONE;
}

static enum tac_exit tell(struct tac_costs *costs, const struct options *options) {
  struct tac_error error;
  tac_error_clear(&error);
  enum tac_status status = tac_costs_fit(costs, &error);
  if (status == TAC_STATUS_OK && prints_tables(options))
    status = tac_costs_print_fit(stdout, costs, &error);
  if (status == TAC_STATUS_OK && options->json)
    status = tac_output_write(options->json, "--json", write_report, costs, &error);
  if (status == TAC_STATUS_OK && options->out)
    status = tac_output_write(options->out, "--out", write_costs, costs, &error);
  return status == TAC_STATUS_OK ? tac_command_finish() : tac_command_fail(&error);
}

static enum tac_exit run(int argc, char *const argv[]) {
  struct options options = {.help = 0};
  struct tac_costs costs = {0};
  struct tac_error error;
  enum tac_exit status = TAC_EXIT_DONE;
  uint64_t given = 0;
  tac_error_clear(&error);
  if (!tac_command_parse(&options, &options.help, &given, &tac_command_costs, argc, argv, &status))
    return status;
  if (check(&options, &error) != TAC_STATUS_OK)
    return tac_command_fail(&error);
  status = read_records(&costs, &options);
  if (status == TAC_EXIT_DONE)
    status = tell(&costs, &options);
  tac_costs_release(&costs);
  return status;
}

const struct tac_command tac_command_costs = {"costs", run, &manual};
