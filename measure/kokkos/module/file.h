/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef MEASURE_KOKKOS_FILE_H
#define MEASURE_KOKKOS_FILE_H

#include <stddef.h>

#include <tactus/runtime/error.h>

/* A descriptor behind a buffer. Nothing of the C library's streams: this also runs when a process ends. */
struct tac_file_sink {
  int descriptor, failed;
  size_t used;
  char buffer[8192];
};

/* A tac_sink_fn over one of these. */
int tac_file_sink_take(void *context, const char *text, size_t bytes);
/* Writes what is left; nonzero when anything has failed. */
int tac_file_sink_flush(struct tac_file_sink *sink);

/* All of it; nonzero on failure, with errno. */
int tac_file_write(int descriptor, const char *bytes, size_t count);

/* Fills a new file beside `path` and renames it over that; what is no regular file (a pipe) is written to instead. IO: the old
 * file is untouched. */
typedef enum tac_status (*tac_file_fill_fn)(struct tac_file_sink *sink, void *context, struct tac_error *error);
enum tac_status tac_file_replace(const char *path, tac_file_fill_fn fill, void *context, struct tac_error *error);

/* Whether there is something that a file cannot take the place of: a pipe, a terminal. */
int tac_file_is_special(const char *path);

/* Says early what would make tac_file_replace fail late. */
enum tac_status tac_file_probe(const char *path, struct tac_error *error);

#endif
