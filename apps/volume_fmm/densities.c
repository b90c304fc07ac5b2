/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/volume_fmm/densities.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "apps/volume_fmm/options.h"

/* exp(-NEGLIGIBLE) of an amplitude is below rounding of anything. */
#define NEGLIGIBLE 100

static const char list_prefix[] = "gaussians:";

static int is_gaussians(const char *text) {
  return strncmp(text, list_prefix, sizeof list_prefix - 1) == 0;
}

static int is_npy(const char *text) {
  return tac_volume_has_suffix(text, ".npy");
}

static int is_cube(const char *text) {
  return tac_volume_has_suffix(text, ".cube") || tac_volume_has_suffix(text, ".cub");
}

const char *tac_density_file(const char *text) {
  if (is_gaussians(text))
    return text + sizeof list_prefix - 1;
  return is_npy(text) || is_cube(text) ? text : NULL;
}

enum tac_status tac_density_create(struct tac_density *out, const struct tac_density_request *request,
                                   struct tac_error *error) {
  memset(out, 0, sizeof *out);
  out->dim = request->dim;
  out->kernel = request->kernel;
  for (int axis = 0; axis < 3; axis++)
    out->lower[axis] = request->lower;
  out->side = request->upper - request->lower;
  enum tac_status status;
  if (is_gaussians(request->text))
    status = tac_density_from_gaussians(out, tac_density_file(request->text), error);
  else if (is_npy(request->text))
    status = tac_density_from_npy(out, request->text, error);
  else if (is_cube(request->text))
    status = tac_density_from_cube(out, request->text, request->units, error);
  else
    status = tac_density_from_case(out, request->text, error);
  if (status != TAC_STATUS_OK)
    tac_density_destroy(out);
  return status;
}

void tac_density_destroy(struct tac_density *density) {
  free(density->gaussians);
  free(density->near);
  free(density->own_seeds);
  tac_samples_destroy(&density->samples);
  tac_cube_free(&density->cube);
  memset(density, 0, sizeof *density);
}

enum tac_status tac_density_take_gaussians(struct tac_density *out, const struct tac_density_form *form,
                                           struct tac_gaussian *gaussians, size_t count, struct tac_error *error) {
  out->form = form;
  out->gaussians = gaussians;
  out->gaussian_count = count;
  out->near = calloc(count, sizeof *out->near);
  out->seeds = out->own_seeds = calloc(count, sizeof *out->own_seeds);
  if (!out->near || !out->own_seeds)
    return tac_error_set(error, TAC_STATUS_MEMORY, "--density", "no memory for %zu Gaussians", count);
  for (size_t i = 0; i < count; i++) {
    if (gaussians[i].amplitude == 0)
      continue;
    memcpy(out->own_seeds[out->seed_count].center, gaussians[i].center, sizeof gaussians[i].center);
    out->own_seeds[out->seed_count++].width = 4 / sqrt(gaussians[i].exponent); /* exp(-4) of the peak at its ends */
  }
  return TAC_STATUS_OK;
}

/* Lists the Gaussians that are more than nothing somewhere between two corners. */
static size_t find_near(const struct tac_density *density, const double lower[3], const double upper[3]) {
  size_t count = 0;
  for (size_t i = 0; i < density->gaussian_count; i++) {
    const struct tac_gaussian *g = &density->gaussians[i];
    double square = 0;
    for (int axis = 0; axis < (density->dim == 3 ? 3 : 2); axis++) {
      const double gap = fmax(0, fmax(lower[axis] - g->center[axis], g->center[axis] - upper[axis]));
      square += gap * gap;
    }
    if (g->exponent * square < NEGLIGIBLE)
      density->near[count++] = i;
  }
  return count;
}

/* Many Gaussians, few of which reach the points of a box. */
static void gaussian_values(const struct tac_density *density, size_t count, const double *points, double *values) {
  const int dim = density->dim;
  double lower[3] = {INFINITY, INFINITY, INFINITY}, upper[3] = {-INFINITY, -INFINITY, -INFINITY};
  for (size_t i = 0; i < count * (size_t)dim; i++) {
    lower[i % (size_t)dim] = fmin(lower[i % (size_t)dim], points[i]);
    upper[i % (size_t)dim] = fmax(upper[i % (size_t)dim], points[i]);
  }
  struct tac_density one = *density; /* a density of one Gaussian after the other */
  const size_t near = find_near(density, lower, upper);
  one.gaussian_count = 1;
  memset(values, 0, count * sizeof *values);
  for (size_t n = 0; n < near; n++) {
    one.gaussians = &density->gaussians[density->near[n]];
    for (size_t i = 0; i < count; i++)
      values[i] += density->form->value(&one, points + (size_t)dim * i);
  }
}

enum tac_status tac_density_values(void *context, size_t count, const double *points, double *values, struct tac_error *error) {
  const struct tac_density *density = context;
  if (density->samples)
    return tac_samples_density(density->samples, count, points, values, error);
  if (density->gaussians) {
    gaussian_values(density, count, points, values);
    return TAC_STATUS_OK;
  }
  for (size_t i = 0; i < count; i++)
    values[i] = density->form->value(density, points + (size_t)density->dim * i);
  return TAC_STATUS_OK;
}

int tac_density_refine(void *context, int level, const double *lower, double side) {
  const struct tac_density *density = context;
  double nearest = 0, farthest = 0;
  for (int axis = 0; axis < density->dim; axis++) {
    const double below = lower[axis] - density->center[axis], above = -below - side, gap = fmax(0, fmax(below, above));
    nearest += gap * gap;
    farthest += fmax(below * below, above * above);
  }
  const double square = density->radius * density->radius;
  return level < density->depth && nearest < square && farthest > square;
}

int tac_density_is_known(const struct tac_density *density) {
  return density->form->is_known(density);
}

void tac_density_answer(double *fields, const struct tac_density *density, const double *x) {
  const int count = tac_fmm_kernel_parts(density->kernel.kind) * (1 + density->dim);
  for (int f = 0; f < count; f++)
    fields[f] = 0;
  density->form->answer(fields, density, x);
}

double tac_density_outside(const struct tac_density *density) {
  return density->form->outside(density);
}

size_t tac_density_terms(const struct tac_density *density) {
  return density->gaussian_count > 0 ? density->gaussian_count : 1;
}
