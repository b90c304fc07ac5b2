/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef APPS_PROGRAM_REPLACE_FILE_H
#define APPS_PROGRAM_REPLACE_FILE_H

#include <stddef.h>
#include <stdio.h>

#include "runtime/replace_file.h"

/* Puts `bytes` bytes where `path` leads, as tac_replace_file_by does. A signal that ends the program does so behind it, and
 * leaves nothing. */
enum tac_status tac_replace_file(const char *path, const char *text, size_t bytes, struct tac_error *error);

/* The same for content that is written piece by piece: fill may leave a failing stream to the caller, who looks at it and
 * reports. When it returns another status than OK, the old content is kept and the status and its error are passed on. */
typedef enum tac_status (*tac_fill_fn)(void *context, FILE *file, struct tac_error *error);
enum tac_status tac_replace_file_filled(const char *path, tac_fill_fn fill, void *context, struct tac_error *error);

#endif
