/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef APPS_FMM_POINTS_KERNEL_H
#define APPS_FMM_POINTS_KERNEL_H

#include <tactus/fmm/tree.h>

#define TAC_POINT_TERMS    256 /* Gaussians of a sum, a multiple of all vector lengths */
#define TAC_POINT_BLOCK    512 /* points that are served together */
#define TAC_POINT_DISTINCT 16  /* different coordinates of them along an axis */
#define TAC_POINT_FIELDS   8

/* A radial function as sum weight[part][k] exp(-exponent[k] r^2). Ascending exponents; behind `count` there are terms of
 * weight 0 up to `padded`. */
struct tac_point_sum {
  int count, padded;
  double exponent[TAC_POINT_TERMS], root[TAC_POINT_TERMS];
  double weight[2][TAC_POINT_TERMS];
};

/* Quadrature for moments: a Gaussian is nothing beyond `reach` of its widths; base + slope * (widths) nodes of a Gauss-Legendre
 * rule integrate it times a polynomial. Where it lies inside the box the Gauss-Hermite rule is exact. */
struct tac_point_rules {
  int order, hermite_count;
  double reach, base, slope;
  const double *node[65], *weight[65]; /* by number of nodes */
  double hermite_node[TAC_FMM_MAX_ORDER], hermite_weight[TAC_FMM_MAX_ORDER];
};

/* Modes sorted by their degrees along the axes x, y, z, the last one fastest. A row holds all modes that differ along the last
 * axis only; in 3D column a has the rows column_begin[a] … of the modes of degree a along x. */
struct tac_point_shape {
  int dim, order, parts, gradient;
  int rows;
  unsigned short row_begin[TAC_FMM_MAX_ORDER * TAC_FMM_MAX_ORDER + 1];
  unsigned short column_begin[TAC_FMM_MAX_ORDER + 1];
};

/* One source box against a block of points that are sorted along the axes, the last axis first, so that partial sums serve all
 * points of equal coordinates. index[axis][i]: which of the different coordinates point i has. moment[axis] and slope[axis]:
 * [coordinate][degree][stride], of Legendre polynomials that are not normalised. count[i]: terms that matter. */
struct tac_point_product {
  const struct tac_point_shape *shape;
  const struct tac_point_sum *sum;
  const double *coefficient;
  size_t stride;
  int points;
  const unsigned char *index[3];
  const double *moment[3], *slope[3];
  const short *count;
  double slope_scale;
  double *scratch;                  /* (2*rows + 3*order) * stride */
  double *values[TAC_POINT_FIELDS]; /* += */
};

struct tac_point_kernel {
  int lanes;
  /* moment[n*stride + k], n < order, k < count rounded up to lanes: integral over y in [-1/2, 1/2] of
   * P_n(2y) exp(-exponent[k] (x-y)^2); slope (may be NULL): its derivative with respect to x. */
  void (*moments)(double *moment, double *slope, size_t stride, const struct tac_point_rules *rules,
                  const struct tac_point_sum *sum, int count, double x);
  void (*product)(const struct tac_point_product *product);
  /* out += A in, A column-major and dense. */
  void (*multiply)(double *out, const double *matrix, const double *in, int rows, int columns);
};

/* The one for this processor. */
const struct tac_point_kernel *tac_point_kernel_best(void);

#endif
