/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <tactus/measure/cost_model.h>
#include <tactus/measure/recorder.h>

#include <string.h>

#include "apps/fmm/plan.h"
#include "tests/fmm/solve.h"
#include "tests/unit/suite.h"

/* Sharp enough for leaves of several levels. */
static const struct solve_case peak = {.dim = 2, .kernel = {TAC_FMM_LAPLACE, 0}, .exponent = 800, .center = {0.11, -0.07}};

static struct tac_fmm_tree_options adaptive_tree(void) {
  struct tac_fmm_tree_options options = solve_tree_options(2, 6, 0);
  options.levels = -1;
  options.tolerance = 1e-6;
  return options;
}

static void solve_with(struct solve *out, const struct tac_cost_model *costs, enum tac_fmm_path path) {
  const struct tac_fmm_tree_options tree = adaptive_tree();
  struct tac_fmm_plan_options options = solve_plan_options(1e-6, path);
  options.costs = costs;
  solve_case(out, &peak, &tree, &options);
}

/* A multiply-add of every entry of an operator's matrices, and an addition of every value to the target, for each pair. */
static double flops_of_pairs(const struct tac_job *job, const struct tac_tile *tile) {
  double flops = 0;
  for (uint32_t g = tile->group_begin; g < tile->group_end; g++) {
    const struct tac_tile_group *group = &job->groups[g];
    for (uint32_t pair = group->begin; pair < group->end; pair++)
      for (int field = 0; field < job->fields; field++)
        if (group->op->matrix[field])
          flops += 2.0 * group->op->sources * group->op->targets + group->op->targets;
  }
  return flops;
}

static double flops_of_stencils(const struct tac_job *job, const struct tac_tile *tile) {
  double flops = 0;
  for (int field = 0; tile->stencil && field < job->fields; field++)
    flops += tile->stencil[field] ? tile->count * tac_stencil_flops(tile->stencil[field]) : 0;
  return flops;
}

/* Operations of a phase are those of its tiles, stencil and pairs together. */
START_TEST(flops_are_those_of_the_plan) {
  for (int path = TAC_FMM_PATH_AUTO; path <= TAC_FMM_PATH_PLAIN; path++) {
    struct solve solve;
    solve_with(&solve, NULL, (enum tac_fmm_path)path);
    const struct tac_fmm_plan_info info = tac_fmm_plan_info(solve.plan);
    ck_assert_int_gt(tac_fmm_tree_levels(solve.tree), 4);
    double stencils = 0, pairs = 0;
    for (int phase = 0; phase < TAC_FMM_PHASES; phase++) {
      double flops = 0;
      for (int k = 0; k < solve.plan->step[phase].count; k++) {
        const struct tac_job *job = &solve.plan->step[phase].jobs[k];
        for (size_t i = 0; i < job->tile_count; i++) {
          double v[TAC_COST_TERMS_MAX];
          tac_tile_terms.values(job, i, v);
          ck_assert(v[0] == flops_of_stencils(job, &job->tiles[i]));
          ck_assert(v[2] == flops_of_pairs(job, &job->tiles[i]));
          ck_assert(v[0] + v[2] == job->tiles[i].flops);
          ck_assert(tac_tile_cost(job, i) == job->tiles[i].flops);
          ck_assert(v[7] == 1);
          ck_assert_int_eq(v[2] > 0, v[4] > 0);
          flops += v[0] + v[2];
          stencils += v[0];
          pairs += v[2];
        }
      }
      ck_assert_double_eq_tol(flops, info.flops[phase], 1e-9 * flops + 1e-300);
    }
    ck_assert_int_eq(stencils > 0, path != TAC_FMM_PATH_PLAIN);
    ck_assert(pairs > 0);
    solve_free(&solve);
  }
}
END_TEST

static const struct tac_term_cost tile[] = {{"tile", 1e-6}}, near_terms[] = {{"stencil flops", 3e-10}, {"tile", 2e-6}};
static const struct tac_event_costs flat_events[] = {{"far_multipole_to_local", 1, tile, 1, 0},
                                                     {"nearfield_table_apply", 2, near_terms, 1, 0},
                                                     {"far_eval_locals", 1, tile, 1, 0}};
static const struct tac_cost_model flat = {.program = "anything", .events = 3, .event = flat_events};

START_TEST(costs_change_the_order_only) {
  struct solve without, with;
  solve_with(&without, NULL, TAC_FMM_PATH_AUTO);
  solve_with(&with, &flat, TAC_FMM_PATH_AUTO);
  ck_assert_int_eq(memcmp(without.field[0], with.field[0], without.points * sizeof(double)), 0);
  struct tac_scheduler *scheduler = solve_scheduler("threads", 2, TAC_OFF);
  solve_run(&with, scheduler);
  tac_scheduler_destroy(&scheduler);
  ck_assert_int_eq(memcmp(without.field[0], with.field[0], without.points * sizeof(double)), 0);
  const struct tac_job *m2l = &with.plan->step[TAC_FMM_EVENT_MULTIPOLE_TO_LOCAL - 1].jobs[0];
  const struct tac_job *m2m = &with.plan->step[TAC_FMM_EVENT_COARSEN_MULTIPOLES - 1].jobs[0];
  ck_assert_uint_gt(m2l->tile_count, 1);
  for (size_t i = 0; i < m2l->tile_count; i++)
    ck_assert(tac_tile_cost(m2l, i) == 1e-6);
  ck_assert(tac_tile_cost(m2m, 0) == m2m->tiles[0].flops); /* the model has nothing on it */
  const struct tac_job *near = &with.plan->step[TAC_FMM_EVENT_TABLE_APPLY - 1].jobs[0];
  double v[TAC_COST_TERMS_MAX];
  tac_tile_terms.values(near, 0, v);
  ck_assert_double_eq_tol(tac_tile_cost(near, 0), 3e-10 * v[0] + 2e-6, 1e-18);
  solve_free(&without);
  solve_free(&with);
}
END_TEST

START_TEST(a_recorder_is_told_the_terms) {
  struct solve solve;
  struct tac_recorder_options recording;
  struct tac_recorder *recorder;
  solve_with(&solve, NULL, TAC_FMM_PATH_AUTO);
  tac_recorder_options_init(&recording);
  recording.events = &tac_fmm_events;
  recording.level = TAC_DETAILED;
  recording.keep_slots = 1;
  ck_assert_int_eq(tac_recorder_create(&recorder, &recording, NULL), TAC_STATUS_OK);
  struct tac_scheduler *scheduler = solve_scheduler("serial", 1, TAC_DETAILED);
  ck_assert_int_eq(tac_fmm_evaluate_measured(solve.plan, scheduler, solve.density, solve.field, recorder, NULL), TAC_STATUS_OK);
  ck_assert_uint_gt(tac_recorder_batch_count(recorder), 8);
  for (size_t b = 0; b < tac_recorder_batch_count(recorder); b++) {
    const struct tac_cost_terms *terms;
    tac_recorder_terms(recorder, b, &terms);
    ck_assert(tac_recorder_batch(recorder, b)->requested == 0 || terms == &tac_tile_terms);
  }
  for (int phase = 0; phase < TAC_FMM_PHASES; phase++)
    ck_assert_str_eq(tac_fmm_cost_terms[phase].event, tac_fmm_phases[phase]);
  tac_scheduler_destroy(&scheduler);
  tac_recorder_destroy(&recorder);
  solve_free(&solve);
}
END_TEST

START_TEST(foreign_costs_are_refused) {
  const struct tac_term_cost wrong = {"n^4", 1};
  const struct tac_event_costs events[] = {{"far_eval_locals", 1, &wrong, 1, 0}, {"SVD batch", 1, tile, 1, 0}};
  const struct tac_fmm_tree_options tree_options = solve_tree_options(2, 4, 1);
  struct tac_fmm_plan_options options = solve_plan_options(1e-6, TAC_FMM_PATH_AUTO);
  struct solve_case c = peak;
  struct tac_fmm_tree *tree;
  ck_assert_int_eq(tac_fmm_tree_create(&tree, &tree_options, solve_density_fn, &c, NULL), TAC_STATUS_OK);
  for (int i = 0; i < 2; i++) {
    const struct tac_cost_model model = {.program = "p", .events = 1, .event = &events[i]};
    struct tac_fmm_plan *plan;
    struct tac_error error;
    options.costs = &model;
    ck_assert_int_eq(tac_fmm_plan_create(&plan, tree, &options, &error), TAC_STATUS_INVALID);
    ck_assert_ptr_nonnull(strstr(error.text, i ? "SVD batch" : "n^4"));
    ck_assert_ptr_null(plan);
  }
  tac_fmm_tree_destroy(&tree);
}
END_TEST

int main(void) {
  TCase *cases = tcase_create("costs");
  tcase_set_timeout(cases, 600);
  tcase_add_test(cases, flops_are_those_of_the_plan);
  tcase_add_test(cases, costs_change_the_order_only);
  tcase_add_test(cases, a_recorder_is_told_the_terms);
  tcase_add_test(cases, foreign_costs_are_refused);
  return run_cases("costs", cases);
}
