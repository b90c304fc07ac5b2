/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <math.h>

#include "apps/volume_fmm/closed_forms.h"
#include "apps/volume_fmm/densities.h"

static const double pi = 3.14159265358979323846;

static double distance(int dim, const double *x, const double *center) {
  double r = 0;
  for (int axis = 0; axis < dim; axis++)
    r = hypot(r, x[axis] - center[axis]);
  return r;
}

/* Adds amplitude * u(|x - center|) and its gradient. */
static void add_radial(double *fields, const struct tac_density *density, const struct tac_radial *u, const double *center,
                       double amplitude, const double *x, double r) {
  const int parts = tac_fmm_kernel_parts(density->kernel.kind);
  for (int part = 0; part < parts; part++) {
    fields[part] += amplitude * u->value[part];
    for (int axis = 0; axis < density->dim && r > 0; axis++)
      fields[part + parts * (1 + axis)] += amplitude * u->slope[part] * (x[axis] - center[axis]) / r;
  }
}

static int always(const struct tac_density *density) {
  return density->dim != 0;
}

/* Of one Gaussian, by its distance to each face: the mass beyond is erfc(sqrt(a) distance)/2 of the whole. */
static double gaussian_mass_outside(const struct tac_density *density, const struct tac_gaussian *gaussian) {
  const double root = sqrt(gaussian->exponent);
  double sum = 0;
  for (int axis = 0; axis < density->dim; axis++) {
    const double below = gaussian->center[axis] - density->lower[axis];
    sum += 0.5 * erfc(root * below) + 0.5 * erfc(root * (density->side - below));
  }
  return sum;
}

/* u = exp(-a r^2) solves its equation with a density that is -Delta u and more: what lies beyond a face at distance d gives
 * about the value and the slope of u there. */
static double gaussian_potential_outside(const struct tac_density *density, const struct tac_gaussian *gaussian) {
  double sum = 0;
  for (int axis = 0; axis < density->dim; axis++)
    for (int upper = 0; upper < 2; upper++) {
      const double below = gaussian->center[axis] - density->lower[axis];
      const double d = upper ? density->side - below : below, t = gaussian->exponent * d * d;
      sum += d > 0 ? (1 + 2 * t) * exp(-t) : 1;
    }
  return sum;
}

/* ---- u = sum of A exp(-a r^2) ---- */

static double gaussian_value(const struct tac_density *density, const double *x) {
  double sum = 0;
  for (size_t i = 0; i < density->gaussian_count; i++) {
    const struct tac_gaussian *g = &density->gaussians[i];
    sum +=
        g->amplitude * tac_gaussian_density(&density->kernel, density->dim, g->exponent, distance(density->dim, x, g->center));
  }
  return sum;
}

static void gaussian_answer(double *fields, const struct tac_density *density, const double *x) {
  for (size_t i = 0; i < density->gaussian_count; i++) {
    const struct tac_gaussian *g = &density->gaussians[i];
    const double r = distance(density->dim, x, g->center);
    struct tac_radial u;
    tac_gaussian_potential(&u, g->exponent, r);
    add_radial(fields, density, &u, g->center, g->amplitude, x, r);
  }
}

static double gaussian_outside(const struct tac_density *density) {
  double sum = 0, largest = 0;
  for (size_t i = 0; i < density->gaussian_count; i++) {
    const struct tac_gaussian *g = &density->gaussians[i];
    sum += fabs(g->amplitude) * gaussian_potential_outside(density, g);
    largest = fmax(largest, fabs(g->amplitude));
  }
  return largest > 0 ? sum / largest : 0;
}

const struct tac_density_form tac_density_gaussian = {gaussian_value, always, gaussian_answer, gaussian_outside};

/* ---- f = sum of A exp(-a r^2) ---- */

static double charged_value(const struct tac_density *density, const double *x) {
  double sum = 0;
  for (size_t i = 0; i < density->gaussian_count; i++) {
    const struct tac_gaussian *g = &density->gaussians[i];
    const double r = distance(density->dim, x, g->center);
    sum += g->amplitude * exp(-g->exponent * r * r);
  }
  return sum;
}

static int charged_is_known(const struct tac_density *density) {
  return tac_charged_gaussian_is_known(&density->kernel);
}

static void charged_answer(double *fields, const struct tac_density *density, const double *x) {
  for (size_t i = 0; i < density->gaussian_count; i++) {
    const struct tac_gaussian *g = &density->gaussians[i];
    const double r = distance(density->dim, x, g->center);
    struct tac_radial u;
    tac_charged_gaussian_potential(&u, &density->kernel, density->dim, g->exponent, r);
    add_radial(fields, density, &u, g->center, g->amplitude, x, r);
  }
}

static double charged_outside(const struct tac_density *density) {
  double sum = 0, whole = 0;
  for (size_t i = 0; i < density->gaussian_count; i++) {
    const struct tac_gaussian *g = &density->gaussians[i];
    const double mass = fabs(g->amplitude) * pow(pi / g->exponent, 0.5 * density->dim);
    sum += mass * gaussian_mass_outside(density, g);
    whole += mass;
  }
  return whole > 0 ? sum / whole : 0;
}

const struct tac_density_form tac_density_charged = {charged_value, charged_is_known, charged_answer, charged_outside};

/* ---- a disk or a ball ---- */

static double ball_value(const struct tac_density *density, const double *x) {
  return distance(density->dim, x, density->center) <= density->radius ? density->amplitude : 0;
}

static void ball_answer(double *fields, const struct tac_density *density, const double *x) {
  const double r = distance(density->dim, x, density->center);
  struct tac_radial u;
  tac_ball_potential(&u, &density->kernel, density->dim, density->radius, r);
  add_radial(fields, density, &u, density->center, density->amplitude, x, r);
}

static double ball_outside(const struct tac_density *density) {
  for (int axis = 0; axis < density->dim; axis++) {
    const double below = density->center[axis] - density->lower[axis];
    if (below < density->radius || density->side - below < density->radius)
      return 1;
  }
  return 0;
}

const struct tac_density_form tac_density_ball = {ball_value, always, ball_answer, ball_outside};

/* ---- the same everywhere ---- */

static double constant_value(const struct tac_density *density, const double *x) {
  (void)x;
  return density->amplitude;
}

static int constant_is_known(const struct tac_density *density) {
  return density->kernel.kind == TAC_FMM_LAPLACE;
}

static void constant_answer(double *fields, const struct tac_density *density, const double *x) {
  double u[4];
  tac_box_potential(u, density->dim, density->lower, density->side, x);
  for (int f = 0; f <= density->dim; f++)
    fields[f] += density->amplitude * u[f];
}

static double nothing_outside(const struct tac_density *density) {
  (void)density;
  return 0;
}

const struct tac_density_form tac_density_constant = {constant_value, constant_is_known, constant_answer, nothing_outside};

/* ---- a monomial in coordinates that are -1 and 1 at the borders ---- */

static double polynomial_value(const struct tac_density *density, const double *x) {
  double product = 1;
  for (int axis = 0; axis < density->dim; axis++) {
    const double t = 2 * (x[axis] - density->lower[axis]) / density->side - 1;
    for (int i = 0; i < density->power[axis]; i++)
      product *= t;
  }
  return product;
}

static int never(const struct tac_density *density) {
  (void)density;
  return 0;
}

const struct tac_density_form tac_density_polynomial = {polynomial_value, never, NULL, nothing_outside};

/* ---- samples of a file ---- */

const struct tac_density_form tac_density_sampled = {NULL, never, NULL, nothing_outside};
