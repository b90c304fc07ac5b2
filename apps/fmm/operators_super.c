/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
/* Stencil matrices in which all children of a box are one vector (tac_super_join): chi_s(u) = -1 for every axis odd in s along
 * which the child u is the lower one, R_u reflects the axes along which it is. */
#include "apps/fmm/operators.h"

#include <stdlib.h>
#include <string.h>

/* The M2L matrix of a pair of children, NULL for those that touch; the mirrored axes in *mask. */
static const double *child_pair(const struct tac_operator_request *r, const int offset[3], int target, int source,
                                unsigned *mask) {
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
enum tac_status tac_m2l_matrix(void *context, const int offset[3], double *out, struct tac_error *error) {
  const struct tac_operator_request *r = context;
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
      double w[TAC_MAX_CLASSES][TAC_MAX_CLASSES] = {{0}};
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
  return odd((unsigned)(class & ~child)) ? -1 : 1;
}

/* T[.][s] = 2^-dim sum over children u that do not touch of chi_s(u) M2P(u) R_u. */
enum tac_status tac_m2p_matrix(void *context, const int offset[3], double *out, struct tac_error *error) {
  const struct tac_operator_request *r = context;
  const struct tac_fmm_plan *plan = r->plan;
  const int rank = plan->rank[r->level];
  const size_t rows = (size_t)plan->space.count, size = rows * (size_t)rank;
  const int *begin = tac_far_class_begin(plan->far, r->level);
  double *nodes = tac_node_matrix(plan, 3 * rank, error), *classes = nodes + size, *functions = classes + size;
  if (!nodes)
    return TAC_STATUS_MEMORY;
  tac_far_child_functions(functions, plan->far, r->level, r->component);
  memset(out, 0, size * (size_t)plan->children * sizeof *out);
  for (int u = 0; u < plan->children; u++) {
    int code[3];
    if (jump_offset(plan->dim, offset, u, 1, code))
      continue;
    tac_far_m2p(nodes, plan->far, r->level, r->part, functions, code);
    tac_rows_to_classes(plan, nodes, rank, classes);
    for (int s = 0; s < plan->children; s++)
      for (int j = 0; j < rank; j++) {
        const double factor = chi(s ^ class_of(begin, j), u) / plan->children;
        double *to = out + rows * (size_t)(s * rank + j);
        for (size_t i = 0; i < rows; i++)
          to[i] += factor * classes[i + rows * (size_t)j];
      }
  }
  free(nodes);
  return TAC_STATUS_OK;
}

/* T[s][.] = sum over children u that do not touch of chi_s(u) R_u P2L(u). */
enum tac_status tac_p2l_matrix(void *context, const int offset[3], double *out, struct tac_error *error) {
  const struct tac_operator_request *r = context;
  const struct tac_fmm_plan *plan = r->plan;
  const int rank = plan->rank[r->level], modes = plan->modes.count;
  const size_t rows = (size_t)rank * (size_t)plan->children;
  const int *begin = tac_far_class_begin(plan->far, r->level);
  double *matrix = malloc((size_t)rank * (size_t)modes * sizeof *matrix);
  if (!matrix)
    return tac_error_set(error, TAC_STATUS_MEMORY, "operators", "no memory for P2L");
  memset(out, 0, rows * (size_t)modes * sizeof *out);
  for (int u = 0; u < plan->children; u++) {
    int code[3];
    if (jump_offset(plan->dim, offset, u, -1, code))
      continue;
    tac_far_p2l(matrix, plan->far, r->level, r->part, code);
    for (int j = 0; j < modes; j++)
      for (int s = 0; s < plan->children; s++)
        for (int i = 0; i < rank; i++)
          out[(size_t)(s * rank + i) + rows * (size_t)j] +=
              chi(s ^ class_of(begin, i), u) * matrix[i + (size_t)rank * (size_t)j];
  }
  free(matrix);
  return TAC_STATUS_OK;
}
