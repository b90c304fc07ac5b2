/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
/* Stencil matrices in which all children of a box are one vector (tac_super_join): chi_s(u) = -1 for every axis odd in s along
 * which the child u is the lower one, R_u reflects the axes along which it is. */
#include "apps/fmm/operators.h"

#include <stdlib.h>
#include <string.h>

#define STRETCH 32 /* rows at a time */
#define SUMS    27 /* of pairs of children: three along each axis */

/* What the two children of the target, t, and the two of the source, u, along one axis add up to:
 *   w_ab = sum over t, u of chi_a(t) chi_b(u) K(distance from t to u),
 * of which w_00, w_01 = -w_10 and w_11 replace what stands in three rows `power` apart. Boxes apart: K at the distances 1, 2,
 * 3; the same place along the axis: K at 0 and 1, and K(-1) = K(1), or -K(1) between functions of different parity. */
static void sum_pairs(double (*w)[STRETCH], int sums, int power, int apart, int different, int length) {
  for (int first = 0; first < sums; first++) {
    if (first / power % 3)
      continue;
    double *restrict a = w[first], *restrict b = w[first + power], *restrict c = w[first + 2 * power];
    for (int i = 0; i < length; i++) {
      const double x = a[i], y = b[i], z = c[i], outer = x + z;
      a[i] = apart ? 2 * y + outer : 2 * (x + y);
      b[i] = apart ? z - x : different ? 2 * y : 0;
      c[i] = apart ? 2 * y - outer : 2 * (x - y);
    }
  }
}

/* Between all children of two boxes, in super vectors on both sides. */
struct all_pairs {
  int dim, rank, sums, tau;
  const int *begin;
  const double *stored[SUMS]; /* M2L by distances; NULL for pairs that touch, or that there are not */
  double *out;
};

static void find_pairs(struct all_pairs *p, const struct tac_operator_request *r, const int offset[3]) {
  for (int sum = 0; sum < p->sums; sum++) {
    int distance[3] = {0}, touch = 1, none = 0;
    for (int axis = 0, rest = sum; axis < p->dim; axis++, rest /= 3) {
      distance[axis] = rest % 3 + offset[axis];
      none |= !offset[axis] && rest % 3 == 2;
      touch &= distance[axis] <= 1;
    }
    p->stored[sum] = touch || none ? NULL : tac_far_m2l_stored(r->plan->far, r->level, r->part, distance);
  }
}

/* Rows [first, first + length), all of class `row`, of column j of class `column`, between all classes of children. */
static void fill_stretch(const struct all_pairs *p, unsigned row, unsigned column, int j, int first, int length) {
  const unsigned children = 1U << p->dim;
  const size_t rank = (size_t)p->rank, rows = rank * children, at = (size_t)first + rank * (size_t)j;
  double w[SUMS][STRETCH] = {{0}};
  for (int sum = 0; sum < p->sums; sum++)
    for (int i = 0; p->stored[sum] && i < length; i++)
      w[sum][i] = p->stored[sum][at + (size_t)i];
  for (int axis = 0, power = 1; axis < p->dim; axis++, power *= 3)
    sum_pairs(w, p->sums, power, p->tau >> axis & 1, (int)((row ^ column) >> axis & 1), length);
  for (unsigned s = 0; s < children; s++)
    for (unsigned q = 0; q < children; q++) {
      if ((s ^ q) & ~(unsigned)p->tau)
        continue;
      const unsigned a = s ^ row, b = q ^ column;
      int sum = 0;
      for (int axis = 0, power = 1; axis < p->dim; axis++, power *= 3)
        sum += power * (int)((a >> axis & 1) + (b >> axis & 1));
      const double factor = (tac_odd(a & ~b) ? -1.0 : 1.0) / children;
      double *out = p->out + s * rank + (size_t)first + rows * (q * rank + (size_t)j);
      for (int i = 0; i < length; i++)
        out[i] = factor * w[sum][i];
    }
}

/* T[s'][s] = 2^-dim sum over children t, u of chi_s'(t) chi_s(u) R_t K(t, u) R_u. */
enum tac_status tac_m2l_matrix(void *context, const int offset[3], double *out, struct tac_error *error) {
  const struct tac_operator_request *r = context;
  struct all_pairs p = {.dim = r->plan->dim,
                        .rank = r->plan->rank[r->level],
                        .sums = r->plan->dim == 3 ? 27 : 9,
                        .tau = offset[0] | offset[1] << 1 | offset[2] << 2,
                        .begin = tac_far_class_begin(r->plan->far, r->level),
                        .out = out};
  (void)error;
  find_pairs(&p, r, offset);
  for (unsigned column = 0; column < 1U << p.dim; column++)
    for (int j = p.begin[column]; j < p.begin[column + 1]; j++)
      for (unsigned row = 0; row < 1U << p.dim; row++)
        for (int first = p.begin[row]; first < p.begin[row + 1]; first += STRETCH) {
          const int left = p.begin[row + 1] - first;
          fill_stretch(&p, row, column, j, first, left < STRETCH ? left : STRETCH);
        }
  return TAC_STATUS_OK;
}

/* Offset code of child `child` of the box at `offset` from a box that is not refined, as in lists 3 and 4; 1 when they touch.
 */
static int jump_offset(int dim, const int offset[3], int child, int sign, int code[3]) {
  int touch = 1;
  for (int axis = 0; axis < 3; axis++) {
    code[axis] = axis < dim ? sign * 2 * offset[axis] + (child >> axis & 1) : 0;
    touch &= axis >= dim || (code[axis] >= -1 && code[axis] <= 2);
  }
  return touch;
}

/* chi_class(child). */
static double chi(int class, int child) {
  return tac_odd((unsigned)(class & ~child)) ? -1 : 1;
}

void tac_plan_forget_children(struct tac_fmm_plan *plan) {
  for (int component = 0; component < 4; component++) {
    free(plan->child.functions[component]);
    plan->child.functions[component] = NULL;
  }
  free(plan->child.moments);
  plan->child.moments = NULL;
}

static void look_at_level(struct tac_fmm_plan *plan, int level) {
  if (plan->child.level != level)
    tac_plan_forget_children(plan);
  plan->child.level = level;
}

const double *tac_plan_child_functions(struct tac_fmm_plan *plan, int level, int component, struct tac_error *error) {
  look_at_level(plan, level);
  double **functions = &plan->child.functions[component];
  if (!*functions && (*functions = tac_node_matrix(plan, plan->rank[level], error)))
    tac_far_child_functions(*functions, plan->far, level, component);
  return *functions;
}

const double *tac_plan_child_moments(struct tac_fmm_plan *plan, int level, struct tac_error *error) {
  look_at_level(plan, level);
  double **moments = &plan->child.moments;
  if (*moments)
    return *moments;
  *moments = malloc((size_t)plan->rank[level] * (size_t)plan->modes.count * sizeof **moments);
  if (*moments)
    tac_far_child_moments(*moments, plan->far, level);
  else
    tac_error_set(error, TAC_STATUS_MEMORY, "operators", "no memory for moments");
  return *moments;
}

/* T[.][s] = 2^-dim sum over children u that do not touch of chi_s(u) M2P(u) R_u; only what the symmetry leaves. */
static void add_m2p(const struct tac_operator_request *r, unsigned tau, int child, const double *classes, double *out) {
  const struct tac_fmm_plan *plan = r->plan;
  const int *begin = tac_far_class_begin(plan->far, r->level), *nodes = plan->space.class_begin;
  const int rank = plan->rank[r->level], children = plan->children;
  const unsigned flip = r->component ? 1U << (r->component - 1) : 0;
  const size_t rows = (size_t)plan->space.count;
  for (int s = 0; s < children; s++)
    for (int class = 0; class < children; class ++) {
      const double factor = chi(s ^ class, child) / children;
      for (int row = 0; row < children; row++)
        for (int j = begin[class]; !(((unsigned)(row ^ s) ^ flip) & ~tau) && j < begin[class + 1]; j++)
          for (int i = nodes[row]; i < nodes[row + 1]; i++)
            out[(size_t)i + rows * (size_t)(s * rank + j)] += factor * classes[(size_t)i + rows * (size_t)j];
    }
}

enum tac_status tac_m2p_matrix(void *context, const int offset[3], double *out, struct tac_error *error) {
  const struct tac_operator_request *r = context;
  struct tac_fmm_plan *plan = r->plan;
  const int rank = plan->rank[r->level];
  const size_t size = (size_t)plan->space.count * (size_t)rank;
  const double *functions = tac_plan_child_functions(plan, r->level, r->component, error);
  double *nodes = functions ? tac_node_matrix(plan, 2 * rank, error) : NULL;
  if (!nodes)
    return TAC_STATUS_MEMORY;
  memset(out, 0, size * (size_t)plan->children * sizeof *out);
  for (int u = 0; u < plan->children; u++) {
    int code[3];
    if (jump_offset(plan->dim, offset, u, 1, code))
      continue;
    tac_far_m2p(nodes, plan->far, r->level, r->part, functions, code);
    tac_rows_to_classes(plan, nodes, rank, nodes + size);
    add_m2p(r, (unsigned)(offset[0] | offset[1] << 1 | offset[2] << 2), u, nodes + size, out);
  }
  free(nodes);
  return TAC_STATUS_OK;
}

/* T[s][.] = sum over children u that do not touch of chi_s(u) R_u P2L(u); only what the symmetry leaves. */
static void add_p2l(const struct tac_operator_request *r, unsigned tau, int child, const double *matrix, double *out) {
  const struct tac_fmm_plan *plan = r->plan;
  const int *begin = tac_far_class_begin(plan->far, r->level), *modes = plan->modes.class_begin;
  const int rank = plan->rank[r->level], children = plan->children;
  const size_t rows = (size_t)rank * (size_t)children;
  for (int column = 0; column < children; column++)
    for (int s = 0; s < children; s++)
      for (int class = 0; !((unsigned)(column ^ s) & ~tau) && class < children; class ++) {
        const double factor = chi(s ^ class, child);
        for (int j = modes[column]; j < modes[column + 1]; j++)
          for (int i = begin[class]; i < begin[class + 1]; i++)
            out[(size_t)(s * rank + i) + rows * (size_t)j] += factor * matrix[(size_t)i + (size_t)rank * (size_t)j];
      }
}

enum tac_status tac_p2l_matrix(void *context, const int offset[3], double *out, struct tac_error *error) {
  const struct tac_operator_request *r = context;
  struct tac_fmm_plan *plan = r->plan;
  const size_t size = (size_t)plan->rank[r->level] * (size_t)plan->modes.count;
  const double *moments = tac_plan_child_moments(plan, r->level, error);
  double *matrix = moments ? malloc(size * sizeof *matrix) : NULL;
  if (!matrix)
    return tac_error_set(error, TAC_STATUS_MEMORY, "operators", "no memory for P2L");
  memset(out, 0, size * (size_t)plan->children * sizeof *out);
  for (int u = 0; u < plan->children; u++) {
    int code[3];
    if (jump_offset(plan->dim, offset, u, -1, code))
      continue;
    tac_far_p2l(matrix, plan->far, r->level, r->part, moments, code);
    add_p2l(r, (unsigned)(offset[0] | offset[1] << 1 | offset[2] << 2), u, matrix, out);
  }
  free(matrix);
  return TAC_STATUS_OK;
}
