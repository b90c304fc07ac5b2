/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "tests/fmm/far_fixture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

const struct far_problem far_problems[FAR_PROBLEMS] = {
    {2, 4, TAC_FMM_TOTAL, {TAC_FMM_LAPLACE, 0}},     {2, 5, TAC_FMM_TENSOR, {TAC_FMM_YUKAWA, 0.7}},
    {2, 4, TAC_FMM_TOTAL, {TAC_FMM_HELMHOLTZ, 1.6}}, {3, 4, TAC_FMM_TOTAL, {TAC_FMM_LAPLACE, 0}},
    {3, 3, TAC_FMM_TENSOR, {TAC_FMM_YUKAWA, 0.5}},   {3, 3, TAC_FMM_TOTAL, {TAC_FMM_HELMHOLTZ, 0.8}},
};

/* Weights of a tensor rule times the density. */
static void weigh(struct far_fixture *f) {
  double w[FAR_RULE], p[FAR_RULE][TAC_FMM_MAX_ORDER];
  tac_gauss_rule(f->points, f->rule, w);
  for (int k = 0; k < f->points; k++)
    tac_legendre(p[k], NULL, f->options.order, f->rule[k]);
  for (int c = 0; c < (f->dim == 3 ? f->points : 1); c++)
    for (int b = 0; b < f->points; b++)
      for (int a = 0; a < f->points; a++) {
        double density = 0;
        for (int m = 0; m < f->modes.count; m++) {
          const unsigned char *degree = f->modes.degree[m];
          density += f->density[m] * p[a][degree[0]] * p[b][degree[1]] * (f->dim == 3 ? p[c][degree[2]] : 1);
        }
        f->weighted[c][b][a] = w[a] * w[b] * (f->dim == 3 ? w[c] : 1) * density;
      }
}

void far_setup(struct far_fixture *f, const struct far_problem *problem, double eps, int levels) {
  *f = (struct far_fixture){.dim = problem->dim, .parts = tac_fmm_kernel_parts(problem->kernel.kind)};
  f->options = (struct tac_far_options){.dim = problem->dim,
                                        .order = problem->order,
                                        .basis = problem->basis,
                                        .kernel = problem->kernel,
                                        .eps = eps,
                                        .levels = levels};
  for (int level = 0; level < levels; level++)
    f->options.side[level] = ldexp(3, 2 - level);
  ck_assert_int_eq(tac_far_create(&f->far, &f->options, NULL), TAC_STATUS_OK);
  ck_assert_int_eq(tac_modes_create(&f->modes, f->dim, problem->order, problem->basis, NULL), TAC_STATUS_OK);
  f->nodes = problem->order * problem->order * (f->dim == 3 ? problem->order : 1);
  f->points = FAR_RULE;
  while (f->points > f->options.order + 2 && 10 * pow(1 + sqrt(2), -2 * (f->points - 3)) < 1e-2 * eps)
    f->points--;
  srand(7);
  for (int m = 0; m < f->modes.count; m++)
    f->density[m] = m ? rand() / (double)RAND_MAX - 0.5 : 1;
  weigh(f);
}

void far_teardown(struct far_fixture *f) {
  tac_far_destroy(&f->far);
  tac_modes_destroy(&f->modes);
}

static double potential(const struct far_fixture *f, const double center[3], double side, const double point[3]) {
  double sum = 0;
  for (int c = 0; c < (f->dim == 3 ? f->points : 1); c++)
    for (int b = 0; b < f->points; b++)
      for (int a = 0; a < f->points; a++) {
        const double dx = point[0] - center[0] - side * f->rule[a], dy = point[1] - center[1] - side * f->rule[b];
        const double dz = f->dim == 3 ? point[2] - center[2] - side * f->rule[c] : 0;
        sum +=
            f->weighted[c][b][a] * tac_fmm_kernel_value(&f->options.kernel, f->dim, f->part, sqrt(dx * dx + dy * dy + dz * dz));
      }
  return sum * pow(side, f->dim);
}

double far_answer(const struct far_fixture *f, int component, const double center[3], double side, const double point[3]) {
  if (!component)
    return potential(f, center, side, point);
  static const double weights[4] = {4.0 / 5, -1.0 / 5, 4.0 / 105, -1.0 / 280};
  const double step = 0.01 * side;
  double sum = 0;
  for (int k = 1; k <= 4; k++)
    for (int sign = -1; sign <= 1; sign += 2) {
      double moved[3] = {point[0], point[1], point[2]};
      moved[component - 1] += sign * k * step;
      sum += sign * weights[k - 1] * potential(f, center, side, moved);
    }
  return sum / step;
}

double far_reference(struct far_fixture *f, const double center[3], double side) {
  const int part = f->part;
  double square = 0;
  for (f->part = 0; f->part < f->parts; f->part++)
    square += pow(potential(f, center, side, (const double[3]){center[0] + side, center[1], center[2]}), 2);
  f->part = part;
  return sqrt(square);
}

void far_node(const struct far_fixture *f, const double center[3], double side, int node, double out[3]) {
  double x[TAC_FMM_MAX_ORDER], w[TAC_FMM_MAX_ORDER];
  const int order = f->options.order, index[3] = {node % order, node / order % order, node / order / order};
  tac_gauss_rule(order, x, w);
  for (int axis = 0; axis < 3; axis++)
    out[axis] = axis < f->dim ? center[axis] + side * x[index[axis]] : 0;
}

void far_multiply(double *out, const double *matrix, int rows, int columns, const double *in) {
  memset(out, 0, (size_t)rows * sizeof *out);
  for (int j = 0; j < columns; j++)
    for (int i = 0; i < rows; i++)
      out[i] += matrix[(size_t)i + (size_t)rows * (size_t)j] * in[j];
}

double *far_matrix(void) {
  static double matrix[FAR_MOST * FAR_MOST];
  return matrix;
}

void far_working(const struct far_fixture *f, double side, double *out) {
  for (int m = 0; m < f->modes.count; m++)
    out[m] = side * side * f->density[m];
}

void far_form(const struct far_fixture *f, int level, double *multipole) {
  double working[FAR_MOST];
  far_working(f, f->options.side[level], working);
  tac_far_p2m(far_matrix(), f->far, level);
  far_multiply(multipole, far_matrix(), tac_far_rank(f->far, level), f->modes.count, working);
}

void far_mirror(const struct far_fixture *f, double *matrix, int rows_level, int columns_level, int child) {
  const int *rows = tac_far_class_begin(f->far, rows_level), *columns = tac_far_class_begin(f->far, columns_level);
  const int classes = 1 << f->dim, count = rows[classes];
  for (int a = 0; a < classes; a++)
    for (int b = 0; b < classes; b++) {
      const int odd = (a ^ b) & ~child;
      if (((odd ^ odd >> 1 ^ odd >> 2) & 1) == 0)
        continue;
      for (int j = columns[b]; j < columns[b + 1]; j++)
        for (int i = rows[a]; i < rows[a + 1]; i++)
          matrix[(size_t)i + (size_t)count * (size_t)j] *= -1;
    }
}

void far_m2l(double *out, const struct tac_far *far, int dim, int level, int part, const int offset[3]) {
  const double *stored = tac_far_m2l_stored(far, level, part, offset);
  const int *begin = tac_far_class_begin(far, level), rank = tac_far_rank(far, level), classes = 1 << dim;
  unsigned mirrored = 0;
  for (int axis = 0; axis < dim; axis++)
    mirrored |= (unsigned)(offset[axis] < 0) << axis;
  for (int column = 0; column < classes; column++)
    for (int row = 0; row < classes; row++) {
      const double sign = __builtin_popcount((unsigned)(row ^ column) & mirrored) & 1 ? -1 : 1;
      for (int j = begin[column]; j < begin[column + 1]; j++)
        for (int i = begin[row]; i < begin[row + 1]; i++)
          out[(size_t)i + (size_t)rank * (size_t)j] = sign * stored[(size_t)i + (size_t)rank * (size_t)j];
    }
}
