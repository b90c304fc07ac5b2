/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
/* The first and the last step of an evaluation on a device. Whether a number is finite is looked at on the host, where it comes
 * from and goes to. */
#include "apps/fmm/device/build.h"
#include "apps/fmm/device/launch.h"

enum { LEAVES_OF_TILE = 64, CHUNK = 8 * LEAVES_OF_TILE }; /* leaves of an item */

size_t tac_device_leaf_chunks(const struct tac_fmm_plan *plan) {
  return (plan->tree->leaves + CHUNK - 1) / CHUNK;
}

static size_t chunk_leaves(const struct tac_fmm_plan *plan, size_t index) {
  const size_t left = plan->tree->leaves - index * CHUNK;
  return left < CHUNK ? left : CHUNK;
}

static int half(int order, int odd) {
  return odd ? order / 2 : (order + 1) / 2;
}

/* One set of mirrored nodes, that of the node at `at`, counted from the border. See modes.h. */
static void fill_set(const struct tac_node_space *space, const int at[3], tac_i32 *node, tac_i32 *place) {
  const int order = space->order;
  for (int corner = 0; corner < 1 << space->dim; corner++) {
    int stride = 1, exists = 1, step = 1;
    node[corner] = 0;
    place[corner] = space->class_begin[corner];
    for (int axis = 0; axis < (space->dim == 3 ? 3 : 2); axis++, stride *= order) {
      const int bit = corner >> axis & 1;
      node[corner] += stride * (bit ? order - 1 - at[axis] : at[axis]);
      place[corner] += step * at[axis];
      exists = exists && at[axis] < half(order, bit);
      step *= half(order, bit);
    }
    if (!exists)
      place[corner] = -1;
  }
}

static enum tac_status add_sets(struct tac_device_build *build, struct tac_error *error) {
  const struct tac_node_space *space = &build->plan->space;
  const int along = half(space->order, 0), corners = 1 << space->dim, last = space->dim == 3 ? along : 1;
  const size_t sets = (size_t)along * (size_t)along * (size_t)last;
  tac_i32 *node = tac_build_add(build, TAC_TABLE_NODE_OF, sets * (size_t)corners, error);
  tac_i32 *place = node ? tac_build_add(build, TAC_TABLE_PLACE_OF, sets * (size_t)corners, error) : NULL;
  if (!place)
    return TAC_STATUS_MEMORY;
  build->device->sets = (tac_u32)sets;
  for (int z = 0; z < last; z++)
    for (int y = 0; y < along; y++)
      for (int x = 0; x < along; x++, node += corners, place += corners)
        fill_set(space, (const int[3]){x, y, z}, node, place);
  return TAC_STATUS_OK;
}

static enum tac_status add_classes(struct tac_device_build *build, struct tac_error *error) {
  const struct tac_fmm_plan *plan = build->plan;
  for (int level = 2; plan->far && level < plan->tree->levels; level++) {
    const int *begin = tac_far_class_begin(plan->far, level);
    build->classes[level] = tac_build_count(build, TAC_TABLE_CLASSES);
    unsigned char *entry = tac_build_add(build, TAC_TABLE_CLASSES, (size_t)plan->rank[level], error);
    if (!entry)
      return TAC_STATUS_MEMORY;
    for (int class = 0; class < plan->children; class ++)
      for (int i = begin[class]; i < begin[class + 1]; i++)
        entry[i] = (unsigned char)class;
  }
  return TAC_STATUS_OK;
}

/* The projection as a job of its own: from the values in class form, which stand where those of field 0 will. It reads its box
 * alone and has full rank, so that nothing of it is combined or factored: items that run at once share no scratch. */
static enum tac_status add_projection(struct tac_device_build *build, struct tac_error *error) {
  struct tac_fmm_device *device = build->device;
  const struct tac_fmm_plan *plan = build->plan;
  const struct tac_stencil *stencil = device->projection ? device->projection : plan->projection;
  tac_u32 number = 0;
  enum tac_status status = tac_build_stencil(&number, build, stencil, error);
  if (status)
    return status;
  const struct tac_fmm_stencil *made = tac_build_at(build, TAC_TABLE_STENCILS, number);
  device->load_stencils = (struct tac_device_stencils){.first_tile = tac_build_count(build, TAC_TABLE_TILES),
                                                       .first_target = tac_build_count(build, TAC_TABLE_TARGETS),
                                                       .strips = {made->strips[0], made->strips[1]}};
  const tac_u32 sources = tac_build_count(build, TAC_TABLE_SOURCES), leaves = (tac_u32)plan->tree->leaves;
  tac_u64 *source = tac_build_add(build, TAC_TABLE_SOURCES, leaves, error);
  tac_u64 *target = source ? tac_build_add(build, TAC_TABLE_TARGETS, leaves, error) : NULL;
  const tac_u32 tiles = (leaves + LEAVES_OF_TILE - 1) / LEAVES_OF_TILE;
  struct tac_fmm_tile *tile = target ? tac_build_add(build, TAC_TABLE_TILES, tiles, error) : NULL;
  if (!tile)
    return TAC_STATUS_MEMORY;
  for (tac_u32 leaf = 0; leaf < leaves; leaf++) {
    source[leaf] = (tac_u64)leaf * (tac_u64)plan->space.count;
    target[leaf] = (tac_u64)leaf * (tac_u64)plan->modes.count;
  }
  for (tac_u32 first = 0; first < leaves; first += LEAVES_OF_TILE, tile++)
    *tile = (struct tac_fmm_tile){.sources = sources + first,
                                  .first = device->load_stencils.first_target + first,
                                  .count = leaves - first < LEAVES_OF_TILE ? leaves - first : LEAVES_OF_TILE,
                                  .stencil = {(tac_i32)number, -1, -1, -1, -1, -1, -1, -1}};
  return TAC_STATUS_OK;
}

enum tac_status tac_build_ends(struct tac_device_build *build, struct tac_error *error) {
  const struct tac_fmm_tree *tree = build->plan->tree;
  double *side = tac_build_add(build, TAC_TABLE_SIDES, tree->leaves, error);
  if (!side)
    return TAC_STATUS_MEMORY;
  for (size_t leaf = 0; leaf < tree->leaves; leaf++)
    side[leaf] = tac_fmm_tree_side(tree, tree->level[tree->leaf_box[leaf]]);
  enum tac_status status = add_sets(build, error);
  if (!status)
    status = add_classes(build, error);
  return status ? status : add_projection(build, error);
}

/* From the first leaf on: what both kernels of the ends take. */
static void add_leaves(struct tac_call *call, const struct tac_fmm_device *device, size_t first) {
  tac_call_u32(call, (tac_u32)first);
  tac_call_u32(call, (tac_u32)device->plan->space.count);
  tac_call_u32(call, device->sets);
  tac_call_memory(call, device->table[TAC_TABLE_NODE_OF]);
  tac_call_memory(call, device->table[TAC_TABLE_PLACE_OF]);
  tac_call_memory(call, device->table[TAC_TABLE_SIDES]);
}

static enum tac_status project(const struct tac_fmm_device *device, size_t first, size_t count, struct tac_lane *lane) {
  struct tac_call call = {.count = 0};
  tac_call_memory(&call, device->nodes);
  tac_call_memory(&call, device->space[TAC_SPACE_VALUES]);
  add_leaves(&call, device, first);
  const enum tac_status status =
      tac_call_launch(&call, device, TAC_KERNEL_LOAD, count, 1, device->items, lane->queue, lane->error);
  if (status)
    return status;
  const struct tac_job from = {
      .plan = device->plan, .fields = 1, .source_space = TAC_SPACE_VALUES, .target_space = TAC_SPACE_COEFFICIENTS};
  const struct tac_device_job job = {.device = (struct tac_fmm_device *)device, .job = &from};
  struct tac_device_stencils stencils = device->load_stencils;
  stencils.first_tile += (tac_u32)(first / LEAVES_OF_TILE);
  stencils.tiles = (tac_u32)((count + LEAVES_OF_TILE - 1) / LEAVES_OF_TILE);
  return tac_device_launch_stencils(&job, &stencils, 0, lane->queue, lane->error);
}

enum tac_status tac_device_load_item(void *context, size_t index, struct tac_lane *lane) {
  const struct tac_fmm_device *device = context;
  const struct tac_fmm_plan *plan = device->plan;
  const size_t nodes = (size_t)plan->space.count, first = index * CHUNK, count = chunk_leaves(plan, index);
  for (size_t leaf = first; leaf < first + count; leaf++)
    if (!tac_all_finite(plan->density + leaf * nodes, plan->space.count))
      return tac_plan_refuse_leaf(plan, lane->error, TAC_STATUS_INVALID, "density", leaf);
  const enum tac_status status = tac_queue_write(lane->queue, device->nodes, first * nodes * sizeof(double),
                                                 plan->density + first * nodes, count * nodes * sizeof(double), lane->error);
  return status ? status : project(device, first, count, lane);
}

static enum tac_status launch_store(const struct tac_fmm_device *device, int field, size_t first, size_t count,
                                    struct tac_lane *lane) {
  struct tac_call call = {.count = 0};
  tac_call_memory(&call, device->space[TAC_SPACE_VALUES]);
  tac_call_memory(&call, device->nodes);
  tac_call_u64(&call, tac_device_shift(device->plan, TAC_SPACE_VALUES, field));
  add_leaves(&call, device, first);
  tac_call_u32(&call, field >= device->plan->parts);
  return tac_call_launch(&call, device, TAC_KERNEL_STORE, count, 1, device->items, lane->queue, lane->error);
}

enum tac_status tac_device_store_item(void *context, size_t index, struct tac_lane *lane) {
  const struct tac_fmm_device *device = context;
  const struct tac_fmm_plan *plan = device->plan;
  const size_t nodes = (size_t)plan->space.count, first = index * CHUNK, count = chunk_leaves(plan, index);
  enum tac_status status = TAC_STATUS_OK;
  for (int field = 0; field < plan->fields && !status; field++)
    status = launch_store(device, field, first, count, lane);
  for (int field = 0; field < plan->fields && !status; field++) {
    const size_t shift = tac_device_shift(plan, TAC_SPACE_VALUES, field) + first * nodes;
    status = tac_queue_read(lane->queue, device->nodes, shift * sizeof(double), plan->answer[field] + first * nodes,
                            count * nodes * sizeof(double), lane->error);
  }
  for (size_t leaf = first; leaf < first + count && !status; leaf++)
    for (int field = 0; field < plan->fields && !status; field++)
      if (!tac_all_finite(plan->answer[field] + leaf * nodes, plan->space.count))
        status = tac_plan_refuse_leaf(plan, lane->error, TAC_STATUS_NUMERICAL, "values", leaf);
  return status;
}

static enum tac_status read_space(const struct tac_fmm_device *device, enum tac_space space, int field, double *to,
                                  size_t count, struct tac_queue *queue, struct tac_error *error) {
  if (!count)
    return TAC_STATUS_OK;
  return tac_queue_read(queue, device->space[space], tac_device_shift(device->plan, space, field) * sizeof *to, to,
                        count * sizeof *to, error);
}

enum tac_status tac_fmm_device_fetch(struct tac_fmm_device *device, struct tac_queue *queue, int values,
                                     struct tac_error *error) {
  const struct tac_fmm_plan *plan = device->plan;
  const size_t leaves = plan->tree->leaves;
  enum tac_status status =
      read_space(device, TAC_SPACE_COEFFICIENTS, 0, plan->coefficients, leaves * (size_t)plan->modes.count, queue, error);
  if (!status)
    status = read_space(device, TAC_SPACE_MULTIPOLES, 0, plan->multipoles, plan->multipole_size, queue, error);
  for (int part = 0; part < plan->parts && !status; part++)
    status = read_space(device, TAC_SPACE_LOCALS, part, plan->locals[part], plan->multipole_size, queue, error);
  for (int field = 0; values && field < plan->fields && !status; field++)
    status = read_space(device, TAC_SPACE_VALUES, field, plan->values[field], leaves * (size_t)plan->space.count, queue, error);
  return status;
}
