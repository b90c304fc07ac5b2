/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/volume_fmm/closed_forms.h"

#include <math.h>

#include "apps/fmm/modes.h"
#include "tests/unit/suite.h"

static const double pi = 3.14159265358979323846;

/* Laplace, and weak and strong parameters of the others. */
static const struct tac_fmm_kernel kernels[] = {
    {TAC_FMM_LAPLACE, 0}, {TAC_FMM_YUKAWA, 0.02}, {TAC_FMM_YUKAWA, 3},
    {TAC_FMM_YUKAWA, 60}, {TAC_FMM_HELMHOLTZ, 1}, {TAC_FMM_HELMHOLTZ, 20},
};
enum { KERNELS = sizeof kernels / sizeof *kernels };

/* A density and its potential, both radial. */
struct subject {
  struct tac_fmm_kernel kernel;
  int dim;
  double size; /* exponent, or radius */
  double (*density)(const struct subject *subject, double r);
  void (*potential)(struct tac_radial *out, const struct subject *subject, double r);
};

static double gaussian_density(const struct subject *s, double r) {
  return tac_gaussian_density(&s->kernel, s->dim, s->size, r);
}

static void gaussian_potential(struct tac_radial *out, const struct subject *s, double r) {
  tac_gaussian_potential(out, s->size, r);
}

static double charged_density(const struct subject *s, double r) {
  return exp(-s->size * r * r);
}

static void charged_potential(struct tac_radial *out, const struct subject *s, double r) {
  tac_charged_gaussian_potential(out, &s->kernel, s->dim, s->size, r);
}

static double ball_density(const struct subject *s, double r) {
  return r <= s->size;
}

static void ball_potential(struct tac_radial *out, const struct subject *s, double r) {
  tac_ball_potential(out, &s->kernel, s->dim, s->size, r);
}

/* Sixth-order central difference of a part's value (0) or slope (1). */
static double difference(const struct subject *s, int part, int of_slope, double r, double step) {
  static const double weight[] = {3. / 4, -3. / 20, 1. / 60};
  double sum = 0;
  for (int i = 1; i <= 3; i++) {
    struct tac_radial above, below;
    s->potential(&above, s, r + i * step);
    s->potential(&below, s, r - i * step);
    sum += weight[i - 1] * (of_slope ? above.slope[part] - below.slope[part] : above.value[part] - below.value[part]);
  }
  return sum / step;
}

/* -u'' - (dim - 1)/r u' + c u = f, and the slope is the derivative of the value. `size`: what errors are relative to. */
static void check_equation(const struct subject *s, double r, double step, double size) {
  const double p = s->kernel.parameter;
  const double c = s->kernel.kind == TAC_FMM_YUKAWA ? p * p : s->kernel.kind == TAC_FMM_HELMHOLTZ ? -p * p : 0;
  struct tac_radial u;
  s->potential(&u, s, r);
  for (int part = 0; part < tac_fmm_kernel_parts(s->kernel.kind); part++) {
    const double slope = difference(s, part, 0, r, step), second = difference(s, part, 1, r, step);
    const double residual = -second - (s->dim - 1) / r * u.slope[part] + c * u.value[part] - (part ? 0 : s->density(s, r));
    ck_assert_msg(fabs(slope - u.slope[part]) < 1e-9 * size,
                  "kernel %d %g, %dD, size %g, part %d: slope %.17g at %g, by differences %.17g", s->kernel.kind, p, s->dim,
                  s->size, part, u.slope[part], r, slope);
    ck_assert_msg(fabs(residual) < 2e-9 * size, "kernel %d %g, %dD, size %g, part %d: residual %.3g at %g", s->kernel.kind, p,
                  s->dim, s->size, part, residual, r);
  }
}

/* u(0) = integral of G f over all space, by Gauss panels that shrink towards 0 and end at `last`. */
static double value_at_center(const struct subject *s, int part, double last) {
  enum { POINTS = 32, PANELS = 60 };
  double node[POINTS], weight[POINTS], sum = 0, outer = last;
  tac_gauss_rule(POINTS, node, weight);
  for (int panel = 0; panel < PANELS; panel++) {
    const double inner = panel + 1 < PANELS ? outer * 0.7 : 0;
    for (int i = 0; i < POINTS; i++) {
      const double r = inner + (outer - inner) * (0.5 + node[i]);
      const double area = s->dim == 2 ? 2 * pi * r : 4 * pi * r * r;
      sum += weight[i] * (outer - inner) * area * tac_fmm_kernel_value(&s->kernel, s->dim, part, r) * s->density(s, r);
    }
    outer = inner;
  }
  return sum;
}

static void check_center(const struct subject *s, double last, double tolerance) {
  struct tac_radial u;
  s->potential(&u, s, 0);
  for (int part = 0; part < tac_fmm_kernel_parts(s->kernel.kind); part++) {
    const double expected = value_at_center(s, part, last);
    ck_assert_msg(fabs(u.value[part] - expected) <= tolerance * fabs(expected),
                  "kernel %d %g, %dD, size %g, part %d: %.17g for %.17g", s->kernel.kind, s->kernel.parameter, s->dim, s->size,
                  part, u.value[part], expected);
    ck_assert(fabs(u.slope[part]) < 1e-13 * (1 + fabs(expected)));
  }
}

START_TEST(gaussians_solve_their_equation) {
  for (int k = 0; k < KERNELS; k++)
    for (int dim = 2; dim <= 3; dim++) {
      struct subject s = {kernels[k], dim, 7, gaussian_density, gaussian_potential};
      for (int i = 0; i < 7; i++)
        check_equation(&s, 0.1 + 0.3 * i, 0.01, 100 + s.kernel.parameter * s.kernel.parameter);
    }
}
END_TEST

/* Regular at the center and right there by quadrature, solving the equation: that leaves one function. */
START_TEST(charged_gaussians_solve_their_equation) {
  const double exponents[] = {0.3, 7, 900};
  for (int k = 0; k < KERNELS; k++)
    for (int i = 0; i < 6; i++) {
      struct subject s = {kernels[k], 2 + i % 2, exponents[i / 2], charged_density, charged_potential};
      if (!tac_charged_gaussian_is_known(&s.kernel))
        continue;
      const double width = 1 / sqrt(s.size);
      check_center(&s, 7 * width, 1e-13);
      for (int j = 0; j < 16; j++)
        check_equation(&s, (0.15 + 0.31 * j) * width, 0.01 * width / (1 + s.kernel.parameter * width), 1 + 1 / width);
    }
}
END_TEST

/* From afar all mass M = (pi/a)^(dim/2) sits at the center; exp(l^2/4a) is what the spread adds under Yukawa. */
/* Two ways meet where the screening becomes too weak to be seen, and the weakest has a value. */
START_TEST(weak_screening_is_a_constant) {
  for (int dim = 2; dim <= 3; dim++)
    for (int i = 0; i < 8; i++) {
      const double r = 0.1 * i, weak = 0.99e-10, strong = 1.01e-10, least = 1e-257;
      const struct tac_fmm_kernel kernels_weak[3] = {{TAC_FMM_YUKAWA, weak}, {TAC_FMM_YUKAWA, strong}, {TAC_FMM_YUKAWA, least}};
      struct tac_radial u[3];
      for (int k = 0; k < 3; k++)
        tac_charged_gaussian_potential(&u[k], &kernels_weak[k], dim, 0.01, r);
      const double step = dim == 2 ? log(strong / weak) / (2 * 0.01) : 0;
      ck_assert_double_eq_tol(u[0].value[0], u[1].value[0] + step, 1e-6 * fabs(u[0].value[0]));
      ck_assert_double_eq_tol(u[0].slope[0], u[1].slope[0], 1e-6 * fabs(u[0].value[0]));
      ck_assert(isfinite(u[2].value[0]) && u[2].value[0] > 0);
    }
}
END_TEST

START_TEST(charged_gaussians_from_afar) {
  for (int k = 0; k < KERNELS; k++)
    for (int dim = 2; dim <= 3; dim++) {
      const double a = 40, p = kernels[k].parameter, r = 2;
      struct tac_radial u;
      if (!tac_charged_gaussian_is_known(&kernels[k]) || p > 10)
        continue;
      const double mass = pow(pi / a, 0.5 * dim) * (kernels[k].kind == TAC_FMM_YUKAWA ? exp(p * p / (4 * a)) : 1);
      tac_charged_gaussian_potential(&u, &kernels[k], dim, a, r);
      const double expected = mass * tac_fmm_kernel_value(&kernels[k], dim, 0, r);
      ck_assert_msg(fabs(u.value[0] - expected) < 1e-13 * fabs(expected), "%.17g for %.17g", u.value[0], expected);
    }
}
END_TEST

/* Where exp(l^2/4a) alone overflows, the potential is about f/l^2. */
START_TEST(nothing_overflows) {
  const struct tac_fmm_kernel strong = {TAC_FMM_YUKAWA, 1e4};
  for (int dim = 2; dim <= 3; dim++)
    for (int i = 0; i < 55; i++) {
      const double r = 0.37 * i;
      struct tac_radial u;
      tac_charged_gaussian_potential(&u, &strong, dim, 1, r);
      const double expected = exp(-r * r) / 1e8; /* times 1 + O(a/l^2)(1 + r^2) */
      ck_assert_msg(fabs(u.value[0] - expected) <= 1e-7 * (1 + r * r) * expected + 1e-300, "%dD, r = %g: %.17g for %.17g", dim,
                    r, u.value[0], expected);
      tac_ball_potential(&u, &strong, dim, 1, r);
      ck_assert(isfinite(u.value[0]) && isfinite(u.slope[0]));
      if (r < 0.9)
        ck_assert_double_eq_tol(u.value[0], 1e-8, 1e-22);
    }
}
END_TEST

START_TEST(balls_solve_their_equation) {
  for (int k = 0; k < KERNELS; k++)
    for (int dim = 2; dim <= 3; dim++) {
      struct subject s = {kernels[k], dim, 0.7, ball_density, ball_potential};
      struct tac_radial inside, outside;
      check_center(&s, s.size, s.kernel.kind == TAC_FMM_HELMHOLTZ ? 1e-12 : 2e-14);
      for (int i = 0; i < 10; i++)
        check_equation(&s, 0.1 + 0.19 * i, 0.002, 1 + s.kernel.parameter * s.kernel.parameter);
      s.potential(&inside, &s, s.size);
      s.potential(&outside, &s, nextafter(s.size, 1));
      for (int part = 0; part < 2; part++) {
        ck_assert_double_eq_tol(inside.value[part], outside.value[part], 1e-14);
        ck_assert_double_eq_tol(inside.slope[part], outside.slope[part], 1e-13);
      }
    }
}
END_TEST

/* Table integrals: of ln r over [-1,1]^2 seen from its center 2 ln 2 - 6 + pi; of 1/r over the unit cube from its center
 * 3 ln((sqrt 3 + 1)/(sqrt 3 - 1)) - pi/2, from a corner half of that. */
START_TEST(boxes_at_their_center_and_corner) {
  const double root = sqrt(3), cube = 3 * log((root + 1) / (root - 1)) - pi / 2, lower[] = {-1, -1, -1};
  double u[4];
  tac_box_potential(u, 2, lower, 2, (const double[]){0, 0});
  ck_assert_double_eq_tol(u[0], -(2 * log(2) - 6 + pi) / (2 * pi), 1e-15);
  ck_assert(fabs(u[1]) < 1e-16 && fabs(u[2]) < 1e-16);
  tac_box_potential(u, 3, lower, 1, (const double[]){-0.5, -0.5, -0.5});
  ck_assert_double_eq_tol(u[0], cube / (4 * pi), 1e-15);
  tac_box_potential(u, 3, lower, 1, (const double[]){-1, 0, -1});
  ck_assert_double_eq_tol(u[0], cube / (8 * pi), 1e-15);
}
END_TEST

/* Points inside, outside and on the line through faces: sixth-order differences give gradient and Laplacian. */
START_TEST(boxes_solve_their_equation) {
  static const double weight[] = {3. / 4, -3. / 20, 1. / 60};
  const double lower[] = {0.1, -0.3, 0.2}, points[][3] = {{0.3, -0.1, 0.5}, {0.9, 0.4, 1.1}, {-1, 0.2, 0.3}, {0.2, 0.7, 1.3}};
  const double density[] = {1, 0, 0, 0}, step = 0.005; /* the box ends at 0.8, 0.4, 0.9 */
  for (int dim = 2; dim <= 3; dim++)
    for (int i = 0; i < 4; i++) {
      double u[4], laplacian = 0;
      tac_box_potential(u, dim, lower, 0.7, points[i]);
      for (int axis = 0; axis < dim; axis++) {
        double slope = 0, second = 0;
        for (int k = 1; k <= 3; k++) {
          double x[3], above[4], below[4];
          for (int j = 0; j < 3; j++)
            x[j] = points[i][j];
          x[axis] = points[i][axis] + k * step;
          tac_box_potential(above, dim, lower, 0.7, x);
          x[axis] = points[i][axis] - k * step;
          tac_box_potential(below, dim, lower, 0.7, x);
          slope += weight[k - 1] * (above[0] - below[0]) / step;
          second += weight[k - 1] * (above[1 + axis] - below[1 + axis]) / step;
        }
        ck_assert_double_eq_tol(slope, u[1 + axis], 1e-10);
        laplacian += second;
      }
      ck_assert_double_eq_tol(-laplacian, density[i], 1e-9);
    }
}
END_TEST

int main(void) {
  const TTest *const tests[] = {
      gaussians_solve_their_equation,   charged_gaussians_solve_their_equation,
      charged_gaussians_from_afar,      nothing_overflows,
      weak_screening_is_a_constant,     balls_solve_their_equation,
      boxes_at_their_center_and_corner, boxes_solve_their_equation,
  };
  return RUN_SUITE("closed_forms", tests);
}
