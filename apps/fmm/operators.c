/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
/* The stencils of every level: matrices of the near and the far field in the form that tac_stencil_create asks for. */
#include "apps/fmm/operators.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void tac_rows_to_classes(const struct tac_fmm_plan *plan, const double *matrix, int columns, double *out) {
  const size_t rows = (size_t)plan->space.count;
  for (size_t c = 0; c < (size_t)columns; c++)
    tac_nodes_to_classes(&plan->space, matrix + c * rows, out + c * rows);
}

double *tac_node_matrix(const struct tac_fmm_plan *plan, int columns, struct tac_error *error) {
  double *matrix = malloc((size_t)plan->space.count * (size_t)columns * sizeof *matrix);
  if (!matrix)
    tac_error_set(error, TAC_STATUS_MEMORY, "operators", "no memory for a matrix of %d by %d", plan->space.count, columns);
  return matrix;
}

static enum tac_status near_matrix(void *context, const int offset[3], double *out, struct tac_error *error) {
  const struct tac_operator_request *r = context;
  double *matrix = tac_node_matrix(r->plan, r->plan->modes.count, error);
  if (!matrix)
    return TAC_STATUS_MEMORY;
  tac_near_matrix(matrix, r->plan->near, r->layer, TAC_LIST1_SAME, offset, r->level, r->field);
  tac_rows_to_classes(r->plan, matrix, r->plan->modes.count, out);
  free(matrix);
  return TAC_STATUS_OK;
}

static enum tac_status p2m_matrix(void *context, const int offset[3], double *out, struct tac_error *error) {
  const struct tac_operator_request *r = context;
  (void)offset;
  (void)error;
  tac_far_p2m(out, r->plan->far, r->level);
  return TAC_STATUS_OK;
}

static enum tac_status l2p_matrix(void *context, const int offset[3], double *out, struct tac_error *error) {
  const struct tac_operator_request *r = context;
  const int rank = r->plan->rank[r->level];
  (void)offset;
  double *matrix = tac_node_matrix(r->plan, rank, error);
  if (!matrix)
    return TAC_STATUS_MEMORY;
  tac_far_l2p(matrix, r->plan->far, r->level, r->component);
  tac_rows_to_classes(r->plan, matrix, rank, out);
  free(matrix);
  return TAC_STATUS_OK;
}

/* The part of class sigma of a parent is M2M[sigma rows] times the super vector of class sigma, since M2M of a mirrored child
 * is R M2M R. Level is the children's. */
static enum tac_status m2m_matrix(void *context, const int offset[3], double *out, struct tac_error *error) {
  const struct tac_operator_request *r = context;
  const int rows = r->plan->rank[r->level - 1], rank = r->plan->rank[r->level];
  const int *begin = tac_far_class_begin(r->plan->far, r->level - 1);
  (void)offset;
  double *matrix = malloc((size_t)rows * (size_t)rank * sizeof *matrix);
  if (!matrix)
    return tac_error_set(error, TAC_STATUS_MEMORY, "operators", "no memory for M2M");
  tac_far_m2m(matrix, r->plan->far, r->level);
  memset(out, 0, (size_t)rows * (size_t)rank * (size_t)r->plan->children * sizeof *out);
  for (int class = 0; class < r->plan->children; class ++)
    for (int j = 0; j < rank; j++)
      for (int i = begin[class]; i < begin[class + 1]; i++)
        out[i + (size_t)rows * (size_t)(class * rank + j)] = matrix[i + (size_t)rows * (size_t)j];
  free(matrix);
  return TAC_STATUS_OK;
}

/* The transpose of that structure: joining the children's locals gives 2^dim L2L[sigma columns] times the parent's class sigma.
 */
static enum tac_status l2l_matrix(void *context, const int offset[3], double *out, struct tac_error *error) {
  const struct tac_operator_request *r = context;
  const int columns = r->plan->rank[r->level - 1], rank = r->plan->rank[r->level];
  const size_t rows = (size_t)rank * (size_t)r->plan->children;
  const int *begin = tac_far_class_begin(r->plan->far, r->level - 1);
  (void)offset;
  double *matrix = malloc((size_t)rank * (size_t)columns * sizeof *matrix);
  if (!matrix)
    return tac_error_set(error, TAC_STATUS_MEMORY, "operators", "no memory for L2L");
  tac_far_l2l(matrix, r->plan->far, r->level);
  memset(out, 0, rows * (size_t)columns * sizeof *out);
  for (int class = 0; class < r->plan->children; class ++)
    for (int j = begin[class]; j < begin[class + 1]; j++)
      for (int i = 0; i < rank; i++)
        out[(size_t)(class * rank + i) + rows * (size_t)j] = r->plan->children * matrix[i + (size_t)rank * (size_t)j];
  free(matrix);
  return TAC_STATUS_OK;
}

/* Column by column: a unit vector in class form to node values and on to coefficients. */
static enum tac_status projection_matrix(void *context, const int offset[3], double *out, struct tac_error *error) {
  const struct tac_operator_request *r = context;
  const struct tac_fmm_plan *plan = r->plan;
  const size_t nodes = (size_t)plan->space.count;
  (void)offset;
  double *scratch = calloc(4 * nodes, sizeof *scratch);
  if (!scratch)
    return tac_error_set(error, TAC_STATUS_MEMORY, "operators", "no memory for the projection");
  double *unit = scratch + 2 * nodes, *values = unit + nodes;
  for (size_t i = 0; i < nodes; i++) {
    unit[i] = 1;
    tac_classes_to_nodes(&plan->space, unit, values);
    tac_nodes_to_modes(&plan->transform, &plan->modes, values, out + i * (size_t)plan->modes.count, scratch);
    unit[i] = 0;
  }
  free(scratch);
  return TAC_STATUS_OK;
}

static void copy_classes(int *to, const int *from, int classes) {
  memcpy(to, from, ((size_t)classes + 1) * sizeof *to);
}

/* Super vectors: every class has `rank` entries. */
static void super_classes(int *to, int rank, int classes) {
  for (int c = 0; c <= classes; c++)
    to[c] = c * rank;
}

static enum tac_status make(struct tac_stencil **out, const struct tac_stencil_shape *shape, tac_stencil_matrix_fn matrix,
                            struct tac_operator_request *request, double tolerance, struct tac_error *error) {
  return tac_stencil_create(out, shape, matrix, request, tolerance, &request->plan->store.allocator, error);
}

/* Blocks of low rank, kept between runs under a key of what, part, component and all that the far field's functions depend on.
 */
static enum tac_status make_factored(struct tac_stencil **out, struct tac_stencil_shape *shape, tac_stencil_matrix_fn matrix,
                                     struct tac_operator_request *request, const char *what, struct tac_error *error) {
  const struct tac_fmm_plan *plan = request->plan;
  const double tolerance = tac_far_block_tolerance(plan->far);
  char far[512], key[768];
  tac_far_key(far, sizeof far, plan->far, request->level);
  snprintf(key, sizeof key, "%s, part %d, component %d, tolerance %.17g, %s", what, request->part, request->component,
           tolerance, far);
  shape->cache_folder = plan->options.cache_folder;
  shape->cache_key = key;
  return make(out, shape, matrix, request, tolerance, error);
}

enum tac_status tac_plan_make_projection(struct tac_stencil **out, struct tac_fmm_plan *plan, struct tac_error *error) {
  struct tac_operator_request request = {.plan = plan};
  struct tac_stencil_shape shape = {.dim = plan->dim, .reach = TAC_REACH_SELF};
  copy_classes(shape.source_begin, plan->space.class_begin, plan->children);
  copy_classes(shape.target_begin, plan->modes.class_begin, plan->children);
  return make(out, &shape, projection_matrix, &request, 0, error);
}

int tac_plan_near_has(const struct tac_fmm_plan *plan, int layer, int level, int field) {
  const int itself[3] = {0};
  struct tac_near_relation relation;
  tac_near_relation(&relation, plan->near, layer, TAC_LIST1_SAME, itself, level, field);
  return relation.stored != NULL;
}

static enum tac_status make_near(struct tac_fmm_plan *plan, int level, int layer, struct tac_error *error) {
  enum tac_status status = TAC_STATUS_OK;
  for (int field = 0; field < plan->fields && !status; field++) {
    if (!tac_plan_near_has(plan, layer, level, field))
      continue;
    struct tac_operator_request request = {.plan = plan, .level = level, .layer = layer, .field = field};
    struct tac_stencil_shape shape = {.dim = plan->dim, .reach = TAC_REACH_ALL, .flip = plan->flip[field]};
    copy_classes(shape.source_begin, plan->modes.class_begin, plan->children);
    copy_classes(shape.target_begin, plan->space.class_begin, plan->children);
    status = make(&plan->operators[level].near[layer][field], &shape, near_matrix, &request, 0, error);
  }
  return status;
}

/* P2M, L2P and M2L of a level. */
static enum tac_status make_far(struct tac_fmm_plan *plan, int level, struct tac_error *error) {
  struct tac_level_operators *o = &plan->operators[level];
  struct tac_operator_request request = {.plan = plan, .level = level};
  struct tac_stencil_shape p2m = {.dim = plan->dim, .reach = TAC_REACH_SELF};
  copy_classes(p2m.source_begin, plan->modes.class_begin, plan->children);
  copy_classes(p2m.target_begin, tac_far_class_begin(plan->far, level), plan->children);
  enum tac_status status = make(&o->p2m[0], &p2m, p2m_matrix, &request, 0, error);
  for (int component = 0; component * plan->parts < plan->fields && !status; component++) {
    struct tac_stencil_shape l2p = {.dim = plan->dim, .reach = TAC_REACH_SELF, .flip = plan->flip[component * plan->parts]};
    copy_classes(l2p.source_begin, tac_far_class_begin(plan->far, level), plan->children);
    copy_classes(l2p.target_begin, plan->space.class_begin, plan->children);
    request.component = component;
    status = make(&o->l2p[component * plan->parts], &l2p, l2p_matrix, &request, 0, error);
    if (plan->parts == 2)
      o->l2p[component * plan->parts + 1] = o->l2p[component * plan->parts];
  }
  const int m2l_wanted = tac_plan_is_worth(plan, TAC_LIST2, level);
  struct tac_stencil_shape m2l = {.dim = plan->dim, .reach = TAC_REACH_NEIGHBOURS};
  super_classes(m2l.source_begin, plan->rank[level], plan->children);
  super_classes(m2l.target_begin, plan->rank[level], plan->children);
  request.component = 0;
  for (request.part = 0; m2l_wanted && request.part < plan->parts && !status; request.part++)
    status = make_factored(&o->m2l[request.part], &m2l, tac_m2l_matrix, &request, "M2L", error);
  return status;
}

/* M2P of List 3 and P2L of List 4 across a change of level; `level` is that of the smaller boxes. */
static enum tac_status make_jumps(struct tac_fmm_plan *plan, int level, int m2p, int p2l, struct tac_error *error) {
  struct tac_level_operators *o = &plan->operators[level];
  struct tac_operator_request request = {.plan = plan, .level = level};
  char what[64];
  snprintf(what, sizeof what, "M2P to %d nodes", plan->space.count);
  enum tac_status status = TAC_STATUS_OK;
  for (int field = 0; m2p && field < plan->fields && !status; field++) {
    struct tac_stencil_shape shape = {.dim = plan->dim, .reach = TAC_REACH_NEIGHBOURS, .flip = plan->flip[field]};
    super_classes(shape.source_begin, plan->rank[level], plan->children);
    copy_classes(shape.target_begin, plan->space.class_begin, plan->children);
    request.part = field % plan->parts;
    request.component = field / plan->parts;
    status = make_factored(&o->m2p[field], &shape, tac_m2p_matrix, &request, what, error);
  }
  snprintf(what, sizeof what, "P2L from %d modes of basis %d", plan->modes.count, (int)plan->modes.basis);
  request.component = 0;
  for (int part = 0; p2l && part < plan->parts && !status; part++) {
    struct tac_stencil_shape shape = {.dim = plan->dim, .reach = TAC_REACH_NEIGHBOURS};
    copy_classes(shape.source_begin, plan->modes.class_begin, plan->children);
    super_classes(shape.target_begin, plan->rank[level], plan->children);
    request.part = part;
    status = make_factored(&o->p2l[part], &shape, tac_p2l_matrix, &request, what, error);
  }
  return status;
}

/* M2M and L2L between a level and the one above. */
static enum tac_status make_transfer(struct tac_fmm_plan *plan, int level, struct tac_error *error) {
  struct tac_level_operators *o = &plan->operators[level];
  struct tac_operator_request request = {.plan = plan, .level = level};
  struct tac_stencil_shape up = {.dim = plan->dim, .reach = TAC_REACH_SELF};
  super_classes(up.source_begin, plan->rank[level], plan->children);
  copy_classes(up.target_begin, tac_far_class_begin(plan->far, level - 1), plan->children);
  enum tac_status status = make(&o->m2m[0], &up, m2m_matrix, &request, 0, error);
  struct tac_stencil_shape down = up;
  copy_classes(down.source_begin, up.target_begin, plan->children);
  copy_classes(down.target_begin, up.source_begin, plan->children);
  if (!status)
    status = make(&o->l2l[0], &down, l2l_matrix, &request, 0, error);
  if (plan->parts == 2)
    o->l2l[1] = o->l2l[0];
  return status;
}

static enum tac_status near_operators(struct tac_fmm_plan *plan, int level, struct tac_error *error) {
  enum tac_status status = TAC_STATUS_OK;
  for (int layer = 0; layer < plan->layers && !status; layer++) {
    int same = 0;
    while (same < level && !(plan->operators[same].near[layer][0] && tac_near_same_matrices(plan->near, layer, same, level)))
      same++;
    plan->operators[level].owns_near[layer] = same == level;
    if (same == level)
      status = make_near(plan, level, layer, error);
    else
      memcpy(plan->operators[level].near[layer], plan->operators[same].near[layer], sizeof plan->operators[same].near[layer]);
  }
  return status;
}

static enum tac_status far_operators(struct tac_fmm_plan *plan, int level, const struct tac_fmm_list_sizes *sizes,
                                     struct tac_error *error) {
  struct tac_level_operators *o = &plan->operators[level];
  int same = 2, m2p = 0, p2l = 0;
  while (same < level && !tac_far_same_operators(plan->far, same, level))
    same++;
  o->owns_far = same == level;
  if (same == level) {
    for (int l = level; l < plan->tree->levels; l++)
      if (tac_far_same_operators(plan->far, level, l)) {
        m2p |= sizes[l - 1].list3 > 0;
        p2l |= sizes[l].list4 > 0;
      }
    m2p = m2p && tac_plan_is_worth(plan, TAC_LIST3, level);
    p2l = p2l && tac_plan_is_worth(plan, TAC_LIST4, level);
    const enum tac_status status = make_far(plan, level, error);
    return status ? status : make_jumps(plan, level, m2p, p2l, error);
  }
  const struct tac_level_operators *from = &plan->operators[same];
  o->p2m[0] = from->p2m[0];
  memcpy(o->l2p, from->l2p, sizeof o->l2p);
  memcpy(o->m2l, from->m2l, sizeof o->m2l);
  memcpy(o->m2p, from->m2p, sizeof o->m2p);
  memcpy(o->p2l, from->p2l, sizeof o->p2l);
  return TAC_STATUS_OK;
}

static enum tac_status transfer_operators(struct tac_fmm_plan *plan, int level, struct tac_error *error) {
  struct tac_level_operators *o = &plan->operators[level];
  int same = 3;
  while (same < level &&
         !(tac_far_same_operators(plan->far, same, level) && tac_far_same_operators(plan->far, same - 1, level - 1)))
    same++;
  o->owns_transfer = same == level;
  if (same == level)
    return make_transfer(plan, level, error);
  o->m2m[0] = plan->operators[same].m2m[0];
  memcpy(o->l2l, plan->operators[same].l2l, sizeof o->l2l);
  return TAC_STATUS_OK;
}

enum tac_status tac_plan_make_operators(struct tac_fmm_plan *plan, struct tac_error *error) {
  struct tac_fmm_list_sizes sizes[TAC_FMM_MAX_LEVELS];
  tac_list_sizes_by_level(sizes, plan->tree);
  enum tac_status status = TAC_STATUS_OK;
  for (int level = 0; level < plan->tree->levels && !status; level++) {
    const int64_t begin = tac_plan_clock();
    if (tac_fmm_tree_leaves_at(plan->tree, level) > 0)
      status = near_operators(plan, level, error);
    const int64_t between = tac_plan_clock();
    if (!status && plan->far && level >= 2)
      status = far_operators(plan, level, sizes, error);
    if (!status && plan->far && level >= 3)
      status = transfer_operators(plan, level, error);
    plan->info.near_seconds += 1e-9 * (double)(between - begin);
    plan->info.far_seconds += 1e-9 * (double)(tac_plan_clock() - between);
  }
  return status;
}

static void destroy_near(struct tac_fmm_plan *plan, struct tac_level_operators *o) {
  for (int layer = 0; layer < 2; layer++)
    for (int field = 0; o->owns_near[layer] && field < plan->fields; field++)
      tac_stencil_destroy(&o->near[layer][field]);
}

static void destroy_far(struct tac_fmm_plan *plan, struct tac_level_operators *o) {
  tac_stencil_destroy(&o->p2m[0]);
  for (int field = 0; field < plan->fields; field += plan->parts)
    tac_stencil_destroy(&o->l2p[field]);
  for (int part = 0; part < plan->parts; part++)
    tac_stencil_destroy(&o->m2l[part]);
  for (int field = 0; field < plan->fields; field++)
    tac_stencil_destroy(&o->m2p[field]);
  for (int part = 0; part < plan->parts; part++)
    tac_stencil_destroy(&o->p2l[part]);
}

void tac_plan_destroy_operators(struct tac_fmm_plan *plan) {
  tac_stencil_destroy(&plan->projection);
  for (int level = 0; level < TAC_FMM_MAX_LEVELS; level++) {
    struct tac_level_operators *o = &plan->operators[level];
    destroy_near(plan, o);
    if (o->owns_far)
      destroy_far(plan, o);
    if (o->owns_transfer) {
      tac_stencil_destroy(&o->m2m[0]);
      tac_stencil_destroy(&o->l2l[0]);
    }
  }
}
