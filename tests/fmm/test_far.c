/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "apps/fmm/far.h"
#include "tests/unit/suite.h"

/* Each translation alone, in physical coordinates, against direct quadrature of a random density on one box. */

#define TOP  3.0 /* side of the boxes of level 2 */
#define MOST 1600
#define RULE 20

static const struct {
  int dim, order;
  enum tac_fmm_basis basis;
  enum tac_fmm_kernel_kind kind;
  double parameter;
} problems[] = {
    {2, 4, TAC_FMM_TOTAL, TAC_FMM_LAPLACE, 0},     {2, 5, TAC_FMM_TENSOR, TAC_FMM_YUKAWA, 0.7},
    {2, 4, TAC_FMM_TOTAL, TAC_FMM_HELMHOLTZ, 0.9}, {3, 4, TAC_FMM_TOTAL, TAC_FMM_LAPLACE, 0},
    {3, 3, TAC_FMM_TENSOR, TAC_FMM_YUKAWA, 0.5},   {3, 4, TAC_FMM_TOTAL, TAC_FMM_HELMHOLTZ, 0.8},
};
enum { PROBLEMS = sizeof problems / sizeof *problems };
static const double accuracies[] = {1e-2, 1e-6};
enum { ACCURACIES = sizeof accuracies / sizeof *accuracies };

struct fixture {
  struct tac_far_options options;
  struct tac_far *far;
  struct tac_modes modes;
  int dim, part, nodes;
  double density[MOST], working[MOST];
  double rule[RULE], weighted[RULE][RULE][RULE];
};

/* Weights of a tensor rule times the density: converged for points one side away. */
static void weigh(struct fixture *f) {
  double w[RULE], p[RULE][TAC_FMM_MAX_ORDER];
  tac_gauss_rule(RULE, f->rule, w);
  for (int k = 0; k < RULE; k++)
    tac_legendre(p[k], NULL, f->options.order, f->rule[k]);
  for (int c = 0; c < (f->dim == 3 ? RULE : 1); c++)
    for (int b = 0; b < RULE; b++)
      for (int a = 0; a < RULE; a++) {
        double density = 0;
        for (int m = 0; m < f->modes.count; m++) {
          const unsigned char *degree = f->modes.degree[m];
          density += f->density[m] * p[a][degree[0]] * p[b][degree[1]] * (f->dim == 3 ? p[c][degree[2]] : 1);
        }
        f->weighted[c][b][a] = w[a] * w[b] * (f->dim == 3 ? w[c] : 1) * density;
      }
}

static void setup(struct fixture *f, int problem, double eps, int levels) {
  *f = (struct fixture){.dim = problems[problem].dim};
  f->options = (struct tac_far_options){.dim = f->dim,
                                        .order = problems[problem].order,
                                        .basis = problems[problem].basis,
                                        .kernel = {problems[problem].kind, problems[problem].parameter},
                                        .eps = eps,
                                        .levels = levels};
  for (int level = 0; level < levels; level++)
    f->options.side[level] = ldexp(TOP, 2 - level);
  ck_assert_int_eq(tac_far_create(&f->far, &f->options, NULL), TAC_STATUS_OK);
  ck_assert_int_eq(tac_modes_create(&f->modes, f->dim, f->options.order, f->options.basis, NULL), TAC_STATUS_OK);
  f->nodes = f->dim == 3 ? f->options.order * f->options.order * f->options.order : f->options.order * f->options.order;
  srand(7);
  for (int m = 0; m < f->modes.count; m++)
    f->density[m] = m ? rand() / (double)RAND_MAX - 0.5 : 1;
  weigh(f);
}

static void teardown(struct fixture *f) {
  tac_far_destroy(&f->far);
  tac_modes_destroy(&f->modes);
}

/* The potential of the density on a box. */
static double potential(const struct fixture *f, const double center[3], double side, const double point[3]) {
  double sum = 0;
  for (int c = 0; c < (f->dim == 3 ? RULE : 1); c++)
    for (int b = 0; b < RULE; b++)
      for (int a = 0; a < RULE; a++) {
        const double dx = point[0] - center[0] - side * f->rule[a], dy = point[1] - center[1] - side * f->rule[b];
        const double dz = f->dim == 3 ? point[2] - center[2] - side * f->rule[c] : 0;
        sum +=
            f->weighted[c][b][a] * tac_fmm_kernel_value(&f->options.kernel, f->dim, f->part, sqrt(dx * dx + dy * dy + dz * dz));
      }
  return sum * pow(side, f->dim);
}

/* Component as in far.h, but per unit of length; differences of eighth order. */
static double answer(const struct fixture *f, int component, const double center[3], double side, const double point[3]) {
  if (!component)
    return potential(f, center, side, point);
  static const double weights[4] = {4.0 / 5, -1.0 / 5, 4.0 / 105, -1.0 / 280};
  const double step = 0.02 * side;
  double sum = 0;
  for (int k = 1; k <= 4; k++)
    for (int sign = -1; sign <= 1; sign += 2) {
      double moved[3] = {point[0], point[1], point[2]};
      moved[component - 1] += sign * k * step;
      sum += sign * weights[k - 1] * potential(f, center, side, moved);
    }
  return sum / step;
}

/* Where a node of a box stands. */
static void place(const struct fixture *f, const double center[3], double side, int node, double out[3]) {
  double x[TAC_FMM_MAX_ORDER], w[TAC_FMM_MAX_ORDER];
  const int order = f->options.order, index[3] = {node % order, node / order % order, node / order / order};
  tac_gauss_rule(order, x, w);
  for (int axis = 0; axis < 3; axis++)
    out[axis] = axis < f->dim ? center[axis] + side * x[index[axis]] : 0;
}

static void times(double *out, const double *matrix, int rows, int columns, const double *in) {
  memset(out, 0, (size_t)rows * sizeof *out);
  for (int j = 0; j < columns; j++)
    for (int i = 0; i < rows; i++)
      out[i] += matrix[i + (size_t)rows * (size_t)j] * in[j];
}

static double matrix[MOST * MOST];

/* The multipole of the density on a leaf of a level. */
static void form(struct fixture *f, int level, double *multipole) {
  const double side = f->options.side[level];
  for (int m = 0; m < f->modes.count; m++)
    f->working[m] = side * side * f->density[m];
  tac_far_p2m(matrix, f->far, level);
  times(multipole, matrix, tac_far_rank(f->far, level), f->modes.count, f->working);
}

/* Compares values at some nodes of a target box with direct quadrature, relative to the largest potential there (or the largest
 * gradient times the side). */
static void compare(const struct fixture *f, const double *values, int component, const double target[3], double target_side,
                    const double source[3], double source_side, double tolerance) {
  const int step = f->nodes / 9 + 1;
  double largest = 0, difference = 0;
  for (int node = 0; node < f->nodes; node += step) {
    double point[3];
    place(f, target, target_side, node, point);
    const double right = answer(f, component, source, source_side, point) * (component ? target_side : 1);
    const double size = answer(f, 0, source, source_side, point);
    largest = fmax(largest, fabs(size));
    difference = fmax(difference, fabs(values[node] - right));
  }
  ck_assert_double_le(difference, tolerance * largest);
}

START_TEST(multipole_to_local) {
  static const int offsets[][3] = {{2, 0, 0}, {-2, 1, -1}, {0, -3, 2}, {3, 3, -3}, {1, -1, 2}, {-1, 3, 0}};
  struct fixture f;
  setup(&f, _i / ACCURACIES, accuracies[_i % ACCURACIES], 4);
  const int rank = tac_far_rank(f.far, 3);
  const double side = f.options.side[3];
  for (f.part = 0; f.part < tac_fmm_kernel_parts(f.options.kernel.kind); f.part++)
    for (size_t o = 0; o < sizeof offsets / sizeof *offsets; o++) {
      if (f.dim == 2 && abs(offsets[o][0]) <= 1 && abs(offsets[o][1]) <= 1)
        continue;
      double multipole[MOST], local[MOST], values[MOST], center[3] = {0};
      const double zero[3] = {0};
      for (int axis = 0; axis < f.dim; axis++)
        center[axis] = side * offsets[o][axis];
      form(&f, 3, multipole);
      tac_far_m2l(matrix, f.far, 3, f.part, f.dim == 2 ? (const int[3]){offsets[o][0], offsets[o][1], 0} : offsets[o]);
      times(local, matrix, rank, rank, multipole);
      for (int component = 0; component <= f.dim; component++) {
        tac_far_l2p(matrix, f.far, 3, component);
        times(values, matrix, f.nodes, rank, local);
        compare(&f, values, component, zero, side, center, side, 1000 * f.options.eps);
      }
    }
  teardown(&f);
}
END_TEST

START_TEST(list_3_and_4) {
  static const int offsets[][3] = {{-2, 0, 1}, {3, 3, -2}, {0, 3, 2}};
  struct fixture f;
  setup(&f, _i / ACCURACIES, accuracies[_i % ACCURACIES], 4);
  const int rank = tac_far_rank(f.far, 3);
  const double side = f.options.side[3];
  for (f.part = 0; f.part < tac_fmm_kernel_parts(f.options.kernel.kind); f.part++)
    for (size_t o = 0; o < sizeof offsets / sizeof *offsets; o++) {
      double multipole[MOST], local[MOST], values[MOST], small[3] = {0}, large[3] = {0};
      int offset[3] = {0};
      for (int axis = 0; axis < f.dim; axis++) {
        offset[axis] = offsets[o][axis];
        small[axis] = side * (offset[axis] + 0.5);
        large[axis] = side;
      }
      form(&f, 3, multipole);
      for (int component = 0; component <= f.dim; component++) {
        tac_far_m2p(matrix, f.far, 3, f.part, component, offset);
        times(values, matrix, f.nodes, rank, multipole);
        compare(&f, values, component, large, 2 * side, small, side, 1000 * f.options.eps);
      }
      for (int m = 0; m < f.modes.count; m++)
        f.working[m] = 4 * side * side * f.density[m];
      tac_far_p2l(matrix, f.far, 3, f.part, offset);
      times(local, matrix, rank, f.modes.count, f.working);
      for (int component = 0; component <= f.dim; component++) {
        tac_far_l2p(matrix, f.far, 3, component);
        times(values, matrix, f.nodes, rank, local);
        compare(&f, values, component, small, side, large, 2 * side, 1000 * f.options.eps);
      }
    }
  teardown(&f);
}
END_TEST

/* From a leaf of level 5 up to level 2, over, and down to another leaf of level 5: mirror images of the matrices by the signs
 * of the classes. */
static void mirrored(const struct fixture *f, int rows_level, int columns_level, int child) {
  const int *rows = tac_far_class_begin(f->far, rows_level), *columns = tac_far_class_begin(f->far, columns_level);
  const int classes = 1 << f->dim, count = rows[classes], lower = ~child & (classes - 1);
  for (int a = 0; a < classes; a++)
    for (int b = 0; b < classes; b++)
      if (__builtin_popcount((unsigned)((a ^ b) & lower)) & 1)
        for (int j = columns[b]; j < columns[b + 1]; j++)
          for (int i = rows[a]; i < rows[a + 1]; i++)
            matrix[i + (size_t)count * (size_t)j] *= -1;
}

START_TEST(up_over_and_down) {
  struct fixture f;
  setup(&f, _i / ACCURACIES, accuracies[_i % ACCURACIES], 6);
  static const int up[3] = {5, 2, 7}, down[3] = {1, 6, 0};
  const int offset[3] = {-2, 1, 0}, mask = (1 << f.dim) - 1;
  for (f.part = 0; f.part < tac_fmm_kernel_parts(f.options.kernel.kind); f.part++) {
    double source[3] = {0}, target[3] = {0}, vector[MOST], other[MOST], values[MOST];
    for (int axis = 0; axis < f.dim; axis++)
      source[axis] = offset[axis] * f.options.side[2];
    form(&f, 5, vector);
    for (int level = 5; level > 2; level--) {
      const int child = up[level - 3] & mask;
      for (int axis = 0; axis < f.dim; axis++)
        source[axis] += f.options.side[level] * (child >> axis & 1 ? 0.5 : -0.5);
      tac_far_m2m(matrix, f.far, level);
      mirrored(&f, level - 1, level, child);
      times(other, matrix, tac_far_rank(f.far, level - 1), tac_far_rank(f.far, level), vector);
      memcpy(vector, other, sizeof vector);
    }
    tac_far_m2l(matrix, f.far, 2, f.part, f.dim == 2 ? (const int[3]){offset[0], offset[1], 0} : offset);
    times(other, matrix, tac_far_rank(f.far, 2), tac_far_rank(f.far, 2), vector);
    for (int level = 3; level <= 5; level++) {
      const int child = down[level - 3] & mask;
      for (int axis = 0; axis < f.dim; axis++)
        target[axis] += f.options.side[level] * (child >> axis & 1 ? 0.5 : -0.5);
      tac_far_l2l(matrix, f.far, level);
      mirrored(&f, level, level - 1, child);
      times(vector, matrix, tac_far_rank(f.far, level), tac_far_rank(f.far, level - 1), other);
      memcpy(other, vector, sizeof vector);
    }
    tac_far_l2p(matrix, f.far, 5, 0);
    times(values, matrix, f.nodes, tac_far_rank(f.far, 5), vector);
    compare(&f, values, 0, target, f.options.side[5], source, f.options.side[5], 1000 * f.options.eps);
  }
  teardown(&f);
}
END_TEST

int main(void) {
  TCase *cases = tcase_create("far");
  tcase_set_timeout(cases, 300);
  tcase_add_loop_test(cases, multipole_to_local, 0, PROBLEMS * ACCURACIES);
  tcase_add_loop_test(cases, list_3_and_4, 0, PROBLEMS * ACCURACIES);
  tcase_add_loop_test(cases, up_over_and_down, 0, PROBLEMS * ACCURACIES);
  return run_cases("far", cases);
}
