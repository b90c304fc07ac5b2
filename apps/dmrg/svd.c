/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/dmrg/bond.h"

/* GESDD is fast and may fail to converge; GESVD then decomposes the same block. */
int tac_split_svd(const struct tac_bond *bond, size_t number, const void *theta, double *s, void *u, void *vt,
                  struct tac_arena *arena) {
  const struct tac_kernels *kernels = bond->kernels;
  const struct tac_center_block *block = &bond->block[number];
  struct tac_split_block *result = &bond->split.block[number];
  const int m = block->rows, n = block->columns, r = result->candidates;
  void *work = tac_arena_take(arena, (size_t)m * (size_t)n * kernels->size);
  if (!work)
    return TAC_KERNELS_MEMORY;
  kernels->copy_block(m, n, theta, m, work, m);
  int info = bond->svd_divide(m, n, work, m, s, u, m, vt, r, arena);
  if (info > 0) {
    result->fallback = 1;
    kernels->copy_block(m, n, theta, m, work, m);
    info = bond->svd_qr(m, n, work, m, s, u, m, vt, r, arena);
  }
  return info;
}

enum tac_status tac_split_block_full(struct tac_bond *bond, size_t number, struct tac_lane *lane) {
  const struct tac_kernels *kernels = bond->kernels;
  const struct tac_center_block *block = &bond->block[number];
  struct tac_split_block *result = &bond->split.block[number];
  const int m = block->rows, n = block->columns, r = result->candidates = m < n ? m : n;
  double *s = (double *)bond->split.weight.data + result->weight;
  int *order = (int *)bond->split.order.data + result->weight;
  void *left = tac_element(kernels, bond->split.left.data, result->left);
  void *right = tac_element(kernels, bond->split.right.data, result->right);
  void *vt = tac_arena_take(lane->arena, (size_t)r * (size_t)n * kernels->size);
  const void *theta = tac_vector_at(bond, bond->split.theta, result->theta);
  const int info = vt ? tac_split_svd(bond, number, theta, s, left, vt, lane->arena) : TAC_KERNELS_MEMORY;
  if (info == TAC_KERNELS_MEMORY)
    return tac_error_set(lane->error, TAC_STATUS_MEMORY, "block SVD", "site %d: no memory for a block of %d x %d", bond->site,
                         m, n);
  if (info)
    return tac_error_set(lane->error, TAC_STATUS_NUMERICAL, "block SVD",
                         "site %d, charge %d: no SVD of a %d x %d block (info %d)", bond->site, block->charge, m, n, info);
  const int weighted_left = bond->direction < 0;
  result->missed = 0;
  kernels->adjoint(r, n, vt, r, weighted_left ? NULL : s, right, n);
  for (int j = 0; j < r; j++) {
    order[j] = j;
    if (weighted_left)
      kernels->scale((size_t)m, s[j], tac_element(kernels, left, (size_t)j * (size_t)m));
  }
  return TAC_STATUS_OK;
}
