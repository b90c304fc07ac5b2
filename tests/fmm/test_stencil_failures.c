/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
/* Stencils without memory, without a matrix and of matrices that are not finite. */
#include <math.h>
#include <string.h>

#include "runtime/arena.h"
#include "tests/fmm/stencil_problem.h"
#include "tests/unit/counting_allocator.h"
#include "tests/unit/suite.h"

/* Each allocation of a creation refused in turn, and each matrix: the status, no leak, nothing returned. */
START_TEST(creation_bears_lack_of_memory) {
  seed(5);
  struct problem problem;
  problem_create(&problem, 2, TAC_REACH_ALL, 0, leaf_sizes, leaf_sizes, 1);
  const double tolerance = _i ? 1e-12 : 0;
  size_t left = 0;
  enum tac_status status = TAC_STATUS_MEMORY;
  for (; status != TAC_STATUS_OK; left++) {
    struct counting counting = COUNTING_INIT;
    counting.left = left;
    const struct tac_allocator allocator = COUNTING_ALLOCATOR(&counting);
    struct tac_stencil *stencil = NULL;
    struct tac_error error = {0};
    status = tac_stencil_create(&stencil, &problem.shape, give_matrix, &problem, tolerance, &allocator, &error);
    ck_assert_int_eq(status, error.status);
    ck_assert(status == TAC_STATUS_MEMORY || status == TAC_STATUS_OK);
    ck_assert((stencil != NULL) == (status == TAC_STATUS_OK));
    tac_stencil_destroy(&stencil);
    ck_assert_uint_eq(counting.allocated, counting.released);
  }
  ck_assert_uint_gt(left, 10);
  for (int call = 0; call < 4; call++) {
    struct counting counting = COUNTING_INIT;
    const struct tac_allocator allocator = COUNTING_ALLOCATOR(&counting);
    struct tac_stencil *stencil = NULL;
    problem.calls = 0;
    problem.fail_at = call;
    ck_assert_int_eq(tac_stencil_create(&stencil, &problem.shape, give_matrix, &problem, tolerance, &allocator, NULL),
                     TAC_STATUS_NUMERICAL);
    ck_assert_ptr_null(stencil);
    ck_assert_uint_eq(counting.allocated, counting.released);
  }
  problem_destroy(&problem);
}
END_TEST

START_TEST(operators_must_be_finite) {
  struct problem problem;
  problem_create(&problem, 3, TAC_REACH_NEIGHBOURS, 0, leaf_sizes, leaf_sizes, 1);
  problem.stored[5][77] = _i ? INFINITY : NAN;
  for (int factored = 0; factored < 2; factored++) {
    struct tac_stencil *stencil = NULL;
    struct tac_error error = {0};
    ck_assert_int_eq(tac_stencil_create(&stencil, &problem.shape, give_matrix, &problem, factored ? 1e-6 : 0, NULL, &error),
                     TAC_STATUS_NUMERICAL);
    ck_assert_ptr_nonnull(strstr(error.text, "not finite"));
    ck_assert_ptr_null(stencil);
  }
  problem_destroy(&problem);
}
END_TEST

START_TEST(apply_bears_lack_of_memory) {
  seed(6);
  struct problem problem;
  problem_create(&problem, 3, TAC_REACH_ALL, 0, leaf_sizes, leaf_sizes, 0);
  struct tac_stencil *stencil = stencil_of(&problem, 0);
  struct vectors v;
  vectors_create(&v, &problem, 30, 0);
  enum tac_status status = TAC_STATUS_MEMORY;
  for (size_t left = 1; status != TAC_STATUS_OK; left++) {
    struct counting counting = COUNTING_INIT;
    counting.left = left;
    const struct tac_allocator allocator = COUNTING_ALLOCATOR(&counting);
    struct tac_arena *arena = NULL;
    struct tac_error error = {0};
    ck_assert_int_eq(tac_arena_create(&arena, &allocator, NULL), TAC_STATUS_OK);
    status = tac_stencil_apply(stencil, v.count, v.from, v.to, arena, &error);
    ck_assert_int_eq(status, error.status);
    ck_assert(status == TAC_STATUS_OK || status == TAC_STATUS_MEMORY);
    tac_arena_destroy(&arena);
    ck_assert_uint_eq(counting.allocated, counting.released);
  }
  vectors_destroy(&v);
  tac_stencil_destroy(&stencil);
  problem_destroy(&problem);
}
END_TEST

int main(void) {
  TCase *cases = tcase_create("stencil_failures");
  tcase_set_timeout(cases, 120);
  tcase_add_loop_test(cases, creation_bears_lack_of_memory, 0, 2);
  tcase_add_loop_test(cases, operators_must_be_finite, 0, 2);
  tcase_add_test(cases, apply_bears_lack_of_memory);
  return run_cases("stencil_failures", cases);
}
