/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/dmrg/projection.h"

#include <math.h>

struct tac_projection tac_projection_of(const struct tac_bond *bond, size_t number) {
  const struct tac_kernels *kernels = bond->kernels;
  const struct tac_center_block *block = &bond->block[number];
  const struct tac_split_block *result = &bond->split.block[number];
  const int right = bond->direction > 0;
  void *of_rows = tac_element(kernels, bond->split.left.data, result->left);
  void *of_columns = tac_element(kernels, bond->split.right.data, result->right);
  return (struct tac_projection){.kernels = kernels,
                                 .theta = tac_vector_at(bond, bond->split.theta, result->theta),
                                 .rows = block->rows,
                                 .columns = block->columns,
                                 .near_rows = right ? block->rows : block->columns,
                                 .far_rows = right ? block->columns : block->rows,
                                 .rank = result->candidates,
                                 .going_right = right,
                                 .q = right ? of_rows : of_columns,
                                 .c = right ? of_columns : of_rows};
}

void tac_projection_multiply(const struct tac_projection *p, int to_near, int count, const void *from, void *to) {
  const int plain = p->going_right == to_near, m = p->rows;
  p->kernels->gemm(plain ? 'N' : 'C', 'N', plain ? m : p->columns, count, plain ? p->columns : m, p->theta, m, from,
                   plain ? p->columns : m, 0, to, plain ? m : p->columns);
}

/* Column numbers by falling norm, equal ones by number. Norms arrive nearly sorted. */
static void sort_columns(int count, const double *norm, int *order) {
  for (int i = 0; i < count; i++) {
    int j = i;
    for (; j > 0 && norm[order[j - 1]] < norm[i]; j--)
      order[j] = order[j - 1];
    order[j] = i;
  }
}

int tac_projection_weigh(const struct tac_projection *p, struct tac_split *split, struct tac_split_block *result,
                         struct tac_arena *arena) {
  double *weight = (double *)split->weight.data + result->weight;
  int *order = (int *)split->order.data + result->weight;
  double *norm = tac_arena_take(arena, (size_t)p->rank * sizeof *norm);
  if (!norm)
    return TAC_KERNELS_MEMORY;
  const size_t far = (size_t)p->far_rows;
  for (int j = 0; j < p->rank; j++) {
    const void *column = tac_const_element(p->kernels, p->c, (size_t)j * far);
    norm[j] = sqrt(p->kernels->dot(far, column, column));
  }
  sort_columns(p->rank, norm, order);
  double seen = 0;
  for (int j = p->rank - 1; j >= 0; j--) {
    weight[j] = norm[order[j]];
    seen += weight[j] * weight[j];
  }
  const double square = p->kernels->dot((size_t)p->rows * (size_t)p->columns, p->theta, p->theta);
  result->candidates = p->rank;
  result->missed = fmax(0, square - seen);
  return 0;
}

enum tac_status tac_projection_finish(int info, struct tac_bond *bond, size_t number, struct tac_lane *lane) {
  const struct tac_center_block *block = &bond->block[number];
  if (info == TAC_KERNELS_MEMORY)
    return tac_error_set(lane->error, TAC_STATUS_MEMORY, "block SVD", "site %d: no memory for a block of %d x %d", bond->site,
                         block->rows, block->columns);
  return info ? tac_split_block_full(bond, number, lane) : TAC_STATUS_OK;
}
