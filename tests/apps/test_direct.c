/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/volume_fmm/direct.h"

#include <math.h>
#include <string.h>

#include "apps/volume_fmm/closed_forms.h"
#include "tests/unit/suite.h"

enum { FIELDS = 8, TARGETS = 10 };

static const struct tac_fmm_kernel kernels[] = {{TAC_FMM_LAPLACE, 0}, {TAC_FMM_YUKAWA, 5}, {TAC_FMM_HELMHOLTZ, 4}};

/* Refined towards one corner and at one place inside, so that there are leaves of several sizes. */
static int refine(void *context, int level, const double *lower, double side) {
  (void)context;
  return level < 1 || (level < 3 && lower[0] + side > 0.49 && lower[1] + side > 0.49);
}

static struct tac_fmm_tree *make_tree(int dim, int order, enum tac_fmm_basis basis, int levels) {
  struct tac_fmm_tree_options options;
  struct tac_fmm_tree *tree = NULL;
  struct tac_error error;
  tac_error_clear(&error);
  tac_fmm_tree_options_init(&options);
  options.dim = dim;
  options.order = order;
  options.basis = basis;
  options.levels = levels < 0 ? 0 : levels;
  enum tac_status status = levels < 0 ? tac_fmm_tree_create_refined(&tree, &options, refine, NULL, &error)
                                      : tac_fmm_tree_create(&tree, &options, NULL, NULL, &error);
  ck_assert_msg(status == TAC_STATUS_OK, "%s", error.text);
  return tree;
}

static size_t nodes_of(const struct tac_fmm_tree *tree) {
  const size_t order = (size_t)tac_fmm_tree_order(tree);
  return tac_fmm_tree_dim(tree) == 2 ? order * order : order * order * order;
}

/* The values of a function at all nodes. */
static double *sample(const struct tac_fmm_tree *tree, double (*f)(const double *x, const void *context), const void *context) {
  const size_t nodes = nodes_of(tree), leaves = tac_fmm_tree_leaves(tree), dim = (size_t)tac_fmm_tree_dim(tree);
  double *values = malloc(nodes * leaves * sizeof *values), *points = malloc(dim * nodes * sizeof *points);
  for (size_t leaf = 0; leaf < leaves; leaf++) {
    tac_fmm_tree_nodes(tree, leaf, points);
    for (size_t i = 0; i < nodes; i++)
      values[leaf * nodes + i] = f(points + dim * i, context);
  }
  free(points);
  return values;
}

static void evaluate(double values[FIELDS][TARGETS], const struct tac_fmm_tree *tree, const struct tac_fmm_kernel *kernel,
                     const double *density, size_t count, const double *points) {
  const struct tac_direct direct = {tree, *kernel, 1, density};
  struct tac_scheduler_options options;
  struct tac_scheduler *scheduler = NULL;
  double *fields[FIELDS];
  for (int f = 0; f < FIELDS; f++)
    fields[f] = values[f];
  tac_scheduler_options_init(&options);
  options.executor_options.lanes = 2;
  ck_assert_int_eq(tac_scheduler_create(&scheduler, &options, NULL), TAC_STATUS_OK);
  ck_assert_int_eq(tac_direct_evaluate(&direct, scheduler, count, points, fields, NULL), TAC_STATUS_OK);
  tac_scheduler_destroy(&scheduler);
}

START_TEST(slopes_are_derivatives) {
  static const double weight[] = {3. / 4, -3. / 20, 1. / 60};
  for (int i = 0; i < 6; i++) {
    const struct tac_fmm_kernel *kernel = &kernels[i / 2];
    const int dim = 2 + i % 2;
    for (int part = 0; part < tac_fmm_kernel_parts(kernel->kind); part++)
      for (int k = 1; k < 8; k++) {
        const double r = 0.2 * k, step = 0.002;
        double slope = 0;
        for (int n = 1; n <= 3; n++)
          slope +=
              weight[n - 1] / step *
              (tac_fmm_kernel_value(kernel, dim, part, r + n * step) - tac_fmm_kernel_value(kernel, dim, part, r - n * step));
        ck_assert_double_eq_tol(tac_direct_kernel_slope(kernel, dim, part, r), slope, 1e-9);
      }
  }
}
END_TEST

static double one(const double *x, const void *context) {
  (void)x;
  (void)context;
  return 1;
}

/* Inside, near and on faces of leaves, on an edge and a corner of leaves, beside and far from the domain. */
static const double places[TARGETS][3] = {
    {0.1, 0.2, 0.3},     {0.003, 0.21, -0.07}, {0.25, 0.1, 0.11}, {0.25, 0.25, 0.125},        {0, 0, 0},
    {0.4999, 0.2, -0.1}, {0.6, 0.1, 0.2},      {3, -2, 1},        {0.3751, 0.37500001, 0.44}, {-0.11, 0.4, 0.25},
};

static void points_of(double *points, int dim) {
  for (int i = 0; i < TARGETS; i++)
    for (int axis = 0; axis < dim; axis++)
      points[dim * i + axis] = places[i][axis];
}

START_TEST(a_constant_density_has_the_box_potential) {
  const double lower[] = {-0.5, -0.5, -0.5};
  for (int i = 0; i < 4; i++) {
    const int dim = 2 + i / 2;
    double points[3 * TARGETS], values[FIELDS][TARGETS];
    struct tac_fmm_tree *tree = make_tree(dim, 3 + 3 * (i % 2), TAC_FMM_TOTAL, -1);
    double *density = sample(tree, one, NULL);
    points_of(points, dim);
    evaluate(values, tree, &kernels[0], density, TARGETS, points);
    for (int t = 0; t < TARGETS; t++) {
      double expected[4];
      tac_box_potential(expected, dim, lower, 1, points + dim * t);
      for (int f = 0; f <= dim; f++)
        ck_assert_msg(fabs(values[f][t] - expected[f]) < 2e-13, "%dD, target %d, field %d: %.17g for %.17g", dim, t, f,
                      values[f][t], expected[f]);
    }
    free(density);
    tac_fmm_tree_destroy(&tree);
  }
}
END_TEST

struct problem {
  const struct tac_fmm_kernel *kernel;
  int dim;
};

static double gaussian(const double *x, const void *context) {
  const struct problem *problem = context;
  double square = 0;
  for (int axis = 0; axis < problem->dim; axis++)
    square += (x[axis] - 0.03) * (x[axis] - 0.03);
  return tac_gaussian_density(problem->kernel, problem->dim, 150, sqrt(square));
}

/* exp(-150 r^2) on leaves that resolve it. */
START_TEST(a_gaussian_for_every_kernel) {
  for (int i = 0; i < 6; i++) {
    const struct problem problem = {&kernels[i / 2], 2 + i % 2};
    const int dim = problem.dim, parts = tac_fmm_kernel_parts(problem.kernel->kind), count = i == 0 ? TARGETS : 2;
    const double tolerance = dim == 2 ? 2e-12 : 1e-6; /* what 16 nodes on 8 leaves an axis leave, 12 on 4 */
    double points[3 * TARGETS], values[FIELDS][TARGETS];
    struct tac_fmm_tree *tree = make_tree(dim, dim == 2 ? 16 : 12, TAC_FMM_TENSOR, dim == 2 ? 3 : 2);
    double *density = sample(tree, gaussian, &problem);
    points_of(points, dim);
    evaluate(values, tree, problem.kernel, density, (size_t)count, points);
    for (int t = 0; t < count; t++) {
      struct tac_radial u;
      double square = 0;
      for (int axis = 0; axis < dim; axis++)
        square += (points[dim * t + axis] - 0.03) * (points[dim * t + axis] - 0.03);
      tac_gaussian_potential(&u, 150, sqrt(square));
      for (int f = 0; f < parts * (1 + dim); f++) {
        const double along = f < parts ? 0 : (points[dim * t + f / parts - 1] - 0.03) / sqrt(square);
        const double expected = f % parts ? 0 : f == 0 ? u.value[0] : u.slope[0] * along;
        ck_assert_msg(fabs(values[f][t] - expected) < tolerance * (f < parts ? 1 : 30),
                      "kernel %d, %dD, target %d, field %d: %.17g for %.17g", i / 2, dim, t, f, values[f][t], expected);
      }
    }
    free(density);
    tac_fmm_tree_destroy(&tree);
  }
}
END_TEST

static double cubic(const double *x, const void *context) {
  const int *dim = context;
  return 1 + x[0] * x[0] * x[1] - 3 * x[1] + (*dim == 3 ? x[2] * x[0] - 2 * x[2] * x[2] : 0);
}

/* The same polynomial on leaves of any order, in either basis, on one leaf or many. */
START_TEST(a_polynomial_does_not_depend_on_the_leaves) {
  const struct {
    int order, levels;
    enum tac_fmm_basis basis;
  } trees[] = {
      {4, 0, TAC_FMM_TOTAL}, {5, 0, TAC_FMM_TENSOR}, {9, 0, TAC_FMM_TOTAL}, {4, 2, TAC_FMM_TOTAL}, {6, -1, TAC_FMM_TENSOR}};
  for (int dim = 2; dim <= 3; dim++) {
    const int count = dim == 2 ? TARGETS : 5;
    double points[3 * TARGETS], first[FIELDS][TARGETS], values[FIELDS][TARGETS];
    points_of(points, dim);
    for (int i = 0; i < 5; i++) {
      struct tac_fmm_tree *tree = make_tree(dim, trees[i].order, trees[i].basis, trees[i].levels);
      double *density = sample(tree, cubic, &dim);
      memset(values, 0, sizeof values);
      evaluate(values, tree, &kernels[dim - 2], density, (size_t)count, points);
      if (i == 0)
        memcpy(first, values, sizeof first);
      for (int f = 0; f <= dim; f++)
        for (int t = 0; t < count; t++)
          ck_assert_msg(fabs(values[f][t] - first[f][t]) < 1e-12, "%dD, tree %d, target %d, field %d: %.17g and %.17g", dim, i,
                        t, f, values[f][t], first[f][t]);
      free(density);
      tac_fmm_tree_destroy(&tree);
    }
  }
}
END_TEST

int main(void) {
  const TTest *const tests[] = {slopes_are_derivatives, a_constant_density_has_the_box_potential, a_gaussian_for_every_kernel,
                                a_polynomial_does_not_depend_on_the_leaves};
  return RUN_SUITE("direct", tests);
}
