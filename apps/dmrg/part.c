/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/dmrg/bond.h"

/* Reserves the operators' blocks for the part's space. */
static enum tac_status layout_part(struct tac_part *part, struct tac_pool *pool, const struct tac_kernels *kernels,
                                   struct tac_error *error) {
  size_t count = (size_t)part->space.count, elements = 0;
  enum tac_status status = tac_buffer_reserve(&part->offsets, pool, 3 * count * sizeof(size_t), error);
  if (status)
    return status;
  part->hamiltonian = part->offsets.data;
  part->sz = part->hamiltonian + count;
  part->raise = part->sz + count;
  for (size_t i = 0; i < count; i++) {
    size_t n = (size_t)part->space.dimension[i], above = i + 1 < count ? (size_t)part->space.dimension[i + 1] : 0;
    part->hamiltonian[i] = elements;
    part->sz[i] = part->hamiltonian[i] + tac_padded(kernels, n * n);
    part->raise[i] = part->sz[i] + tac_padded(kernels, n * n);
    elements = part->raise[i] + tac_padded(kernels, n * above);
  }
  return tac_buffer_reserve_numbers(&part->data, pool, elements * kernels->size, error);
}

enum tac_status tac_part_empty(struct tac_part *part, struct tac_pool *pool, const struct tac_kernels *kernels,
                               struct tac_error *error) {
  enum tac_status status = tac_space_resize(&part->space, pool, 0, 1, error);
  if (status)
    return status;
  part->space.dimension[0] = 1;
  status = layout_part(part, pool, kernels, error);
  return status ? status : tac_buffer_clear(&part->data, pool, 2 * tac_padded(kernels, 1) * kernels->size, error);
}

void tac_part_release(struct tac_part *part, struct tac_pool *pool) {
  tac_buffer_release(&part->space.memory, pool);
  tac_buffer_release(&part->offsets, pool);
  tac_buffer_release(&part->data, pool);
}

const struct tac_bond_side *tac_part_passed_side(const struct tac_bond *bond) {
  return &bond->side[bond->direction < 0];
}

const struct tac_center_block *tac_part_center_block(const struct tac_bond *bond, int charge) {
  const struct tac_center_block *center = bond->block;
  while ((bond->direction < 0 ? center->right_charge : center->charge) != charge)
    center++;
  return center;
}

enum tac_status tac_part_layout(struct tac_bond *bond, struct tac_tensor *tensor, struct tac_part *updated,
                                struct tac_error *error) {
  bond->updated = updated;
  bond->passed = tensor;
  enum tac_status status = tac_tensor_columns(tensor, &updated->space, bond->pool, error);
  return status ? status : layout_part(updated, bond->pool, bond->kernels, error);
}

enum tac_status tac_part_plan(struct tac_bond *bond, struct tac_tensor *tensor, struct tac_part *updated,
                              struct tac_error *error) {
  struct tac_tasks *tasks = &bond->part_tasks;
  enum tac_status status = tac_part_layout(bond, tensor, updated, error);
  if (!status)
    status = tac_tasks_reserve(tasks, bond->pool, 2 * tensor->count, error);
  for (size_t i = 0; i < tensor->count && !status; i++) {
    double n = tensor->block[i].rows, k = tensor->block[i].columns;
    if (k == 0)
      continue;
    tac_tasks_add(tasks, (struct tac_task){.kind = TAC_TASK_OPERATORS, .block = (int)i, .cost = 2 * n * k * (n + k)});
    tac_tasks_add(tasks, (struct tac_task){.kind = TAC_TASK_EDGE, .block = (int)i, .cost = 2 * n * k * k});
  }
  if (!status)
    tac_tasks_predict(tasks, bond, TAC_COSTED_PART);
  return status;
}

/* H = U^H (enlarged H) U. */
static enum tac_status update_hamiltonian(const struct tac_bond *bond, const struct tac_dmrg_block *block, void *out,
                                          struct tac_lane *lane) {
  const struct tac_kernels *kernels = bond->kernels;
  const struct tac_bond_side *side = tac_part_passed_side(bond);
  const struct tac_center_block *center = tac_part_center_block(bond, block->charge);
  const int n = block->rows, k = block->columns;
  const void *u = tac_const_element(kernels, bond->passed->data.data, block->offset);
  void *product = tac_arena_take(lane->arena, (size_t)n * (size_t)k * kernels->size);
  if (!product)
    return tac_error_set(lane->error, TAC_STATUS_MEMORY, "environment update", "site %d: no memory for a block of %d x %d",
                         bond->site, n, k);
  size_t at = bond->direction < 0 ? center->right_hamiltonian : center->left_hamiltonian;
  kernels->gemm('N', 'N', n, k, n, tac_const_element(kernels, side->hamiltonian.data, at), n, u, n, 0, product, n);
  kernels->gemm('C', 'N', k, k, n, u, n, product, n, 0, out, k);
  return TAC_STATUS_OK;
}

/* Sz of the site: sum over local states of m times U_m^H U_m. For spin 1/2 the two sum to 1/2 of the identity less one. */
static enum tac_status update_sz(const struct tac_bond *bond, const struct tac_dmrg_block *block, void *out,
                                 struct tac_lane *lane) {
  const struct tac_kernels *kernels = bond->kernels;
  const int spin = bond->state->twice_spin, n = block->rows, k = block->columns;
  const struct tac_enlarged_sector *rows = tac_enlarged_sector(&tac_part_passed_side(bond)->rows, block->charge);
  const void *u = tac_const_element(kernels, bond->passed->data.data, block->offset);
  kernels->gemm('C', 'N', k, k, rows->offset[1], u, n, u, n, 0, out, k);
  if (spin == 1) {
    kernels->add_diagonal(k, -0.5, out, k);
    return TAC_STATUS_OK;
  }
  void *lowest = tac_arena_take(lane->arena, (size_t)k * (size_t)k * kernels->size);
  if (!lowest)
    return tac_error_set(lane->error, TAC_STATUS_MEMORY, "environment update", "site %d: no memory for a block of %d x %d",
                         bond->site, k, k);
  const void *down = tac_const_element(kernels, u, (size_t)rows->offset[2]);
  kernels->gemm('C', 'N', k, k, rows->offset[3] - rows->offset[2], down, n, down, n, 0, lowest, k);
  kernels->add_block(k, k, -1, lowest, k, out, k);
  return TAC_STATUS_OK;
}

/* S+ of the site: sum over local states of <m+1|S+|m> times U_{m+1}(c+2)^H U_m(c). For spins 1/2 and 1 the matrix elements
 * of one spin are all equal. */
static void update_raise(const struct tac_bond *bond, const struct tac_dmrg_block *block, const struct tac_dmrg_block *above,
                         void *out) {
  const struct tac_kernels *kernels = bond->kernels;
  const int spin = bond->state->twice_spin;
  const struct tac_tensor *tensor = bond->passed;
  const struct tac_enlarged *rows = &tac_part_passed_side(bond)->rows;
  const struct tac_enlarged_sector *from = tac_enlarged_sector(rows, block->charge);
  const struct tac_enlarged_sector *to = tac_enlarged_sector(rows, above->charge);
  const void *u = tac_const_element(kernels, tensor->data.data, block->offset);
  const void *w = tac_const_element(kernels, tensor->data.data, above->offset);
  for (int local = 1; local <= spin; local++)
    kernels->gemm('C', 'N', above->columns, block->columns, from->offset[local + 1] - from->offset[local],
                  tac_const_element(kernels, w, (size_t)to->offset[local - 1]), above->rows,
                  tac_const_element(kernels, u, (size_t)from->offset[local]), block->rows, local > 1, out, above->columns);
  if (spin > 1)
    kernels->scale((size_t)above->columns * (size_t)block->columns, tac_local_raise(spin, 1), out);
}

enum tac_status tac_part_item(void *context, size_t index, struct tac_lane *lane) {
  struct tac_bond *bond = context;
  const struct tac_task *task = &bond->part_tasks.task[index];
  const struct tac_tensor *tensor = bond->passed;
  struct tac_part *part = bond->updated;
  const struct tac_dmrg_block *block = &tensor->block[task->block];
  if (task->kind == TAC_TASK_OPERATORS)
    return update_hamiltonian(bond, block, tac_element(bond->kernels, part->data.data, part->hamiltonian[task->block]), lane);
  const struct tac_dmrg_block *above = tac_tensor_block(tensor, block->charge + 2);
  if (above && above->columns)
    update_raise(bond, block, above, tac_element(bond->kernels, part->data.data, part->raise[task->block]));
  return update_sz(bond, block, tac_element(bond->kernels, part->data.data, part->sz[task->block]), lane);
}

double tac_part_cost(const void *bond, size_t index) {
  return tac_task_cost(&((const struct tac_bond *)bond)->part_tasks, index);
}
