/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <math.h>
#include <string.h>

#include <cblas.h>

#include "apps/fmm/far_set.h"

/* one[a][b] = integral of phi_a(x/2 + 1/4) phi_b(x): polynomials of a box restricted to its upper half. For the lower half the
 * sign is (-1)^(a+b). */
struct halving {
  double one[TAC_FAR_MAX_ORDER][TAC_FAR_MAX_ORDER];
};

static void halve(struct halving *out, int order_box, int order_half) {
  double x[TAC_FAR_MAX_ORDER], w[TAC_FAR_MAX_ORDER], box[TAC_FAR_MAX_ORDER], half[TAC_FAR_MAX_ORDER];
  const int nodes = (order_box + order_half + 1) / 2;
  tac_gauss_rule(nodes, x, w);
  memset(out, 0, sizeof *out);
  for (int k = 0; k < nodes; k++) {
    tac_legendre(box, NULL, order_box, 0.5 * x[k] + 0.25);
    tac_legendre(half, NULL, order_half, x[k]);
    for (int a = 0; a < order_box; a++)
      for (int b = 0; b < order_half && b <= a; b++)
        out->one[a][b] += w[k] * box[a] * half[b];
  }
}

static double halved(const struct halving *h, int dim, const unsigned char box[3], const unsigned char half[3]) {
  double product = 1;
  for (int axis = 0; axis < dim; axis++)
    product *= h->one[box[axis]][half[axis]];
  return product;
}

static int largest_modes(const struct tac_far *far) {
  int count = 0;
  for (int set = 0; set < far->sets; set++)
    count = far->set[set].modes.count > count ? far->set[set].modes.count : count;
  return count;
}

static int nodes_of_leaf(const struct tac_far *far) {
  const int order = far->options.order;
  return far->options.dim == 3 ? order * order * order : order * order;
}

/* M2M and P2L: modes x modes (or density modes), and their product with the functions; M2P: functions at the nodes of a child,
 * and M2L matrices. */
size_t tac_far_scratch_size(const struct tac_far *far) {
  const size_t modes = (size_t)largest_modes(far), density = (size_t)far->density.count;
  const size_t wide = modes > density ? modes : density;
  size_t nodes = (size_t)nodes_of_leaf(far);
  const size_t translate = 2 * modes * wide + modes * modes, evaluate = 2 * nodes * modes + modes * modes;
  return translate > evaluate ? translate : evaluate;
}

/* m~_parent = h_parent^2 2^-dim h_child^-2 (S m~_child), S the integral of a parent's function times a child's one. */
void tac_far_fill_m2m(double *out, const struct tac_far *far, int level) {
  const struct tac_far_set *child = tac_far_level_set(far, level), *parent = tac_far_level_set(far, level - 1);
  const int rows = parent->modes.count, columns = child->modes.count, dim = far->options.dim;
  double *dense = far->scratch, *half = dense + (size_t)rows * (size_t)columns;
  const double factor = 4.0 / (1 << dim);
  struct halving h;
  halve(&h, parent->modes.order, child->modes.order);
  for (int j = 0; j < columns; j++)
    for (int i = 0; i < rows; i++)
      dense[(size_t)i + (size_t)rows * (size_t)j] = factor * halved(&h, dim, parent->modes.degree[i], child->modes.degree[j]);
  cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, rows, child->rank, columns, 1, dense, rows, child->vectors, columns, 0,
              half, rows);
  cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, parent->rank, child->rank, rows, 1, parent->vectors, rows, half, rows, 0,
              out, parent->rank);
}

void tac_far_m2m(double *out, const struct tac_far *far, int level) {
  if (far->level[level].m2m)
    memcpy(out, far->level[level].m2m, (size_t)tac_far_rank(far, level) * (size_t)tac_far_rank(far, level - 1) * sizeof *out);
}

/* A local expansion carries no scale: the transpose without the factor of M2M. */
void tac_far_l2l(double *out, const struct tac_far *far, int level) {
  const size_t child = (size_t)tac_far_rank(far, level), parent = (size_t)tac_far_rank(far, level - 1);
  const double factor = 0.25 * (1 << far->options.dim);
  for (size_t j = 0; j < parent; j++)
    for (size_t i = 0; i < child; i++)
      out[i + child * j] = factor * far->level[level].m2m[j + parent * i];
}

/* Position of a density mode in the basis of a level, -1 where its degree is not there. */
static int find_mode(const struct tac_modes *modes, const unsigned char degree[3]) {
  for (int i = 0; i < modes->count; i++)
    if (memcmp(modes->degree[i], degree, 3) == 0)
      return i;
  return -1;
}

void tac_far_p2m(double *out, const struct tac_far *far, int level) {
  const struct tac_far_set *set = tac_far_level_set(far, level);
  if (!set)
    return;
  for (int j = 0; j < far->density.count; j++) {
    const int mode = find_mode(&set->modes, far->density.degree[j]);
    for (int k = 0; k < set->rank; k++)
      *out++ = mode < 0 ? 0 : set->vectors[(size_t)mode + (size_t)set->modes.count * (size_t)k];
  }
}

void tac_far_functions(double *out, const struct tac_far *far, int level, int component, const double *x) {
  const struct tac_far_set *set = tac_far_level_set(far, level);
  if (!set)
    return;
  const struct tac_modes *modes = &set->modes;
  double value[3][TAC_FAR_MAX_ORDER] = {{0}}, slope[TAC_FAR_MAX_ORDER], products[TAC_FAR_MAX_MODES];
  value[2][0] = 1;
  for (int axis = 0; axis < modes->dim && axis < 3; axis++) {
    tac_legendre(value[axis], slope, modes->order, x[axis]);
    if (component == 1 + axis)
      memcpy(value[axis], slope, (size_t)modes->order * sizeof *slope);
  }
  for (int i = 0; i < modes->count; i++)
    products[i] = value[0][modes->degree[i][0]] * value[1][modes->degree[i][1]] * value[2][modes->degree[i][2]];
  for (int class = 0; class < 1 << modes->dim; class ++)
    for (int k = set->class_begin[class]; k < set->class_begin[class + 1]; k++) {
      const double *vector = set->vectors + (size_t)modes->count * (size_t)k;
      double sum = 0;
      for (int i = modes->class_begin[class]; i < modes->class_begin[class + 1]; i++)
        sum += vector[i] * products[i];
      out[k] = sum;
    }
}

/* Functions of a level at the point x, as column `row` of out with `rows` rows. */
static void functions_row(double *out, int row, int rows, double factor, const struct tac_far *far, int level, int component,
                          const double *x) {
  double values[TAC_FAR_MAX_MODES] = {0};
  tac_far_functions(values, far, level, component, x);
  for (int k = 0; k < tac_far_rank(far, level); k++)
    out[(size_t)row + (size_t)rows * (size_t)k] = factor * values[k];
}

static void leaf_node(const struct tac_far *far, const double *gauss, int node, double x[3]) {
  const int order = far->options.order;
  x[0] = gauss[node % order];
  x[1] = gauss[node / order % order];
  x[2] = far->options.dim == 3 ? gauss[node / order / order] : 0;
}

void tac_far_l2p(double *out, const struct tac_far *far, int level, int component) {
  double gauss[TAC_FMM_MAX_ORDER], weights[TAC_FMM_MAX_ORDER], x[3];
  tac_gauss_rule(far->options.order, gauss, weights);
  const int nodes = nodes_of_leaf(far);
  for (int node = 0; node < nodes; node++) {
    leaf_node(far, gauss, node, x);
    functions_row(out, node, nodes, 1, far, level, component, x);
  }
}

static int mirrored(const int offset[3], int positive[3]) {
  int axes = 0;
  for (int axis = 0; axis < 3; axis++) {
    positive[axis] = offset[axis] < 0 ? -offset[axis] : offset[axis];
    axes |= (offset[axis] < 0) << axis;
  }
  return axes;
}

const double *tac_far_m2l_stored(const struct tac_far *far, int level, int part, const int offset[3]) {
  int positive[3];
  mirrored(offset, positive);
  const int slot = tac_far_offset_slot(far->options.dim, positive), rank = tac_far_rank(far, level);
  if (slot < 0 || !rank)
    return NULL;
  return far->level[level].m2l[part] + (size_t)slot * (size_t)rank * (size_t)rank;
}

/* Nodes of a leaf that lie in one of its virtual children; the middle plane of odd orders belongs to the upper one. */
static int nodes_inside(const struct tac_far *far, const double *gauss, int child, int *inside) {
  int count = 0;
  for (int node = 0; node < nodes_of_leaf(far); node++) {
    double x[3];
    leaf_node(far, gauss, node, x);
    int same = 1;
    for (int axis = 0; axis < far->options.dim && axis < 3; axis++)
      same &= (x[axis] >= 0) == (child >> axis & 1);
    if (same)
      inside[count++] = node;
  }
  return count;
}

void tac_far_child_functions(double *out, const struct tac_far *far, int level, int component) {
  double gauss[TAC_FMM_MAX_ORDER], weights[TAC_FMM_MAX_ORDER];
  int inside[TAC_FMM_MAX_ORDER * TAC_FMM_MAX_ORDER * TAC_FMM_MAX_ORDER];
  tac_gauss_rule(far->options.order, gauss, weights);
  for (int child = 0; child < 1 << far->options.dim; child++) {
    const int count = nodes_inside(far, gauss, child, inside);
    for (int i = 0; i < count; i++) {
      double x[3];
      leaf_node(far, gauss, inside[i], x);
      for (int axis = 0; axis < far->options.dim && axis < 3; axis++)
        x[axis] = 2 * x[axis] + (child >> axis & 1 ? -0.5 : 0.5);
      functions_row(out, i, count, component ? 2 : 1, far, level, component, x);
    }
    out += (size_t)count * (size_t)tac_far_rank(far, level);
  }
}

/* Signs of the functions of definite class under a reflection of `axes`. */
static void reflect(double *sign, const int *begin, int dim, int axes) {
  for (int class = 0; class < 1 << dim; class ++)
    for (int k = begin[class]; k < begin[class + 1]; k++)
      sign[k] = tac_odd(class & axes) ? -1 : 1;
}

/* The leaf is cut into children of the source's size; each has a local expansion, evaluated at the nodes inside. */
void tac_far_m2p(double *out, const struct tac_far *far, int level, int part, const double *child_functions,
                 const int offset[3]) {
  const int rank = tac_far_rank(far, level), nodes = nodes_of_leaf(far), dim = far->options.dim;
  if (!rank)
    return;
  double gauss[TAC_FMM_MAX_ORDER], weights[TAC_FMM_MAX_ORDER], sign[TAC_FAR_MAX_MODES] = {0};
  double *turned = far->scratch, *values = turned + (size_t)nodes * (size_t)rank;
  int inside[TAC_FMM_MAX_ORDER * TAC_FMM_MAX_ORDER * TAC_FMM_MAX_ORDER];
  tac_gauss_rule(far->options.order, gauss, weights);
  for (int child = 0; child < 1 << dim; child++) {
    const int count = nodes_inside(far, gauss, child, inside);
    int from[3] = {0}, positive[3];
    for (int axis = 0; axis < dim; axis++)
      from[axis] = offset[axis] - (child >> axis & 1);
    reflect(sign, tac_far_class_begin(far, level), dim, mirrored(from, positive));
    for (int k = 0; k < rank; k++)
      for (size_t i = (size_t)count * (size_t)k; i < (size_t)count * (size_t)(k + 1); i++)
        turned[i] = sign[k] * child_functions[i];
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, count, rank, rank, 1, turned, count,
                tac_far_m2l_stored(far, level, part, from), rank, 0, values, count);
    for (int k = 0; k < rank; k++)
      for (int i = 0; i < count; i++)
        out[(size_t)inside[i] + (size_t)nodes * (size_t)k] = sign[k] * values[(size_t)i + (size_t)count * (size_t)k];
    child_functions += (size_t)count * (size_t)rank;
  }
}

/* m~ = 1/4 (S c~), S as in M2M. */
void tac_far_child_moments(double *out, const struct tac_far *far, int level) {
  const struct tac_far_set *set = tac_far_level_set(far, level);
  if (!set)
    return;
  const int rank = set->rank, count = set->modes.count, density = far->density.count;
  double *dense = far->scratch;
  struct halving h;
  halve(&h, far->density.order, set->modes.order);
  for (int j = 0; j < density; j++)
    for (int i = 0; i < count; i++)
      dense[(size_t)i + (size_t)count * (size_t)j] =
          0.25 * halved(&h, far->options.dim, far->density.degree[j], set->modes.degree[i]);
  cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, rank, density, count, 1, set->vectors, count, dense, count, 0, out,
              rank);
}

/* The leaf is cut into children of the target's size, mirror images of the upper one. */
void tac_far_p2l(double *out, const struct tac_far *far, int level, int part, const double *child_moments,
                 const int offset[3]) {
  const struct tac_far_set *set = tac_far_level_set(far, level);
  if (!set)
    return;
  const int rank = set->rank, density = far->density.count, dim = far->options.dim;
  const size_t rows = (size_t)rank, size = rows * (size_t)density;
  double *turned = far->scratch, *locals = turned + size;
  double sign[TAC_FAR_MAX_MODES] = {0}, child_sign[TAC_FAR_MAX_MODES] = {0}, density_sign[TAC_FAR_MAX_MODES] = {0};
  memset(out, 0, size * sizeof *out);
  for (int child = 0; child < 1 << dim; child++) {
    const int lower = ~child & ((1 << dim) - 1);
    int from[3] = {0}, positive[3];
    for (int axis = 0; axis < dim; axis++)
      from[axis] = (child >> axis & 1) - offset[axis];
    reflect(sign, set->class_begin, dim, mirrored(from, positive));
    reflect(child_sign, set->class_begin, dim, lower);
    reflect(density_sign, far->density.class_begin, dim, lower);
    for (int j = 0; j < density; j++)
      for (int i = 0; i < rank; i++)
        turned[(size_t)i + rows * (size_t)j] =
            sign[i] * child_sign[i] * density_sign[j] * child_moments[(size_t)i + rows * (size_t)j];
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, rank, density, rank, 1, tac_far_m2l_stored(far, level, part, from),
                rank, turned, rank, 0, locals, rank);
    for (int j = 0; j < density; j++)
      for (int i = 0; i < rank; i++)
        out[(size_t)i + rows * (size_t)j] += sign[i] * locals[(size_t)i + rows * (size_t)j];
  }
}
