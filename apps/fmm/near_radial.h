/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef APPS_FMM_NEAR_RADIAL_H
#define APPS_FMM_NEAR_RADIAL_H

/* Functions of s = r^2 on [0, limit] that are entire in s, as Chebyshev series cut where rounding begins. */
#define TAC_CHEBYSHEV_MAX 64
struct tac_chebyshev {
  int count; /* 0: the function is zero */
  double limit;
  double coefficient[TAC_CHEBYSHEV_MAX];
};
typedef double (*tac_square_fn)(const void *context, double square);
/* From values at Chebyshev points, all with s > 0. */
void tac_chebyshev_fit(struct tac_chebyshev *out, double limit, tac_square_fn function, const void *context);
void tac_chebyshev_differentiate(struct tac_chebyshev *out, const struct tac_chebyshev *in);

/* f = w(r) rough(r^2) + smooth(r^2) with w = r^(2 power - 1) in 3D and r^(2 power) ln r in 2D, power >= 1 where there is a
 * rough part. */
struct tac_radial {
  int dim, power;
  struct tac_chebyshev rough, smooth;
  struct tac_chebyshev rough_slope, smooth_slope; /* their derivatives by r^2 */
};
void tac_radial_finish(struct tac_radial *radial); /* sets the two derivatives */

/* Arrays are padded to whole tiles; square > 0 everywhere. slope (may be NULL) is 2 df/d(r^2), which times (x - y) is the
 * gradient. */
#define TAC_RADIAL_TILE 16
void tac_radial_evaluate(const struct tac_radial *radial, int count, const double *square, double *value, double *slope);

#endif
