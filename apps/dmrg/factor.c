/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/dmrg/bond.h"

/* Discarded columns that are handed on; three in each block let its rank grow by as many from sweep to sweep. */
enum { HINT_COLUMNS = 3 };

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

/* A few discarded columns of the side left behind, for the opposite sweep's warm decomposition. */
static enum tac_status layout_hints(struct tac_bond *bond, struct tac_error *error) {
  const int right = bond->direction > 0;
  const int low = right ? bond->block[0].charge : bond->block[bond->blocks - 1].right_charge;
  const int high = right ? bond->block[bond->blocks - 1].charge : bond->block[0].right_charge;
  enum tac_status status = tac_space_resize(&bond->offered, bond->pool, low, (high - low) / 2 + 1, error);
  if (status)
    return status;
  for (int i = 0; i < bond->blocks; i++) {
    const struct tac_split_block *result = &bond->split.block[i];
    const int charge = right ? bond->block[i].charge : bond->block[i].right_charge;
    const int spare = result->candidates - result->keep;
    bond->offered.dimension[(charge - low) / 2] = spare < HINT_COLUMNS ? spare : HINT_COLUMNS;
  }
  return tac_tensor_layout(bond->hints, bond->pool, bond->kernels, right ? TAC_DMRG_LEFT_FORM : TAC_DMRG_RIGHT_FORM,
                           &bond->offered, &bond->side[!right].rows, error);
}

enum tac_status tac_factor_layout(struct tac_bond *bond, struct tac_error *error) {
  enum tac_status status = layout_factors(bond, error);
  return status ? status : layout_hints(bond, error);
}

enum tac_status tac_factor_plan(struct tac_bond *bond, struct tac_error *error) {
  struct tac_tasks *tasks = &bond->factor_tasks;
  enum tac_status status = tac_factor_layout(bond, error);
  if (!status)
    status = tac_tasks_reserve(tasks, bond->pool, (size_t)bond->blocks, error);
  for (int i = 0; i < bond->blocks && !status; i++) {
    const struct tac_center_block *block = &bond->block[i];
    double keep = bond->split.block[i].keep;
    tac_tasks_add(tasks, (struct tac_task){.block = i, .cost = 4 * keep * (block->rows + block->columns)});
  }
  if (!status)
    tac_tasks_predict(tasks, bond, TAC_COSTED_FACTOR);
  return status;
}

/* Columns order[first … first+count-1] of a factor into the block of a tensor, if that has the charge. */
static void copy_columns(const struct tac_kernels *kernels, int rows, const int *order, int count, const void *from,
                         const struct tac_tensor *tensor, int charge) {
  const struct tac_dmrg_block *block = tac_tensor_block(tensor, charge);
  if (!block)
    return;
  void *to = tac_element(kernels, tensor->data.data, block->offset);
  for (int j = 0; j < count; j++)
    kernels->copy_block(rows, 1, tac_const_element(kernels, from, (size_t)order[j] * (size_t)rows), rows,
                        tac_element(kernels, to, (size_t)j * (size_t)rows), rows);
}

enum tac_status tac_factor_item(void *context, size_t index, struct tac_lane *lane) {
  struct tac_bond *bond = context;
  const struct tac_kernels *kernels = bond->kernels;
  const struct tac_center_block *block = &bond->block[index];
  const struct tac_split_block *result = &bond->split.block[index];
  const int *order = (const int *)bond->split.order.data + result->weight;
  const void *left = tac_const_element(kernels, bond->split.left.data, result->left);
  const void *right = tac_const_element(kernels, bond->split.right.data, result->right);
  const int going_right = bond->direction > 0;
  const struct tac_dmrg_block *hints = tac_tensor_block(bond->hints, going_right ? block->charge : block->right_charge);
  (void)lane;
  copy_columns(kernels, block->rows, order, result->keep, left, going_right ? &bond->isometry : &bond->next_center,
               block->charge);
  copy_columns(kernels, block->columns, order, result->keep, right, going_right ? &bond->next_center : &bond->isometry,
               block->right_charge);
  copy_columns(kernels, hints->rows, order + result->keep, hints->columns, going_right ? left : right, bond->hints,
               hints->charge);
  return TAC_STATUS_OK;
}

double tac_factor_cost(const void *bond, size_t index) {
  return tac_task_cost(&((const struct tac_bond *)bond)->factor_tasks, index);
}

/* The memory changes hands too: state and environments share an allocator, each counts what it holds. */
static void exchange(struct tac_bond *bond, struct tac_tensor *in_state, struct tac_tensor *at_work) {
  struct tac_tensor swap = *in_state;
  *in_state = *at_work;
  *at_work = swap;
  const size_t gained = tac_buffer_bytes(&in_state->blocks) + tac_buffer_bytes(&in_state->data);
  const size_t given = tac_buffer_bytes(&at_work->blocks) + tac_buffer_bytes(&at_work->data);
  bond->state->pool.bytes += gained - given;
  bond->pool->bytes -= gained - given;
}

void tac_factor_install(struct tac_bond *bond) {
  struct tac_dmrg_state *state = bond->state;
  const int right = bond->direction > 0;
  exchange(bond, &state->tensor[right ? bond->site : bond->site + 1], &bond->isometry);
  exchange(bond, &state->tensor[right ? bond->site + 1 : bond->site], &bond->next_center);
  state->center = right ? bond->site + 1 : bond->site;
  state->direction = state->center == 0 || state->center == state->sites - 1 ? 0 : bond->direction;
}
