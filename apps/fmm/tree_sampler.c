/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/fmm/tree_sampler.h"

#include <math.h>
#include <string.h>

#include "apps/fmm/modes.h"
#include "apps/fmm/stencil.h"

/* Points a call of the density is given, about: their coordinates and values stay in the second cache. */
#define POINTS_PER_CALL 8192

static int power(int base, int exponent) {
  int result = 1;
  while (exponent-- > 0)
    result *= base;
  return result;
}

static void set_entry(struct tac_axis_matrix *matrix, int to, int from, double value) {
  matrix->rows[to * matrix->from + from] = matrix->columns[from * matrix->to + to] = value;
}

static void fill_matrices(struct tac_sampler *sampler) {
  const int order = sampler->options->order, fine = 2 * order;
  double weight[2 * TAC_FMM_MAX_ORDER], phi[TAC_FMM_MAX_ORDER];
  sampler->project.to = sampler->project.from = sampler->evaluate.from = order;
  sampler->evaluate.to = fine;
  tac_gauss_rule(order, sampler->node, weight);
  for (int node = 0; node < order; node++) {
    tac_legendre(phi, NULL, order, sampler->node[node]);
    for (int degree = 0; degree < order; degree++)
      set_entry(&sampler->project, degree, node, weight[node] * phi[degree]);
  }
  tac_gauss_rule(fine, sampler->fine_node, weight);
  for (int node = 0; node < fine; node++) {
    tac_legendre(phi, NULL, order, sampler->fine_node[node]);
    for (int degree = 0; degree < order; degree++)
      set_entry(&sampler->evaluate, node, degree, phi[degree]);
  }
}

enum tac_status tac_sampler_init(struct tac_sampler *sampler, const struct tac_fmm_tree_options *options,
                                 const struct tac_allocator *allocator, tac_fmm_density_fn density, void *context,
                                 struct tac_error *error) {
  *sampler = (struct tac_sampler){.options = options, .allocator = allocator, .density = density, .context = context};
  sampler->nodes = power(options->order, options->dim);
  sampler->fine_nodes = power(2 * options->order, options->dim);
  sampler->batch = (size_t)(POINTS_PER_CALL / sampler->fine_nodes);
  sampler->batch = sampler->batch < 1 ? 1 : sampler->batch > TAC_SAMPLER_PLACES ? TAC_SAMPLER_PLACES : sampler->batch;
  fill_matrices(sampler);
  const size_t points = sampler->batch * (size_t)(sampler->nodes + sampler->fine_nodes);
  double **const memory[] = {&sampler->points, &sampler->values, &sampler->scratch[0], &sampler->scratch[1]};
  const size_t size[] = {points * (size_t)options->dim, points, (size_t)sampler->fine_nodes, (size_t)sampler->fine_nodes};
  for (int i = 0; i < 4; i++) {
    *memory[i] = allocator->allocate(allocator->context, size[i] * sizeof **memory[i]);
    if (!*memory[i])
      return tac_error_set(error, TAC_STATUS_MEMORY, "tree", "no memory to sample the density at %zu points", points);
  }
  return TAC_STATUS_OK;
}

void tac_sampler_release(struct tac_sampler *sampler) {
  if (!sampler->allocator)
    return;
  double *const memory[] = {sampler->points, sampler->values, sampler->scratch[0], sampler->scratch[1]};
  for (int i = 0; i < 4; i++)
    sampler->allocator->release(sampler->allocator->context, memory[i]);
  *sampler = (struct tac_sampler){0};
}

/* max |values|, infinite when one of them is not finite. In lanes, as a maximum waits for the one before it; a value that is
 * not finite makes its lane's sum of zeros something else. */
static double largest_size(size_t count, const double *values) {
  enum { LANES = 4 };
  double lane[LANES] = {0}, zero[LANES] = {0};
  size_t i = 0;
  for (; i + LANES <= count; i += LANES)
    _Pragma("GCC unroll 4") for (int k = 0; k < LANES; k++) {
      const double size = fabs(values[i + k]);
      lane[k] = size > lane[k] ? size : lane[k];
      zero[k] += 0 * size;
    }
  for (; i < count; i++) {
    lane[0] = fmax(lane[0], fabs(values[i]));
    zero[0] += 0 * values[i];
  }
  const double all = fmax(fmax(lane[0], lane[1]), fmax(lane[2], lane[3]));
  return zero[0] + zero[1] + zero[2] + zero[3] == 0 ? all : INFINITY;
}

/* The first value that is not finite, and its point. */
static enum tac_status refuse_value(const struct tac_sampler *sampler, const double *points, struct tac_error *error) {
  const double *value = sampler->values;
  while (isfinite(*value)) {
    value++;
    points += sampler->options->dim;
  }
  if (sampler->options->dim == 2)
    return tac_error_set(error, TAC_STATUS_NUMERICAL, "tree", "the density is not finite (%g) at (%.17g, %.17g)", *value,
                         points[0], points[1]);
  return tac_error_set(error, TAC_STATUS_NUMERICAL, "tree", "the density is not finite (%g) at (%.17g, %.17g, %.17g)", *value,
                       points[0], points[1], points[2]);
}

/* Values of the density at points, checked. */
static enum tac_status sample(struct tac_sampler *sampler, size_t count, const double *points, struct tac_error *error) {
  struct tac_error inner;
  tac_error_clear(&inner);
  const enum tac_status status = sampler->density(sampler->context, count, points, sampler->values, &inner);
  if (status != TAC_STATUS_OK) {
    if (inner.status == TAC_STATUS_OK)
      return tac_error_set(error, status, "tree", "the density could not be evaluated");
    if (error)
      *error = inner;
    return status;
  }
  const double largest = largest_size(count, sampler->values);
  if (!isfinite(largest))
    return refuse_value(sampler, points, error);
  if (largest > sampler->largest)
    sampler->largest = largest;
  return TAC_STATUS_OK;
}

enum tac_status tac_sampler_note(struct tac_sampler *sampler, const double *point, struct tac_error *error) {
  return sample(sampler, 1, point, error);
}

/* out[outer][i][inner] = sum over j of matrix[i][j] in[outer][j][inner]. */
static void apply_along(const struct tac_axis_matrix *matrix, int inner, int outer, const double *in, double *out) {
  const int to = matrix->to, from = matrix->from;
  memset(out, 0, sizeof *out * (size_t)(inner * outer) * (size_t)to);
  if (inner == 1) {
    tac_gemm(to, outer, from, matrix->columns, to, in, from, out, to);
    return;
  }
  for (int o = 0; o < outer; o++)
    tac_gemm(inner, to, from, in + (size_t)(o * from * inner), inner, matrix->rows, from, out + (size_t)(o * to * inner),
             inner);
}

/* Along each axis in turn, from one scratch into the other; `in` may be any but scratch[1]. */
static double *apply_everywhere(struct tac_sampler *sampler, const struct tac_axis_matrix *matrix, const double *in) {
  const int dim = sampler->options->dim;
  double *out = NULL;
  for (int axis = 0; axis < dim; axis++) {
    out = sampler->scratch[in == sampler->scratch[0] ? 1 : 0];
    apply_along(matrix, power(matrix->to, axis), power(matrix->from, dim - axis - 1), in, out);
    in = out;
  }
  return out;
}

/* Coefficients that the basis does not have are dropped. */
static void truncate_degree(int dim, int order, double *coefficients) {
  for (int z = 0; z < (dim == 3 ? order : 1); z++)
    for (int y = 0; y < order; y++)
      for (int x = 0; x < order; x++)
        if (x + y + z >= order)
          coefficients[(z * order + y) * order + x] = 0;
}

static double difference_of(struct tac_sampler *sampler, const double *values, const double *fine_values) {
  const int dim = sampler->options->dim, order = sampler->options->order;
  double *coefficients = apply_everywhere(sampler, &sampler->project, values);
  if (sampler->options->basis == TAC_FMM_TOTAL)
    truncate_degree(dim, order, coefficients);
  double *polynomial = apply_everywhere(sampler, &sampler->evaluate, coefficients);
  for (int i = 0; i < sampler->fine_nodes; i++)
    polynomial[i] -= fine_values[i];
  return largest_size((size_t)sampler->fine_nodes, polynomial);
}

enum tac_status tac_sampler_finish(struct tac_sampler *sampler, struct tac_error *error) {
  const int order = sampler->options->order;
  const size_t count = sampler->waiting, each = (size_t)sampler->nodes + (size_t)sampler->fine_nodes;
  sampler->waiting = 0;
  if (count == 0)
    return TAC_STATUS_OK;
  double *end = sampler->points;
  for (size_t i = 0; i < count; i++) {
    const struct tac_place *place = &sampler->place[i];
    end = tac_box_grid(end, sampler->options, place->level, place->coordinate, order, sampler->node);
    end = tac_box_grid(end, sampler->options, place->level, place->coordinate, 2 * order, sampler->fine_node);
  }
  enum tac_status status = sample(sampler, count * each, sampler->points, error);
  for (size_t i = 0; i < count && !status; i++) {
    const double *values = sampler->values + i * each;
    *sampler->difference[i] = difference_of(sampler, values, values + sampler->nodes);
  }
  return status;
}

enum tac_status tac_sampler_compare(struct tac_sampler *sampler, const struct tac_place *place, double *difference,
                                    struct tac_error *error) {
  sampler->place[sampler->waiting] = *place;
  sampler->difference[sampler->waiting] = difference;
  return ++sampler->waiting == sampler->batch ? tac_sampler_finish(sampler, error) : TAC_STATUS_OK;
}
