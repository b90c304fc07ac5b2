/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/fmm/points_near.h"

#include <math.h>

#include <lapacke.h>

#include "apps/fmm/gemm.h"

#define RULES 64

struct tac_point_near {
  struct tac_point_near_options options;
  struct tac_allocator allocator;
  const struct tac_point_kernel *kernel;
  struct tac_point_shape shape;
  struct tac_point_rules rules;
  double node[RULES * (RULES + 1) / 2], weight[RULES * (RULES + 1) / 2];
  int modes, *mode;                    /* of coefficient k of a product */
  double *norm;                        /* … and what its polynomials lack */
  size_t stride;                       /* longest sum */
  struct tac_point_sum *sum;           /* by level */
  double constant[TAC_FMM_MAX_LEVELS]; /* added to the kernel: the logarithm of the side in 2D */
};

/* Moments of the coordinates of a block over one interval of an axis. */
struct interval {
  int level;
  double lower;
  double distance[TAC_POINT_DISTINCT];
  double *moment, *slope;
};

struct tac_point_block {
  const struct tac_point_near *near;
  int points, distinct[3], intervals[3];
  double coordinate[3][TAC_POINT_DISTINCT];
  unsigned char index[3][TAC_POINT_BLOCK];
  short count[TAC_POINT_BLOCK];
  struct interval interval[3][TAC_POINT_INTERVALS];
  double *values, *coefficient, *scratch;
};

extern const struct tac_point_kernel tac_point_kernel_portable;
#ifdef TAC_GEMM_X86
extern const struct tac_point_kernel tac_point_kernel_avx2, tac_point_kernel_avx512;
#endif

const struct tac_point_kernel *tac_point_kernel_best(void) {
#ifdef TAC_GEMM_X86
  const int lanes = tac_gemm_best()->lanes;
  if (lanes == tac_point_kernel_avx512.lanes)
    return &tac_point_kernel_avx512;
  if (lanes == tac_point_kernel_avx2.lanes)
    return &tac_point_kernel_avx2;
#endif
  return &tac_point_kernel_portable;
}

int tac_point_near_fields(const struct tac_point_near *near) {
  return near->shape.parts * (near->shape.gradient ? 1 + near->shape.dim : 1);
}

/* Nodes and weights of the Gauss-Hermite rule that is exact for polynomials below `order`: eigenvalues of the Jacobi matrix
 * (Golub and Welsch, Math. Comp. 23, 1969). */
static enum tac_status hermite_rule(struct tac_point_rules *rules, struct tac_error *error) {
  const int count = (rules->order + 1) / 2;
  double diagonal[TAC_FMM_MAX_ORDER] = {0}, beside[TAC_FMM_MAX_ORDER], vectors[TAC_FMM_MAX_ORDER * TAC_FMM_MAX_ORDER];
  double work[2 * TAC_FMM_MAX_ORDER];
  for (int k = 0; k + 1 < count; k++)
    beside[k] = sqrt(0.5 * (k + 1));
  if (LAPACKE_dstev_work(LAPACK_COL_MAJOR, 'V', count, diagonal, beside, vectors, count, work))
    return tac_error_set(error, TAC_STATUS_NUMERICAL, "points", "no Gauss-Hermite rule");
  rules->hermite_count = count;
  for (int k = 0; k < count; k++) {
    rules->hermite_node[k] = diagonal[k];
    rules->hermite_weight[k] = sqrt(3.14159265358979323846) * vectors[k * count] * vectors[k * count];
  }
  return TAC_STATUS_OK;
}

/* base and slope: nodes that integrate exp(-u^2) over an interval of a length to 1e-6 … 1e-14, found by trial, and half a node
 * a degree. */
static void make_rules(struct tac_point_near *near, double eps) {
  struct tac_point_rules *rules = &near->rules;
  const double digits = -log10(eps);
  rules->order = near->options.order;
  rules->reach = sqrt(1 + log(1 / eps));
  rules->base = 2 + 0.4 * digits + 0.5 * rules->order;
  rules->slope = 0.75 + 0.17 * digits;
  for (int count = 1, at = 0; count <= RULES; at += count++) {
    tac_gauss_rule(count, near->node + at, near->weight + at);
    rules->node[count] = near->node + at;
    rules->weight[count] = near->weight + at;
  }
}

/* Sorts the modes into rows and columns. */
static void sort_modes(struct tac_point_near *near, const struct tac_modes *modes) {
  struct tac_point_shape *shape = &near->shape;
  const int last = shape->dim - 1, order = shape->order, middle = shape->dim == 3 ? order : 1;
  int filled = 0;
  for (int a = 0; a < order; a++) {
    shape->column_begin[a] = (unsigned short)shape->rows;
    for (int b = 0; b < middle; b++) {
      const int begin = filled;
      for (int c = 0; c < order; c++)
        for (int mode = 0; mode < modes->count; mode++) {
          const unsigned char *degree = modes->degree[mode];
          if (degree[0] != a || degree[last] != c || (shape->dim == 3 && degree[1] != b))
            continue;
          near->mode[filled] = mode;
          near->norm[filled++] = sqrt((2.0 * a + 1) * (2.0 * b + 1) * (2.0 * c + 1));
        }
      if (filled > begin)
        shape->row_begin[shape->rows++] = (unsigned short)begin;
    }
  }
  shape->row_begin[shape->rows] = (unsigned short)filled;
  shape->column_begin[order] = (unsigned short)shape->rows;
}

static enum tac_status make_shape(struct tac_point_near *near, struct tac_error *error) {
  const struct tac_point_near_options *o = &near->options;
  near->shape = (struct tac_point_shape){
      .dim = o->dim, .order = o->order, .parts = tac_fmm_kernel_parts(o->kernel.kind), .gradient = o->gradient};
  struct tac_modes modes;
  const enum tac_status status = tac_modes_create(&modes, o->dim, o->order, o->basis, error);
  if (status)
    return status;
  near->modes = modes.count;
  near->mode = near->allocator.allocate(near->allocator.context, (size_t)modes.count * sizeof *near->mode);
  near->norm = near->allocator.allocate(near->allocator.context, (size_t)modes.count * sizeof *near->norm);
  const int ready = near->mode && near->norm;
  if (ready)
    sort_modes(near, &modes);
  tac_modes_destroy(&modes);
  return ready ? TAC_STATUS_OK : tac_error_set(error, TAC_STATUS_MEMORY, "points", "no memory for the order of modes");
}

/* Levels of the same kernel and reach share their sum by a copy. */
static enum tac_status make_sums(struct tac_point_near *near, double eps, struct tac_error *error) {
  const struct tac_point_near_options *o = &near->options;
  near->sum = near->allocator.allocate(near->allocator.context, (size_t)o->levels * sizeof *near->sum);
  if (!near->sum)
    return tac_error_set(error, TAC_STATUS_MEMORY, "points", "no memory for sums of Gaussians");
  int made = -1;
  enum tac_status status = TAC_STATUS_OK;
  for (int level = 0; level < o->levels && !status; level++) {
    if (o->reach[level] <= 0)
      continue;
    struct tac_point_sum_options options = {
        .kernel = o->kernel, .dim = o->dim, .gradient = o->gradient, .eps = eps, .reach = o->reach[level]};
    options.kernel.parameter *= o->side[level];
    if (o->kernel.kind == TAC_FMM_LAPLACE && made >= 0 && o->reach[made] >= o->reach[level]) {
      near->sum[level] = near->sum[made];
    } else {
      status = tac_point_sum_init(&near->sum[level], &options, &near->allocator, error);
      made = level;
    }
    if (o->kernel.kind == TAC_FMM_LAPLACE && o->dim == 2)
      near->constant[level] = -log(o->side[level]) / (2 * 3.14159265358979323846);
    if (!status && (size_t)near->sum[level].padded > near->stride)
      near->stride = (size_t)near->sum[level].padded;
  }
  return status;
}

enum tac_status tac_point_near_create(struct tac_point_near **out, const struct tac_point_near_options *options,
                                      struct tac_error *error) {
  const struct tac_allocator *allocator = options->allocator;
  struct tac_point_near *near = allocator->allocate(allocator->context, sizeof *near);
  if (!near)
    return tac_error_set(error, TAC_STATUS_MEMORY, "points", "no memory for the near field");
  *near = (struct tac_point_near){.options = *options, .allocator = *allocator, .kernel = tac_point_kernel_best()};
  const double eps = fmax(0.02 * options->eps, 3e-15);
  make_rules(near, eps);
  enum tac_status status = hermite_rule(&near->rules, error);
  if (!status)
    status = make_shape(near, error);
  if (!status)
    status = make_sums(near, eps, error);
  if (status)
    tac_point_near_destroy(&near);
  *out = near;
  return status;
}

void tac_point_near_destroy(struct tac_point_near **near) {
  if (!near || !*near)
    return;
  const struct tac_allocator allocator = (*near)->allocator;
  allocator.release(allocator.context, (*near)->mode);
  allocator.release(allocator.context, (*near)->norm);
  allocator.release(allocator.context, (*near)->sum);
  allocator.release(allocator.context, *near);
  *near = NULL;
}

struct tac_point_block *tac_point_block_create(const struct tac_point_near *near, struct tac_arena *arena) {
  struct tac_point_block *block = tac_arena_take(arena, sizeof *block);
  const struct tac_point_shape *shape = &near->shape;
  const size_t fields = (size_t)tac_point_near_fields(near);
  const size_t moments = TAC_POINT_DISTINCT * (size_t)shape->order * near->stride;
  const size_t kinds = shape->gradient ? 2 : 1, intervals = (size_t)shape->dim * TAC_POINT_INTERVALS;
  const size_t scratch = (2 * (size_t)shape->rows + 3 * (size_t)shape->order) * near->stride;
  const size_t total = fields * TAC_POINT_BLOCK + (size_t)near->modes + scratch + intervals * kinds * moments;
  double *memory = tac_arena_take(arena, total * sizeof *memory);
  if (!block || !memory)
    return NULL;
  *block = (struct tac_point_block){.near = near, .values = memory};
  block->scratch = block->values + fields * TAC_POINT_BLOCK;
  memory = block->scratch + scratch;
  for (int axis = 0; axis < shape->dim; axis++)
    for (int i = 0; i < TAC_POINT_INTERVALS; i++) {
      block->interval[axis][i].moment = memory;
      block->interval[axis][i].slope = shape->gradient ? memory + moments : NULL;
      memory += kinds * moments;
    }
  block->coefficient = memory;
  return block;
}

double *tac_point_block_values(struct tac_point_block *block, int field) {
  return block->values + (size_t)field * TAC_POINT_BLOCK;
}

/* The place of a coordinate among those of the block, -1 where there is none left. */
static int place_of(struct tac_point_block *block, int axis, double x) {
  int at = block->distinct[axis] - 1;
  while (at >= 0 && block->coordinate[axis][at] != x)
    at--;
  if (at >= 0)
    return at;
  if (block->distinct[axis] == TAC_POINT_DISTINCT)
    return -1;
  block->coordinate[axis][block->distinct[axis]] = x;
  return block->distinct[axis]++;
}

int tac_point_block_take(struct tac_point_block *block, size_t count, const double *const *points) {
  const int dim = block->near->shape.dim;
  block->points = 0;
  for (int axis = 0; axis < 3; axis++)
    block->distinct[axis] = block->intervals[axis] = 0;
  int full = 0;
  for (size_t i = 0; i < count && !full && block->points < TAC_POINT_BLOCK; i++) {
    for (int axis = 0; axis < dim && !full; axis++) {
      const int place = place_of(block, axis, points[i][axis]);
      full = place < 0;
      block->index[axis][block->points] = (unsigned char)(full ? 0 : place);
    }
    block->points += !full;
  }
  const size_t values = (size_t)tac_point_near_fields(block->near) * TAC_POINT_BLOCK;
  for (size_t i = 0; i < values; i++)
    block->values[i] = 0;
  return block->points;
}

/* Terms that are not negligible at a distance from the box. */
static int terms_at(const struct tac_point_near *near, const struct tac_point_sum *sum, double distance_square) {
  const double reach = near->rules.reach * near->rules.reach;
  int low = 0, high = sum->count;
  while (low < high) {
    const int middle = (low + high) / 2;
    if (sum->exponent[middle] * distance_square <= reach)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/* Moments over the side of a source box along an axis: kept ones, or made in the place of the oldest. */
static const struct interval *interval_of(struct tac_point_block *block, int axis, int level, double lower) {
  const struct tac_point_near *near = block->near;
  const int kept = block->intervals[axis] < TAC_POINT_INTERVALS ? block->intervals[axis] : TAC_POINT_INTERVALS;
  for (int i = 0; i < kept; i++)
    if (block->interval[axis][i].level == level && block->interval[axis][i].lower == lower)
      return &block->interval[axis][i];
  struct interval *interval = &block->interval[axis][block->intervals[axis]++ % TAC_POINT_INTERVALS];
  const struct tac_point_sum *sum = &near->sum[level];
  const size_t size = (size_t)near->shape.order * near->stride;
  interval->level = level;
  interval->lower = lower;
  for (int i = 0; i < block->distinct[axis]; i++) {
    const double x = (block->coordinate[axis][i] - lower) / near->options.side[level] - 0.5;
    interval->distance[i] = fmax(0, fabs(x) - 0.5);
    const int count = terms_at(near, sum, interval->distance[i] * interval->distance[i]);
    near->kernel->moments(interval->moment + (size_t)i * size, interval->slope ? interval->slope + (size_t)i * size : NULL,
                          near->stride, &near->rules, sum, count, x);
  }
  return interval;
}

static void load_coefficients(struct tac_point_block *block, const double *coefficients) {
  const struct tac_point_near *near = block->near;
  for (int k = 0; k < near->modes; k++)
    block->coefficient[k] = near->norm[k] * coefficients[near->mode[k]];
}

void tac_point_block_add(struct tac_point_block *block, int level, const double *lower, const double *coefficients) {
  const struct tac_point_near *near = block->near;
  const int dim = near->shape.dim;
  const struct interval *interval[3] = {0};
  struct tac_point_product product = {.shape = &near->shape,
                                      .sum = &near->sum[level],
                                      .coefficient = block->coefficient,
                                      .stride = near->stride,
                                      .points = block->points,
                                      .count = block->count,
                                      .slope_scale = 1 / near->options.side[level],
                                      .scratch = block->scratch};
  for (int axis = 0; axis < dim; axis++) {
    interval[axis] = interval_of(block, axis, level, lower[axis]);
    product.index[axis] = block->index[axis];
    product.moment[axis] = interval[axis]->moment;
    product.slope[axis] = interval[axis]->slope;
  }
  for (int field = 0; field < tac_point_near_fields(near); field++)
    product.values[field] = tac_point_block_values(block, field);
  for (int i = 0; i < block->points; i++) {
    double square = 0;
    for (int axis = 0; axis < dim; axis++) {
      const double distance = interval[axis]->distance[block->index[axis][i]];
      square += distance * distance;
    }
    block->count[i] = (short)terms_at(near, product.sum, square);
  }
  load_coefficients(block, coefficients);
  near->kernel->product(&product);
  /* The integral of phi_j over the box is that of the constant mode alone, the first of modes.h. */
  const double constant = near->constant[level] * coefficients[0];
  double *potential = tac_point_block_values(block, 0);
  for (int i = 0; i < block->points; i++)
    potential[i] += constant;
}
