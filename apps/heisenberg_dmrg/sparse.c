/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/heisenberg_dmrg/sparse.h"

#include <stdlib.h>

static size_t count_elements(struct tac_sector *sector) {
  size_t count = 0;
  for (const struct tac_sector_row *row = tac_sector_first_row(sector); row; row = tac_sector_next_row(sector))
    count += row->count;
  return count;
}

enum tac_status tac_sparse_create(struct tac_sparse *out, struct tac_sector *sector, struct tac_error *error) {
  const size_t states = tac_sector_size(sector), elements = count_elements(sector);
  size_t filled = 0;
  *out = (struct tac_sparse){.states = states};
  out->diagonal = calloc(states, sizeof *out->diagonal);
  out->first = calloc(states + 1, sizeof *out->first);
  out->column = calloc(elements + 1, sizeof *out->column);
  out->value = calloc(elements + 1, sizeof *out->value);
  if (!out->diagonal || !out->first || !out->column || !out->value) {
    tac_sparse_destroy(out);
    return tac_error_set(error, TAC_STATUS_MEMORY, __func__, "no memory for a matrix of %zu elements", elements);
  }
  for (const struct tac_sector_row *row = tac_sector_first_row(sector); row; row = tac_sector_next_row(sector)) {
    out->diagonal[row->row] = row->diagonal;
    for (size_t i = 0; i < row->count; i++, filled++) {
      out->column[filled] = (uint32_t)row->columns[i];
      out->value[filled] = row->values[i];
    }
    out->first[row->row + 1] = filled;
  }
  return TAC_STATUS_OK;
}

void tac_sparse_destroy(struct tac_sparse *sparse) {
  free(sparse->diagonal);
  free(sparse->first);
  free(sparse->column);
  free(sparse->value);
  *sparse = (struct tac_sparse){0};
}

void tac_sparse_multiply(double *restrict y, const struct tac_sparse *sparse, const double *restrict x) {
  for (size_t row = 0; row < sparse->states; row++) {
    double sum = sparse->diagonal[row] * x[row];
    for (size_t i = sparse->first[row]; i < sparse->first[row + 1]; i++)
      sum += sparse->value[i] * x[sparse->column[i]];
    y[row] = sum;
  }
}
