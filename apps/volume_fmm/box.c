/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/volume_fmm/closed_forms.h"

#include <math.h>

static const double pi = 3.14159265358979323846;

/* x ln and x atan are 0 where x is, whatever else is. */
static double times(double factor, double value) {
  return factor == 0 ? 0 : factor * value;
}

/* Integral of ln r over y, then over x: the antiderivative at a corner seen from the point, and its derivative along x. */
static double corner_2d(double x, double y) {
  const double square = x * x + y * y;
  return 0.5 * (times(x * y, log(square) - 3) + times(x * x, atan(y / x)) + times(y * y, atan(x / y)));
}

static double corner_2d_slope(double x, double y) {
  return 0.5 * times(y, log(x * x + y * y) - 2) + times(x, atan(y / x));
}

/* The same of 1/r in 3D. ln(z + r) is replaced by asinh(z/sqrt(x^2 + y^2)), which differs by what is the same at both ends in
 * z, and does not cancel for negative z. */
static double corner_3d(double x, double y, double z) {
  const double r = sqrt(x * x + y * y + z * z);
  return times(x * y, asinh(z / hypot(x, y))) + times(y * z, asinh(x / hypot(y, z))) + times(z * x, asinh(y / hypot(z, x))) -
         0.5 *
             (times(x * x, atan(y * z / (x * r))) + times(y * y, atan(z * x / (y * r))) + times(z * z, atan(x * y / (z * r))));
}

static double corner_3d_slope(double x, double y, double z) {
  const double r = sqrt(x * x + y * y + z * z);
  return times(y, asinh(z / hypot(x, y))) + times(z, asinh(y / hypot(z, x))) - times(x, atan(y * z / (x * r)));
}

void tac_box_potential(double *fields, int dim, const double *lower, double side, const double *x) {
  const double scale = dim == 2 ? -1 / (2 * pi) : 1 / (4 * pi);
  for (int f = 0; f <= dim; f++)
    fields[f] = 0;
  for (int corner = 0; corner < 1 << dim; corner++) {
    double d[3] = {0}, sign = dim == 2 ? 1 : -1;
    for (int axis = 0; axis < dim; axis++) {
      d[axis] = lower[axis] + (corner >> axis & 1 ? side : 0) - x[axis];
      sign = corner >> axis & 1 ? -sign : sign;
    }
    /* corner 0 has the sign (-1)^dim, and each upper end turns it */
    fields[0] += sign * scale * (dim == 2 ? corner_2d(d[0], d[1]) : corner_3d(d[0], d[1], d[2]));
    for (int axis = 0; axis < dim; axis++) {
      const double a = d[axis], b = d[(axis + 1) % dim], c = d[(axis + 2) % dim];
      fields[1 + axis] -= sign * scale * (dim == 2 ? corner_2d_slope(a, b) : corner_3d_slope(a, b, c));
    }
  }
}
