/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/dmrg/device/device.h"

enum tac_status tac_device_products_begin(struct tac_device_products *products, struct tac_pool *pool, size_t most,
                                          struct tac_error *error) {
  enum tac_status status = tac_buffer_reserve(&products->memory, pool, most * sizeof *products->item, error);
  products->item = products->memory.data;
  products->count = 0;
  return status;
}

void tac_device_products_add(struct tac_device_products *products, struct tac_device_product product) {
  if (product.m > 0 && product.n > 0)
    products->item[products->count++] = product;
}

enum tac_status tac_device_sums_begin(struct tac_device_sums *sums, struct tac_pool *pool, size_t most_blocks,
                                      size_t most_terms, struct tac_error *error) {
  enum tac_status status = tac_buffer_reserve(&sums->block_memory, pool, most_blocks * sizeof *sums->block, error);
  if (!status)
    status = tac_buffer_reserve(&sums->term_memory, pool, most_terms * sizeof *sums->term, error);
  sums->block = sums->block_memory.data;
  sums->term = sums->term_memory.data;
  sums->blocks = sums->terms = 0;
  sums->target = 0;
  return status;
}

int tac_device_sums_add(struct tac_device_sums *sums, int m, int n, int ld, int accumulate, size_t to) {
  if (m <= 0 || n <= 0)
    return 0;
  sums->block[sums->blocks++] = (struct tac_device_block){.m = m,
                                                          .n = n,
                                                          .ld = ld,
                                                          .accumulate = accumulate,
                                                          .to = to,
                                                          .first_term = (unsigned)sums->terms,
                                                          .target = sums->target};
  return 1;
}

void tac_device_sums_term(struct tac_device_sums *sums, double factor, size_t from, int ld, char op, int source) {
  sums->term[sums->terms++] =
      (struct tac_device_term){.factor = factor, .from = from, .ld = ld, .op = op, .source = (char)source};
  sums->block[sums->blocks - 1].terms++;
}

enum tac_status tac_device_one_task(struct tac_bond *bond, struct tac_tasks *tasks, struct tac_error *error) {
  enum tac_status status = tac_tasks_reserve(tasks, bond->pool, 1, error);
  if (!status)
    tac_tasks_add(tasks, (struct tac_task){.kind = TAC_TASK_DEVICE, .cost = 1});
  return status;
}
