/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <stdio.h>
#include <stdlib.h>

#include "apps/program/streams.h"
#include "apps/tactus/command.h"
#include "apps/tactus/output.h"
#include "apps/tactus/record.h"
#include "apps/tactus/report_forms.h"
#include "apps/tactus/report_rows.h"
#include "apps/tactus/report_text.h"

enum form { FORM_HTML, FORM_CSV, FORM_TRACE, FORM_SPEEDSCOPE, FORM_JSON, FORMS };

struct options {
  struct tac_option_words files;
  const char *form[FORMS]; /* the file that it is written to; NULL: not asked for */
  int help;
};

#define MEMBER(name) offsetof(struct options, name)
#define RECORDS      "The records"
#define OUTPUT       "Forms other than tables; FILE may be - for standard output"

static const struct tac_option rows[] = {
    {"", RECORDS, TAC_OPTION_WORDS, MEMBER(files), "FILE...", NULL,
     "What a program wrote with --json=FILE; - is standard input. Tables of several come one after the other, rows of --csv "
     "below one line of names; other forms are of one.",
     0, 0, NULL},
    {"--html", OUTPUT, TAC_OPTION_TEXT, MEMBER(form[FORM_HTML]), "FILE", NULL, "One page to look at, which needs no network.",
     0, 0, NULL},
    {"--csv", OUTPUT, TAC_OPTION_TEXT, MEMBER(form[FORM_CSV]), "FILE", NULL,
     "A row an event, for a spreadsheet; of a record of the Kokkos module a row a kernel, fence, copy, region, section and "
     "mark. Of several records with the same columns, the rows of all.",
     0, 0, NULL},
    {"--trace", OUTPUT, TAC_OPTION_TEXT, MEMBER(form[FORM_TRACE]), "FILE", NULL,
     "The timeline as Chrome's trace events, for ui.perfetto.dev and its like.", 0, 0, NULL},
    {"--speedscope", OUTPUT, TAC_OPTION_TEXT, MEMBER(form[FORM_SPEEDSCOPE]), "FILE", NULL,
     "The timeline as a flame graph, for speedscope.", 0, 0, NULL},
    {"--json", OUTPUT, TAC_OPTION_TEXT, MEMBER(form[FORM_JSON]), "FILE", NULL, "The record again, with its lines indented.", 0,
     0, NULL},
    {"--help", OUTPUT, TAC_OPTION_FLAG, MEMBER(help), NULL, NULL, "This text.", 0, 0, NULL},
};
static const struct tac_option_table table = {rows, sizeof rows / sizeof *rows};

static const char *const usage[] = {"tactus report [--name=value]... FILE...", NULL};

static const char description[] =
    "Prints the tables of records as the program that measured them did, or writes a record in another\n"
    "form.\n";

static const struct tac_manual_example examples[] = {
    {"tactus report run.json", "where did the time go?"},
    {"tactus report --csv=runs.csv run-*.json", "rows of several runs, each with its run"},
    {NULL, NULL}};

static const struct tac_manual_status statuses[] = {{0, "done"},
                                                    {1, "a file cannot be read, or the output could not be written"},
                                                    {2, "the command line, or what a record holds, is wrong"},
                                                    {0, NULL}};

static const struct tac_manual manual = {
    .name = "tactus report",
    .summary = "print a record of measurements, or write it in another form",
    .usage = usage,
    .description = description,
    .examples = examples,
    .options = &table,
    .statuses = statuses,
};

static const struct {
  const char *option;
  tac_output_fn write;
} forms[FORMS] = {[FORM_HTML] = {"--html", tac_record_write_html},
                  [FORM_CSV] = {"--csv", tac_record_write_csv},
                  [FORM_TRACE] = {"--trace", tac_record_write_trace},
                  [FORM_SPEEDSCOPE] = {"--speedscope", tac_record_write_speedscope},
                  [FORM_JSON] = {"--json", tac_record_write_json}};

static int form_count(const struct options *options) {
  int count = 0;
  for (int form = 0; form < FORMS; form++)
    count += options->form[form] != NULL;
  return count;
}

static enum tac_status check(const struct options *options, struct tac_error *error) {
  struct tac_output_target targets[FORMS];
  if (options->files.count == 0)
    return tac_error_set(error, TAC_STATUS_INVALID, "FILE...", "no record is given");
  for (int form = 0; form < FORMS; form++) {
    targets[form] = (struct tac_output_target){forms[form].option, options->form[form], 0};
    if (options->form[form] && form != FORM_CSV && options->files.count > 1)
      return tac_error_set(error, TAC_STATUS_INVALID, forms[form].option, "is of one record, and %zu are given",
                           options->files.count);
  }
  return tac_output_check(targets, FORMS, options->files.word, options->files.count, error);
}

static enum tac_status convert(struct tac_record *record, const struct options *options, struct tac_error *error) {
  enum tac_status status = TAC_STATUS_OK;
  for (int form = 0; form < FORMS && status == TAC_STATUS_OK; form++)
    if (options->form[form])
      status = tac_output_write(options->form[form], forms[form].option, forms[form].write, record, error);
  return status;
}

/* All of the tables of a record, or nothing but the line that says why not. */
static enum tac_exit print_tables(const struct tac_record *record, const char *heading) {
  struct tac_error error;
  struct tac_collected tables;
  tac_error_clear(&error);
  tac_collected_open(&tables);
  enum tac_status status = tables.stream ? tac_record_print(tables.stream, record, &error) : TAC_STATUS_OK;
  if (!tac_collected_close(&tables) && status == TAC_STATUS_OK)
    status = tac_error_set(&error, TAC_STATUS_MEMORY, "file", "no memory for its tables");
  if (status == TAC_STATUS_OK && heading)
    tac_record_print_path(stdout, heading, record->path);
  if (status == TAC_STATUS_OK)
    fwrite(tables.text, 1, tables.bytes, stdout);
  free(tables.text);
  return status == TAC_STATUS_OK ? tac_command_finish() : tac_command_fail_file(record->path, &error);
}

/* `heading`: what stands before the line with its name; NULL: no such line. */
static enum tac_exit report_file(const char *path, const char *heading, const struct options *options) {
  struct tac_record record;
  struct tac_error error;
  tac_error_clear(&error);
  enum tac_status status = tac_record_read(&record, path, &error);
  enum tac_exit leave = TAC_EXIT_DONE;
  if (status != TAC_STATUS_OK) {
    leave = tac_command_fail_file(path, &error);
  } else if (form_count(options) > 0) {
    status = convert(&record, options, &error);
    leave = status == TAC_STATUS_OK ? TAC_EXIT_DONE : tac_command_fail(&error);
  } else {
    leave = print_tables(&record, heading);
  }
  tac_record_release(&record);
  return leave;
}

static enum tac_exit report_rows(const struct options *options) {
  struct tac_error error;
  size_t at;
  tac_error_clear(&error);
  if (tac_report_write_rows(options->form[FORM_CSV], options->files.word, options->files.count, &at, &error) == TAC_STATUS_OK)
    return TAC_EXIT_DONE;
  return at < options->files.count ? tac_command_fail_file(options->files.word[at], &error) : tac_command_fail(&error);
}

static enum tac_exit run(int argc, char *const argv[]) {
  struct options options = {.help = 0};
  struct tac_error error;
  enum tac_exit status = TAC_EXIT_DONE;
  uint64_t given = 0;
  tac_error_clear(&error);
  if (!tac_command_parse(&options, &options.help, &given, &tac_command_report, argc, argv, &status))
    return status;
  if (check(&options, &error) != TAC_STATUS_OK)
    return tac_command_fail(&error);
  if (options.form[FORM_CSV] && options.files.count > 1)
    return report_rows(&options);
  for (size_t i = 0; i < options.files.count && status == TAC_EXIT_DONE; i++)
    status = report_file(options.files.word[i], options.files.count == 1 ? NULL : i == 0 ? "" : "\n", &options);
  return status;
}

const struct tac_command tac_command_report = {"report", run, &manual};
