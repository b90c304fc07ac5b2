/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/dmrg/bond.h"

#include <string.h>

static const void *tensor_data(const struct tac_kernels *kernels, const struct tac_tensor *tensor,
                               const struct tac_dmrg_block *block) {
  return tac_const_element(kernels, tensor->data.data, block->offset);
}

/* First row of a local state in a block whose rows are local states joined with the columns of `inner`. */
static int row_of_local(const struct tac_tensor *inner, int charge, int local, int twice_spin) {
  int row = 0;
  for (int other = 0; other < local; other++) {
    const struct tac_dmrg_block *block = tac_tensor_block(inner, charge - tac_local_charge(twice_spin, other));
    row += block ? block->columns : 0;
  }
  return row;
}

/* At a turn both tensors show the bond itself: theta = X Y^H, X in left form, Y in right form. */
static void center_at_turn(const struct tac_bond *bond, const struct tac_center_block *block, void *theta) {
  const struct tac_kernels *kernels = bond->kernels;
  const struct tac_tensor *left = &bond->state->tensor[bond->site], *right = &bond->state->tensor[bond->site + 1];
  const struct tac_dmrg_block *x = tac_tensor_block(left, block->charge), *y = tac_tensor_block(right, block->right_charge);
  if (!x || !y || !x->columns) {
    memset(theta, 0, (size_t)block->rows * (size_t)block->columns * kernels->size);
    return;
  }
  kernels->gemm('N', 'C', block->rows, block->columns, x->columns, tensor_data(kernels, left, x), x->rows,
                tensor_data(kernels, right, y), y->rows, 0, theta, block->rows);
}

/* Going right the old centre W of the left site is in right form: theta[(s,a),c] = sum over b of W*[(s,b),a] V*[c,b]. */
static void center_going_right(const struct tac_bond *bond, const struct tac_center_block *block, void *theta) {
  const struct tac_kernels *kernels = bond->kernels;
  const int spin = bond->state->twice_spin, total = bond->state->twice_sz;
  const struct tac_tensor *old = &bond->state->tensor[bond->site], *right = &bond->state->tensor[bond->site + 1];
  const struct tac_dmrg_block *v = tac_tensor_block(right, block->right_charge);
  memset(theta, 0, (size_t)block->rows * (size_t)block->columns * kernels->size);
  for (int local = 0; v && v->columns && local <= spin; local++) {
    int rows = block->left->offset[local + 1] - block->left->offset[local];
    int old_charge = total - block->charge + tac_local_charge(spin, local);
    const struct tac_dmrg_block *w = tac_tensor_block(old, old_charge);
    if (!rows || !w)
      continue;
    int row = row_of_local(right, old_charge, local, spin);
    kernels->gemm('C', 'C', rows, block->columns, v->columns,
                  tac_const_element(kernels, tensor_data(kernels, old, w), (size_t)row), w->rows,
                  tensor_data(kernels, right, v), v->rows, 0, tac_element(kernels, theta, (size_t)block->left->offset[local]),
                  block->rows);
  }
}

/* Going left the old centre L of the right site is in left form: theta[l,(s,r)] = sum over b of U[l,b] L[(s,b),r]. */
static void center_going_left(const struct tac_bond *bond, const struct tac_center_block *block, void *theta) {
  const struct tac_kernels *kernels = bond->kernels;
  const int spin = bond->state->twice_spin;
  const struct tac_tensor *left = &bond->state->tensor[bond->site], *old = &bond->state->tensor[bond->site + 1];
  const struct tac_dmrg_block *u = tac_tensor_block(left, block->charge);
  memset(theta, 0, (size_t)block->rows * (size_t)block->columns * kernels->size);
  for (int local = 0; u && u->columns && local <= spin; local++) {
    int columns = block->right->offset[local + 1] - block->right->offset[local];
    int old_charge = block->charge + tac_local_charge(spin, local);
    const struct tac_dmrg_block *l = tac_tensor_block(old, old_charge);
    if (!columns || !l)
      continue;
    int row = row_of_local(left, old_charge, local, spin);
    size_t first = (size_t)block->right->offset[local] * (size_t)block->rows;
    kernels->gemm('N', 'N', block->rows, columns, u->columns, tensor_data(kernels, left, u), u->rows,
                  tac_const_element(kernels, tensor_data(kernels, old, l), (size_t)row), l->rows, 0,
                  tac_element(kernels, theta, first), block->rows);
  }
}

void tac_center_block_build(const struct tac_bond *bond, const struct tac_center_block *block) {
  void *theta = tac_vector_at(bond, bond->theta, block->offset);
  if (bond->state->tensor[bond->site].form == TAC_DMRG_LEFT_FORM &&
      bond->state->tensor[bond->site + 1].form == TAC_DMRG_RIGHT_FORM)
    center_at_turn(bond, block, theta);
  else if (bond->direction > 0)
    center_going_right(bond, block, theta);
  else
    center_going_left(bond, block, theta);
}

enum tac_status tac_center_plan(struct tac_bond *bond, struct tac_error *error) {
  struct tac_tasks *tasks = &bond->center_tasks;
  enum tac_status status = tac_tasks_reserve(tasks, bond->pool, 3 * (size_t)bond->blocks, error);
  for (int i = 0; i < bond->blocks && !status; i++) {
    const struct tac_center_block *block = &bond->block[i];
    double m = block->rows, n = block->columns;
    double inner = m < n ? m : n; /* at most: the bond has no more states than that */
    tac_tasks_add(tasks, (struct tac_task){.kind = TAC_TASK_CENTER, .block = i, .cost = m * n * inner});
    tac_tasks_add(tasks, (struct tac_task){.kind = TAC_TASK_ENLARGE_LEFT, .block = i, .cost = 8 * m * m});
    tac_tasks_add(tasks, (struct tac_task){.kind = TAC_TASK_ENLARGE_RIGHT, .block = i, .cost = 8 * n * n});
  }
  return status;
}

enum tac_status tac_center_item(void *context, size_t index, struct tac_lane *lane) {
  struct tac_bond *bond = context;
  const struct tac_task *task = &bond->center_tasks.task[index];
  const struct tac_center_block *block = &bond->block[task->block];
  (void)lane;
  if (task->kind == TAC_TASK_CENTER) {
    tac_center_block_build(bond, block);
    return TAC_STATUS_OK;
  }
  int right = task->kind == TAC_TASK_ENLARGE_RIGHT;
  const struct tac_bond_side *side = &bond->side[right];
  tac_part_enlarge(
      bond->kernels, bond->hamiltonian, side->part, right ? block->right : block->left,
      right ? block->right_charge : block->charge,
      tac_element(bond->kernels, side->hamiltonian.data, right ? block->right_hamiltonian : block->left_hamiltonian));
  return TAC_STATUS_OK;
}

double tac_center_cost(const void *bond, size_t index) {
  return tac_task_cost(&((const struct tac_bond *)bond)->center_tasks, index);
}
