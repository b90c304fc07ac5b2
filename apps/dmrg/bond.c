/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/dmrg/bond.h"

#include <string.h>

#include "apps/dmrg/engine.h"

enum tac_status tac_tasks_reserve(struct tac_tasks *tasks, struct tac_pool *pool, size_t count, struct tac_error *error) {
  enum tac_status status = tac_buffer_reserve(&tasks->memory, pool, count * sizeof *tasks->task, error);
  tasks->task = tasks->memory.data;
  tasks->count = 0;
  tasks->inline_below = TAC_BOND_INLINE_BELOW;
  return status;
}

void tac_tasks_add(struct tac_tasks *tasks, struct tac_task task) {
  tasks->task[tasks->count++] = task;
}

/* Elements from a block of a vector to the next one. */
static size_t block_room(const struct tac_bond *bond, size_t elements) {
  return bond->engine->packs_vectors ? elements : tac_padded(bond->kernels, elements);
}

/* Blocks are the charges that have rows and columns, in rising order of the left charge. */
static enum tac_status layout_blocks(struct tac_bond *bond, struct tac_error *error) {
  const struct tac_enlarged *left = &bond->side[0].rows, *right = &bond->side[1].rows;
  const struct tac_kernels *kernels = bond->kernels;
  enum tac_status status =
      tac_buffer_reserve(&bond->block_memory, bond->pool, (size_t)left->count * sizeof *bond->block, error);
  if (status)
    return status;
  size_t left_elements = 0, right_elements = 0;
  bond->block = bond->block_memory.data;
  bond->blocks = 0;
  bond->elements = bond->length = 0;
  for (int i = 0; i < left->count; i++) {
    int charge = left->low + 2 * i, right_charge = bond->state->twice_sz - charge;
    const struct tac_enlarged_sector *columns = tac_enlarged_sector(right, right_charge);
    if (!left->sector[i].rows || !columns || !columns->rows)
      continue;
    struct tac_center_block *block = &bond->block[bond->blocks++];
    size_t m = (size_t)left->sector[i].rows, n = (size_t)columns->rows;
    *block = (struct tac_center_block){.charge = charge,
                                       .right_charge = right_charge,
                                       .rows = (int)m,
                                       .columns = (int)n,
                                       .offset = bond->length,
                                       .left_hamiltonian = left_elements,
                                       .right_hamiltonian = right_elements,
                                       .left = &left->sector[i],
                                       .right = columns};
    bond->elements += m * n;
    bond->length += block_room(bond, m * n);
    left_elements += tac_padded(kernels, m * m);
    right_elements += tac_padded(kernels, n * n);
  }
  status = tac_buffer_reserve_numbers(&bond->side[0].hamiltonian, bond->pool, left_elements * kernels->size, error);
  if (!status)
    status = tac_buffer_reserve_numbers(&bond->side[1].hamiltonian, bond->pool, right_elements * kernels->size, error);
  return status;
}

void tac_bond_zero_padding(const struct tac_bond *bond, struct tac_vector vector) {
  for (int i = 0; i < bond->blocks; i++) {
    const struct tac_center_block *block = &bond->block[i];
    size_t size = (size_t)block->rows * (size_t)block->columns, gap = block_room(bond, size) - size;
    if (gap)
      memset(tac_vector_at(bond, vector, block->offset + size), 0, gap * bond->kernels->size);
  }
}

enum tac_status tac_bond_layout(struct tac_bond *bond, int site, int direction, const struct tac_part *left,
                                const struct tac_part *right, struct tac_error *error) {
  const int twice_spin = bond->state->twice_spin;
  bond->site = site;
  bond->direction = direction;
  bond->side[0].part = left;
  bond->side[1].part = right;
  enum tac_status status = TAC_STATUS_OK;
  for (int side = 0; side < 2 && !status; side++)
    status = tac_enlarged_make(&bond->side[side].rows, bond->pool, &bond->side[side].part->space, twice_spin, error);
  if (!status)
    status = layout_blocks(bond, error);
  if (status)
    return status;
  status = tac_buffer_reserve_numbers(&bond->theta_memory, bond->pool, bond->length * bond->kernels->size, error);
  bond->theta = (struct tac_vector){&bond->theta_memory, 0};
  if (!status)
    tac_bond_zero_padding(bond, bond->theta);
  return status;
}

enum tac_status tac_bond_layout_part(struct tac_bond *bond, int site, const struct tac_part *right, struct tac_error *error) {
  const struct tac_tensor *tensor = &bond->state->tensor[site];
  const struct tac_kernels *kernels = bond->kernels;
  struct tac_bond_side *side = &bond->side[1];
  bond->site = site - 1;
  bond->direction = -1;
  side->part = right;
  enum tac_status status = tac_enlarged_make(&side->rows, bond->pool, &right->space, bond->state->twice_spin, error);
  if (!status)
    status = tac_buffer_reserve(&bond->block_memory, bond->pool, tensor->count * sizeof *bond->block, error);
  if (status)
    return status;
  bond->block = bond->block_memory.data;
  bond->blocks = 0;
  size_t elements = 0;
  for (size_t i = 0; i < tensor->count; i++) {
    size_t n = (size_t)tensor->block[i].rows;
    bond->block[bond->blocks++] = (struct tac_center_block){.right_charge = tensor->block[i].charge,
                                                            .right = tac_enlarged_sector(&side->rows, tensor->block[i].charge),
                                                            .right_hamiltonian = elements};
    elements += tac_padded(kernels, n * n);
  }
  return tac_buffer_reserve_numbers(&side->hamiltonian, bond->pool, elements * kernels->size, error);
}

static void release_tasks(struct tac_tasks *tasks, struct tac_pool *pool) {
  tac_buffer_release(&tasks->memory, pool);
}

void tac_bond_release(struct tac_bond *bond) {
  struct tac_pool *pool = bond->pool;
  struct tac_tasks *tasks[] = {&bond->center_tasks, &bond->apply_tasks, &bond->split_tasks, &bond->factor_tasks,
                               &bond->part_tasks};
  struct tac_split *split = &bond->split;
  struct tac_buffer *buffers[] = {&bond->side[0].rows.memory,
                                  &bond->side[1].rows.memory,
                                  &bond->side[0].hamiltonian,
                                  &bond->side[1].hamiltonian,
                                  &bond->block_memory,
                                  &bond->theta_memory,
                                  &bond->krylov_memory,
                                  &bond->ritz_memory,
                                  &split->blocks,
                                  &split->weight,
                                  &split->order,
                                  &split->left,
                                  &split->right,
                                  &bond->kept.memory,
                                  &bond->mirrored.memory,
                                  &bond->offered.memory};
  for (size_t i = 0; i < sizeof tasks / sizeof *tasks; i++)
    release_tasks(tasks[i], pool);
  for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++)
    tac_buffer_release(buffers[i], pool);
  tac_tensor_release(&bond->isometry, pool);
  tac_tensor_release(&bond->next_center, pool);
}
