/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/dmrg/device/device.h"

/* Both tensors back from the host, if it looked at them; and the products that join them. */
static enum tac_status plan_products(struct tac_bond *bond, struct tac_error *error) {
  struct tac_device_bond *d = bond->device;
  struct tac_device_product product[TAC_LOCAL_MAX];
  enum tac_status status = TAC_STATUS_OK;
  for (int site = bond->site; site <= bond->site + 1 && !status; site++)
    status = tac_buffer_unmap(&bond->state->tensor[site].data, d->queue, error);
  if (!status)
    status = tac_device_products_begin(&d->products, bond->pool, (size_t)bond->blocks * TAC_LOCAL_MAX, error);
  for (int i = 0; i < bond->blocks && !status; i++) {
    const int count = tac_center_products(bond, &bond->block[i], product);
    for (int j = 0; j < count; j++) {
      product[j].c += bond->block[i].offset;
      tac_device_products_add(&d->products, product[j]);
    }
  }
  return status ? status : tac_device_gemm_plan(d->center, d->queue, d->products.item, d->products.count, error);
}

static enum tac_status run_products(const struct tac_bond *bond, struct tac_queue *queue, struct tac_error *error) {
  const struct tac_tensor *left = &bond->state->tensor[bond->site];
  return tac_device_gemm_run(bond->device->center, queue, tac_device_at(&left[0].data, 0), tac_device_at(&left[1].data, 0),
                             tac_device_of(bond->theta), error);
}

/* As tac_part_enlarge: sub-blocks by the local states of rows and columns; what the site does not reach is zero. */
static void add_enlarged(struct tac_device_sums *sums, const struct tac_dmrg_hamiltonian *h, const struct tac_part *part,
                         const struct tac_enlarged_sector *sector, int charge, int side, size_t at) {
  const int spin = h->twice_spin, n = sector->rows;
  for (int column = 0; column <= spin; column++)
    for (int row = 0; row <= spin; row++) {
      const int first = sector->offset[row], rows = sector->offset[row + 1] - first;
      const int first_column = sector->offset[column], columns = sector->offset[column + 1] - first_column;
      const int lower = row < column ? row : column; /* the local state that S- takes to the other one */
      const int number = (charge - tac_local_charge(spin, lower) - part->space.low) / 2;
      if (!tac_device_sums_add(sums, rows, columns, n, 0, at + (size_t)first_column * (size_t)n + (size_t)first))
        continue;
      const double sz = h->jz * tac_local_sz(spin, row), exchange = 0.5 * h->jxy * tac_local_raise(spin, lower + 1);
      if (row == column) {
        tac_device_sums_term(sums, 1, part->hamiltonian[number], rows, 'N', side);
        if (sz != 0)
          tac_device_sums_term(sums, sz, part->sz[number], rows, 'N', side);
      } else if (h->jxy != 0 && row == column + 1) {
        tac_device_sums_term(sums, exchange, part->raise[number], rows, 'N', side);
      } else if (h->jxy != 0 && row + 1 == column) {
        tac_device_sums_term(sums, exchange, part->raise[number], columns, 'C', side);
      }
    }
}

/* Each side is a target and a source of that number. */
static enum tac_status plan_enlarged(struct tac_bond *bond, int first_side, struct tac_error *error) {
  struct tac_device_bond *d = bond->device;
  const size_t most = 2 * (size_t)bond->blocks * TAC_LOCAL_MAX * TAC_LOCAL_MAX;
  enum tac_status status = tac_device_sums_begin(&d->terms, bond->pool, most, 2 * most, error);
  for (int side = first_side; side < 2 && !status; side++) {
    d->terms.target = side;
    for (int i = 0; i < bond->blocks; i++) {
      const struct tac_center_block *block = &bond->block[i];
      add_enlarged(&d->terms, bond->hamiltonian, bond->side[side].part, side ? block->right : block->left,
                   side ? block->right_charge : block->charge, side, side ? block->right_hamiltonian : block->left_hamiltonian);
    }
  }
  return status ? status
                : tac_device_blocks_plan(d->enlarge, d->queue, d->terms.block, d->terms.blocks, d->terms.term, d->terms.terms,
                                         error);
}

static enum tac_status run_enlarged(const struct tac_bond *bond, int first_side, struct tac_queue *queue,
                                    struct tac_error *error) {
  struct tac_device_array to[TAC_DEVICE_BLOCKS_TARGETS] = {{NULL, 0}}, from[TAC_DEVICE_BLOCKS_SOURCES] = {{NULL, 0}};
  for (int side = first_side; side < 2; side++) {
    to[side] = tac_device_at(&bond->side[side].hamiltonian, 0);
    from[side] = tac_device_at(&bond->side[side].part->data, 0);
  }
  return tac_device_blocks_run_many(bond->device->enlarge, queue, to, from, error);
}

enum tac_status tac_device_plan_center(struct tac_bond *bond, struct tac_error *error) {
  enum tac_status status = tac_device_tables_begin(bond->device->tables, error);
  if (!status)
    status = plan_products(bond, error);
  if (!status)
    status = plan_enlarged(bond, 0, error);
  return status ? status : tac_device_one_task(bond, &bond->center_tasks, error);
}

enum tac_status tac_device_center_item(void *context, size_t index, struct tac_lane *lane) {
  const struct tac_bond *bond = context;
  (void)index;
  const enum tac_status status = run_products(bond, lane->queue, lane->error);
  return status ? status : run_enlarged(bond, 0, lane->queue, lane->error);
}

enum tac_status tac_device_build_center(struct tac_bond *bond, struct tac_error *error) {
  enum tac_status status = plan_products(bond, error);
  return status ? status : run_products(bond, bond->device->queue, error);
}

enum tac_status tac_device_enlarge_right(struct tac_bond *bond, struct tac_error *error) {
  enum tac_status status = tac_device_tables_begin(bond->device->tables, error);
  if (!status)
    status = plan_enlarged(bond, 1, error);
  return status ? status : run_enlarged(bond, 1, bond->device->queue, error);
}
