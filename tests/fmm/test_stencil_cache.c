/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "apps/fmm/stencil.h"
#include "runtime/arena.h"
#include "tests/fmm/solve.h"
#include "tests/unit/counting_allocator.h"
#include "tests/unit/suite.h"

/* Stencils of low rank from the cache, alone and in plans. */

static char folder[64];

static void make_folder(void) {
  snprintf(folder, sizeof folder, "/tmp/tactus_stencil_XXXXXX");
  ck_assert_ptr_nonnull(mkdtemp(folder));
}

typedef void (*visit_fn)(const char *path);

static int visit_files(visit_fn visit) {
  DIR *directory = opendir(folder);
  ck_assert_ptr_nonnull(directory);
  int count = 0;
  for (const struct dirent *entry; (entry = readdir(directory));) {
    char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
    if (entry->d_name[0] == '.')
      continue;
    visit(path);
    count++;
  }
  closedir(directory);
  return count;
}

static void delete (const char *path) {
  ck_assert_int_eq(unlink(path), 0);
}

static void remove_folder(void) {
  visit_files(delete);
  rmdir(folder);
}

static void flip_last_byte(const char *path) {
  FILE *file = fopen(path, "r+b");
  ck_assert_ptr_nonnull(file);
  ck_assert_int_eq(fseek(file, -1, SEEK_END), 0);
  const int byte = fgetc(file);
  ck_assert_int_eq(fseek(file, -1, SEEK_END), 0);
  ck_assert_int_ne(fputc(byte ^ 1, file), EOF);
  fclose(file);
}

/* Blocks of low rank where the offset has more than one axis, of full rank elsewhere, and nothing in one class. */
enum { SIZE = 40 };
static const int begin[9] = {0, 8, 14, 20, 24, 24, 32, 36, SIZE};
static int calls;

static enum tac_status make_matrix(void *context, const int offset[3], double *out, struct tac_error *error) {
  const double scale = *(const double *)context;
  const int axes = offset[0] + offset[1] + offset[2];
  (void)error;
  calls++;
  for (int j = 0; j < SIZE; j++)
    for (int i = 0; i < SIZE; i++)
      out[i + SIZE * j] = scale * (axes > 1 ? cos(i + axes) * sin(1.3 * j) : cos(0.7 * i * j + axes));
  return TAC_STATUS_OK;
}

static struct tac_stencil_shape make_shape(const char *key) {
  struct tac_stencil_shape shape = {
      .dim = 3, .reach = TAC_REACH_NEIGHBOURS, .cache_folder = key ? folder : NULL, .cache_key = key};
  memcpy(shape.source_begin, begin, sizeof begin);
  memcpy(shape.target_begin, begin, sizeof begin);
  return shape;
}

/* Makes a stencil, applies it to fixed vectors; checks where its blocks came from. */
static void run(const char *key, double scale, double tolerance, int cached, double *target) {
  static double source[27][SIZE];
  const double *sources[27];
  for (int n = 0; n < 27; n++) {
    sources[n] = source[n];
    for (int i = 0; i < SIZE; i++)
      source[n][i] = sin(3 * i + n);
  }
  const struct tac_stencil_shape shape = make_shape(key);
  struct tac_stencil *stencil = NULL;
  calls = 0;
  ck_assert_int_eq(tac_stencil_create(&stencil, &shape, make_matrix, &scale, tolerance, NULL, NULL), TAC_STATUS_OK);
  ck_assert_int_eq(tac_stencil_cached(stencil), cached);
  ck_assert_int_eq(calls, cached ? 0 : 7);
  struct tac_arena *arena = NULL;
  ck_assert_int_eq(tac_arena_create(&arena, NULL, NULL), TAC_STATUS_OK);
  ck_assert_int_eq(tac_stencil_apply(stencil, 1, sources, &target, arena, NULL), TAC_STATUS_OK);
  tac_arena_destroy(&arena);
  tac_stencil_destroy(&stencil);
}

START_TEST(blocks_come_from_the_cache) {
  double fresh[SIZE], target[SIZE];
  run(NULL, 1, 1e-10, 0, fresh);
  run("a", 1, 1e-10, 0, target);
  ck_assert_mem_eq(target, fresh, sizeof fresh);
  run("a", 1, 1e-10, 1, target);
  ck_assert_mem_eq(target, fresh, sizeof fresh);
  run("b", 2, 1e-10, 0, target);
  ck_assert_mem_ne(target, fresh, sizeof fresh);
  run("a", 1, 1e-10, 1, target);
  ck_assert_mem_eq(target, fresh, sizeof fresh);
}
END_TEST

START_TEST(without_a_tolerance_nothing_is_kept) {
  double target[SIZE];
  run("a", 1, 0, 0, target);
  run("a", 1, 0, 0, target);
  ck_assert_int_eq(visit_files(delete), 0);
}
END_TEST

START_TEST(damaged_blocks_are_made_anew) {
  double fresh[SIZE], target[SIZE];
  run("a", 1, 1e-10, 0, fresh);
  ck_assert_int_eq(visit_files(flip_last_byte), 2);
  run("a", 1, 1e-10, 0, target);
  ck_assert_mem_eq(target, fresh, sizeof fresh);
  run("a", 1, 1e-10, 1, target);
  ck_assert_mem_eq(target, fresh, sizeof fresh);
}
END_TEST

/* Each allocation refused in turn while the blocks are in the cache. */
START_TEST(loading_bears_lack_of_memory) {
  double target[SIZE], scale = 1;
  run("a", 1, 1e-10, 0, target);
  const struct tac_stencil_shape shape = make_shape("a");
  enum tac_status status = TAC_STATUS_MEMORY;
  for (size_t left = 0; status != TAC_STATUS_OK; left++) {
    struct counting counting = COUNTING_INIT;
    counting.left = left;
    const struct tac_allocator allocator = COUNTING_ALLOCATOR(&counting);
    struct tac_stencil *stencil = NULL;
    status = tac_stencil_create(&stencil, &shape, make_matrix, &scale, 1e-10, &allocator, NULL);
    ck_assert(status == TAC_STATUS_MEMORY || status == TAC_STATUS_OK);
    tac_stencil_destroy(&stencil);
    ck_assert_uint_eq(counting.allocated, counting.released);
  }
}
END_TEST

/* A plan on an adaptive tree, with all operators that are kept. */
static void solve_cached(const struct solve_case *c, int gradient, int cached, double *sum) {
  struct tac_fmm_tree_options tree;
  struct tac_fmm_plan_options plan;
  struct solve solve;
  tac_fmm_tree_options_init(&tree);
  tac_fmm_plan_options_init(&plan);
  tree.dim = c->dim;
  tree.order = 4;
  tree.tolerance = 1e-3;
  plan.eps = 1e-3;
  plan.kernel = c->kernel;
  plan.gradient = gradient;
  plan.path = TAC_FMM_PATH_PAIRED;
  plan.cache_folder = folder;
  solve_case(&solve, c, &tree, &plan);
  const struct tac_fmm_plan_info info = tac_fmm_plan_info(solve.plan);
  ck_assert_int_gt(info.ranks[3], 0);
  ck_assert_int_eq(info.far_cached, cached);
  *sum = 0;
  for (size_t i = 0; i < solve.points; i++)
    for (int field = 0; field < solve.fields; field++)
      *sum += cos((double)i) * solve.field[field][i];
  solve_free(&solve);
}

static const struct solve_case plans[] = {
    {2, {TAC_FMM_LAPLACE, 0}, 300, {0.11, -0.2, 0}},
    {2, {TAC_FMM_HELMHOLTZ, 3}, 300, {0.11, -0.2, 0}},
    {3, {TAC_FMM_LAPLACE, 0}, 100, {0.11, -0.2, 0.05}},
    {3, {TAC_FMM_YUKAWA, 2}, 100, {0.11, -0.2, 0.05}},
};

/* The same bits with cached stencils as with fresh ones, also when another plan's are there; all are made anew beside damaged
 * ones. */
START_TEST(plans_tell_whether_all_was_cached) {
  const struct solve_case *c = &plans[_i];
  double fresh, sum, other;
  solve_cached(c, 1, 0, &fresh);
  solve_cached(c, 1, 1, &sum);
  ck_assert_double_eq(sum, fresh);
  solve_cached(c, 0, 1, &other);
  visit_files(flip_last_byte);
  solve_cached(c, 1, 0, &sum);
  ck_assert_double_eq(sum, fresh);
  solve_cached(c, 1, 1, &sum);
  ck_assert_double_eq(sum, fresh);
}
END_TEST

int main(void) {
  TCase *cases = tcase_create("stencil cache");
  tcase_set_timeout(cases, 120);
  tcase_add_checked_fixture(cases, make_folder, remove_folder);
  tcase_add_test(cases, blocks_come_from_the_cache);
  tcase_add_test(cases, without_a_tolerance_nothing_is_kept);
  tcase_add_test(cases, damaged_blocks_are_made_anew);
  tcase_add_test(cases, loading_bears_lack_of_memory);
  tcase_add_loop_test(cases, plans_tell_whether_all_was_cached, 0, sizeof plans / sizeof *plans);
  return run_cases("stencil cache", cases);
}
