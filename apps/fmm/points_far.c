/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/fmm/points_far.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "apps/fmm/far_set.h"

static enum tac_status sort_modes(struct tac_point_far *far, int level, struct tac_error *error) {
  const struct tac_modes *modes = &tac_far_level_set(far->plan->far, level)->modes;
  struct tac_point_order *order = &far->order[level];
  order->mode = tac_store_take(&far->store, (size_t)modes->count, sizeof *order->mode, "order of polynomials", error);
  if (!order->mode)
    return TAC_STATUS_MEMORY;
  for (int z = 0; z < (modes->dim == 3 ? modes->order : 1); z++)
    for (int y = 0; y < modes->order; y++)
      for (int x = 0; x < modes->order; x++)
        for (int mode = 0; mode < modes->count; mode++)
          if (modes->degree[mode][0] == x && modes->degree[mode][1] == y && modes->degree[mode][2] == z)
            order->mode[order->count++] = mode;
  far->most_modes = modes->count > far->most_modes ? modes->count : far->most_modes;
  return TAC_STATUS_OK;
}

static enum tac_status make_level(struct tac_point_far *far, int level, struct tac_error *error) {
  const struct tac_fmm_plan *plan = far->plan;
  const size_t rank = (size_t)plan->rank[level], above = (size_t)plan->rank[level - 1];
  far->most_rank = plan->rank[level] > far->most_rank ? plan->rank[level] : far->most_rank;
  if (above) {
    far->l2l[level] = tac_store_take(&far->store, rank * above, sizeof(double), "operators for points", error);
    if (!far->l2l[level])
      return TAC_STATUS_MEMORY;
    tac_far_l2l(far->l2l[level], plan->far, level);
  }
  return sort_modes(far, level, error);
}

enum tac_status tac_point_far_create(struct tac_point_far **out, const struct tac_fmm_plan *plan, struct tac_error *error) {
  const struct tac_allocator *allocator = &plan->store.allocator;
  struct tac_point_far *far = allocator->allocate(allocator->context, sizeof *far);
  if (!far)
    return tac_error_set(error, TAC_STATUS_MEMORY, "points", "no memory for the far field");
  *far = (struct tac_point_far){.plan = plan, .kernel = tac_point_kernel_best()};
  tac_store_init(&far->store, allocator);
  enum tac_status status = TAC_STATUS_OK;
  for (int level = 2; plan->far && level < plan->tree->levels && !status; level++)
    status = make_level(far, level, error);
  if (status)
    tac_point_far_destroy(&far);
  *out = far;
  return status;
}

void tac_point_far_destroy(struct tac_point_far **far) {
  if (!far || !*far)
    return;
  const struct tac_allocator allocator = (*far)->plan->store.allocator;
  tac_store_release(&(*far)->store);
  allocator.release(allocator.context, *far);
  *far = NULL;
}

int tac_point_local_init(struct tac_point_local *local, const struct tac_point_far *far, struct tac_arena *arena) {
  const size_t parts = (size_t)far->plan->parts, rank = (size_t)far->most_rank, modes = (size_t)far->most_modes;
  double *memory = tac_arena_take(arena, (parts * (modes + 3 * rank) + modes) * sizeof *memory);
  *local = (struct tac_point_local){0};
  if (!memory)
    return 0;
  for (size_t part = 0; part < parts; part++, memory += modes)
    local->polynomial[part] = memory;
  local->work = memory;
  return 1;
}

/* The expansion of one part: 0 and 1 are places for those of a cell and its parent in turn, 2 is scratch. */
static double *place(const struct tac_point_local *local, const struct tac_point_far *far, int which, int part) {
  return local->work + (size_t)(3 * part + which) * (size_t)far->most_rank;
}

/* out += R A R in, R the signs of the mirrored axes in the classes of rows and columns. */
static void add_mirrored(double *out, const struct tac_point_far *far, const double *matrix, int row_level, int column_level,
                         unsigned axes, const double *in, double *scratch) {
  const struct tac_far *operators = far->plan->far;
  const int *rows = tac_far_class_begin(operators, row_level), *columns = tac_far_class_begin(operators, column_level);
  const int classes = far->plan->children;
  double signs[2][TAC_MAX_CLASSES];
  for (int class = 0; class < classes; class ++)
    signs[0][class] = tac_odd((unsigned)class & axes) ? -1 : 1;
  for (int class = 0; class < classes; class ++) {
    for (int j = columns[class]; j < columns[class + 1]; j++)
      scratch[j] = signs[0][class] * in[j];
    for (int i = rows[class]; i < rows[class + 1]; i++)
      out[i] *= signs[0][class];
  }
  far->kernel->multiply(out, matrix, scratch, rows[classes], columns[classes]);
  for (int class = 0; class < classes; class ++)
    for (int i = rows[class]; i < rows[class + 1]; i++)
      out[i] *= signs[0][class];
}

static void add_m2l(const struct tac_point_local *local, const struct tac_point_far *far, int which, int32_t source,
                    const int offset[3]) {
  const struct tac_fmm_plan *plan = far->plan;
  const int level = plan->tree->level[source];
  unsigned axes = 0;
  for (int axis = 0; axis < plan->dim; axis++)
    axes |= (unsigned)(offset[axis] < 0) << axis;
  for (int part = 0; part < plan->parts; part++)
    add_mirrored(place(local, far, which, part), far, tac_far_m2l_stored(plan->far, level, part, offset), level, level, axes,
                 plan->multipoles + tac_plan_box_offset(plan, source), place(local, far, 2, part));
}

/* Child `bits` of the cell of `parent`: its expansion starts with that of the parent, where there is one. */
static void start_child(const struct tac_point_local *local, const struct tac_point_far *far, int which, int level,
                        unsigned bits, const double *const *parent) {
  const struct tac_fmm_plan *plan = far->plan;
  const unsigned lower = ~bits & (unsigned)(plan->children - 1);
  for (int part = 0; part < plan->parts; part++) {
    double *out = place(local, far, which, part);
    memset(out, 0, (size_t)plan->rank[level] * sizeof *out);
    if (parent && plan->rank[level - 1])
      add_mirrored(out, far, far->l2l[level], level, level - 1, lower, parent[part], place(local, far, 2, part));
  }
}

/* Expansions in the functions of a level to polynomials. */
static void to_polynomial(double *out, const struct tac_point_far *far, int level, const double *expansion, double *scratch) {
  const struct tac_far_set *set = tac_far_level_set(far->plan->far, level);
  const size_t count = (size_t)set->modes.count;
  memset(scratch, 0, count * sizeof *scratch);
  for (int class = 0; class < 1 << set->modes.dim; class ++) {
    const int first = set->modes.class_begin[class], size = set->modes.class_begin[class + 1] - first;
    for (int k = set->class_begin[class]; k < set->class_begin[class + 1]; k++)
      for (int i = 0; i < size; i++)
        scratch[first + i] += set->vectors[(size_t)(first + i) + count * (size_t)k] * expansion[k];
  }
  for (size_t i = 0; i < count; i++)
    out[i] = scratch[far->order[level].mode[i]];
}

static double *scratch_of(const struct tac_point_local *local, const struct tac_point_far *far) {
  return place(local, far, 0, far->plan->parts);
}

static void finish(struct tac_point_local *local, const struct tac_point_far *far, const double *const *expansion) {
  for (int part = 0; part < far->plan->parts; part++)
    to_polynomial(local->polynomial[part], far, local->cell.level, expansion[part], scratch_of(local, far));
  local->present = 1;
}

static void set_cell(struct tac_point_local *local, int level, const int32_t *coordinate, int child, int dim) {
  local->cell = (struct tac_point_cell){.level = level};
  for (int axis = 0; axis < dim; axis++)
    local->cell.coordinate[axis] = child < 0 ? coordinate[axis] : 2 * coordinate[axis] + (child >> axis & 1);
  local->present = 0;
}

static void locals_of(const double **out, const struct tac_fmm_plan *plan, int32_t box) {
  for (int part = 0; part < plan->parts; part++)
    out[part] = plan->locals[part] + tac_plan_box_offset(plan, box);
}

void tac_point_local_of_leaf(struct tac_point_local *local, const struct tac_point_far *far, int32_t box) {
  const struct tac_fmm_plan *plan = far->plan;
  const double *expansion[TAC_MAX_PARTS];
  set_cell(local, plan->tree->level[box], plan->tree->coordinate[box], -1, plan->dim);
  if (!plan->rank[local->cell.level])
    return;
  locals_of(expansion, plan, box);
  finish(local, far, expansion);
}

void tac_point_local_of_child(struct tac_point_local *local, const struct tac_point_far *far, int32_t box, int child,
                              const struct tac_pair *list3, int pairs) {
  const struct tac_fmm_plan *plan = far->plan;
  const int level = plan->tree->level[box];
  const double *expansion[TAC_MAX_PARTS] = {0};
  if (plan->rank[level])
    locals_of(expansion, plan, box);
  start_child(local, far, 0, level + 1, (unsigned)child, plan->rank[level] ? expansion : NULL);
  for (int i = 0; i < pairs; i++) {
    int offset[3] = {0};
    for (int axis = 0; axis < plan->dim; axis++)
      offset[axis] = list3[i].offset[axis] - (child >> axis & 1);
    add_m2l(local, far, 0, list3[i].source, offset);
  }
  for (int part = 0; part < plan->parts; part++)
    expansion[part] = place(local, far, 0, part);
  set_cell(local, level + 1, plan->tree->coordinate[box], child, plan->dim);
  finish(local, far, expansion);
}

/* Largest distance along an axis between a box and a cell, in sides of the box: 0 where they touch. */
static double gap(const struct tac_fmm_tree *tree, int32_t box, const struct tac_point_cell *cell) {
  const double scale = ldexp(1, tree->level[box] - cell->level);
  double most = 0;
  for (int axis = 0; axis < tree->dim; axis++) {
    const double lower = cell->coordinate[axis] * scale, at = tree->coordinate[box][axis];
    most = fmax(most, fmax(lower - (at + 1), at - (lower + scale)));
  }
  return most;
}

static struct tac_point_cell ancestor(const struct tac_point_cell *cell, int level, int dim) {
  struct tac_point_cell out = {.level = level};
  for (int axis = 0; axis < dim; axis++)
    out.coordinate[axis] = cell->coordinate[axis] >> (cell->level - level);
  return out;
}

/* Boxes of one level that need a decision. */
struct frontier {
  int count;
  int32_t box[216];
};

static void push_children(struct frontier *next, const struct tac_fmm_tree *tree, int32_t box) {
  for (int c = 0; c < 1 << tree->dim; c++)
    next->box[next->count++] = tree->first_child[box] + c;
}

static int is_leaf(const struct tac_fmm_tree *tree, int32_t box) {
  return tree->leaf[box] != TAC_NO_BOX;
}

/* Levels without expansions. */
static void sort_coarse(struct frontier *next, struct tac_point_sources *sources, const struct tac_point_far *far, int32_t box,
                        const struct tac_point_cell *cell) {
  const struct tac_fmm_tree *tree = far->plan->tree;
  const int separated = gap(tree, box, cell) >= 1;
  if (separated && tree->level[box] >= far->clouds.top)
    sources->cloud_box[sources->clouds++] = box;
  else if (is_leaf(tree, box))
    sources->near_box[sources->near++] = box;
  else
    push_children(next, tree, box);
}

static void sort_fine(struct tac_point_local *local, int which, struct frontier *next, struct tac_point_sources *sources,
                      const struct tac_point_far *far, int32_t box, const struct tac_point_cell *cell) {
  const struct tac_fmm_tree *tree = far->plan->tree;
  int offset[3] = {0}, farthest = 0;
  for (int axis = 0; axis < tree->dim; axis++) {
    offset[axis] = tree->coordinate[box][axis] - cell->coordinate[axis];
    farthest = abs(offset[axis]) > farthest ? abs(offset[axis]) : farthest;
  }
  if (farthest > 3)
    sources->cloud_box[sources->clouds++] = box;
  else if (farthest > 1) {
    add_m2l(local, far, which, box, offset);
    local->present = 1;
  } else if (is_leaf(tree, box))
    sources->near_box[sources->near++] = box;
  else
    push_children(next, tree, box);
}

void tac_point_local_outside(struct tac_point_local *local, struct tac_point_sources *sources, const struct tac_point_far *far,
                             const struct tac_point_cell *cell) {
  const struct tac_fmm_plan *plan = far->plan;
  struct frontier frontier = {.count = 1, .box = {0}};
  const double *expansion[TAC_MAX_PARTS] = {0};
  sources->near = sources->clouds = 0;
  set_cell(local, cell->level, cell->coordinate, -1, plan->dim);
  for (int level = 0; level <= cell->level; level++) {
    struct frontier next = {0};
    const struct tac_point_cell at = ancestor(cell, level, plan->dim);
    unsigned bits = 0;
    for (int axis = 0; axis < plan->dim; axis++)
      bits |= (unsigned)(at.coordinate[axis] & 1) << axis;
    if (plan->rank[level])
      start_child(local, far, level & 1, level, bits, level > 2 ? expansion : NULL);
    for (int i = 0; i < frontier.count; i++) {
      if (level < 2)
        sort_coarse(&next, sources, far, frontier.box[i], cell);
      else
        sort_fine(local, level & 1, &next, sources, far, frontier.box[i], &at);
    }
    for (int part = 0; part < plan->parts; part++)
      expansion[part] = place(local, far, level & 1, part);
    frontier = next;
  }
  if (local->present && expansion[0])
    finish(local, far, expansion);
}

static void cell_of(struct tac_point_cell *cell, const struct tac_fmm_tree *tree, const double *point, int level) {
  const double farthest = fmin(ldexp(8, level), INT32_MAX - 1.0);
  cell->level = level;
  for (int axis = 0; axis < tree->dim; axis++) {
    const double place = (point[axis] - tree->options.lower[axis]) / tree->options.side * ldexp(1, level);
    cell->coordinate[axis] = (int32_t)floor(fmax(-farthest, fmin(farthest, place)));
  }
}

/* 1 when a divided box of the cell's level touches the cell. */
static int touches_inner(const struct tac_fmm_tree *tree, int32_t box, const struct tac_point_cell *cell) {
  const struct tac_point_cell at = ancestor(cell, tree->level[box], tree->dim);
  if (is_leaf(tree, box) || gap(tree, box, &at) > 0)
    return 0;
  if (tree->level[box] == cell->level)
    return 1;
  for (int c = 0; c < 1 << tree->dim; c++)
    if (touches_inner(tree, tree->first_child[box] + c, cell))
      return 1;
  return 0;
}

void tac_point_cell_outside(struct tac_point_cell *cell, const struct tac_point_far *far, const double *point) {
  const struct tac_fmm_tree *tree = far->plan->tree;
  *cell = (struct tac_point_cell){0};
  int level = 2;
  cell_of(cell, tree, point, level);
  while (touches_inner(tree, 0, cell))
    cell_of(cell, tree, point, ++level);
}
