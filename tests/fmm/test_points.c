/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "apps/fmm/plan.h"
#include "tests/fmm/random_tree.h"
#include "tests/fmm/solve.h"
#include "tests/unit/suite.h"

static const double pi = 3.14159265358979323846;

static struct tac_fmm_tree_options tree_options(int dim, int order, double tolerance) {
  struct tac_fmm_tree_options options;
  tac_fmm_tree_options_init(&options);
  options.dim = dim;
  options.order = order;
  options.tolerance = tolerance;
  return options;
}

static struct tac_fmm_plan_options plan_options(double eps, const struct tac_fmm_kernel *kernel) {
  struct tac_fmm_plan_options options;
  tac_fmm_plan_options_init(&options);
  options.eps = eps;
  options.gradient = 1;
  options.kernel = *kernel;
  return options;
}

/* Values at points: value[field][point]. */
struct answer {
  size_t count;
  int fields;
  double *points, *value[TAC_MAX_FIELDS];
};

static void answer_init(struct answer *answer, const struct solve *solve, size_t count) {
  *answer = (struct answer){.count = count, .fields = solve->fields};
  ck_assert_ptr_nonnull(answer->points = calloc(3 * count + 1, sizeof(double)));
  for (int f = 0; f < solve->fields; f++)
    ck_assert_ptr_nonnull(answer->value[f] = calloc(count + 1, sizeof(double)));
}

static void answer_free(struct answer *answer) {
  free(answer->points);
  for (int f = 0; f < answer->fields; f++)
    free(answer->value[f]);
}

static void answer_run(struct answer *answer, const struct solve *solve, const char *executor, int lanes) {
  struct tac_scheduler *scheduler = solve_scheduler(executor, lanes, TAC_LEVEL_OFF);
  struct tac_error error;
  ck_assert_msg(tac_fmm_evaluate_at(solve->plan, scheduler, answer->count, answer->points, answer->value, &error) ==
                    TAC_STATUS_OK,
                "%s: %s", error.where, error.text);
  tac_scheduler_destroy(&scheduler);
}

static enum tac_status random_density(void *context, size_t count, const double *points, double *values,
                                      struct tac_error *error) {
  (void)points;
  (void)error;
  for (size_t i = 0; i < count; i++)
    values[i] = random_next(context) - 0.5;
  return TAC_STATUS_OK;
}

static double largest_of(const double *values, size_t count) {
  double most = 0;
  for (size_t i = 0; i < count; i++)
    most = fmax(most, fabs(values[i]));
  return most;
}

static const struct {
  int dim, order;
  struct tac_fmm_kernel kernel;
  double eps;
} problems[] = {
    {2, 5, {TAC_FMM_LAPLACE, 0}, 1e-6},   {2, 8, {TAC_FMM_LAPLACE, 0}, 1e-11}, {2, 4, {TAC_FMM_YUKAWA, 3}, 1e-8},
    {2, 5, {TAC_FMM_HELMHOLTZ, 3}, 1e-7}, {3, 4, {TAC_FMM_LAPLACE, 0}, 1e-5},  {3, 3, {TAC_FMM_YUKAWA, 5}, 1e-5},
    {3, 4, {TAC_FMM_HELMHOLTZ, 2}, 1e-5},
};
enum { PROBLEMS = sizeof problems / sizeof *problems };

/* A random tree with a random density. */
static void random_solve(struct solve *solve, int problem, uint64_t *state) {
  const struct tac_fmm_tree_options tree = tree_options(problems[problem].dim, problems[problem].order, 1e-6);
  const struct tac_fmm_plan_options plan = plan_options(problems[problem].eps, &problems[problem].kernel);
  solve_plan(solve, random_tree(&tree, 4, problems[problem].dim == 3 ? 120 : 100, state), &plan);
  solve_fill(solve, random_density, state);
  struct tac_scheduler *scheduler = solve_scheduler("serial", 1, TAC_LEVEL_OFF);
  solve_run(solve, scheduler);
  tac_scheduler_destroy(&scheduler);
}

/* At the nodes of every leaf the answer is the nodes' own. Random densities jump at the faces: the gradient is large. */
START_TEST(nodes_have_their_own_values) {
  uint64_t state = random_seed();
  struct solve solve;
  random_solve(&solve, _i, &state);
  struct answer answer;
  answer_init(&answer, &solve, solve.points);
  const size_t dim = (size_t)problems[_i].dim, nodes = solve.points / tac_fmm_tree_leaves(solve.tree);
  for (size_t leaf = 0; leaf < tac_fmm_tree_leaves(solve.tree); leaf++)
    tac_fmm_tree_nodes(solve.tree, leaf, answer.points + dim * nodes * leaf);
  answer_run(&answer, &solve, "serial", 1);
  const int parts = tac_fmm_kernel_parts(problems[_i].kernel.kind);
  for (int f = 0; f < solve.fields; f++) {
    const double scale = largest_of(solve.field[f % parts + (f < parts ? 0 : parts)], solve.points);
    double worst = 0;
    for (size_t i = 0; i < solve.points; i++)
      worst = fmax(worst, fabs(answer.value[f][i] - solve.field[f][i]));
    ck_assert_msg(worst <= (f < parts ? 1 : 40) * problems[_i].eps * scale, "field %d: %g of %g", f, worst, scale);
  }
  answer_free(&answer);
  solve_free(&solve);
}
END_TEST

/* u of f = exp(-exponent r^2) and its derivative by r, Laplace. */
static double charged(int dim, double exponent, double r) {
  if (dim == 3)
    return pow(pi / exponent, 1.5) * erf(sqrt(exponent) * r) / (4 * pi * r);
  /* -[ln r^2 + E1(z)]/(4 exponent), z = exponent r^2, is entire in z: ln z + E1(z) + g = z - z^2/4 + z^3/18 - … */
  const double z = exponent * r * r, gamma = 0.57721566490153286061;
  double sum = 0, term = -1, tail = 0;
  for (int n = 1; z < 2 && n < 40; n++) {
    term *= -z / n;
    sum += term / n;
  }
  if (z < 2)
    return -(sum - gamma - log(exponent)) / (4 * exponent);
  for (int n = 200; n > 0; n--) /* continued fraction of E1 */
    tail = n / (1 + n / (z + tail));
  return -(2 * log(r) + exp(-z) / (z + tail)) / (4 * exponent);
}

static double charged_slope(int dim, double exponent, double r) {
  if (dim == 2)
    return -(1 - exp(-exponent * r * r)) / (2 * exponent * r);
  const double root = sqrt(exponent);
  return pow(pi / exponent, 1.5) / (4 * pi) * (2 * root / sqrt(pi) * exp(-exponent * r * r) / r - erf(root * r) / (r * r));
}

static const double exponent = 300, center[3] = {0.11, -0.07, 0.05};

static enum tac_status charge_density(void *context, size_t count, const double *points, double *values,
                                      struct tac_error *error) {
  const int dim = *(const int *)context;
  (void)error;
  for (size_t i = 0; i < count; i++) {
    double square = 0;
    for (int axis = 0; axis < dim; axis++)
      square += (points[dim * (int)i + axis] - center[axis]) * (points[dim * (int)i + axis] - center[axis]);
    values[i] = exp(-exponent * square);
  }
  return TAC_STATUS_OK;
}

/* Points of an adaptive tree: everywhere inside, on the skeleton of the leaves and beside it, outside near and far. */
static void spread(struct answer *answer, const struct solve *solve, uint64_t *state) {
  const int dim = tac_fmm_tree_dim(solve->tree);
  for (size_t i = 0; i < answer->count; i++) {
    double lower[3], side, *x = answer->points + (size_t)dim * i;
    tac_fmm_tree_leaf(solve->tree, (size_t)(random_next(state) * (double)tac_fmm_tree_leaves(solve->tree)), lower, &side, NULL);
    const double farther = i % 4 == 3 ? pow(10, 3 * random_next(state) - 1.5) : 0;
    for (int axis = 0; axis < dim; axis++) {
      const double kind = random_next(state), beside = random_next(state);
      x[axis] = lower[axis] + side * random_next(state);
      if (i % 4 == 1 && kind < 0.7)
        x[axis] = lower[axis] + (beside < 0.4 ? 0 : beside < 0.7 ? 1e-12 : -1e-12);
      if (i % 4 == 3 && kind < 0.7)
        x[axis] = (kind < 0.35 ? -0.5 - farther : 0.5 + farther);
    }
  }
}

/* The charged Gaussian tests far fields and, in the plane, the constant of the logarithm. */
START_TEST(charged_gaussians_have_their_potentials) {
  int dim = 2 + _i;
  const struct tac_fmm_kernel laplace = {TAC_FMM_LAPLACE, 0};
  const struct tac_fmm_tree_options tree_of = tree_options(dim, dim == 2 ? 8 : 6, dim == 2 ? 1e-9 : 1e-4);
  const struct tac_fmm_plan_options plan = plan_options(dim == 2 ? 1e-10 : 1e-5, &laplace);
  struct tac_fmm_tree *tree;
  struct solve solve;
  ck_assert_int_eq(tac_fmm_tree_create(&tree, &tree_of, charge_density, &dim, NULL), TAC_STATUS_OK);
  solve_plan(&solve, tree, &plan);
  const struct tac_fmm_list_sizes sizes = tac_fmm_tree_list_sizes(tree);
  ck_assert(sizes.list1_finer && sizes.list1_coarser && sizes.list3 && sizes.list4);
  solve_fill(&solve, charge_density, &dim);
  struct tac_scheduler *scheduler = solve_scheduler("serial", 1, TAC_LEVEL_OFF);
  solve_run(&solve, scheduler);
  tac_scheduler_destroy(&scheduler);
  struct answer answer;
  answer_init(&answer, &solve, dim == 2 ? 1500 : 400);
  uint64_t state = random_seed();
  spread(&answer, &solve, &state);
  answer_run(&answer, &solve, "serial", 1);
  const double scale = fabs(charged(dim, exponent, 1e-3)), steep = fabs(charged_slope(dim, exponent, 1 / sqrt(exponent)));
  for (size_t i = 0; i < answer.count; i++) {
    const double *x = answer.points + (size_t)dim * i;
    double distance[3] = {0};
    for (int axis = 0; axis < dim; axis++)
      distance[axis] = x[axis] - center[axis];
    const double r = sqrt(distance[0] * distance[0] + distance[1] * distance[1] + distance[2] * distance[2]);
    const double bound = (r > 3 ? log(r) : 1) * plan.eps * scale;
    ck_assert_msg(fabs(answer.value[0][i] - charged(dim, exponent, r)) <= 2 * bound, "at %g %g: %g", x[0], x[1],
                  answer.value[0][i] - charged(dim, exponent, r));
    for (int axis = 0; axis < dim; axis++)
      ck_assert_double_eq_tol(answer.value[1 + axis][i], charged_slope(dim, exponent, r) * distance[axis] / r,
                              40 * fmax(plan.eps, tree_of.tolerance) * steep);
  }
  answer_free(&answer);
  solve_free(&solve);
}
END_TEST

/* u = exp(-a r^2) for every kernel: no imaginary part, nothing outside. */
START_TEST(gaussians_are_met_by_every_kernel) {
  static const struct solve_case cases[] = {
      {2, {TAC_FMM_YUKAWA, 4}, 300, {0.11, -0.07, 0}},    {2, {TAC_FMM_HELMHOLTZ, 5}, 300, {0.11, -0.07, 0}},
      {3, {TAC_FMM_YUKAWA, 4}, 160, {0.05, -0.07, 0.03}}, {3, {TAC_FMM_HELMHOLTZ, 3}, 160, {0.05, -0.07, 0.03}},
      {2, {TAC_FMM_YUKAWA, 2000}, 300, {0.11, -0.07, 0}},
  };
  const struct solve_case *c = &cases[_i];
  const struct tac_fmm_tree_options tree = tree_options(c->dim, c->dim == 2 ? 8 : 6, c->dim == 2 ? 1e-8 : 1e-3);
  const struct tac_fmm_plan_options plan = plan_options(c->dim == 2 ? 1e-8 : 1e-4, &c->kernel);
  struct solve solve;
  solve_case(&solve, c, &tree, &plan);
  struct answer answer;
  answer_init(&answer, &solve, c->dim == 2 ? 400 : 150);
  uint64_t state = random_seed();
  spread(&answer, &solve, &state);
  answer_run(&answer, &solve, "threads", 2);
  const int parts = tac_fmm_kernel_parts(c->kernel.kind);
  const double eps = 20 * plan.eps;
  for (size_t i = 0; i < answer.count; i++) {
    const double *x = answer.points + (size_t)c->dim * i;
    ck_assert_double_eq_tol(answer.value[0][i], solve_potential(c, x), eps);
    for (int axis = 0; axis < c->dim; axis++)
      ck_assert_double_eq_tol(answer.value[parts * (1 + axis)][i], solve_derivative(c, x, axis), 4 * eps * sqrt(c->exponent));
    for (int f = 1; parts == 2 && f < solve.fields; f += parts)
      ck_assert_double_eq_tol(answer.value[f][i], 0, eps * (f > 1 ? 4 * sqrt(c->exponent) : 1));
  }
  answer_free(&answer);
  solve_free(&solve);
}
END_TEST

/* On faces, edges and corners of the leaves of a rough density nothing jumps. */
START_TEST(nothing_jumps_between_leaves) {
  uint64_t state = random_seed();
  struct solve solve;
  random_solve(&solve, _i, &state);
  const size_t dim = (size_t)problems[_i].dim, corners = dim == 3 ? 60 : 200;
  struct answer answer;
  answer_init(&answer, &solve, 3 * corners);
  for (size_t i = 0; i < corners; i++) {
    double lower[3], side;
    tac_fmm_tree_leaf(solve.tree, (size_t)(random_next(&state) * (double)tac_fmm_tree_leaves(solve.tree)), lower, &side, NULL);
    for (size_t axis = 0; axis < dim; axis++) {
      const double inside = random_next(&state) < 0.3 ? side * random_next(&state) : 0;
      for (size_t k = 0; k < 3; k++)
        answer.points[dim * (3 * i + k) + axis] = lower[axis] + inside + ((double)k - 1) * 1e-12;
    }
  }
  answer_run(&answer, &solve, "serial", 1);
  /* The step itself changes the potential by its slope. */
  double steep = 0;
  for (int f = tac_fmm_kernel_parts(problems[_i].kernel.kind); f < solve.fields; f++)
    steep = fmax(steep, largest_of(solve.field[f], solve.points));
  const double bound = 6 * problems[_i].eps * largest_of(solve.field[0], solve.points) + 1e-11 * steep;
  for (size_t i = 0; i < corners; i++) {
    const double *x = answer.points + dim * (3 * i + 1);
    for (size_t k = 0; k < 3; k += 2) {
      const double jump = answer.value[0][3 * i + k] - answer.value[0][3 * i + 1];
      ck_assert_msg(fabs(jump) <= bound, "at %.15g %.15g side %d: %g, not %g", x[0], x[1], (int)k - 1, jump, bound);
    }
  }
  answer_free(&answer);
  solve_free(&solve);
}
END_TEST

#define RULE 26

/* Every part of G times the polynomial of the density on one leaf, at a point away from it. */
static void add_leaf(double sums[2], const struct solve *solve, int problem, size_t leaf, const double *x) {
  const int dim = problems[problem].dim, order = problems[problem].order, three = dim == 3;
  const struct tac_modes *modes = &solve->plan->modes;
  const double *c = tac_plan_coefficients(solve->plan, (int32_t)leaf);
  double node[RULE], weight[RULE], phi[RULE][TAC_FMM_MAX_ORDER], lower[3] = {0}, side;
  tac_gauss_rule(RULE, node, weight);
  for (int i = 0; i < RULE; i++)
    tac_legendre(phi[i], NULL, order, node[i]);
  tac_fmm_tree_leaf(solve->tree, leaf, lower, &side, NULL);
  for (int i = 0; i < (three ? RULE : 1); i++)
    for (int j = 0; j < RULE; j++)
      for (int k = 0; k < RULE; k++) {
        double density = 0;
        for (int m = 0; m < modes->count; m++)
          density +=
              c[m] * phi[k][modes->degree[m][0]] * phi[j][modes->degree[m][1]] * (three ? phi[i][modes->degree[m][2]] : 1);
        const double dx = x[0] - lower[0] - side * (node[k] + 0.5), dy = x[1] - lower[1] - side * (node[j] + 0.5);
        const double dz = three ? x[2] - lower[2] - side * (node[i] + 0.5) : 0;
        const double scaled = density * weight[k] * weight[j] * (three ? weight[i] * side : 1);
        for (int part = 0; part < tac_fmm_kernel_parts(problems[problem].kernel.kind); part++)
          sums[part] += scaled * tac_fmm_kernel_value(&problems[problem].kernel, dim, part, sqrt(dx * dx + dy * dy + dz * dz));
      }
}

/* Outside, against direct quadrature of rough densities. */
START_TEST(outside_equals_direct_quadrature) {
  uint64_t state = random_seed();
  struct solve solve;
  random_solve(&solve, _i, &state);
  const size_t dim = (size_t)problems[_i].dim;
  struct answer answer;
  answer_init(&answer, &solve, 6);
  for (size_t i = 0; i < dim * answer.count; i++)
    answer.points[i] = random_next(&state) - 0.5;
  for (size_t i = 0; i < answer.count; i++)
    answer.points[dim * i + i % dim] = (i < 3 ? 0.7 : 1.9) * (i % 2 ? -1 : 1);
  answer_run(&answer, &solve, "serial", 1);
  const int parts = tac_fmm_kernel_parts(problems[_i].kernel.kind);
  const double bound = 2 * problems[_i].eps * largest_of(solve.field[0], solve.points);
  for (size_t i = 0; i < answer.count; i++) {
    double sums[2] = {0};
    for (size_t leaf = 0; leaf < tac_fmm_tree_leaves(solve.tree); leaf++)
      add_leaf(sums, &solve, _i, leaf, answer.points + dim * i);
    for (int part = 0; part < parts; part++)
      ck_assert_double_eq_tol(answer.value[part][i], sums[part], bound);
  }
  answer_free(&answer);
  solve_free(&solve);
}
END_TEST

/* A tree of one leaf, and of two levels: nothing is far. */
START_TEST(small_trees_have_points_too) {
  const int dim = 2 + _i / 2;
  int density_dim = dim;
  const struct tac_fmm_kernel laplace = {TAC_FMM_LAPLACE, 0};
  struct tac_fmm_tree_options tree_of = tree_options(dim, 16, 1e-6);
  const struct tac_fmm_plan_options plan = plan_options(1e-6, &laplace);
  tree_of.levels = _i % 2;
  tree_of.side = 0.3; /* where the Gaussian is smooth */
  tree_of.lower[0] = center[0] - 0.15;
  tree_of.lower[1] = center[1] - 0.15;
  tree_of.lower[2] = center[2] - 0.15;
  struct tac_fmm_tree *tree;
  struct solve solve;
  ck_assert_int_eq(tac_fmm_tree_create(&tree, &tree_of, charge_density, &density_dim, NULL), TAC_STATUS_OK);
  solve_plan(&solve, tree, &plan);
  solve_fill(&solve, charge_density, &density_dim);
  struct answer answer;
  answer_init(&answer, &solve, 5);
  static const double distances[] = {0.03, 0.15, 0.21, 0.4, 1e9};
  for (size_t i = 0; i < answer.count; i++)
    for (int axis = 0; axis < dim; axis++)
      answer.points[(size_t)dim * i + (size_t)axis] = center[axis] + (axis == 1 ? distances[i] : 0);
  struct tac_scheduler *scheduler = solve_scheduler("serial", 1, TAC_LEVEL_OFF);
  solve_run(&solve, scheduler);
  tac_scheduler_destroy(&scheduler);
  answer_run(&answer, &solve, "serial", 1);
  for (size_t i = 0; i < answer.count; i++) {
    /* The domain cuts the Gaussian at 1e-3 of its height. */
    const double exact = charged(dim, exponent, distances[i]);
    ck_assert_double_eq_tol(answer.value[0][i], exact, 4e-3 * fabs(exact));
  }
  answer_free(&answer);
  solve_free(&solve);
}
END_TEST

/* The same bits for every executor, number of lanes, order of the points and company. */
START_TEST(answers_do_not_depend_on_lanes) {
  uint64_t state = random_seed();
  struct solve solve;
  random_solve(&solve, _i, &state);
  struct answer one, two, few;
  const size_t dim = (size_t)problems[_i].dim;
  answer_init(&one, &solve, 500);
  answer_init(&two, &solve, 500);
  spread(&one, &solve, &state);
  memcpy(two.points, one.points, dim * one.count * sizeof *one.points);
  answer_run(&one, &solve, "serial", 1);
  answer_run(&two, &solve, "threads", 3);
  for (int f = 0; f < solve.fields; f++)
    ck_assert_mem_eq(one.value[f], two.value[f], one.count * sizeof(double));
  answer_init(&few, &solve, 7);
  memcpy(few.points, one.points + dim * 100, dim * few.count * sizeof *one.points);
  answer_run(&few, &solve, "serial", 1);
  const double bound = problems[_i].eps * largest_of(solve.field[0], solve.points);
  for (size_t i = 0; i < few.count; i++)
    ck_assert_double_eq_tol(few.value[0][i], one.value[0][100 + i], bound);
  answer_free(&one);
  answer_free(&two);
  answer_free(&few);
  solve_free(&solve);
}
END_TEST

START_TEST(what_cannot_be_evaluated_is_refused) {
  uint64_t state = 9;
  const struct tac_fmm_tree_options tree = tree_options(2, 4, 1e-6);
  const struct tac_fmm_plan_options plan = plan_options(1e-6, &problems[0].kernel);
  struct solve solve;
  solve_plan(&solve, random_tree(&tree, 3, 40, &state), &plan);
  solve_fill(&solve, random_density, &state);
  struct tac_scheduler *scheduler = solve_scheduler("serial", 1, TAC_LEVEL_OFF);
  static struct answer answer;
  answer_init(&answer, &solve, 3);
  struct tac_error error;
  ck_assert_int_eq(tac_fmm_evaluate_at(solve.plan, scheduler, 3, answer.points, answer.value, &error), TAC_STATUS_INVALID);
  solve_run(&solve, scheduler);
  ck_assert_int_eq(tac_fmm_evaluate_at(solve.plan, scheduler, 3, answer.points, answer.value, &error), TAC_STATUS_OK);
  ck_assert_int_eq(tac_fmm_evaluate_at(solve.plan, scheduler, 0, NULL, answer.value, &error), TAC_STATUS_OK);
  ck_assert_int_eq(tac_fmm_evaluate_at(solve.plan, scheduler, 3, NULL, answer.value, &error), TAC_STATUS_INVALID);
  double *const nowhere[TAC_MAX_FIELDS] = {0};
  ck_assert_int_eq(tac_fmm_evaluate_at(solve.plan, scheduler, 3, answer.points, nowhere, &error), TAC_STATUS_INVALID);
  answer.points[5] = INFINITY;
  ck_assert_int_eq(tac_fmm_evaluate_at(solve.plan, scheduler, 3, answer.points, answer.value, &error), TAC_STATUS_INVALID);
  ck_assert_ptr_nonnull(strstr(error.text, "point 2"));
  /* Coefficients that overflow in the sums. */
  answer.points[5] = 0.1;
  for (size_t i = 0; i < solve.points; i++)
    solve.plan->coefficients[i % (tac_fmm_tree_leaves(solve.tree) * (size_t)solve.plan->modes.count)] = 1e308;
  ck_assert_int_eq(tac_fmm_evaluate_at(solve.plan, scheduler, 3, answer.points, answer.value, &error), TAC_STATUS_NUMERICAL);
  tac_scheduler_destroy(&scheduler);
  answer_free(&answer);
  solve_free(&solve);
}
END_TEST

int main(void) {
  TCase *cases = tcase_create("points");
  tcase_set_timeout(cases, 300);
  tcase_add_loop_test(cases, nodes_have_their_own_values, 0, PROBLEMS);
  tcase_add_loop_test(cases, charged_gaussians_have_their_potentials, 0, 2);
  tcase_add_loop_test(cases, gaussians_are_met_by_every_kernel, 0, 5);
  tcase_add_loop_test(cases, nothing_jumps_between_leaves, 0, PROBLEMS);
  tcase_add_loop_test(cases, outside_equals_direct_quadrature, 0, PROBLEMS);
  tcase_add_loop_test(cases, small_trees_have_points_too, 0, 4);
  tcase_add_loop_test(cases, answers_do_not_depend_on_lanes, 0, PROBLEMS);
  tcase_add_test(cases, what_cannot_be_evaluated_is_refused);
  return run_cases("points", cases);
}
