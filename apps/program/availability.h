/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef APPS_PROGRAM_AVAILABILITY_H
#define APPS_PROGRAM_AVAILABILITY_H

#include <stdio.h>

#include <jansson.h>

#include <tactus/runtime/error.h>

/* What may be there or not: an executor, a kind of hooks. */
struct tac_choice {
  const char *name, *summary;
  enum tac_status (*probe)(struct tac_error *why);
};

/* Two lines: its name, in so many columns behind so many blanks, with the summary; then whether it is available, or why not.
 * Returns whether it is. */
int tac_availability_print(FILE *stream, int indentation, int columns, const struct tac_choice *choice);

/* The same as an object: name, summary, available, and the reason where it is not. NULL: no memory. */
json_t *tac_availability_json(const struct tac_choice *choice);

#endif
