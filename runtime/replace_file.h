/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef RUNTIME_REPLACE_FILE_H
#define RUNTIME_REPLACE_FILE_H

#include <stddef.h>

#include <tactus/runtime/error.h>

/* How the programs and the Kokkos module put files in their place; no part of libtactus. Symbolic links are followed, also to
 * what is not there yet; a mode is kept. What is no regular file (a pipe, a terminal), or names what is open already
 * (/dev/stdout, /dev/fd/3), is written to and never replaced. */

/* Fills the error with what could not be done with the file, and why as errno told it. Returns IO. */
enum tac_status tac_replace_file_fail(struct tac_error *error, const char *what, const char *path, int code);

/* Says early what would make tac_replace_file_by fail late: no such folder, one that may not be written, a folder as the file,
 * a name that is too long. */
enum tac_status tac_replace_file_probe(const char *path, struct tac_error *error);

/* Whether tac_replace_file_by puts a file there, over what it put before, and does not write into what is there. */
int tac_replace_file_replaces(const char *path);

/* Whether what is written to one path would replace what is written to the other: both lead to one file, which need not exist
 * yet, and not both are written into. */
int tac_replace_file_clash(const char *one, const char *other);

/* Where the path leads once links are followed: what is replaced. 0 with errno set where there can be none. */
int tac_replace_file_target(char *target, size_t bytes, const char *path);

/* A descriptor to write into what is not replaced. Negative with errno set where there is none. */
int tac_replace_file_open(const char *path);

/* A new file, for reading and writing, with the mode of `target` where that exists. Negative with errno set where there is
 * none: EEXIST where something stands there, a link too. */
int tac_replace_file_create(const char *path, const char *target);

/* Whether that path still is the open file. */
int tac_replace_file_is(int descriptor, const char *path);

/* Writes to the descriptor, which stays open. Other than OK: nothing is replaced, and the status and its error are passed on.
 */
typedef enum tac_status (*tac_write_file_fn)(void *context, int descriptor, struct tac_error *error);

/* Puts what is written where `path` leads: into a new file beside it, forced to the disk and renamed over it, so that at any
 * moment the path holds either all of the old content or all of the new. IO: the old content is untouched. */
enum tac_status tac_replace_file_by(const char *path, tac_write_file_fn write, void *context, struct tac_error *error);

#endif
