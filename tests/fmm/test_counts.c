/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <tactus/fmm/counts.h>

#include <math.h>
#include <string.h>

#include "tests/fmm/random_tree.h"
#include "tests/unit/suite.h"

#include "apps/fmm/tree.h"

static struct tac_operation_count entries[TAC_FMM_PHASES];
static struct tac_operation_counts counts;
static int multipoles[TAC_FMM_MAX_LEVELS], locals[TAC_FMM_MAX_LEVELS];

static struct tac_fmm_tree *uniform_tree(int dim, int order, int level) {
  struct tac_fmm_tree_options options;
  tac_fmm_tree_options_init(&options);
  options.dim = dim;
  options.order = order;
  options.levels = level;
  struct tac_fmm_tree *tree = NULL;
  ck_assert_int_eq(tac_fmm_tree_create(&tree, &options, NULL, NULL, NULL), TAC_STATUS_OK);
  return tree;
}

static struct tac_fmm_count_input input_of(const struct tac_fmm_tree *tree, int m, int l) {
  struct tac_fmm_count_input input;
  tac_fmm_count_input_init(&input, tree);
  for (int level = 0; level < TAC_FMM_MAX_LEVELS; level++) {
    multipoles[level] = m;
    locals[level] = l;
  }
  input.multipoles = multipoles;
  input.locals = locals;
  return input;
}

static void count(const struct tac_fmm_count_input *input) {
  ck_assert_int_eq(tac_fmm_count_operations(&counts, entries, input, NULL), TAC_STATUS_OK);
}

static uint64_t known(enum tac_fmm_event event) {
  const struct tac_operation_count *entry = &entries[event - 1];
  ck_assert_str_eq(entry->phase, tac_fmm_events.events[event].name);
  ck_assert_int_eq(entry->operations_known, 1);
  return entry->operations;
}

/* The hand-made tree of volumential's own test: root and four children, M = 7, L = 9, 4 points a leaf. */
START_TEST(two_levels_by_hand) {
  struct tac_fmm_tree *tree = uniform_tree(2, 2, 1);
  const struct tac_fmm_count_input input = input_of(tree, 7, 9);
  count(&input);
  ck_assert_uint_eq(known(TAC_FMM_EVENT_FORM_MULTIPOLES), 112);
  ck_assert_uint_eq(known(TAC_FMM_EVENT_COARSEN_MULTIPOLES), 0);
  ck_assert_uint_eq(known(TAC_FMM_EVENT_REFINE_LOCALS), 324);
  ck_assert_uint_eq(known(TAC_FMM_EVENT_EVAL_LOCALS), 144);
  /* Every leaf touches every leaf: 16 pairs of 4 by 4 nodes; nothing is far. */
  ck_assert_uint_eq(known(TAC_FMM_EVENT_TABLE_APPLY), 256);
  ck_assert_uint_eq(known(TAC_FMM_EVENT_MULTIPOLE_TO_LOCAL), 0);
  ck_assert_uint_eq(known(TAC_FMM_EVENT_SPLIT_CORRECTION), 0);
  uint64_t far = 0, near = 0, all = 0;
  ck_assert(tac_operation_counts_total(&far, &counts, tac_fmm_far_phases, TAC_FMM_FAR_PHASES));
  ck_assert(tac_operation_counts_total(&near, &counts, tac_fmm_near_phases, TAC_FMM_NEAR_PHASES));
  ck_assert(tac_operation_counts_total(&all, &counts, tac_fmm_phases, TAC_FMM_PHASES));
  ck_assert_uint_eq(far, 112 + 324 + 144);
  ck_assert_uint_eq(near, 256);
  ck_assert_uint_eq(all, far + near);
  ck_assert_str_eq(counts.unit, "coefficient touch");
  ck_assert_str_eq(counts.counting_rule, TAC_FMM_COUNTING_RULE);
  for (int phase = 0; phase < TAC_FMM_PHASES; phase++) {
    ck_assert_str_eq(counts.phases[phase].phase, tac_fmm_phases[phase]);
    ck_assert_int_eq(counts.phases[phase].flops_known, 0);
  }
  tac_fmm_tree_destroy(&tree);
}
END_TEST

/* Per axis, 3n - 2 of the pairs of n boxes touch, and 4 (3n/2 - 2) have parents that touch. */
START_TEST(uniform_trees_by_closed_forms) {
  const int dim = _i, last = dim == 2 ? 6 : 4, order = 3;
  const double nodes = pow(order, dim);
  for (int deepest = 0; deepest <= last; deepest++) {
    struct tac_fmm_tree *tree = uniform_tree(dim, order, deepest);
    struct tac_fmm_count_input input = input_of(tree, 0, 0);
    double m2m = 0, m2l = 0, l2l = 0;
    for (int level = 0; level <= deepest; level++) {
      multipoles[level] = 5 + level;
      locals[level] = 11 + 2 * level;
      const double n = ldexp(1, level), boxes = pow(n, dim);
      m2m += level >= 3 ? boxes * (5 + level) * (4 + level) : 0;
      l2l += level >= 1 ? boxes * (11 + 2 * level) * (9 + 2 * level) : 0;
      m2l += level >= 1 ? (pow(6 * n - 8, dim) - pow(3 * n - 2, dim)) * (5 + level) * (11 + 2 * level) : 0;
    }
    count(&input);
    const double n = ldexp(1, deepest), leaves = pow(n, dim);
    ck_assert_double_eq((double)known(TAC_FMM_EVENT_FORM_MULTIPOLES), leaves * nodes * (5 + deepest));
    ck_assert_double_eq((double)known(TAC_FMM_EVENT_COARSEN_MULTIPOLES), m2m);
    ck_assert_double_eq((double)known(TAC_FMM_EVENT_TABLE_APPLY), pow(3 * n - 2, dim) * nodes * nodes);
    ck_assert_double_eq((double)known(TAC_FMM_EVENT_MULTIPOLE_TO_LOCAL), m2l);
    ck_assert_uint_eq(known(TAC_FMM_EVENT_EVAL_MULTIPOLES), 0);
    ck_assert_uint_eq(known(TAC_FMM_EVENT_FORM_LOCALS), 0);
    ck_assert_double_eq((double)known(TAC_FMM_EVENT_REFINE_LOCALS), l2l);
    ck_assert_double_eq((double)known(TAC_FMM_EVENT_EVAL_LOCALS), leaves * nodes * (11 + 2 * deepest));
    tac_fmm_tree_destroy(&tree);
  }
}
END_TEST

/* The sums of the rule, pair by pair, on irregular trees whose coefficients differ from level to level. */
START_TEST(irregular_trees_pair_by_pair) {
  uint64_t state = random_seed();
  struct tac_fmm_tree_options options;
  tac_fmm_tree_options_init(&options);
  options.dim = _i;
  options.order = 3;
  static const int channels[] = {3, 1, 4, 1, 5, 9, 2}, terms[] = {2, 7, 1, 8, 2, 8, 1};
  for (int repeat = 0; repeat < 20; repeat++) {
    struct tac_fmm_tree *tree = random_tree(&options, 6, 200, &state);
    struct tac_fmm_count_input input = input_of(tree, 0, 0);
    for (int level = 0; level < tree->levels; level++) {
      multipoles[level] = (int)(100 * random_next(&state));
      locals[level] = (int)(100 * random_next(&state));
    }
    input.sources = _i == 2 ? 9 : 27;
    input.targets = 6;
    input.split_order = 3;
    input.smooth_order = 4; /* so 16 or 64 smooth sources */
    input.channels = channels;
    input.remainder_terms = terms;
    const uint64_t smooth = _i == 2 ? 16 : 64;
    uint64_t expected[TAC_LISTS] = {0}, split = tree->leaves * (_i == 2 ? 4 * 9 + 16 * 3 : 4 * 27 + 16 * 9 + 64 * 3);
    for (int32_t target = 0; target < (int32_t)tree->boxes; target++)
      for (int list = 0; list < TAC_LISTS; list++) {
        struct tac_pair pairs[189];
        const uint64_t l = (uint64_t)locals[tree->level[target]];
        for (int i = tac_list_pairs(tree, list, target, pairs); i-- > 0;) {
          const uint64_t m = (uint64_t)multipoles[tree->level[pairs[i].source]];
          expected[list] += list == TAC_LIST2   ? m * l
                            : list == TAC_LIST3 ? 6 * m
                            : list == TAC_LIST4 ? input.sources * l
                                                : 6 * input.sources;
          if (list <= TAC_LIST1_COARSER)
            split += 6 * (input.sources * (uint64_t)channels[tree->level[pairs[i].source]] +
                          smooth * (uint64_t)terms[tree->level[pairs[i].source]]);
        }
      }
    count(&input);
    ck_assert_uint_eq(known(TAC_FMM_EVENT_TABLE_APPLY),
                      expected[TAC_LIST1_SAME] + expected[TAC_LIST1_FINER] + expected[TAC_LIST1_COARSER]);
    ck_assert_uint_eq(known(TAC_FMM_EVENT_MULTIPOLE_TO_LOCAL), expected[TAC_LIST2]);
    ck_assert_uint_eq(known(TAC_FMM_EVENT_EVAL_MULTIPOLES), expected[TAC_LIST3]);
    ck_assert_uint_eq(known(TAC_FMM_EVENT_FORM_LOCALS), expected[TAC_LIST4]);
    ck_assert_uint_eq(known(TAC_FMM_EVENT_SPLIT_CORRECTION), split);
    tac_fmm_tree_destroy(&tree);
  }
}
END_TEST

/* Four leaves of 3 x 3 nodes, all 16 pairs near, N = 16 * 81. Split order 3, 5 nodes an axis, 7 terms, 100 pairs:
 * (3 - 1) N + 16 * 9 * 25 * 7 + 100 + 4 (5 * 9 + 25 * 3). */
START_TEST(split_by_hand) {
  struct tac_fmm_tree *tree = uniform_tree(2, 3, 1);
  struct tac_fmm_count_input input = input_of(tree, 1, 1);
  input.split_order = 3;
  input.smooth_order = 5;
  const int terms[2] = {1000, 7}; /* there are no leaves at level 0 */
  input.remainder_terms = terms;
  input.beta_pairs = 100;
  count(&input);
  ck_assert_uint_eq(known(TAC_FMM_EVENT_SPLIT_CORRECTION), 2 * 1296 + 25200 + 100 + 480);
  /* On the tree's own nodes nothing is interpolated. */
  input.smooth_order = 3;
  count(&input);
  ck_assert_uint_eq(known(TAC_FMM_EVENT_SPLIT_CORRECTION), 2 * 1296 + 7 * 1296 + 100);
  input.smooth_order = 0;
  count(&input);
  ck_assert_uint_eq(known(TAC_FMM_EVENT_SPLIT_CORRECTION), 2 * 1296 + 7 * 1296 + 100);
  tac_fmm_tree_destroy(&tree);
}
END_TEST

static void assert_blank(enum tac_fmm_event event, const char *const *phases, size_t number) {
  uint64_t total = 0;
  ck_assert_int_eq(entries[event - 1].operations_known, 0);
  ck_assert_int_eq(tac_operation_counts_total(&total, &counts, phases, number), 0);
  ck_assert_int_eq(tac_operation_counts_total(&total, &counts, tac_fmm_phases, TAC_FMM_PHASES), 0);
}

START_TEST(unknown_parts_blank_their_totals) {
  struct tac_fmm_tree *tree = uniform_tree(2, 2, 3);
  struct tac_fmm_count_input input = input_of(tree, 7, 9);
  uint64_t total = 0;
  input.split_order = 2;
  count(&input);
  assert_blank(TAC_FMM_EVENT_SPLIT_CORRECTION, tac_fmm_near_phases, TAC_FMM_NEAR_PHASES);
  ck_assert_int_eq(tac_operation_counts_total(&total, &counts, tac_fmm_far_phases, TAC_FMM_FAR_PHASES), 1);
  const int terms[4] = {TAC_FMM_UNKNOWN, TAC_FMM_UNKNOWN, TAC_FMM_UNKNOWN, 4};
  input.remainder_terms = terms;
  input.beta_pairs = TAC_FMM_UNKNOWN;
  count(&input);
  assert_blank(TAC_FMM_EVENT_SPLIT_CORRECTION, tac_fmm_near_phases, TAC_FMM_NEAR_PHASES);
  input.split_order = 0;
  input.locals = NULL;
  count(&input);
  assert_blank(TAC_FMM_EVENT_EVAL_LOCALS, tac_fmm_far_phases, TAC_FMM_FAR_PHASES);
  assert_blank(TAC_FMM_EVENT_MULTIPOLE_TO_LOCAL, tac_fmm_far_phases, TAC_FMM_FAR_PHASES);
  ck_assert_uint_eq(known(TAC_FMM_EVENT_FORM_MULTIPOLES), 64 * 4 * 7);
  ck_assert_uint_eq(known(TAC_FMM_EVENT_FORM_LOCALS), 0); /* no pairs of List 4 */
  ck_assert_int_eq(tac_operation_counts_total(&total, &counts, tac_fmm_near_phases, TAC_FMM_NEAR_PHASES), 1);
  input.locals = locals;
  multipoles[2] = TAC_FMM_UNKNOWN;
  count(&input);
  assert_blank(TAC_FMM_EVENT_COARSEN_MULTIPOLES, tac_fmm_far_phases, TAC_FMM_FAR_PHASES);
  ck_assert_uint_eq(known(TAC_FMM_EVENT_FORM_MULTIPOLES), 64 * 4 * 7); /* leaves are at level 3 */
  tac_fmm_tree_destroy(&tree);
}
END_TEST

START_TEST(what_exceeds_64_bits_is_unknown) {
  struct tac_fmm_tree *tree = uniform_tree(2, 2, 2);
  struct tac_fmm_count_input input = input_of(tree, 7, 9);
  input.sources = (uint64_t)1 << 62;
  count(&input);
  assert_blank(TAC_FMM_EVENT_FORM_MULTIPOLES, tac_fmm_far_phases, TAC_FMM_FAR_PHASES);
  assert_blank(TAC_FMM_EVENT_TABLE_APPLY, tac_fmm_near_phases, TAC_FMM_NEAR_PHASES);
  ck_assert_uint_eq(known(TAC_FMM_EVENT_EVAL_LOCALS), 16 * 4 * 9);
  tac_fmm_tree_destroy(&tree);
}
END_TEST

START_TEST(refuses_what_is_out_of_range) {
  struct tac_fmm_tree *tree = uniform_tree(2, 3, 1);
  struct tac_error error;
  for (int i = 0; i < 8; i++) {
    struct tac_fmm_count_input input = input_of(tree, 7, 9);
    input.size -= i == 0;
    input.tree = i == 1 ? NULL : tree;
    input.split_order = i == 2 ? -1 : 2;
    input.smooth_order = i == 3 ? -1 : 0;
    input.beta_pairs = i == 4 ? -2 : 0;
    input.sources = i == 5 ? UINT64_MAX : 0;
    input.targets = i == 6 ? UINT64_MAX : 0;
    if (i == 7) {
      input.sources = 4; /* of 9 nodes, so 4/9 of the finer ones */
      input.smooth_order = 4;
    }
    tac_error_clear(&error);
    ck_assert_int_eq(tac_fmm_count_operations(&counts, entries, &input, &error), TAC_STATUS_INVALID);
    ck_assert(error.text[0] != '\0');
  }
  ck_assert_int_eq(tac_fmm_count_operations(&counts, entries, NULL, NULL), TAC_STATUS_INVALID);
  tac_fmm_tree_destroy(&tree);
}
END_TEST

int main(void) {
  TCase *cases = tcase_create("counts");
  tcase_set_timeout(cases, 60);
  tcase_add_test(cases, two_levels_by_hand);
  tcase_add_loop_test(cases, uniform_trees_by_closed_forms, 2, 4);
  tcase_add_loop_test(cases, irregular_trees_pair_by_pair, 2, 4);
  tcase_add_test(cases, split_by_hand);
  tcase_add_test(cases, unknown_parts_blank_their_totals);
  tcase_add_test(cases, what_exceeds_64_bits_is_unknown);
  tcase_add_test(cases, refuses_what_is_out_of_range);
  return run_cases("counts", cases);
}
