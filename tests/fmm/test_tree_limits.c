/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/fmm/tree.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/unit/suite.h"

static struct tac_fmm_tree *tree;
static struct tac_error error;

static struct tac_fmm_tree_options options_of(int dim) {
  struct tac_fmm_tree_options options;
  tac_fmm_tree_options_init(&options);
  options.dim = dim;
  options.order = 2;
  options.tolerance = 1e-2;
  return options;
}

static enum tac_status smooth(void *context, size_t count, const double *points, double *values, struct tac_error *e) {
  (void)e;
  const int dim = *(const int *)context;
  for (size_t i = 0; i < count; i++) {
    double r2 = 0;
    for (int axis = 0; axis < dim; axis++)
      r2 += points[(size_t)dim * i + (size_t)axis] * points[(size_t)dim * i + (size_t)axis];
    values[i] = exp(-9 * r2);
  }
  return TAC_STATUS_OK;
}

static void assert_refused(const struct tac_fmm_tree_options *options, enum tac_status status, const char *text) {
  int dim = 2;
  tac_error_clear(&error);
  ck_assert_int_eq(tac_fmm_tree_create(&tree, options, smooth, &dim, &error), status);
  ck_assert_msg(strstr(error.text, text) != NULL, "\"%s\" is not in \"%s\"", text, error.text);
  ck_assert_int_eq(tac_fmm_tree_create(&tree, options, smooth, &dim, NULL), status);
  ck_assert_ptr_null(tree);
}

/* What is refused before anything is looked at: one option out of range, and what the text names. */
static void spoil(struct tac_fmm_tree_options *options, int which, const char **text) {
  static const struct tac_fmm_seed thin = {.width = 1e-10}, nowhere = {.center = {0, NAN}, .width = 1}, none = {.width = NAN};
  static const char *const texts[] = {"init",   "dimension", "dimension", "order",     "order",     "basis",      "basis",
                                      "level",  "level",     "side",      "side",      "side",      "side",       "corner",
                                      "corner", "distance",  "tolerance", "tolerance", "tolerance", "max_leaves", "seeds",
                                      "seed 0", "seed 0",    "seed 0",    "too small"};
  *text = texts[which];
  int *const integers[] = {&options->dim, &options->dim, &options->order, &options->order};
  static const int bad_integers[] = {1, 4, 1, 17};
  static const double bad_sides[] = {0, -1, NAN, INFINITY}, bad_tolerances[] = {0, 1, NAN};
  static const struct tac_fmm_seed *const bad_seeds[] = {&thin, &nowhere, &none};
  options->size -= which == 0;
  if (which >= 1 && which < 5)
    *integers[which - 1] = bad_integers[which - 1];
  if (which == 5 || which == 6)
    options->basis = which == 5 ? (enum tac_fmm_basis)2 : (enum tac_fmm_basis)7;
  if (which == 7 || which == 8)
    options->levels = which == 7 ? -2 : TAC_FMM_MAX_LEVELS;
  if (which >= 9 && which < 13)
    options->side = bad_sides[which - 9];
  if (which == 13)
    options->lower[1] = NAN;
  if (which == 14)
    options->lower[0] = options->side = DBL_MAX;
  if (which == 15)
    options->lower[0] = 1e15;
  if (which >= 16 && which < 19)
    options->tolerance = bad_tolerances[which - 16];
  if (which == 19)
    options->max_leaves = 0;
  options->seed_count = which >= 20 && which < 24;
  if (which >= 21 && which < 24)
    options->seeds = bad_seeds[which - 21];
  if (which == 24)
    options->side = 1e-150;
}

START_TEST(options_out_of_range_are_refused) {
  struct tac_fmm_tree_options options = options_of(2);
  const char *text = NULL;
  spoil(&options, _i, &text);
  assert_refused(&options, TAC_STATUS_INVALID, text);
}
END_TEST

START_TEST(missing_arguments_are_refused) {
  struct tac_fmm_tree_options options = options_of(2);
  ck_assert_int_eq(tac_fmm_tree_create(&tree, NULL, smooth, NULL, NULL), TAC_STATUS_INVALID);
  ck_assert_int_eq(tac_fmm_tree_create(&tree, &options, NULL, NULL, NULL), TAC_STATUS_INVALID);
  ck_assert_int_eq(tac_fmm_tree_create_refined(&tree, NULL, NULL, NULL, NULL), TAC_STATUS_INVALID);
  ck_assert_int_eq(tac_fmm_tree_create_refined(&tree, &options, NULL, NULL, NULL), TAC_STATUS_INVALID);
  ck_assert_ptr_null(tree);
}
END_TEST

START_TEST(uniform_trees_are_bounded) {
  struct tac_fmm_tree_options options = options_of(3);
  options.levels = 2;
  options.max_leaves = 64;
  ck_assert_int_eq(tac_fmm_tree_create(&tree, &options, NULL, NULL, NULL), TAC_STATUS_OK);
  ck_assert_uint_eq(tac_fmm_tree_leaves(tree), 64);
  ck_assert(tac_fmm_tree_resolution(tree) == 0);
  tac_fmm_tree_destroy(&tree);
  options.max_leaves = 63;
  assert_refused(&options, TAC_STATUS_MEMORY, "max_leaves is 63");
  options.max_leaves = SIZE_MAX;
  options.levels = 30; /* 8^30 */
  assert_refused(&options, TAC_STATUS_MEMORY, "1.238e+27");
}
END_TEST

/* 1 inside a circle: a jump is never resolved, and its leaves double from level to level. */
static enum tac_status disk(void *context, size_t count, const double *points, double *values, struct tac_error *e) {
  (void)context;
  (void)e;
  for (size_t i = 0; i < count; i++)
    values[i] = hypot(points[2 * i], points[2 * i + 1]) < 0.3;
  return TAC_STATUS_OK;
}

START_TEST(a_jump_ends_at_max_leaves) {
  struct tac_fmm_tree_options options = options_of(2);
  options.max_leaves = 10000;
  tac_error_clear(&error);
  ck_assert_int_eq(tac_fmm_tree_create(&tree, &options, disk, NULL, &error), TAC_STATUS_MEMORY);
  double tolerance, reached, x, y, z;
  size_t most, leaves, boxes;
  int level;
  ck_assert_msg(sscanf(error.text,
                       "tolerance %lf needs more than max_leaves = %zu: with %zu leaves to level %d, %zu boxes there differ by "
                       "up to %lf of max |f|, worst near (%lf, %lf, %lf)",
                       &tolerance, &most, &leaves, &level, &boxes, &reached, &x, &y, &z) == 9,
                "%s", error.text);
  ck_assert(tolerance == 0.01 && most == 10000);
  ck_assert(leaves <= most && leaves + 3 * boxes > most);
  ck_assert(reached > 0.1 && reached < 2);
  ck_assert_double_eq_tol(hypot(x, y), 0.3, ldexp(1, -level)); /* on the circle */
  ck_assert_ptr_null(tree);
}
END_TEST

/* The direction of a point seen from the origin: a jump at every scale, in one place. */
static enum tac_status direction(void *context, size_t count, const double *points, double *values, struct tac_error *e) {
  (void)context;
  (void)e;
  for (size_t i = 0; i < count; i++) {
    const double x = points[2 * i] - 0.1, y = points[2 * i + 1] - 0.2, r = hypot(x, y);
    values[i] = r > 0 ? x / r : 0;
  }
  return TAC_STATUS_OK;
}

START_TEST(a_tolerance_out_of_reach_is_refused_with_what_was_reached) {
  struct tac_fmm_tree_options options = options_of(2);
  options.order = 8;
  tac_error_clear(&error);
  ck_assert_int_eq(tac_fmm_tree_create(&tree, &options, direction, NULL, &error), TAC_STATUS_NUMERICAL);
  double tolerance, reached, x, y;
  ck_assert_msg(sscanf(error.text, "tolerance %lf is out of reach: %lf of max |f| at the deepest level, near (%lf, %lf",
                       &tolerance, &reached, &x, &y) == 4,
                "%s", error.text);
  ck_assert(tolerance == 0.01 && reached > 0.01 && reached < 2);
  ck_assert(fabs(x - 0.1) < 1e-8 && fabs(y - 0.2) < 1e-8);
  ck_assert_ptr_null(tree);
}
END_TEST

struct spoiled {
  int dim;
  double value;
};

/* Not finite in one corner of the domain. */
static enum tac_status spoiled_density(void *context, size_t count, const double *points, double *values, struct tac_error *e) {
  (void)e;
  const struct spoiled *spoiled = context;
  for (size_t i = 0; i < count; i++) {
    int corner = 1;
    for (int axis = 0; axis < spoiled->dim; axis++)
      corner &= points[(size_t)spoiled->dim * i + (size_t)axis] > 0.4;
    values[i] = corner ? spoiled->value : 1;
  }
  return TAC_STATUS_OK;
}

START_TEST(a_density_that_is_not_finite_is_refused_with_its_point) {
  static const double bad[] = {NAN, INFINITY, -INFINITY};
  for (int dim = 2; dim <= 3; dim++) {
    struct tac_fmm_tree_options options = options_of(dim);
    struct spoiled spoiled = {dim, bad[_i]};
    tac_error_clear(&error);
    ck_assert_int_eq(tac_fmm_tree_create(&tree, &options, spoiled_density, &spoiled, &error), TAC_STATUS_NUMERICAL);
    double value, x[3] = {1, 1, 1};
    const int read = sscanf(error.text, "the density is not finite (%lf) at (%lf, %lf, %lf)", &value, &x[0], &x[1], &x[2]);
    ck_assert_msg(read == 1 + dim, "%s", error.text);
    ck_assert(isnan(bad[_i]) ? isnan(value) : value == bad[_i]);
    ck_assert(x[0] > 0.4 && x[1] > 0.4 && x[2] > 0.4);
    ck_assert_ptr_null(tree);
  }
}
END_TEST

/* Fails from its third call on. */
static enum tac_status failing(void *context, size_t count, const double *points, double *values, struct tac_error *e) {
  int *calls = context;
  int dim = 2;
  if (++*calls < 3)
    return smooth(&dim, count, points, values, e);
  return *calls == 3 ? tac_error_set(e, TAC_STATUS_IO, "grid", "sample %zu is missing", count) : TAC_STATUS_IO;
}

START_TEST(a_density_that_fails_ends_the_creation) {
  struct tac_fmm_tree_options options = options_of(2);
  int calls = 0;
  tac_error_clear(&error);
  ck_assert_int_eq(tac_fmm_tree_create(&tree, &options, failing, &calls, &error), TAC_STATUS_IO);
  ck_assert_int_eq(calls, 3);
  ck_assert_str_eq(error.where, "grid");
  ck_assert_ptr_nonnull(strstr(error.text, "is missing"));
  ck_assert_int_eq(tac_fmm_tree_create(&tree, &options, failing, &calls, &error), TAC_STATUS_IO);
  ck_assert_int_eq(calls, 4);
  ck_assert_int_eq(error.status, TAC_STATUS_IO); /* of its own text, as the density gave none */
  ck_assert_ptr_null(strstr(error.text, "is missing"));
  ck_assert_ptr_null(tree);
}
END_TEST

/* The largest doubles are densities too, and so are the smallest. */
static enum tac_status scaled(void *context, size_t count, const double *points, double *values, struct tac_error *e) {
  const double *scale = context;
  int dim = 2;
  const enum tac_status status = smooth(&dim, count, points, values, e);
  for (size_t i = 0; i < count; i++)
    values[i] *= *scale;
  return status;
}

START_TEST(the_scale_of_a_density_does_not_matter) {
  struct tac_fmm_tree_options options = options_of(2);
  double scales[] = {1, 0x1p-900, 0x1p1000, 0x1p-1020};
  size_t leaves = 0;
  for (int i = 0; i < 4; i++) {
    ck_assert_int_eq(tac_fmm_tree_create(&tree, &options, scaled, &scales[i], NULL), TAC_STATUS_OK);
    if (i == 0)
      leaves = tac_fmm_tree_leaves(tree);
    ck_assert_uint_eq(tac_fmm_tree_leaves(tree), leaves);
    tac_fmm_tree_destroy(&tree);
  }
}
END_TEST

/* An allocator that knows how many bytes live, and that fails after `left` calls. */
struct ledger {
  size_t live, left, calls;
};

static void *ledger_allocate(void *context, size_t bytes) {
  struct ledger *ledger = context;
  if (ledger->left == 0)
    return NULL;
  ledger->left--;
  ledger->calls++;
  unsigned char *memory = tac_allocator_system()->allocate(NULL, bytes + TAC_ALIGNMENT);
  ck_assert_ptr_nonnull(memory);
  memcpy(memory, &bytes, sizeof bytes);
  ledger->live += bytes;
  return memory + TAC_ALIGNMENT;
}

static void ledger_release(void *context, void *memory) {
  struct ledger *ledger = context;
  if (!memory)
    return;
  unsigned char *start = (unsigned char *)memory - TAC_ALIGNMENT;
  size_t bytes;
  memcpy(&bytes, start, sizeof bytes);
  ledger->live -= bytes;
  tac_allocator_system()->release(NULL, start);
}

static int split_to_four(void *context, int level, const double *lower, double side) {
  (void)context;
  (void)side;
  return level < 4 || (level < 7 && lower[0] == -0.5);
}

static enum tac_status create_with(const struct tac_fmm_tree_options *options, int kind) {
  int dim = options->dim;
  tac_error_clear(&error);
  return kind == 0 ? tac_fmm_tree_create(&tree, options, smooth, &dim, &error)
                   : tac_fmm_tree_create_refined(&tree, options, split_to_four, NULL, &error);
}

/* Every call of the allocator fails once; nothing is lost, and a tree in the end holds what it says. */
START_TEST(memory_may_run_out_anywhere) {
  struct ledger ledger = {0};
  const struct tac_allocator allocator = {ledger_allocate, ledger_release, &ledger};
  struct tac_fmm_tree_options options = options_of(3);
  options.allocator = &allocator;
  enum tac_status status = TAC_STATUS_MEMORY;
  size_t failures = 0;
  while (status != TAC_STATUS_OK) {
    ledger.left = failures;
    status = create_with(&options, _i);
    if (status == TAC_STATUS_OK)
      break;
    failures++;
    ck_assert_int_eq(status, TAC_STATUS_MEMORY);
    ck_assert_ptr_nonnull(strstr(error.text, "no memory"));
    ck_assert_uint_eq(ledger.live, 0);
    ck_assert_ptr_null(tree);
  }
  ck_assert_uint_ge(failures, 10);
  ck_assert_uint_eq(ledger.live, tac_fmm_tree_bytes(tree));
  ck_assert_uint_gt(tac_fmm_tree_leaves(tree), 100);
  tac_fmm_tree_destroy(&tree);
  ck_assert_uint_eq(ledger.live, 0);
}
END_TEST

int main(void) {
  TCase *cases = tcase_create("tree_limits");
  tcase_set_timeout(cases, 120);
  tcase_add_loop_test(cases, options_out_of_range_are_refused, 0, 25);
  tcase_add_test(cases, missing_arguments_are_refused);
  tcase_add_test(cases, uniform_trees_are_bounded);
  tcase_add_test(cases, a_jump_ends_at_max_leaves);
  tcase_add_test(cases, a_tolerance_out_of_reach_is_refused_with_what_was_reached);
  tcase_add_loop_test(cases, a_density_that_is_not_finite_is_refused_with_its_point, 0, 3);
  tcase_add_test(cases, a_density_that_fails_ends_the_creation);
  tcase_add_test(cases, the_scale_of_a_density_does_not_matter);
  tcase_add_loop_test(cases, memory_may_run_out_anywhere, 0, 2);
  return run_cases("tree_limits", cases);
}
