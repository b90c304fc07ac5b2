/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <math.h>
#include <stdlib.h>

#include "apps/fmm/modes.h"
#include "tests/unit/suite.h"

/* Exact for polynomials below degree 2n: the integral of x^k over [-1/2, 1/2] is 2^-k/(k+1) for even k. */
START_TEST(gauss_rule_is_exact) {
  for (int count = 1; count <= 64; count++) {
    double x[64], w[64];
    tac_gauss_rule(count, x, w);
    for (int k = 0; k < 2 * count; k++) {
      double sum = 0;
      for (int i = 0; i < count; i++)
        sum += w[i] * pow(x[i], k);
      ck_assert_double_eq_tol(sum, k % 2 ? 0 : pow(0.5, k) / (k + 1), 1e-15);
    }
    for (int i = 0; i < count; i++)
      ck_assert(x[i] == -x[count - 1 - i] && (i == 0 || x[i] > x[i - 1]));
  }
}
END_TEST

START_TEST(legendre_is_orthonormal) {
  double x[64], w[64], sum[20][20] = {{0}}, moment[20][20] = {{0}};
  tac_gauss_rule(40, x, w);
  for (int i = 0; i < 40; i++) {
    double p[20], d[20];
    tac_legendre(p, d, 20, x[i]);
    for (int a = 0; a < 20; a++)
      for (int b = 0; b < 20; b++) {
        sum[a][b] += w[i] * p[a] * p[b];
        moment[a][b] += w[i] * d[a] * p[b];
      }
  }
  double upper[20], lower[20];
  tac_legendre(upper, NULL, 20, 0.5);
  tac_legendre(lower, NULL, 20, -0.5);
  for (int a = 0; a < 20; a++)
    for (int b = 0; b < 20; b++) {
      ck_assert_double_eq_tol(sum[a][b], a == b, 1e-13);
      /* Integration by parts. */
      ck_assert_double_eq_tol(moment[a][b] + moment[b][a], upper[a] * upper[b] - lower[a] * lower[b], 1e-10);
    }
}
END_TEST

static const struct {
  int dim, order;
  enum tac_fmm_basis basis;
  int count;
} sets[] = {
    {2, 2, TAC_FMM_TOTAL, 3},     {2, 8, TAC_FMM_TOTAL, 36},  {2, 7, TAC_FMM_TENSOR, 49},  {3, 2, TAC_FMM_TENSOR, 8},
    {3, 8, TAC_FMM_TOTAL, 120},   {3, 9, TAC_FMM_TOTAL, 165}, {3, 5, TAC_FMM_TENSOR, 125}, {3, 16, TAC_FMM_TOTAL, 816},
    {2, 16, TAC_FMM_TENSOR, 256}, {3, 3, TAC_FMM_TOTAL, 10},
};

START_TEST(modes_are_counted_and_sorted) {
  struct tac_modes modes;
  ck_assert_int_eq(tac_modes_create(&modes, sets[_i].dim, sets[_i].order, sets[_i].basis, NULL), TAC_STATUS_OK);
  ck_assert_int_eq(modes.count, sets[_i].count);
  for (int class = 0; class < 1 << modes.dim; class ++)
    for (int m = modes.class_begin[class]; m < modes.class_begin[class + 1]; m++)
      for (int axis = 0; axis < 3; axis++)
        ck_assert_int_eq(modes.degree[m][axis] % 2, class >> axis & 1);
  tac_modes_destroy(&modes);
}
END_TEST

/* Values of a sum of modes at the nodes, mode by mode. */
static void sum_modes(const struct tac_modes *modes, const double *coefficients, double *values) {
  const int order = modes->order, layers = modes->dim == 3 ? order : 1;
  double x[64], w[64], p[TAC_FMM_MAX_ORDER][TAC_FMM_MAX_ORDER];
  tac_gauss_rule(order, x, w);
  for (int i = 0; i < order; i++)
    tac_legendre(p[i], NULL, order, x[i]);
  for (int node = 0; node < order * order * layers; node++) {
    values[node] = 0;
    for (int m = 0; m < modes->count; m++)
      values[node] += coefficients[m] * p[node % order][modes->degree[m][0]] * p[node / order % order][modes->degree[m][1]] *
                      (modes->dim == 3 ? p[node / order / order][modes->degree[m][2]] : 1);
  }
}

START_TEST(transform_round_trip) {
  struct tac_modes modes;
  ck_assert_int_eq(tac_modes_create(&modes, sets[_i].dim, sets[_i].order, sets[_i].basis, NULL), TAC_STATUS_OK);
  struct tac_transform transform;
  tac_transform_init(&transform, modes.order);
  static double coefficients[4096], back[4096], values[4096], scratch[8192];
  srand(1);
  for (int m = 0; m < modes.count; m++)
    coefficients[m] = rand() / (double)RAND_MAX - 0.5;
  sum_modes(&modes, coefficients, values);
  tac_nodes_to_modes(&transform, &modes, values, back, scratch);
  for (int m = 0; m < modes.count; m++)
    ck_assert_double_eq_tol(back[m], coefficients[m], 1e-12);
  tac_modes_destroy(&modes);
}
END_TEST

/* A mode's node values live in its own class alone, and the way back is exact to rounding. */
START_TEST(node_classes_follow_the_modes) {
  struct tac_modes modes;
  ck_assert_int_eq(tac_modes_create(&modes, sets[_i].dim, sets[_i].order, sets[_i].basis, NULL), TAC_STATUS_OK);
  struct tac_node_space space;
  tac_node_space_init(&space, modes.dim, modes.order);
  static double coefficients[4096], values[4096], classes[4096], back[4096];
  for (int class = 0; class < 1 << modes.dim; class ++) {
    for (int m = 0; m < modes.count; m++)
      coefficients[m] = m >= modes.class_begin[class] && m < modes.class_begin[class + 1] ? 1.0 / (1 + m) : 0;
    sum_modes(&modes, coefficients, values);
    tac_nodes_to_classes(&space, values, classes);
    for (int other = 0; other < 1 << modes.dim; other++)
      for (int i = space.class_begin[other]; other != class && i < space.class_begin[other + 1]; i++)
        ck_assert_double_eq_tol(classes[i], 0, 1e-12);
    tac_classes_to_nodes(&space, classes, back);
    for (int i = 0; i < space.count; i++)
      ck_assert_double_eq_tol(back[i], values[i], 1e-12);
  }
  tac_modes_destroy(&modes);
}
END_TEST

int main(void) {
  TCase *cases = tcase_create("modes");
  tcase_set_timeout(cases, 60);
  tcase_add_test(cases, gauss_rule_is_exact);
  tcase_add_test(cases, legendre_is_orthonormal);
  const int count = sizeof sets / sizeof *sets;
  tcase_add_loop_test(cases, modes_are_counted_and_sorted, 0, count);
  tcase_add_loop_test(cases, transform_round_trip, 0, count);
  tcase_add_loop_test(cases, node_classes_follow_the_modes, 0, count);
  return run_cases("modes", cases);
}
