/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef VOLUME_FMM_FORMATS_SAMPLES_H
#define VOLUME_FMM_FORMATS_SAMPLES_H

#include <stddef.h>

#include <tactus/fmm/tree.h>
#include <tactus/runtime/error.h>

/* A density known at the points origin + index*step of a uniform grid. Between them it is the interpolating spline of degree
 * 5, four times continuously differentiable, so that leaves of about the grid's spacing resolve it to 1e-6 even where the
 * samples themselves are rough; where they are smooth its error falls with the sixth power of the spacing. */
struct tac_samples_grid {
  int dim;
  size_t shape[3];
  double origin[3], step[3];
};

/* The cubic domain of a grid: its centre, the largest of the extents (shape - 1)*step. */
void tac_samples_domain(const struct tac_samples_grid *grid, double lower[3], double *side);

/* The grid of an array without coordinates in a given domain: samples of the longest axis from border to border, the same
 * step along the others, which are centred. INVALID: fewer than two samples along some axis. */
enum tac_status tac_samples_fit(struct tac_samples_grid *out, int dim, const size_t *shape, const double *lower, double side,
                                struct tac_error *error);

struct tac_samples;

/* values[(ix*shape[1] + iy)*shape[2] + iz] (2D: values[ix*shape[1] + iy]) in the domain [lower, lower + side]. Along an axis
 * that fills the domain (to half a step) the spline ends at its border, with not-a-knot conditions. Along a shorter one the
 * samples go on as zeros: the spline falls to zero within about a step of the last sample, is zero from nine steps on and
 * integrates to sum(values)*product(steps), as if each sample owned a voxel around it, up to 1e-3 of what the border's do.
 * INVALID: fewer than two samples along some axis, steps that are not positive, values that are not finite or
 * above 1e290. */
enum tac_status tac_samples_create(struct tac_samples **out, const struct tac_samples_grid *grid, const double *lower,
                                   double side, const double *values, struct tac_error *error);
void tac_samples_destroy(struct tac_samples **samples);

/* A tac_fmm_density_fn; the context is the samples. Fastest for points in rows along x, as a tree asks for them. */
enum tac_status tac_samples_density(void *context, size_t count, const double *points, double *values, struct tac_error *error);

double tac_samples_spacing(const struct tac_samples *samples); /* the smallest step */

/* Level of the coarsest leaves that are no larger than the spacing: a tree that goes far beyond resolves the spline, not the
 * samples. */
int tac_samples_level(const struct tac_samples *samples);

/* Seeds at the samples that stand out from all their neighbours, the largest 1024 of them, as wide as the parabola through
 * the neighbours says and at least a step. They live as long as the samples; NULL and 0 when there are none. */
const struct tac_fmm_seed *tac_samples_seeds(const struct tac_samples *samples, size_t *count);

#endif
