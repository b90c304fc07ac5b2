/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef VOLUME_FMM_FORMATS_VALUES_H
#define VOLUME_FMM_FORMATS_VALUES_H

#include <stddef.h>

#include <tactus/runtime/error.h>

/* An answer at points: points[dim*i + axis], fields[parts*component + part][i], component 0 the potential, 1 + axis its
 * derivative along that axis. */
struct tac_values {
  int dim, parts, components; /* parts 1 or 2 (complex); components 1 or 1 + dim */
  size_t count;
  const double *points;
  const double *const *fields;
};

/* A header line x,y[,z],u[,ux,uy[,uz]] and a line a point, numbers with 17 digits. Complex values take two columns each:
 * u_re,u_im[,ux_re,ux_im…]. Replaces the file as a whole; on failure the old one is kept. */
enum tac_status tac_values_write_csv(const char *path, const struct tac_values *values, struct tac_error *error);

/* The same table as a NumPy array of shape (count, columns). Answers on a grid are for tac_npy_write. */
enum tac_status tac_values_write_npy(const char *path, const struct tac_values *values, struct tac_error *error);

#endif
