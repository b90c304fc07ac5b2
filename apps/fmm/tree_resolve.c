/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <math.h>

#include "apps/fmm/tree_growth.h"
#include "apps/fmm/tree_sampler.h"

/* The tree is refined level by level, and a level is decided after all of its leaves were compared: what is split depends on
 * max |f| over the points of this level and those above, and not on the order of the boxes. A larger value found further
 * down would only have split less.
 *
 * The levels down to `look` are compared everywhere before anything is decided, so that a peak is not missed since the nodes
 * of a large box pass it by. A box is split there when it or anything below it differs too much. */
struct resolver {
  struct tac_growth *growth;
  struct tac_sampler sampler;
  int look;
  double *look_difference; /* level after level, Morton order inside a level */
};

/* Twice the nodes of the boxes at that level are 256 points along each axis in 2D and 64 in 3D. */
static int look_level(int dim, int order) {
  const int points = dim == 2 ? 256 : 64;
  int level = 0;
  while (2 * order << (level + 1) <= points)
    level++;
  return level;
}

/* Boxes on the levels above this one. */
static size_t boxes_above(int dim, int level) {
  return (((size_t)1 << dim * level) - 1) / (((size_t)1 << dim) - 1);
}

static double limit(const struct resolver *resolver) {
  return resolver->growth->options->tolerance * resolver->sampler.largest;
}

/* A difference that is not a number exceeds everything. */
static int exceeds(double difference, double limit) {
  return !(difference <= limit);
}

static struct tac_place place_of_index(int dim, int level, size_t index) {
  struct tac_place place = {.level = level};
  for (int bit = 0; bit < level; bit++)
    for (int axis = 0; axis < dim; axis++)
      place.coordinate[axis] |= (int32_t)(index >> (bit * dim + axis) & 1) << bit;
  return place;
}

static size_t index_of_box(int dim, const struct tac_growth_box *box) {
  size_t index = 0;
  for (int bit = 0; bit < box->level; bit++)
    for (int axis = 0; axis < dim; axis++)
      index |= (size_t)(box->coordinate[axis] >> bit & 1) << (bit * dim + axis);
  return index;
}

static enum tac_status look_at_level(struct resolver *resolver, int level, struct tac_error *error) {
  const int dim = resolver->growth->dim;
  double *difference = resolver->look_difference + boxes_above(dim, level);
  enum tac_status status = TAC_STATUS_OK;
  for (size_t i = 0; i < (size_t)1 << dim * level && !status; i++) {
    const struct tac_place place = place_of_index(dim, level, i);
    status = tac_sampler_compare(&resolver->sampler, &place, &difference[i], error);
  }
  return status ? status : tac_sampler_finish(&resolver->sampler, error);
}

/* Compares the first levels; a box then has the largest difference that is too large, its own or one below. */
static enum tac_status look_first(struct resolver *resolver, struct tac_error *error) {
  const int dim = resolver->growth->dim;
  enum tac_status status = TAC_STATUS_OK;
  for (int level = 0; level <= resolver->look && !status; level++)
    status = look_at_level(resolver, level, error);
  for (int level = resolver->look; level > 0 && !status; level--) {
    const double *below = resolver->look_difference + boxes_above(dim, level);
    double *above = resolver->look_difference + boxes_above(dim, level - 1);
    for (size_t i = 0; i < (size_t)1 << dim * level; i++)
      if (exceeds(below[i], limit(resolver)) && exceeds(below[i], above[i >> dim]))
        above[i >> dim] = below[i];
  }
  return status;
}

static enum tac_status look_at_seeds(struct resolver *resolver, struct tac_error *error) {
  const struct tac_fmm_tree_options *options = resolver->growth->options;
  enum tac_status status = TAC_STATUS_OK;
  for (size_t i = 0; i < options->seed_count && !status; i++) {
    const double *center = options->seeds[i].center;
    int inside = 1;
    for (int axis = 0; axis < options->dim; axis++)
      inside &= center[axis] >= options->lower[axis] && center[axis] <= options->lower[axis] + options->side;
    if (inside)
      status = tac_sampler_note(&resolver->sampler, center, error);
  }
  return status;
}

static enum tac_status compare_leaves(struct resolver *resolver, int level, struct tac_error *error) {
  struct tac_growth *growth = resolver->growth;
  enum tac_status status = TAC_STATUS_OK;
  struct tac_growth_cursor cursor;
  for (int32_t i = tac_growth_first(growth, level, &cursor); i != TAC_NO_BOX && !status; i = tac_growth_next(growth, &cursor)) {
    struct tac_growth_box *box = &growth->box[i];
    if (box->first_child != TAC_NO_BOX)
      continue;
    if (level <= resolver->look) {
      box->difference = resolver->look_difference[boxes_above(growth->dim, level) + index_of_box(growth->dim, box)];
    } else {
      const struct tac_place place = {level, {box->coordinate[0], box->coordinate[1], box->coordinate[2]}};
      status = tac_sampler_compare(&resolver->sampler, &place, &box->difference, error);
    }
  }
  return status ? status : tac_sampler_finish(&resolver->sampler, error);
}

static int unresolved(const struct resolver *resolver, const struct tac_growth_box *box) {
  return box->first_child == TAC_NO_BOX && exceeds(box->difference, limit(resolver));
}

/* Says what was reached when `count` boxes of a level cannot be split. */
static enum tac_status refuse_level(const struct resolver *resolver, int level, size_t count, int32_t worst,
                                    struct tac_error *error) {
  const struct tac_growth *growth = resolver->growth;
  const struct tac_fmm_tree_options *options = growth->options;
  const struct tac_growth_box *box = &growth->box[worst];
  const double reached = box->difference / resolver->sampler.largest, side = ldexp(options->side, -level);
  double center[3] = {0};
  for (int axis = 0; axis < growth->dim; axis++)
    center[axis] = options->lower[axis] + side * (box->coordinate[axis] + 0.5);
  if (level == TAC_FMM_MAX_LEVELS - 1)
    return tac_error_set(error, TAC_STATUS_NUMERICAL, "tree",
                         "tolerance %.3g is out of reach: %.3g of max |f| at the deepest level, near (%.9g, %.9g, %.9g)",
                         options->tolerance, reached, center[0], center[1], center[2]);
  return tac_error_set(
      error, TAC_STATUS_MEMORY, "tree",
      "tolerance %.3g needs more than max_leaves = %zu: with %zu leaves to level %d, %zu boxes there differ by "
      "up to %.3g of max |f|, worst near (%.6g, %.6g, %.6g)",
      options->tolerance, options->max_leaves, growth->leaves, level, count, reached, center[0], center[1], center[2]);
}

static enum tac_status split_unresolved(struct resolver *resolver, int level, struct tac_error *error) {
  struct tac_growth *growth = resolver->growth;
  size_t count = 0;
  int32_t worst = TAC_NO_BOX;
  struct tac_growth_cursor cursor;
  for (int32_t i = tac_growth_first(growth, level, &cursor); i != TAC_NO_BOX; i = tac_growth_next(growth, &cursor)) {
    if (!unresolved(resolver, &growth->box[i]))
      continue;
    count++;
    if (worst == TAC_NO_BOX || exceeds(growth->box[i].difference, growth->box[worst].difference))
      worst = i;
  }
  if (count == 0)
    return TAC_STATUS_OK;
  if (level == TAC_FMM_MAX_LEVELS - 1 ||
      count > (growth->options->max_leaves - growth->leaves) / (size_t)(growth->children - 1))
    return refuse_level(resolver, level, count, worst, error);
  enum tac_status status = TAC_STATUS_OK;
  for (int32_t i = tac_growth_first(growth, level, &cursor); i != TAC_NO_BOX && !status; i = tac_growth_next(growth, &cursor))
    if (unresolved(resolver, &growth->box[i]))
      status = tac_growth_split(growth, i, error);
  return status;
}

static double largest_difference(const struct tac_growth *growth) {
  double largest = 0;
  for (size_t i = 0; i < growth->count; i++)
    if (growth->box[i].first_child == TAC_NO_BOX && growth->box[i].difference > largest)
      largest = growth->box[i].difference;
  return largest;
}

enum tac_status tac_growth_resolve(struct tac_growth *growth, tac_fmm_density_fn density, void *context, double *resolution,
                                   struct tac_error *error) {
  const struct tac_allocator *allocator = growth->allocator;
  struct resolver resolver = {.growth = growth, .look = look_level(growth->dim, growth->options->order)};
  enum tac_status status = tac_sampler_init(&resolver.sampler, growth->options, allocator, density, context, error);
  if (status)
    goto done;
  const size_t looks = boxes_above(growth->dim, resolver.look + 1);
  resolver.look_difference = allocator->allocate(allocator->context, looks * sizeof *resolver.look_difference);
  if (!resolver.look_difference) {
    status = tac_error_set(error, TAC_STATUS_MEMORY, "tree", "no memory for a first look at %zu boxes", looks);
    goto done;
  }
  status = look_at_seeds(&resolver, error);
  if (!status)
    status = look_first(&resolver, error);
  struct tac_growth_cursor cursor;
  for (int level = 0; level < TAC_FMM_MAX_LEVELS && tac_growth_first(growth, level, &cursor) != TAC_NO_BOX && !status;
       level++) {
    status = compare_leaves(&resolver, level, error);
    if (!status)
      status = split_unresolved(&resolver, level, error);
  }
  if (!status)
    *resolution = resolver.sampler.largest > 0 ? largest_difference(growth) / resolver.sampler.largest : 0;
done:
  allocator->release(allocator->context, resolver.look_difference);
  tac_sampler_release(&resolver.sampler);
  return status;
}
