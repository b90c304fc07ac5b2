/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "tests/fmm/duffy.h"

#include <math.h>
#include <string.h>

enum { MOST_NODES = 20 };

struct rule {
  double *out;
  const struct tac_modes *modes;
  const struct duffy_kernel *kernel;
  int component, dim, count;
  double x[3], node[MOST_NODES], weight[MOST_NODES];
};

/* One source point. */
static void add_point(const struct rule *rule, const double y[3], double weight) {
  double square = 0, phi[3][TAC_FMM_MAX_ORDER];
  for (int axis = 0; axis < rule->dim; axis++) {
    square += (rule->x[axis] - y[axis]) * (rule->x[axis] - y[axis]);
    tac_legendre(phi[axis], NULL, rule->modes->order, y[axis]);
  }
  const double r = sqrt(square);
  if (r == 0)
    return;
  const struct duffy_kernel *kernel = rule->kernel;
  const int axis = rule->component - 1;
  weight *= axis < 0 ? kernel->value(kernel->context, r) : kernel->slope(kernel->context, r) * (rule->x[axis] - y[axis]) / r;
  for (int mode = 0; mode < rule->modes->count; mode++) {
    const unsigned char *degree = rule->modes->degree[mode];
    rule->out[mode] += weight * phi[0][degree[0]] * phi[1][degree[1]] * (rule->dim == 3 ? phi[2][degree[2]] : 1);
  }
}

/* The ray from the target to a point of a face: radius in panels that halve towards the target. */
static void add_ray(const struct rule *rule, const double face[3], double weight) {
  double upper = 1;
  for (int panel = 0; panel < rule->kernel->radial_panels; panel++) {
    const double lower = panel + 1 < rule->kernel->radial_panels ? 0.5 * upper : 0;
    for (int i = 0; i < rule->count; i++) {
      const double s = 0.5 * (lower + upper) + (upper - lower) * rule->node[i];
      double y[3] = {0};
      for (int axis = 0; axis < rule->dim; axis++)
        y[axis] = rule->x[axis] + s * (face[axis] - rule->x[axis]);
      add_point(rule, y, weight * (upper - lower) * rule->weight[i] * (rule->dim == 3 ? s * s : s));
    }
    upper = lower;
  }
}

/* Distance of x from a box of that centre and side, along the axes given. */
static double distance(const double x[3], const double center[3], double side, int dim, int except) {
  double square = 0;
  for (int axis = 0; axis < dim; axis++) {
    const double out = fmax(0, fabs(x[axis] - center[axis]) - 0.5 * side);
    square += axis == except ? (x[axis] - center[axis]) * (x[axis] - center[axis]) : out * out;
  }
  return sqrt(square);
}

/* Calls itself on the halves along every axis but `except`. */
static void halve(const struct rule *rule, const double center[3], double side, int except,
                  void (*part)(const struct rule *, const double[3], double, int)) {
  for (int corner = 0; corner < 1 << rule->dim; corner++) {
    if (except >= 0 && corner >> except & 1)
      continue;
    double middle[3] = {0};
    for (int axis = 0; axis < rule->dim; axis++)
      middle[axis] = center[axis] + (axis == except ? 0 : (corner >> axis & 1 ? 0.25 : -0.25) * side);
    part(rule, middle, 0.5 * side, except);
  }
}

/* A square (in 2D: a segment) of the face across `across`. */
static void add_panel(const struct rule *rule, const double center[3], double side, int across) {
  const double height = fabs(center[across] - rule->x[across]);
  if (height == 0)
    return;
  if (distance(rule->x, center, side, rule->dim, across) < 0.99 * side) {
    halve(rule, center, side, across, add_panel);
    return;
  }
  const int first = across == 0 ? 1 : 0, second = across == 2 ? 1 : 2;
  for (int j = 0; j < (rule->dim == 3 ? rule->count : 1); j++)
    for (int i = 0; i < rule->count; i++) {
      double face[3] = {center[0], center[1], center[2]}, weight = height * side * rule->weight[i];
      face[first] += side * rule->node[i];
      if (rule->dim == 3) {
        face[second] += side * rule->node[j];
        weight *= side * rule->weight[j];
      }
      add_ray(rule, face, weight);
    }
}

static void add_box(const struct rule *rule, const double center[3], double side, int except) {
  if (distance(rule->x, center, side, rule->dim, -1) < 0.99 * side) {
    halve(rule, center, side, except, add_box);
    return;
  }
  for (int k = 0; k < (rule->dim == 3 ? rule->count : 1); k++)
    for (int j = 0; j < rule->count; j++)
      for (int i = 0; i < rule->count; i++) {
        const double y[3] = {center[0] + side * rule->node[i], center[1] + side * rule->node[j],
                             rule->dim == 3 ? center[2] + side * rule->node[k] : 0};
        double weight = side * side * rule->weight[i] * rule->weight[j];
        if (rule->dim == 3)
          weight *= side * rule->weight[k];
        add_point(rule, y, weight);
      }
}

void duffy_integrals(double *out, const struct tac_modes *modes, const struct duffy_kernel *kernel, int component,
                     const double *x) {
  struct rule rule = {
      .out = out, .modes = modes, .kernel = kernel, .component = component, .dim = modes->dim, .count = 11 + modes->order / 2};
  memcpy(rule.x, x, (size_t)rule.dim * sizeof *x);
  tac_gauss_rule(rule.count, rule.node, rule.weight);
  memset(out, 0, (size_t)modes->count * sizeof *out);
  const double origin[3] = {0};
  if (distance(rule.x, origin, 1, rule.dim, -1) > 0) {
    add_box(&rule, origin, 1, -1);
    return;
  }
  for (int across = 0; across < rule.dim; across++)
    for (int side = -1; side <= 1; side += 2) {
      double center[3] = {0};
      center[across] = 0.5 * side;
      add_panel(&rule, center, 1, across);
    }
}
