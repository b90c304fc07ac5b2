/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef HEISENBERG_DMRG_SPARSE_H
#define HEISENBERG_DMRG_SPARSE_H

#include <stddef.h>
#include <stdint.h>

#include "apps/heisenberg_dmrg/sector.h"

/* H of a sector as compressed rows, the diagonal apart: for products that come again and again. */
struct tac_sparse {
  size_t states;
  double *diagonal;
  size_t *first;    /* of each row in column and value, and where the last one ends */
  uint32_t *column; /* sectors have far fewer states than 32 bits count */
  double *value;
};

enum tac_status tac_sparse_create(struct tac_sparse *out, struct tac_sector *sector, struct tac_error *error);
void tac_sparse_destroy(struct tac_sparse *sparse);

/* y = H x */
void tac_sparse_multiply(double *restrict y, const struct tac_sparse *sparse, const double *restrict x);

#endif
