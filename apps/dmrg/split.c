/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/dmrg/bond.h"

enum tac_status tac_split_begin(struct tac_bond *bond, enum tac_split_method method, struct tac_error *error) {
  struct tac_split *split = &bond->split;
  enum tac_status status = tac_buffer_reserve(&split->blocks, bond->pool, (size_t)bond->blocks * sizeof *split->block, error);
  if (status)
    return status;
  split->block = split->blocks.data;
  split->method = method;
  size_t weights = 0;
  for (int i = 0; i < bond->blocks; i++) {
    const struct tac_center_block *block = &bond->block[i];
    const int r = block->rows < block->columns ? block->rows : block->columns;
    split->block[i] = (struct tac_split_block){.candidates = r, .weight = weights};
    weights += (size_t)r;
  }
  status = tac_buffer_reserve(&split->weight, bond->pool, weights * sizeof(double), error);
  return status ? status : tac_buffer_reserve(&split->order, bond->pool, weights * sizeof(int), error);
}

double tac_split_block_cost(const struct tac_center_block *block) {
  const double m = block->rows, n = block->columns;
  return m * n * (m < n ? m : n);
}

enum tac_status tac_split_plan(struct tac_bond *bond, enum tac_split_method method, struct tac_error *error) {
  struct tac_split *split = &bond->split;
  const struct tac_kernels *kernels = bond->kernels;
  enum tac_status status = tac_split_begin(bond, method, error);
  if (!status)
    status = tac_tasks_reserve(&bond->split_tasks, bond->pool, (size_t)bond->blocks, error);
  if (status)
    return status;
  split->theta = bond->theta;
  size_t left = 0, right = 0;
  for (int i = 0; i < bond->blocks; i++) {
    const struct tac_center_block *block = &bond->block[i];
    struct tac_split_block *result = &split->block[i];
    result->theta = block->offset;
    result->left = left;
    result->right = right;
    left += tac_padded(kernels, (size_t)result->candidates * (size_t)block->rows);
    right += tac_padded(kernels, (size_t)result->candidates * (size_t)block->columns);
    tac_tasks_add(&bond->split_tasks,
                  (struct tac_task){.kind = TAC_TASK_BLOCK, .block = i, .cost = tac_split_block_cost(block)});
  }
  tac_tasks_predict(&bond->split_tasks, bond, TAC_COSTED_SPLIT);
  status = tac_buffer_reserve(&split->left, bond->pool, left * kernels->size, error);
  return status ? status : tac_buffer_reserve(&split->right, bond->pool, right * kernels->size, error);
}

enum tac_status tac_split_item(void *context, size_t index, struct tac_lane *lane) {
  struct tac_bond *bond = context;
  const size_t number = (size_t)bond->split_tasks.task[index].block;
  switch (bond->split.method) {
  case TAC_SPLIT_WARM:
    return tac_split_block_warm(bond, number, lane);
  case TAC_SPLIT_GRAM:
    return tac_split_block_gram(bond, number, lane);
  case TAC_SPLIT_FULL:
  default:
    return tac_split_block_full(bond, number, lane);
  }
}

double tac_split_cost(const void *bond, size_t index) {
  return tac_task_cost(&((const struct tac_bond *)bond)->split_tasks, index);
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
