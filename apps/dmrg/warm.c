/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */

/* Warm decomposition of a centre block. The opposite sweep left an isometry G at this bond, some discarded columns and with
 * them a good guess of the subspace that is wanted now. One step of subspace iteration, Y = theta G (or theta^H G), made
 * orthonormal, gives the new isometry Q; the other factor is C = theta^H Q (or theta Q). Near a fixed point the columns of C
 * are nearly orthogonal, so their norms are the singular values; only the weakest, among which the choice falls, are
 * rotated to be exactly so. It costs four products with theta's size, no decomposition. */
#include "apps/dmrg/projection.h"

#include <math.h>
#include <string.h>

enum { ROTATED_COLUMNS = 7 }; /* the discarded columns that are handed on, a random one, and some that are kept */

int tac_warm_columns_of(struct tac_warm_columns *out, const struct tac_bond *bond, size_t number) {
  const struct tac_center_block *block = &bond->block[number];
  const int going_right = bond->direction > 0;
  const struct tac_tensor *opposite = &bond->state->tensor[going_right ? bond->site + 1 : bond->site];
  const int charge = going_right ? block->right_charge : block->charge;
  const int far_rows = going_right ? block->columns : block->rows;
  const int most = block->rows < block->columns ? block->rows : block->columns;
  const struct tac_dmrg_block *guess = tac_tensor_block(opposite, charge), *hints = tac_tensor_block(bond->hints, charge);
  const int known = guess ? guess->columns : 0;
  if (known > most) /* the near side has become smaller than the bond was: nothing to gain */
    return 0;
  int extra = hints && hints->rows == far_rows && bond->hints->form == opposite->form ? hints->columns : 0;
  extra = known + extra > most ? most - known : extra;
  *out = (struct tac_warm_columns){known, extra, known + extra < most, guess, hints};
  return 1;
}

/* A column that is random but orthogonal to the guess, so that theta shows only what the guess does not have. */
static void random_column(const struct tac_projection *w, uint64_t seed, const void *guess, int columns, void *coefficients,
                          void *out) {
  const struct tac_kernels *kernels = w->kernels;
  const int n = w->far_rows;
  for (int i = 0; i < n; i++) {
    seed = seed * 6364136223846793005u + 1442695040888963407u; /* Knuth's MMIX generator */
    kernels->from_double(1, &(double){(double)(int64_t)(seed ^ (seed >> 29)) * 0x1p-63}, tac_element(kernels, out, (size_t)i));
  }
  if (columns > 0) {
    kernels->gemm('C', 'N', columns, 1, n, guess, n, out, n, 0, coefficients, columns);
    kernels->scale((size_t)columns, -1, coefficients);
    kernels->gemm('N', 'N', n, 1, columns, guess, n, coefficients, columns, 1, out, n);
  }
}

/* Columns of y made orthonormal by the Cholesky factor of their Gram matrix, twice; scaled before, so that small columns count
 * like large ones (Yamamoto et al., ETNA 44, 2015). 0, or nonzero where they are dependent. */
static int orthonormalize(const struct tac_projection *w, void *y, void *gram) {
  const struct tac_kernels *kernels = w->kernels;
  const int n = w->near_rows, k = w->rank;
  for (int j = 0; j < k; j++) {
    void *column = tac_element(kernels, y, (size_t)j * (size_t)n);
    const double norm = kernels->norm((size_t)n, column);
    if (!(norm > 0) || !isfinite(norm))
      return 1;
    kernels->scale((size_t)n, 1 / norm, column);
  }
  for (int pass = 0; pass < 2; pass++) {
    kernels->gram('C', k, n, y, n, gram, k);
    if (kernels->cholesky(k, gram, k))
      return 1;
    kernels->solve_right(n, k, gram, k, y, n);
  }
  return 0;
}

/* Rotates the weakest columns among themselves until those of c are orthogonal. */
static int rotate_weakest(const struct tac_projection *w, const int *weakest, int count, struct tac_arena *arena) {
  const struct tac_kernels *kernels = w->kernels;
  const size_t near = (size_t)w->near_rows, far = (size_t)w->far_rows, k = (size_t)count;
  void *q = tac_arena_take(arena, near * k * kernels->size), *c = tac_arena_take(arena, far * k * kernels->size);
  void *rotated = tac_arena_take(arena, (near > far ? near : far) * k * kernels->size);
  void *gram = tac_arena_take(arena, k * k * kernels->size);
  double *values = tac_arena_take(arena, k * sizeof *values);
  if (!q || !c || !rotated || !gram || !values)
    return TAC_KERNELS_MEMORY;
  for (size_t j = 0; j < k; j++) {
    const size_t column = (size_t)weakest[j];
    memcpy(tac_element(kernels, q, j * near), tac_element(kernels, w->q, column * near), near * kernels->size);
    memcpy(tac_element(kernels, c, j * far), tac_element(kernels, w->c, column * far), far * kernels->size);
  }
  kernels->gram('C', count, w->far_rows, c, w->far_rows, gram, count);
  const int info = kernels->eigen(count, gram, count, values, arena);
  if (info)
    return info;
  for (int factor = 0; factor < 2; factor++) {
    const size_t rows = factor ? far : near;
    kernels->gemm('N', 'N', (int)rows, count, count, factor ? c : q, (int)rows, gram, count, 0, rotated, (int)rows);
    for (size_t j = 0; j < k; j++) /* eigenvalues rise, weights fall */
      memcpy(tac_element(kernels, factor ? w->c : w->q, (size_t)weakest[k - 1 - j] * rows),
             tac_element(kernels, rotated, j * rows), rows * kernels->size);
  }
  return 0;
}

/* The candidates' weights, with the weakest columns rotated first. */
static int weigh(const struct tac_projection *w, struct tac_split *split, struct tac_split_block *result,
                 struct tac_arena *arena) {
  const int *order = (const int *)split->order.data + result->weight;
  int info = tac_projection_weigh(w, split, result, arena);
  const int rotated = w->rank < ROTATED_COLUMNS ? w->rank : ROTATED_COLUMNS;
  if (!info)
    info = rotate_weakest(w, order + (w->rank - rotated), rotated, arena);
  return info ? info : tac_projection_weigh(w, split, result, arena);
}

static int decompose_warm(struct tac_projection *w, const struct tac_bond *bond, size_t number, struct tac_split_block *result,
                          struct tac_arena *arena) {
  const struct tac_kernels *kernels = w->kernels;
  const struct tac_tensor *opposite = &bond->state->tensor[w->going_right ? bond->site + 1 : bond->site];
  const int charge = w->going_right ? bond->block[number].right_charge : bond->block[number].charge;
  struct tac_warm_columns columns_of;
  if (!tac_warm_columns_of(&columns_of, bond, number))
    return 1;
  const int known = columns_of.known, extra = columns_of.extra, random = columns_of.random;
  w->rank = known + extra + random;
  const size_t near = (size_t)w->near_rows, far = (size_t)w->far_rows, k = (size_t)w->rank;
  void *gram = tac_arena_take(arena, k * k * kernels->size), *column = tac_arena_take(arena, far * kernels->size);
  if (!gram || !column)
    return TAC_KERNELS_MEMORY;
  const void *columns = known ? tac_const_element(kernels, opposite->data.data, columns_of.guess->offset) : NULL;
  if (known)
    tac_projection_multiply(w, 1, known, columns, w->q);
  if (extra)
    tac_projection_multiply(w, 1, extra, tac_const_element(kernels, bond->hints->data.data, columns_of.hints->offset),
                            tac_element(kernels, w->q, (size_t)known * near));
  if (random) {
    random_column(w, bond->seed + (uint64_t)(unsigned)charge, columns, known, gram, column);
    tac_projection_multiply(w, 1, 1, column, tac_element(kernels, w->q, (size_t)(known + extra) * near));
  }
  if (orthonormalize(w, w->q, gram))
    return 1;
  tac_projection_multiply(w, 0, w->rank, w->q, w->c);
  return weigh(w, (struct tac_split *)&bond->split, result, arena);
}

enum tac_status tac_split_block_warm(struct tac_bond *bond, size_t number, struct tac_lane *lane) {
  struct tac_split_block *result = &bond->split.block[number];
  if (result->candidates <= TAC_WARM_SMALL_BLOCK)
    return tac_split_block_full(bond, number, lane);
  struct tac_projection w = tac_projection_of(bond, number);
  return tac_projection_finish(decompose_warm(&w, bond, number, result, lane->arena), bond, number, lane);
}
