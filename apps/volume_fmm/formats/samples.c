/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/volume_fmm/formats/samples.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "apps/volume_fmm/formats/peaks.h"
#include "apps/volume_fmm/formats/spline.h"

/* The spline's coefficients exceed rough samples by some powers of ten. */
#define LARGEST_SAMPLE 1e290

struct tac_samples {
  struct tac_samples_grid grid; /* in 2D with one layer along z */
  struct tac_spline_axis axes[3];
  double *coefficients; /* [x][y][z] */
  double side;
  struct tac_fmm_seed *seeds;
  size_t seed_count;
};

static double extent(const struct tac_samples_grid *grid, int axis) {
  return (double)(grid->shape[axis] - 1) * grid->step[axis];
}

void tac_samples_domain(const struct tac_samples_grid *grid, double lower[3], double *side) {
  *side = 0;
  for (int axis = 0; axis < grid->dim; axis++)
    *side = fmax(*side, extent(grid, axis));
  for (int axis = 0; axis < grid->dim; axis++)
    lower[axis] = grid->origin[axis] + (extent(grid, axis) - *side) / 2;
}

static enum tac_status check_shape(int dim, const size_t *shape, struct tac_error *error) {
  for (int axis = 0; axis < dim; axis++)
    if (shape[axis] < 2)
      return tac_error_set(error, TAC_STATUS_INVALID, "samples", "%zu along %c: at least 2 are needed", shape[axis],
                           "xyz"[axis]);
  return TAC_STATUS_OK;
}

enum tac_status tac_samples_fit(struct tac_samples_grid *out, int dim, const size_t *shape, const double *lower, double side,
                                struct tac_error *error) {
  size_t longest = 0;
  enum tac_status status = check_shape(dim, shape, error);
  if (status != TAC_STATUS_OK)
    return status;
  memset(out, 0, sizeof *out);
  out->dim = dim;
  for (int axis = 0; axis < dim; axis++)
    longest = shape[axis] > longest ? shape[axis] : longest;
  for (int axis = 0; axis < dim; axis++) {
    out->shape[axis] = shape[axis];
    out->step[axis] = side / (double)(longest - 1);
    out->origin[axis] = lower[axis] + (double)(longest - shape[axis]) / 2 * out->step[axis];
  }
  return TAC_STATUS_OK;
}

static enum tac_status check_grid(const struct tac_samples_grid *grid, struct tac_error *error) {
  for (int axis = 0; axis < grid->dim; axis++)
    if (!(grid->step[axis] > 0) || !isfinite(grid->origin[axis]) || !isfinite(grid->origin[axis] + extent(grid, axis)))
      return tac_error_set(error, TAC_STATUS_INVALID, "samples", "a step of %g from %g along %c", grid->step[axis],
                           grid->origin[axis], "xyz"[axis]);
  return check_shape(grid->dim, grid->shape, error);
}

static enum tac_status check_values(const struct tac_samples *samples, const double *values, struct tac_error *error) {
  const size_t *shape = samples->grid.shape, count = shape[0] * shape[1] * shape[2];
  for (size_t i = 0; i < count; i++)
    if (!(fabs(values[i]) <= LARGEST_SAMPLE))
      return tac_error_set(error, TAC_STATUS_INVALID, "samples", "the one at (%zu, %zu, %zu) is %s", i / (shape[1] * shape[2]),
                           i / shape[2] % shape[1], i % shape[2], isfinite(values[i]) ? "above 1e290" : "not finite");
  return TAC_STATUS_OK;
}

/* The spline along `axis` of values that are splines along the axes before it. */
static enum tac_status solve_axis(struct tac_samples *samples, int axis, size_t shape[3], struct tac_error *error) {
  const size_t outer = axis == 0 ? 1 : axis == 1 ? shape[0] : shape[0] * shape[1];
  const size_t inner = axis == 0 ? shape[1] * shape[2] : axis == 1 ? shape[2] : 1;
  const size_t count = samples->axes[axis].count;
  double *solved = count <= SIZE_MAX / sizeof *solved / outer / inner ? malloc(outer * count * inner * sizeof *solved) : NULL;
  if (!solved)
    return tac_error_set(error, TAC_STATUS_MEMORY, "samples", "no memory for the spline of %zu x %zu x %zu samples",
                         samples->grid.shape[0], samples->grid.shape[1], samples->grid.shape[2]);
  enum tac_status status = tac_spline_solve(&samples->axes[axis], outer, inner, samples->coefficients, solved, error);
  free(samples->coefficients);
  samples->coefficients = solved;
  shape[axis] = count;
  return status;
}

static enum tac_status make_spline(struct tac_samples *samples, const double *lower, double side, const double *values,
                                   struct tac_error *error) {
  const struct tac_samples_grid *grid = &samples->grid;
  size_t shape[3] = {grid->shape[0], grid->shape[1], grid->shape[2]};
  const size_t bytes = shape[0] * shape[1] * shape[2] * sizeof *values;
  enum tac_status status = TAC_STATUS_OK;
  samples->coefficients = malloc(bytes);
  if (!samples->coefficients)
    return tac_error_set(error, TAC_STATUS_MEMORY, "samples", "no memory for a copy of %zu bytes", bytes);
  memcpy(samples->coefficients, values, bytes);
  for (int axis = 0; axis < grid->dim && status == TAC_STATUS_OK; axis++) {
    const double reach = 0.5 * grid->step[axis], begin = grid->origin[axis], end = begin + extent(grid, axis);
    const int open = begin - reach <= lower[axis] && end + reach >= lower[axis] + side;
    status = tac_spline_axis_create(&samples->axes[axis], grid->shape[axis], open, error);
    if (status == TAC_STATUS_OK)
      status = solve_axis(samples, axis, shape, error);
  }
  return status;
}

enum tac_status tac_samples_create(struct tac_samples **out, const struct tac_samples_grid *grid, const double *lower,
                                   double side, const double *values, struct tac_error *error) {
  enum tac_status status = check_grid(grid, error);
  if (status != TAC_STATUS_OK)
    return status;
  struct tac_samples *samples = calloc(1, sizeof *samples);
  if (!samples)
    return tac_error_set(error, TAC_STATUS_MEMORY, "samples", "no memory");
  samples->grid = *grid;
  samples->side = side;
  if (grid->dim == 2)
    samples->grid.shape[2] = 1;
  status = check_values(samples, values, error);
  if (status == TAC_STATUS_OK)
    status = make_spline(samples, lower, side, values, error);
  if (status == TAC_STATUS_OK)
    status = tac_peaks_find(&samples->seeds, &samples->seed_count, &samples->grid, values, error);
  if (status == TAC_STATUS_OK)
    *out = samples;
  else
    tac_samples_destroy(&samples);
  return status;
}

void tac_samples_destroy(struct tac_samples **samples) {
  if (!*samples)
    return;
  for (int axis = 0; axis < 3; axis++)
    tac_spline_axis_destroy(&(*samples)->axes[axis]);
  free((*samples)->coefficients);
  free((*samples)->seeds);
  free(*samples);
  *samples = NULL;
}

/* What a row of points along x shares: the weights along the other axes, and the six coefficients along x, contracted with
 * them, that the last point used. */
struct row {
  double weights[3][TAC_SPLINE_WEIGHTS];
  size_t first[3];
  int inside, filled;
  double contracted[TAC_SPLINE_WEIGHTS];
};

static double position(const struct tac_samples *samples, const double *point, int axis) {
  return (point[axis] - samples->grid.origin[axis]) / samples->grid.step[axis];
}

static void begin_row(struct row *row, const struct tac_samples *samples, const double *point) {
  row->inside = 1;
  row->filled = 0;
  row->first[2] = 0;
  row->weights[2][0] = 1;
  for (int axis = 1; axis < samples->grid.dim; axis++)
    row->inside = row->inside && tac_spline_weights(&samples->axes[axis], position(samples, point, axis), row->weights[axis],
                                                    &row->first[axis]);
}

static double contract(const struct row *row, const struct tac_samples *samples, size_t x) {
  const int flat = samples->grid.dim == 2;
  const size_t depth = flat ? 1 : samples->axes[2].count, height = samples->axes[1].count;
  const double *plane = samples->coefficients + (x * height + row->first[1]) * depth + row->first[2];
  double sum = 0;
  for (size_t y = 0; y < TAC_SPLINE_WEIGHTS; y++) {
    const double *line = plane + y * depth;
    double inner = row->weights[2][0] * line[0];
    for (size_t z = 1; z < TAC_SPLINE_WEIGHTS && !flat; z++)
      inner += row->weights[2][z] * line[z];
    sum += row->weights[1][y] * inner;
  }
  return sum;
}

/* Contracts the coefficients from `first` on, keeping those that are known: neighbours in a row share most of them. */
static void move_window(struct row *row, const struct tac_samples *samples, size_t first) {
  double contracted[TAC_SPLINE_WEIGHTS];
  for (size_t i = 0; i < TAC_SPLINE_WEIGHTS; i++) {
    const size_t old = first + i - row->first[0];
    const int known = row->filled && first + i >= row->first[0] && old < TAC_SPLINE_WEIGHTS;
    contracted[i] = known ? row->contracted[old] : contract(row, samples, first + i);
  }
  memcpy(row->contracted, contracted, sizeof contracted);
  row->first[0] = first;
  row->filled = 1;
}

static double value_at(struct row *row, const struct tac_samples *samples, const double *point) {
  size_t first;
  double sum = 0;
  if (!row->inside || !tac_spline_weights(&samples->axes[0], position(samples, point, 0), row->weights[0], &first))
    return 0;
  if (!row->filled || first != row->first[0])
    move_window(row, samples, first);
  for (int i = 0; i < TAC_SPLINE_WEIGHTS; i++)
    sum += row->weights[0][i] * row->contracted[i];
  return sum;
}

enum tac_status tac_samples_density(void *context, size_t count, const double *points, double *values,
                                    struct tac_error *error) {
  const struct tac_samples *samples = context;
  const size_t dim = (size_t)samples->grid.dim;
  struct row row;
  (void)error; /* a spline has a finite value everywhere */
  for (size_t i = 0; i < count; i++) {
    const double *point = points + dim * i;
    if (i == 0 || memcmp(point + 1, point + 1 - dim, (dim - 1) * sizeof *point) != 0)
      begin_row(&row, samples, point);
    values[i] = value_at(&row, samples, point);
  }
  return TAC_STATUS_OK;
}

double tac_samples_spacing(const struct tac_samples *samples) {
  double spacing = samples->grid.step[0];
  for (int axis = 1; axis < samples->grid.dim; axis++)
    spacing = fmin(spacing, samples->grid.step[axis]);
  return spacing;
}

int tac_samples_level(const struct tac_samples *samples) {
  int level = 0;
  while (level < TAC_FMM_MAX_LEVELS - 1 && ldexp(samples->side, -level) > (1 + 1e-9) * tac_samples_spacing(samples))
    level++;
  return level;
}

const struct tac_fmm_seed *tac_samples_seeds(const struct tac_samples *samples, size_t *count) {
  *count = samples->seed_count;
  return samples->seeds;
}
