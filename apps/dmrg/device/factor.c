/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/dmrg/device/device.h"

/* Factors of rows and of columns, as the device and as the host has made them. */
enum factor_source { DEVICE_LEFT, DEVICE_RIGHT, HOST_LEFT, HOST_RIGHT };

/* A stretch of kept columns, first … first+count-1 of a block's order, from a factor with that many rows. */
struct stretch {
  const int *order;
  int rows, first, count;
  size_t from;           /* the factor */
  int source;            /* enum factor_source */
  const double *weights; /* by place in the order; NULL where the factor has them, or shall not */
};

/* Columns that follow each other in the factor, too, are copied as one block unless each has its own weight. */
static void add_stretch(struct tac_device_sums *sums, const struct stretch *s, const struct tac_tensor *tensor, int charge) {
  const struct tac_dmrg_block *block = tac_tensor_block(tensor, charge);
  const size_t rows = (size_t)s->rows;
  for (int j = 0, width = 1; block && j < s->count; j += width) {
    const int *order = s->order + s->first + j;
    for (width = 1; !s->weights && j + width < s->count && order[width] == order[0] + width; width++)
      continue;
    if (tac_device_sums_add(sums, s->rows, width, s->rows, 0, block->offset + (size_t)j * rows))
      tac_device_sums_term(sums, s->weights ? s->weights[s->first + j] : 1, s->from + (size_t)order[0] * rows, s->rows, 'N',
                           s->source);
  }
}

/* The columns that a block gives to one of the three tensors. */
static void add_block(struct tac_bond *bond, int number, enum tac_device_kept kept) {
  const struct tac_center_block *block = &bond->block[number];
  const struct tac_split_block *result = &bond->split.block[number];
  const int near = kept != TAC_KEPT_CENTER, of_rows = near == (bond->direction > 0);
  const int charge = of_rows ? block->charge : block->right_charge;
  struct tac_tensor *const tensor[] = {&bond->isometry, &bond->next_center, bond->hints};
  struct stretch s = {.order = (const int *)bond->split.order.data + result->weight,
                      .rows = of_rows ? block->rows : block->columns,
                      .count = result->keep,
                      .from = of_rows ? result->left : result->right,
                      .source = (result->on_device ? DEVICE_LEFT : HOST_LEFT) + !of_rows};
  if (!near && result->on_device)
    s.weights = (const double *)bond->split.weight.data + result->weight;
  if (kept == TAC_KEPT_HINTS) {
    const struct tac_dmrg_block *hints = tac_tensor_block(bond->hints, charge);
    s.first = result->keep;
    s.count = hints ? hints->columns : 0;
  }
  add_stretch(&bond->device->terms, &s, tensor[kept], charge);
}

enum tac_status tac_device_plan_factor(struct tac_bond *bond, struct tac_error *error) {
  struct tac_device_bond *d = bond->device;
  enum tac_status status = tac_factor_layout(bond, error);
  size_t most = 0;
  for (int i = 0; i < bond->blocks; i++)
    most += (size_t)bond->split.block[i].candidates;
  most *= TAC_KEPT_COUNT;
  if (!status)
    status = tac_device_sums_begin(&d->terms, bond->pool, most, most, error);
  for (int kept = 0; kept < TAC_KEPT_COUNT && !status; kept++) {
    d->terms.target = kept;
    for (int i = 0; i < bond->blocks; i++)
      add_block(bond, i, (enum tac_device_kept)kept);
  }
  if (!status)
    status = tac_device_blocks_plan(d->kept, d->queue, d->terms.block, d->terms.blocks, d->terms.term, d->terms.terms, error);
  return status ? status : tac_device_one_task(bond, &bond->factor_tasks, error);
}

enum tac_status tac_device_factor_item(void *context, size_t index, struct tac_lane *lane) {
  const struct tac_bond *bond = context;
  const struct tac_device_bond *d = bond->device;
  const struct tac_device_array to[TAC_DEVICE_BLOCKS_TARGETS] = {
      tac_device_at(&bond->isometry.data, 0), tac_device_at(&bond->next_center.data, 0), tac_device_at(&bond->hints->data, 0)};
  const struct tac_device_array from[TAC_DEVICE_BLOCKS_SOURCES] = {tac_device_at(&d->left, 0), tac_device_at(&d->right, 0),
                                                                   tac_device_at(&bond->split.left, 0),
                                                                   tac_device_at(&bond->split.right, 0)};
  (void)index;
  return tac_device_blocks_run_many(d->kept, lane->queue, to, from, lane->error);
}
