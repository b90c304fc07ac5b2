/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/fmm/plan.h"

#include <math.h>

#include "tests/fmm/solve.h"
#include "tests/unit/suite.h"

/* Stencils are made where they pay for themselves. */

static void solve_levels(struct solve *out, const struct solve_case *c, int levels, enum tac_fmm_path path) {
  struct tac_fmm_tree_options tree;
  struct tac_fmm_plan_options plan;
  tac_fmm_tree_options_init(&tree);
  tac_fmm_plan_options_init(&plan);
  tree.dim = c->dim;
  tree.order = 4;
  tree.levels = levels;
  plan.eps = 1e-4;
  plan.kernel = c->kernel;
  plan.path = path;
  solve_case(out, c, &tree, &plan);
}

static const struct solve_case yukawa = {3, {TAC_FMM_YUKAWA, 2}, 100, {0.11, -0.2, 0.05}},
                               laplace = {2, {TAC_FMM_LAPLACE, 0}, 300, {0.11, -0.2, 0}};

/* 64 boxes of level 2 go offset by offset, unless stencils are asked for; the answers agree to the accuracy. */
START_TEST(few_boxes_do_without) {
  struct solve automatic, paired;
  solve_levels(&automatic, &yukawa, 2, TAC_FMM_PATH_AUTO);
  solve_levels(&paired, &yukawa, 2, TAC_FMM_PATH_PAIRED);
  ck_assert_ptr_null(automatic.plan->operators[2].m2l[0]);
  ck_assert_ptr_nonnull(paired.plan->operators[2].m2l[0]);
  double largest = 0, difference = 0;
  for (size_t i = 0; i < paired.points; i++) {
    largest = fmax(largest, fabs(paired.field[0][i]));
    difference = fmax(difference, fabs(paired.field[0][i] - automatic.field[0][i]));
  }
  ck_assert_double_gt(largest, 0.1);
  ck_assert_double_lt(difference, 1e-4 * largest);
  solve_free(&automatic);
  solve_free(&paired);
}
END_TEST

START_TEST(many_boxes_have_stencils) {
  struct solve automatic;
  solve_levels(&automatic, &laplace, 7, TAC_FMM_PATH_AUTO);
  ck_assert_ptr_null(automatic.plan->operators[2].m2l[0]);
  ck_assert_ptr_nonnull(automatic.plan->operators[7].m2l[0]);
  solve_free(&automatic);
}
END_TEST

int main(void) {
  TCase *cases = tcase_create("worth");
  tcase_set_timeout(cases, 120);
  tcase_add_test(cases, few_boxes_do_without);
  tcase_add_test(cases, many_boxes_have_stencils);
  return run_cases("worth", cases);
}
