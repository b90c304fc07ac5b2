/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/fmm/tree.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/fmm/random_tree.h"
#include "tests/unit/suite.h"

/* The judges here know of a box its level and its position alone: no colleagues, parents or order of the library. */

#define TREES      100
#define MOST_PAIRS 189

struct interval {
  int64_t low, high;
};

/* A box along one axis in units of the smallest box of any tree. */
static struct interval along(const struct tac_fmm_tree *tree, int32_t box, int axis) {
  const int shift = TAC_FMM_MAX_LEVELS - 1 - tree->level[box];
  const int64_t at = tree->coordinate[box][axis];
  return (struct interval){at << shift, (at + 1) << shift};
}

static int touch(const struct tac_fmm_tree *tree, int32_t a, int32_t b) {
  for (int axis = 0; axis < tree->dim; axis++) {
    const struct interval i = along(tree, a, axis), j = along(tree, b, axis);
    if (i.high < j.low || j.high < i.low)
      return 0;
  }
  return 1;
}

/* 1 when `outer` holds `inner`, or is the same. */
static int holds(const struct tac_fmm_tree *tree, int32_t outer, int32_t inner) {
  for (int axis = 0; axis < tree->dim; axis++) {
    const struct interval i = along(tree, outer, axis), j = along(tree, inner, axis);
    if (j.low < i.low || j.high > i.high)
      return 0;
  }
  return 1;
}

static int32_t parent_of(const struct tac_fmm_tree *tree, int32_t box) {
  for (int32_t p = 0; p < (int32_t)tree->boxes; p++)
    if (tree->level[p] == tree->level[box] - 1 && holds(tree, p, box))
      return p;
  return TAC_NO_BOX;
}

static int leaf(const struct tac_fmm_tree *tree, int32_t box) {
  return tree->first_child[box] == TAC_NO_BOX;
}

/* The definitions of the lists, one after the other, for boxes whose parents are known. */
static int is_pair(const struct tac_fmm_tree *tree, enum tac_list list, int32_t target, int32_t source, const int32_t *parent) {
  const int lt = tree->level[target], ls = tree->level[source], adjacent = touch(tree, target, source);
  switch (list) {
  case TAC_LIST1_SAME:
    return leaf(tree, target) && leaf(tree, source) && adjacent && ls == lt;
  case TAC_LIST1_FINER:
    return leaf(tree, target) && leaf(tree, source) && adjacent && ls > lt;
  case TAC_LIST1_COARSER:
    return leaf(tree, target) && leaf(tree, source) && adjacent && ls < lt;
  case TAC_LIST2:
    return ls == lt && ls > 0 && !adjacent && touch(tree, parent[target], parent[source]);
  case TAC_LIST3:
    return leaf(tree, target) && ls > lt && !adjacent && touch(tree, target, parent[source]);
  default:
    return is_pair(tree, TAC_LIST3, source, target, parent);
  }
}

static struct tac_fmm_tree *make_tree(int dim, uint64_t *state) {
  struct tac_fmm_tree_options options;
  tac_fmm_tree_options_init(&options);
  options.dim = dim;
  options.order = 2;
  const int levels = (int)(7 * random_next(state));
  return random_tree(&options, levels, dim == 2 ? 60 : 100, state);
}

static uint64_t size_of(const struct tac_fmm_list_sizes *sizes, enum tac_list list) {
  const uint64_t all[] = {sizes->list1_same, sizes->list1_finer, sizes->list1_coarser,
                          sizes->list2,      sizes->list3,       sizes->list4};
  return all[list];
}

/* Offset that the header gives to a pair. */
static int expected_offset(const struct tac_fmm_tree *tree, enum tac_list list, int32_t target, int32_t source, int axis) {
  const int t = tree->coordinate[target][axis], s = tree->coordinate[source][axis];
  if (list == TAC_LIST1_SAME || list == TAC_LIST2)
    return s - t;
  return list == TAC_LIST1_FINER || list == TAC_LIST3 ? s - 2 * t : t - 2 * s;
}

static int in_order(const struct tac_pair *a, const struct tac_pair *b) {
  for (int axis = 2; axis >= 0; axis--)
    if (a->offset[axis] != b->offset[axis])
      return a->offset[axis] < b->offset[axis];
  return 0;
}

/* Checks one target in one list against the definition; gives the number of pairs. */
static int judge_list(const struct tac_fmm_tree *tree, enum tac_list list, int32_t target, const int32_t *parent, char *seen) {
  struct tac_pair pairs[MOST_PAIRS];
  const int count = tac_list_pairs(tree, list, target, pairs);
  int wrong_order = 0, wrong_offset = 0, wrong_pairs = 0;
  memset(seen, 0, tree->boxes);
  for (int i = 0; i < count; i++) {
    wrong_order += i > 0 && !in_order(&pairs[i - 1], &pairs[i]);
    for (int axis = 0; axis < 3; axis++)
      wrong_offset += pairs[i].offset[axis] != expected_offset(tree, list, target, pairs[i].source, axis);
    seen[pairs[i].source] = 1;
  }
  for (int32_t source = 0; source < (int32_t)tree->boxes; source++)
    wrong_pairs += seen[source] != is_pair(tree, list, target, source, parent);
  ck_assert_msg(count <= tac_list_limit(tree->dim, list) && !wrong_order && !wrong_offset && !wrong_pairs,
                "list %d of box %d: %d pairs out of order, %d offsets and %d pairs wrong", (int)list, (int)target, wrong_order,
                wrong_offset, wrong_pairs);
  return count;
}

static void judge_tree(const struct tac_fmm_tree *tree) {
  int32_t *parent = malloc(tree->boxes * sizeof *parent);
  char *seen = malloc(tree->boxes);
  ck_assert(parent && seen);
  for (int32_t box = 0; box < (int32_t)tree->boxes; box++)
    parent[box] = parent_of(tree, box);
  const struct tac_fmm_list_sizes sizes = tac_fmm_tree_list_sizes(tree);
  for (int list = 0; list < TAC_LISTS; list++) {
    uint64_t pairs = 0;
    for (int32_t target = 0; target < (int32_t)tree->boxes; target++)
      pairs += (uint64_t)judge_list(tree, list, target, parent, seen);
    ck_assert_uint_eq(pairs, size_of(&sizes, list));
  }
  free(seen);
  free(parent);
}

START_TEST(lists_follow_their_definitions) {
  uint64_t state = random_seed();
  for (int i = 0; i < TREES; i++) {
    struct tac_fmm_tree *tree = make_tree(_i, &state);
    judge_tree(tree);
    tac_fmm_tree_destroy(&tree);
  }
}
END_TEST

/* Adds the volume of a source, or of the leaves below it, to what a target leaf has received from each leaf. */
static void mark(const struct tac_fmm_tree *tree, int32_t source, unsigned char *received) {
  if (leaf(tree, source)) {
    received[tree->leaf[source]]++;
    return;
  }
  for (int c = 0; c < 1 << tree->dim; c++)
    mark(tree, tree->first_child[source] + c, received);
}

/* What a leaf receives in all: lists 1 and 3 of its own, lists 2 and 4 of its own and of all boxes above. */
static void receive(const struct tac_fmm_tree *tree, int32_t target, unsigned char *received) {
  static const enum tac_list own[] = {TAC_LIST1_SAME, TAC_LIST1_FINER, TAC_LIST1_COARSER, TAC_LIST3};
  static const enum tac_list inherited[] = {TAC_LIST2, TAC_LIST4};
  struct tac_pair pairs[MOST_PAIRS];
  for (int list = 0; list < 4; list++)
    for (int i = tac_list_pairs(tree, own[list], target, pairs); i-- > 0;)
      mark(tree, pairs[i].source, received);
  for (int32_t box = target; box != TAC_NO_BOX; box = tree->parent[box])
    for (int list = 0; list < 2; list++)
      for (int i = tac_list_pairs(tree, inherited[list], box, pairs); i-- > 0;)
        mark(tree, pairs[i].source, received);
}

/* Every leaf reaches every leaf once, over the lists of the leaf itself and those of the boxes above it. */
START_TEST(every_pair_of_leaves_is_covered_once) {
  uint64_t state = random_seed();
  for (int i = 0; i < TREES; i++) {
    struct tac_fmm_tree *tree = make_tree(_i, &state);
    unsigned char *received = malloc(tree->leaves);
    ck_assert_ptr_nonnull(received);
    for (size_t target = 0; target < tree->leaves; target++) {
      memset(received, 0, tree->leaves);
      receive(tree, tree->leaf_box[target], received);
      size_t once = 0;
      while (once < tree->leaves && received[once] == 1)
        once++;
      ck_assert_msg(once == tree->leaves, "leaf %zu receives from leaf %zu %d times", target, once, received[once]);
    }
    free(received);
    tac_fmm_tree_destroy(&tree);
  }
}
END_TEST

/* n boxes along each axis: interior boxes have all neighbours, and along an axis 3n - 2 pairs touch; the children of two
 * parents that touch are 4 (3n/2 - 2) pairs. Products over the axes give the lists. */
START_TEST(sizes_of_uniform_trees_are_closed_products) {
  for (int levels = 0; levels <= (_i == 2 ? 8 : 5); levels++) {
    struct tac_fmm_tree_options options;
    tac_fmm_tree_options_init(&options);
    options.dim = _i;
    options.levels = levels;
    struct tac_fmm_tree *tree = NULL;
    ck_assert_int_eq(tac_fmm_tree_create(&tree, &options, NULL, NULL, NULL), TAC_STATUS_OK);
    double list1 = 1, list2 = 0;
    for (int level = 0; level <= levels; level++) {
      const double n = ldexp(1, level);
      list1 = pow(3 * n - 2, _i);
      if (level > 0)
        list2 += pow(4 * (1.5 * n - 2), _i) - list1;
    }
    const struct tac_fmm_list_sizes sizes = tac_fmm_tree_list_sizes(tree);
    ck_assert_double_eq((double)sizes.list1_same, list1);
    ck_assert_double_eq((double)sizes.list2, list2);
    ck_assert_uint_eq(sizes.list1_finer | sizes.list1_coarser | sizes.list3 | sizes.list4, 0);
    tac_fmm_tree_destroy(&tree);
  }
}
END_TEST

int main(void) {
  TCase *cases = tcase_create("lists");
  tcase_set_timeout(cases, 300);
  tcase_add_loop_test(cases, lists_follow_their_definitions, 2, 4);
  tcase_add_loop_test(cases, every_pair_of_leaves_is_covered_once, 2, 4);
  tcase_add_loop_test(cases, sizes_of_uniform_trees_are_closed_products, 2, 4);
  return run_cases("lists", cases);
}
