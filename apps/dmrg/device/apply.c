/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/dmrg/device/device.h"

/* H x of each block, which x H continues. */
static enum tac_status plan_products(struct tac_bond *bond, struct tac_error *error) {
  struct tac_device_bond *d = bond->device;
  enum tac_status status = tac_device_products_begin(&d->products, bond->pool, 2 * (size_t)bond->blocks, error);
  for (int i = 0; i < bond->blocks && !status; i++) {
    const struct tac_center_block *block = &bond->block[i];
    const int m = block->rows, n = block->columns;
    struct tac_device_product product = {
        .m = m, .n = n, .k = m, .op_a = 'N', .op_b = 'N', .lda = m, .ldb = m, .ldc = m, .c = block->offset};
    product.a = block->left_hamiltonian;
    product.b = block->offset;
    tac_device_products_add(&d->products, product);
    product.k = product.ldb = n;
    product.a = block->offset;
    product.b = block->right_hamiltonian;
    product.continues = 1;
    tac_device_products_add(&d->products, product);
  }
  return status ? status : tac_device_gemm_plan(d->apply, d->queue, d->products.item, d->products.count, error);
}

static void add_couplings(const struct tac_bond *bond, int number, int left, int right, struct tac_device_sums *sums) {
  const struct tac_center_block *block = &bond->block[number];
  const int row = block->left->offset[left], rows = block->left->offset[left + 1] - row;
  const int column = block->right->offset[right], columns = block->right->offset[right + 1] - column;
  struct tac_coupling term[TAC_COUPLINGS_MAX];
  const int count = tac_apply_couplings(bond, number, left, right, term);
  const size_t to = block->offset + (size_t)column * (size_t)block->rows + (size_t)row;
  if (!count || !tac_device_sums_add(sums, rows, columns, block->rows, 1, to))
    return;
  for (int i = 0; i < count; i++) {
    const struct tac_center_block *from = term[i].from;
    const size_t first_row = (size_t)from->left->offset[term[i].left], first = (size_t)from->right->offset[term[i].right];
    tac_device_sums_term(sums, term[i].factor, from->offset + first * (size_t)from->rows + first_row, from->rows, 'N', 0);
  }
}

static enum tac_status plan_couplings(struct tac_bond *bond, struct tac_error *error) {
  struct tac_device_bond *d = bond->device;
  const int spin = bond->hamiltonian->twice_spin;
  const size_t most = (size_t)bond->blocks * TAC_LOCAL_MAX * TAC_LOCAL_MAX;
  enum tac_status status = tac_device_sums_begin(&d->terms, bond->pool, most, TAC_COUPLINGS_MAX * most, error);
  for (int i = 0; i < bond->blocks && !status; i++)
    for (int left = 0; left <= spin; left++)
      for (int right = 0; right <= spin; right++)
        add_couplings(bond, i, left, right, &d->terms);
  return status ? status
                : tac_device_blocks_plan(d->couple, d->queue, d->terms.block, d->terms.blocks, d->terms.term, d->terms.terms,
                                         error);
}

enum tac_status tac_device_plan_apply(struct tac_bond *bond, struct tac_error *error) {
  enum tac_status status = plan_couplings(bond, error);
  if (!status)
    status = plan_products(bond, error);
  return status ? status : tac_device_one_task(bond, &bond->apply_tasks, error);
}

enum tac_status tac_device_apply_item(void *context, size_t index, struct tac_lane *lane) {
  const struct tac_bond *bond = context;
  const struct tac_device_bond *d = bond->device;
  const struct tac_device_array x = tac_device_of(bond->x), y = tac_device_of(bond->y);
  (void)index;
  const struct tac_device_array left[2] = {tac_device_at(&bond->side[0].hamiltonian, 0), x};
  const struct tac_device_array right[2] = {x, tac_device_at(&bond->side[1].hamiltonian, 0)};
  const enum tac_status status = tac_device_gemm_run_continued(d->apply, lane->queue, left, right, y, lane->error);
  return status ? status : tac_device_blocks_run(d->couple, lane->queue, y, x, x, lane->error);
}
