/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <math.h>

#include "apps/fmm/gaussians.h"
#include "apps/fmm/modes.h"
#include "tests/unit/suite.h"

static const double pi = 3.14159265358979323846;

static const struct tac_fmm_kernel kernels[] = {
    {TAC_FMM_LAPLACE, 0}, {TAC_FMM_YUKAWA, 1e-9}, {TAC_FMM_YUKAWA, 0.01}, {TAC_FMM_YUKAWA, 0.5},
    {TAC_FMM_YUKAWA, 3},  {TAC_FMM_YUKAWA, 50},   {TAC_FMM_YUKAWA, 4000},
};

/* Against the kernels themselves, over seven decades of distance, relative to G and to Laplace' kernel there. */
START_TEST(sums_equal_the_kernels) {
  for (int dim = 2; dim <= 3; dim++) {
    struct tac_gaussians gaussians;
    tac_gaussians_init(&gaussians, &kernels[_i], dim);
    ck_assert_int_lt(gaussians.count, TAC_GAUSSIANS_MAX);
    for (int i = 0; i < 260; i++) {
      const double r = 1e-7 * pow(1.07, i); /* to 4.1 */
      const double exact = tac_fmm_kernel_value(&kernels[_i], dim, 0, r);
      const double laplace = dim == 3 ? 1 / (4 * pi * r) : (1 + fabs(log(r))) / (2 * pi);
      ck_assert_double_eq_tol(tac_gaussians_value(&gaussians, r), exact, 4e-15 * (fabs(exact) + laplace));
    }
  }
}
END_TEST

/* What the local Gaussians leave is smooth in r^2: its fourth differences at a spacing of 0.01 are below those of a function
 * whose fourth derivative is of order one. */
static void expect_smooth(const double rest[5], double scale) {
  ck_assert_double_le(fabs(rest[0] - 4 * rest[1] + 6 * rest[2] - 4 * rest[3] + rest[4]), 3e-6 * scale);
}

START_TEST(local_sums_leave_an_entire_function) {
  static const struct tac_fmm_kernel more[] = {
      {TAC_FMM_HELMHOLTZ, 0.1}, {TAC_FMM_HELMHOLTZ, 3}, {TAC_FMM_YUKAWA, 2}, {TAC_FMM_LAPLACE, 0}};
  for (int dim = 2; dim <= 3; dim++)
    for (int i = 0; i < 4; i++) {
      struct tac_gaussians local;
      tac_gaussians_init_local(&local, &more[i], dim, 2);
      double rest[5];
      for (int k = 0; k < 5; k++) {
        const double r = sqrt(1e-6 + 0.01 * k);
        rest[k] = tac_fmm_kernel_value(&more[i], dim, 0, r) - tac_gaussians_value(&local, r);
      }
      expect_smooth(rest, 1);
    }
}
END_TEST

START_TEST(powers_leave_an_entire_function) {
  for (int dim = 2; dim <= 3; dim++)
    for (int n = 0; n <= 4; n++) {
      struct tac_gaussians local;
      tac_gaussians_init_power(&local, dim, n, 1);
      double rest[5];
      for (int k = 0; k < 5; k++) {
        const double r = sqrt(1e-6 + 0.01 * k);
        rest[k] = (dim == 3 ? pow(r, 2 * n - 1) : pow(r, 2 * n) * log(r)) - tac_gaussians_value(&local, r);
      }
      expect_smooth(rest, tgamma(n + 1));
    }
}
END_TEST

static const double exponents[] = {0, 1e-12, 1e-3, 1, 7, 200, 1e5, 1e9, 3e16};
static const double targets[] = {0, 0.13, -0.4947, 0.5, -0.5, 0.5000001, 0.52, -1.3, 2.5};
#define EXPONENTS ((int)(sizeof exponents / sizeof *exponents))
#define TARGETS   ((int)(sizeof targets / sizeof *targets))

/* n = 0 and n = 1 in closed form: the error function, and with P_1: y = x - (x - y). */
START_TEST(first_moments_are_error_functions) {
  struct tac_moment_rule rule;
  tac_moment_rule_init(&rule, 2);
  for (int e = 1; e < EXPONENTS; e++)
    for (int i = 0; i < TARGETS; i++) {
      const double t = exponents[e], x = targets[i], root = sqrt(t), lower = x - 0.5, upper = x + 0.5;
      double zeroth = 0.5 * sqrt(pi / t);
      if (root * lower > 0.5) /* no difference of numbers near 1 */
        zeroth *= erfc(root * lower) - erfc(root * upper);
      else if (root * upper < -0.5)
        zeroth *= erfc(-root * upper) - erfc(-root * lower);
      else
        zeroth *= erf(root * upper) - erf(root * lower);
      const double first = (expm1(-t * lower * lower) - expm1(-t * upper * upper)) / (2 * t);
      double moments[2], derivatives[2], odd[2];
      tac_gaussian_moments(moments, derivatives, &rule, 0, t, x);
      tac_gaussian_moments(odd, NULL, &rule, 1, t, x);
      const double scale = 1 / sqrt(1 + t);
      ck_assert_double_eq_tol(moments[0], zeroth, 4e-15 * scale);
      ck_assert_double_eq_tol(odd[0], first, 2e-15 * scale * scale * (1 + fabs(x)));
      ck_assert_double_eq_tol(moments[1], 2 * sqrt(3) * (x * zeroth - first), 2e-14 * scale * (1 + fabs(x)));
      ck_assert_double_eq_tol(derivatives[0], exp(-t * upper * upper) - exp(-t * lower * lower), 4e-15);
    }
}
END_TEST

/* All degrees and powers against panels of 48 nodes, as fine as the Gaussian asks for. */
static void by_panels(double *out, int order, int power, double t, double x) {
  double node[48], weight[48], phi[32];
  tac_gauss_rule(48, node, weight);
  const double width = fmin(1, 1 / sqrt(t)), lower = fmax(-0.5, x - 9 * width), upper = fmin(0.5, x + 9 * width);
  for (int n = 0; n < order; n++)
    out[n] = 0;
  for (int panel = 0; panel < 20 && lower < upper; panel++)
    for (int q = 0; q < 48; q++) {
      const double y = lower + (upper - lower) * (panel + 0.5 + node[q]) / 20, u = x - y;
      tac_legendre(phi, NULL, order, y);
      const double scaled = (upper - lower) / 20 * weight[q] * pow(u, power) * exp(-t * u * u);
      for (int n = 0; n < order; n++)
        out[n] += scaled * phi[n];
    }
}

START_TEST(moments_equal_fine_quadrature) {
  static const int orders[] = {1, 5, 16, 32};
  const int order = orders[_i];
  struct tac_moment_rule rule;
  tac_moment_rule_init(&rule, order);
  for (int e = 0; e < EXPONENTS; e++)
    for (int i = 0; i < TARGETS; i++)
      for (int power = 0; power <= 8; power += 1 + power / 2) {
        const double t = exponents[e], x = targets[i];
        if (t > 1e7) /* x - y is not accurate enough in the reference */
          continue;
        double moments[32], derivatives[32], expected[32], below[32], above[32];
        tac_gaussian_moments(moments, derivatives, &rule, power, t, x);
        by_panels(expected, order, power, t, x);
        by_panels(below, order, power ? power - 1 : 0, t, x);
        by_panels(above, order, power + 1, t, x);
        const double size = pow(fmin(3, 3 / sqrt(t)), power), scale = 1e-14 * order * size;
        for (int n = 0; n < order; n++) {
          ck_assert_double_eq_tol(moments[n], expected[n], scale / sqrt(1 + t));
          ck_assert_double_eq_tol(derivatives[n], power * below[n] - 2 * t * above[n], 20 * scale + 1e-14 * (power > 0));
        }
      }
}
END_TEST

/* A singular integral of 1/r over the unit cube: 3 ln((sqrt 3 + 1)/(sqrt 3 - 1)) - pi/2 from the centre and, by eight cubes of
 * half the side and scaling, half of that from a corner. */
START_TEST(cube_from_its_centre_and_corner) {
  static const double places[] = {0, 0.5};
  const struct tac_fmm_kernel laplace = {TAC_FMM_LAPLACE, 0};
  struct tac_gaussians gaussians;
  tac_gaussians_init(&gaussians, &laplace, 3);
  struct tac_moment_rule rule;
  tac_moment_rule_init(&rule, 1);
  for (int i = 0; i < 2; i++) {
    double sum = gaussians.constant;
    for (int k = 0; k < gaussians.count; k++) {
      double moment;
      tac_gaussian_moments(&moment, NULL, &rule, 0, gaussians.exponent[k], places[i]);
      sum += gaussians.weight[k] * moment * moment * moment;
    }
    ck_assert_double_eq_tol(4 * pi * sum, 2.380077363979554 / (1 + i), 5e-15);
  }
}
END_TEST

int main(void) {
  TCase *cases = tcase_create("gaussians");
  tcase_set_timeout(cases, 120);
  tcase_add_loop_test(cases, sums_equal_the_kernels, 0, (int)(sizeof kernels / sizeof *kernels));
  tcase_add_test(cases, local_sums_leave_an_entire_function);
  tcase_add_test(cases, powers_leave_an_entire_function);
  tcase_add_test(cases, first_moments_are_error_functions);
  tcase_add_loop_test(cases, moments_equal_fine_quadrature, 0, 4);
  tcase_add_test(cases, cube_from_its_centre_and_corner);
  return run_cases("gaussians", cases);
}
