/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/dmrg/space.h"

#include <string.h>

#include "apps/dmrg/kernels.h"

enum tac_status tac_space_resize(struct tac_space *space, struct tac_pool *pool, int low, int count, struct tac_error *error) {
  enum tac_status status = tac_buffer_reserve(&space->memory, pool, (size_t)count * sizeof *space->dimension, error);
  if (status)
    return status;
  space->low = low;
  space->count = count;
  space->dimension = space->memory.data;
  memset(space->dimension, 0, (size_t)count * sizeof *space->dimension);
  return TAC_STATUS_OK;
}

void tac_space_trim(struct tac_space *space) {
  while (space->count > 0 && space->dimension[space->count - 1] == 0)
    space->count--;
  int leading = 0;
  while (leading < space->count && space->dimension[leading] == 0)
    leading++;
  space->low += 2 * leading;
  space->count -= leading;
  memmove(space->dimension, space->dimension + leading, (size_t)space->count * sizeof *space->dimension);
}

enum tac_status tac_enlarged_make(struct tac_enlarged *enlarged, struct tac_pool *pool, const struct tac_space *space,
                                  int twice_spin, struct tac_error *error) {
  int count = space->count + twice_spin;
  enum tac_status status = tac_buffer_reserve(&enlarged->memory, pool, (size_t)count * sizeof *enlarged->sector, error);
  if (status)
    return status;
  enlarged->low = space->low - twice_spin;
  enlarged->count = count;
  enlarged->sector = enlarged->memory.data;
  for (int i = 0; i < count; i++) {
    struct tac_enlarged_sector *sector = &enlarged->sector[i];
    int rows = 0, charge = enlarged->low + 2 * i;
    for (int local = 0; local <= twice_spin; local++) {
      sector->offset[local] = rows;
      rows += tac_space_dimension(space, charge - tac_local_charge(twice_spin, local));
    }
    for (int local = twice_spin + 1; local <= TAC_LOCAL_MAX; local++)
      sector->offset[local] = rows;
    sector->rows = rows;
  }
  return TAC_STATUS_OK;
}

enum tac_status tac_tensor_layout(struct tac_tensor *tensor, struct tac_pool *pool, const struct tac_kernels *kernels,
                                  enum tac_dmrg_form form, const struct tac_space *columns, const struct tac_enlarged *rows,
                                  struct tac_error *error) {
  size_t count = (size_t)columns->count, elements = 0;
  enum tac_status status = tac_buffer_reserve(&tensor->blocks, pool, count * sizeof *tensor->block, error);
  if (status)
    return status;
  tensor->form = form;
  tensor->block = tensor->blocks.data;
  tensor->count = count;
  for (size_t i = 0; i < count; i++) {
    struct tac_dmrg_block *block = &tensor->block[i];
    block->charge = columns->low + 2 * (int)i;
    const struct tac_enlarged_sector *sector = tac_enlarged_sector(rows, block->charge);
    block->rows = sector ? sector->rows : 0;
    block->columns = columns->dimension[i];
    block->offset = elements;
    elements += tac_padded(kernels, (size_t)block->rows * (size_t)block->columns);
  }
  status = tac_buffer_reserve_numbers(&tensor->data, pool, elements * kernels->size, error);
  return status ? status : tac_buffer_reserve_home(&tensor->data, pool, error);
}

size_t tac_tensor_bytes(const struct tac_tensor *tensor, const struct tac_kernels *kernels) {
  if (!tensor->count)
    return 0;
  const struct tac_dmrg_block *last = &tensor->block[tensor->count - 1];
  return (last->offset + (size_t)last->rows * (size_t)last->columns) * kernels->size;
}

void tac_tensor_release(struct tac_tensor *tensor, struct tac_pool *pool) {
  tac_buffer_release(&tensor->blocks, pool);
  tac_buffer_release(&tensor->data, pool);
  tensor->block = NULL;
  tensor->count = 0;
}

enum tac_status tac_tensor_columns(const struct tac_tensor *tensor, struct tac_space *out, struct tac_pool *pool,
                                   struct tac_error *error) {
  enum tac_status status = tac_space_resize(out, pool, tensor->count ? tensor->block[0].charge : 0, (int)tensor->count, error);
  if (status)
    return status;
  for (size_t i = 0; i < tensor->count; i++)
    out->dimension[i] = tensor->block[i].columns;
  return TAC_STATUS_OK;
}
