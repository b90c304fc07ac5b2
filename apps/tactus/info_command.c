/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <stdio.h>

#include "apps/tactus/command.h"
#include "apps/tactus/info.h"

struct options {
  int json, help;
};

#define MEMBER(name) offsetof(struct options, name)
#define OUTPUT       "Output"

static const struct tac_option rows[] = {
    {"--json", OUTPUT, TAC_OPTION_FLAG, MEMBER(json), NULL, NULL, "The same as one JSON object.", 0, 0, NULL},
    {"--help", OUTPUT, TAC_OPTION_FLAG, MEMBER(help), NULL, NULL, "This text.", 0, 0, NULL},
};
static const struct tac_option_table table = {rows, sizeof rows / sizeof *rows};

static const char *const usage[] = {"tactus info [--json]", NULL};

static const struct tac_manual_status statuses[] = {
    {0, "done"}, {1, "the output could not be written"}, {2, "the command line is wrong"}, {0, NULL}};

static const struct tac_manual manual = {
    .name = "tactus info",
    .summary = "what this build of Tactus and this machine offer",
    .usage = usage,
    .description = "Version, executors and hooks with why each is or is not available, lanes, BLAS with kernel and\n"
                   "threads, clock with its resolution, and the optional parts of this build.\n",
    .options = &table,
    .statuses = statuses,
};

static enum tac_exit run(int argc, char *const argv[]) {
  struct options options = {0};
  enum tac_exit status = TAC_EXIT_DONE;
  uint64_t given = 0;
  if (!tac_command_parse(&options, &options.help, &given, &tac_command_info, argc, argv, &status))
    return status;
  if ((options.json ? tac_info_print_json(stdout) : tac_info_print_text(stdout)) == 0)
    return tac_command_finish();
  struct tac_error error;
  tac_error_set(&error, TAC_STATUS_IO, "standard output", "cannot be written");
  return tac_command_fail(&error);
}

const struct tac_command tac_command_info = {"info", run, &manual};
