/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
/* Plain operators, offset by offset: the reference, and what runs where neighbourhoods are sparse. Only one of each set of
 * mirror images is kept: all vectors are in class form, in which a mirror image is a change of signs. */
#include <stdlib.h>

#include "apps/fmm/operators.h"

static int is_level_jump(enum tac_plain_kind kind) {
  return kind == TAC_PLAIN_FINER || kind == TAC_PLAIN_COARSER || kind == TAC_PLAIN_FINER_SPLIT ||
         kind == TAC_PLAIN_COARSER_SPLIT || kind == TAC_PLAIN_M2P || kind == TAC_PLAIN_P2L;
}

/* Level jumps: offsets o and 1 - o are mirror images, the larger (1 … 3) is kept. Children: 1 upper, 0 lower. Otherwise o and
 * -o. */
int tac_canonical_offset(enum tac_plain_kind kind, int dim, const signed char offset[3], unsigned *mask) {
  int index = 0;
  *mask = 0;
  for (int axis = dim - 1; axis >= 0; axis--) {
    int o = +offset[axis];
    const int child = kind == TAC_PLAIN_M2M || kind == TAC_PLAIN_L2L;
    const int mirrored = is_level_jump(kind) || child ? o < 1 : o < 0;
    if (mirrored)
      o = is_level_jump(kind) || child ? 1 - o : -o;
    *mask |= (unsigned)mirrored << axis;
    index = 4 * index + o;
  }
  return index;
}

static void offset_of(int index, int dim, int offset[3]) {
  for (int axis = 0; axis < 3; axis++, index /= 4)
    offset[axis] = axis < dim ? index % 4 : 0;
}

struct source {
  struct tac_fmm_plan *plan;
  enum tac_plain_kind kind;
  int level, offset[3];
};

/* Rows in node order to rows in class form, in place. */
static enum tac_status to_class_rows(const struct tac_fmm_plan *plan, double *matrix, int columns, struct tac_error *error) {
  const size_t rows = (size_t)plan->space.count;
  double *column = malloc(rows * sizeof *column);
  if (!column)
    return tac_error_set(error, TAC_STATUS_MEMORY, "operators", "no memory for a column");
  for (size_t c = 0; c < (size_t)columns; c++) {
    double *place = matrix + c * rows;
    for (size_t i = 0; i < rows; i++)
      column[i] = place[i];
    tac_nodes_to_classes(&plan->space, column, place);
  }
  free(column);
  return TAC_STATUS_OK;
}

static enum tac_list near_list(enum tac_plain_kind kind) {
  if (kind == TAC_PLAIN_SAME || kind == TAC_PLAIN_SAME_SPLIT)
    return TAC_LIST1_SAME;
  return kind == TAC_PLAIN_FINER || kind == TAC_PLAIN_FINER_SPLIT ? TAC_LIST1_FINER : TAC_LIST1_COARSER;
}

static enum tac_status fill_m2p(double *out, const struct source *s, int part, int component, struct tac_error *error) {
  const double *functions = tac_plan_child_functions(s->plan, s->level, component, error);
  if (!functions)
    return TAC_STATUS_MEMORY;
  tac_far_m2p(out, s->plan->far, s->level, part, functions, s->offset);
  return to_class_rows(s->plan, out, s->plan->rank[s->level], error);
}

static enum tac_status fill_p2l(double *out, const struct source *s, int part, struct tac_error *error) {
  const double *moments = tac_plan_child_moments(s->plan, s->level, error);
  if (!moments)
    return TAC_STATUS_MEMORY;
  tac_far_p2l(out, s->plan->far, s->level, part, moments, s->offset);
  return TAC_STATUS_OK;
}

static enum tac_status fill(double *out, const struct source *s, int field, struct tac_error *error) {
  struct tac_fmm_plan *plan = s->plan;
  const int part = field % plan->parts, component = field / plan->parts;
  switch (s->kind) {
  case TAC_PLAIN_M2P:
    return fill_m2p(out, s, part, component, error);
  case TAC_PLAIN_L2P:
    tac_far_l2p(out, plan->far, s->level, component);
    return to_class_rows(plan, out, plan->rank[s->level], error);
  case TAC_PLAIN_P2L:
    return fill_p2l(out, s, part, error);
  case TAC_PLAIN_P2M:
    tac_far_p2m(out, plan->far, s->level);
    return TAC_STATUS_OK;
  case TAC_PLAIN_M2M:
    tac_far_m2m(out, plan->far, s->level);
    return TAC_STATUS_OK;
  case TAC_PLAIN_L2L:
    tac_far_l2l(out, plan->far, s->level);
    return TAC_STATUS_OK;
  default:
    tac_near_matrix(out, plan->near, s->kind >= TAC_PLAIN_SAME_SPLIT, near_list(s->kind), s->offset, s->level, field);
    return to_class_rows(plan, out, plan->modes.count, error);
  }
}

/* Number of different matrices, and the shape. */
static int shape(struct tac_plain_operator *op, const struct source *s) {
  const struct tac_fmm_plan *plan = s->plan;
  const int *modes = plan->modes.class_begin, *nodes = plan->space.class_begin;
  const int *here = plan->far ? tac_far_class_begin(plan->far, s->level) : NULL;
  const int *above = plan->far && s->level > 2 ? tac_far_class_begin(plan->far, s->level - 1) : NULL;
  const int n = plan->space.count, b = plan->modes.count, r = plan->rank[s->level],
            up = s->level > 0 ? plan->rank[s->level - 1] : 0;
  switch (s->kind) {
  case TAC_PLAIN_M2L:
    *op = (struct tac_plain_operator){r, r, here, here, {NULL}};
    return plan->parts;
  case TAC_PLAIN_M2P:
    *op = (struct tac_plain_operator){n, r, nodes, here, {NULL}};
    return plan->fields;
  case TAC_PLAIN_P2L:
    *op = (struct tac_plain_operator){r, b, here, modes, {NULL}};
    return plan->parts;
  case TAC_PLAIN_P2M:
    *op = (struct tac_plain_operator){r, b, here, modes, {NULL}};
    return 1;
  case TAC_PLAIN_M2M:
    *op = (struct tac_plain_operator){up, r, above, here, {NULL}};
    return 1;
  case TAC_PLAIN_L2L:
    *op = (struct tac_plain_operator){r, up, here, above, {NULL}};
    return 1;
  case TAC_PLAIN_L2P:
    *op = (struct tac_plain_operator){n, r, nodes, here, {NULL}};
    return plan->fields;
  default:
    *op = (struct tac_plain_operator){n, b, nodes, modes, {NULL}};
    return plan->fields;
  }
}

/* Packs one field's matrix into the plan's memory. `scratch` holds it column by column. */
static enum tac_status make_field(struct tac_plain_operator *op, const struct source *s, int field, double *scratch,
                                  struct tac_error *error) {
  struct tac_fmm_plan *plan = s->plan;
  const size_t packed = tac_gemm_packed_size(plan->kernel, op->targets, op->sources);
  const double *matrix = scratch;
  enum tac_status status = TAC_STATUS_OK;
  if (s->kind <= TAC_PLAIN_COARSER_SPLIT && !tac_plan_near_has(plan, s->kind >= TAC_PLAIN_SAME_SPLIT, s->level, field))
    return status;
  if (s->kind == TAC_PLAIN_M2L)
    matrix = tac_far_m2l_stored(plan->far, s->level, field, s->offset);
  else
    status = fill(scratch, s, field, error);
  op->matrix[field] = tac_store_take(&plan->store, packed, sizeof(double), "an operator", status ? NULL : error);
  if (!status && !op->matrix[field])
    status = TAC_STATUS_MEMORY;
  if (!status)
    tac_gemm_pack(plan->kernel, op->targets, op->sources, matrix, (size_t)op->targets, op->matrix[field]);
  return status;
}

static enum tac_status make(struct tac_plain_operator *op, const struct source *s, struct tac_error *error) {
  const int matrices = shape(op, s);
  double *scratch = malloc((size_t)op->targets * (size_t)op->sources * sizeof *scratch);
  if (!scratch)
    return tac_error_set(error, TAC_STATUS_MEMORY, "operators", "no memory for a matrix of %d by %d", op->targets, op->sources);
  enum tac_status status = TAC_STATUS_OK;
  for (int field = 0; field < matrices && !status; field++)
    status = make_field(op, s, field, scratch, error);
  for (int field = matrices; field < s->plan->fields; field++)
    op->matrix[field] = op->matrix[0];
  free(scratch);
  return status;
}

/* A level whose operators of this kind are the very same, itself if there is none before it. */
static int shared_level(const struct tac_fmm_plan *plan, enum tac_plain_kind kind, int level) {
  for (int l = 0; l < level; l++) {
    if (kind <= TAC_PLAIN_COARSER_SPLIT) {
      if (tac_fmm_tree_leaves_at(plan->tree, l) > 0 &&
          tac_near_same_matrices(plan->near, kind >= TAC_PLAIN_SAME_SPLIT, l, level))
        return l;
    } else if (l >= 2 && tac_far_same_operators(plan->far, l, level)) {
      const int transfer = kind == TAC_PLAIN_M2M || kind == TAC_PLAIN_L2L;
      if (!transfer || (l >= 3 && tac_far_same_operators(plan->far, l - 1, level - 1)))
        return l;
    }
  }
  return level;
}

enum tac_status tac_plan_plain(const struct tac_plain_operator **out, struct tac_fmm_plan *plan, enum tac_plain_kind kind,
                               int level, const signed char offset[3], unsigned *mask, struct tac_error *error) {
  const int index = tac_canonical_offset(kind, plan->dim, offset, mask);
  struct tac_plain_operator **place = &plan->plain[kind][shared_level(plan, kind, level)][index];
  enum tac_status status = TAC_STATUS_OK;
  if (!*place) {
    struct source source = {.plan = plan, .kind = kind, .level = level};
    offset_of(index, plan->dim, source.offset);
    struct tac_plain_operator *made = tac_store_take(&plan->store, 1, sizeof *made, "an operator", error);
    const int64_t begin = tac_plan_clock();
    status = made ? make(made, &source, error) : TAC_STATUS_MEMORY;
    *(kind <= TAC_PLAIN_COARSER_SPLIT ? &plan->info.near_seconds : &plan->info.far_seconds) +=
        1e-9 * (double)(tac_plan_clock() - begin);
    if (!status)
      *place = made;
  }
  *out = *place;
  return status;
}
