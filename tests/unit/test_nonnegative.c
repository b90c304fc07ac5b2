/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "measure/nonnegative.h"

#include <math.h>
#include <string.h>

#include "tests/unit/seed.h"
#include "tests/unit/suite.h"

enum { MOST = TAC_COST_TERMS_MAX, ROWS = 12 };

struct equations {
  size_t rows, unknowns;
  double row[ROWS][MOST], right[ROWS];
};

static struct tac_least_squares folded(const struct equations *e) {
  struct tac_least_squares problem = {.unknowns = e->unknowns};
  for (size_t i = 0; i < e->rows; i++)
    tac_least_squares_fold(&problem, e->row[i], e->right[i], 1);
  return problem;
}

static double squares(const struct equations *e, const double *x) {
  double sum = 0;
  for (size_t i = 0; i < e->rows; i++) {
    double rest = -e->right[i];
    for (size_t j = 0; j < e->unknowns; j++)
      rest += e->row[i][j] * x[j];
    sum += rest * rest;
  }
  return sum;
}

/* Normal equations of the unknowns in `mask`, by elimination with the largest pivot of each column: another way than the one
 * under test. 0: singular. */
static int solve_subset(const struct equations *e, unsigned mask, double *x) {
  double a[MOST][MOST + 1] = {{0}};
  size_t which[MOST], n = 0;
  for (size_t j = 0; j < e->unknowns; j++)
    if (mask >> j & 1)
      which[n++] = j;
  for (size_t p = 0; p < n; p++)
    for (size_t i = 0; i < e->rows; i++) {
      for (size_t q = 0; q < n; q++)
        a[p][q] += e->row[i][which[p]] * e->row[i][which[q]];
      a[p][n] += e->row[i][which[p]] * e->right[i];
    }
  for (size_t p = 0; p < n; p++) {
    size_t pivot = p;
    for (size_t i = p + 1; i < n; i++)
      if (fabs(a[i][p]) > fabs(a[pivot][p]))
        pivot = i;
    if (fabs(a[pivot][p]) < 1e-10)
      return 0;
    for (size_t q = 0; q <= n; q++) {
      const double swap = a[p][q];
      a[p][q] = a[pivot][q];
      a[pivot][q] = swap;
    }
    for (size_t i = 0; i < n; i++)
      for (size_t q = n + 1; i != p && q-- > p;)
        a[i][q] -= a[i][p] / a[p][p] * a[p][q];
  }
  memset(x, 0, MOST * sizeof *x);
  for (size_t p = 0; p < n; p++)
    x[which[p]] = a[p][n] / a[p][p];
  return 1;
}

/* The least sum of squares over all sets of unknowns whose solution is nowhere negative. */
static double brute_force(const struct equations *e) {
  double least = INFINITY, x[MOST];
  for (unsigned mask = 0; mask < 1u << e->unknowns; mask++) {
    int allowed = solve_subset(e, mask, x);
    for (size_t j = 0; j < e->unknowns; j++)
      allowed &= x[j] >= 0;
    if (allowed)
      least = fmin(least, squares(e, x));
  }
  return least;
}

static double uniform(uint64_t *state) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return (double)(*state >> 11) * 0x1p-53;
}

START_TEST(by_hand) {
  /* x + y = 3, x - y = 1 has 2, 1; with right sides 1, 3 it is 2, -1, and with y at 0 the best x is their mean. */
  struct equations e = {2, 2, {{1, 1}, {1, -1}}, {3, 1}};
  double x[MOST];
  enum tac_cost_term_state state[MOST];
  struct tac_least_squares problem = folded(&e);
  tac_nonnegative_solve(x, state, &problem);
  ck_assert_double_eq_tol(x[0], 2, 1e-14);
  ck_assert_double_eq_tol(x[1], 1, 1e-14);
  e.right[0] = 1;
  e.right[1] = 3;
  problem = folded(&e);
  tac_nonnegative_solve(x, state, &problem);
  ck_assert_double_eq_tol(x[0], 2, 1e-14);
  ck_assert(x[1] == 0);
  ck_assert_int_eq(state[0], TAC_COST_TERM_FITTED);
  ck_assert_int_eq(state[1], TAC_COST_TERM_UNUSED);
  e.right[0] = e.right[1] = -1; /* every unknown would have to be negative */
  problem = folded(&e);
  tac_nonnegative_solve(x, state, &problem);
  ck_assert(x[0] == 0 && x[1] == 0);
}
END_TEST

START_TEST(weights_count_as_repetitions) {
  const double one[] = {1}, two[] = {2};
  struct tac_least_squares problem = {.unknowns = 1};
  double x;
  enum tac_cost_term_state state;
  tac_least_squares_fold(&problem, one, 1, 3); /* 9 (x - 1)^2 + (2x - 5)^2: 13 x = 19 */
  tac_least_squares_fold(&problem, two, 5, 1);
  tac_nonnegative_solve(&x, &state, &problem);
  ck_assert_double_eq_tol(x, 19.0 / 13.0, 1e-14);
}
END_TEST

/* 4 x = 8 and 2 y = 6, a thousand times; then as often 4 x = 16, so that x is the mean of 2 and 4. */
START_TEST(equations_beyond_the_room_count) {
  static const double x_row[] = {4, 0}, y_row[] = {0, 2};
  struct tac_least_squares problem = {.unknowns = 2};
  double x[2];
  enum tac_cost_term_state state[2];
  for (int i = 0; i < 1000; i++) {
    tac_least_squares_fold(&problem, x_row, 8, 1);
    tac_least_squares_fold(&problem, y_row, 6, 1);
  }
  tac_nonnegative_solve(x, state, &problem);
  ck_assert_double_eq_tol(x[0], 2, 1e-12);
  ck_assert_double_eq_tol(x[1], 3, 1e-12);
  for (int i = 0; i < 1000; i++)
    tac_least_squares_fold(&problem, x_row, 16, 1);
  tac_nonnegative_solve(x, state, &problem);
  ck_assert_double_eq_tol(x[0], 3, 1e-12);
  ck_assert_double_eq_tol(x[1], 3, 1e-12);
}
END_TEST

START_TEST(as_brute_force) {
  uint64_t state = test_seed();
  int bounded = 0;
  for (int round = 0; round < 3000; round++) {
    struct equations e = {.rows = 2 + (size_t)round % (ROWS - 1), .unknowns = 1 + (size_t)round % MOST};
    const int nonnegative = round % 3 == 0;
    for (size_t i = 0; i < e.rows; i++) {
      for (size_t j = 0; j < e.unknowns; j++)
        e.row[i][j] = uniform(&state) - (nonnegative ? 0 : 0.5);
      e.right[i] = uniform(&state) - 0.5;
    }
    if (e.rows < e.unknowns) /* brute force by normal equations wants more equations than unknowns */
      e.unknowns = e.rows;
    double x[MOST];
    enum tac_cost_term_state states[MOST];
    struct tac_least_squares problem = folded(&e);
    tac_nonnegative_solve(x, states, &problem);
    for (size_t j = 0; j < e.unknowns; j++) {
      ck_assert(x[j] >= 0);
      ck_assert_int_eq(states[j] == TAC_COST_TERM_FITTED, x[j] > 0);
      bounded += x[j] == 0;
    }
    ck_assert_double_eq_tol(squares(&e, x), brute_force(&e), 1e-8);
  }
  ck_assert_int_gt(bounded, 1000);
}
END_TEST

START_TEST(columns_of_zeros_and_dependent_ones_are_told) {
  struct equations e = {.rows = 6, .unknowns = 5};
  for (size_t i = 0; i < e.rows; i++) {
    const double a = (double)(i + 1), b = (double)((i * i + 3) % 7);
    const double row[] = {a, 0, b, 1e6 * a + 2e6 * b, 3 * a};
    memcpy(e.row[i], row, sizeof row);
    e.right[i] = 2 * a + 5 * b;
  }
  double x[MOST];
  enum tac_cost_term_state state[MOST];
  struct tac_least_squares problem = folded(&e);
  tac_nonnegative_solve(x, state, &problem);
  ck_assert_double_lt(squares(&e, x), 1e-18);
  ck_assert_int_eq(state[1], TAC_COST_TERM_ABSENT);
  int fitted = 0, collinear = 0;
  for (size_t j = 0; j < e.unknowns; j++) {
    fitted += state[j] == TAC_COST_TERM_FITTED;
    collinear += state[j] == TAC_COST_TERM_COLLINEAR;
    ck_assert_int_eq(x[j] == 0, state[j] != TAC_COST_TERM_FITTED);
  }
  ck_assert_int_eq(fitted, 2);
  ck_assert_int_eq(collinear, 2);
}
END_TEST

/* The solution needs the one column that is the difference of two others: dropping it first would miss the least squares. */
START_TEST(a_dependent_column_is_used_where_it_is_needed) {
  const struct equations e = {3, 3, {{2, 1, 1}, {3, 1, 2}, {5, 4, 1}}, {1, 2, 1}};
  double x[MOST];
  enum tac_cost_term_state state[MOST];
  struct tac_least_squares problem = folded(&e);
  tac_nonnegative_solve(x, state, &problem);
  ck_assert_double_lt(squares(&e, x), 1e-20);
  ck_assert_double_eq_tol(x[2], 1, 1e-10);
}
END_TEST

int main(void) {
  const TTest *const tests[] = {by_hand,
                                weights_count_as_repetitions,
                                equations_beyond_the_room_count,
                                as_brute_force,
                                columns_of_zeros_and_dependent_ones_are_told,
                                a_dependent_column_is_used_where_it_is_needed};
  return RUN_SUITE("nonnegative", tests);
}
