/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef APPS_TACTUS_COMMAND_H
#define APPS_TACTUS_COMMAND_H

#include "apps/program/manual.h"
#include "apps/program/program.h"

/* One command of the program. `run` gets the words after the program's name, the command first. */
struct tac_command {
  const char *name;
  enum tac_exit (*run)(int argc, char *const argv[]);
  const struct tac_manual *manual;
};

extern const struct tac_command tac_command_info, tac_command_report, tac_command_compare, tac_command_costs;

/* Every command, in the order of --help. */
extern const struct tac_command *const tac_commands[];
extern const size_t tac_command_count;

/* Of the program as a whole: what stands before any command. */
extern const struct tac_manual tac_tactus_manual;

/* Reads a command's options and answers --help. 1: go on; 0: *status is what the program leaves with. `out` is all zeros, and
 * `help` its member for --help. */
int tac_command_parse(void *out, const int *help, uint64_t *given, const struct tac_command *command, int argc,
                      char *const argv[], enum tac_exit *status);

/* As tac_program_report, under the program's name; the file first where the fault is one of its content. */
enum tac_exit tac_command_fail(const struct tac_error *error);
enum tac_exit tac_command_fail_file(const char *path, const struct tac_error *error);

/* Done, or the line that says that standard output could not be written. */
enum tac_exit tac_command_finish(void);

#endif
