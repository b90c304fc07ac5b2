/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
/* The first and the last step of an evaluation: density values to working coefficients, results to values at the nodes. */
#include <math.h>

#include "apps/fmm/plan.h"

enum { CHUNK = 32 }; /* leaves an item */

size_t tac_plan_leaf_chunks(const struct tac_fmm_plan *plan) {
  return (plan->tree->leaves + CHUNK - 1) / CHUNK;
}

static size_t chunk_end(const struct tac_fmm_plan *plan, size_t index) {
  const size_t end = (index + 1) * CHUNK;
  return end < plan->tree->leaves ? end : plan->tree->leaves;
}

/* Bytes are added up so that one comparison serves many values: a sum is finite only where all its terms are. */
int tac_all_finite(const double *values, int count) {
  double sum = 0;
  for (int i = 0; i < count; i++)
    sum += values[i] * 0;
  return sum == 0;
}

enum tac_status tac_plan_refuse_leaf(const struct tac_fmm_plan *plan, struct tac_error *error, enum tac_status status,
                                     const char *where, size_t leaf) {
  double lower[3] = {0}, side;
  int level;
  tac_fmm_tree_leaf(plan->tree, leaf, lower, &side, &level);
  if (plan->dim == 2)
    return tac_error_set(error, status, where, "not finite in leaf %zu (level %d, lower corner %.6g, %.6g)", leaf, level,
                         lower[0], lower[1]);
  return tac_error_set(error, status, where, "not finite in leaf %zu (level %d, lower corner %.6g, %.6g, %.6g)", leaf, level,
                       lower[0], lower[1], lower[2]);
}

/* Coefficients of a chunk's leaves, unscaled: by the projection's stencil, leaf by leaf without it. */
static enum tac_status project(const struct tac_fmm_plan *plan, size_t first, size_t count, struct tac_lane *lane) {
  const size_t nodes = (size_t)plan->space.count;
  double *scratch = tac_arena_take(lane->arena, (plan->projection ? count : 2) * nodes * sizeof *scratch);
  const double *sources[CHUNK];
  double *targets[CHUNK];
  if (!scratch)
    return tac_error_set(lane->error, TAC_STATUS_MEMORY, "scratch", "no memory for the coefficients of a leaf");
  for (size_t i = 0; i < count; i++) {
    const double *values = plan->density + (first + i) * nodes;
    targets[i] = tac_plan_coefficients(plan, (int32_t)(first + i));
    sources[i] = scratch + i * nodes;
    if (plan->projection)
      tac_nodes_to_classes(&plan->space, values, scratch + i * nodes);
    else
      tac_nodes_to_modes(&plan->transform, &plan->modes, values, targets[i], scratch);
  }
  return plan->projection ? tac_stencil_apply(plan->projection, count, sources, targets, lane->arena, lane->error)
                          : TAC_STATUS_OK;
}

enum tac_status tac_plan_load_item(void *context, size_t index, struct tac_lane *lane) {
  const struct tac_fmm_plan *plan = context;
  const size_t first = index * CHUNK, end = chunk_end(plan, index);
  for (size_t leaf = first; leaf < end; leaf++)
    if (!tac_all_finite(plan->density + leaf * (size_t)plan->space.count, plan->space.count))
      return tac_plan_refuse_leaf(plan, lane->error, TAC_STATUS_INVALID, "density", leaf);
  const enum tac_status status = project(plan, first, end - first, lane);
  for (size_t leaf = first; leaf < end && !status; leaf++) {
    const double side = tac_fmm_tree_side(plan->tree, plan->tree->level[plan->tree->leaf_box[leaf]]);
    double *coefficients = tac_plan_coefficients(plan, (int32_t)leaf);
    for (int i = 0; i < plan->modes.count; i++)
      coefficients[i] *= side * side;
  }
  return status;
}

enum tac_status tac_plan_store_item(void *context, size_t index, struct tac_lane *lane) {
  const struct tac_fmm_plan *plan = context;
  const int nodes = plan->space.count;
  for (size_t leaf = index * CHUNK; leaf < chunk_end(plan, index); leaf++) {
    const double side = tac_fmm_tree_side(plan->tree, plan->tree->level[plan->tree->leaf_box[leaf]]);
    for (int field = 0; field < plan->fields; field++) {
      double *values = plan->answer[field] + leaf * (size_t)nodes;
      tac_classes_to_nodes(&plan->space, tac_plan_values(plan, field, (int32_t)leaf), values);
      for (int i = 0; field >= plan->parts && i < nodes; i++)
        values[i] /= side;
      if (!tac_all_finite(values, nodes))
        return tac_plan_refuse_leaf(plan, lane->error, TAC_STATUS_NUMERICAL, "values", leaf);
    }
  }
  return TAC_STATUS_OK;
}

static int32_t first_not_finite(const double *data, size_t vectors, int size) {
  for (size_t v = 0; v < vectors; v++)
    if (!tac_all_finite(data + v * (size_t)size, size))
      return (int32_t)v;
  return TAC_NO_BOX;
}

/* Of a level-wise array of expansions: the first box, deepest level first where `up`. */
static int32_t box_not_finite(const struct tac_fmm_plan *plan, const double *data, int up) {
  const struct tac_fmm_tree *tree = plan->tree;
  for (int i = 2; i < tree->levels; i++) {
    const int level = up ? tree->levels + 1 - i : i;
    const int32_t found =
        first_not_finite(data + plan->multipole_base[level], (size_t)(tree->level_begin[level + 1] - tree->level_begin[level]),
                         plan->rank[level]);
    if (found != TAC_NO_BOX)
      return tree->level_begin[level] + found;
  }
  return TAC_NO_BOX;
}

static enum tac_status blame(const struct tac_fmm_plan *plan, const char *phase, int32_t box, struct tac_error *error) {
  return tac_error_set(error, TAC_STATUS_NUMERICAL, phase, "not finite in box %d of level %d", (int)box,
                       (int)plan->tree->level[box]);
}

enum tac_status tac_plan_blame(const struct tac_fmm_plan *plan, struct tac_error *error) {
  const struct tac_fmm_tree *tree = plan->tree;
  int32_t found = first_not_finite(plan->coefficients, tree->leaves, plan->modes.count);
  if (found != TAC_NO_BOX)
    return blame(plan, "coefficients", tree->leaf_box[found], error);
  if (plan->far) {
    found = box_not_finite(plan, plan->multipoles, 1);
    if (found != TAC_NO_BOX)
      return blame(plan, tac_fmm_phases[tree->leaf[found] != TAC_NO_BOX ? 0 : 1], found, error);
    for (int part = 0; part < plan->parts; part++) {
      found = box_not_finite(plan, plan->locals[part], 0);
      if (found != TAC_NO_BOX)
        return blame(plan, tac_fmm_phases[4], found, error);
    }
  }
  for (int field = 0; field < plan->fields; field++) {
    found = first_not_finite(plan->values[field], tree->leaves, plan->space.count);
    if (found != TAC_NO_BOX)
      return blame(plan, tac_fmm_phases[2], tree->leaf_box[found], error);
  }
  return tac_error_set(error, TAC_STATUS_NUMERICAL, tac_fmm_phases[8], "not finite");
}
