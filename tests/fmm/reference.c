/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "tests/fmm/reference.h"

#include <math.h>

static const double pi = 3.14159265358979323846;

double reference_value(const void *context, double r) {
  const struct reference *reference = context;
  return tac_fmm_kernel_value(&reference->kernel, reference->dim, reference->part, r);
}

/* K1(x) = integral over s > 0 of exp(-x cosh s) cosh s, by the trapezoid rule. */
static double bessel_k1(double x) {
  const double limit = acosh(1 + 45 / x);
  const int steps = 40 + (int)(limit * 10);
  double sum = 0.5 * exp(-x);
  for (int i = 1; i <= steps; i++)
    sum += exp(-x * cosh(limit / steps * i)) * cosh(limit / steps * i);
  return sum * limit / steps;
}

double reference_slope(const void *context, double r) {
  const struct reference *reference = context;
  const double p = reference->kernel.parameter, plain = -1 / (4 * pi * r * r);
  const int three = reference->dim == 3;
  switch (reference->kernel.kind) {
  case TAC_FMM_LAPLACE:
    return three ? plain : -1 / (2 * pi * r);
  case TAC_FMM_YUKAWA:
    return three ? plain * (1 + p * r) * exp(-p * r) : -p * bessel_k1(p * r) / (2 * pi);
  default:
    if (reference->part)
      return three ? plain * (sin(p * r) - p * r * cos(p * r)) : -0.25 * p * j1(p * r);
    return three ? plain * (cos(p * r) + p * r * sin(p * r)) : 0.25 * p * y1(p * r);
  }
}
