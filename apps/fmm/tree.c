/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/fmm/tree.h"

#include <math.h>

#include "apps/fmm/modes.h"
#include "apps/fmm/tree_growth.h"

#define LEAST_TOLERANCE 1e-14

void tac_fmm_tree_options_init(struct tac_fmm_tree_options *options) {
  *options = (struct tac_fmm_tree_options){
      .size = sizeof *options,
      .dim = 2,
      .lower = {-0.5, -0.5, -0.5},
      .side = 1,
      .order = 8,
      .basis = TAC_FMM_TOTAL,
      .tolerance = 1e-6,
      .levels = -1,
      .max_leaves = 4000000,
  };
}

static enum tac_status refuse(struct tac_error *error, const char *what, double value) {
  return tac_error_set(error, TAC_STATUS_INVALID, "tac_fmm_tree_create", "%s: %g", what, value);
}

/* The box of the deepest level must have a normal side whose square, which scales its coefficients, is one too, and a domain
 * far from the origin enough different points. */
static enum tac_status check_domain(const struct tac_fmm_tree_options *options, struct tac_error *error) {
  if (!isfinite(options->side) || !(options->side > 0))
    return refuse(error, "the side of the domain is not positive and finite", options->side);
  const double smallest = ldexp(options->side, -TAC_FMM_MAX_LEVELS);
  if (smallest < 1 && !isnormal(smallest * smallest))
    return refuse(error, "the side of the domain is too small", options->side);
  for (int axis = 0; axis < options->dim; axis++) {
    const double lower = options->lower[axis];
    if (!isfinite(lower) || !isfinite(lower + options->side))
      return refuse(error, "a corner of the domain is not finite", lower);
    if (fabs(lower) * 0x1p-30 > options->side)
      return refuse(error, "the domain is too small for its distance from the origin: side", options->side);
  }
  return TAC_STATUS_OK;
}

static enum tac_status check_seeds(const struct tac_fmm_tree_options *options, struct tac_error *error) {
  if (options->seed_count > 0 && !options->seeds)
    return tac_error_set(error, TAC_STATUS_INVALID, "tac_fmm_tree_create", "%zu seeds, but no array", options->seed_count);
  for (size_t i = 0; i < options->seed_count; i++) {
    const struct tac_fmm_seed *seed = &options->seeds[i];
    for (int axis = 0; axis < options->dim; axis++)
      if (!isfinite(seed->center[axis]))
        return tac_error_set(error, TAC_STATUS_INVALID, "tac_fmm_tree_create", "the center of seed %zu is not finite", i);
    if (!(seed->width >= ldexp(options->side, 1 - TAC_FMM_MAX_LEVELS)))
      return tac_error_set(error, TAC_STATUS_INVALID, "tac_fmm_tree_create",
                           "seed %zu: width %g is below the side of the smallest boxes, %g", i, seed->width,
                           ldexp(options->side, 1 - TAC_FMM_MAX_LEVELS));
  }
  return TAC_STATUS_OK;
}

static enum tac_status check_options(const struct tac_fmm_tree_options *options, struct tac_error *error) {
  if (!options || options->size != sizeof *options)
    return tac_error_set(error, TAC_STATUS_INVALID, "tac_fmm_tree_create", "options not filled by tac_fmm_tree_options_init");
  if (options->dim != 2 && options->dim != 3)
    return refuse(error, "the dimension is not 2 or 3", options->dim);
  if (options->order < TAC_FMM_MIN_ORDER || options->order > TAC_FMM_MAX_ORDER)
    return refuse(error, "the order is not within 2 ... 16", options->order);
  if (options->basis != TAC_FMM_TOTAL && options->basis != TAC_FMM_TENSOR)
    return refuse(error, "unknown basis", (int)options->basis);
  if (options->levels < -1 || options->levels >= TAC_FMM_MAX_LEVELS)
    return refuse(error, "the level of a uniform tree is not within 0 ... 30", options->levels);
  if (!(options->tolerance >= LEAST_TOLERANCE && options->tolerance < 1))
    return refuse(error, "the tolerance is not within 1e-14 ... 1", options->tolerance);
  if (options->max_leaves < 1)
    return refuse(error, "max_leaves is less than one leaf", 0);
  enum tac_status status = check_domain(options, error);
  return status ? status : check_seeds(options, error);
}

/* The allocator in force; its tree outlives the options. */
static const struct tac_allocator *allocator_of(const struct tac_fmm_tree_options *options) {
  return options->allocator ? options->allocator : tac_allocator_system();
}

enum tac_status tac_fmm_tree_create(struct tac_fmm_tree **out, const struct tac_fmm_tree_options *options,
                                    tac_fmm_density_fn density, void *context, struct tac_error *error) {
  struct tac_growth growth = {0};
  double resolution = 0;
  enum tac_status status = check_options(options, error);
  if (status)
    return status;
  if (options->levels < 0 && !density)
    return tac_error_set(error, TAC_STATUS_INVALID, "tac_fmm_tree_create", "an adaptive tree needs a density");
  status = tac_growth_init(&growth, options, allocator_of(options), error);
  if (!status && options->levels >= 0) {
    status = tac_growth_uniform(&growth, options->levels, error);
  } else if (!status) {
    status = tac_growth_seed(&growth, error);
    if (!status)
      status = tac_growth_resolve(&growth, density, context, &resolution, error);
    if (!status)
      status = tac_growth_balance(&growth, error);
  }
  if (!status)
    status = tac_tree_finish(out, &growth, resolution, error);
  tac_growth_release(&growth);
  return status;
}

enum tac_status tac_fmm_tree_create_refined(struct tac_fmm_tree **out, const struct tac_fmm_tree_options *options,
                                            tac_fmm_refine_fn refine, void *context, struct tac_error *error) {
  struct tac_growth growth = {0};
  enum tac_status status = check_options(options, error);
  if (status)
    return status;
  if (!refine)
    return tac_error_set(error, TAC_STATUS_INVALID, "tac_fmm_tree_create_refined", "no rule");
  status = tac_growth_init(&growth, options, allocator_of(options), error);
  if (!status && options->levels > 0)
    status = tac_growth_uniform(&growth, options->levels, error);
  if (!status)
    status = tac_growth_seed(&growth, error);
  if (!status)
    status = tac_growth_refine(&growth, refine, context, error);
  if (!status)
    status = tac_growth_balance(&growth, error);
  if (!status)
    status = tac_tree_finish(out, &growth, 0, error);
  tac_growth_release(&growth);
  return status;
}

int tac_fmm_tree_dim(const struct tac_fmm_tree *tree) {
  return tree->dim;
}

int tac_fmm_tree_order(const struct tac_fmm_tree *tree) {
  return tree->options.order;
}

enum tac_fmm_basis tac_fmm_tree_basis(const struct tac_fmm_tree *tree) {
  return tree->options.basis;
}

int tac_fmm_tree_levels(const struct tac_fmm_tree *tree) {
  return tree->levels;
}

size_t tac_fmm_tree_boxes(const struct tac_fmm_tree *tree) {
  return tree->boxes;
}

size_t tac_fmm_tree_leaves(const struct tac_fmm_tree *tree) {
  return tree->leaves;
}

size_t tac_fmm_tree_leaves_at(const struct tac_fmm_tree *tree, int level) {
  if (level < 0 || level >= tree->levels)
    return 0;
  /* The boxes below are children of the inner boxes here. */
  const int32_t boxes = tree->level_begin[level + 1] - tree->level_begin[level];
  const int32_t below = level + 1 < tree->levels ? tree->level_begin[level + 2] - tree->level_begin[level + 1] : 0;
  return (size_t)(boxes - (below >> tree->dim));
}

double tac_fmm_tree_side(const struct tac_fmm_tree *tree, int level) {
  return ldexp(tree->options.side, -level);
}

size_t tac_fmm_tree_bytes(const struct tac_fmm_tree *tree) {
  return tree->bytes;
}

double tac_fmm_tree_resolution(const struct tac_fmm_tree *tree) {
  return tree->resolution;
}

/* Positions are made by this one formula everywhere, so that a corner of one box is bit for bit that of its neighbour. */
static double position(const struct tac_fmm_tree *tree, int axis, int level, double coordinate) {
  return tree->options.lower[axis] + ldexp(tree->options.side, -level) * coordinate;
}

void tac_fmm_tree_leaf(const struct tac_fmm_tree *tree, size_t leaf, double *lower, double *side, int *level) {
  const int32_t box = tree->leaf_box[leaf];
  for (int axis = 0; lower && axis < tree->dim; axis++)
    lower[axis] = position(tree, axis, tree->level[box], tree->coordinate[box][axis]);
  if (side)
    *side = tac_fmm_tree_side(tree, tree->level[box]);
  if (level)
    *level = tree->level[box];
}

size_t tac_fmm_tree_find(const struct tac_fmm_tree *tree, const double *point) {
  for (int axis = 0; axis < tree->dim; axis++)
    if (!(point[axis] >= tree->options.lower[axis] && point[axis] <= position(tree, axis, 0, 1)))
      return (size_t)-1;
  int32_t box = 0;
  while (tree->first_child[box] != TAC_NO_BOX) {
    int child = 0;
    for (int axis = 0; axis < tree->dim; axis++)
      if (point[axis] >= position(tree, axis, tree->level[box] + 1, 2.0 * tree->coordinate[box][axis] + 1))
        child |= 1 << axis;
    box = tree->first_child[box] + child;
  }
  return (size_t)tree->leaf[box];
}

double *tac_box_grid(double *out, const struct tac_fmm_tree_options *options, int level, const int32_t coordinate[3], int count,
                     const double *node) {
  const double side = ldexp(options->side, -level);
  double along[3][2 * TAC_FMM_MAX_ORDER];
  for (int axis = 0; axis < 3; axis++) {
    const double center = options->lower[axis] + side * (coordinate[axis] + 0.5);
    for (int i = 0; i < count; i++)
      along[axis][i] = center + side * node[i];
  }
  for (int z = 0; z < (options->dim == 3 ? count : 1); z++)
    for (int y = 0; y < count; y++)
      for (int x = 0; x < count; x++) {
        *out++ = along[0][x];
        *out++ = along[1][y];
        if (options->dim == 3)
          *out++ = along[2][z];
      }
  return out;
}

void tac_fmm_tree_nodes(const struct tac_fmm_tree *tree, size_t leaf, double *points) {
  const int32_t box = tree->leaf_box[leaf];
  tac_box_grid(points, &tree->options, tree->level[box], tree->coordinate[box], tree->options.order, tree->node);
}
