/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
/* What a plan accepts, refuses and foretells. */
#include <math.h>
#include <string.h>

#include "tests/fmm/random_tree.h"
#include "tests/fmm/solve.h"
#include "tests/unit/suite.h"

static const int dims[] = {2, 3};

/* A box without neighbours, of every order and both bases; two levels; half of the domain empty. */
START_TEST(small_problems_work) {
  const int dim = dims[_i];
  for (int order = 2; order <= (dim == 3 ? 9 : TAC_FMM_MAX_ORDER); order++)
    for (int basis = 0; basis < 2; basis++)
      for (int levels = 0; levels < (order < 5 ? 2 : 1); levels++) {
        struct tac_fmm_tree_options tree = solve_tree_options(dim, order, levels);
        tree.basis = (enum tac_fmm_basis)basis;
        const struct tac_fmm_plan_options plan = solve_plan_options(1e-6, TAC_FMM_PATH_AUTO);
        const struct solve_case c = {.dim = dim, .exponent = 1, .center = {0.2, 0.1, 0}};
        struct solve solve;
        solve_case(&solve, &c, &tree, &plan);
        for (size_t i = 0; i < solve.points; i++)
          ck_assert(isfinite(solve.field[0][i]) && solve.field[0][i] > 0);
        solve_free(&solve);
      }
}
END_TEST

START_TEST(densities_that_are_not_finite_are_refused) {
  uint64_t state = random_seed();
  struct tac_fmm_tree_options tree = solve_tree_options(2, 4, 3);
  tree.side = 1e10; /* so that a finite density can have an infinite potential */
  const struct tac_fmm_plan_options plan = solve_plan_options(1e-6, TAC_FMM_PATH_AUTO);
  struct solve solve;
  struct tac_fmm_tree *made;
  ck_assert_int_eq(tac_fmm_tree_create(&made, &tree, NULL, NULL, NULL), TAC_STATUS_OK);
  solve_plan(&solve, made, &plan);
  struct tac_scheduler *scheduler = solve_scheduler("threads", 2, TAC_LEVEL_OFF);
  struct tac_error error;
  const double bad[] = {NAN, INFINITY, -INFINITY};
  for (int k = 0; k < 3; k++) {
    solve_fill(&solve, solve_random_density, &state);
    solve.density[37 * 16 + 5] = bad[k];
    ck_assert_int_eq(tac_fmm_evaluate(solve.plan, scheduler, solve.density, solve.field, &error), TAC_STATUS_INVALID);
    ck_assert_str_eq(error.where, "density");
    ck_assert_ptr_nonnull(strstr(error.text, "leaf 37"));
  }
  solve_fill(&solve, solve_random_density, &state);
  for (size_t i = 0; i < solve.points; i++)
    solve.density[i] = 1e300;
  ck_assert_int_eq(tac_fmm_evaluate(solve.plan, scheduler, solve.density, solve.field, &error), TAC_STATUS_NUMERICAL);
  ck_assert_ptr_nonnull(strstr(error.text, "box"));
  tac_scheduler_destroy(&scheduler);
  solve_free(&solve);
}
END_TEST

/* The limit for waves is named before smaller leaves are asked for, which would not help. */
START_TEST(waves_too_short_are_refused) {
  const struct tac_fmm_tree_options options = solve_tree_options(dims[_i], 4, 2);
  struct tac_fmm_plan_options plan_opts = solve_plan_options(1e-6, TAC_FMM_PATH_AUTO);
  plan_opts.kernel = (struct tac_fmm_kernel){TAC_FMM_HELMHOLTZ, 1000};
  struct tac_fmm_tree *tree;
  struct tac_fmm_plan *plan;
  struct tac_error error;
  ck_assert_int_eq(tac_fmm_tree_create(&tree, &options, NULL, NULL, NULL), TAC_STATUS_OK);
  ck_assert_int_eq(tac_fmm_plan_create(&plan, tree, &plan_opts, &error), TAC_STATUS_INVALID);
  ck_assert_str_eq(error.where, "kernel parameter");
  plan_opts.kernel.parameter = 20;
  ck_assert_int_eq(tac_fmm_plan_create(&plan, tree, &plan_opts, &error), TAC_STATUS_INVALID);
  ck_assert_ptr_nonnull(strstr(error.text, "leaves at level"));
  tac_fmm_tree_destroy(&tree);
}
END_TEST

START_TEST(options_out_of_range_are_refused) {
  const struct tac_fmm_tree_options tree_opts = solve_tree_options(2, 4, 2);
  struct tac_fmm_tree *tree;
  ck_assert_int_eq(tac_fmm_tree_create(&tree, &tree_opts, NULL, NULL, NULL), TAC_STATUS_OK);
  const struct tac_fmm_plan_options good = solve_plan_options(1e-6, TAC_FMM_PATH_AUTO);
  struct tac_fmm_plan_options bad[12];
  for (int i = 0; i < 12; i++)
    bad[i] = good;
  bad[0].size = 1;
  bad[1].eps = 0;
  bad[2].eps = 1;
  bad[3].eps = NAN;
  bad[4].kernel.kind = TAC_FMM_KERNEL_KINDS;
  bad[5].kernel.kind = TAC_FMM_YUKAWA;
  bad[6].kernel = (struct tac_fmm_kernel){TAC_FMM_HELMHOLTZ, INFINITY};
  bad[7].path = (enum tac_fmm_path)3;
  bad[8].near = (enum tac_fmm_near)2;
  bad[9].split_order = 13;
  bad[10].smooth_order = -1;
  bad[11].eps = 1e-14;
  struct tac_fmm_plan *plan;
  for (int i = 0; i < 12; i++) {
    struct tac_error error;
    ck_assert_int_eq(tac_fmm_plan_create(&plan, tree, &bad[i], &error), TAC_STATUS_INVALID);
    ck_assert_ptr_null(plan);
    ck_assert(error.text[0]);
  }
  ck_assert_int_eq(tac_fmm_plan_create(&plan, NULL, &good, NULL), TAC_STATUS_INVALID);
  ck_assert_int_eq(tac_fmm_plan_create(NULL, tree, &good, NULL), TAC_STATUS_INVALID);
  tac_fmm_plan_destroy(&plan);
  tac_fmm_plan_destroy(NULL);
  tac_fmm_tree_destroy(&tree);
}
END_TEST

/* Memory is foretold from above, and within a small factor. */
START_TEST(memory_is_predicted) {
  for (int kind = 0; kind < TAC_FMM_KERNEL_KINDS; kind++)
    for (int path = TAC_FMM_PATH_AUTO; path <= TAC_FMM_PATH_PLAIN; path++) {
      const struct solve_case c = {.dim = dims[_i], .exponent = 300, .center = {0.11, -0.07, 0.05}};
      struct tac_fmm_tree_options tree = solve_tree_options(c.dim, c.dim == 3 ? 4 : 8, path == TAC_FMM_PATH_AUTO ? -1 : 3);
      struct tac_fmm_plan_options plan = solve_plan_options(1e-3, (enum tac_fmm_path)path);
      tree.tolerance = 0.1;
      plan.kernel = (struct tac_fmm_kernel){(enum tac_fmm_kernel_kind)kind, 3};
      plan.gradient = path == TAC_FMM_PATH_AUTO;
      struct solve solve;
      solve_case(&solve, &c, &tree, &plan);
      const double predicted = (double)tac_fmm_plan_predict_bytes(solve.tree, &plan);
      const double held = (double)tac_fmm_plan_info(solve.plan).bytes;
      ck_assert_double_ge(predicted, held);
      ck_assert_double_le(predicted, 6 * held);
      solve_free(&solve);
    }
}
END_TEST

int main(void) {
  TCase *cases = tcase_create("plan");
  tcase_set_timeout(cases, 300);
  tcase_add_loop_test(cases, small_problems_work, 0, 2);
  tcase_add_test(cases, densities_that_are_not_finite_are_refused);
  tcase_add_test(cases, options_out_of_range_are_refused);
  tcase_add_loop_test(cases, waves_too_short_are_refused, 0, 2);
  tcase_add_loop_test(cases, memory_is_predicted, 0, 2);
  return run_cases("plan", cases);
}
