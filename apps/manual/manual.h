/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef APPS_MANUAL_MANUAL_H
#define APPS_MANUAL_MANUAL_H

#include <stdio.h>

#include "apps/program/manual.h"

/* A program as a shell sees it: its own options, and commands that have options of theirs. */
struct tac_shell_program {
  const char *name;
  const struct tac_manual *manual;
  const struct tac_manual *commands[8]; /* ends with NULL; "tactus compare" is the command compare */
};

/* A manual page of section 1 in the man macros; `others` are the pages to see, without itself, and end with NULL. */
void tac_manual_page(FILE *stream, const struct tac_manual *manual, const char *const *others);

/* The name of its page: "tactus-compare" of "tactus compare". */
void tac_manual_page_name(char out[64], const struct tac_manual *manual);

/* The command's own name: "compare" of "tactus compare". */
const char *tac_manual_command(const struct tac_manual *manual);

/* What completes the program's words in a shell. */
void tac_completion_bash(FILE *stream, const struct tac_shell_program *program);
void tac_completion_zsh(FILE *stream, const struct tac_shell_program *program);
void tac_completion_fish(FILE *stream, const struct tac_shell_program *program);

/* Where a shell can look for the value of an option, beside its words. */
enum tac_completion { TAC_COMPLETE_NOTHING, TAC_COMPLETE_FILES, TAC_COMPLETE_FOLDERS };
enum tac_completion tac_completion_place(const struct tac_option *option);

/* Gives the words that may be an option's value one by one, NULL at the end. */
const char *tac_completion_word(const struct tac_option *option, size_t number);

/* Writes all of them with blanks between; how many there were. */
size_t tac_completion_words(FILE *stream, const struct tac_option *option);

#endif
