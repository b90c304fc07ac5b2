/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "apps/fmm/correlation.h"
#include "tests/unit/suite.h"

#define MODES  64
#define RULE   13 /* nodes an axis of either box: converged to 1e-14 one side away */
#define POINTS (RULE * RULE * RULE)

static const struct {
  int dim, order, nodes;
  struct tac_fmm_kernel kernel;
} problems[] = {
    {2, 8, 24, {TAC_FMM_LAPLACE, 0}}, {2, 6, 24, {TAC_FMM_YUKAWA, 1.5}}, {2, 6, 26, {TAC_FMM_HELMHOLTZ, 3}},
    {3, 5, 24, {TAC_FMM_LAPLACE, 0}}, {3, 4, 24, {TAC_FMM_YUKAWA, 0.5}}, {3, 4, 26, {TAC_FMM_HELMHOLTZ, 2}},
};
enum { PROBLEMS = sizeof problems / sizeof *problems };
static const int offsets[][3] = {{2, 0, 0}, {-1, 2, 0}, {0, -3, 0}, {3, -3, 0}, {2, 1, -1}, {-2, 3, 2}};
enum { OFFSETS = sizeof offsets / sizeof *offsets };

struct fixture {
  struct tac_modes modes;
  struct tac_correlation *correlation;
  struct tac_fmm_kernel kernel;
  int dim, parts;
};

static void setup(struct fixture *f, int problem) {
  f->dim = problems[problem].dim;
  f->kernel = problems[problem].kernel;
  f->parts = tac_fmm_kernel_parts(f->kernel.kind);
  ck_assert_int_eq(tac_modes_create(&f->modes, f->dim, problems[problem].order, TAC_FMM_TOTAL, NULL), TAC_STATUS_OK);
  ck_assert_int_le(f->modes.count, MODES);
  ck_assert_int_eq(tac_correlation_create(&f->correlation, &f->modes, problems[problem].nodes, NULL, NULL), TAC_STATUS_OK);
}

static void teardown(struct fixture *f) {
  tac_correlation_destroy(&f->correlation);
  tac_modes_destroy(&f->modes);
}

static int usable(const struct fixture *f, int offset) {
  return f->dim == 3 || offsets[offset][2] == 0;
}

/* Points of a tensor rule on a box and weight * phi_mode there. */
static double point[POINTS][3], weighted[POINTS][MODES];

static int fill_points(const struct fixture *f) {
  double x[RULE], w[RULE], p[RULE][16];
  tac_gauss_rule(RULE, x, w);
  for (int k = 0; k < RULE; k++)
    tac_legendre(p[k], NULL, f->modes.order, x[k]);
  int count = 0;
  for (int c = 0; c < (f->dim == 3 ? RULE : 1); c++)
    for (int b = 0; b < RULE; b++)
      for (int a = 0; a < RULE; a++, count++) {
        point[count][0] = x[a];
        point[count][1] = x[b];
        point[count][2] = f->dim == 3 ? x[c] : 0;
        for (int m = 0; m < f->modes.count; m++) {
          const unsigned char *degree = f->modes.degree[m];
          weighted[count][m] =
              w[a] * w[b] * (f->dim == 3 ? w[c] : 1) * p[a][degree[0]] * p[b][degree[1]] * (f->dim == 3 ? p[c][degree[2]] : 1);
        }
      }
  return count;
}

/* The double integral as a sum over all pairs of points. */
static void brute(const struct fixture *f, int part, const int offset[3], double *out) {
  const int count = fill_points(f), modes = f->modes.count;
  memset(out, 0, (size_t)modes * (size_t)modes * sizeof *out);
  for (int x = 0; x < count; x++) {
    double potential[MODES] = {0};
    for (int y = 0; y < count; y++) {
      double square = 0;
      for (int axis = 0; axis < 3; axis++) {
        const double distance = point[x][axis] - point[y][axis] - offset[axis];
        square += distance * distance;
      }
      const double value = tac_fmm_kernel_value(&f->kernel, f->dim, part, sqrt(square));
      for (int j = 0; j < modes; j++)
        potential[j] += value * weighted[y][j];
    }
    for (int j = 0; j < modes; j++)
      for (int i = 0; i < modes; i++)
        out[i + modes * j] += weighted[x][i] * potential[j];
  }
}

START_TEST(matrix_is_the_double_integral) {
  struct fixture f;
  setup(&f, _i);
  static double matrix[MODES * MODES], expected[MODES * MODES];
  for (int part = 0; part < f.parts; part++)
    for (int o = f.dim == 3 ? 4 : 0; o < OFFSETS; o++) {
      if (!usable(&f, o))
        continue;
      tac_correlation_matrix(matrix, f.correlation, &f.kernel, part, offsets[o]);
      brute(&f, part, offsets[o], expected);
      for (int k = 0; k < f.modes.count * f.modes.count; k++)
        ck_assert_double_eq_tol(matrix[k], expected[k], 2e-14);
    }
  teardown(&f);
}
END_TEST

static int sign(const struct tac_modes *modes, int mode, int axis) {
  return modes->degree[mode][axis] % 2 ? -1 : 1;
}

static int find(const struct tac_modes *modes, int x, int y, int z) {
  for (int m = 0; m < modes->count; m++)
    if (modes->degree[m][0] == x && modes->degree[m][1] == y && modes->degree[m][2] == z)
      return m;
  return -1;
}

/* K(-d) = K(d)^T, K(R d) = R K(d) R for mirror images, K(P d) = P K(d) P^T for exchanged axes. */
START_TEST(matrices_are_symmetric) {
  struct fixture f;
  setup(&f, _i);
  static double here[MODES * MODES], there[MODES * MODES], mirrored[MODES * MODES], exchanged[MODES * MODES];
  const int count = f.modes.count;
  for (int part = 0; part < f.parts; part++)
    for (int o = 0; o < OFFSETS; o++) {
      const int *d = offsets[o];
      if (!usable(&f, o))
        continue;
      tac_correlation_matrix(here, f.correlation, &f.kernel, part, d);
      tac_correlation_matrix(there, f.correlation, &f.kernel, part, (const int[3]){-d[0], -d[1], -d[2]});
      tac_correlation_matrix(mirrored, f.correlation, &f.kernel, part, (const int[3]){d[0], -d[1], d[2]});
      tac_correlation_matrix(exchanged, f.correlation, &f.kernel, part, (const int[3]){d[1], d[0], d[2]});
      for (int j = 0; j < count; j++)
        for (int i = 0; i < count; i++) {
          const unsigned char *a = f.modes.degree[i], *b = f.modes.degree[j];
          const int pi = find(&f.modes, a[1], a[0], a[2]), pj = find(&f.modes, b[1], b[0], b[2]);
          ck_assert_double_eq_tol(there[j + count * i], here[i + count * j], 1e-15);
          ck_assert_double_eq_tol(mirrored[i + count * j], sign(&f.modes, i, 1) * sign(&f.modes, j, 1) * here[i + count * j],
                                  1e-15);
          ck_assert_double_eq_tol(exchanged[pi + count * pj], here[i + count * j], 1e-15);
        }
    }
  teardown(&f);
}
END_TEST

/* At high degree: more nodes change nothing. */
START_TEST(nodes_are_enough) {
  struct tac_modes modes;
  struct tac_correlation *coarse, *fine;
  const struct tac_fmm_kernel kernel = {TAC_FMM_LAPLACE, 0};
  const int dim = 2 + _i, order = dim == 3 ? 12 : 25;
  ck_assert_int_eq(tac_modes_create(&modes, dim, order, TAC_FMM_TOTAL, NULL), TAC_STATUS_OK);
  ck_assert_int_eq(tac_correlation_create(&coarse, &modes, order + 12, NULL, NULL), TAC_STATUS_OK);
  ck_assert_int_eq(tac_correlation_create(&fine, &modes, order + 20, NULL, NULL), TAC_STATUS_OK);
  const size_t count = (size_t)modes.count * (size_t)modes.count;
  double *a = malloc(count * sizeof *a), *b = malloc(count * sizeof *b);
  ck_assert(a && b);
  tac_correlation_matrix(a, coarse, &kernel, 0, (const int[3]){2, 0, 0});
  tac_correlation_matrix(b, fine, &kernel, 0, (const int[3]){2, 0, 0});
  for (size_t k = 0; k < count; k++)
    ck_assert_double_eq_tol(a[k], b[k], 1e-14);
  free(a);
  free(b);
  tac_correlation_destroy(&coarse);
  tac_correlation_destroy(&fine);
  tac_modes_destroy(&modes);
}
END_TEST

START_TEST(too_few_nodes_are_refused) {
  struct tac_modes modes;
  struct tac_correlation *correlation;
  ck_assert_int_eq(tac_modes_create(&modes, 2, 8, TAC_FMM_TOTAL, NULL), TAC_STATUS_OK);
  ck_assert_int_eq(tac_correlation_create(&correlation, &modes, 7, NULL, NULL), TAC_STATUS_INVALID);
  ck_assert_ptr_null(correlation);
  ck_assert_int_eq(tac_correlation_create(&correlation, &modes, 65, NULL, NULL), TAC_STATUS_INVALID);
  tac_correlation_destroy(&correlation);
  tac_modes_destroy(&modes);
}
END_TEST

int main(void) {
  TCase *cases = tcase_create("correlation");
  tcase_set_timeout(cases, 120);
  tcase_add_loop_test(cases, matrix_is_the_double_integral, 0, PROBLEMS);
  tcase_add_loop_test(cases, matrices_are_symmetric, 0, PROBLEMS);
  tcase_add_loop_test(cases, nodes_are_enough, 0, 2);
  tcase_add_test(cases, too_few_nodes_are_refused);
  return run_cases("correlation", cases);
}
