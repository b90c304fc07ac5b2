/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef APPS_PROGRAM_REPLACE_FILE_H
#define APPS_PROGRAM_REPLACE_FILE_H

#include <stddef.h>
#include <stdio.h>

#include <tactus/runtime/error.h>

/* Says early what would make tac_replace_file fail late: no such folder, one that may not be written, a folder as the file. */
enum tac_status tac_replace_file_probe(const char *path, struct tac_error *error);

/* Whether tac_replace_file puts a file there, over what it put before, and does not write into what is there. */
int tac_replace_file_replaces(const char *path);

/* Whether what is written to one path would replace what is written to the other: both lead to one file, which need not exist
 * yet, and not both are written into. */
int tac_replace_file_clash(const char *one, const char *other);

/* Where the path leads once links are followed: what tac_replace_file replaces. 0 with errno set where there can be none. */
int tac_replace_file_target(char *target, size_t bytes, const char *path);

/* A descriptor to write into what is not replaced. Negative with errno set where there is none. */
int tac_replace_file_open(const char *path);

/* Puts `bytes` bytes where `path` leads: into a new file beside it, forced to the disk and renamed over it, so that at any
 * moment the path holds either all of the old content or all of the new. Symbolic links are followed, also to what is not there
 * yet; a mode is kept. What is no regular file (a pipe, a terminal), or names what is open already (/dev/stdout, /dev/fd/3), is
 * written to instead. IO: the old content is untouched. */
enum tac_status tac_replace_file(const char *path, const char *text, size_t bytes, struct tac_error *error);

/* The same for content that is written piece by piece: fill may leave a failing stream to the caller, who looks at it and
 * reports. When it returns another status than OK, the old content is kept and the status and its error are passed on. */
typedef enum tac_status (*tac_fill_fn)(void *context, FILE *file, struct tac_error *error);
enum tac_status tac_replace_file_filled(const char *path, tac_fill_fn fill, void *context, struct tac_error *error);

#endif
