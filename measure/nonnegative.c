/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "measure/nonnegative.h"

#include <cblas.h>
#include <lapacke.h>
#include <string.h>

enum { MOST = TAC_COST_TERMS_MAX, ROUNDS = 10 * TAC_COST_TERMS_MAX, WORK = 8 * TAC_COST_TERMS_MAX };

#define DEPENDENT 1e-9  /* condition from which on unit columns count as dependent */
#define FLAT      1e-12 /* slope, for unit columns and right side, that is rounding */

/* The rows so far become the triangle of their QR factorisation. */
static void reduce(struct tac_least_squares *problem) {
  const size_t columns = problem->unknowns + 1;
  double reflectors[MOST + 1], work[MOST + 1];
  LAPACKE_dgeqrf_work(LAPACK_COL_MAJOR, (lapack_int)problem->rows, (lapack_int)columns, problem->entry[0],
                      TAC_LEAST_SQUARES_ROWS, reflectors, work, MOST + 1);
  for (size_t j = 0; j < columns; j++)
    for (size_t i = j + 1; i < problem->rows; i++)
      problem->entry[j][i] = 0;
  problem->rows = columns;
}

void tac_least_squares_fold(struct tac_least_squares *problem, const double *row, double right, double weight) {
  if (problem->rows == TAC_LEAST_SQUARES_ROWS)
    reduce(problem);
  for (size_t j = 0; j < problem->unknowns; j++)
    problem->entry[j][problem->rows] = weight * row[j];
  problem->entry[problem->unknowns][problem->rows++] = weight * right;
}

/* Unit columns and their right side, with what is known of the solution so far. */
struct search {
  size_t unknowns;
  double column[MOST][MOST], length[MOST]; /* length 0: a column of zeros */
  double right[MOST], scale;
  double x[MOST];
  int used[MOST], blocked[MOST];
};

static void begin(struct search *s, struct tac_least_squares *problem) {
  const size_t n = problem->unknowns;
  reduce(problem);
  memset(s, 0, sizeof *s);
  s->unknowns = n;
  for (size_t j = 0; j < n; j++) {
    for (size_t i = 0; i <= j; i++)
      s->column[j][i] = problem->entry[j][i];
    s->length[j] = cblas_dnrm2((int)n, s->column[j], 1);
    for (size_t i = 0; i <= j && s->length[j] > 0; i++)
      s->column[j][i] /= s->length[j];
    s->right[j] = problem->entry[n][j];
  }
  s->scale = cblas_dnrm2((int)n, s->right, 1);
}

/* Least squares in the unknowns in use, of either sign. 0: their columns are dependent. */
static int solve_used(const struct search *s, double *z) {
  double matrix[MOST][MOST], right[MOST], work[WORK];
  lapack_int pivot[MOST] = {0}, count = 0, rank = 0;
  for (size_t j = 0; j < s->unknowns; j++)
    if (s->used[j])
      memcpy(matrix[count++], s->column[j], sizeof *matrix);
  memcpy(right, s->right, sizeof right);
  LAPACKE_dgelsy_work(LAPACK_COL_MAJOR, (lapack_int)s->unknowns, count, 1, matrix[0], MOST, right, MOST, pivot, DEPENDENT,
                      &rank, work, WORK);
  for (size_t j = 0, at = 0; j < s->unknowns; j++)
    z[j] = s->used[j] ? right[at++] : 0;
  return rank == count;
}

/* The unknown along which the squares fall fastest; `unknowns` where along none. */
static size_t steepest(const struct search *s) {
  const int n = (int)s->unknowns;
  double rest[MOST];
  size_t best = s->unknowns;
  memcpy(rest, s->right, sizeof rest);
  cblas_dgemv(CblasColMajor, CblasNoTrans, n, n, -1, s->column[0], MOST, s->x, 1, 1, rest, 1);
  double most = FLAT * s->scale;
  for (size_t j = 0; j < s->unknowns; j++) {
    const double slope = cblas_ddot(n, s->column[j], 1, rest, 1);
    if (!s->used[j] && !s->blocked[j] && s->length[j] > 0 && slope > most) {
      most = slope;
      best = j;
    }
  }
  return best;
}

/* From x towards z as far as nothing becomes negative; what becomes 0 on the way is no longer used. */
static void step_back(struct search *s, const double *z) {
  double part = 1;
  size_t first = s->unknowns;
  for (size_t j = 0; j < s->unknowns; j++)
    if (s->used[j] && z[j] <= 0 && s->x[j] / (s->x[j] - z[j]) <= part) {
      part = s->x[j] / (s->x[j] - z[j]);
      first = j;
    }
  for (size_t j = 0; j < s->unknowns; j++) {
    if (!s->used[j])
      continue;
    s->x[j] += part * (z[j] - s->x[j]);
    if (j == first || s->x[j] <= 0) {
      s->x[j] = 0;
      s->used[j] = 0;
    }
  }
}

static int has_negative(const struct search *s, const double *z) {
  for (size_t j = 0; j < s->unknowns; j++)
    if (s->used[j] && z[j] <= 0)
      return 1;
  return 0;
}

/* One more unknown into use, and out again whatever then would be negative. */
static void add_unknown(struct search *s, size_t added) {
  double z[MOST];
  s->used[added] = 1;
  if (!solve_used(s, z) || z[added] <= 0) {
    s->used[added] = 0;
    s->blocked[added] = 1;
    return;
  }
  while (has_negative(s, z)) {
    step_back(s, z);
    if (!solve_used(s, z))
      return;
  }
  memcpy(s->x, z, sizeof s->x);
  memset(s->blocked, 0, sizeof s->blocked);
}

static enum tac_cost_term_state state_of(const struct search *s, size_t j) {
  struct search with = *s;
  double z[MOST];
  if (s->x[j] > 0)
    return TAC_COST_TERM_FITTED;
  if (s->length[j] == 0)
    return TAC_COST_TERM_ABSENT;
  with.used[j] = 1;
  return solve_used(&with, z) ? TAC_COST_TERM_UNUSED : TAC_COST_TERM_COLLINEAR;
}

void tac_nonnegative_solve(double *x, enum tac_cost_term_state *state, struct tac_least_squares *problem) {
  struct search s;
  begin(&s, problem);
  for (int round = 0; round < ROUNDS; round++) {
    const size_t next = steepest(&s);
    if (next == s.unknowns)
      break;
    add_unknown(&s, next);
  }
  for (size_t j = 0; j < s.unknowns; j++) {
    x[j] = s.x[j] > 0 ? s.x[j] / s.length[j] : 0;
    state[j] = state_of(&s, j);
  }
}
