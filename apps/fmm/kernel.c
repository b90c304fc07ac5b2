/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/fmm/kernel.h"

#include <math.h>

static const double pi = 3.14159265358979323846;

const char *tac_fmm_kernel_name(enum tac_fmm_kernel_kind kind) {
  static const char *const names[TAC_FMM_KERNEL_KINDS] = {"laplace", "yukawa", "helmholtz"};
  return (unsigned)kind < TAC_FMM_KERNEL_KINDS ? names[kind] : NULL;
}

int tac_fmm_kernel_parts(enum tac_fmm_kernel_kind kind) {
  return kind == TAC_FMM_HELMHOLTZ ? 2 : 1;
}

/* K0(x) = integral over all s of exp(-x cosh s)/2: the trapezoid rule converges geometrically (Trefethen and Weideman, SIAM
 * Review 56, 2014). exp(-x (cosh s - 1)) falls below 1e-18 where cosh s = 1 + 41/x. */
static double bessel_k0(double x) {
  const double limit = acosh(1 + 41 / x);
  const int steps = 32 + (int)(limit * 8);
  const double step = limit / steps;
  double sum = 0.5;
  for (int i = 1; i <= steps; i++) {
    const double half = sinh(0.5 * step * i);
    sum += exp(-2 * x * half * half);
  }
  return sum * step * exp(-x);
}

static double value_2d(const struct tac_fmm_kernel *kernel, int part, double r) {
  switch (kernel->kind) {
  case TAC_FMM_LAPLACE:
    return -log(r) / (2 * pi);
  case TAC_FMM_YUKAWA:
    return bessel_k0(kernel->parameter * r) / (2 * pi);
  default:
    return part ? 0.25 * j0(kernel->parameter * r) : -0.25 * y0(kernel->parameter * r);
  }
}

static double value_3d(const struct tac_fmm_kernel *kernel, int part, double r) {
  const double laplace = 1 / (4 * pi * r);
  switch (kernel->kind) {
  case TAC_FMM_LAPLACE:
    return laplace;
  case TAC_FMM_YUKAWA:
    return laplace * exp(-kernel->parameter * r);
  default:
    return laplace * (part ? sin(kernel->parameter * r) : cos(kernel->parameter * r));
  }
}

double tac_fmm_kernel_value(const struct tac_fmm_kernel *kernel, int dim, int part, double r) {
  if ((unsigned)kernel->kind >= TAC_FMM_KERNEL_KINDS || (dim != 2 && dim != 3) || part < 0 ||
      part >= tac_fmm_kernel_parts(kernel->kind) || !(r > 0))
    return NAN;
  return dim == 2 ? value_2d(kernel, part, r) : value_3d(kernel, part, r);
}

/* K1(x) = integral over all s of exp(-x cosh s) cosh(s)/2, by the trapezoid rule as K0. */
static double bessel_k1(double x) {
  const double limit = acosh(1 + 45 / x);
  const int steps = 32 + (int)(limit * 8);
  const double step = limit / steps;
  double sum = 0.5;
  for (int i = 1; i <= steps; i++) {
    const double half = sinh(0.5 * step * i);
    sum += exp(-2 * x * half * half) * cosh(step * i);
  }
  return sum * step * exp(-x);
}

double tac_fmm_kernel_slope(const struct tac_fmm_kernel *kernel, int dim, int part, double r) {
  const double k = kernel->parameter, laplace = 1 / (4 * pi * r * r);
  switch (kernel->kind) {
  case TAC_FMM_LAPLACE:
    return dim == 2 ? -1 / (2 * pi * r) : -laplace;
  case TAC_FMM_YUKAWA:
    return dim == 2 ? -k * bessel_k1(k * r) / (2 * pi) : -laplace * (1 + k * r) * exp(-k * r);
  default:
    if (dim == 2)
      return part ? -0.25 * k * j1(k * r) : 0.25 * k * y1(k * r);
    return laplace * (part ? k * r * cos(k * r) - sin(k * r) : -cos(k * r) - k * r * sin(k * r));
  }
}
