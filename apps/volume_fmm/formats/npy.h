/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef VOLUME_FMM_FORMATS_NPY_H
#define VOLUME_FMM_FORMATS_NPY_H

#include <stddef.h>

#include <tactus/runtime/error.h>

#define TAC_NPY_MAX_RANK 4

/* An array of real numbers, whatever its file's order, byte order and precision: the last index runs fastest. */
struct tac_npy {
  int rank;
  size_t shape[TAC_NPY_MAX_RANK]; /* 1 beyond the rank */
  double *values;
};

/* Reads a NumPy array of float32 or float64, format versions 1 to 3, of `rank` (1 … 4) dimensions; path "-" is the standard
 * input. IO: the file cannot be read. INVALID: anything else, an element that is not finite and bytes left over, with file
 * and byte offset. */
enum tac_status tac_npy_read(struct tac_npy *out, const char *path, int rank, struct tac_error *error);
void tac_npy_free(struct tac_npy *array); /* bears one that was not read, if it is all zero */

/* Writes an array of float64, or with parts == 2 of complex128: element i is fields[0][i] (+ imaginary fields[1][i]). With
 * components > 1 a last axis of that length is added, whose component c has the parts fields[parts*c + part]. Replaces the
 * file as a whole; on failure the old one is kept. */
struct tac_npy_layout {
  int rank;
  size_t shape[TAC_NPY_MAX_RANK - 1];
  int parts, components;
};
enum tac_status tac_npy_write(const char *path, const struct tac_npy_layout *layout, const double *const *fields,
                              struct tac_error *error);

#endif
