/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <math.h>

#include "apps/fmm/far_set.h"

/* Measured on solves of uniform trees whose densities were Gaussians, neutral and charged, and random coefficients: the
 * relative L2 error is about scale * ratio^degree from the degree, the neutral Gaussian being worst, and about the threshold
 * times a factor near 1 (3D), or falling with the threshold (2D), from the compression. A wave that turns over a box needs the
 * degrees of its plane waves besides. */
static const struct {
  double scale, ratio; /* of the error from the degree, with a reserve */
  double share;        /* of eps that it may take */
  double slack, power; /* threshold = slack * eps^power */
  double dipole;       /* largest singular value of Laplace' kernel without the constant function … */
  double wave;         /* … and what it counts as most for a wave */
  int lowest, highest; /* degrees; above the highest one only time is lost */
  int limit;           /* … also for waves */
} rules[2] = {
    {0.16, 0.245, 0.3, 0.33, 0.914, 0.075, 0.075, 2, 24, 40},
    {0.22, 0.305, 1.35, 0.8, 1, 0.026, 0.05, 2, 20, 21},
};

static int smooth_degree(int dim, double eps) {
  const int rule = dim - 2;
  const double degree = log(rules[rule].scale / (rules[rule].share * eps)) / -log(rules[rule].ratio);
  return (int)fmin(fmax(ceil(degree), rules[rule].lowest), rules[rule].highest);
}

/* More degrees for a wave whose number times the side of the box is `size`. */
static int wave_degree(double size) {
  return (int)ceil(fmax(0.9 * size - 1.8, 0));
}

double tac_far_wave_limit(int dim, double eps) {
  return (rules[dim - 2].limit - smooth_degree(dim, eps) + 1.8) / 0.9;
}

enum tac_status tac_far_choose(struct tac_far_choice *out, int dim, const struct tac_fmm_kernel *kernel, double eps,
                               struct tac_error *error) {
  const int rule = dim - 2, smooth = smooth_degree(dim, eps);
  const double size = kernel->kind == TAC_FMM_LAPLACE ? 0 : kernel->parameter;
  const int oscillates = kernel->kind == TAC_FMM_HELMHOLTZ;
  if (oscillates && !(size <= tac_far_wave_limit(dim, eps)))
    return tac_error_set(error, TAC_STATUS_INVALID, "far field",
                         "wave number times side is %.3g for the boxes of the coarsest expansions; eps %g allows %.3g in %dD: "
                         "this method is for low frequencies",
                         size, eps, tac_far_wave_limit(dim, eps), dim);
  out->degree = smooth + (oscillates ? wave_degree(size) : 0);
  /* Beyond the polynomials the kernel itself: analytic in ellipses with sum of half axes 4.6 about each half axis. */
  out->nodes = out->degree + 2 + (int)ceil(0.5 * log(100 / eps) / log(4.6) + 0.4 * fmin(size, 30));
  out->threshold = rules[rule].slack * pow(eps, rules[rule].power);
  /* The near field of Yukawa's kernel falls as 1/size^2 only. */
  out->floor = kernel->kind == TAC_FMM_YUKAWA ? rules[rule].dipole / (1 + size * size / 8) : 0;
  out->ceiling = oscillates ? rules[rule].wave : INFINITY;
  return TAC_STATUS_OK;
}
