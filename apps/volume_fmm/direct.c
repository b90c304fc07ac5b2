/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/volume_fmm/direct.h"

#include <math.h>
#include <string.h>

#include "apps/fmm/modes.h"
#include "apps/volume_fmm/bessel.h"

enum { MOST_POINTS = 24, MOST_FIELDS = 8, RADIAL_MOST = 64 };

static const double pi = 3.14159265358979323846;

/* A point closer to a leaf than this share of its side is on it. */
#define CLOSE 1e-13

/* One target and the leaf at hand, in the leaf's own coordinates: its centre is 0 and its side 1. Boxes and points are given
 * relative to the target, so that small distances are exact. */
struct target {
  const struct tac_direct *direct;
  int dim, order, parts, fields;
  double x[3], side;
  double *coefficients;     /* tensor, order^dim, x fastest */
  double *scratch;          /* 3 * MOST_POINTS^dim */
  double part[MOST_FIELDS]; /* sum over one box, so that many small terms do not vanish in a large sum */
  double sum[MOST_FIELDS];
};

double tac_direct_kernel_slope(const struct tac_fmm_kernel *kernel, int dim, int part, double r) {
  const double p = kernel->parameter, g = dim == 3 ? 1 / (4 * pi * r) : 0;
  switch (kernel->kind) {
  case TAC_FMM_LAPLACE:
    return dim == 2 ? -1 / (2 * pi * r) : -g / r;
  case TAC_FMM_YUKAWA:
    return dim == 2 ? -p * exp(-p * r) * tac_scaled_bessel_k(1, p * r) / (2 * pi) : -g * exp(-p * r) * (p + 1 / r);
  default:
    if (dim == 2)
      return 0.25 * p * (part ? -j1(p * r) : y1(p * r));
    return part ? g * (p * cos(p * r) - sin(p * r) / r) : -g * (p * sin(p * r) + cos(p * r) / r);
  }
}

/* Adds `amount` of density at d from the target. */
static void add_point(struct target *target, const double *d, double amount) {
  const struct tac_fmm_kernel *kernel = &target->direct->kernel;
  double square = 0;
  for (int axis = 0; axis < target->dim; axis++)
    square += d[axis] * d[axis];
  const double r = sqrt(square) * target->side;
  for (int part = 0; part < target->parts; part++) {
    target->part[part] += amount * tac_fmm_kernel_value(kernel, target->dim, part, r);
    if (!target->direct->gradient)
      continue;
    const double slope = amount * tac_direct_kernel_slope(kernel, target->dim, part, r) / r;
    for (int axis = 0; axis < target->dim; axis++)
      target->part[part + target->parts * (1 + axis)] -= slope * d[axis] * target->side;
  }
}

static void close_part(struct target *target) {
  for (int f = 0; f < target->fields; f++) {
    target->sum[f] += target->part[f];
    target->part[f] = 0;
  }
}

/* out[(slow)*points + i] = sum over k of in[slow*order + k] phi_k(x_i), then the axes are turned by one, so that `dim` of
 * these give the values on a tensor grid in its own order. */
static void expand_axis(double *out, const double *in, size_t slow, int order, int points, double (*phi)[TAC_FMM_MAX_ORDER]) {
  for (size_t s = 0; s < slow; s++)
    for (int i = 0; i < points; i++) {
      double sum = 0;
      for (int k = 0; k < order; k++)
        sum += in[s * (size_t)order + (size_t)k] * phi[i][k];
      out[(size_t)i * slow + s] = sum;
    }
}

/* The tensor Gauss rule on a box inside the leaf, for targets at least its longest side away. Nodes are enough for the
 * polynomial times the kernel's expansion: on a box seen from one side away the latter falls by 4.2 a degree (its poles lie
 * across), from 5 sides by 20 and from 20 by 80. */
static void add_box(struct target *target, const double *lower, const double *upper, double distance, double longest) {
  const int dim = target->dim, order = target->order;
  const int points = order / 2 + (distance > 20 * longest ? 4 : distance > 5 * longest ? 6 : 12);
  double node[MOST_POINTS], weight[MOST_POINTS], at[3][MOST_POINTS], phi[MOST_POINTS][TAC_FMM_MAX_ORDER];
  double *a = target->scratch, *b = a + MOST_POINTS * MOST_POINTS * (dim == 3 ? MOST_POINTS : 1), volume = 1;
  const double *in = target->coefficients;
  tac_gauss_rule(points, node, weight);
  for (int axis = 0; axis < dim; axis++) {
    size_t slow = 1;
    volume *= (upper[axis] - lower[axis]) * target->side;
    for (int i = 0; i < points; i++) {
      at[axis][i] = 0.5 * (lower[axis] + upper[axis]) + (upper[axis] - lower[axis]) * node[i];
      tac_legendre(phi[i], NULL, order, target->x[axis] + at[axis][i]);
    }
    for (int other = 0; other < dim; other++)
      slow *= (size_t)(other == axis ? 1 : other < axis ? points : order);
    expand_axis(a, in, slow, order, points, phi);
    double *filled = a;
    in = filled;
    a = b;
    b = filled;
  }
  for (int k = 0; k < (dim == 3 ? points : 1); k++)
    for (int j = 0; j < points; j++)
      for (int i = 0; i < points; i++) {
        const double d[3] = {at[0][i], at[1][j], dim == 3 ? at[2][k] : 0};
        add_point(target, d,
                  volume * weight[i] * weight[j] * (dim == 3 ? weight[k] : 1) * in[((size_t)k * points + j) * points + i]);
      }
  close_part(target);
}

static double distance_to(int dim, const double *lower, const double *upper) {
  double square = 0;
  for (int axis = 0; axis < dim; axis++) {
    const double gap = fmax(0, fmax(lower[axis], -upper[axis]));
    square += gap * gap;
  }
  return sqrt(square);
}

/* A box that the target is outside of, cut along its long axes until the parts are far enough. */
static void add_outside(struct target *target, const double *lower, const double *upper) {
  const int dim = target->dim;
  double longest = 0, low[3], high[3];
  for (int axis = 0; axis < dim; axis++)
    longest = fmax(longest, upper[axis] - lower[axis]);
  const double distance = distance_to(target->dim, lower, upper);
  if (distance >= longest) {
    add_box(target, lower, upper, distance, longest);
    return;
  }
  unsigned cut = 0;
  for (int axis = 0; axis < dim; axis++)
    cut |= upper[axis] - lower[axis] > 0.6 * longest ? 1u << axis : 0;
  for (unsigned part = 0; part < 1u << dim; part++) {
    if (part & ~cut)
      continue;
    for (int axis = 0; axis < dim; axis++) {
      const double middle = 0.5 * (lower[axis] + upper[axis]);
      low[axis] = part >> axis & 1 ? middle : lower[axis];
      high[axis] = cut >> axis & 1 && !(part >> axis & 1) ? middle : upper[axis];
    }
    add_outside(target, low, high);
  }
}

static double polynomial_at(const struct target *target, const double *d) {
  double phi[3][TAC_FMM_MAX_ORDER] = {{0}}, sum = 0;
  const int order = target->order;
  const double *c = target->coefficients;
  phi[2][0] = 1;
  for (int axis = 0; axis < target->dim; axis++)
    tac_legendre(phi[axis], NULL, order, target->x[axis] + d[axis]);
  for (int k = 0; k < (target->dim == 3 ? order : 1); k++)
    for (int j = 0; j < order; j++) {
      double row = 0;
      for (int i = 0; i < order; i++)
        row += *c++ * phi[0][i];
      sum += phi[2][k] * phi[1][j] * row;
    }
  return sum;
}

/* A pyramid with its tip at the target and its base on a face of a box around it: d = t b takes the singularity away, t^(dim-1)
 * being part of the volume. In 2D t = s^3 smooths the logarithm. `low` and `high` are the base's corners, equal along `axis`.
 */
static void add_pyramid(struct target *target, int axis, const double *low, const double *high) {
  const int dim = target->dim, one = (axis + 1) % dim, two = dim == 3 ? (axis + 2) % 3 : axis, order = target->order;
  const int rays = 12 + order / 4, steps = dim == 2 ? 3 * order + 12 : 3 * order / 2 + 6;
  double node[MOST_POINTS], weight[MOST_POINTS], radial[RADIAL_MOST], radial_weight[RADIAL_MOST];
  tac_gauss_rule(rays, node, weight);
  tac_gauss_rule(steps, radial, radial_weight);
  double base = fabs(low[axis]) * (high[one] - low[one]) * (dim == 3 ? high[two] - low[two] : 1);
  for (int axis_side = 0; axis_side < dim; axis_side++)
    base *= target->side;
  for (int j = 0; j < (dim == 3 ? rays : 1); j++)
    for (int i = 0; i < rays; i++) {
      double b[3] = {0};
      if (dim == 3)
        b[two] = 0.5 * (low[two] + high[two]) + (high[two] - low[two]) * node[j];
      b[axis] = low[axis];
      b[one] = 0.5 * (low[one] + high[one]) + (high[one] - low[one]) * node[i];
      for (int k = 0; k < steps; k++) {
        const double s = 0.5 + radial[k], t = dim == 2 ? s * s * s : s;
        const double step = radial_weight[k] * (dim == 2 ? 3 * s * s * t : t * t);
        const double d[3] = {t * b[0], t * b[1], t * b[2]};
        add_point(target, d, base * weight[i] * (dim == 3 ? weight[j] : 1) * step * polynomial_at(target, d));
      }
    }
  close_part(target);
}

/* The pyramids over all faces of a box that the target is in, cut at the target's projection. */
static void add_pyramids(struct target *target, const double *lower, const double *upper) {
  const int dim = target->dim;
  for (int face = 0; face < 2 * dim; face++) {
    const int axis = face / 2;
    const double position = face & 1 ? upper[axis] : lower[axis];
    for (unsigned part = 0; part < 1u << dim; part++) {
      double low[3] = {0}, high[3] = {0}, area = 1;
      if (part >> axis & 1)
        continue;
      for (int a = 0; a < dim; a++) {
        low[a] = a == axis ? position : part >> a & 1 ? 0 : lower[a];
        high[a] = a == axis ? position : part >> a & 1 ? upper[a] : 0;
        area *= a == axis ? fabs(position) : high[a] - low[a];
      }
      if (area > 0)
        add_pyramid(target, axis, low, high);
    }
  }
}

/* The leaf that the target is in or on: a box around it, as wide as the nearest border allows, and the rest of the leaf. */
static void add_around(struct target *target) {
  const int dim = target->dim;
  double width = 0.5, cut[3][4];
  for (int axis = 0; axis < dim; axis++) {
    double *x = &target->x[axis];
    *x = *x < -0.5 + CLOSE ? -0.5 : *x > 0.5 - CLOSE ? 0.5 : *x;
    for (int upper = 0; upper < 2; upper++) {
      const double gap = upper ? 0.5 - *x : *x + 0.5;
      width = gap > 0 && gap < width ? gap : width;
    }
  }
  for (int axis = 0; axis < dim; axis++) {
    cut[axis][0] = -0.5 - target->x[axis];
    cut[axis][3] = 0.5 - target->x[axis];
    cut[axis][1] = fmax(cut[axis][0], -width);
    cut[axis][2] = fmin(cut[axis][3], width);
  }
  for (int part = 0; part < (dim == 3 ? 27 : 9); part++) {
    const int digit[3] = {part % 3, part / 3 % 3, part / 9};
    double low[3] = {0}, high[3] = {0};
    int is_middle = 1, is_empty = 0;
    for (int axis = 0; axis < dim; axis++) {
      low[axis] = cut[axis][digit[axis]];
      high[axis] = cut[axis][digit[axis] + 1];
      is_middle &= digit[axis] == 1;
      is_empty |= high[axis] - low[axis] <= 0;
    }
    if (is_middle)
      add_pyramids(target, low, high);
    else if (!is_empty)
      add_outside(target, low, high);
  }
}

static void add_leaf(struct target *target) {
  double lower[3] = {0}, upper[3] = {0};
  for (int axis = 0; axis < target->dim; axis++) {
    lower[axis] = -0.5 - target->x[axis];
    upper[axis] = 0.5 - target->x[axis];
  }
  if (distance_to(target->dim, lower, upper) < CLOSE)
    add_around(target);
  else
    add_outside(target, lower, upper);
}

struct batch {
  const struct tac_direct *direct;
  struct tac_modes modes;
  struct tac_transform transform;
  const double *points;
  double *const *fields;
};

/* Tensor coefficients of a leaf's polynomial; those beyond the basis are 0. */
static void load_leaf(struct target *target, const struct batch *batch, size_t leaf, double *modal, double *scratch) {
  const size_t order = (size_t)target->order, nodes = target->dim == 2 ? order * order : order * order * order;
  tac_nodes_to_modes(&batch->transform, &batch->modes, batch->direct->density + leaf * nodes, modal, scratch);
  memset(target->coefficients, 0, nodes * sizeof *target->coefficients);
  for (int m = 0; m < batch->modes.count; m++) {
    const unsigned char *degree = batch->modes.degree[m];
    target->coefficients[(degree[2] * order + degree[1]) * order + degree[0]] = modal[m];
  }
}

static enum tac_status run_target(void *context, size_t index, struct tac_lane *lane) {
  const struct batch *batch = context;
  const struct tac_fmm_tree *tree = batch->direct->tree;
  const int dim = tac_fmm_tree_dim(tree), order = tac_fmm_tree_order(tree);
  const size_t nodes = (size_t)(dim == 2 ? order * order : order * order * order);
  const size_t grid = (size_t)MOST_POINTS * MOST_POINTS * (dim == 3 ? MOST_POINTS : 1);
  struct target target = {.direct = batch->direct, .dim = dim, .order = order};
  double *memory = tac_arena_take(lane->arena, (4 * nodes + 2 * grid) * sizeof *memory);
  if (!memory)
    return tac_error_set(lane->error, TAC_STATUS_MEMORY, "direct quadrature", "no memory for a target");
  target.parts = tac_fmm_kernel_parts(batch->direct->kernel.kind);
  target.fields = target.parts * (batch->direct->gradient ? 1 + dim : 1);
  target.coefficients = memory;
  target.scratch = memory + 4 * nodes;
  for (size_t leaf = 0; leaf < tac_fmm_tree_leaves(tree); leaf++) {
    double lower[3];
    tac_fmm_tree_leaf(tree, leaf, lower, &target.side, NULL);
    for (int axis = 0; axis < dim; axis++)
      target.x[axis] = (batch->points[(size_t)dim * index + (size_t)axis] - lower[axis]) / target.side - 0.5;
    load_leaf(&target, batch, leaf, memory + nodes, memory + 2 * nodes);
    add_leaf(&target);
  }
  for (int f = 0; f < target.fields; f++)
    batch->fields[f][index] = target.sum[f];
  return TAC_STATUS_OK;
}

enum tac_status tac_direct_evaluate(const struct tac_direct *direct, struct tac_scheduler *scheduler, size_t count,
                                    const double *points, double *const *fields, struct tac_error *error) {
  struct batch batch = {.direct = direct, .points = points, .fields = fields};
  const int order = tac_fmm_tree_order(direct->tree);
  enum tac_status status =
      tac_modes_create(&batch.modes, tac_fmm_tree_dim(direct->tree), order, tac_fmm_tree_basis(direct->tree), error);
  if (status != TAC_STATUS_OK)
    return status;
  tac_transform_init(&batch.transform, order);
  status =
      tac_run_batch(scheduler, &(struct tac_batch){.count = count, .item = run_target, .context = &batch, .grain = 1}, error);
  tac_modes_destroy(&batch.modes);
  return status;
}

double tac_direct_cost(const struct tac_direct *direct) {
  const int points = tac_fmm_tree_order(direct->tree) / 2 + 5;
  return (double)tac_fmm_tree_leaves(direct->tree) * pow(points, tac_fmm_tree_dim(direct->tree)) + 1e5;
}
