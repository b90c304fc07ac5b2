/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef VOLUME_FMM_CLOSED_FORMS_H
#define VOLUME_FMM_CLOSED_FORMS_H

#include <tactus/fmm/kernel.h>

/* A radial potential in free space and its derivative along r; part 1 is the imaginary one (Helmholtz). */
struct tac_radial {
  double value[2], slope[2];
};

/* u = exp(-a r^2) for every kernel: the density that has it, f = (c + 2 dim a - 4 a^2 r^2) exp(-a r^2) with c = l^2 (Yukawa),
 * -k^2 (Helmholtz) or 0. */
double tac_gaussian_density(const struct tac_fmm_kernel *kernel, int dim, double a, double r);
void tac_gaussian_potential(struct tac_radial *out, double a, double r);

/* f = exp(-a r^2), for Laplace and Yukawa, to about 1e-14 of its value at the center. */
int tac_charged_gaussian_is_known(const struct tac_fmm_kernel *kernel);
void tac_charged_gaussian_potential(struct tac_radial *out, const struct tac_fmm_kernel *kernel, int dim, double a, double r);

/* f = 1 within the distance `radius`, 0 outside: a disk in 2D, a ball in 3D, for every kernel. The 2D Helmholtz one loses
 * about 1e-16/(k radius)^2. */
void tac_ball_potential(struct tac_radial *out, const struct tac_fmm_kernel *kernel, int dim, double radius, double r);

/* f = 1 in the square or cube from `lower` of that side, for Laplace, at any point x but its corners and edges (the gradient).
 * fields: u, then its derivatives along each axis. */
void tac_box_potential(double *fields, int dim, const double *lower, double side, const double *x);

#endif
