/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef VOLUME_FMM_FORMATS_NPY_HEADER_H
#define VOLUME_FMM_FORMATS_NPY_HEADER_H

#include <stddef.h>

#include "apps/volume_fmm/formats/npy.h"

/* What the dictionary of a NumPy file says. */
struct tac_npy_header {
  size_t element_bytes; /* 4 or 8 */
  int swapped;          /* the byte order is not this machine's */
  int columns_first;    /* Fortran order */
  int rank;
  size_t shape[TAC_NPY_MAX_RANK];
  size_t shape_at; /* offset of the shape in the text */
};

/* Reads the dictionary, a Python literal. Returns NULL, or why it is refused and, in *at, the offset where. */
const char *tac_npy_header_parse(struct tac_npy_header *out, const char *text, size_t bytes, size_t *at);

#endif
