/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef APPS_PROGRAM_READ_FILE_H
#define APPS_PROGRAM_READ_FILE_H

#include <stddef.h>
#include <stdio.h>

#include <tactus/runtime/error.h>

/* All that a stream gives, or a file holds; the caller frees *text, also after a failure. IO with the system's reason, MEMORY.
 * INVALID at the first zero byte, which no text has: nothing behind it is read, so that /dev/zero ends. */
enum tac_status tac_read_stream(char **text, size_t *bytes, FILE *stream, struct tac_error *error);
enum tac_status tac_read_file(char **text, size_t *bytes, const char *path, struct tac_error *error);

#endif
