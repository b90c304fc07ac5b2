/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
/* The stencils of every level: matrices of the near and the far field in the form that tac_stencil_create asks for. */
#include <stdlib.h>
#include <string.h>

#include "apps/fmm/plan.h"

/* What a stencil under construction is made of. */
struct request {
  const struct tac_fmm_plan *plan;
  int level, layer, field, part, component;
};

/* Turns the rows of a matrix from nodes to class form. */
static void rows_to_classes(const struct tac_fmm_plan *plan, const double *matrix, int columns, double *out) {
  const size_t rows = (size_t)plan->space.count;
  for (size_t c = 0; c < (size_t)columns; c++)
    tac_nodes_to_classes(&plan->space, matrix + c * rows, out + c * rows);
}

static double *node_matrix(const struct tac_fmm_plan *plan, int columns, struct tac_error *error) {
  double *matrix = malloc((size_t)plan->space.count * (size_t)columns * sizeof *matrix);
  if (!matrix)
    tac_error_set(error, TAC_STATUS_MEMORY, "operators", "no memory for a matrix of %d by %d", plan->space.count, columns);
  return matrix;
}

static enum tac_status near_matrix(void *context, const int offset[3], double *out, struct tac_error *error) {
  const struct request *r = context;
  double *matrix = node_matrix(r->plan, r->plan->modes.count, error);
  if (!matrix)
    return TAC_STATUS_MEMORY;
  tac_near_matrix(matrix, r->plan->near, r->layer, TAC_LIST1_SAME, offset, r->level, r->field);
  rows_to_classes(r->plan, matrix, r->plan->modes.count, out);
  free(matrix);
  return TAC_STATUS_OK;
}

static enum tac_status p2m_matrix(void *context, const int offset[3], double *out, struct tac_error *error) {
  const struct request *r = context;
  (void)offset;
  (void)error;
  tac_far_p2m(out, r->plan->far, r->level);
  return TAC_STATUS_OK;
}

static enum tac_status l2p_matrix(void *context, const int offset[3], double *out, struct tac_error *error) {
  const struct request *r = context;
  const int rank = r->plan->rank[r->level];
  (void)offset;
  double *matrix = node_matrix(r->plan, rank, error);
  if (!matrix)
    return TAC_STATUS_MEMORY;
  tac_far_l2p(matrix, r->plan->far, r->level, r->component);
  rows_to_classes(r->plan, matrix, rank, out);
  free(matrix);
  return TAC_STATUS_OK;
}

/* The part of class sigma of a parent is M2M[sigma rows] times the super vector of class sigma, since M2M of a mirrored child
 * is R M2M R. Level is the children's. */
static enum tac_status m2m_matrix(void *context, const int offset[3], double *out, struct tac_error *error) {
  const struct request *r = context;
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
  const struct request *r = context;
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

/* The M2L matrix of a pair of children, NULL for those that touch; the mirrored axes in *mask. */
static const double *child_pair(const struct request *r, const int offset[3], int target, int source, unsigned *mask) {
  int d[3] = {0}, touch = 1;
  *mask = 0;
  for (int axis = 0; axis < r->plan->dim; axis++) {
    d[axis] = 2 * offset[axis] + (source >> axis & 1) - (target >> axis & 1);
    touch &= d[axis] >= -1 && d[axis] <= 1;
    if (d[axis] < 0) {
      d[axis] = -d[axis];
      *mask |= 1U << axis;
    }
  }
  return touch ? NULL : tac_far_m2l_stored(r->plan->far, r->level, r->part, d);
}

static int odd(unsigned bits) {
  return __builtin_popcount(bits) & 1;
}

/* a[i] -> sum over j of chi_i(j) a[j], chi_i(j) = -1 for every bit set in i and clear in j; along `stride`. */
static void walsh(double *a, int bits, int stride) {
  for (int bit = 0; bit < bits; bit++)
    for (int i = 0; i < 1 << bits; i++)
      if (!(i >> bit & 1)) {
        double *lower = a + i * stride, *upper = a + (i | 1 << bit) * stride;
        const double l = *lower, u = *upper;
        *lower = u + l;
        *upper = u - l;
      }
}

static int class_of(const int *begin, int index) {
  int class = 0;
  while (index >= begin[class + 1])
    class ++;
  return class;
}

/* Between all children of two boxes, in super vectors on both sides:
 * T[s'][s] = 2^-dim sum over children t, u of chi_s'(t) chi_s(u) R_t K(t, u) R_u. */
static enum tac_status m2l_matrix(void *context, const int offset[3], double *out, struct tac_error *error) {
  const struct request *r = context;
  const int children = r->plan->children, dim = r->plan->dim, rank = r->plan->rank[r->level];
  const int *begin = tac_far_class_begin(r->plan->far, r->level);
  const double *stored[TAC_MAX_CLASSES][TAC_MAX_CLASSES];
  unsigned mask[TAC_MAX_CLASSES][TAC_MAX_CLASSES];
  (void)error;
  for (int t = 0; t < children; t++)
    for (int u = 0; u < children; u++)
      stored[t][u] = child_pair(r, offset, t, u, &mask[t][u]);
  const size_t rows = (size_t)children * (size_t)rank;
  for (int j = 0; j < rank; j++)
    for (int i = 0; i < rank; i++) {
      const unsigned ci = (unsigned)class_of(begin, i), cj = (unsigned)class_of(begin, j);
      double w[TAC_MAX_CLASSES][TAC_MAX_CLASSES];
      for (int t = 0; t < children; t++)
        for (int u = 0; u < children; u++) {
          const double k = stored[t][u] ? stored[t][u][i + (size_t)rank * (size_t)j] : 0;
          w[t][u] = odd(mask[t][u] & (ci ^ cj)) ? -k : k;
        }
      for (int t = 0; t < children; t++)
        walsh(w[t], dim, 1);
      for (int u = 0; u < children; u++)
        walsh(&w[0][u], dim, TAC_MAX_CLASSES);
      for (unsigned s = 0; s < (unsigned)children; s++)
        for (unsigned q = 0; q < (unsigned)children; q++)
          out[s * (size_t)rank + (size_t)i + rows * (q * (size_t)rank + (size_t)j)] = w[s ^ ci][q ^ cj] / children;
    }
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
                            struct request *request, double tolerance, struct tac_error *error) {
  return tac_stencil_create(out, shape, matrix, request, tolerance, &request->plan->store.allocator, error);
}

static enum tac_status make_near(struct tac_fmm_plan *plan, int level, int layer, struct tac_error *error) {
  enum tac_status status = TAC_STATUS_OK;
  for (int field = 0; field < plan->fields && !status; field++) {
    struct request request = {.plan = plan, .level = level, .layer = layer, .field = field};
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
  struct request request = {.plan = plan, .level = level};
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
  struct tac_stencil_shape m2l = {.dim = plan->dim, .reach = TAC_REACH_NEIGHBOURS};
  super_classes(m2l.source_begin, plan->rank[level], plan->children);
  super_classes(m2l.target_begin, plan->rank[level], plan->children);
  for (request.part = 0; request.part < plan->parts && !status; request.part++)
    status = make(&o->m2l[request.part], &m2l, m2l_matrix, &request, tac_far_block_tolerance(plan->far), error);
  return status;
}

/* M2M and L2L between a level and the one above. */
static enum tac_status make_transfer(struct tac_fmm_plan *plan, int level, struct tac_error *error) {
  struct tac_level_operators *o = &plan->operators[level];
  struct request request = {.plan = plan, .level = level};
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

static enum tac_status far_operators(struct tac_fmm_plan *plan, int level, struct tac_error *error) {
  struct tac_level_operators *o = &plan->operators[level];
  int same = 2;
  while (same < level && !tac_far_same_operators(plan->far, same, level))
    same++;
  o->owns_far = same == level;
  if (same == level)
    return make_far(plan, level, error);
  const struct tac_level_operators *from = &plan->operators[same];
  o->p2m[0] = from->p2m[0];
  memcpy(o->l2p, from->l2p, sizeof o->l2p);
  memcpy(o->m2l, from->m2l, sizeof o->m2l);
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
  enum tac_status status = TAC_STATUS_OK;
  for (int level = 0; level < plan->tree->levels && !status; level++) {
    if (tac_fmm_tree_leaves_at(plan->tree, level) > 0)
      status = near_operators(plan, level, error);
    if (!status && plan->far && level >= 2)
      status = far_operators(plan, level, error);
    if (!status && plan->far && level >= 3)
      status = transfer_operators(plan, level, error);
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
}

void tac_plan_destroy_operators(struct tac_fmm_plan *plan) {
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
