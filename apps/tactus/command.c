/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/tactus/command.h"

#include <stdio.h>
#include <string.h>

#define PROGRAM "tactus"

int tac_command_parse(void *out, const int *help, uint64_t *given, const struct tac_command *command, int argc,
                      char *const argv[], enum tac_exit *status) {
  struct tac_error error;
  tac_error_clear(&error);
  if (tac_options_parse(out, given, command->manual->options, argc, argv, &error) != TAC_STATUS_OK) {
    *status = tac_command_fail(&error);
    return 0;
  }
  if (!*help)
    return 1;
  tac_manual_help(stdout, command->manual);
  *status = tac_command_finish();
  return 0;
}

enum tac_exit tac_command_fail(const struct tac_error *error) {
  return tac_program_report(PROGRAM, error);
}

/* What is wrong with a file as a whole has no member to be told. */
enum tac_exit tac_command_fail_file(const char *path, const struct tac_error *error) {
  const int whole = strcmp(error->where, "file") == 0;
  tac_program_say(PROGRAM, strcmp(path, "-") == 0 ? "standard input" : path, whole ? NULL : error->where, error->text);
  return tac_program_status(error);
}

enum tac_exit tac_command_finish(void) {
  struct tac_error error;
  tac_error_clear(&error);
  return tac_program_check_output(&error) == TAC_STATUS_OK ? TAC_EXIT_DONE : tac_command_fail(&error);
}
