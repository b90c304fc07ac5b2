/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/dmrg/bond.h"

/* Columns of an output group: wide enough for full GEMM speed, narrow enough that the largest block is shared between lanes.
 * Fixed, so that the arithmetic does not depend on the lanes. */
enum { GROUP_COLUMNS = 96 };

enum tac_status tac_apply_plan(struct tac_bond *bond, struct tac_error *error) {
  struct tac_tasks *tasks = &bond->apply_tasks;
  size_t count = 0;
  for (int i = 0; i < bond->blocks; i++)
    count += (size_t)(bond->block[i].columns + GROUP_COLUMNS - 1) / GROUP_COLUMNS;
  enum tac_status status = tac_tasks_reserve(tasks, bond->pool, count, error);
  for (int i = 0; i < bond->blocks && !status; i++) {
    const struct tac_center_block *block = &bond->block[i];
    int groups = (block->columns + GROUP_COLUMNS - 1) / GROUP_COLUMNS;
    for (int g = 0; g < groups; g++) {
      int first = (int)((long long)block->columns * g / groups), last = (int)((long long)block->columns * (g + 1) / groups);
      double m = block->rows, n = block->columns, width = last - first;
      tac_tasks_add(tasks,
                    (struct tac_task){.block = i, .column = first, .columns = (int)width, .cost = 2 * m * width * (m + n)});
    }
  }
  if (!status)
    tac_tasks_predict(tasks, bond, TAC_COSTED_APPLICATION);
  return status;
}

/* Adds factor times a sub-block of x to the same shape of y, within the group's columns [begin, end) of the output block. */
static void add_local(const struct tac_bond *bond, const struct tac_center_block *to, const struct tac_center_block *from,
                      int local_row, int local_column, int from_row, int from_column, int begin, int end, double factor) {
  int row = to->left->offset[local_row], rows = to->left->offset[local_row + 1] - row;
  int column = to->right->offset[local_column], last = to->right->offset[local_column + 1];
  int source = from->right->offset[from_column] - column; /* shift from output to input columns */
  column = column > begin ? column : begin;
  last = last < end ? last : end;
  if (rows <= 0 || column >= last)
    return;
  const struct tac_kernels *kernels = bond->kernels;
  size_t input = from->offset + (size_t)(column + source) * (size_t)from->rows + (size_t)from->left->offset[from_row];
  size_t output = to->offset + (size_t)column * (size_t)to->rows + (size_t)row;
  kernels->add_block(rows, last - column, factor, tac_vector_at(bond, bond->x, input), from->rows,
                     tac_vector_at(bond, bond->y, output), to->rows);
}

static const struct tac_center_block *neighbour(const struct tac_bond *bond, int number, int charge) {
  return number >= 0 && number < bond->blocks && bond->block[number].charge == charge ? &bond->block[number] : NULL;
}

int tac_apply_couplings(const struct tac_bond *bond, int number, int left, int right, struct tac_coupling *out) {
  const struct tac_dmrg_hamiltonian *h = bond->hamiltonian;
  const int spin = h->twice_spin;
  const struct tac_center_block *block = &bond->block[number];
  const struct tac_center_block *below = neighbour(bond, number - 1, block->charge - 2);
  const struct tac_center_block *above = neighbour(bond, number + 1, block->charge + 2);
  const double diagonal = h->jz * tac_local_sz(spin, left) * tac_local_sz(spin, right);
  int count = 0;
  if (diagonal != 0)
    out[count++] = (struct tac_coupling){block, left, right, diagonal};
  if (h->jxy == 0)
    return count;
  if (below && left < spin && right > 0) /* S+ on the left site, S- on the right one */
    out[count++] = (struct tac_coupling){below, left + 1, right - 1,
                                         0.5 * h->jxy * tac_local_raise(spin, left + 1) * tac_local_raise(spin, right)};
  if (above && left > 0 && right < spin) /* and the adjoint */
    out[count++] = (struct tac_coupling){above, left - 1, right + 1,
                                         0.5 * h->jxy * tac_local_raise(spin, left) * tac_local_raise(spin, right + 1)};
  return count;
}

/* The coupling of the two sites only permutes and scales sub-blocks. */
static void add_coupling(const struct tac_bond *bond, int number, int begin, int end) {
  const int spin = bond->hamiltonian->twice_spin;
  struct tac_coupling term[TAC_COUPLINGS_MAX];
  for (int left = 0; left <= spin; left++)
    for (int right = 0; right <= spin; right++) {
      const int count = tac_apply_couplings(bond, number, left, right, term);
      for (int i = 0; i < count; i++)
        add_local(bond, &bond->block[number], term[i].from, left, right, term[i].left, term[i].right, begin, end,
                  term[i].factor);
    }
}

enum tac_status tac_apply_item(void *context, size_t index, struct tac_lane *lane) {
  struct tac_bond *bond = context;
  const struct tac_kernels *kernels = bond->kernels;
  const struct tac_task *task = &bond->apply_tasks.task[index];
  const struct tac_center_block *block = &bond->block[task->block];
  (void)lane;
  int m = block->rows, n = block->columns;
  size_t first = (size_t)task->column * (size_t)m;
  void *y = tac_vector_at(bond, bond->y, block->offset + first);
  const void *left = tac_const_element(kernels, bond->side[0].hamiltonian.data, block->left_hamiltonian);
  const void *right =
      tac_const_element(kernels, bond->side[1].hamiltonian.data, block->right_hamiltonian + (size_t)task->column * (size_t)n);
  kernels->gemm('N', 'N', m, task->columns, m, left, m, tac_vector_at(bond, bond->x, block->offset + first), m, 0, y, m);
  kernels->gemm('N', 'N', m, task->columns, n, tac_vector_at(bond, bond->x, block->offset), m, right, n, 1, y, m);
  add_coupling(bond, task->block, task->column, task->column + task->columns);
  return TAC_STATUS_OK;
}

double tac_apply_cost(const void *bond, size_t index) {
  return tac_task_cost(&((const struct tac_bond *)bond)->apply_tasks, index);
}
