/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/dmrg/bond.h"

enum tac_status tac_split_plan(struct tac_bond *bond, enum tac_split_method method, struct tac_error *error) {
  struct tac_split *split = &bond->split;
  const struct tac_kernels *kernels = bond->kernels;
  enum tac_status status = tac_buffer_reserve(&split->blocks, bond->pool, (size_t)bond->blocks * sizeof *split->block, error);
  if (!status)
    status = tac_tasks_reserve(&bond->split_tasks, bond->pool, (size_t)bond->blocks, error);
  if (status)
    return status;
  split->block = split->blocks.data;
  split->method = method;
  size_t weights = 0, left = 0, right = 0;
  for (int i = 0; i < bond->blocks; i++) {
    const struct tac_center_block *block = &bond->block[i];
    size_t r = (size_t)(block->rows < block->columns ? block->rows : block->columns);
    split->block[i] = (struct tac_split_block){.candidates = (int)r, .weight = weights, .left = left, .right = right};
    weights += r;
    left += tac_padded(kernels, r * (size_t)block->rows);
    right += tac_padded(kernels, r * (size_t)block->columns);
    tac_tasks_add(&bond->split_tasks, (struct tac_task){.block = i, .cost = (double)block->rows * block->columns * (double)r});
  }
  status = tac_buffer_reserve(&split->weight, bond->pool, weights * sizeof(double), error);
  if (!status)
    status = tac_buffer_reserve(&split->order, bond->pool, weights * sizeof(int), error);
  if (!status)
    status = tac_buffer_reserve(&split->left, bond->pool, left * kernels->size, error);
  if (!status)
    status = tac_buffer_reserve(&split->right, bond->pool, right * kernels->size, error);
  return status;
}

enum tac_status tac_split_item(void *context, size_t index, struct tac_lane *lane) {
  struct tac_bond *bond = context;
  switch (bond->split.method) {
  case TAC_SPLIT_WARM:
    return tac_split_block_warm(bond, index, lane);
  case TAC_SPLIT_GRAM:
    return tac_split_block_gram(bond, index, lane);
  case TAC_SPLIT_FULL:
  default:
    return tac_split_block_full(bond, index, lane);
  }
}

double tac_split_cost(const void *bond, size_t index) {
  return tac_task_cost(&((const struct tac_bond *)bond)->split_tasks, index);
}

/* GESDD is fast and may fail to converge; GESVD then decomposes the same block. */
static int decompose(struct tac_bond *bond, size_t number, double *s, void *u, void *vt, struct tac_arena *arena) {
  const struct tac_kernels *kernels = bond->kernels;
  const struct tac_center_block *block = &bond->block[number];
  struct tac_split_block *result = &bond->split.block[number];
  const int m = block->rows, n = block->columns, r = result->candidates;
  const void *theta = tac_const_element(kernels, bond->theta, block->offset);
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
  const int info = vt ? decompose(bond, number, s, left, vt, lane->arena) : TAC_KERNELS_MEMORY;
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

/* The block whose next candidate has the largest weight; the smaller charge where weights are equal. -1: none is left. */
static int next_block(const struct tac_bond *bond) {
  const double *weight = bond->split.weight.data;
  int best = -1;
  double largest = 0;
  for (int i = 0; i < bond->blocks; i++) {
    const struct tac_split_block *block = &bond->split.block[i];
    if (block->keep < block->candidates && (best < 0 || weight[block->weight + (size_t)block->keep] > largest)) {
      best = i;
      largest = weight[block->weight + (size_t)block->keep];
    }
  }
  return best;
}

/* Sum of the squares that are not kept: those of candidates smallest first, and what no candidate has. */
static double discarded_squares(const struct tac_bond *bond) {
  const double *weight = bond->split.weight.data;
  double sum = 0;
  for (int i = 0; i < bond->blocks; i++) {
    const struct tac_split_block *block = &bond->split.block[i];
    sum += block->missed;
    for (int j = block->candidates - 1; j >= block->keep; j--)
      sum += weight[block->weight + (size_t)j] * weight[block->weight + (size_t)j];
  }
  return sum;
}

enum tac_status tac_split_select(struct tac_bond *bond, const struct tac_dmrg_options *options, struct tac_error *error) {
  struct tac_split *split = &bond->split;
  const double *weight = split->weight.data;
  for (int i = 0; i < bond->blocks; i++)
    split->block[i].keep = 0;
  split->total = discarded_squares(bond); /* nothing is kept yet */
  if (!(split->total > 0) || split->total > 1e300)
    return tac_error_set(error, TAC_STATUS_NUMERICAL, "state selection", "site %d: the centre's norm is %g", bond->site,
                         split->total);
  double left = split->total;
  for (int kept = 0; kept < options->max_states; kept++) {
    int next = next_block(bond);
    if (next < 0 || (kept > 0 && options->cutoff > 0 && left <= options->cutoff * split->total))
      break;
    struct tac_split_block *block = &split->block[next];
    double w = weight[block->weight + (size_t)block->keep];
    block->keep++;
    left -= w * w;
  }
  split->discarded = discarded_squares(bond) / split->total;
  return TAC_STATUS_OK;
}
