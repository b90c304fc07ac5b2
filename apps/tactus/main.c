/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include <tactus/runtime/version.h>

#include "apps/tactus/command.h"
#include "runtime/nearest_name.h"

#define SEE_HELP " (see tactus --help)"

/* `hint` is what to do about it. */
static enum tac_exit fail_usage(const char *kind, const char *word, const char *hint) {
  struct tac_error line;
  tac_error_set(&line, TAC_STATUS_INVALID, NULL, "%s '%s'%s", kind, word, hint);
  tac_program_say("tactus", NULL, NULL, line.text);
  return TAC_EXIT_USAGE;
}

static enum tac_exit unknown_command(const char *word) {
  const char *names[8];
  char hint[64];
  size_t count = 0;
  for (; count < tac_command_count && count < sizeof names / sizeof *names; count++)
    names[count] = tac_commands[count]->name;
  const char *nearest = tac_nearest_name(word, names, count);
  snprintf(hint, sizeof hint, "; did you mean '%s'?", nearest ? nearest : "");
  return fail_usage("unknown command", word, nearest ? hint : SEE_HELP);
}

static enum tac_exit answer(int is_help) {
  if (is_help)
    tac_manual_help(stdout, &tac_tactus_manual);
  else
    printf("tactus %s\n", tac_version());
  return tac_command_finish();
}

/* "help" is --help, and "help COMMAND" that of the command. */
static enum tac_exit help(int argc, char *argv[]) {
  char option[] = "--help", *words[] = {argc > 2 ? argv[2] : NULL, option, NULL};
  if (argc == 2)
    return answer(1);
  if (argc > 3)
    return fail_usage("too many words:", argv[3], SEE_HELP);
  for (size_t i = 0; i < tac_command_count; i++)
    if (strcmp(argv[2], tac_commands[i]->name) == 0)
      return tac_commands[i]->run(2, words);
  return unknown_command(argv[2]);
}

int main(int argc, char *argv[]) {
  struct tac_error error;
  tac_error_clear(&error);
  if (tac_program_secure_streams(&error) != TAC_STATUS_OK)
    return tac_command_fail(&error);
  signal(SIGPIPE, SIG_DFL); /* a reader that has seen enough is no fault: as other tools, it ends without a word */
  if (argc < 2) {
    tac_program_say("tactus", NULL, NULL, "no command" SEE_HELP);
    return TAC_EXIT_USAGE;
  }
  for (size_t i = 0; i < tac_command_count; i++)
    if (strcmp(argv[1], tac_commands[i]->name) == 0)
      return (int)tac_commands[i]->run(argc - 1, argv + 1);
  if (strcmp(argv[1], "help") == 0)
    return (int)help(argc, argv);
  const int is_help = strcmp(argv[1], "--help") == 0;
  if (!is_help && strcmp(argv[1], "--version") != 0)
    return (int)unknown_command(argv[1]);
  if (argc > 2)
    return (int)fail_usage("too many words:", argv[2], SEE_HELP);
  return (int)answer(is_help);
}
