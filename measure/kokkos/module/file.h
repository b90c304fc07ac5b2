/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef MEASURE_KOKKOS_FILE_H
#define MEASURE_KOKKOS_FILE_H

#include <stddef.h>

#include <tactus/runtime/error.h>

/* A descriptor behind a buffer. Nothing of the C library's streams: this also runs when a process ends. */
struct tac_file_sink {
  int descriptor;
  int failure; /* errno of the first write that failed; nothing is written behind it */
  size_t used;
  char buffer[8192];
};

/* A tac_sink_fn over one of these. */
int tac_file_sink_take(void *context, const char *text, size_t bytes);
/* Writes what is left; the failure, if any. */
int tac_file_sink_flush(struct tac_file_sink *sink);

/* All of it; nonzero on failure, with errno. No signal comes of it. */
int tac_file_write(int descriptor, const char *bytes, size_t count);

/* Fills what takes the place of the file, as tac_replace_file_by does, but that it waits for two seconds at most until a named
 * pipe has a reader. IO: the old file is untouched. */
typedef enum tac_status (*tac_file_fill_fn)(struct tac_file_sink *sink, void *context, struct tac_error *error);
enum tac_status tac_file_replace(const char *path, tac_file_fill_fn fill, void *context, struct tac_error *error);

#endif
