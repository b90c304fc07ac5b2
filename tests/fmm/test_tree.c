/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/fmm/tree.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "apps/fmm/modes.h"
#include "tests/fmm/random_tree.h"
#include "tests/unit/suite.h"

#define TREES 100

static struct tac_fmm_tree_options options_of(int dim) {
  struct tac_fmm_tree_options options;
  tac_fmm_tree_options_init(&options);
  options.dim = dim;
  options.order = 3;
  /* Corners that binary fractions do not meet. */
  options.side = 0.3;
  options.lower[0] = 0.1;
  options.lower[1] = -7.7;
  options.lower[2] = 1.0 / 3;
  return options;
}

static struct tac_fmm_tree *make_tree(int dim, uint64_t *state) {
  const struct tac_fmm_tree_options options = options_of(dim);
  return random_tree(&options, (int)(7 * random_next(state)), 100, state);
}

/* Position of the leading bit in which coordinates differ decides; among axes with the same, the last one. */
static int morton_before(const int32_t *a, const int32_t *b) {
  uint32_t most = 0;
  int deciding = 0;
  for (int axis = 2; axis >= 0; axis--) {
    const uint32_t differ = (uint32_t)a[axis] ^ (uint32_t)b[axis];
    if (most < differ && most < (most ^ differ)) {
      most = differ;
      deciding = axis;
    }
  }
  return most && a[deciding] < b[deciding];
}

static void judge_order(const struct tac_fmm_tree *tree) {
  int wrong = 0;
  size_t leaves = 0;
  for (int32_t box = 0; box < (int32_t)tree->boxes; box++) {
    const int level = tree->level[box];
    wrong += box < tree->level_begin[level] || box >= tree->level_begin[level + 1];
    if (box > tree->level_begin[level])
      wrong += !morton_before(tree->coordinate[box - 1], tree->coordinate[box]);
    for (int axis = 0; axis < 3; axis++)
      wrong += tree->coordinate[box][axis] < 0 || tree->coordinate[box][axis] >= (axis < tree->dim ? 1 << level : 1);
    if (tree->first_child[box] == TAC_NO_BOX) {
      wrong += tree->leaf[box] != (int32_t)leaves || tree->leaf_box[leaves] != box;
      leaves++;
      continue;
    }
    wrong += tree->leaf[box] != TAC_NO_BOX;
    for (int c = 0; c < 1 << tree->dim; c++) {
      const int32_t child = tree->first_child[box] + c;
      wrong += tree->parent[child] != box || tree->level[child] != level + 1;
      for (int axis = 0; axis < tree->dim; axis++)
        wrong += tree->coordinate[child][axis] != 2 * tree->coordinate[box][axis] + (c >> axis & 1);
    }
  }
  ck_assert_uint_eq(leaves, tree->leaves);
  ck_assert_int_eq(tree->parent[0], TAC_NO_BOX);
  ck_assert_int_eq(wrong, 0);
}

static void judge_counts(const struct tac_fmm_tree *tree) {
  size_t sum = 0, at[TAC_FMM_MAX_LEVELS] = {0};
  double volume = 0;
  for (size_t leaf = tac_fmm_tree_leaves(tree); leaf-- > 0;) { /* the small ones first: exact */
    int level;
    double side;
    tac_fmm_tree_leaf(tree, leaf, NULL, &side, &level);
    ck_assert(side == tac_fmm_tree_side(tree, level));
    at[level]++;
    volume += ldexp(1, -level * tree->dim);
  }
  ck_assert(volume == 1);
  for (int level = -1; level <= TAC_FMM_MAX_LEVELS; level++)
    sum += tac_fmm_tree_leaves_at(tree, level);
  for (int level = 0; level < TAC_FMM_MAX_LEVELS; level++)
    ck_assert_uint_eq(tac_fmm_tree_leaves_at(tree, level), at[level]);
  ck_assert_uint_eq(sum, tac_fmm_tree_leaves(tree));
  ck_assert(at[tac_fmm_tree_levels(tree) - 1] > 0);
  ck_assert_int_eq(tree->level_begin[tree->levels], (int32_t)tac_fmm_tree_boxes(tree));
}

START_TEST(boxes_stand_in_morton_order) {
  uint64_t state = random_seed();
  for (int i = 0; i < TREES; i++) {
    struct tac_fmm_tree *tree = make_tree(_i, &state);
    judge_order(tree);
    judge_counts(tree);
    tac_fmm_tree_destroy(&tree);
  }
}
END_TEST

/* The box at a place, by looking at all of them. */
static int32_t box_at(const struct tac_fmm_tree *tree, int level, const int32_t *coordinate) {
  for (int32_t box = 0; box < (int32_t)tree->boxes; box++)
    if (tree->level[box] == level && memcmp(tree->coordinate[box], coordinate, sizeof tree->coordinate[box]) == 0)
      return box;
  return TAC_NO_BOX;
}

START_TEST(colleagues_are_the_boxes_around) {
  uint64_t state = random_seed();
  for (int i = 0; i < TREES / 4; i++) {
    struct tac_fmm_tree *tree = make_tree(_i, &state);
    int wrong = 0;
    for (int32_t box = 0; box < (int32_t)tree->boxes; box++)
      for (int n = 0; n < tree->neighbours; n++) {
        const int32_t offset[3] = {n % 3 - 1, n / 3 % 3 - 1, tree->dim == 3 ? n / 9 - 1 : 0};
        int32_t place[3];
        for (int axis = 0; axis < 3; axis++)
          place[axis] = tree->coordinate[box][axis] + offset[axis];
        const int32_t found = tree->colleague[(size_t)box * (size_t)tree->neighbours + (size_t)n];
        wrong += found != box_at(tree, tree->level[box], place);
        if (found != TAC_NO_BOX) /* seen from there it is on the other side */
          wrong += tree->colleague[(size_t)found * (size_t)tree->neighbours + (size_t)(tree->neighbours - 1 - n)] != box;
      }
    ck_assert_int_eq(wrong, 0);
    tac_fmm_tree_destroy(&tree);
  }
}
END_TEST

/* A rule that can be asked twice: chance from the place. */
struct places {
  uint64_t seed;
  int levels;
  double chance;
  const struct tac_fmm_tree_options *options;
};

static int split_by_place(void *context, int level, const double *lower, double side) {
  const struct places *places = context;
  uint64_t state = places->seed + (uint64_t)level;
  for (int axis = 0; axis < places->options->dim; axis++) {
    state ^= (uint64_t)lrint((lower[axis] - places->options->lower[axis]) / side) + 1;
    state *= 0x9e3779b97f4a7c15ULL;
    state ^= state >> 29;
  }
  state |= 1;
  random_next(&state);
  return level < places->levels && (level == 0 || random_next(&state) < places->chance);
}

/* Leaves of a tree as the judge keeps them. */
struct cell {
  int level;
  int32_t coordinate[3];
};
static struct cell cells[20000];
static size_t cell_count;

static void split_cell(size_t i, int dim) {
  const struct cell parent = cells[i];
  cells[i] = cells[--cell_count];
  for (int c = 0; c < 1 << dim; c++) {
    struct cell *child = &cells[cell_count++];
    *child = (struct cell){.level = parent.level + 1};
    for (int axis = 0; axis < dim; axis++)
      child->coordinate[axis] = 2 * parent.coordinate[axis] + (c >> axis & 1);
  }
}

/* Both cells in units of the second, which is not larger. */
static int cells_touch(const struct cell *large, const struct cell *small) {
  const int shift = small->level - large->level;
  for (int axis = 0; axis < 3; axis++) {
    const int64_t low = (int64_t)large->coordinate[axis] << shift, high = (large->coordinate[axis] + (int64_t)1) << shift;
    if (small->coordinate[axis] > high || small->coordinate[axis] + 1 < low)
      return 0;
  }
  return 1;
}

/* One leaf that touches one smaller by more than a level; cell_count when there is none. */
static size_t unbalanced_cell(void) {
  for (size_t i = 0; i < cell_count; i++)
    for (size_t j = 0; j < cell_count; j++)
      if (cells[j].level > cells[i].level + 1 && cells_touch(&cells[i], &cells[j]))
        return i;
  return cell_count;
}

static void grow_cells(const struct places *places) {
  const int dim = places->options->dim;
  cells[0] = (struct cell){0};
  cell_count = 1;
  for (size_t i = 0; i < cell_count;) {
    const double side = ldexp(places->options->side, -cells[i].level);
    double lower[3] = {0};
    for (int axis = 0; axis < dim; axis++)
      lower[axis] = places->options->lower[axis] + side * cells[i].coordinate[axis];
    if (split_by_place((void *)places, cells[i].level, lower, side))
      split_cell(i, dim);
    else
      i++;
  }
  for (size_t i = unbalanced_cell(); i < cell_count; i = unbalanced_cell())
    split_cell(i, dim);
}

/* Balance by brute force, one violation after the other, gives the smallest balanced tree: ours is the same, leaf by leaf. */
START_TEST(balance_splits_what_it_must_and_no_more) {
  uint64_t state = random_seed();
  for (int i = 0; i < TREES / 4; i++) {
    const struct tac_fmm_tree_options options = options_of(_i);
    struct places places = {(uint64_t)(1e9 * random_next(&state)), _i == 2 ? 7 : 5, _i == 2 ? 0.3 : 0.12, &options};
    struct tac_fmm_tree *tree = NULL;
    ck_assert_int_eq(tac_fmm_tree_create_refined(&tree, &options, split_by_place, &places, NULL), TAC_STATUS_OK);
    grow_cells(&places);
    ck_assert_uint_eq(tac_fmm_tree_leaves(tree), cell_count);
    size_t missing = 0;
    for (size_t c = 0; c < cell_count; c++) {
      const int32_t box = box_at(tree, cells[c].level, cells[c].coordinate);
      missing += box == TAC_NO_BOX || tree->leaf[box] == TAC_NO_BOX;
    }
    ck_assert_uint_eq(missing, 0);
    tac_fmm_tree_destroy(&tree);
  }
}
END_TEST

/* The leaf whose corners hold a point, upper faces not included but for those of the domain. */
static size_t leaf_around(const struct tac_fmm_tree *tree, const double *point) {
  const struct tac_fmm_tree_options *options = &tree->options;
  for (size_t leaf = 0; leaf < tree->leaves; leaf++) {
    int inside = 1;
    const int32_t box = tree->leaf_box[leaf];
    for (int axis = 0; axis < tree->dim; axis++) {
      const double side = ldexp(options->side, -tree->level[box]);
      const int32_t at = tree->coordinate[box][axis];
      const double low = options->lower[axis] + side * at, high = options->lower[axis] + side * (at + 1);
      const int last = at + 1 == 1 << tree->level[box];
      inside &= point[axis] >= low && (last ? point[axis] <= high : point[axis] < high);
    }
    if (inside)
      return leaf;
  }
  return (size_t)-1;
}

/* Lower face, middle or upper face of a leaf along each axis, or a hair beside a face. */
static void special_point(const struct tac_fmm_tree *tree, size_t leaf, int which, double *point) {
  double lower[3], side;
  tac_fmm_tree_leaf(tree, leaf, lower, &side, NULL);
  for (int axis = 0; axis < tree->dim; axis++, which /= 5) {
    static const double place[] = {0, 0.5, 1, 0, 1};
    point[axis] = lower[axis] + place[which % 5] * side;
    if (which % 5 >= 3)
      point[axis] = nextafter(point[axis], lower[axis] + side * (which % 5 == 3 ? -1 : 2));
  }
}

START_TEST(find_gives_the_leaf_around_a_point) {
  uint64_t state = random_seed();
  const int special = _i == 2 ? 25 : 125;
  size_t outside = 0;
  for (int i = 0; i < TREES / 10; i++) {
    struct tac_fmm_tree *tree = make_tree(_i, &state);
    int wrong = 0;
    for (size_t leaf = 0; leaf < tree->leaves; leaf++)
      for (int which = 0; which < special; which++) {
        double point[3];
        special_point(tree, leaf, which, point);
        const size_t expected = leaf_around(tree, point);
        wrong += tac_fmm_tree_find(tree, point) != expected;
        outside += expected == (size_t)-1;
      }
    for (int random = 0; random < 1000; random++) {
      double point[3];
      for (int axis = 0; axis < 3; axis++)
        point[axis] = tree->options.lower[axis] + tree->options.side * (1.1 * random_next(&state) - 0.05);
      wrong += tac_fmm_tree_find(tree, point) != leaf_around(tree, point);
    }
    ck_assert_int_eq(wrong, 0);
    double corner[3];
    tac_fmm_tree_leaf(tree, 0, corner, NULL, NULL);
    ck_assert_uint_eq(tac_fmm_tree_find(tree, corner), 0);
    for (int axis = 0; axis < _i; axis++)
      corner[axis] = tree->options.lower[axis] + tree->options.side;
    ck_assert_uint_eq(tac_fmm_tree_find(tree, corner), leaf_around(tree, corner));
    corner[_i - 1] = NAN;
    ck_assert_uint_eq(tac_fmm_tree_find(tree, corner), (size_t)-1);
    corner[_i - 1] = INFINITY;
    ck_assert_uint_eq(tac_fmm_tree_find(tree, corner), (size_t)-1);
    tac_fmm_tree_destroy(&tree);
  }
  ck_assert_uint_gt(outside, 0);
}
END_TEST

START_TEST(nodes_are_the_gauss_nodes_of_each_leaf) {
  uint64_t state = random_seed();
  for (int order = TAC_FMM_MIN_ORDER; order <= TAC_FMM_MAX_ORDER; order++) {
    struct tac_fmm_tree_options options = options_of(_i);
    options.order = order;
    struct tac_fmm_tree *tree = random_tree(&options, 3, 20, &state);
    static double points[3 * 4096];
    double node[TAC_FMM_MAX_ORDER], weight[TAC_FMM_MAX_ORDER], lower[3], side;
    tac_gauss_rule(order, node, weight);
    double worst = 0;
    for (size_t leaf = 0; leaf < tac_fmm_tree_leaves(tree); leaf++) {
      tac_fmm_tree_nodes(tree, leaf, points);
      tac_fmm_tree_leaf(tree, leaf, lower, &side, NULL);
      for (int i = 0, count = (int)lrint(pow(order, _i)); i < count; i++)
        for (int axis = 0, index = i; axis < _i; axis++, index /= order)
          worst = fmax(worst, fabs(points[_i * i + axis] - (lower[axis] + side * (0.5 + node[index % order]))));
    }
    ck_assert_double_le(worst, 4e-15);
    ck_assert_int_eq(tac_fmm_tree_order(tree), order);
    ck_assert_int_eq(tac_fmm_tree_dim(tree), _i);
    ck_assert_int_eq(tac_fmm_tree_basis(tree), TAC_FMM_TOTAL);
    tac_fmm_tree_destroy(&tree);
  }
}
END_TEST

/* Towards one point: the deepest tree there is. */
struct point_rule {
  int dim, deepest;
  double point[3];
};

static int split_around_point(void *context, int level, const double *lower, double side) {
  const struct point_rule *rule = context;
  for (int axis = 0; axis < rule->dim; axis++)
    if (rule->point[axis] < lower[axis] || rule->point[axis] >= lower[axis] + side)
      return 0;
  return level < rule->deepest;
}

static int is_balanced(const struct tac_fmm_tree *tree) {
  for (size_t i = 0; i < tree->leaves; i++)
    for (size_t j = 0; j < tree->leaves; j++) {
      const int32_t a = tree->leaf_box[i], b = tree->leaf_box[j];
      struct cell large = {.level = tree->level[a]}, small = {.level = tree->level[b]};
      if (small.level <= large.level + 1)
        continue;
      memcpy(large.coordinate, tree->coordinate[a], sizeof large.coordinate);
      memcpy(small.coordinate, tree->coordinate[b], sizeof small.coordinate);
      if (cells_touch(&large, &small))
        return 0;
    }
  return 1;
}

START_TEST(deepest_tree) {
  const struct tac_fmm_tree_options options = options_of(_i);
  struct point_rule rule = {_i, TAC_FMM_MAX_LEVELS - 1, {0.2371, -7.5123, 0.4111}};
  struct tac_fmm_tree *tree = NULL;
  struct tac_error error;
  ck_assert_int_eq(tac_fmm_tree_create_refined(&tree, &options, split_around_point, &rule, NULL), TAC_STATUS_OK);
  ck_assert_int_eq(tac_fmm_tree_levels(tree), TAC_FMM_MAX_LEVELS);
  judge_order(tree);
  judge_counts(tree);
  ck_assert(is_balanced(tree));
  int level;
  tac_fmm_tree_leaf(tree, tac_fmm_tree_find(tree, rule.point), NULL, NULL, &level);
  ck_assert_int_eq(level, TAC_FMM_MAX_LEVELS - 1);
  tac_fmm_tree_destroy(&tree);
  rule.deepest++;
  tac_error_clear(&error);
  ck_assert_int_eq(tac_fmm_tree_create_refined(&tree, &options, split_around_point, &rule, &error), TAC_STATUS_INVALID);
  ck_assert_ptr_nonnull(strstr(error.text, "deepest"));
  ck_assert_ptr_null(tree);
}
END_TEST

START_TEST(a_rule_starts_from_levels_and_seeds) {
  struct tac_fmm_tree_options options = options_of(_i);
  const struct tac_fmm_seed seed = {{0.2, -7.5, 0.4}, 0.01};
  struct tac_fmm_tree *tree = NULL;
  struct point_rule none = {.dim = _i};
  options.levels = 2;
  ck_assert_int_eq(tac_fmm_tree_create_refined(&tree, &options, split_around_point, &none, NULL), TAC_STATUS_OK);
  ck_assert_uint_eq(tac_fmm_tree_leaves(tree), _i == 2 ? 16 : 64);
  tac_fmm_tree_destroy(&tree);
  options.levels = -1;
  options.seeds = &seed;
  options.seed_count = 1;
  ck_assert_int_eq(tac_fmm_tree_create_refined(&tree, &options, split_around_point, &none, NULL), TAC_STATUS_OK);
  /* To the width all over the cube, and no further. */
  for (int which = 0; which < (_i == 2 ? 9 : 27); which++) {
    double point[3], side;
    for (int axis = 0, digits = which; axis < 3; axis++, digits /= 3)
      point[axis] = seed.center[axis] + 0.99 * seed.width * (digits % 3 - 1);
    tac_fmm_tree_leaf(tree, tac_fmm_tree_find(tree, point), NULL, &side, NULL);
    ck_assert(side <= seed.width && 2 * side > seed.width);
  }
  tac_fmm_tree_destroy(&tree);
  tac_fmm_tree_destroy(&tree);
  tac_fmm_tree_destroy(NULL);
}
END_TEST

int main(void) {
  TCase *cases = tcase_create("tree");
  tcase_set_timeout(cases, 300);
  tcase_add_loop_test(cases, boxes_stand_in_morton_order, 2, 4);
  tcase_add_loop_test(cases, colleagues_are_the_boxes_around, 2, 4);
  tcase_add_loop_test(cases, balance_splits_what_it_must_and_no_more, 2, 4);
  tcase_add_loop_test(cases, find_gives_the_leaf_around_a_point, 2, 4);
  tcase_add_loop_test(cases, nodes_are_the_gauss_nodes_of_each_leaf, 2, 4);
  tcase_add_loop_test(cases, deepest_tree, 2, 4);
  tcase_add_loop_test(cases, a_rule_starts_from_levels_and_seeds, 2, 4);
  return run_cases("tree", cases);
}
