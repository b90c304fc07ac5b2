/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/dmrg/bond.h"

static enum tac_status layout_factors(struct tac_bond *bond, struct tac_error *error) {
  const int right = bond->direction > 0, total = bond->state->twice_sz, blocks = bond->blocks;
  /* Charges of the kept factor: left charges in rising order, or right charges, which rise as the blocks fall. */
  int low = right ? bond->block[0].charge : bond->block[blocks - 1].right_charge;
  int high = right ? bond->block[blocks - 1].charge : bond->block[0].right_charge;
  enum tac_status status = tac_space_resize(&bond->kept, bond->pool, low, (high - low) / 2 + 1, error);
  if (status)
    return status;
  for (int i = 0; i < blocks; i++) {
    int charge = right ? bond->block[i].charge : bond->block[i].right_charge;
    bond->kept.dimension[(charge - low) / 2] = bond->split.block[i].keep;
  }
  tac_space_trim(&bond->kept);
  status = tac_tensor_layout(&bond->isometry, bond->pool, bond->kernels, right ? TAC_DMRG_LEFT_FORM : TAC_DMRG_RIGHT_FORM,
                             &bond->kept, &bond->side[!right].rows, error);
  if (status)
    return status;
  /* The next centre stands on the other side of the bond: the same columns by their partners' charges. */
  struct tac_space *mirrored = &bond->mirrored;
  status =
      tac_space_resize(mirrored, bond->pool, total - (bond->kept.low + 2 * (bond->kept.count - 1)), bond->kept.count, error);
  if (status)
    return status;
  for (int i = 0; i < mirrored->count; i++)
    mirrored->dimension[i] = bond->kept.dimension[mirrored->count - 1 - i];
  return tac_tensor_layout(&bond->next_center, bond->pool, bond->kernels, right ? TAC_DMRG_RIGHT_FORM : TAC_DMRG_LEFT_FORM,
                           mirrored, &bond->side[right].rows, error);
}

enum tac_status tac_factor_plan(struct tac_bond *bond, struct tac_error *error) {
  struct tac_tasks *tasks = &bond->factor_tasks;
  enum tac_status status = layout_factors(bond, error);
  if (!status)
    status = tac_tasks_reserve(tasks, bond->pool, (size_t)bond->blocks, error);
  for (int i = 0; i < bond->blocks && !status; i++) {
    const struct tac_center_block *block = &bond->block[i];
    double keep = bond->split.block[i].keep;
    tac_tasks_add(tasks, (struct tac_task){.block = i, .cost = 4 * keep * (block->rows + block->columns)});
  }
  return status;
}

/* Copies the kept columns of a factor that is stored by columns, each times its weight when asked. */
static void copy_columns(const struct tac_bond *bond, const struct tac_split_block *result, int rows, const void *from,
                         const double *factor, void *to) {
  const struct tac_kernels *kernels = bond->kernels;
  const int *order = bond->split.warm ? (const int *)bond->split.order.data + result->weight : NULL;
  if (!order)
    kernels->copy_block(rows, result->keep, from, rows, to, rows);
  for (int j = 0; j < result->keep; j++) {
    void *column = tac_element(kernels, to, (size_t)j * (size_t)rows);
    if (order)
      kernels->copy_block(rows, 1, tac_const_element(kernels, from, (size_t)order[j] * (size_t)rows), rows, column, rows);
    if (factor)
      kernels->scale((size_t)rows, factor[j], column);
  }
}

/* A full decomposition left U by columns and V^H by rows, a warm one both factors by columns and already weighted. */
enum tac_status tac_factor_item(void *context, size_t index, struct tac_lane *lane) {
  struct tac_bond *bond = context;
  (void)lane;
  const struct tac_kernels *kernels = bond->kernels;
  const struct tac_center_block *block = &bond->block[index];
  const struct tac_split_block *result = &bond->split.block[index];
  const int right = bond->direction > 0, full = !bond->split.warm;
  const double *s = (const double *)bond->split.weight.data + result->weight;
  const void *u = tac_const_element(kernels, bond->split.left.data, result->left);
  const void *v = tac_const_element(kernels, bond->split.right.data, result->right);
  struct tac_tensor *for_left = right ? &bond->isometry : &bond->next_center;
  struct tac_tensor *for_right = right ? &bond->next_center : &bond->isometry;
  const struct tac_dmrg_block *left_block = tac_tensor_block(for_left, block->charge);
  const struct tac_dmrg_block *right_block = tac_tensor_block(for_right, block->right_charge);
  if (!result->keep || !left_block || !right_block)
    return TAC_STATUS_OK;
  copy_columns(bond, result, block->rows, u, full && !right ? s : NULL,
               tac_element(kernels, for_left->data.data, left_block->offset));
  void *to = tac_element(kernels, for_right->data.data, right_block->offset);
  if (full)
    kernels->adjoint(result->keep, block->columns, v, result->candidates, right ? s : NULL, to, block->columns);
  else
    copy_columns(bond, result, block->columns, v, NULL, to);
  return TAC_STATUS_OK;
}

double tac_factor_cost(const void *bond, size_t index) {
  return tac_task_cost(&((const struct tac_bond *)bond)->factor_tasks, index);
}

static void exchange(struct tac_tensor *a, struct tac_tensor *b) {
  struct tac_tensor swap = *a;
  *a = *b;
  *b = swap;
}

void tac_factor_install(struct tac_bond *bond) {
  struct tac_dmrg_state *state = bond->state;
  const int right = bond->direction > 0;
  exchange(&state->tensor[right ? bond->site : bond->site + 1], &bond->isometry);
  exchange(&state->tensor[right ? bond->site + 1 : bond->site], &bond->next_center);
  state->center = right ? bond->site + 1 : bond->site;
  state->direction = state->center == 0 || state->center == state->sites - 1 ? 0 : bond->direction;
}
