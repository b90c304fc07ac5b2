/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef VOLUME_FMM_FORMATS_GAUSSIANS_H
#define VOLUME_FMM_FORMATS_GAUSSIANS_H

#include <stddef.h>

#include <tactus/runtime/error.h>

/* amplitude * exp(-exponent * |x - center|^2) */
struct tac_gaussian {
  double center[3]; /* 0 along axes that do not exist */
  double exponent, amplitude;
};

/* Reads a list of Gaussians, one a line: `dim` coordinates, exponent, amplitude, with blanks between. '#' begins a comment.
 * path "-" is the standard input. *out is the caller's, for free(); there is at least one. IO: the file cannot be read.
 * INVALID: its content, with file and line. */
enum tac_status tac_gaussians_read(struct tac_gaussian **out, size_t *count, const char *path, int dim,
                                   struct tac_error *error);

#endif
