/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/dmrg/device/device.h"

/* H = U^H (enlarged H) U over all blocks: first H U into a buffer of its own, then U^H times that. */
static enum tac_status plan_hamiltonian(struct tac_bond *bond, struct tac_error *error) {
  struct tac_device_bond *d = bond->device;
  const struct tac_tensor *tensor = bond->passed;
  for (int second = 0; second < 2; second++) {
    enum tac_status status = tac_device_products_begin(&d->products, bond->pool, tensor->count, error);
    if (status)
      return status;
    for (size_t i = 0; i < tensor->count; i++) {
      const struct tac_dmrg_block *block = &tensor->block[i];
      if (block->columns == 0)
        continue;
      const struct tac_center_block *center = tac_part_center_block(bond, block->charge);
      const int n = block->rows, k = block->columns;
      struct tac_device_product product = {.m = n, .n = k, .k = n, .op_a = 'N', .op_b = 'N', .lda = n, .ldb = n, .ldc = n};
      product.a = bond->direction < 0 ? center->right_hamiltonian : center->left_hamiltonian;
      product.b = product.c = block->offset;
      if (second)
        product = (struct tac_device_product){.m = k,
                                              .n = k,
                                              .k = n,
                                              .op_a = 'C',
                                              .op_b = 'N',
                                              .lda = n,
                                              .ldb = n,
                                              .ldc = k,
                                              .a = block->offset,
                                              .b = block->offset,
                                              .c = bond->updated->hamiltonian[i]};
      tac_device_products_add(&d->products, product);
    }
    status = tac_device_gemm_plan(second ? d->grown : d->enlarged, d->queue, d->products.item, d->products.count, error);
    if (status)
      return status;
  }
  return tac_buffer_reserve_numbers(&d->product, bond->pool, tac_tensor_bytes(tensor, bond->kernels), error);
}

/* One product of local states of U, to the end of the buffer of edges: W_to^H U_from. */
static size_t add_edge(struct tac_bond *bond, const struct tac_dmrg_block *to, int to_local, const struct tac_dmrg_block *from,
                       int from_local, size_t *end) {
  const struct tac_enlarged *rows = &tac_part_passed_side(bond)->rows;
  const struct tac_enlarged_sector *above = tac_enlarged_sector(rows, to->charge);
  const struct tac_enlarged_sector *below = tac_enlarged_sector(rows, from->charge);
  const size_t at = *end;
  tac_device_products_add(&bond->device->products,
                          (struct tac_device_product){.m = to->columns,
                                                      .n = from->columns,
                                                      .k = below->offset[from_local + 1] - below->offset[from_local],
                                                      .op_a = 'C',
                                                      .op_b = 'N',
                                                      .lda = to->rows,
                                                      .ldb = from->rows,
                                                      .ldc = to->columns,
                                                      .a = to->offset + (size_t)above->offset[to_local],
                                                      .b = from->offset + (size_t)below->offset[from_local],
                                                      .c = at});
  *end += (size_t)to->columns * (size_t)from->columns;
  return at;
}

/* Sz of the site is the sum over local states of m U_m^H U_m, S+ that of <m+1|S+|m> U_{m+1}(c+2)^H U_m(c). */
static void add_edge_operators(struct tac_bond *bond, size_t number, size_t *end) {
  struct tac_device_sums *sums = &bond->device->terms;
  const struct tac_dmrg_block *block = &bond->passed->block[number];
  const struct tac_dmrg_block *above = tac_tensor_block(bond->passed, block->charge + 2);
  const int spin = bond->state->twice_spin, k = block->columns;
  if (!tac_device_sums_add(sums, k, k, k, 0, bond->updated->sz[number]))
    return;
  for (int local = 0; local <= spin; local++)
    if (tac_local_sz(spin, local) != 0)
      tac_device_sums_term(sums, tac_local_sz(spin, local), add_edge(bond, block, local, block, local, end), k, 'N', 0);
  if (!above || !tac_device_sums_add(sums, above->columns, k, above->columns, 0, bond->updated->raise[number]))
    return;
  for (int local = 1; local <= spin; local++)
    tac_device_sums_term(sums, tac_local_raise(spin, local), add_edge(bond, above, local - 1, block, local, end),
                         above->columns, 'N', 0);
}

static enum tac_status plan_edges(struct tac_bond *bond, struct tac_error *error) {
  struct tac_device_bond *d = bond->device;
  const size_t count = bond->passed->count, most = count * 2 * TAC_LOCAL_MAX;
  size_t elements = 0;
  enum tac_status status = tac_device_products_begin(&d->products, bond->pool, most, error);
  if (!status)
    status = tac_device_sums_begin(&d->terms, bond->pool, 2 * count, most, error);
  for (size_t i = 0; i < count && !status; i++)
    add_edge_operators(bond, i, &elements);
  if (!status)
    status = tac_buffer_reserve_numbers(&d->edges, bond->pool, elements * bond->kernels->size, error);
  if (!status)
    status = tac_device_gemm_plan(d->edge, d->queue, d->products.item, d->products.count, error);
  return status
             ? status
             : tac_device_blocks_plan(d->sums, d->queue, d->terms.block, d->terms.blocks, d->terms.term, d->terms.terms, error);
}

enum tac_status tac_device_plan_part(struct tac_bond *bond, struct tac_tensor *tensor, struct tac_part *updated,
                                     struct tac_error *error) {
  enum tac_status status = tac_part_layout(bond, tensor, updated, error);
  if (!status)
    status = tac_buffer_unmap(&tensor->data, bond->device->queue, error);
  if (!status)
    status = plan_hamiltonian(bond, error);
  if (!status)
    status = plan_edges(bond, error);
  return status ? status : tac_device_one_task(bond, &bond->part_tasks, error);
}

enum tac_status tac_device_part_item(void *context, size_t index, struct tac_lane *lane) {
  const struct tac_bond *bond = context;
  const struct tac_device_bond *d = bond->device;
  const struct tac_device_array u = tac_device_at(&bond->passed->data, 0), product = tac_device_at(&d->product, 0);
  const struct tac_device_array edges = tac_device_at(&d->edges, 0), part = tac_device_at(&bond->updated->data, 0);
  const struct tac_device_array enlarged = tac_device_at(&tac_part_passed_side(bond)->hamiltonian, 0);
  (void)index;
  enum tac_status status = tac_device_gemm_run(d->enlarged, lane->queue, enlarged, u, product, lane->error);
  if (!status)
    status = tac_device_gemm_run(d->grown, lane->queue, u, product, part, lane->error);
  if (!status)
    status = tac_device_gemm_run(d->edge, lane->queue, u, u, edges, lane->error);
  return status ? status : tac_device_blocks_run(d->sums, lane->queue, part, edges, edges, lane->error);
}
