/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef APPS_PROGRAM_MANUAL_H
#define APPS_PROGRAM_MANUAL_H

#include <stdio.h>

#include "apps/program/options.h"

struct tac_manual_example {
  const char *line; /* as it is typed */
  const char *what; /* NULL: the line says it */
};

/* Paragraphs are wrapped by hand for --help and joined again for the manual page; a line that begins with a space stays as it
 * is in both. */
struct tac_manual_section {
  const char *title, *text;
};

struct tac_manual_status {
  int status;
  const char *meaning;
};

/* What is told of a program, or of one command of it: --help, the manual page and the completion of shells come from it and
 * from its options. Arrays end with an element of NULL, those of statuses with a NULL meaning. */
struct tac_manual {
  const char *name;    /* "heisenberg_dmrg", "tactus compare" */
  const char *summary; /* for the first line of a manual page: no full stop */
  const char *const *usage;
  const char *description;
  const struct tac_manual_example *examples;
  const struct tac_option_table *options;
  const struct tac_manual_section *sections;
  const struct tac_manual_status *statuses;
};

/* --help. */
void tac_manual_help(FILE *stream, const struct tac_manual *manual);

#endif
