/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
/* On the plain path with as many coefficients as nodes, the multiply-adds of the tiles' pairs are those that the counting rule
 * counts. */
#include <tactus/fmm/counts.h>

#include "apps/fmm/plan.h"
#include "tests/fmm/random_tree.h"
#include "tests/fmm/solve.h"
#include "tests/unit/suite.h"

static uint64_t executed(const struct tac_step *step) {
  uint64_t touches = 0;
  for (int i = 0; i < step->count; i++) {
    const struct tac_job *job = &step->jobs[i];
    for (size_t t = 0; t < job->tile_count; t++)
      for (uint32_t g = job->tiles[t].group_begin; g < job->tiles[t].group_end; g++) {
        const struct tac_tile_group *group = &job->groups[g];
        touches += (uint64_t)(group->end - group->begin) * (uint64_t)group->op->targets * (uint64_t)group->op->sources;
      }
  }
  return touches;
}

START_TEST(plain_path_runs_what_is_counted) {
  uint64_t state = random_seed();
  for (int trees = 0; trees < 10; trees++) {
    struct tac_fmm_tree_options tree;
    tac_fmm_tree_options_init(&tree);
    tree.dim = _i;
    tree.order = 3;
    tree.basis = TAC_FMM_TENSOR;
    struct tac_fmm_plan_options options;
    tac_fmm_plan_options_init(&options);
    options.path = TAC_FMM_PATH_PLAIN;
    options.eps = 1e-2;
    struct solve solve;
    solve_plan(&solve, random_tree(&tree, 4, 200, &state), &options);
    const struct tac_fmm_plan_info info = tac_fmm_plan_info(solve.plan);
    struct tac_fmm_count_input input;
    tac_fmm_count_input_init(&input, solve.tree);
    input.multipoles = input.locals = info.ranks;
    struct tac_operation_count entries[TAC_FMM_PHASES];
    struct tac_operation_counts counts;
    ck_assert_int_eq(tac_fmm_count_operations(&counts, entries, &input, NULL), TAC_STATUS_OK);
    for (int i = 0; i < TAC_FMM_PHASES; i++) {
      ck_assert(entries[i].operations_known);
      ck_assert_uint_eq(executed(&solve.plan->step[i]), entries[i].operations);
    }
    solve_free(&solve);
  }
}
END_TEST

int main(void) {
  TCase *cases = tcase_create("touches");
  tcase_set_timeout(cases, 120);
  tcase_add_loop_test(cases, plain_path_runs_what_is_counted, 2, 4);
  return run_cases("touches", cases);
}
