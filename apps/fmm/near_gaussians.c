/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <cblas.h>

#include "apps/fmm/near_block.h"

/* One-dimensional moments of all Gaussians at the target's nodes along one axis: [degree][node][Gaussian], and their
 * derivatives per unit of the target's side. */
struct factors {
  double center, side;
  double *value, *slope;
};
enum { PLACES = 6 }; /* 0 and 1, 1/2 and 3/2, 1/4 and 3/4 */

struct builder {
  const struct tac_near_space *space;
  const struct tac_gaussians *gaussians;
  int components;
  struct factors factors[PLACES];
  int places;
  double *left, *scaled, *product; /* workspace of one product */
  short *mode_of;                  /* of the degrees (x, y, z), x fastest; -1 where there is none */
};

size_t tac_near_matrix_size(const struct tac_near_space *space) {
  return (size_t)space->nodes * (size_t)space->modes.count;
}

size_t tac_near_set_size(const struct tac_near_space *space, int components) {
  return (size_t)(space->relations * components) * tac_near_matrix_size(space);
}

size_t tac_near_matrix_at(const struct tac_near_space *space, int components, int relation, int component) {
  return (size_t)(relation * components + component) * tac_near_matrix_size(space);
}

static void fill_factors(const struct builder *builder, const struct factors *factors) {
  const int order = builder->space->order, count = builder->gaussians->count;
  struct tac_moment_rule rule;
  tac_moment_rule_init(&rule, order);
  double nodes[TAC_FMM_MAX_ORDER], weights[TAC_FMM_MAX_ORDER], moments[TAC_FMM_MAX_ORDER], slopes[TAC_FMM_MAX_ORDER];
  tac_gauss_rule(order, nodes, weights);
  for (int i = 0; i < order; i++)
    for (int k = 0; k < count; k++) {
      tac_gaussian_moments(moments, slopes, &rule, 0, builder->gaussians->exponent[k],
                           factors->center + factors->side * nodes[i]);
      for (int n = 0; n < order; n++) {
        factors->value[(n * order + i) * count + k] = moments[n];
        factors->slope[(n * order + i) * count + k] = slopes[n] * factors->side;
      }
    }
}

static const struct factors *factors_at(const struct builder *builder, double center, double side) {
  for (int place = 0; place < builder->places; place++)
    if (builder->factors[place].center == center && builder->factors[place].side == side)
      return &builder->factors[place];
  return NULL;
}

static int add_factors(struct builder *builder, double center, double side) {
  const size_t order = (size_t)builder->space->order, size = order * order * (size_t)builder->gaussians->count;
  struct factors *factors = &builder->factors[builder->places++];
  *factors = (struct factors){.center = center, .side = side};
  factors->value = malloc(size * sizeof(double));
  factors->slope = malloc(size * sizeof(double));
  if (!factors->value || !factors->slope)
    return 0;
  fill_factors(builder, factors);
  return 1;
}

static void release(struct builder *builder) {
  for (int place = 0; place < builder->places; place++) {
    free(builder->factors[place].value);
    free(builder->factors[place].slope);
  }
  free(builder->left);
  free(builder->scaled);
  free(builder->product);
  free(builder->mode_of);
}

static int prepare(struct builder *builder) {
  const struct tac_near_space *space = builder->space;
  const size_t count = (size_t)builder->gaussians->count, order = (size_t)space->order;
  const size_t columns = space->dim == 3 ? order * order : order;
  builder->left = malloc(columns * count * sizeof(double));
  builder->scaled = malloc(order * count * sizeof(double));
  builder->product = malloc(columns * order * order * sizeof(double));
  builder->mode_of = malloc(order * order * order * sizeof(short));
  if (!builder->left || !builder->scaled || !builder->product || !builder->mode_of)
    return 0;
  for (size_t i = 0; i < order * order * order; i++)
    builder->mode_of[i] = -1;
  for (int mode = 0; mode < space->modes.count; mode++) {
    const unsigned char *degree = space->modes.degree[mode];
    builder->mode_of[degree[0] + space->order * (degree[1] + space->order * degree[2])] = (short)mode;
  }
  for (int relation = 0; relation < space->relations; relation++)
    for (int axis = 0; axis < space->dim; axis++) {
      const struct tac_near_shape *shape = &space->shape[relation];
      if (!factors_at(builder, shape->center[axis], shape->side) && !add_factors(builder, shape->center[axis], shape->side))
        return 0;
    }
  return 1;
}

/* Products of the factors along the first axes, times the weights: left[(node x, node y)][Gaussian] of degrees x and y. */
static int fill_left(const struct builder *builder, const double *const factor[3], int x, int y) {
  const int order = builder->space->order, count = builder->gaussians->count;
  const double *weight = builder->gaussians->weight;
  for (int i = 0; i < order; i++)
    for (int k = 0; k < count; k++)
      builder->scaled[i * count + k] = weight[k] * factor[0][(x * order + i) * count + k];
  if (builder->space->dim == 2) {
    memcpy(builder->left, builder->scaled, (size_t)(order * count) * sizeof(double));
    return order;
  }
  for (int j = 0; j < order; j++)
    for (int i = 0; i < order; i++)
      for (int k = 0; k < count; k++)
        builder->left[(j * order + i) * count + k] = builder->scaled[i * count + k] * factor[1][(y * order + j) * count + k];
  return order * order;
}

/* Degrees along the last axis that go with x and y. */
static int last_degrees(const struct tac_near_space *space, int x, int y) {
  return space->modes.basis == TAC_FMM_TENSOR ? space->order : space->order - x - y;
}

/* One matrix: for every (x, y) a product over the Gaussians with the last axis' factors. */
static void add_matrix(double *out, const struct builder *builder, const double *const factor[3]) {
  const struct tac_near_space *space = builder->space;
  const int order = space->order, count = builder->gaussians->count, three = space->dim == 3;
  for (int y = 0; y < (three ? order : 1); y++)
    for (int x = 0; x < order && last_degrees(space, x, y) > 0; x++) {
      const int columns = fill_left(builder, factor, x, y), degrees = last_degrees(space, x, y), rows = order * degrees;
      cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, columns, rows, count, 1, builder->left, count,
                  factor[space->dim - 1], count, 0, builder->product, columns);
      for (int last = 0; last < degrees; last++) {
        const int mode = builder->mode_of[three ? x + order * (y + order * last) : x + order * last];
        double *column = out + (size_t)mode * (size_t)space->nodes;
        for (int node = 0; node < space->nodes; node++)
          column[node] += builder->product[last * space->nodes + node];
      }
    }
}

static void add_relation(double *set, const struct builder *builder, int relation) {
  const struct tac_near_space *space = builder->space;
  const struct tac_near_shape *shape = &space->shape[relation];
  for (int component = 0; component < builder->components; component++) {
    const struct factors *place = factors_at(builder, shape->center[0], shape->side);
    const double *factor[3] = {place->value, place->value, place->value};
    for (int axis = 0; axis < space->dim; axis++) {
      place = factors_at(builder, shape->center[axis], shape->side);
      factor[axis] = component == 1 + axis ? place->slope : place->value;
    }
    add_matrix(set + tac_near_matrix_at(space, builder->components, relation, component), builder, factor);
  }
  /* The first mode is constant, the only one with an integral. */
  double *potential = set + tac_near_matrix_at(space, builder->components, relation, 0);
  for (int node = 0; node < space->nodes; node++)
    potential[node] += builder->gaussians->constant;
}

enum tac_status tac_near_add_gaussians(double *set, const struct tac_near_space *space, const struct tac_gaussians *gaussians,
                                       int components, struct tac_error *error) {
  enum tac_status status = TAC_STATUS_OK;
  struct builder builder = {.space = space, .gaussians = gaussians, .components = components};
  if (!prepare(&builder)) {
    status = tac_error_set(error, TAC_STATUS_MEMORY, "near field", "no memory to build tables of order %d", space->order);
    goto done;
  }
  for (int relation = 0; relation < space->relations; relation++)
    add_relation(set, &builder, relation);
done:
  release(&builder);
  return status;
}
