/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/fmm/stencil.h"

#include <math.h>
#include <pthread.h>
#include <string.h>

#include "apps/fmm/modes.h"
#include "runtime/arena.h"
#include "tests/fmm/stencil_problem.h"
#include "tests/unit/suite.h"

static const struct {
  int dim;
  enum tac_stencil_reach reach;
  unsigned flip;
  int source[8], target[8];
  size_t count;
} cases[] = {
    {2, TAC_REACH_ALL, 0, {3, 2, 4, 1}, {2, 5, 3, 1}, 7},
    {2, TAC_REACH_ALL, 1, {3, 2, 4, 1}, {2, 5, 3, 1}, 7},
    {2, TAC_REACH_NEIGHBOURS, 2, {10, 6, 6, 3}, {16, 16, 16, 16}, 50},
    {2, TAC_REACH_SELF, 0, {10, 6, 6, 3}, {9, 8, 7, 6}, 5},
    {2, TAC_REACH_SELF, 3, {10, 6, 6, 3}, {9, 8, 7, 6}, 1},
    {3, TAC_REACH_ALL, 0, {4, 4, 4, 2, 4, 2, 2, 1}, {3, 1, 4, 1, 5, 9, 2, 6}, 9},
    {3, TAC_REACH_ALL, 4, {4, 4, 4, 2, 4, 2, 2, 1}, {3, 1, 4, 1, 5, 9, 2, 6}, 9},
    {3, TAC_REACH_ALL, 7, {0, 1, 0, 2, 3, 0, 0, 1}, {0, 1, 2, 0, 0, 0, 1, 0}, 9},
    {3, TAC_REACH_ALL, 0, {1}, {1}, 3},
    {3, TAC_REACH_ALL, 0, {0, 1}, {1}, 3},
    {3, TAC_REACH_ALL, 0, {0}, {1, 2}, 3},
    {3, TAC_REACH_ALL, 0, {1, 2}, {0}, 3},
    {3, TAC_REACH_NEIGHBOURS, 0, {23, 21, 20, 19, 9, 8, 7, 6}, {23, 21, 20, 19, 9, 8, 7, 6}, 30},
    {3, TAC_REACH_NEIGHBOURS, 2, {13, 11, 10, 9, 9, 8, 7, 6}, {33, 32, 31, 30, 9, 8, 7, 6}, 140},
    {3, TAC_REACH_SELF, 0, {20, 10, 10, 10, 5, 5, 5, 4}, {27, 18, 18, 12, 18, 12, 12, 8}, 11},
    {3, TAC_REACH_SELF, 5, {20, 10, 10, 10, 5, 5, 5, 4}, {27, 18, 18, 12, 18, 12, 12, 8}, 11},
    {3, TAC_REACH_ALL, 1, {70, 1, 68, 2, 66, 3, 64, 4}, {4, 64, 3, 66, 2, 68, 1, 70}, 4},
};

enum { CASES = sizeof cases / sizeof *cases };

/* Against the sum offset by offset: all neighbours, then a third of them absent, then all absent. */
START_TEST(equals_the_sum_offset_by_offset) {
  seed(1000U + (unsigned)_i);
  for (int low_rank = 0; low_rank < 2; low_rank++) {
    struct problem problem;
    problem_create(&problem, cases[_i].dim, cases[_i].reach, cases[_i].flip, cases[_i].source, cases[_i].target, low_rank);
    struct tac_stencil *stencil = stencil_of(&problem, low_rank ? 1e-13 : 0);
    ck_assert_int_ge(tac_stencil_tile(stencil), 1);
    for (int percent = 0; percent <= 100; percent += percent ? 67 : 33) {
      struct vectors v;
      vectors_create(&v, &problem, cases[_i].count, percent);
      const double unit = sum_plainly(&problem, &v);
      apply(stencil, v.count, v.from, v.to);
      for (size_t i = 0; i < v.count * (size_t)problem.targets; i++)
        ck_assert_double_eq_tol(v.target[i], v.expected[i], 1e-15 + (low_rank ? 1e-12 : 1e-14) * unit);
      vectors_destroy(&v);
    }
    tac_stencil_destroy(&stencil);
    ck_assert_ptr_null(stencil);
    problem_destroy(&problem);
  }
}
END_TEST

/* The symmetry of a real kernel: values exp(-|x - y|^2) and its x derivative between all nodes of a box and its neighbours,
 * summed node by node, without any word of classes. */
enum { ORDER = 3, NODES = 27 };

struct gaussian {
  struct tac_node_space space;
  double x[ORDER];
  int derivative; /* axis, or -1 */
};

static void node_point(const struct gaussian *gaussian, int node, double point[3]) {
  for (int axis = 0; axis < 3; axis++, node /= ORDER)
    point[axis] = axis < gaussian->space.dim ? gaussian->x[node % ORDER] : 0;
}

static double gaussian_value(const struct gaussian *gaussian, int target, int source, const int offset[3]) {
  double x[3], y[3], r2 = 0;
  node_point(gaussian, target, x);
  node_point(gaussian, source, y);
  for (int axis = 0; axis < 3; axis++) {
    x[axis] -= y[axis] + offset[axis];
    r2 += x[axis] * x[axis];
  }
  return exp(-r2) * (gaussian->derivative < 0 ? 1 : -2 * x[gaussian->derivative]);
}

static enum tac_status gaussian_matrix(void *context, const int offset[3], double *out, struct tac_error *error) {
  (void)error;
  const struct gaussian *gaussian = context;
  const int count = gaussian->space.count;
  for (int j = 0; j < count; j++) {
    double unit[NODES] = {0}, source[NODES], target[NODES];
    unit[j] = 1;
    tac_classes_to_nodes(&gaussian->space, unit, source);
    for (int i = 0; i < count; i++) {
      target[i] = 0;
      for (int k = 0; k < count; k++)
        target[i] += gaussian_value(gaussian, i, k, offset) * source[k];
    }
    tac_nodes_to_classes(&gaussian->space, target, out + j * count);
  }
  return TAC_STATUS_OK;
}

/* The neighbours' terms at the nodes of one target. */
static void sum_gaussians(double expected[NODES], const struct gaussian *gaussian, const struct problem *problem,
                          const double *const *from) {
  for (int neighbour = 0; neighbour < neighbours_of(problem); neighbour++) {
    double source[NODES];
    int offset[3];
    if (!from[neighbour])
      continue;
    offset_of(problem, neighbour, offset);
    tac_classes_to_nodes(&gaussian->space, from[neighbour], source);
    for (int i = 0; i < gaussian->space.count; i++)
      for (int k = 0; k < gaussian->space.count; k++)
        expected[i] += gaussian_value(gaussian, i, k, offset) * source[k];
  }
}

START_TEST(mirror_classes_of_a_real_kernel) {
  seed(7);
  const int dim = _i & 1 ? 3 : 2, derivative = _i / 2 - 1;
  if (derivative >= dim)
    return;
  struct gaussian gaussian = {.derivative = derivative};
  double weights[ORDER];
  tac_gauss_rule(ORDER, gaussian.x, weights);
  tac_node_space_init(&gaussian.space, dim, ORDER);
  struct problem problem = {.shape = {.dim = dim, .reach = TAC_REACH_ALL, .flip = derivative < 0 ? 0 : 1U << derivative}};
  memcpy(problem.shape.source_begin, gaussian.space.class_begin, sizeof problem.shape.source_begin);
  memcpy(problem.shape.target_begin, gaussian.space.class_begin, sizeof problem.shape.target_begin);
  problem.sources = problem.targets = gaussian.space.count;
  struct tac_stencil *stencil = NULL;
  ck_assert_int_eq(tac_stencil_create(&stencil, &problem.shape, gaussian_matrix, &gaussian, 0, NULL, NULL), TAC_STATUS_OK);
  struct vectors v;
  vectors_create(&v, &problem, 3, 10);
  apply(stencil, v.count, v.from, v.to);
  for (size_t t = 0; t < v.count; t++) {
    double expected[NODES] = {0}, values[NODES];
    sum_gaussians(expected, &gaussian, &problem, v.from + t * (size_t)neighbours_of(&problem));
    tac_classes_to_nodes(&gaussian.space, v.to[t], values);
    for (int i = 0; i < gaussian.space.count; i++)
      ck_assert_double_eq_tol(values[i], expected[i], 1e-12);
  }
  vectors_destroy(&v);
  tac_stencil_destroy(&stencil);
}
END_TEST

/* Bits of a target: alone, in two uneven calls, and in one call. */
START_TEST(bits_do_not_depend_on_the_call) {
  seed(2000U + (unsigned)_i);
  struct problem problem;
  problem_create(&problem, cases[_i].dim, cases[_i].reach, cases[_i].flip, cases[_i].source, cases[_i].target, 0);
  struct tac_stencil *stencil = stencil_of(&problem, 0.3);
  struct vectors v;
  vectors_create(&v, &problem, cases[_i].count, 20);
  const size_t n = (size_t)neighbours_of(&problem), bytes = sizeof(double) * v.count * (size_t)problem.targets;
  apply(stencil, v.count, v.from, v.to);
  double *whole = wanted(bytes);
  memcpy(whole, v.target, bytes);
  for (size_t step = 1; step < v.count; step += 1 + step / 2) {
    memset(v.target, 0xff, bytes);
    for (size_t first = 0; first < v.count; first += step)
      apply(stencil, first + step < v.count ? step : v.count - first, v.from + first * n, v.to + first);
    ck_assert_mem_eq(v.target, whole, bytes);
  }
  /* Targets anywhere in memory. */
  double *shifted = wanted(bytes + v.count * sizeof(double) + sizeof(double));
  for (size_t t = 0; t < v.count; t++)
    v.to[t] = shifted + 1 + t * (size_t)(problem.targets + 1);
  apply(stencil, v.count, v.from, v.to);
  for (size_t t = 0; t < v.count; t++)
    ck_assert_mem_eq(v.to[t], whole + t * (size_t)problem.targets, sizeof(double) * (size_t)problem.targets);
  free(shifted);
  free(whole);
  vectors_destroy(&v);
  tac_stencil_destroy(&stencil);
  problem_destroy(&problem);
}
END_TEST

static const int node_sizes[8] = {64, 64, 64, 64, 64, 64, 64, 64};

/* 27 neighbours, 120 modes, 512 nodes: 64 * 405 multiply-adds a class where offset by offset takes 8 times more. Of 2^n images,
 * for n axes out of 3, come 2^n sums of 2^n - 1 additions. */
START_TEST(operations_are_counted) {
  struct problem problem;
  problem_create(&problem, 3, TAC_REACH_ALL, 0, leaf_sizes, node_sizes, 0);
  struct tac_stencil *stencil = stencil_of(&problem, 0);
  const double products = 2.0 * 27 * 120 * 512 / 8, additions = 120.0 * (3 * 2 * 1 + 3 * 4 * 3 + 8 * 7);
  ck_assert_double_eq(tac_stencil_flops(stencil), products + additions);
  const size_t entries = 8 * 64 * 405;
  ck_assert_uint_ge(tac_stencil_bytes(stencil), entries * sizeof(double));
  ck_assert_uint_le(tac_stencil_bytes(stencil), 2 * entries * sizeof(double));
  tac_stencil_destroy(&stencil);
  problem_destroy(&problem);
}
END_TEST

/* Factors of rank 1 make it cheaper, a matrix of zeros costs nothing. */
START_TEST(factors_are_used_where_cheaper) {
  seed(3);
  struct problem problem;
  problem_create(&problem, 3, TAC_REACH_NEIGHBOURS, 0, leaf_sizes, node_sizes, 1);
  struct tac_stencil *dense = stencil_of(&problem, 0);
  struct tac_stencil *factored = stencil_of(&problem, 1e-12);
  ck_assert_double_lt(tac_stencil_flops(factored), 0.2 * tac_stencil_flops(dense));
  ck_assert_uint_lt(tac_stencil_bytes(factored), tac_stencil_bytes(dense) / 4);
  for (int type = 0; type < 8; type++)
    memset(problem.stored[type], 0, sizeof(double) * (size_t)problem.sources * (size_t)problem.targets);
  struct tac_stencil *nothing = stencil_of(&problem, 1e-12);
  ck_assert_double_eq(tac_stencil_flops(nothing), 0);
  struct vectors v;
  vectors_create(&v, &problem, 5, 0);
  apply(nothing, v.count, v.from, v.to);
  for (size_t i = 0; i < v.count * (size_t)problem.targets; i++)
    ck_assert_double_eq(v.target[i], 0);
  vectors_destroy(&v);
  tac_stencil_destroy(&dense);
  tac_stencil_destroy(&factored);
  tac_stencil_destroy(&nothing);
  problem_destroy(&problem);
}
END_TEST

/* What is cut off is bounded by the tolerance: singular values dropped, the largest of which is tolerance * largest. */
START_TEST(truncation_follows_the_tolerance) {
  seed(4);
  struct problem problem;
  problem_create(&problem, 3, TAC_REACH_NEIGHBOURS, 0, leaf_sizes, leaf_sizes, 1);
  for (int type = 0; type < 8; type++)
    for (int i = 0; i < problem.sources * problem.targets; i++)
      problem.stored[type][i] += problem.stored[type][i] ? 1e-7 * uniform() : 0;
  double error[2];
  const double tolerance[2] = {1e-4, 1e-12};
  for (int t = 0; t < 2; t++) {
    struct tac_stencil *stencil = stencil_of(&problem, tolerance[t]);
    struct vectors v;
    vectors_create(&v, &problem, 3, 0);
    const double unit = sum_plainly(&problem, &v);
    apply(stencil, v.count, v.from, v.to);
    error[t] = 0;
    for (size_t i = 0; i < v.count * (size_t)problem.targets; i++)
      error[t] = fmax(error[t], fabs(v.target[i] - v.expected[i]) / unit);
    vectors_destroy(&v);
    tac_stencil_destroy(&stencil);
  }
  ck_assert_double_lt(error[0], 1e-5);
  ck_assert_double_gt(error[0], 1e-10);
  ck_assert_double_lt(error[1], 1e-13);
  problem_destroy(&problem);
}
END_TEST

/* Two threads with one stencil. */
struct worker {
  const struct tac_stencil *stencil;
  struct vectors vectors;
  enum tac_status status;
};

static void *work(void *context) {
  struct worker *worker = context;
  struct tac_arena *arena = NULL;
  worker->status = tac_arena_create(&arena, NULL, NULL);
  for (int turn = 0; turn < 3 && worker->status == TAC_STATUS_OK; turn++)
    worker->status =
        tac_stencil_apply(worker->stencil, worker->vectors.count, worker->vectors.from, worker->vectors.to, arena, NULL);
  tac_arena_destroy(&arena);
  return NULL;
}

START_TEST(threads_share_a_stencil) {
  seed(8);
  struct problem problem;
  problem_create(&problem, 3, TAC_REACH_NEIGHBOURS, 0, leaf_sizes, leaf_sizes, 1);
  struct tac_stencil *stencil = stencil_of(&problem, 1e-12);
  struct worker workers[2];
  pthread_t threads[2];
  for (int w = 0; w < 2; w++) {
    workers[w].stencil = stencil;
    vectors_create(&workers[w].vectors, &problem, 20, 10);
    ck_assert_int_eq(pthread_create(&threads[w], NULL, work, &workers[w]), 0);
  }
  for (int w = 0; w < 2; w++) {
    pthread_join(threads[w], NULL);
    ck_assert_int_eq(workers[w].status, TAC_STATUS_OK);
    const double unit = sum_plainly(&problem, &workers[w].vectors);
    for (size_t i = 0; i < workers[w].vectors.count * (size_t)problem.targets; i++)
      ck_assert_double_eq_tol(workers[w].vectors.target[i], workers[w].vectors.expected[i], 1e-12 * unit);
    vectors_destroy(&workers[w].vectors);
  }
  tac_stencil_destroy(&stencil);
  problem_destroy(&problem);
}
END_TEST

int main(void) {
  TCase *list = tcase_create("stencil");
  tcase_set_timeout(list, 120);
  tcase_add_loop_test(list, equals_the_sum_offset_by_offset, 0, CASES);
  tcase_add_loop_test(list, mirror_classes_of_a_real_kernel, 0, 8);
  tcase_add_loop_test(list, bits_do_not_depend_on_the_call, 0, CASES);
  tcase_add_test(list, operations_are_counted);
  tcase_add_test(list, factors_are_used_where_cheaper);
  tcase_add_test(list, truncation_follows_the_tolerance);
  tcase_add_test(list, threads_share_a_stencil);
  return run_cases("stencil", list);
}
