/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef APPS_FMM_POINTS_NEAR_H
#define APPS_FMM_POINTS_NEAR_H

#include <tactus/fmm/kernel.h>

#include "apps/fmm/modes.h"
#include "apps/fmm/points_kernel.h"

/* Potentials of polynomial densities on boxes at any points, singular integrals included: the kernel is a sum of Gaussians,
 * whose integrals are products of one-dimensional moments. */

#define TAC_POINT_LANES     8 /* sums are padded to this many terms */
#define TAC_POINT_INTERVALS 9 /* sides of source boxes along an axis whose moments are kept */

/* eps: relative to the kernel of Laplace at the same distance. The kernel is in units of the box; distances along an axis are
 * below `reach`. Helmholtz with a parameter of 3 (1.5 for reach 3): no better than 1e-10. */
struct tac_point_sum_options {
  struct tac_fmm_kernel kernel;
  int dim, gradient;
  double eps, reach;
};
enum tac_status tac_point_sum_init(struct tac_point_sum *out, const struct tac_point_sum_options *options,
                                   const struct tac_allocator *allocator, struct tac_error *error);

struct tac_point_near_options {
  int dim, order, gradient;
  enum tac_fmm_basis basis;
  struct tac_fmm_kernel kernel;
  double eps;
  int levels;                       /* of the sources */
  double side[TAC_FMM_MAX_LEVELS];  /* of their boxes */
  double reach[TAC_FMM_MAX_LEVELS]; /* farthest distance of a point from a source along an axis in sides; 0: no sources */
  const struct tac_allocator *allocator;
};
struct tac_point_near;
enum tac_status tac_point_near_create(struct tac_point_near **out, const struct tac_point_near_options *options,
                                      struct tac_error *error);
void tac_point_near_destroy(struct tac_point_near **near);
int tac_point_near_fields(const struct tac_point_near *near);

/* Points that are served together, scratch of an arena included. */
struct tac_point_block;
struct tac_point_block *tac_point_block_create(const struct tac_point_near *near, struct tac_arena *arena);
/* Takes points from a list that is sorted along the axes, the last one first: as many as a block bears. Returns how many; their
 * values are set to 0. */
int tac_point_block_take(struct tac_point_block *block, size_t count, const double *const *points);
/* Adds the potential (and the gradient) of a box: its lower corner, and coefficients c~ in the order of modes.h. */
void tac_point_block_add(struct tac_point_block *block, int level, const double *lower, const double *coefficients);
/* Values of a field, as in tac_fmm_plan_fields. */
double *tac_point_block_values(struct tac_point_block *block, int field);

#endif
