/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/dmrg/device/device.h"

static enum tac_device_scalar scalar_of(enum tac_dmrg_scalar scalar) {
  static const enum tac_device_scalar scalars[] = {[TAC_DMRG_REAL64] = TAC_DEVICE_REAL64,
                                                   [TAC_DMRG_REAL32] = TAC_DEVICE_REAL32,
                                                   [TAC_DMRG_COMPLEX64] = TAC_DEVICE_COMPLEX64,
                                                   [TAC_DMRG_COMPLEX32] = TAC_DEVICE_COMPLEX32};
  return scalars[scalar];
}

static enum tac_status create_plans(struct tac_device_bond *d, struct tac_error *error) {
  struct tac_device_gemm **const products[] = {&d->center, &d->apply, &d->enlarged, &d->grown, &d->edge};
  struct tac_device_blocks **const sums[] = {&d->enlarge, &d->couple, &d->sums, &d->lend, &d->given, &d->kept};
  enum tac_status status = tac_device_vectors_create(&d->vectors, d->device, d->scalar, error);
  if (!status)
    status = tac_device_tables_create(&d->tables, d->device, error);
  for (size_t i = 0; i < sizeof products / sizeof *products && !status; i++) {
    status = tac_device_gemm_create(products[i], d->device, d->scalar, error);
    if (!status)
      tac_device_gemm_share(*products[i], d->tables);
  }
  for (size_t i = 0; i < sizeof sums / sizeof *sums && !status; i++) {
    status = tac_device_blocks_create(sums[i], d->device, d->scalar, error);
    if (!status)
      tac_device_blocks_share(*sums[i], d->tables);
  }
  return status ? status : tac_device_svd_create(&d->svd, d->device, d->scalar, error);
}

static enum tac_status create(struct tac_bond *bond, struct tac_error *error) {
  struct tac_pool *pool = bond->pool;
  const enum tac_device_scalar scalar = scalar_of(bond->state->scalar);
  enum tac_status status = tac_device_scalar_check(tac_queue_device(pool->queue), scalar, error);
  if (status)
    return status;
  struct tac_device_bond *d = pool->allocator.allocate(pool->allocator.context, sizeof *d);
  if (!d)
    return tac_error_set(error, TAC_STATUS_MEMORY, "environments", "no memory for what a device needs");
  *d = (struct tac_device_bond){.device = tac_queue_device(pool->queue), .queue = pool->queue, .scalar = scalar};
  d->costs = tac_device_split_costs(tac_device_info(d->device));
  d->svd_check = tac_device_svd_check;
  d->svd_failed = tac_device_svd_failed;
  bond->device = d;
  return create_plans(d, error);
}

static void destroy_plans(struct tac_device_bond *d) {
  struct tac_device_gemm **const products[] = {&d->center, &d->apply, &d->enlarged, &d->grown, &d->edge};
  struct tac_device_blocks **const sums[] = {&d->enlarge, &d->couple, &d->sums, &d->lend, &d->given, &d->kept};
  for (size_t i = 0; i < sizeof products / sizeof *products; i++)
    tac_device_gemm_destroy(products[i]);
  for (size_t i = 0; i < sizeof sums / sizeof *sums; i++)
    tac_device_blocks_destroy(sums[i]);
  tac_device_tables_destroy(&d->tables);
  tac_device_vectors_destroy(&d->vectors);
  tac_device_svd_destroy(&d->svd);
}

static void destroy(struct tac_bond *bond) {
  struct tac_device_bond *d = bond->device;
  struct tac_pool *pool = bond->pool;
  if (!d)
    return;
  struct tac_buffer *const buffers[] = {&d->products.memory,
                                        &d->terms.block_memory,
                                        &d->terms.term_memory,
                                        &d->product,
                                        &d->edges,
                                        &d->lent,
                                        &d->work,
                                        &d->left,
                                        &d->right,
                                        &d->values,
                                        &d->read_values,
                                        &d->svd_block_memory,
                                        &d->svd_problems};
  tac_queue_finish(d->queue, "environments", NULL);
  destroy_plans(d);
  for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++)
    tac_buffer_release(buffers[i], pool);
  pool->allocator.release(pool->allocator.context, d);
  bond->device = NULL;
}

static enum tac_status dot(const struct tac_bond *bond, struct tac_vector x, struct tac_vector y, double *out,
                           struct tac_error *error) {
  return tac_device_dot(out, bond->device->vectors, bond->device->queue, bond->length, tac_device_of(x), tac_device_of(y),
                        error);
}

static enum tac_status combine(const struct tac_bond *bond, int terms, const double *factor, const struct tac_vector *x,
                               struct tac_vector y, struct tac_error *error) {
  struct tac_device_array *operand = bond->operands;
  for (int j = 0; j < terms; j++)
    operand[j] = tac_device_of(x[j]);
  return tac_device_combine(bond->device->vectors, bond->device->queue, bond->length, terms, factor, operand, tac_device_of(y),
                            error);
}

const struct tac_engine tac_engine_device = {
    .packs_vectors = 1,
    .create = create,
    .destroy = destroy,
    .plan_center = tac_device_plan_center,
    .plan_apply = tac_device_plan_apply,
    .plan_split = tac_device_plan_split,
    .plan_factor = tac_device_plan_factor,
    .plan_part = tac_device_plan_part,
    .center_item = tac_device_center_item,
    .apply_item = tac_device_apply_item,
    .split_item = tac_device_split_item,
    .factor_item = tac_device_factor_item,
    .part_item = tac_device_part_item,
    .end_split = tac_device_end_split,
    .build_center = tac_device_build_center,
    .enlarge_right = tac_device_enlarge_right,
    .start = tac_device_krylov_start,
    .normalize = tac_device_krylov_normalize,
    .project = tac_device_krylov_project,
    .subtract = tac_device_krylov_subtract,
    .fetch = tac_device_krylov_fetch,
    .dot = dot,
    .combine = combine,
};
