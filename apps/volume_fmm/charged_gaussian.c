/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/volume_fmm/closed_forms.h"

#include <math.h>

#include "apps/fmm/modes.h"

static const double pi = 3.14159265358979323846, euler = 0.57721566490153286061;

double tac_gaussian_density(const struct tac_fmm_kernel *kernel, int dim, double a, double r) {
  const double p = kernel->parameter, square = a * r * r;
  const double c = kernel->kind == TAC_FMM_YUKAWA ? p * p : kernel->kind == TAC_FMM_HELMHOLTZ ? -p * p : 0;
  return (c + 2 * a * (dim - 2 * square)) * exp(-square);
}

void tac_gaussian_potential(struct tac_radial *out, double a, double r) {
  const double value = exp(-a * r * r);
  *out = (struct tac_radial){.value = {value, 0}, .slope = {-2 * a * r * value, 0}};
}

/* ln t + E1(t) + Euler's constant = sum of (-1)^(k+1) t^k/(k k!), entire in t; by the continued fraction of E1 for large t. */
static double entire_exponential_integral(double t) {
  if (t < 2) {
    double term = t, sum = t;
    for (int k = 2; k < 40; k++) {
      term *= -t / k;
      sum += term / k;
    }
    return sum;
  }
  double fraction = 0;
  for (int k = 60; k > 0; k--)
    fraction = k / (1 + k / (t + fraction));
  return log(t) + exp(-t) / (t + fraction) + euler;
}

/* u = -[ln r^2 + E1(a r^2)]/(4 a). */
static void laplace_2d(struct tac_radial *out, double a, double r) {
  const double t = a * r * r;
  out->value[0] = (log(a) + euler - entire_exponential_integral(t)) / (4 * a);
  out->slope[0] = r > 0 ? expm1(-t) / (2 * a * r) : 0;
}

/* erf(t)/t and its derivative. */
static void error_function_ratio(double *value, double *slope, double t) {
  const double scale = 2 / sqrt(pi);
  if (t > 0.5) {
    *value = erf(t) / t;
    *slope = (scale * exp(-t * t) - *value) / t;
    return;
  }
  double power = 1; /* (-t^2)^k / k! */
  *value = 1;
  *slope = 0;
  for (int k = 1; k < 16; k++) {
    *slope -= 2 * t * power / (2 * k + 1);
    power *= -t * t / k;
    *value += power / (2 * k + 1);
  }
  *value *= scale;
  *slope *= scale;
}

/* u = (pi/a)^(3/2) erf(sqrt(a) r)/(4 pi r). */
static void laplace_3d(struct tac_radial *out, double a, double r) {
  const double root = sqrt(a), scale = root * pow(pi / a, 1.5) / (4 * pi);
  error_function_ratio(&out->value[0], &out->slope[0], root * r);
  out->value[0] *= scale;
  out->slope[0] *= scale * root;
}

/* exp(x^2) erfc(x) for x >= 0; beyond 8 by its asymptotic series, whose terms there fall to rounding. */
static double scaled_erfc(double x) {
  if (x < 8) {
    const double square = x * x, rest = fma(x, x, -square);
    return exp(square) * (1 + rest) * erfc(x);
  }
  double term = 1, sum = 1;
  for (int k = 1; k < 40 && fabs(term) > 1e-17; k++) {
    term *= -(2 * k - 1) / (2 * x * x);
    sum += term;
  }
  return sum / (x * sqrt(pi));
}

/* With s = l/(2 sqrt a) and t = sqrt(a) r: u = (pi/a)^(3/2)/(8 pi r) [P - Q], P = exp(s^2 - 2 s t) erfc(s - t),
 * Q = exp(s^2 + 2 s t) erfc(s + t). Written so that nothing overflows; the difference needs t that are not small. */
static void yukawa_3d(struct tac_radial *out, double l, double a, double r) {
  const double root = sqrt(a), s = l / (2 * root), t = root * r, edge = exp(-t * t);
  const double p = s > t ? edge * scaled_erfc(s - t) : exp(s * (s - 2 * t)) * erfc(s - t);
  const double q = edge * scaled_erfc(s + t);
  const double scale = pow(pi / a, 1.5) / (8 * pi * r);
  out->value[0] = scale * (p - q);
  out->slope[0] = scale * (root * (4 / sqrt(pi) * edge - 2 * s * (p + q)) - (p - q) / r);
}

/* The density spreads as heat does: u = integral over time of exp(-l^2 time) times the spread Gaussian. With
 * exp(w) = 1 + 4 a time it is 1/(4 a) times the integral over w > 0 of exp(-(dim/2 - 1) w - b (exp w - 1) - a r^2 exp(-w)),
 * b = l^2/(4 a): all positive, so that nothing cancels. */
static void yukawa_by_integral(struct tac_radial *out, int dim, double l, double a, double r) {
  enum { PANELS = 24, POINTS = 16 };
  double node[POINTS], weight[POINTS];
  const double b = l * l / (4 * a), t = a * r * r;
  const double last = log1p(44 / b), first = fmin(t > 700 ? log(t / 700) : 0, last), width = (last - first) / PANELS;
  tac_gauss_rule(POINTS, node, weight);
  double sum = 0, slope = 0;
  for (int panel = 0; panel < PANELS; panel++)
    for (int i = 0; i < POINTS; i++) {
      const double w = first + width * (panel + 0.5 + node[i]);
      const double value = weight[i] * exp((1 - 0.5 * dim) * w - b * expm1(w) - t * exp(-w));
      sum += value;
      slope -= 2 * a * r * exp(-w) * value;
    }
  out->value[0] = sum * width / (4 * a);
  out->slope[0] = slope * width / (4 * a);
}

/* A screening too weak to be seen over the charge and as far as r: Laplace's answer and the constant of K0(x) = -ln(x/2) - g
 * for small x, or of exp(-x) = 1 - x. The charge is (pi/a)^(dim/2). */
static void yukawa_weak(struct tac_radial *out, int dim, double l, double a, double r) {
  if (dim == 2)
    laplace_2d(out, a, r);
  else
    laplace_3d(out, a, r);
  out->value[0] += dim == 2 ? -(log(l / 2) + euler) / (2 * a) : -l * pow(pi / a, 1.5) / (4 * pi);
}

int tac_charged_gaussian_is_known(const struct tac_fmm_kernel *kernel) {
  return kernel->kind != TAC_FMM_HELMHOLTZ;
}

void tac_charged_gaussian_potential(struct tac_radial *out, const struct tac_fmm_kernel *kernel, int dim, double a, double r) {
  *out = (struct tac_radial){{0}, {0}};
  if (kernel->kind == TAC_FMM_LAPLACE && dim == 2)
    laplace_2d(out, a, r);
  else if (kernel->kind == TAC_FMM_LAPLACE)
    laplace_3d(out, a, r);
  else if (kernel->parameter * fmax(r, 1 / sqrt(a)) < 1e-9)
    yukawa_weak(out, dim, kernel->parameter, a, r);
  else if (dim == 3 && a * r * r > 1)
    yukawa_3d(out, kernel->parameter, a, r);
  else
    yukawa_by_integral(out, dim, kernel->parameter, a, r);
}
