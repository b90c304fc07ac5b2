/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */

/* Decomposition of a centre block by the eigenvectors of its Gram matrix on the near side: complete, at less than half the cost
 * of an SVD. Singular vectors below the square root of rounding mix among each other, so weights below about 1e-16 of the
 * block's square are not told apart; what each vector keeps is measured on theta itself. */
#include "apps/dmrg/projection.h"

static int decompose_gram(const struct tac_projection *p, struct tac_bond *bond, struct tac_split_block *result,
                          struct tac_arena *arena) {
  const struct tac_kernels *kernels = p->kernels;
  const size_t near = (size_t)p->near_rows;
  void *gram = tac_arena_take(arena, near * near * kernels->size);
  double *values = tac_arena_take(arena, near * sizeof *values);
  if (!gram || !values)
    return TAC_KERNELS_MEMORY;
  kernels->gram(p->going_right ? 'N' : 'C', p->near_rows, p->far_rows, p->theta, p->rows, gram, p->near_rows);
  const int info = kernels->eigen(p->near_rows, gram, p->near_rows, values, arena);
  if (info)
    return info;
  for (size_t j = 0; j < (size_t)p->rank; j++) /* eigenvalues rise, weights fall */
    kernels->copy_block(p->near_rows, 1, tac_const_element(kernels, gram, (near - 1 - j) * near), p->near_rows,
                        tac_element(kernels, p->q, j * near), p->near_rows);
  tac_projection_multiply(p, 0, p->rank, p->q, p->c);
  return tac_projection_weigh(p, &bond->split, result, arena);
}

enum tac_status tac_split_block_gram(struct tac_bond *bond, size_t number, struct tac_lane *lane) {
  struct tac_split_block *result = &bond->split.block[number];
  if (result->candidates <= TAC_GRAM_SMALL_BLOCK)
    return tac_split_block_full(bond, number, lane);
  const struct tac_projection p = tac_projection_of(bond, number);
  return tac_projection_finish(decompose_gram(&p, bond, result, lane->arena), bond, number, lane);
}
