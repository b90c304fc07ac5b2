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

/* What the levels of measurement are, for a section of a program that has them. */
#define TAC_MANUAL_LEVELS_TITLE "Measurement levels"
#define TAC_MANUAL_LEVELS                                                                                                      \
  "  level     cost                                    use\n"                                                                  \
  "  off       none: the code holds no measurement     final timings, production\n"                                            \
  "  coarse    two clock reads a phase and a batch     which phase takes the time\n"                                           \
  "  detailed  also two clock reads and increments     how evenly the lanes of a batch are used;\n"                            \
  "            an item, and one record a batch         it perturbs fine items: take times from off\n"                          \
  "  hooked    as coarse, and a call at each phase     what a profiler or counters say of phases\n"                            \
  "            and item: --hooks                       and items\n"

/* --help. */
void tac_manual_help(FILE *stream, const struct tac_manual *manual);

#endif
