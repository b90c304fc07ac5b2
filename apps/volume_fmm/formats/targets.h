/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef VOLUME_FMM_FORMATS_TARGETS_H
#define VOLUME_FMM_FORMATS_TARGETS_H

#include <stddef.h>

#include <tactus/runtime/error.h>

/* Reads points, points[dim*i + axis]: `dim` coordinates a line, with blanks, commas or semicolons between; '#' begins a
 * comment. When the first line has no number in it, it names the columns: x, y (and z) are then taken from where they stand
 * and other columns are not looked at. A file whose name ends in .npy is an array of shape (count, dim).
 * path "-" is the standard input, as text. *out is the caller's, for free(); there is at least one point. IO: the file
 * cannot be read. INVALID: its content, with file and line. */
enum tac_status tac_targets_read(double **out, size_t *count, const char *path, int dim, struct tac_error *error);

#endif
