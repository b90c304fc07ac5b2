/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/fmm/points.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "apps/fmm/device/device.h"
#include "apps/fmm/points_far.h"
#include "apps/fmm/points_near.h"

#define PASS (1 << 20) /* points that are sorted at once: bounds the memory of a call */
#define UNIT 512       /* points of an item, at most */

struct tac_points {
  struct tac_allocator allocator;
  struct tac_point_near *near;
  struct tac_point_far *far;
};

/* A point with the box whose expansions serve it. */
struct entry {
  double x[3];
  size_t index;
  int32_t leaf; /* box; TAC_NO_BOX outside the domain */
  struct tac_point_cell cell;
};

struct pass {
  struct tac_fmm_plan *plan;
  const struct tac_points *points;
  struct entry *entry;
  size_t count, *begin; /* of items: begin[item] … begin[item+1]-1 */
  size_t items;
  double *const *fields;
};

void tac_points_destroy(struct tac_points **points) {
  if (!points || !*points)
    return;
  const struct tac_allocator allocator = (*points)->allocator;
  tac_point_near_destroy(&(*points)->near);
  tac_point_far_destroy(&(*points)->far);
  allocator.release(allocator.context, *points);
  *points = NULL;
}

static enum tac_status make_near(struct tac_points *points, const struct tac_fmm_plan *plan, struct tac_error *error) {
  struct tac_point_near_options options = {.dim = plan->dim,
                                           .order = plan->modes.order,
                                           .gradient = plan->options.gradient,
                                           .basis = plan->modes.basis,
                                           .kernel = plan->options.kernel,
                                           .eps = plan->options.eps,
                                           .levels = plan->tree->levels,
                                           .allocator = &points->allocator};
  for (int level = 0; level < options.levels; level++) {
    options.side[level] = tac_fmm_tree_side(plan->tree, level);
    if (tac_fmm_tree_leaves_at(plan->tree, level) == 0)
      continue;
    /* A coarser target reaches two sides beyond the source, as does a point outside that sees a leaf of the first levels. */
    options.reach[level] = level < 2 || tac_fmm_tree_leaves_at(plan->tree, level - 1) > 0 ? 3 : 2;
  }
  return tac_point_near_create(&points->near, &options, error);
}

static enum tac_status prepare(struct tac_fmm_plan *plan, struct tac_error *error) {
  if (plan->points)
    return TAC_STATUS_OK;
  const struct tac_allocator *allocator = &plan->store.allocator;
  struct tac_points *points = allocator->allocate(allocator->context, sizeof *points);
  if (!points)
    return tac_error_set(error, TAC_STATUS_MEMORY, "points", "no memory for the evaluation at points");
  *points = (struct tac_points){.allocator = *allocator};
  enum tac_status status = make_near(points, plan, error);
  if (!status)
    status = tac_point_far_create(&points->far, plan, error);
  if (status)
    tac_points_destroy(&points);
  plan->points = points;
  return status;
}

static enum tac_status refuse(enum tac_status status, const struct entry *entry, int dim, struct tac_error *error) {
  const char *what = status == TAC_STATUS_INVALID ? "the point" : "the answer";
  if (dim == 2)
    return tac_error_set(error, status, "points", "%s is not finite: point %zu (%.17g, %.17g)", what, entry->index, entry->x[0],
                         entry->x[1]);
  return tac_error_set(error, status, "points", "%s is not finite: point %zu (%.17g, %.17g, %.17g)", what, entry->index,
                       entry->x[0], entry->x[1], entry->x[2]);
}

/* Finds the box of each point. *outside: 1 when there is a point outside the domain. */
static enum tac_status locate(struct pass *pass, size_t first, const double *points, int *outside, struct tac_error *error) {
  const struct tac_fmm_tree *tree = pass->plan->tree;
  for (size_t i = 0; i < pass->count; i++) {
    struct entry *entry = &pass->entry[i];
    *entry = (struct entry){.index = first + i, .leaf = TAC_NO_BOX};
    for (int axis = 0; axis < tree->dim; axis++) {
      entry->x[axis] = points[(size_t)tree->dim * entry->index + (size_t)axis];
      if (!isfinite(entry->x[axis]))
        return refuse(TAC_STATUS_INVALID, entry, tree->dim, error);
    }
    const size_t leaf = tac_fmm_tree_find(tree, entry->x);
    if (leaf != (size_t)-1) {
      entry->leaf = tree->leaf_box[leaf];
      continue;
    }
    *outside = 1;
    tac_point_cell_outside(&entry->cell, pass->points->far, entry->x);
  }
  return TAC_STATUS_OK;
}

static int compare_cells(const struct entry *a, const struct entry *b) {
  if (a->leaf != b->leaf)
    return a->leaf < b->leaf ? -1 : 1;
  if (a->cell.level != b->cell.level)
    return a->cell.level < b->cell.level ? -1 : 1;
  for (int axis = 2; axis >= 0; axis--)
    if (a->cell.coordinate[axis] != b->cell.coordinate[axis])
      return a->cell.coordinate[axis] < b->cell.coordinate[axis] ? -1 : 1;
  return 0;
}

/* By box, inside a box along the axes, the last axis first. */
static int compare_entries(const void *left, const void *right) {
  const struct entry *a = left, *b = right;
  const int cells = compare_cells(a, b);
  if (cells)
    return cells;
  for (int axis = 2; axis >= 0; axis--)
    if (a->x[axis] != b->x[axis])
      return a->x[axis] < b->x[axis] ? -1 : 1;
  return a->index < b->index ? -1 : a->index > b->index;
}

static void cut(struct pass *pass) {
  pass->items = 0;
  for (size_t i = 0; i < pass->count; i++)
    if (i == 0 || i - pass->begin[pass->items - 1] == UNIT || compare_cells(&pass->entry[i - 1], &pass->entry[i]))
      pass->begin[pass->items++] = i;
  pass->begin[pass->items] = pass->count;
}

/* One item at work. values[TAC_MAX_FIELDS*i + field]. */
struct unit {
  const struct pass *pass;
  const struct entry *entry;
  int count;
  double *values;
  struct tac_point_local local;
  struct tac_point_sources sources;
};

static int child_of(const struct tac_fmm_tree *tree, int32_t box, const double *x) {
  const double side = tac_fmm_tree_side(tree, tree->level[box]);
  int child = 0;
  for (int axis = 0; axis < tree->dim; axis++)
    child |= (x[axis] - tree->options.lower[axis] >= side * (tree->coordinate[box][axis] + 0.5)) << axis;
  return child;
}

static void add_local(struct unit *unit, int i) {
  if (unit->local.present)
    tac_point_local_add(unit->values + TAC_MAX_FIELDS * i, &unit->local, unit->pass->points->far, unit->entry[i].x);
}

/* Expansions inside a leaf: its own, or those of its children where List 3 is not empty. */
static enum tac_status add_far_inside(struct unit *unit, struct tac_lane *lane) {
  const struct tac_fmm_plan *plan = unit->pass->plan;
  const struct tac_point_far *far = unit->pass->points->far;
  const int32_t box = unit->entry->leaf;
  const size_t room = (size_t)tac_list_limit(plan->dim, TAC_LIST3);
  struct tac_pair *pairs = tac_arena_take(lane->arena, room * sizeof *pairs);
  if (!pairs)
    return tac_error_set(lane->error, TAC_STATUS_MEMORY, "points", "no scratch for a list");
  const int count = tac_list_pairs(plan->tree, TAC_LIST3, box, pairs);
  if (count == 0) {
    tac_point_local_of_leaf(&unit->local, far, box);
    for (int i = 0; i < unit->count; i++)
      add_local(unit, i);
    return TAC_STATUS_OK;
  }
  for (int child = 0; child < plan->children; child++) {
    unit->local.present = 0;
    for (int i = 0; i < unit->count; i++) {
      if (child_of(plan->tree, box, unit->entry[i].x) != child)
        continue;
      if (!unit->local.present)
        tac_point_local_of_child(&unit->local, far, box, child, pairs, count);
      add_local(unit, i);
    }
  }
  return TAC_STATUS_OK;
}

/* List 1 of a leaf. */
static void find_near(struct unit *unit, struct tac_pair *pairs) {
  const struct tac_fmm_tree *tree = unit->pass->plan->tree;
  unit->sources.near = unit->sources.clouds = 0;
  for (int list = TAC_LIST1_SAME; list <= TAC_LIST1_COARSER; list++) {
    const int count = tac_list_pairs(tree, (enum tac_list)list, unit->entry->leaf, pairs);
    for (int i = 0; i < count; i++)
      unit->sources.near_box[unit->sources.near++] = pairs[i].source;
  }
}

static void add_block(struct unit *unit, struct tac_point_block *block, int first, int count) {
  const struct tac_fmm_plan *plan = unit->pass->plan;
  const struct tac_fmm_tree *tree = plan->tree;
  for (int s = 0; s < unit->sources.near; s++) {
    const int32_t box = unit->sources.near_box[s];
    const double side = tac_fmm_tree_side(tree, tree->level[box]);
    double lower[3] = {0};
    for (int axis = 0; axis < plan->dim; axis++)
      lower[axis] = tree->options.lower[axis] + side * tree->coordinate[box][axis];
    tac_point_block_add(block, tree->level[box], lower, tac_plan_coefficients(plan, tree->leaf[box]));
  }
  for (int field = 0; field < plan->fields; field++) {
    const double *values = tac_point_block_values(block, field);
    for (int i = 0; i < count; i++)
      unit->values[TAC_MAX_FIELDS * (first + i) + field] += values[i];
  }
}

static enum tac_status add_near(struct unit *unit, struct tac_lane *lane) {
  struct tac_point_block *block = tac_point_block_create(unit->pass->points->near, lane->arena);
  const double **points = tac_arena_take(lane->arena, UNIT * sizeof *points);
  if (!block || !points)
    return tac_error_set(lane->error, TAC_STATUS_MEMORY, "points", "no scratch for the near field");
  for (int i = 0; i < unit->count; i++)
    points[i] = unit->entry[i].x;
  for (int done = 0; done < unit->count;) {
    const int taken = tac_point_block_take(block, (size_t)(unit->count - done), points + done);
    add_block(unit, block, done, taken);
    done += taken;
  }
  return TAC_STATUS_OK;
}

static enum tac_status add_all(struct unit *unit, struct tac_lane *lane) {
  const struct tac_points *points = unit->pass->points;
  enum tac_status status = TAC_STATUS_OK;
  if (unit->entry->leaf != TAC_NO_BOX) {
    struct tac_pair *pairs = tac_arena_take(lane->arena, 64 * sizeof *pairs);
    if (!pairs)
      return tac_error_set(lane->error, TAC_STATUS_MEMORY, "points", "no scratch for a list");
    find_near(unit, pairs);
    status = add_far_inside(unit, lane);
  } else {
    tac_point_local_outside(&unit->local, &unit->sources, points->far, &unit->entry->cell);
    for (int i = 0; i < unit->count; i++) {
      add_local(unit, i);
      for (int c = 0; c < unit->sources.clouds; c++)
        tac_point_cloud_add(unit->values + TAC_MAX_FIELDS * i, points->far, unit->sources.cloud_box[c], unit->entry[i].x);
    }
  }
  return status || unit->sources.near == 0 ? status : add_near(unit, lane);
}

static enum tac_status item(void *context, size_t index, struct tac_lane *lane) {
  const struct pass *pass = context;
  struct unit *unit = tac_arena_take(lane->arena, sizeof *unit);
  double *values = tac_arena_take(lane->arena, UNIT * TAC_MAX_FIELDS * sizeof *values);
  if (!unit || !values)
    return tac_error_set(lane->error, TAC_STATUS_MEMORY, "points", "no scratch for points");
  *unit = (struct unit){.pass = pass,
                        .entry = pass->entry + pass->begin[index],
                        .count = (int)(pass->begin[index + 1] - pass->begin[index]),
                        .values = values};
  memset(values, 0, UNIT * TAC_MAX_FIELDS * sizeof *values);
  if (!tac_point_local_init(&unit->local, pass->points->far, lane->arena))
    return tac_error_set(lane->error, TAC_STATUS_MEMORY, "points", "no scratch for expansions");
  const enum tac_status status = add_all(unit, lane);
  if (status)
    return status;
  for (int i = 0; i < unit->count; i++)
    for (int field = 0; field < pass->plan->fields; field++) {
      const double value = values[TAC_MAX_FIELDS * i + field];
      if (!isfinite(value))
        return refuse(TAC_STATUS_NUMERICAL, &unit->entry[i], pass->plan->dim, lane->error);
      pass->fields[field][unit->entry[i].index] = value;
    }
  return TAC_STATUS_OK;
}

static double cost(const void *context, size_t index) {
  const struct pass *pass = context;
  return (double)(pass->begin[index + 1] - pass->begin[index]) + 16;
}

static enum tac_status check(const struct tac_fmm_plan *plan, const struct tac_scheduler *scheduler, size_t count,
                             const double *points, double *const *fields, struct tac_error *error) {
  if (!plan || !scheduler || !fields || (count && !points))
    return tac_error_set(error, TAC_STATUS_INVALID, "points", "plan, scheduler, points or place for the answer is missing");
  for (int field = 0; field < plan->fields; field++)
    if (count && !fields[field])
      return tac_error_set(error, TAC_STATUS_INVALID, "points", "no place for field %d of %d", field, plan->fields);
  if (!plan->evaluated)
    return tac_error_set(error, TAC_STATUS_INVALID, "points", "no density has been evaluated");
  return TAC_STATUS_OK;
}

enum tac_status tac_fmm_evaluate_at(struct tac_fmm_plan *plan, struct tac_scheduler *scheduler, size_t count,
                                    const double *points, double *const *fields, struct tac_error *error) {
  enum tac_status status = check(plan, scheduler, count, points, fields, error);
  if (!status)
    status = tac_plan_fetch_expansions(plan, scheduler, error);
  if (!status)
    status = prepare(plan, error);
  if (status)
    return status;
  const struct tac_allocator *allocator = &plan->store.allocator;
  const size_t room = count < PASS ? count : PASS;
  struct pass pass = {.plan = plan, .points = plan->points, .fields = fields};
  int outside = 0, clouds = 0;
  pass.entry = allocator->allocate(allocator->context, room * sizeof *pass.entry);
  pass.begin = allocator->allocate(allocator->context, (room + 1) * sizeof *pass.begin);
  if (!pass.entry || !pass.begin)
    status = tac_error_set(error, TAC_STATUS_MEMORY, "points", "no memory to sort %zu points", room);
  for (size_t first = 0; first < count && !status; first += PASS) {
    pass.count = count - first < PASS ? count - first : PASS;
    status = locate(&pass, first, points, &outside, error);
    if (!status && outside && !clouds) {
      status = tac_point_far_fill_clouds(plan->points->far, error);
      clouds = 1;
    }
    if (status)
      break;
    qsort(pass.entry, pass.count, sizeof *pass.entry, compare_entries);
    cut(&pass);
    const struct tac_batch batch = {.count = pass.items, .item = item, .cost = cost, .context = &pass};
    status = tac_run_batch(scheduler, &batch, error);
  }
  allocator->release(allocator->context, pass.begin);
  allocator->release(allocator->context, pass.entry);
  return status;
}
