/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <tactus/measure/hooks.h>
#include <tactus/measure/phase_profile.h>
#include <tactus/measure/recorder.h>

#include "apps/fmm/plan.h"
#include "tests/fmm/random_tree.h"
#include "tests/fmm/solve.h"
#include "tests/unit/suite.h"

/* u = exp(-160 r^2) on the unit square, total degree: relative L2 errors of boxcode2d at eps 1e-12, which ours reach within a
 * factor of two. */
static const struct {
  int order, levels;
  double error;
} table[] = {{4, 3, 1.1e-2}, {4, 4, 1.6e-4}, {4, 5, 2.6e-6}, {6, 3, 3.4e-4}, {6, 4, 2.7e-6},
             {6, 5, 1.1e-8}, {8, 3, 1.7e-5}, {8, 4, 4.1e-8}, {8, 5, 3.8e-11}};

START_TEST(plane_errors_follow_the_table) {
  const struct solve_case c = {.dim = 2, .exponent = 160};
  const struct tac_fmm_tree_options tree = solve_tree_options(2, table[_i].order, table[_i].levels);
  const struct tac_fmm_plan_options plan = solve_plan_options(1e-12, TAC_FMM_PATH_PAIRED);
  struct solve solve;
  solve_case(&solve, &c, &tree, &plan);
  ck_assert_double_le(solve_compare(&solve, &c).relative_l2, 2 * table[_i].error);
  solve_free(&solve);
}
END_TEST

/* In space the error falls as h^(p+2), within a factor of ten of that trend from one level to the next. */
START_TEST(space_errors_follow_the_order) {
  const struct solve_case c = {.dim = 3, .exponent = 40};
  const struct tac_fmm_plan_options plan = solve_plan_options(1e-7, TAC_FMM_PATH_PAIRED);
  double error[2];
  for (int k = 0; k < 2; k++) {
    const struct tac_fmm_tree_options tree = solve_tree_options(3, 4, 2 + k);
    struct solve solve;
    solve_case(&solve, &c, &tree, &plan);
    error[k] = solve_compare(&solve, &c).relative_l2;
    solve_free(&solve);
  }
  ck_assert_double_le(error[1], 10 * error[0] / 64);
  ck_assert_double_ge(error[1], error[0] / 640);
}
END_TEST

static const int dims[] = {2, 3};

/* Adaptive tree with all lists: the tolerance is met by potential and (a digit less, times the scale of the slope) gradient. */
START_TEST(adaptive_trees_meet_the_tolerance) {
  const struct solve_case c = {.dim = dims[_i], .exponent = 300, .center = {0.11, -0.07, 0.05}};
  struct tac_fmm_tree_options tree = solve_tree_options(c.dim, 8, -1);
  struct tac_fmm_plan_options plan = solve_plan_options(1e-7, TAC_FMM_PATH_AUTO);
  tree.tolerance = c.dim == 3 ? 1e-4 : 1e-6;
  plan.gradient = 1;
  struct solve solve;
  solve_case(&solve, &c, &tree, &plan);
  const struct tac_fmm_list_sizes sizes = tac_fmm_tree_list_sizes(solve.tree);
  ck_assert(sizes.list1_finer && sizes.list1_coarser && sizes.list2 && sizes.list3 && sizes.list4);
  const struct solve_error error = solve_compare(&solve, &c);
  ck_assert_double_le(error.largest, 1e-5);
  ck_assert_double_le(error.largest_derivative, 1e-4 * sqrt(c.exponent));
  solve_free(&solve);
}
END_TEST

/* Yukawa and Helmholtz in both dimensions: closed forms, and the split near field against tables of the kernel for every level.
 */
static const struct {
  int dim;
  struct tac_fmm_kernel kernel;
} kernels[] = {{2, {TAC_FMM_YUKAWA, 3}}, {2, {TAC_FMM_HELMHOLTZ, 5}}, {3, {TAC_FMM_YUKAWA, 3}}, {3, {TAC_FMM_HELMHOLTZ, 5}}};

static double largest_difference(const struct solve *a, const struct solve *b, int field);

START_TEST(kernels_meet_the_tolerance_by_both_near_fields) {
  const struct solve_case c = {
      .dim = kernels[_i].dim, .kernel = kernels[_i].kernel, .exponent = 100, .center = {0.11, -0.07, 0.05}};
  struct tac_fmm_tree_options tree = solve_tree_options(c.dim, c.dim == 3 ? 6 : 8, -1);
  struct tac_fmm_plan_options plan = solve_plan_options(c.dim == 3 ? 1e-4 : 1e-7, TAC_FMM_PATH_AUTO);
  tree.tolerance = c.dim == 3 ? 1e-2 : 1e-6;
  plan.kernel = c.kernel;
  plan.gradient = c.dim == 2;
  struct solve split, tables;
  solve_case(&split, &c, &tree, &plan);
  plan.near = TAC_FMM_NEAR_TABLES;
  solve_case(&tables, &c, &tree, &plan);
  ck_assert_int_gt(tac_fmm_plan_info(split.plan).split_order, 0);
  ck_assert_int_eq(tac_fmm_plan_info(tables.plan).split_order, 0);
  const struct solve_error error = solve_compare(&split, &c);
  ck_assert_double_le(error.largest, c.dim == 3 ? 1e-2 : 1e-5);
  ck_assert_double_le(error.largest_derivative, 1e-3);
  for (int field = 0; field < split.fields; field++)
    ck_assert_double_le(largest_difference(&split, &tables, field),
                        (field < tac_fmm_kernel_parts(c.kernel.kind) ? 1 : 100) * 1e-10);
  solve_free(&split);
  solve_free(&tables);
}
END_TEST

static double largest_difference(const struct solve *a, const struct solve *b, int field) {
  double most = 0;
  for (size_t i = 0; i < a->points; i++)
    most = fmax(most, fabs(a->field[field][i] - b->field[field][i]));
  return most;
}

/* A random tree, a random density on it and one evaluation. */
static void random_solve(struct solve *solve, int dim, int order, const struct tac_fmm_plan_options *plan, uint64_t seed) {
  const struct tac_fmm_tree_options tree = solve_tree_options(dim, order, -1);
  uint64_t state = seed;
  solve_plan(solve, random_tree(&tree, 4, dim == 3 ? 300 : 150, &state), plan);
  solve_fill(solve, solve_random_density, &state);
  struct tac_scheduler *scheduler = solve_scheduler("serial", 1, TAC_LEVEL_OFF);
  solve_run(solve, scheduler);
  tac_scheduler_destroy(&scheduler);
}

/* Paired stencils against plain products offset by offset. M2L's factors are cut at their tolerance; the rest agrees to
 * rounding. */
START_TEST(paths_agree) {
  const uint64_t seed = random_seed();
  const double eps = dims[_i] == 3 ? 1e-5 : 1e-9;
  struct tac_fmm_plan_options plan = solve_plan_options(eps, TAC_FMM_PATH_PLAIN);
  plan.gradient = 1;
  struct solve plain, other;
  random_solve(&plain, dims[_i], 4, &plan, seed);
  double most = 0;
  for (size_t i = 0; i < plain.points; i++)
    most = fmax(most, fabs(plain.field[0][i]));
  for (int path = TAC_FMM_PATH_AUTO; path <= TAC_FMM_PATH_PAIRED; path++) {
    plan.path = (enum tac_fmm_path)path;
    random_solve(&other, dims[_i], 4, &plan, seed);
    for (int field = 0; field < plain.fields; field++)
      ck_assert_double_le(largest_difference(&plain, &other, field), (field ? 100 : 1) * 10 * eps * most);
    solve_free(&other);
  }
  solve_free(&plain);
}
END_TEST

/* What was entered: how often, and whether the phases came in their order. */
struct entries {
  int count, last, out_of_order;
};

static void note_entry(void *context, int event, const char *name) {
  struct entries *entries = context;
  (void)name;
  entries->count++;
  entries->out_of_order |= event < entries->last;
  entries->last = event;
}

/* The same bits for every executor, lane count and level, and again in a second evaluation, which allocates nothing. */
START_TEST(bits_do_not_depend_on_lanes_or_levels) {
  const uint64_t seed = random_seed();
  const struct tac_fmm_plan_options plan = solve_plan_options(1e-3, TAC_FMM_PATH_AUTO);
  struct solve solve;
  random_solve(&solve, dims[_i], 3, &plan, seed);
  double *first = malloc(solve.points * sizeof *first);
  ck_assert_ptr_nonnull(first);
  memcpy(first, solve.field[0], solve.points * sizeof *first);
  const uint64_t allocations = tac_fmm_plan_info(solve.plan).allocations;
  const double points[12] = {0.11, 0.22, -0.13, 0.3, -0.4, 0.05, 0.49, -0.49, 0.01, 0.7, 0.1, 0.2};
  double first_at[4] = {0}, at[4];
  for (int lanes = 1; lanes <= 4; lanes++)
    for (int level = TAC_LEVEL_OFF; level <= TAC_LEVEL_HOOKED; level++) {
      memset(solve.field[0], 0, solve.points * sizeof *first);
      struct tac_scheduler *scheduler = solve_scheduler("threads", lanes, (enum tac_level)level);
      struct tac_recorder_options options;
      tac_recorder_options_init(&options);
      options.events = &tac_fmm_events;
      options.level = (enum tac_level)level;
      struct entries entered = {0};
      const struct tac_hooks hooks = {.context = &entered, .phase_enter = note_entry};
      options.hooks = level == TAC_LEVEL_HOOKED ? &hooks : NULL;
      struct tac_recorder *recorder = NULL;
      if (level == TAC_LEVEL_OFF)
        solve_run(&solve, scheduler);
      else {
        ck_assert_int_eq(tac_recorder_create(&recorder, &options, NULL), TAC_STATUS_OK);
        ck_assert_int_eq(tac_fmm_evaluate_measured(solve.plan, scheduler, solve.density, solve.field, recorder, NULL),
                         TAC_STATUS_OK);
      }
      ck_assert_mem_eq(first, solve.field[0], solve.points * sizeof *first);
      ck_assert_int_eq(entered.count > 1, level == TAC_LEVEL_HOOKED); /* the solve and its phases */
      ck_assert(!entered.out_of_order);
      double *const place = at;
      ck_assert_int_eq(tac_fmm_evaluate_at(solve.plan, scheduler, 4, points, &place, NULL), TAC_STATUS_OK);
      if (lanes == 1 && level == TAC_LEVEL_OFF)
        memcpy(first_at, at, sizeof at);
      ck_assert_mem_eq(first_at, at, sizeof at);
      tac_recorder_destroy(&recorder);
      tac_scheduler_destroy(&scheduler);
    }
  ck_assert_uint_eq(tac_fmm_plan_info(solve.plan).allocations, allocations);
  free(first);
  solve_free(&solve);
}
END_TEST

/* Sum over leaves of side^dim times the Gauss sum of a b. */
static double inner_product(const struct solve *solve, const double *a, const double *b) {
  const int dim = tac_fmm_tree_dim(solve->tree), order = tac_fmm_tree_order(solve->tree);
  double nodes[TAC_FMM_MAX_ORDER], weights[TAC_FMM_MAX_ORDER], sum = 0;
  tac_gauss_rule(order, nodes, weights);
  size_t i = 0;
  for (size_t leaf = 0; leaf < tac_fmm_tree_leaves(solve->tree); leaf++) {
    double side;
    tac_fmm_tree_leaf(solve->tree, leaf, NULL, &side, NULL);
    for (int z = 0; z < (dim == 3 ? order : 1); z++)
      for (int y = 0; y < order; y++)
        for (int x = 0; x < order; x++, i++)
          sum += pow(side, dim) * weights[x] * weights[y] * (dim == 3 ? weights[z] : 1) * a[i] * b[i];
  }
  return sum;
}

/* <g, G f> = <f, G g> for densities that the tree resolves, and G (2 f + g) = 2 G f + G g. */
START_TEST(potential_is_symmetric_and_linear) {
  struct solve_case c[2] = {{.dim = dims[_i], .exponent = 40, .center = {0.1, 0, 0}},
                            {.dim = dims[_i], .exponent = 60, .center = {-0.05, 0.1, 0.02}}};
  const struct tac_fmm_tree_options tree = solve_tree_options(dims[_i], 8, dims[_i] == 3 ? 3 : 4);
  const struct tac_fmm_plan_options plan = solve_plan_options(1e-6, TAC_FMM_PATH_AUTO);
  struct solve solve;
  solve_case(&solve, &c[0], &tree, &plan);
  struct tac_scheduler *scheduler = solve_scheduler("serial", 1, TAC_LEVEL_OFF);
  double *copy[4];
  for (int k = 0; k < 4; k++)
    ck_assert_ptr_nonnull(copy[k] = malloc(solve.points * sizeof *copy[k]));
  const size_t bytes = solve.points * sizeof **copy;
  for (int k = 0; k < 2; k++) {
    solve_fill(&solve, solve_density_fn, &c[k]);
    solve_run(&solve, scheduler);
    memcpy(copy[2 * k], solve.density, bytes);
    memcpy(copy[2 * k + 1], solve.field[0], bytes);
  }
  const double fg = inner_product(&solve, copy[2], copy[1]), gf = inner_product(&solve, copy[0], copy[3]);
  ck_assert_double_eq_tol(fg, gf, 1e-5 * fabs(fg));
  for (size_t i = 0; i < solve.points; i++)
    solve.density[i] = 2 * copy[0][i] + copy[2][i];
  solve_run(&solve, scheduler);
  for (size_t i = 0; i < solve.points; i++)
    ck_assert_double_eq_tol(solve.field[0][i], 2 * copy[1][i] + copy[3][i], 1e-12);
  for (int k = 0; k < 4; k++)
    free(copy[k]);
  tac_scheduler_destroy(&scheduler);
  solve_free(&solve);
}
END_TEST

/* Node of the point (x, y, z) after a mirror image of x or an exchange of x and y. */
static size_t image_node(int order, size_t node, int exchange) {
  const size_t n = (size_t)order, x = node % n, y = node / n % n, z = node / n / n;
  return exchange ? y + n * (x + n * z) : n - 1 - x + n * (y + n * z);
}

static size_t image_leaf(const struct solve *solve, size_t leaf, int exchange) {
  double lower[3], side, point[3] = {0};
  tac_fmm_tree_leaf(solve->tree, leaf, lower, &side, NULL);
  for (int axis = 0; axis < tac_fmm_tree_dim(solve->tree); axis++)
    point[axis] = lower[axis] + side / 2;
  const double x = point[0];
  point[0] = exchange ? point[1] : -x;
  point[1] = exchange ? x : point[1];
  return tac_fmm_tree_find(solve->tree, point);
}

/* Three levels of leaves around the middle, which mirror images and exchanges of axes leave as they are. */
static int refine_middle(void *context, int level, const double *lower, double side) {
  const int dim = *(const int *)context;
  double distance = 0;
  for (int axis = 0; axis < dim; axis++)
    distance = fmax(distance, fabs(lower[axis] + side / 2));
  return level < 4 && distance < (level < 3 ? 0.3 : 0.1);
}

/* A mirrored density gives the mirrored potential, one with axes exchanged the exchanged one: with both, quarter turns. */
START_TEST(potential_turns_with_the_density) {
  uint64_t state = random_seed();
  int dim = dims[_i / 2 % 2];
  const int exchange = _i % 2, adaptive = _i / 4, order = 3;
  const struct tac_fmm_tree_options tree = solve_tree_options(dim, order, adaptive ? 2 : 3);
  const struct tac_fmm_plan_options plan = solve_plan_options(1e-6, TAC_FMM_PATH_AUTO);
  struct solve solve;
  struct tac_fmm_tree *made;
  if (adaptive)
    ck_assert_int_eq(tac_fmm_tree_create_refined(&made, &tree, refine_middle, &dim, NULL), TAC_STATUS_OK);
  else
    ck_assert_int_eq(tac_fmm_tree_create(&made, &tree, NULL, NULL, NULL), TAC_STATUS_OK);
  ck_assert_int_eq(tac_fmm_tree_list_sizes(made).list3 > 0, adaptive);
  solve_plan(&solve, made, &plan);
  solve_fill(&solve, solve_random_density, &state);
  struct tac_scheduler *scheduler = solve_scheduler("serial", 1, TAC_LEVEL_OFF);
  solve_run(&solve, scheduler);
  const size_t nodes = dim == 3 ? 27 : 9;
  double *density = malloc(solve.points * sizeof *density), *before = malloc(solve.points * sizeof *before);
  ck_assert(density && before);
  memcpy(before, solve.field[0], solve.points * sizeof *before);
  for (size_t leaf = 0; leaf < tac_fmm_tree_leaves(solve.tree); leaf++)
    for (size_t node = 0; node < nodes; node++)
      density[image_leaf(&solve, leaf, exchange) * nodes + image_node(order, node, exchange)] =
          solve.density[leaf * nodes + node];
  memcpy(solve.density, density, solve.points * sizeof *density);
  solve_run(&solve, scheduler);
  for (size_t leaf = 0; leaf < tac_fmm_tree_leaves(solve.tree); leaf++)
    for (size_t node = 0; node < nodes; node++)
      ck_assert_double_eq_tol(solve.field[0][image_leaf(&solve, leaf, exchange) * nodes + image_node(order, node, exchange)],
                              before[leaf * nodes + node], 1e-12);
  free(density);
  free(before);
  tac_scheduler_destroy(&scheduler);
  solve_free(&solve);
}
END_TEST

/* Phases stand in the profile in the order in which they run; one that the plan does not have was never entered. */
START_TEST(profile_names_all_phases) {
  const struct solve_case c = {.dim = 2, .exponent = 40};
  const struct tac_fmm_tree_options tree = solve_tree_options(2, 4, 4);
  const struct tac_fmm_plan_options plan = solve_plan_options(1e-3, TAC_FMM_PATH_AUTO);
  struct solve solve;
  solve_case(&solve, &c, &tree, &plan);
  struct tac_scheduler *scheduler = solve_scheduler("threads", 2, TAC_LEVEL_COARSE);
  struct tac_recorder_options options;
  tac_recorder_options_init(&options);
  options.events = &tac_fmm_events;
  struct tac_recorder *recorder;
  struct tac_phase_profile *profile;
  ck_assert_int_eq(tac_recorder_create(&recorder, &options, NULL), TAC_STATUS_OK);
  ck_assert_int_eq(tac_phase_profile_create(&profile, NULL, NULL), TAC_STATUS_OK);
  ck_assert_int_eq(tac_fmm_evaluate_measured(solve.plan, scheduler, solve.density, solve.field, recorder, NULL), TAC_STATUS_OK);
  ck_assert_int_eq(tac_fmm_profile(profile, recorder, NULL), TAC_STATUS_OK);
  ck_assert_uint_eq(tac_phase_profile_count(profile), TAC_FMM_PHASES);
  for (int i = 0; i < TAC_FMM_PHASES; i++) {
    const struct tac_phase phase = tac_phase_profile_at(profile, (size_t)i);
    ck_assert_str_eq(phase.name, tac_fmm_phases[i]);
    const int split = i == TAC_FMM_EVENT_SPLIT_CORRECTION - 1;
    ck_assert_int_eq(phase.calls > 0, !split);
    ck_assert(!split || phase.total_ns == 0);
  }
  const struct tac_event_stats solve_stats = tac_recorder_stats(recorder, TAC_FMM_EVENT_SOLVE);
  ck_assert_int_le(tac_phase_profile_total_ns(profile), solve_stats.total_ns);
  tac_phase_profile_destroy(&profile);
  tac_recorder_destroy(&recorder);
  tac_scheduler_destroy(&scheduler);
  solve_free(&solve);
}
END_TEST

int main(void) {
  TCase *cases = tcase_create("evaluate");
  tcase_set_timeout(cases, 300);
  tcase_add_loop_test(cases, plane_errors_follow_the_table, 0, sizeof table / sizeof *table);
  tcase_add_test(cases, space_errors_follow_the_order);
  tcase_add_loop_test(cases, adaptive_trees_meet_the_tolerance, 0, 2);
  tcase_add_loop_test(cases, kernels_meet_the_tolerance_by_both_near_fields, 0, sizeof kernels / sizeof *kernels);
  tcase_add_loop_test(cases, paths_agree, 0, 2);
  tcase_add_loop_test(cases, bits_do_not_depend_on_lanes_or_levels, 0, 2);
  tcase_add_loop_test(cases, potential_is_symmetric_and_linear, 0, 2);
  tcase_add_loop_test(cases, potential_turns_with_the_density, 0, 8);
  tcase_add_test(cases, profile_names_all_phases);
  return run_cases("evaluate", cases);
}
