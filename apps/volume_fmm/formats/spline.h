/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef VOLUME_FMM_FORMATS_SPLINE_H
#define VOLUME_FMM_FORMATS_SPLINE_H

#include <stddef.h>

#include <tactus/runtime/error.h>

#define TAC_SPLINE_WEIGHTS 6

/* B-splines of degree 5 on the integers that interpolate `samples` values at 0 … samples-1. Coefficient c belongs to the
 * B-spline around first + c; at t in [i, i+1] those of i-2 … i+3 count. */
struct tac_spline_axis {
  size_t samples, count; /* count coefficients */
  ptrdiff_t first;
  int open;           /* 1: ends at the outer samples, to half a step beyond; 0: zeros follow them */
  double least, most; /* where it is not zero */
  double *matrix;     /* factors of the collocation matrix, in LAPACK's band form */
  int *pivots;
  int unknowns, lower_band, upper_band, pad; /* pad coefficients on either side are zero */
};

/* MEMORY, or INVALID for fewer than two samples. */
enum tac_status tac_spline_axis_create(struct tac_spline_axis *out, size_t samples, int open, struct tac_error *error);
void tac_spline_axis_destroy(struct tac_spline_axis *axis);

/* Coefficients along the middle index: from an array [outer][samples][inner] to [outer][count][inner]. */
enum tac_status tac_spline_solve(const struct tac_spline_axis *axis, size_t outer, size_t inner, const double *in, double *out,
                                 struct tac_error *error);

/* The six weights at t and the index of the first coefficient; 0 where the spline is zero. */
int tac_spline_weights(const struct tac_spline_axis *axis, double t, double weights[TAC_SPLINE_WEIGHTS], size_t *first);

#endif
