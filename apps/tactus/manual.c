/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/tactus/command.h"

const struct tac_command *const tac_commands[] = {&tac_command_info, &tac_command_report, &tac_command_compare,
                                                  &tac_command_costs};
const size_t tac_command_count = sizeof tac_commands / sizeof *tac_commands;

struct answers {
  int help, version;
};

#define GENERAL "Before a command"

static const struct tac_option options[] = {
    {"--help", GENERAL, TAC_OPTION_FLAG, offsetof(struct answers, help), NULL, NULL,
     "This text; behind a command what that command takes.", 0, 0, NULL},
    {"--version", GENERAL, TAC_OPTION_FLAG, offsetof(struct answers, version), NULL, NULL, "The version.", 0, 0, NULL},
};
static const struct tac_option_table table = {options, sizeof options / sizeof *options};

static const char *const usage[] = {"tactus info [--json]",
                                    "tactus report [--name=value]... FILE...",
                                    "tactus compare [--name=value]... BASE NEW",
                                    "tactus compare [--name=value]... --base FILE... --new FILE...",
                                    "tactus costs [--name=value]... FILE...",
                                    "tactus help [COMMAND]",
                                    "tactus --help | --version",
                                    NULL};

static const char description[] = "Reads the records that heisenberg_dmrg, volume_fmm and other programs on Tactus write with\n"
                                  "--json=FILE, and says what this build and this machine offer.\n";

static const struct tac_manual_example examples[] = {
    {"heisenberg_dmrg --measurements=coarse --json=run.json", "a record of where the time went"},
    {"tactus report run.json", "its tables once more"},
    {"tactus compare old.json new.json", "two runs side by side"},
    {"tactus compare --base old-*.json --new new-*.json", "repeated runs, with verdicts"},
    {"tactus costs run.json --out=costs.json", "costs of items, from a run at detailed"},
    {"tactus info", "which executors are there, and why not"},
    {NULL, NULL}};

static const struct tac_manual_section sections[] = {
    {"Commands", "  info     version, executors, hooks, lanes, BLAS, clock and parts of this build\n"
                 "  report   prints records as tables, or writes one in another form\n"
                 "  compare  two sides, of one run or of several each, event by event\n"
                 "  costs    what items cost, fitted to their durations, for --costs of the programs\n"
                 "tactus help COMMAND, or tactus COMMAND --help, tells more of each.\n"},
    {NULL, NULL}};

static const struct tac_manual_status statuses[] = {
    {0, "done"},
    {1, "a file cannot be read, or the output could not be written"},
    {2, "the command line, or what a record holds, is wrong"},
    {4, "compare: an event is slower than --fail-above allows, and outside the noise"},
    {0, NULL}};

const struct tac_manual tac_tactus_manual = {
    .name = "tactus",
    .summary = "report and compare records of programs on Tactus",
    .usage = usage,
    .description = description,
    .examples = examples,
    .options = &table,
    .sections = sections,
    .statuses = statuses,
};
