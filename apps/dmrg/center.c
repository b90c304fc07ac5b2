/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/dmrg/bond.h"

#include <string.h>

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
static int products_at_turn(const struct tac_bond *bond, const struct tac_center_block *block, struct tac_device_product *out) {
  const struct tac_dmrg_block *x = tac_tensor_block(&bond->state->tensor[bond->site], block->charge);
  const struct tac_dmrg_block *y = tac_tensor_block(&bond->state->tensor[bond->site + 1], block->right_charge);
  *out = (struct tac_device_product){.m = block->rows,
                                     .n = block->columns,
                                     .op_a = 'N',
                                     .op_b = 'C',
                                     .lda = block->rows,
                                     .ldb = block->columns,
                                     .ldc = block->rows};
  if (!x || !y || !x->columns)
    return 1;
  out->k = x->columns;
  out->lda = x->rows;
  out->ldb = y->rows;
  out->a = x->offset;
  out->b = y->offset;
  return 1;
}

/* Going right the old centre W of the left site is in right form: theta[(s,a),c] = sum over b of W*[(s,b),a] V*[c,b]. */
static int products_going_right(const struct tac_bond *bond, const struct tac_center_block *block,
                                struct tac_device_product *out) {
  const int spin = bond->state->twice_spin, total = bond->state->twice_sz;
  const struct tac_tensor *old = &bond->state->tensor[bond->site], *right = &bond->state->tensor[bond->site + 1];
  const struct tac_dmrg_block *v = tac_tensor_block(right, block->right_charge);
  int count = 0;
  for (int local = 0; local <= spin; local++) {
    const int first = block->left->offset[local], rows = block->left->offset[local + 1] - first;
    const int old_charge = total - block->charge + tac_local_charge(spin, local);
    const struct tac_dmrg_block *w = tac_tensor_block(old, old_charge);
    if (!rows)
      continue;
    struct tac_device_product *product = &out[count++];
    *product = (struct tac_device_product){.m = rows,
                                           .n = block->columns,
                                           .op_a = 'C',
                                           .op_b = 'C',
                                           .lda = block->rows,
                                           .ldb = block->columns,
                                           .ldc = block->rows,
                                           .c = (size_t)first};
    if (!w || !v || !v->columns)
      continue;
    product->k = v->columns;
    product->lda = w->rows;
    product->ldb = v->rows;
    product->a = w->offset + (size_t)row_of_local(right, old_charge, local, spin);
    product->b = v->offset;
  }
  return count;
}

/* Going left the old centre L of the right site is in left form: theta[l,(s,r)] = sum over b of U[l,b] L[(s,b),r]. */
static int products_going_left(const struct tac_bond *bond, const struct tac_center_block *block,
                               struct tac_device_product *out) {
  const int spin = bond->state->twice_spin;
  const struct tac_tensor *left = &bond->state->tensor[bond->site], *old = &bond->state->tensor[bond->site + 1];
  const struct tac_dmrg_block *u = tac_tensor_block(left, block->charge);
  int count = 0;
  for (int local = 0; local <= spin; local++) {
    const int first = block->right->offset[local], columns = block->right->offset[local + 1] - first;
    const int old_charge = block->charge + tac_local_charge(spin, local);
    const struct tac_dmrg_block *l = tac_tensor_block(old, old_charge);
    if (!columns)
      continue;
    struct tac_device_product *product = &out[count++];
    *product = (struct tac_device_product){.m = block->rows,
                                           .n = columns,
                                           .op_a = 'N',
                                           .op_b = 'N',
                                           .lda = block->rows,
                                           .ldb = block->columns,
                                           .ldc = block->rows,
                                           .c = (size_t)first * (size_t)block->rows};
    if (!l || !u || !u->columns)
      continue;
    product->k = u->columns;
    product->lda = u->rows;
    product->ldb = l->rows;
    product->a = u->offset;
    product->b = l->offset + (size_t)row_of_local(left, old_charge, local, spin);
  }
  return count;
}

int tac_center_products(const struct tac_bond *bond, const struct tac_center_block *block, struct tac_device_product *out) {
  if (bond->state->tensor[bond->site].form == TAC_DMRG_LEFT_FORM &&
      bond->state->tensor[bond->site + 1].form == TAC_DMRG_RIGHT_FORM)
    return products_at_turn(bond, block, out);
  return bond->direction > 0 ? products_going_right(bond, block, out) : products_going_left(bond, block, out);
}

void tac_center_block_build(const struct tac_bond *bond, const struct tac_center_block *block) {
  const struct tac_kernels *kernels = bond->kernels;
  const void *left = bond->state->tensor[bond->site].data.data, *right = bond->state->tensor[bond->site + 1].data.data;
  void *theta = tac_vector_at(bond, bond->theta, block->offset);
  struct tac_device_product product[TAC_LOCAL_MAX];
  const int count = tac_center_products(bond, block, product);
  memset(theta, 0, (size_t)block->rows * (size_t)block->columns * kernels->size);
  for (int i = 0; i < count; i++)
    if (product[i].k > 0)
      kernels->gemm(product[i].op_a, product[i].op_b, product[i].m, product[i].n, product[i].k,
                    tac_const_element(kernels, left, product[i].a), product[i].lda,
                    tac_const_element(kernels, right, product[i].b), product[i].ldb, 0,
                    tac_element(kernels, theta, product[i].c), product[i].ldc);
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
  if (!status)
    tac_tasks_predict(tasks, bond, TAC_COSTED_CENTER);
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
