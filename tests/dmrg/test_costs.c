/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <tactus/measure/cost_model.h>
#include <tactus/measure/recorder.h>

#include <string.h>

#include "tests/dmrg/chain.h"
#include "tests/unit/suite.h"

enum { SWEEPS = 14 };

static struct chain chain;

/* Costs that know nothing but the number of items: every batch starts by index. */
static const struct tac_term_cost center[] = {{"product", 1e-6}, {"enlarged", 1e-6}}, one[] = {{"item", 1e-6}},
                                  part[] = {{"Hamiltonian", 1e-6}, {"edge", 2e-6}};
static const struct tac_event_costs flat_events[] = {{"center construction", 2, center, 1, 0},
                                                     {"effective-H application", 1, one, 1, 0},
                                                     {"SVD batch", 1, one, 1, 0},
                                                     {"factor materialization", 1, one, 1, 0},
                                                     {"environment update", 2, part, 1, 0}};
static const struct tac_cost_model flat = {.program = "anything", .events = 5, .event = flat_events};

/* By hand: a bond in the middle of 6 spins, and its blocks' shapes. */
START_TEST(terms_of_a_bond) {
  chain_init(&chain, 6);
  chain_create(&chain);
  chain_sweeps(&chain, 2);
  chain_center(&chain, 2, 1);
  struct tac_bond *bond = &chain.environments->bond;
  double v[TAC_COST_TERMS_MAX];
  ck_assert_int_gt(bond->blocks, 1);
  ck_assert_int_eq(tac_center_plan(bond, NULL), TAC_STATUS_OK);
  ck_assert_int_eq(tac_apply_plan(bond, NULL), TAC_STATUS_OK);
  for (int i = 0; i < bond->blocks; i++) {
    const double m = bond->block[i].rows, n = bond->block[i].columns, r = m < n ? m : n;
    tac_center_terms.values(bond, 3 * (size_t)i, v);
    ck_assert(v[0] == m * n * r && v[1] == m * n && v[2] == 1 && v[3] == 0 && v[4] == 0);
    tac_center_terms.values(bond, 3 * (size_t)i + 1, v);
    ck_assert(v[0] == 0 && v[1] == 0 && v[2] == 0 && v[3] == m * m && v[4] == 1);
    tac_center_terms.values(bond, 3 * (size_t)i + 2, v);
    ck_assert(v[3] == n * n && v[4] == 1);
    tac_apply_terms.values(bond, (size_t)i, v); /* so few columns are one group */
    ck_assert(v[0] == m * n * (m + n) && v[1] == m * n && v[2] == 1);
    ck_assert(2 * v[0] == bond->apply_tasks.task[i].cost);
  }
  chain_destroy(&chain);
}
END_TEST

/* A block goes through one method, whose terms alone are set; small ones through an SVD whatever is asked. */
START_TEST(terms_of_a_split_are_of_its_method) {
  chain_init(&chain, 14);
  chain.options.max_states = 100;
  chain_create(&chain);
  chain_sweeps(&chain, 8);
  struct tac_bond *bond = &chain.environments->bond;
  chain_stop_after(&chain, 6);
  int seen[3] = {0};
  for (enum tac_split_method method = TAC_SPLIT_FULL; method <= TAC_SPLIT_WARM; method++) {
    ck_assert_int_eq(tac_split_plan(bond, method, NULL), TAC_STATUS_OK);
    for (int i = 0; i < bond->blocks; i++) {
      double v[TAC_COST_TERMS_MAX];
      const double m = bond->block[i].rows, n = bond->block[i].columns, r = m < n ? m : n;
      tac_split_terms.values(bond, (size_t)i, v);
      const int used = v[0] > 0 ? 0 : v[2] > 0 ? 1 : 2;
      ck_assert_int_eq((v[0] > 0) + (v[2] > 0) + (v[4] > 0), 1);
      ck_assert(used == 0 || used == (int)method);
      ck_assert(v[6] == m * n && v[7] == 1);
      ck_assert(used != 0 || (v[0] == m * n * r && v[1] == r * r * r));
      /* The near side is that of the rows where the sweep goes right. */
      ck_assert(used != 1 ||
                (bond->direction > 0 ? v[2] == m * m * n && v[3] == m * m * m : v[2] == m * n * n && v[3] == n * n * n));
      ck_assert(used != 2 || v[4] <= m * n * r);
      ck_assert(method != TAC_SPLIT_GRAM || used == (r > 24));
      seen[used]++;
    }
  }
  ck_assert(seen[0] > 0 && seen[1] > 0 && seen[2] > 0);
  chain_destroy(&chain);
}
END_TEST

struct outcome {
  struct tac_dmrg_sweep_summary summary[SWEEPS];
  uint64_t state, batches, inlined, reordered;
};

/* Batches whose costs the recorder has in another order than the multiplications'. */
static uint64_t count_reordered(const struct tac_recorder *recorder) {
  uint64_t count = 0;
  for (size_t b = 0; b < tac_recorder_batch_count(recorder); b++) {
    size_t items;
    const double *costs = tac_recorder_costs(recorder, b);
    ck_assert_ptr_nonnull(tac_recorder_slots(recorder, b, &items));
    for (size_t i = 1; i < items; i++)
      if (costs[i] > costs[i - 1]) {
        count++;
        break;
      }
  }
  return count;
}

static struct tac_recorder *detailed_recorder(void) {
  struct tac_recorder_options options;
  struct tac_recorder *recorder;
  tac_recorder_options_init(&options);
  options.events = &tac_dmrg_events;
  options.level = TAC_DETAILED;
  options.keep_slots = 1;
  ck_assert_int_eq(tac_recorder_create(&recorder, &options, NULL), TAC_STATUS_OK);
  return recorder;
}

static struct outcome run(const struct tac_cost_model *costs, int lanes, int exact) {
  struct outcome outcome;
  memset(&outcome, 0, sizeof outcome);
  chain_init(&chain, 20);
  chain.options.max_states = 48;
  chain.options.decomposition = exact ? TAC_DMRG_EXACT : TAC_DMRG_GUARDED;
  chain.options.costs = costs;
  chain.scheduling.executor = "threads";
  chain.scheduling.executor_options.lanes = lanes;
  chain.scheduling.level = TAC_DETAILED;
  chain_create(&chain);
  struct tac_recorder *recorder = detailed_recorder();
  for (int i = 0; i < SWEEPS; i++) {
    ck_assert_int_eq(tac_dmrg_sweep_measured(chain.state, chain.environments, chain.scheduler, &chain.options, &chain.summary,
                                             recorder, &chain.error),
                     TAC_STATUS_OK);
    outcome.summary[i] = chain.summary;
  }
  for (int event = 0; event < TAC_DMRG_EVENT_COUNT; event++) {
    outcome.batches += tac_recorder_summary(recorder, event).batches;
    outcome.inlined += tac_recorder_summary(recorder, event).ran_inline;
  }
  outcome.reordered = count_reordered(recorder);
  outcome.state = chain_fingerprint(chain.state);
  tac_recorder_destroy(&recorder);
  chain_destroy(&chain);
  return outcome;
}

static void assert_same(const struct tac_dmrg_sweep_summary *a, const struct tac_dmrg_sweep_summary *b) {
  ck_assert_double_eq(a->energy, b->energy);
  ck_assert_double_eq(a->energy_ritz, b->energy_ritz);
  ck_assert_double_eq(a->max_discarded, b->max_discarded);
  ck_assert_double_eq(a->max_residual, b->max_residual);
  ck_assert_uint_eq(a->products, b->products);
  ck_assert_uint_eq(a->warm_bonds, b->warm_bonds);
  ck_assert_uint_eq(a->gram_bonds, b->gram_bonds);
}

/* The order is another one, everything else is the same to the last bit: results, and which batches run inline. */
START_TEST(costs_change_the_order_only) {
  const struct outcome without = run(NULL, 2, _i);
  const struct outcome with = run(&flat, 2, _i), serial = run(&flat, 1, _i);
  for (int i = 0; i < SWEEPS; i++) {
    assert_same(&without.summary[i], &with.summary[i]);
    assert_same(&without.summary[i], &serial.summary[i]);
  }
  ck_assert(without.state == with.state && without.state == serial.state);
  ck_assert_uint_eq(without.batches, with.batches);
  ck_assert_uint_eq(without.inlined, with.inlined);
  ck_assert_uint_gt(without.batches, without.inlined);
  ck_assert_uint_gt(without.reordered, with.reordered);
}
END_TEST

/* The costs that a recorder keeps are the model's seconds for the terms beside them. */
START_TEST(costs_are_predicted_seconds) {
  static const struct tac_term_cost product[] = {{"m*w", 3e-9}, {"m*w*(m+n)", 2e-10}, {"item", 1e-6}};
  static const struct tac_event_costs event = {"effective-H application", 3, product, 1, 0};
  static const struct tac_cost_model model = {.program = "p", .events = 1, .event = &event};
  chain_init(&chain, 10);
  chain.options.costs = &model;
  chain.scheduling.level = TAC_DETAILED;
  chain_create(&chain);
  struct tac_recorder *recorder = detailed_recorder();
  for (int i = 0; i < 3; i++)
    ck_assert_int_eq(tac_dmrg_sweep_measured(chain.state, chain.environments, chain.scheduler, &chain.options, &chain.summary,
                                             recorder, NULL),
                     TAC_STATUS_OK);
  int checked = 0;
  for (size_t b = 0; b < tac_recorder_batch_count(recorder); b++) {
    const struct tac_cost_terms *terms;
    size_t count;
    const double *costs = tac_recorder_costs(recorder, b), *v = tac_recorder_terms(recorder, b, &terms);
    ck_assert_ptr_nonnull(tac_recorder_slots(recorder, b, &count));
    for (size_t i = 0; i < count; i++) {
      if (terms == &tac_apply_terms)
        ck_assert_double_eq_tol(costs[i], 2e-10 * v[i] + 3e-9 * v[count + i] + 1e-6, 1e-18);
      checked += terms == &tac_apply_terms;
      ck_assert(terms != &tac_center_terms || costs[i] >= 1); /* multiplications: the model has nothing on them */
    }
  }
  ck_assert_int_gt(checked, 100);
  tac_recorder_destroy(&recorder);
  chain_destroy(&chain);
}
END_TEST

START_TEST(foreign_costs_are_refused) {
  const struct tac_term_cost wrong = {"n^4", 1};
  const struct tac_event_costs events[] = {{"SVD batch", 1, &wrong, 1, 0}, {"far_eval_locals", 1, one, 1, 0}};
  chain_init(&chain, 4);
  chain_create(&chain);
  for (int i = 0; i < 2; i++) {
    const struct tac_cost_model model = {.program = "p", .events = 1, .event = &events[i]};
    chain.options.costs = &model;
    ck_assert_int_eq(
        tac_dmrg_sweep(chain.state, chain.environments, chain.scheduler, &chain.options, &chain.summary, &chain.error),
        TAC_STATUS_INVALID);
    ck_assert_ptr_nonnull(strstr(chain.error.text, i ? "far_eval_locals" : "n^4"));
  }
  chain.options.costs = NULL;
  chain_sweep(&chain);
  chain_destroy(&chain);
}
END_TEST

int main(void) {
  TCase *cases = tcase_create("costs");
  tcase_set_timeout(cases, 600);
  tcase_add_test(cases, terms_of_a_bond);
  tcase_add_test(cases, terms_of_a_split_are_of_its_method);
  tcase_add_loop_test(cases, costs_change_the_order_only, 0, 2);
  tcase_add_test(cases, costs_are_predicted_seconds);
  tcase_add_test(cases, foreign_costs_are_refused);
  return run_cases("costs", cases);
}
