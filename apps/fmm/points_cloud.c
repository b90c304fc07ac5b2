/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <math.h>
#include <string.h>

#include "apps/fmm/far_set.h"
#include "apps/fmm/kernel.h"
#include "apps/fmm/points_far.h"

#define MOST_DEGREES 64

/* Polynomials up to a degree at one place, and their derivatives. */
struct table {
  double value[3][MOST_DEGREES], slope[3][MOST_DEGREES];
};

/* Sum over the modes of a sorted polynomial: out[0] the value, out[1 + axis] the derivatives. */
static void sum_modes(double out[4], const struct table *table, int dim, int order, enum tac_fmm_basis basis, int gradient,
                      const double *coefficient) {
  memset(out, 0, 4 * sizeof *out);
  for (int c = 0; c < (dim == 3 ? order : 1); c++) {
    double plane = 0, plane_x = 0, plane_y = 0;
    const int rows = basis == TAC_FMM_TOTAL ? order - c : order;
    for (int b = 0; b < rows; b++) {
      double line = 0, line_x = 0;
      const int length = basis == TAC_FMM_TOTAL ? rows - b : order;
      for (int a = 0; a < length; a++)
        line += coefficient[a] * table->value[0][a];
      for (int a = 0; gradient && a < length; a++)
        line_x += coefficient[a] * table->slope[0][a];
      plane += line * table->value[1][b];
      plane_x += line_x * table->value[1][b];
      plane_y += line * table->slope[1][b];
      coefficient += length;
    }
    const double along = dim == 3 ? table->value[2][c] : 1;
    out[0] += plane * along;
    out[1] += plane_x * along;
    out[2] += plane_y * along;
    out[3] += dim == 3 ? plane * table->slope[2][c] : 0;
  }
}

void tac_point_local_add(double *values, const struct tac_point_local *local, const struct tac_point_far *far,
                         const double *point) {
  const struct tac_fmm_plan *plan = far->plan;
  const struct tac_fmm_tree *tree = plan->tree;
  const struct tac_modes *modes = &tac_far_level_set(plan->far, local->cell.level)->modes;
  const double side = tac_fmm_tree_side(tree, local->cell.level);
  struct table table = {.value = {{0}}, .slope = {{0}}};
  for (int axis = 0; axis < plan->dim; axis++) {
    const double x = (point[axis] - tree->options.lower[axis]) / side - local->cell.coordinate[axis] - 0.5;
    tac_legendre(table.value[axis], table.slope[axis], modes->order, x);
  }
  for (int part = 0; part < plan->parts; part++) {
    double sums[4];
    sum_modes(sums, &table, plan->dim, modes->order, modes->basis, plan->options.gradient, local->polynomial[part]);
    for (int field = part; field < plan->fields; field += plan->parts)
      values[field] += field < plan->parts ? sums[0] : sums[field / plan->parts] / side;
  }
}

/* Nodes with which a kernel one side away is interpolated to eps: it is analytic in ellipses with sum of half axes 2 + sqrt 5
 * about each axis; Helmholtz needs more as it oscillates. */
static int cloud_nodes(const struct tac_fmm_plan *plan, int level) {
  const struct tac_fmm_kernel *kernel = &plan->options.kernel;
  const double size = kernel->kind == TAC_FMM_HELMHOLTZ ? kernel->parameter * tac_fmm_tree_side(plan->tree, level) : 0;
  return 2 + (int)ceil(log(1e3 / plan->options.eps) / log(2 + sqrt(5)) + 0.5 * fmin(size, 100));
}

static double *cloud_of(const struct tac_point_far *far, int32_t box) {
  return far->clouds.strength + (size_t)box * far->clouds.count;
}

/* Strengths of a box from its own density (a polynomial in the order of modes.h times the square of the side), weights
 * included. */
static void fill_from_modes(struct tac_point_far *far, int32_t box, const struct tac_modes *modes, const double *coefficients,
                            const double *weight) {
  const int nodes = far->clouds.nodes, dim = modes->dim;
  const double side = tac_fmm_tree_side(far->plan->tree, far->plan->tree->level[box]);
  double phi[MOST_DEGREES][MOST_DEGREES], *out = cloud_of(far, box);
  for (int i = 0; i < nodes; i++)
    tac_legendre(phi[i], NULL, modes->order, far->clouds.node[i]);
  for (int z = 0; z < (dim == 3 ? nodes : 1); z++)
    for (int y = 0; y < nodes; y++)
      for (int x = 0; x < nodes; x++) {
        double sum = 0;
        for (int mode = 0; mode < modes->count; mode++) {
          const unsigned char *degree = modes->degree[mode];
          sum += coefficients[mode] * phi[x][degree[0]] * phi[y][degree[1]] * phi[z][degree[2]];
        }
        *out++ = sum * weight[x] * weight[y] * (dim == 3 ? weight[z] * side : 1);
      }
}

/* Strengths of children to nodes of their parent: transposed interpolation along each axis by Legendre polynomials. */
static void add_child(struct tac_point_far *far, int32_t parent, int child, const double *weight, double *scratch) {
  const struct tac_fmm_plan *plan = far->plan;
  const int nodes = far->clouds.nodes, rest = (int)(far->clouds.count / (size_t)nodes);
  double basis[2][MOST_DEGREES][MOST_DEGREES], factor[2][MOST_DEGREES][MOST_DEGREES];
  double at[MOST_DEGREES], there[MOST_DEGREES];
  for (int i = 0; i < nodes; i++) {
    tac_legendre(at, NULL, nodes, far->clouds.node[i]);
    memcpy(basis[0][i], at, sizeof at);
  }
  for (int half = 0; half < 2; half++)
    for (int j = 0; j < nodes; j++) {
      tac_legendre(there, NULL, nodes, 0.5 * far->clouds.node[j] + (half ? 0.25 : -0.25));
      for (int i = 0; i < nodes; i++) {
        double sum = 0;
        for (int n = 0; n < nodes; n++)
          sum += basis[0][i][n] * there[n];
        factor[half][i][j] = weight[i] * sum;
      }
    }
  const double *in = cloud_of(far, plan->tree->first_child[parent] + child);
  double *out = scratch;
  for (int axis = 0; axis < plan->dim; axis++, in = out, out = scratch + (axis & 1) * (int)far->clouds.count)
    for (int i = 0; i < nodes; i++)
      for (int r = 0; r < rest; r++) {
        double sum = 0;
        for (int j = 0; j < nodes; j++)
          sum += factor[child >> axis & 1][i][j] * in[r * nodes + j];
        out[i * rest + r] = sum;
      }
  double *sum = cloud_of(far, parent);
  for (size_t i = 0; i < far->clouds.count; i++)
    sum[i] += in[i];
}

static void fill_cloud(struct tac_point_far *far, int32_t box, const double *weight, double *scratch) {
  const struct tac_fmm_plan *plan = far->plan;
  const int level = plan->tree->level[box], leaf = plan->tree->leaf[box];
  if (leaf != TAC_NO_BOX) {
    fill_from_modes(far, box, &plan->modes, tac_plan_coefficients(plan, leaf), weight);
    return;
  }
  memset(cloud_of(far, box), 0, far->clouds.count * sizeof(double));
  if (level < 2) {
    for (int c = 0; c < plan->children; c++)
      add_child(far, box, c, weight, scratch);
    return;
  }
  const struct tac_far_set *set = tac_far_level_set(plan->far, level);
  const double *multipole = plan->multipoles + tac_plan_box_offset(plan, box);
  memset(scratch, 0, (size_t)set->modes.count * sizeof *scratch);
  for (int k = 0; k < set->rank; k++)
    for (int i = 0; i < set->modes.count; i++)
      scratch[i] += set->vectors[(size_t)i + (size_t)set->modes.count * (size_t)k] * multipole[k];
  fill_from_modes(far, box, &set->modes, scratch, weight);
}

static enum tac_status make_clouds(struct tac_point_far *far, struct tac_error *error) {
  const struct tac_fmm_plan *plan = far->plan;
  struct tac_point_clouds *clouds = &far->clouds;
  clouds->top = 0;
  while (clouds->top < 2 && cloud_nodes(plan, clouds->top) > 32)
    clouds->top++;
  clouds->nodes = cloud_nodes(plan, clouds->top) < 64 ? cloud_nodes(plan, clouds->top) : 64;
  clouds->count = 1;
  for (int axis = 0; axis < plan->dim; axis++)
    clouds->count *= (size_t)clouds->nodes;
  const int deepest = plan->tree->levels < 3 ? plan->tree->levels : 3;
  const size_t boxes = (size_t)plan->tree->level_begin[deepest];
  clouds->strength = tac_store_take(&far->store, boxes * clouds->count, sizeof(double), "sources for far points", error);
  return clouds->strength ? TAC_STATUS_OK : TAC_STATUS_MEMORY;
}

enum tac_status tac_point_far_fill_clouds(struct tac_point_far *far, struct tac_error *error) {
  const struct tac_fmm_plan *plan = far->plan;
  double weight[64];
  if (!far->clouds.strength) {
    const enum tac_status status = make_clouds(far, error);
    if (status)
      return status;
  }
  const size_t scratch = 2 * far->clouds.count + TAC_FAR_MAX_MODES;
  double *memory = plan->store.allocator.allocate(plan->store.allocator.context, scratch * sizeof *memory);
  if (!memory)
    return tac_error_set(error, TAC_STATUS_MEMORY, "points", "no memory for sources for far points");
  tac_gauss_rule(far->clouds.nodes, far->clouds.node, weight);
  for (int level = plan->tree->levels < 3 ? plan->tree->levels - 1 : 2; level >= far->clouds.top; level--)
    for (int32_t box = plan->tree->level_begin[level]; box < plan->tree->level_begin[level + 1]; box++)
      fill_cloud(far, box, weight, memory);
  plan->store.allocator.release(plan->store.allocator.context, memory);
  return TAC_STATUS_OK;
}

/* Neither the square of a large distance nor that of a small one leaves the range of numbers. */
static double length(const double *distance, int dim) {
  return dim == 2 ? hypot(distance[0], distance[1]) : hypot(hypot(distance[0], distance[1]), distance[2]);
}

void tac_point_cloud_add(double *values, const struct tac_point_far *far, int32_t box, const double *point) {
  const struct tac_fmm_plan *plan = far->plan;
  const struct tac_fmm_tree *tree = plan->tree;
  const int nodes = far->clouds.nodes, dim = plan->dim, level = tree->level[box];
  const double side = tac_fmm_tree_side(tree, level), *strength = cloud_of(far, box);
  double distance[3] = {0}, along[3][64] = {{0}};
  for (int axis = 0; axis < dim; axis++)
    for (int i = 0; i < nodes; i++)
      along[axis][i] =
          point[axis] - (tree->options.lower[axis] + side * (tree->coordinate[box][axis] + 0.5 + far->clouds.node[i]));
  for (int z = 0; z < (dim == 3 ? nodes : 1); z++)
    for (int y = 0; y < nodes; y++)
      for (int x = 0; x < nodes; x++, strength++) {
        distance[0] = along[0][x];
        distance[1] = along[1][y];
        distance[2] = dim == 3 ? along[2][z] : 0;
        const double r = length(distance, dim);
        for (int part = 0; part < plan->parts; part++) {
          values[part] += *strength * tac_fmm_kernel_value(&plan->options.kernel, dim, part, r);
          if (plan->fields == plan->parts)
            continue;
          const double slope = *strength * tac_fmm_kernel_slope(&plan->options.kernel, dim, part, r) / r;
          for (int axis = 0; axis < dim; axis++)
            values[part + plan->parts * (1 + axis)] += slope * distance[axis];
        }
      }
}
