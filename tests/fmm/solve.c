/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "tests/fmm/solve.h"

#include <math.h>
#include <stdlib.h>

#include <check.h>

#include "tests/fmm/random_tree.h"

static double squared_distance(const struct solve_case *c, const double *point) {
  double sum = 0;
  for (int axis = 0; axis < c->dim; axis++)
    sum += (point[axis] - c->center[axis]) * (point[axis] - c->center[axis]);
  return sum;
}

double solve_potential(const struct solve_case *c, const double *point) {
  return exp(-c->exponent * squared_distance(c, point));
}

double solve_derivative(const struct solve_case *c, const double *point, int axis) {
  return -2 * c->exponent * (point[axis] - c->center[axis]) * solve_potential(c, point);
}

double solve_density(const struct solve_case *c, const double *point) {
  const double a = c->exponent, parameter = c->kernel.parameter;
  const double screening = c->kernel.kind == TAC_FMM_YUKAWA      ? parameter * parameter
                           : c->kernel.kind == TAC_FMM_HELMHOLTZ ? -parameter * parameter
                                                                 : 0;
  return (2 * c->dim * a - 4 * a * a * squared_distance(c, point) + screening) * solve_potential(c, point);
}

enum tac_status solve_density_fn(void *context, size_t count, const double *points, double *values, struct tac_error *error) {
  const struct solve_case *c = context;
  (void)error;
  for (size_t i = 0; i < count; i++)
    values[i] = solve_density(c, points + (size_t)c->dim * i);
  return TAC_STATUS_OK;
}

struct tac_scheduler *solve_scheduler(const char *executor, int lanes, enum tac_level level) {
  struct tac_scheduler_options options;
  tac_scheduler_options_init(&options);
  options.executor = executor;
  options.executor_options.lanes = lanes;
  options.level = level;
  struct tac_scheduler *scheduler;
  struct tac_error error;
  ck_assert_msg(tac_scheduler_create(&scheduler, &options, &error) == TAC_STATUS_OK, "%s", error.text);
  return scheduler;
}

static size_t nodes_of(const struct tac_fmm_tree *tree) {
  const size_t order = (size_t)tac_fmm_tree_order(tree);
  return tac_fmm_tree_dim(tree) == 3 ? order * order * order : order * order;
}

void solve_plan(struct solve *out, struct tac_fmm_tree *tree, const struct tac_fmm_plan_options *options) {
  struct tac_error error;
  *out = (struct solve){.tree = tree, .points = tac_fmm_tree_leaves(tree) * nodes_of(tree)};
  ck_assert_msg(tac_fmm_plan_create(&out->plan, tree, options, &error) == TAC_STATUS_OK, "%s: %s", error.where, error.text);
  out->fields = tac_fmm_plan_fields(out->plan);
  out->density = calloc(out->points, sizeof *out->density);
  ck_assert_ptr_nonnull(out->density);
  for (int f = 0; f < out->fields; f++)
    ck_assert_ptr_nonnull(out->field[f] = calloc(out->points, sizeof **out->field));
}

void solve_fill(struct solve *solve, tac_fmm_density_fn density, void *context) {
  const size_t nodes = nodes_of(solve->tree);
  double *points = malloc(3 * nodes * sizeof *points);
  ck_assert_ptr_nonnull(points);
  for (size_t leaf = 0; leaf < tac_fmm_tree_leaves(solve->tree); leaf++) {
    tac_fmm_tree_nodes(solve->tree, leaf, points);
    ck_assert_int_eq(density(context, nodes, points, solve->density + leaf * nodes, NULL), TAC_STATUS_OK);
  }
  free(points);
}

void solve_run(struct solve *solve, struct tac_scheduler *scheduler) {
  struct tac_error error;
  ck_assert_msg(tac_fmm_evaluate(solve->plan, scheduler, solve->density, solve->field, &error) == TAC_STATUS_OK, "%s: %s",
                error.where, error.text);
}

void solve_free(struct solve *solve) {
  tac_fmm_plan_destroy(&solve->plan);
  tac_fmm_tree_destroy(&solve->tree);
  free(solve->density);
  for (int f = 0; f < solve->fields; f++)
    free(solve->field[f]);
}

void solve_case(struct solve *out, const struct solve_case *c, const struct tac_fmm_tree_options *tree_options,
                const struct tac_fmm_plan_options *plan_options) {
  struct tac_fmm_tree *tree;
  struct tac_error error;
  struct solve_case context = *c;
  ck_assert_msg(tac_fmm_tree_create(&tree, tree_options, solve_density_fn, &context, &error) == TAC_STATUS_OK, "%s: %s",
                error.where, error.text);
  solve_plan(out, tree, plan_options);
  solve_fill(out, solve_density_fn, &context);
  struct tac_scheduler *scheduler = solve_scheduler("serial", 1, TAC_LEVEL_OFF);
  solve_run(out, scheduler);
  tac_scheduler_destroy(&scheduler);
}

struct solve_error solve_compare(const struct solve *solve, const struct solve_case *c) {
  const size_t nodes = nodes_of(solve->tree);
  const int parts = tac_fmm_kernel_parts(c->kernel.kind);
  double *points = malloc(3 * nodes * sizeof *points), difference = 0, norm = 0;
  ck_assert_ptr_nonnull(points);
  struct solve_error error = {0};
  for (size_t leaf = 0; leaf < tac_fmm_tree_leaves(solve->tree); leaf++) {
    double side;
    tac_fmm_tree_leaf(solve->tree, leaf, NULL, &side, NULL);
    tac_fmm_tree_nodes(solve->tree, leaf, points);
    const double weight = pow(side, c->dim);
    for (size_t i = 0; i < nodes; i++) {
      const double *point = points + (size_t)c->dim * i, exact = solve_potential(c, point);
      const double miss = solve->field[0][leaf * nodes + i] - exact;
      difference += weight * miss * miss;
      norm += weight * exact * exact;
      error.largest = fmax(error.largest, fabs(miss));
      if (parts == 2)
        error.largest = fmax(error.largest, fabs(solve->field[1][leaf * nodes + i]));
      for (int f = parts; f < solve->fields; f += parts)
        error.largest_derivative =
            fmax(error.largest_derivative, fabs(solve->field[f][leaf * nodes + i] - solve_derivative(c, point, f / parts - 1)));
    }
  }
  error.relative_l2 = sqrt(difference / norm);
  free(points);
  return error;
}

struct tac_fmm_tree_options solve_tree_options(int dim, int order, int levels) {
  struct tac_fmm_tree_options options;
  tac_fmm_tree_options_init(&options);
  options.dim = dim;
  options.order = order;
  options.levels = levels;
  return options;
}

struct tac_fmm_plan_options solve_plan_options(double eps, enum tac_fmm_path path) {
  struct tac_fmm_plan_options options;
  tac_fmm_plan_options_init(&options);
  options.eps = eps;
  options.path = path;
  return options;
}

enum tac_status solve_random_density(void *context, size_t count, const double *points, double *values,
                                     struct tac_error *error) {
  (void)points;
  (void)error;
  for (size_t i = 0; i < count; i++)
    values[i] = random_next(context) - 0.5;
  return TAC_STATUS_OK;
}
