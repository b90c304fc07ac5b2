/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/fmm/modes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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

/* Mirror sums of `values` at pair (x, y, z) counted from the lower corner, for one class: an average over the mirror images
 * with the class' signs. The images of the middle plane coincide. */
static double mirror_sum(const struct tac_node_space *space, const double *values, int class, const int index[3]) {
  const int last = space->order - 1, order = space->order;
  double sum = 0;
  for (int image = 0; image < 1 << space->dim; image++) {
    int node = 0, sign = 1;
    for (int axis = space->dim - 1; axis >= 0; axis--) {
      const int upper = image >> axis & 1;
      node = node * order + (upper ? last - index[axis] : index[axis]);
      if (axis_parity(class, axis) && !upper)
        sign = -sign;
    }
    sum += sign * values[node];
  }
  return sum / (1 << space->dim);
}

void tac_nodes_to_classes(const struct tac_node_space *space, const double *values, double *out) {
  for (int class = 0; class < 1 << space->dim; class ++)
    for (int z = 0; z < half(space, class, 2); z++)
      for (int y = 0; y < half(space, class, 1); y++)
        for (int x = 0; x < half(space, class, 0); x++)
          *out++ = mirror_sum(space, values, class, (const int[3]){x, y, z});
}

/* Position of pair (x, y, z) in a class. */
static int class_index(const struct tac_node_space *space, int class, const int pair[3]) {
  int index = space->dim == 3 ? pair[2] : 0;
  index = index * half(space, class, 1) + pair[1];
  return space->class_begin[class] + index * half(space, class, 0) + pair[0];
}

void tac_classes_to_nodes(const struct tac_node_space *space, const double *in, double *values) {
  const int order = space->order;
  for (int node = 0; node < space->count; node++) {
    const int index[3] = {node % order, node / order % order, node / order / order};
    double sum = 0;
    for (int class = 0; class < 1 << space->dim; class ++) {
      int pair[3] = {0}, sign = 1, present = 1;
      for (int axis = 0; axis < space->dim; axis++) {
        const int mirrored = order - 1 - index[axis], lower = index[axis] <= mirrored;
        pair[axis] = lower ? index[axis] : mirrored;
        if (axis_parity(class, axis)) {
          present &= index[axis] != mirrored;
          sign = lower ? -sign : sign;
        }
      }
      if (present)
        sum += sign * in[class_index(space, class, pair)];
    }
    values[node] = sum;
  }
}

void tac_transform_init(struct tac_transform *transform, int order) {
  double nodes[TAC_FMM_MAX_ORDER], weights[TAC_FMM_MAX_ORDER];
  tac_gauss_rule(order, nodes, weights);
  for (int node = 0; node < order; node++) {
    tac_legendre(transform->backward[node], NULL, order, nodes[node]);
    for (int degree = 0; degree < order; degree++)
      transform->forward[degree][node] = weights[node] * transform->backward[node][degree];
  }
}

/* Applies matrix[i][j] along the fastest axis of an order x rest array and turns the axes once: out[rest][i] … so that after
 * dim turns the axes are in their first order again. */
static void turn(const double matrix[TAC_FMM_MAX_ORDER][TAC_FMM_MAX_ORDER], int order, int rest, const double *in,
                 double *out) {
  for (int i = 0; i < order; i++)
    for (int r = 0; r < rest; r++) {
      double sum = 0;
      for (int j = 0; j < order; j++)
        sum += matrix[i][j] * in[r * order + j];
      out[i * rest + r] = sum;
    }
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
  const int count = points(modes), rest = count / modes->order;
  double *in = scratch, *out = scratch + count;
  memcpy(in, values, (size_t)count * sizeof *in);
  for (int axis = 0; axis < modes->dim; axis++) {
    turn(transform->forward, modes->order, rest, in, out);
    double *swap = in;
    in = out;
    out = swap;
  }
  for (int mode = 0; mode < modes->count; mode++)
    coefficients[mode] = in[position(modes, mode)];
}

void tac_modes_to_nodes(const struct tac_transform *transform, const struct tac_modes *modes, const double *coefficients,
                        double *values, double *scratch) {
  const int count = points(modes), rest = count / modes->order;
  double *in = scratch, *out = scratch + count;
  memset(in, 0, (size_t)count * sizeof *in);
  for (int mode = 0; mode < modes->count; mode++)
    in[position(modes, mode)] = coefficients[mode];
  for (int axis = 0; axis < modes->dim; axis++) {
    turn(transform->backward, modes->order, rest, in, out);
    double *swap = in;
    in = out;
    out = swap;
  }
  memcpy(values, in, (size_t)count * sizeof *in);
}
