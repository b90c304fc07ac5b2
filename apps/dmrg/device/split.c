/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/dmrg/device/device.h"

#include <math.h>

/* On the host per m n min(m,n): LAPACK's GESDD at sizes of some hundreds, the eigenvectors of a Gram matrix with the product
 * that weighs them, and a warm decomposition's four products, each on one processor. On a device an SVD is bound by its steps
 * along columns, each some launches long, until blocks are large. The device's two are estimates. */
struct tac_split_costs tac_device_split_costs(const struct tac_device_info *info) {
  return (struct tac_split_costs){.host = {[TAC_SPLIT_FULL] = 5e-10, [TAC_SPLIT_GRAM] = 3e-10, [TAC_SPLIT_WARM] = 2e-10},
                                  .column = info->kind == TAC_DEVICE_CPU ? INFINITY : 3e-5,
                                  .element = 2e-11};
}

/* The choice depends on the block alone, so that the arithmetic is the same for every number of lanes. */
static int belongs_on_device(const struct tac_bond *bond, const struct tac_center_block *block, enum tac_split_method method,
                             enum tac_dmrg_split_place place) {
  if (place != TAC_DMRG_SPLIT_AUTO)
    return place == TAC_DMRG_SPLIT_DEVICE;
  const struct tac_split_costs *costs = &bond->device->costs;
  const double rank = block->rows < block->columns ? block->rows : block->columns;
  const double size = tac_split_block_cost(block) * (bond->kernels->is_complex ? 4 : 1);
  return costs->column * rank + costs->element * size < costs->host[method] * size;
}

/* Elements of a group of blocks: theta, and the factors of its rows and columns. */
struct extent {
  size_t theta, left, right;
};

static void place_block(const struct tac_bond *bond, int number, struct extent *extent) {
  const struct tac_center_block *block = &bond->block[number];
  struct tac_split_block *result = &bond->split.block[number];
  const size_t m = (size_t)block->rows, n = (size_t)block->columns, r = (size_t)result->candidates;
  result->theta = extent->theta;
  result->left = extent->left;
  result->right = extent->right;
  extent->theta += tac_padded(bond->kernels, m * n);
  extent->left += tac_padded(bond->kernels, r * m);
  extent->right += tac_padded(bond->kernels, r * n);
}

/* Deals the blocks to host and device. What the device does is one item, which goes first; each of the host's blocks is one. */
static enum tac_status deal(struct tac_bond *bond, enum tac_dmrg_split_place place, struct extent extent[2],
                            struct tac_error *error) {
  struct tac_device_bond *d = bond->device;
  struct tac_split *split = &bond->split;
  double all = 0;
  enum tac_status status = tac_tasks_reserve(&bond->split_tasks, bond->pool, (size_t)bond->blocks + 1, error);
  if (!status)
    status = tac_buffer_reserve(&d->svd_block_memory, bond->pool, (size_t)bond->blocks * sizeof *d->svd_block, error);
  if (status)
    return status;
  d->svd_block = d->svd_block_memory.data;
  d->svd_count = d->svd_values = 0;
  for (int i = 0; i < bond->blocks; i++) {
    struct tac_split_block *result = &split->block[i];
    const double cost = tac_split_block_cost(&bond->block[i]);
    result->on_device = belongs_on_device(bond, &bond->block[i], split->method, place);
    place_block(bond, i, &extent[result->on_device]);
    all += cost;
    if (result->on_device) {
      d->svd_block[d->svd_count++] = i;
      d->svd_values += (size_t)result->candidates;
    } else {
      tac_tasks_add(&bond->split_tasks, (struct tac_task){.kind = TAC_TASK_BLOCK, .block = i, .cost = cost});
    }
  }
  if (d->svd_count)
    tac_tasks_add(&bond->split_tasks, (struct tac_task){.kind = TAC_TASK_DEVICE, .cost = all});
  if (d->svd_count == (size_t)bond->blocks)
    split->method = TAC_SPLIT_FULL;
  return TAC_STATUS_OK;
}

/* Copies the blocks of one group out of theta. */
static enum tac_status gather(struct tac_bond *bond, int on_device, struct tac_device_blocks *plan, struct tac_buffer *to,
                              struct tac_error *error) {
  struct tac_device_bond *d = bond->device;
  const size_t most = (size_t)bond->blocks;
  enum tac_status status = tac_device_sums_begin(&d->terms, bond->pool, most, most, error);
  for (int i = 0; i < bond->blocks && !status; i++) {
    const struct tac_center_block *block = &bond->block[i];
    const struct tac_split_block *result = &bond->split.block[i];
    if (result->on_device == on_device &&
        tac_device_sums_add(&d->terms, block->rows, block->columns, block->rows, 0, result->theta))
      tac_device_sums_term(&d->terms, 1, block->offset, block->rows, 'N', 0);
  }
  if (!status)
    status = tac_device_blocks_plan(plan, d->queue, d->terms.block, d->terms.blocks, d->terms.term, d->terms.terms, error);
  const struct tac_device_array theta = tac_device_of(bond->theta);
  return status ? status : tac_device_blocks_run(plan, d->queue, tac_device_at(to, 0), theta, theta, error);
}

static enum tac_status plan_device(struct tac_bond *bond, struct extent extent, struct tac_error *error) {
  struct tac_device_bond *d = bond->device;
  const size_t size = bond->kernels->size;
  if (!d->svd_count)
    return TAC_STATUS_OK;
  enum tac_status status = tac_buffer_reserve_numbers(&d->work, bond->pool, extent.theta * size, error);
  if (!status)
    status = tac_buffer_reserve_numbers(&d->left, bond->pool, extent.left * size, error);
  if (!status)
    status = tac_buffer_reserve_numbers(&d->right, bond->pool, extent.right * size, error);
  if (!status)
    status = tac_buffer_reserve_numbers(&d->values, bond->pool, d->svd_values * sizeof(double), error);
  if (!status)
    status = tac_buffer_reserve(&d->read_values, bond->pool, d->svd_values * sizeof(double), error);
  if (!status)
    status = tac_buffer_reserve(&d->svd_problems, bond->pool, d->svd_count * sizeof(struct tac_device_svd_problem), error);
  if (!status)
    status = gather(bond, 1, d->given, &d->work, error);
  if (status)
    return status;
  struct tac_device_svd_problem *problem = d->svd_problems.data;
  size_t values = 0;
  for (size_t i = 0; i < d->svd_count; i++) {
    const struct tac_center_block *block = &bond->block[d->svd_block[i]];
    const struct tac_split_block *result = &bond->split.block[d->svd_block[i]];
    problem[i] = (struct tac_device_svd_problem){.m = block->rows,
                                                 .n = block->columns,
                                                 .lda = block->rows,
                                                 .ldu = block->rows,
                                                 .ldv = block->columns,
                                                 .a = result->theta,
                                                 .u = result->left,
                                                 .v = result->right,
                                                 .s = values};
    values += (size_t)result->candidates;
  }
  return tac_device_svd_plan(d->svd, d->queue, problem, d->svd_count, error);
}

static struct tac_tensor *opposite_tensor(const struct tac_bond *bond) {
  return &bond->state->tensor[bond->direction > 0 ? bond->site + 1 : bond->site];
}

/* What a warm decomposition looks at besides. */
static enum tac_status map_warm(struct tac_bond *bond, struct tac_error *error) {
  struct tac_queue *queue = bond->device->queue;
  struct tac_tensor *const tensors[] = {opposite_tensor(bond), bond->hints};
  enum tac_status status = TAC_STATUS_OK;
  for (size_t i = 0; i < sizeof tensors / sizeof *tensors && !status; i++)
    status = tac_buffer_map_begin(&tensors[i]->data, queue, tac_tensor_bytes(tensors[i], bond->kernels), TAC_MAP_READ, error);
  return status;
}

/* What the host's items look at and write, in memory that they reach. The last mapping waits, for all of them and until the
 * blocks have been gathered. */
static enum tac_status plan_host(struct tac_bond *bond, struct extent extent, struct tac_error *error) {
  struct tac_device_bond *d = bond->device;
  struct tac_split *split = &bond->split;
  const size_t size = bond->kernels->size;
  split->theta = (struct tac_vector){&d->lent, 0};
  if (d->svd_count == (size_t)bond->blocks)
    return TAC_STATUS_OK;
  enum tac_status status = tac_buffer_reserve_numbers(&d->lent, bond->pool, extent.theta * size, error);
  if (!status)
    status = tac_buffer_reserve_numbers(&split->left, bond->pool, extent.left * size, error);
  if (!status)
    status = tac_buffer_reserve_numbers(&split->right, bond->pool, extent.right * size, error);
  if (!status)
    status = gather(bond, 0, d->lend, &d->lent, error);
  if (!status)
    status = tac_buffer_map_begin(&split->left, d->queue, extent.left * size, TAC_MAP_WRITE, error);
  if (!status)
    status = tac_buffer_map_begin(&split->right, d->queue, extent.right * size, TAC_MAP_WRITE, error);
  if (!status && split->method == TAC_SPLIT_WARM)
    status = map_warm(bond, error);
  return status ? status : tac_buffer_map(&d->lent, d->queue, extent.theta * size, TAC_MAP_READ, error);
}

/* Everything that a split maps back to the device, also what one that failed has left. */
static enum tac_status take_back(struct tac_bond *bond, struct tac_error *error) {
  struct tac_buffer *const mapped[] = {&bond->device->lent, &bond->split.left, &bond->split.right, &opposite_tensor(bond)->data,
                                       &bond->hints->data};
  enum tac_status status = TAC_STATUS_OK;
  for (size_t i = 0; i < sizeof mapped / sizeof *mapped && !status; i++)
    status = tac_buffer_unmap(mapped[i], bond->device->queue, error);
  return status;
}

enum tac_status tac_device_plan_split(struct tac_bond *bond, enum tac_split_method method, enum tac_dmrg_split_place place,
                                      struct tac_error *error) {
  struct extent extent[2] = {{0}};
  enum tac_status status = take_back(bond, error);
  if (!status)
    status = tac_split_begin(bond, method, error);
  if (!status)
    status = deal(bond, place, extent, error);
  if (!status)
    status = plan_device(bond, extent[1], error);
  return status ? status : plan_host(bond, extent[0], error);
}

enum tac_status tac_device_split_item(void *context, size_t index, struct tac_lane *lane) {
  struct tac_bond *bond = context;
  const struct tac_device_bond *d = bond->device;
  if (bond->split_tasks.task[index].kind == TAC_TASK_BLOCK)
    return tac_split_item(bond, index, lane);
  return tac_device_svd_run(d->svd, lane->queue, tac_device_at(&d->work, 0), tac_device_at(&d->left, 0),
                            tac_device_at(&d->values, 0), tac_device_at(&d->right, 0), lane->error);
}

/* A block of theta that the device could not decompose, by the host's LAPACK; its factors go where the device's would be. */
static enum tac_status decompose_again(void *context, size_t index, struct tac_lane *lane) {
  struct tac_bond *bond = context;
  const struct tac_device_bond *d = bond->device;
  const struct tac_kernels *kernels = bond->kernels;
  const size_t number = (size_t)d->svd_block[index];
  const struct tac_center_block *block = &bond->block[number];
  struct tac_split_block *result = &bond->split.block[number];
  const size_t m = (size_t)block->rows, n = (size_t)block->columns, r = (size_t)result->candidates;
  if (!result->fallback)
    return TAC_STATUS_OK;
  void *u = tac_arena_take(lane->arena, m * r * kernels->size), *vt = tac_arena_take(lane->arena, n * r * kernels->size);
  void *v = tac_arena_take(lane->arena, n * r * kernels->size);
  double *s = (double *)bond->split.weight.data + result->weight;
  const int info = u && v && vt
                       ? tac_split_svd(bond, number, tac_vector_at(bond, bond->theta, block->offset), s, u, vt, lane->arena)
                       : TAC_KERNELS_MEMORY;
  if (info == TAC_KERNELS_MEMORY)
    return tac_error_set(lane->error, TAC_STATUS_MEMORY, "block SVD", "site %d: no memory for a block of %d x %d", bond->site,
                         block->rows, block->columns);
  if (info)
    return tac_error_set(lane->error, TAC_STATUS_NUMERICAL, "block SVD",
                         "site %d, charge %d: no SVD of a %d x %d block on device or host (info %d)", bond->site, block->charge,
                         block->rows, block->columns, info);
  kernels->adjoint((int)r, (int)n, vt, (int)r, NULL, v, (int)n);
  enum tac_status status =
      tac_queue_write(lane->queue, d->left.memory, result->left * kernels->size, u, m * r * kernels->size, lane->error);
  if (!status)
    status =
        tac_queue_write(lane->queue, d->right.memory, result->right * kernels->size, v, n * r * kernels->size, lane->error);
  const enum tac_status finished = tac_queue_finish(lane->queue, "fallback", lane->error); /* the scratch is given back */
  return status ? status : finished;
}

static enum tac_status fall_back(struct tac_bond *bond, struct tac_scheduler *scheduler, struct tac_error *error) {
  struct tac_device_bond *d = bond->device;
  const size_t bytes = (bond->theta.offset + bond->length) * bond->kernels->size;
  const struct tac_batch batch = {.count = d->svd_count, .item = decompose_again, .context = bond, .grain = 1};
  for (size_t i = 0; i < d->svd_count; i++)
    bond->split.block[d->svd_block[i]].fallback = d->svd_failed(d->svd, i);
  enum tac_status status = tac_buffer_map(bond->theta.buffer, d->queue, bytes, TAC_MAP_READ, error);
  if (!status)
    status = tac_run_batch(scheduler, &batch, error);
  const enum tac_status unmapped = tac_buffer_unmap(bond->theta.buffer, d->queue, status ? NULL : error);
  return status ? status : unmapped;
}

/* The device's singular values, which are weights in their order already. */
static enum tac_status read_weights(struct tac_bond *bond, struct tac_error *error) {
  struct tac_device_bond *d = bond->device;
  const int single = bond->kernels->epsilon > 1e-10;
  const size_t bytes = d->svd_values * (single ? sizeof(float) : sizeof(double));
  enum tac_status status = tac_queue_read(d->queue, d->values.memory, 0, d->read_values.data, bytes, error);
  size_t value = 0;
  for (size_t i = 0; i < d->svd_count && !status; i++) {
    const struct tac_split_block *result = &bond->split.block[d->svd_block[i]];
    double *weight = (double *)bond->split.weight.data + result->weight;
    int *order = (int *)bond->split.order.data + result->weight;
    for (int j = 0; j < result->candidates; j++, value++) {
      order[j] = j;
      weight[j] = single ? (double)((const float *)d->read_values.data)[value] : ((const double *)d->read_values.data)[value];
    }
  }
  return status;
}

enum tac_status tac_device_end_split(struct tac_bond *bond, struct tac_scheduler *scheduler, struct tac_error *error) {
  struct tac_device_bond *d = bond->device;
  enum tac_status status = take_back(bond, error);
  if (status || !d->svd_count)
    return status;
  const enum tac_status checked = d->svd_check(d->svd, d->queue, error);
  if (checked && checked != TAC_STATUS_NUMERICAL)
    return checked;
  if (checked && error)
    tac_error_clear(error);
  status = read_weights(bond, error);
  return status || !checked ? status : fall_back(bond, scheduler, error);
}
