/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/volume_fmm/closed_forms.h"

#include <complex.h>
#include <math.h>

#include "apps/volume_fmm/bessel.h"

static const double pi = 3.14159265358979323846;

static void laplace(struct tac_radial *out, int dim, double radius, double r) {
  const double square = radius * radius;
  if (r <= radius) {
    out->value[0] = dim == 2 ? (square * (1 - 2 * log(radius)) - r * r) / 4 : (3 * square - r * r) / 6;
    out->slope[0] = -r / dim;
  } else {
    out->value[0] = dim == 2 ? -0.5 * square * log(r) : square * radius / (3 * r);
    out->slope[0] = dim == 2 ? -0.5 * square / r : -square * radius / (3 * r * r);
  }
}

/* 1 - (1 + x) exp(-x), by its series where that would cancel. */
static double complex incomplete_gamma_2(double complex x) {
  if (cabs(x) > 1)
    return 1 - (1 + x) * cexp(-x);
  double complex power = -x, sum = 0; /* (-x)^n/n! */
  for (int n = 2; n < 24; n++) {
    power *= -x / n;
    sum += (n - 1) * power;
  }
  return sum;
}

/* (1 + x) exp(-x) (sinh(y)/y - 1) and its derivative along y, for |y| <= |x|: nothing overflows, and nothing cancels. */
static void inner_rest(double complex *value, double complex *slope, double complex x, double complex y) {
  if (cabs(y) > 1) {
    const double complex rise = cexp(y - x), fall = cexp(-y - x);
    *value = (1 + x) * ((rise - fall) / (2 * y) - cexp(-x));
    *slope = (1 + x) * ((rise + fall) / 2 - (rise - fall) / (2 * y)) / y;
    return;
  }
  double complex power = 1, sum = 0, derivative = 0; /* y^(2k)/(2k+1)! */
  for (int k = 1; k < 14; k++) {
    derivative += 2 * k * power * y / (2 * k * (2 * k + 1));
    power *= y * y / (2 * k * (2 * k + 1));
    sum += power;
  }
  *value = (1 + x) * cexp(-x) * sum;
  *slope = (1 + x) * cexp(-x) * derivative;
}

/* (x cosh x - sinh x) exp(-z) for |x| <= |z|. */
static double complex outer(double complex x, double complex z) {
  if (cabs(x) > 1)
    return 0.5 * ((x - 1) * cexp(x - z) + (x + 1) * cexp(-x - z));
  double complex power = x, sum = 0; /* x^(2k+1)/(2k+1)! */
  for (int k = 1; k < 14; k++) {
    power *= x * x / (2 * k * (2 * k + 1));
    sum += 2 * k * power;
  }
  return sum * cexp(-z);
}

/* exp(-lambda r)/(4 pi r) with lambda = l (Yukawa) or -i k (Helmholtz): inside [1 - (1 + x) exp(-x) sinh(y)/y]/lambda^2,
 * outside (x cosh x - sinh x) exp(-lambda r)/(lambda^3 r); x = lambda R, y = lambda r. */
static void screened_3d(struct tac_radial *out, double complex lambda, double radius, double r) {
  double complex value, slope;
  if (r <= radius) {
    inner_rest(&value, &slope, lambda * radius, lambda * r);
    value = (incomplete_gamma_2(lambda * radius) - value) / (lambda * lambda);
    slope = -slope / lambda;
  } else {
    value = outer(lambda * radius, lambda * r) / (lambda * lambda * lambda * r);
    slope = -value * (lambda + 1 / r);
  }
  *out = (struct tac_radial){{creal(value), cimag(value)}, {creal(slope), cimag(slope)}};
}

/* 1 - x K1(x) = integral over s > 0 of [1 - (1 + x cosh s) exp(-x cosh s)]/cosh^2 s, which does not cancel for small x. */
static double one_minus_x_k1(double x) {
  const double step = 1. / 16;
  double sum = 0.5 * creal(incomplete_gamma_2(x));
  for (int i = 1; i * step < 22; i++) {
    const double c = cosh(i * step);
    sum += creal(incomplete_gamma_2(x * c)) / (c * c);
  }
  return sum * step;
}

/* I0(y) - 1 for y <= 1. */
static double bessel_i0_less_1(double y) {
  double term = 1, sum = 0;
  for (int k = 1; k < 16; k++) {
    term *= 0.25 * y * y / (k * k);
    sum += term;
  }
  return sum;
}

/* Inside [1 - x K1(x) I0(y)]/l^2, outside (R/l) I1(x) K0(y); x = l R, y = l r. */
static void yukawa_2d(struct tac_radial *out, double l, double radius, double r) {
  const double x = l * radius, y = l * r, decay = exp(-fabs(x - y));
  if (r > radius) {
    const double inner = radius * tac_scaled_bessel_i(1, x) * decay;
    out->value[0] = inner * tac_scaled_bessel_k(0, y) / l;
    out->slope[0] = -inner * tac_scaled_bessel_k(1, y);
    return;
  }
  const double k1 = x * tac_scaled_bessel_k(1, x);
  const double rest =
      y < 1 ? one_minus_x_k1(x) - k1 * exp(-x) * bessel_i0_less_1(y) : 1 - k1 * decay * tac_scaled_bessel_i(0, y);
  out->value[0] = rest / (l * l);
  out->slope[0] = -k1 * decay * tac_scaled_bessel_i(1, y) / l;
}

/* Inside -1/k^2 + (i pi R/(2 k)) H1(x) J0(y), outside (i pi R/(2 k)) J1(x) H0(y); x = k R, y = k r. */
static void helmholtz_2d(struct tac_radial *out, double k, double radius, double r) {
  const double x = k * radius, y = k * r, scale = pi * radius / (2 * k);
  const int inside = r <= radius;
  out->value[0] = inside ? -1 / (k * k) - scale * y1(x) * j0(y) : -scale * j1(x) * y0(y);
  out->value[1] = scale * j1(x) * j0(y);
  out->slope[0] = scale * k * (inside ? y1(x) * j1(y) : j1(x) * y1(y));
  out->slope[1] = -scale * k * j1(x) * j1(y);
}

void tac_ball_potential(struct tac_radial *out, const struct tac_fmm_kernel *kernel, int dim, double radius, double r) {
  const double p = kernel->parameter;
  *out = (struct tac_radial){{0}, {0}};
  if (kernel->kind == TAC_FMM_LAPLACE)
    laplace(out, dim, radius, r);
  else if (dim == 3)
    screened_3d(out, kernel->kind == TAC_FMM_YUKAWA ? p : -p * (double complex)I, radius, r);
  else if (kernel->kind == TAC_FMM_YUKAWA)
    yukawa_2d(out, p, radius, r);
  else
    helmholtz_2d(out, p, radius, r);
}
