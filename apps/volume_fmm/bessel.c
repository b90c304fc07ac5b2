/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/volume_fmm/bessel.h"

#include <math.h>

static const double pi = 3.14159265358979323846;

/* The trapezoid rule converges geometrically for both. */
double tac_scaled_bessel_i(int n, double x) {
  const int points = 24 + 2 * (int)sqrt(80 * x);
  double sum = 0;
  for (int i = 0; i < points; i++) {
    const double angle = 2 * pi * i / points, half = sin(0.5 * angle);
    sum += exp(-2 * x * half * half) * cos(n * angle);
  }
  return sum / points;
}

double tac_scaled_bessel_k(int n, double x) {
  const double limit = acosh(1 + 50 / x);
  const int steps = 32 + (int)(limit * 10);
  const double step = limit / steps;
  double sum = 0.5;
  for (int i = 1; i <= steps; i++) {
    const double half = sinh(0.5 * step * i);
    sum += exp(-2 * x * half * half) * cosh(n * step * i);
  }
  return sum * step;
}
