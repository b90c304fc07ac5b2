/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
/* The constant kernel through every phase: all operators are replaced by those of G = 1, so that every node must receive the
 * total charge, each leaf's exactly once. */
#include <math.h>
#include <stdlib.h>

#include "apps/fmm/plan.h"
#include "tests/fmm/random_tree.h"
#include "tests/fmm/solve.h"
#include "tests/unit/suite.h"

enum { TREES = 100 };

/* G = 1 sees the integral of a density alone, which is its first coefficient, and is constant at the nodes: the first local
 * coefficient, or every entry of the class without odd axes. */
static void fill(const struct tac_fmm_plan *plan, enum tac_plain_kind kind, struct tac_plain_operator *op) {
  const int to_nodes = kind <= TAC_PLAIN_COARSER_SPLIT || kind == TAC_PLAIN_M2P || kind == TAC_PLAIN_L2P;
  const int rows = to_nodes ? plan->space.class_begin[1] : 1;
  double *matrix = calloc((size_t)op->targets * (size_t)op->sources, sizeof *matrix);
  ck_assert_ptr_nonnull(matrix);
  for (int i = 0; i < rows; i++)
    matrix[i] = 1;
  tac_gemm_pack(plan->kernel, op->targets, op->sources, matrix, (size_t)op->targets, op->matrix[0]);
  free(matrix);
}

static void make_constant(struct tac_fmm_plan *plan) {
  for (int kind = 0; kind < TAC_PLAIN_KINDS; kind++)
    for (int level = 0; level < TAC_FMM_MAX_LEVELS; level++)
      for (int index = 0; index < 64; index++) {
        struct tac_plain_operator *op = plan->plain[kind][level][index];
        if (op)
          fill(plan, (enum tac_plain_kind)kind, op);
      }
}

static void check_tree(int dim, uint64_t *state) {
  struct tac_fmm_tree_options options;
  tac_fmm_tree_options_init(&options);
  options.dim = dim;
  options.order = 2;
  struct tac_fmm_plan_options plan_options;
  tac_fmm_plan_options_init(&plan_options);
  plan_options.path = TAC_FMM_PATH_PLAIN;
  plan_options.eps = 0.1;
  struct solve solve;
  solve_plan(&solve, random_tree(&options, dim == 3 ? 4 : 6, dim == 3 ? 200 : 150, state), &plan_options);
  make_constant(solve.plan);
  double total = 0;
  const size_t nodes = dim == 3 ? 8 : 4, leaves = tac_fmm_tree_leaves(solve.tree);
  for (size_t leaf = 0; leaf < leaves; leaf++) {
    double side;
    tac_fmm_tree_leaf(solve.tree, leaf, NULL, &side, NULL);
    const double charge = random_next(state);
    total += charge;
    for (size_t i = 0; i < nodes; i++) /* the working coefficients carry the square of the side */
      solve.density[leaf * nodes + i] = charge / (side * side);
  }
  struct tac_scheduler *scheduler = solve_scheduler("serial", 1, TAC_LEVEL_OFF);
  solve_run(&solve, scheduler);
  for (size_t i = 0; i < solve.points; i++)
    ck_assert_double_eq_tol(solve.field[0][i], total, 1e-12 * total);
  tac_scheduler_destroy(&scheduler);
  solve_free(&solve);
}

START_TEST(every_leaf_reaches_every_node_once) {
  uint64_t state = random_seed();
  for (int i = 0; i < TREES; i++)
    check_tree(_i, &state);
}
END_TEST

int main(void) {
  TCase *cases = tcase_create("completeness");
  tcase_set_timeout(cases, 300);
  tcase_add_loop_test(cases, every_leaf_reaches_every_node_once, 2, 4);
  return run_cases("completeness", cases);
}
