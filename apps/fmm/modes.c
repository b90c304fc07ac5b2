/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/fmm/modes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "apps/fmm/stencil.h"

static int mode_class(const unsigned char degree[3]) {
  return (degree[0] & 1) | (degree[1] & 1) << 1 | (degree[2] & 1) << 2;
}

static int total(const unsigned char degree[3]) {
  return degree[0] + degree[1] + degree[2];
}

/* Appends the modes of one class and one total degree. */
static void append(struct tac_modes *modes, int class, int sum) {
  const int last_z = modes->dim == 3 ? modes->order - 1 : 0;
  for (int z = 0; z <= last_z; z++)
    for (int y = 0; y < modes->order; y++)
      for (int x = 0; x < modes->order; x++) {
        const unsigned char degree[3] = {(unsigned char)x, (unsigned char)y, (unsigned char)z};
        if (mode_class(degree) == class && total(degree) == sum)
          memcpy(modes->degree[modes->count++], degree, sizeof degree);
      }
}

enum tac_status tac_modes_create(struct tac_modes *out, int dim, int order, enum tac_fmm_basis basis, struct tac_error *error) {
  *out = (struct tac_modes){.dim = dim, .order = order, .basis = basis};
  size_t most = 1;
  for (int axis = 0; axis < dim; axis++)
    most *= (size_t)order;
  out->degree = calloc(most, sizeof *out->degree);
  if (!out->degree)
    return tac_error_set(error, TAC_STATUS_MEMORY, "polynomials", "no memory for %zu modes", most);
  const int top = basis == TAC_FMM_TOTAL ? order - 1 : dim * (order - 1);
  for (int class = 0; class < 1 << dim; class ++) {
    out->class_begin[class] = out->count;
    for (int sum = 0; sum <= top; sum++)
      append(out, class, sum);
  }
  out->class_begin[1 << dim] = out->count;
  return TAC_STATUS_OK;
}

void tac_modes_destroy(struct tac_modes *modes) {
  free(modes->degree);
  *modes = (struct tac_modes){0};
}

/* With x in [-1/2, 1/2] and z = 2x: P_n by its three-term recurrence, P'_{n+1} = P'_{n-1} + (2n+1) P_n. */
void tac_legendre(double *values, double *derivatives, int order, double x) {
  const double z = 2 * x;
  double p = 1, p_before = 0, d = 0, d_before = 0;
  for (int n = 0; n < order; n++) {
    const double norm = sqrt(2.0 * n + 1);
    values[n] = norm * p;
    if (derivatives)
      derivatives[n] = 2 * norm * d;
    const double p_next = ((2 * n + 1) * z * p - n * p_before) / (n + 1);
    const double d_next = d_before + (2 * n + 1) * p;
    p_before = p;
    p = p_next;
    d_before = d;
    d = d_next;
  }
}

/* P_n(z) and P'_n(z). */
static double legendre_last(int n, double z, double *derivative) {
  double p = 1, before = 0;
  for (int k = 0; k < n; k++) {
    const double next = ((2 * k + 1) * z * p - k * before) / (k + 1);
    before = p;
    p = next;
  }
  *derivative = n * (before - z * p) / (1 - z * z);
  return p;
}

/* Newton's method from Tricomi's estimate of the roots; half of them, the others by symmetry. */
void tac_gauss_rule(int count, double *nodes, double *weights) {
  const double pi = 3.14159265358979323846;
  for (int i = 0; i < (count + 1) / 2; i++) {
    double z = 2 * i + 1 == count ? 0 : cos(pi * (i + 0.75) / (count + 0.5));
    double derivative;
    for (int step = 0; step < 8; step++)
      z -= legendre_last(count, z, &derivative) / derivative;
    if (2 * i + 1 == count)
      z = 0;
    legendre_last(count, z, &derivative);
    nodes[i] = -z / 2;
    nodes[count - 1 - i] = z / 2;
    weights[i] = weights[count - 1 - i] = 1 / ((1 - z * z) * derivative * derivative);
  }
}

static int axis_parity(int class, int axis) {
  return class >> axis & 1;
}

/* Points of a class along one axis. */
static int half(const struct tac_node_space *space, int class, int axis) {
  if (axis >= space->dim)
    return 1;
  return axis_parity(class, axis) ? space->order / 2 : (space->order + 1) / 2;
}

void tac_node_space_init(struct tac_node_space *space, int dim, int order) {
  *space = (struct tac_node_space){.dim = dim, .order = order};
  for (int class = 0; class < 1 << dim; class ++) {
    space->class_begin[class] = space->count;
    space->count += half(space, class, 0) * half(space, class, 1) * half(space, class, 2);
  }
  space->class_begin[1 << dim] = space->count;
}

/* One axis of a class form and back: `outer` slabs of pairs, each pair `inner` long. even holds (order+1)/2 entries a slab, odd
 * order/2. */
static void join_axis(const double *even, const double *odd, int order, int outer, int inner, double *out) {
  const int pairs = order / 2, evens = order - pairs;
  for (int o = 0; o < outer; o++, even += evens * inner, odd += pairs * inner, out += order * inner) {
    for (int i = 0; i < pairs; i++)
      for (int k = 0; k < inner; k++) {
        const double e = even[i * inner + k], d = odd[i * inner + k];
        out[i * inner + k] = e - d;
        out[(order - 1 - i) * inner + k] = e + d;
      }
    if (evens > pairs)
      memcpy(out + pairs * inner, even + pairs * inner, (size_t)inner * sizeof *out);
  }
}

static void split_axis(const double *in, int order, int outer, int inner, double *even, double *odd) {
  const int pairs = order / 2, evens = order - pairs;
  for (int o = 0; o < outer; o++, even += evens * inner, odd += pairs * inner, in += order * inner) {
    for (int i = 0; i < pairs; i++)
      for (int k = 0; k < inner; k++) {
        const double lower = in[i * inner + k], upper = in[(order - 1 - i) * inner + k];
        even[i * inner + k] = 0.5 * (upper + lower);
        odd[i * inner + k] = 0.5 * (upper - lower);
      }
    if (evens > pairs)
      memcpy(even + pairs * inner, in + pairs * inner, (size_t)inner * sizeof *in);
  }
}

enum { MOST_NODES = TAC_FMM_MAX_ORDER * TAC_FMM_MAX_ORDER * TAC_FMM_MAX_ORDER };

/* Where the block of classes 2 b and 2 b + 1 begins once their points along x are joined: order points a row. */
static void lay_out_blocks(const struct tac_node_space *space, int begin[4]) {
  int at = 0;
  for (int block = 0; block < 4; block++) {
    begin[block] = at;
    at += half(space, 2 * block, 1) * half(space, 2 * block, 2) * space->order;
  }
}

/* x of every class, then y, then z. */
void tac_classes_to_nodes(const struct tac_node_space *space, const double *in, double *values) {
  double blocks[MOST_NODES], planes[MOST_NODES];
  const int order = space->order, upper = (order + 1) / 2 * order * order;
  int begin[4];
  lay_out_blocks(space, begin);
  memset(blocks, 0, (size_t)space->count * sizeof *blocks);
  memset(planes, 0, (size_t)space->count * sizeof *planes);
  for (int class = 0; class < 1 << space->dim; class += 2)
    join_axis(in + space->class_begin[class], in + space->class_begin[class + 1], order,
              half(space, class, 1) * half(space, class, 2), 1, blocks + begin[class / 2]);
  if (space->dim == 2) {
    join_axis(blocks + begin[0], blocks + begin[1], order, 1, order, values);
    return;
  }
  join_axis(blocks + begin[0], blocks + begin[1], order, half(space, 0, 2), order, planes);
  join_axis(blocks + begin[2], blocks + begin[3], order, half(space, 4, 2), order, planes + upper);
  join_axis(planes, planes + upper, order, 1, order * order, values);
}

void tac_nodes_to_classes(const struct tac_node_space *space, const double *values, double *out) {
  double blocks[MOST_NODES], planes[MOST_NODES];
  const int order = space->order, upper = (order + 1) / 2 * order * order;
  int begin[4];
  lay_out_blocks(space, begin);
  memset(blocks, 0, (size_t)space->count * sizeof *blocks);
  if (space->dim == 2)
    split_axis(values, order, 1, order, blocks + begin[0], blocks + begin[1]);
  else {
    memset(planes, 0, (size_t)space->count * sizeof *planes);
    split_axis(values, order, 1, order * order, planes, planes + upper);
    split_axis(planes, order, half(space, 0, 2), order, blocks + begin[0], blocks + begin[1]);
    split_axis(planes + upper, order, half(space, 4, 2), order, blocks + begin[2], blocks + begin[3]);
  }
  for (int class = 0; class < 1 << space->dim; class += 2)
    split_axis(blocks + begin[class / 2], order, half(space, class, 1) * half(space, class, 2), 1,
               out + space->class_begin[class], out + space->class_begin[class + 1]);
}

void tac_transform_init(struct tac_transform *transform, int order) {
  double nodes[TAC_FMM_MAX_ORDER] = {0}, weights[TAC_FMM_MAX_ORDER] = {0}, values[TAC_FMM_MAX_ORDER];
  tac_gauss_rule(order, nodes, weights);
  for (int node = 0; node < order; node++) {
    tac_legendre(values, NULL, order, nodes[node]);
    for (int degree = 0; degree < order; degree++)
      transform->forward[degree][node] = transform->forward_by_node[node][degree] = weights[node] * values[degree];
  }
}

/* matrix[i][j] along every axis of in[z][y][x]: out = (M x M x M) in. by_column is the transpose of matrix. in is overwritten.
 */
static void apply_axes(const double matrix[TAC_FMM_MAX_ORDER][TAC_FMM_MAX_ORDER],
                       const double by_column[TAC_FMM_MAX_ORDER][TAC_FMM_MAX_ORDER], int dim, int order, double *in,
                       double *out) {
  const int slab = order * order, count = dim == 3 ? slab * order : slab, ld = TAC_FMM_MAX_ORDER;
  memset(out, 0, (size_t)count * sizeof *out);
  tac_gemm(order, count / order, order, by_column[0], ld, in, order, out, order);
  memset(in, 0, (size_t)count * sizeof *in);
  for (int z = 0; z < count; z += slab)
    tac_gemm(order, order, order, out + z, order, matrix[0], ld, in + z, order);
  if (dim == 2) {
    memcpy(out, in, (size_t)count * sizeof *out);
    return;
  }
  memset(out, 0, (size_t)count * sizeof *out);
  tac_gemm(slab, order, order, in, slab, matrix[0], ld, out, slab);
}

static int position(const struct tac_modes *modes, int mode) {
  const unsigned char *degree = modes->degree[mode];
  return degree[0] + modes->order * (degree[1] + modes->order * degree[2]);
}

static int points(const struct tac_modes *modes) {
  return modes->dim == 3 ? modes->order * modes->order * modes->order : modes->order * modes->order;
}

void tac_nodes_to_modes(const struct tac_transform *transform, const struct tac_modes *modes, const double *values,
                        double *coefficients, double *scratch) {
  const int count = points(modes);
  double *out = scratch + count;
  memcpy(scratch, values, (size_t)count * sizeof *values);
  apply_axes(transform->forward, transform->forward_by_node, modes->dim, modes->order, scratch, out);
  for (int mode = 0; mode < modes->count; mode++)
    coefficients[mode] = out[position(modes, mode)];
}
