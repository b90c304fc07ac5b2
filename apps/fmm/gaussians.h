/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef APPS_FMM_GAUSSIANS_H
#define APPS_FMM_GAUSSIANS_H

#include <tactus/fmm/kernel.h>

/* Radial functions as sums of Gaussians: f(r) = constant + sum weight[k] exp(-exponent[k] r^2). Integrals of a Gaussian over a
 * box are products of one-dimensional moments, so a singular integral over a box costs a short sum of products. */
#define TAC_GAUSSIANS_MAX 320
struct tac_gaussians {
  int count;
  double constant;
  double exponent[TAC_GAUSSIANS_MAX]; /* ascending */
  double weight[TAC_GAUSSIANS_MAX];
};

/* G of tac_fmm_kernel_value, all factors included, for Laplace and Yukawa; the parameter is in units of the box (times its
 * side). The error is at most 4e-15 of G plus that much of Laplace' kernel, for 1e-7 <= r <= 6, some 50 times that in the first
 * derivative, and 1e-15 of their scale in integrals of polynomials over the unit box, for targets anywhere. */
void tac_gaussians_init(struct tac_gaussians *out, const struct tac_fmm_kernel *kernel, int dim);

/* Only the Gaussians with exponents of at least `lowest`, for any kernel (Helmholtz: the real part): G minus this sum is an
 * entire function of r^2, which ordinary quadrature integrates. Helmholtz' weights grow as exp(parameter^2/(4 lowest)). */
void tac_gaussians_init_local(struct tac_gaussians *out, const struct tac_fmm_kernel *kernel, int dim, double lowest);

/* The same for r^(2n) ln r (2D), n >= 0, and r^(2n-1) (3D), n >= 0. */
void tac_gaussians_init_power(struct tac_gaussians *out, int dim, int n, double lowest);

double tac_gaussians_value(const struct tac_gaussians *gaussians, double r);

/* Quadrature for the moments of polynomials phi_0 … phi_{order-1} (modes.h); order 1 … 32. */
struct tac_moment_rule {
  int order, count;
  double node[64], weight[64], norm[32];
};
void tac_moment_rule_init(struct tac_moment_rule *rule, int order);

/* moments[n] = integral over y in [-1/2, 1/2] of phi_n(y) (x-y)^power exp(-exponent (x-y)^2), n < rule->order; derivatives[n]
 * (may be NULL) the derivative with respect to x. power 0 … 8. Accurate to 1e-15 of the integral of the integrand's modulus,
 * for any x and exponent >= 0. */
void tac_gaussian_moments(double *moments, double *derivatives, const struct tac_moment_rule *rule, int power, double exponent,
                          double x);

#endif
