/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/fmm/tree_growth.h"

#include <math.h>
#include <string.h>

#define FIRST_CAPACITY 1024

static enum tac_status reserve(struct tac_growth *growth, size_t count, struct tac_error *error) {
  if (count <= growth->capacity)
    return TAC_STATUS_OK;
  if (count > INT32_MAX)
    return tac_error_set(error, TAC_STATUS_MEMORY, "tree", "more boxes than 32 bits can number");
  const size_t doubled = 2 * growth->capacity, capacity = doubled > count ? doubled : count;
  struct tac_growth_box *box = growth->allocator->allocate(growth->allocator->context, capacity * sizeof *box);
  if (!box)
    return tac_error_set(error, TAC_STATUS_MEMORY, "tree", "no memory for %zu boxes", capacity);
  if (growth->box)
    memcpy(box, growth->box, growth->count * sizeof *box);
  growth->allocator->release(growth->allocator->context, growth->box);
  growth->box = box;
  growth->capacity = capacity;
  return TAC_STATUS_OK;
}

enum tac_status tac_growth_init(struct tac_growth *growth, const struct tac_fmm_tree_options *options,
                                const struct tac_allocator *allocator, struct tac_error *error) {
  *growth = (struct tac_growth){.options = options, .allocator = allocator, .dim = options->dim, .leaves = 1};
  growth->children = 1 << growth->dim;
  for (int level = 0; level < TAC_FMM_MAX_LEVELS; level++)
    growth->first_inner[level] = growth->last_inner[level] = TAC_NO_BOX;
  enum tac_status status = reserve(growth, FIRST_CAPACITY, error);
  if (status)
    return status;
  growth->box[0] = (struct tac_growth_box){.first_child = TAC_NO_BOX, .next = TAC_NO_BOX};
  growth->count = 1;
  return TAC_STATUS_OK;
}

void tac_growth_release(struct tac_growth *growth) {
  if (growth->allocator)
    growth->allocator->release(growth->allocator->context, growth->box);
  *growth = (struct tac_growth){0};
}

static void append_inner(struct tac_growth *growth, int level, int32_t box) {
  if (growth->last_inner[level] == TAC_NO_BOX)
    growth->first_inner[level] = box;
  else
    growth->box[growth->last_inner[level]].next = box;
  growth->last_inner[level] = box;
}

enum tac_status tac_growth_split(struct tac_growth *growth, int32_t box, struct tac_error *error) {
  const size_t children = (size_t)growth->children;
  if (growth->box[box].level + 1 >= TAC_FMM_MAX_LEVELS)
    return tac_error_set(error, TAC_STATUS_INVALID, "tree", "boxes below the deepest level, %d, are asked for",
                         TAC_FMM_MAX_LEVELS - 1);
  if (growth->leaves + children - 1 > growth->options->max_leaves)
    return tac_error_set(error, TAC_STATUS_MEMORY, "tree", "more than max_leaves = %zu leaves", growth->options->max_leaves);
  enum tac_status status = reserve(growth, growth->count + children, error);
  if (status)
    return status;
  struct tac_growth_box *parent = &growth->box[box];
  parent->first_child = (int32_t)growth->count;
  for (int c = 0; c < growth->children; c++) {
    struct tac_growth_box *child = &growth->box[growth->count++];
    *child = (struct tac_growth_box){.first_child = TAC_NO_BOX, .next = TAC_NO_BOX, .level = parent->level + 1};
    for (int axis = 0; axis < growth->dim; axis++)
      child->coordinate[axis] = 2 * parent->coordinate[axis] + (c >> axis & 1);
  }
  growth->leaves += children - 1;
  append_inner(growth, parent->level, box);
  return TAC_STATUS_OK;
}

int32_t tac_growth_first(const struct tac_growth *growth, int level, struct tac_growth_cursor *cursor) {
  *cursor = (struct tac_growth_cursor){.parent = TAC_NO_BOX};
  if (level == 0)
    return 0;
  cursor->parent = growth->first_inner[level - 1];
  return cursor->parent == TAC_NO_BOX ? TAC_NO_BOX : growth->box[cursor->parent].first_child;
}

int32_t tac_growth_next(const struct tac_growth *growth, struct tac_growth_cursor *cursor) {
  if (cursor->parent == TAC_NO_BOX)
    return TAC_NO_BOX;
  if (++cursor->child == growth->children) {
    cursor->child = 0;
    cursor->parent = growth->box[cursor->parent].next;
    if (cursor->parent == TAC_NO_BOX)
      return TAC_NO_BOX;
  }
  return growth->box[cursor->parent].first_child + cursor->child;
}

enum tac_status tac_growth_uniform(struct tac_growth *growth, int level, struct tac_error *error) {
  if (ldexp(1, growth->dim * level) > (double)growth->options->max_leaves)
    return tac_error_set(error, TAC_STATUS_MEMORY, "tree", "a uniform tree of level %d has %.4g leaves, max_leaves is %zu",
                         level, ldexp(1, growth->dim * level), growth->options->max_leaves);
  enum tac_status status = TAC_STATUS_OK;
  for (int above = 0; above < level; above++) {
    struct tac_growth_cursor cursor;
    for (int32_t i = tac_growth_first(growth, above, &cursor); i != TAC_NO_BOX && !status; i = tac_growth_next(growth, &cursor))
      if (growth->box[i].first_child == TAC_NO_BOX)
        status = tac_growth_split(growth, i, error);
  }
  return status;
}

/* 1 when the box comes nearer to the seed than its width, along each axis. */
static int reaches(const struct tac_growth *growth, int32_t box, const struct tac_fmm_seed *seed) {
  const struct tac_growth_box *b = &growth->box[box];
  const double side = ldexp(growth->options->side, -b->level);
  for (int axis = 0; axis < growth->dim; axis++) {
    const double lower = growth->options->lower[axis] + side * b->coordinate[axis];
    if (seed->center[axis] < lower - seed->width || seed->center[axis] > lower + side + seed->width)
      return 0;
  }
  return 1;
}

/* Boxes that were made for other seeds are split too, so every level is walked over from the top; only the children of boxes
 * that the seed reaches can be reached themselves. */
static enum tac_status seed_below(struct tac_growth *growth, int32_t box, const struct tac_fmm_seed *seed,
                                  struct tac_error *error) {
  /* At most 2^dim - 1 siblings wait on each level. */
  int32_t waiting[8 * TAC_FMM_MAX_LEVELS];
  int count = 0;
  waiting[count++] = box;
  enum tac_status status = TAC_STATUS_OK;
  while (count > 0 && !status) {
    const int32_t at = waiting[--count];
    if (ldexp(growth->options->side, -growth->box[at].level) <= seed->width || !reaches(growth, at, seed))
      continue;
    if (growth->box[at].first_child == TAC_NO_BOX)
      status = tac_growth_split(growth, at, error);
    for (int c = 0; c < growth->children && !status; c++)
      waiting[count++] = growth->box[at].first_child + c;
  }
  return status;
}

enum tac_status tac_growth_seed(struct tac_growth *growth, struct tac_error *error) {
  enum tac_status status = TAC_STATUS_OK;
  for (size_t i = 0; i < growth->options->seed_count && !status; i++)
    status = seed_below(growth, 0, &growth->options->seeds[i], error);
  return status;
}

enum tac_status tac_growth_refine(struct tac_growth *growth, tac_fmm_refine_fn refine, void *context, struct tac_error *error) {
  const struct tac_fmm_tree_options *options = growth->options;
  enum tac_status status = TAC_STATUS_OK;
  for (int level = 0; level < TAC_FMM_MAX_LEVELS && !status; level++) {
    const double side = ldexp(options->side, -level);
    struct tac_growth_cursor cursor;
    for (int32_t i = tac_growth_first(growth, level, &cursor); i != TAC_NO_BOX && !status;
         i = tac_growth_next(growth, &cursor)) {
      double lower[3] = {0};
      for (int axis = 0; axis < growth->dim; axis++)
        lower[axis] = options->lower[axis] + side * growth->box[i].coordinate[axis];
      if (growth->box[i].first_child == TAC_NO_BOX && refine(context, level, lower, side))
        status = tac_growth_split(growth, i, error);
    }
  }
  return status;
}

/* Splits from the root on until the box of `level` at a position has children. */
static enum tac_status split_at(struct tac_growth *growth, int level, const int32_t coordinate[3], struct tac_error *error) {
  int32_t box = 0;
  for (int above = 0;; above++) {
    if (growth->box[box].first_child == TAC_NO_BOX) {
      enum tac_status status = tac_growth_split(growth, box, error);
      if (status)
        return status;
    }
    if (above == level)
      return TAC_STATUS_OK;
    int child = 0;
    for (int axis = 0; axis < growth->dim; axis++)
      child |= (coordinate[axis] >> (level - above - 1) & 1) << axis;
    box = growth->box[box].first_child + child;
  }
}

/* Bit n of the result: the children of this box that have children themselves need the box's neighbour n (as in the tree's
 * colleague) to have children, which then touch them. */
static unsigned needed_neighbours(const struct tac_growth *growth, int32_t box) {
  const int step[3] = {1, 3, growth->dim == 3 ? 9 : 0};
  unsigned needed = 0;
  for (int c = 0; c < growth->children; c++) {
    if (growth->box[growth->box[box].first_child + c].first_child == TAC_NO_BOX)
      continue;
    for (int towards = 1; towards < growth->children; towards++) {
      int n = 0;
      for (int axis = 0; axis < 3; axis++)
        n += step[axis] * (1 + (towards >> axis & 1 ? (c >> axis & 1 ? 1 : -1) : 0));
      needed |= 1U << n;
    }
  }
  return needed;
}

static enum tac_status split_neighbours(struct tac_growth *growth, int32_t box, struct tac_error *error) {
  const struct tac_growth_box parent = growth->box[box];
  const unsigned needed = needed_neighbours(growth, box);
  enum tac_status status = TAC_STATUS_OK;
  for (int n = 0; needed >> n && !status; n++) {
    int32_t coordinate[3] = {0};
    int inside = needed >> n & 1;
    for (int axis = 0, digits = n; axis < growth->dim; axis++, digits /= 3) {
      coordinate[axis] = parent.coordinate[axis] + digits % 3 - 1;
      inside &= coordinate[axis] >= 0 && coordinate[axis] < 1 << parent.level;
    }
    if (inside)
      status = split_at(growth, parent.level, coordinate, error);
  }
  return status;
}

/* A box with children at level l needs all its colleagues. From the deepest level upwards, so that what is split on the way
 * is looked at when its own level comes; the root has no neighbours. */
enum tac_status tac_growth_balance(struct tac_growth *growth, struct tac_error *error) {
  enum tac_status status = TAC_STATUS_OK;
  for (int level = TAC_FMM_MAX_LEVELS - 3; level > 0; level--)
    for (int32_t i = growth->first_inner[level]; i != TAC_NO_BOX && !status; i = growth->box[i].next)
      status = split_neighbours(growth, i, error);
  return status;
}
