/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "tests/fmm/far_fixture.h"

#include <math.h>
#include <string.h>

#include "apps/fmm/far_set.h"
#include "apps/fmm/kernel.h"

struct point {
  const struct tac_far_level *level;
  int dim, part, component;
  const double *x;
};

static double kernel_at(const struct point *p, const double y[3]) {
  double distance[3] = {0}, square = 0;
  for (int axis = 0; axis < p->dim && axis < 3; axis++) {
    distance[axis] = p->x[axis] - y[axis];
    square += distance[axis] * distance[axis];
  }
  const double r = sqrt(square);
  if (p->component)
    return tac_fmm_kernel_slope(&p->level->kernel, p->dim, p->part, r) * distance[p->component - 1] / r;
  return tac_fmm_kernel_value(&p->level->kernel, p->dim, p->part, r) + p->level->constant;
}

/* A rule of this many nodes an axis integrates the polynomials times the kernel at a distance of one side: the kernel is
 * analytic in ellipses with sum of half axes 2 + sqrt 5 about each axis. */
static int rule_size(const struct tac_far_level *level, int order, double eps) {
  const double size = level->kernel.kind == TAC_FMM_LAPLACE ? 0 : fmin(level->kernel.parameter, 40);
  const int nodes = (order + 1) / 2 + 1 + (int)ceil(0.5 * log(1e4 / eps) / log(2 + sqrt(5)) + 0.4 * size);
  return nodes < TAC_FAR_MAX_ORDER ? nodes : TAC_FAR_MAX_ORDER;
}

void far_point(double *out, const struct tac_far *far, int level, int part, int component, const double *x) {
  const struct tac_far_set *set = tac_far_level_set(far, level);
  if (!set)
    return;
  const struct tac_modes *modes = &set->modes;
  const struct point point = {&far->level[level], modes->dim, part, component, x};
  const int order = modes->order, nodes = rule_size(point.level, order, far->options.eps), planes = modes->dim == 3 ? nodes : 1;
  double node[TAC_FAR_MAX_ORDER], weight[TAC_FAR_MAX_ORDER], phi[TAC_FAR_MAX_ORDER][TAC_FAR_MAX_ORDER],
      moments[TAC_FAR_MAX_MODES] = {0};
  tac_gauss_rule(nodes, node, weight);
  for (int k = 0; k < nodes; k++)
    tac_legendre(phi[k], NULL, order, node[k]);
  for (int z = 0; z < planes; z++) {
    double plane[TAC_FAR_MAX_ORDER][TAC_FAR_MAX_ORDER] = {{0}}; /* [degree in y][degree in x] */
    for (int y = 0; y < nodes; y++) {
      double line[TAC_FAR_MAX_ORDER] = {0};
      for (int k = 0; k < nodes; k++) {
        const double value = weight[k] * kernel_at(&point, (const double[3]){node[k], node[y], node[z]});
        for (int a = 0; a < order; a++)
          line[a] += value * phi[k][a];
      }
      for (int b = 0; b < order; b++)
        for (int a = 0; a + b < order; a++)
          plane[b][a] += weight[y] * phi[y][b] * line[a];
    }
    for (int i = 0; i < modes->count; i++) {
      const unsigned char *degree = modes->degree[i];
      const double along = modes->dim == 3 ? weight[z] * phi[z][degree[2]] : 1;
      moments[i] += along * plane[degree[1]][degree[0]];
    }
  }
  for (int class = 0; class < 1 << modes->dim; class ++)
    for (int k = set->class_begin[class]; k < set->class_begin[class + 1]; k++) {
      double sum = 0;
      for (int i = modes->class_begin[class]; i < modes->class_begin[class + 1]; i++)
        sum += set->vectors[(size_t)i + (size_t)modes->count * (size_t)k] * moments[i];
      out[k] = sum;
    }
}
