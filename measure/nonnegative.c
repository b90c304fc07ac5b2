/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "measure/nonnegative.h"

#include <math.h>
#include <string.h>

enum { MOST = TAC_COST_TERMS_MAX, ROUNDS = 10 * TAC_COST_TERMS_MAX };

#define DEPENDENT 1e-9  /* what is left of a unit column that depends on others */
#define FLAT      1e-12 /* slope, for unit columns and right side, that is rounding */

/* By a rotation for each entry of the new equation. */
void tac_least_squares_fold(struct tac_least_squares *problem, const double *row, double right, double weight) {
  const size_t columns = problem->unknowns + 1;
  double added[MOST + 1];
  for (size_t j = 0; j + 1 < columns; j++)
    added[j] = weight * row[j];
  added[columns - 1] = weight * right;
  for (size_t j = 0; j < columns; j++) {
    double *kept = problem->triangle[j];
    const double length = hypot(kept[j], added[j]);
    if (added[j] == 0 || length == 0)
      continue;
    const double c = kept[j] / length, s = added[j] / length;
    for (size_t k = j; k < columns; k++) {
      const double above = kept[k], below = added[k];
      kept[k] = c * above + s * below;
      added[k] = c * below - s * above;
    }
  }
}

/* Unit columns and their right side, with what is known of the solution so far. */
struct search {
  size_t unknowns;
  double column[MOST][MOST], length[MOST]; /* length 0: a column of zeros */
  double right[MOST], scale;
  double x[MOST];
  int used[MOST], blocked[MOST];
};

static double dot(const double *a, const double *b, size_t count) {
  double sum = 0;
  for (size_t i = 0; i < count; i++)
    sum += a[i] * b[i];
  return sum;
}

static void begin(struct search *s, const struct tac_least_squares *problem) {
  const size_t n = problem->unknowns;
  memset(s, 0, sizeof *s);
  s->unknowns = n;
  for (size_t j = 0; j < n; j++) {
    for (size_t i = 0; i <= j; i++)
      s->column[j][i] = problem->triangle[i][j];
    s->length[j] = sqrt(dot(s->column[j], s->column[j], n));
    for (size_t i = 0; i <= j && s->length[j] > 0; i++)
      s->column[j][i] /= s->length[j];
    s->right[j] = problem->triangle[j][n];
  }
  s->scale = sqrt(dot(s->right, s->right, n));
}

/* Takes out of `vector` what lies along the basis, twice for the rounding of the first time; adds the factors to `along`. */
static void project(double *vector, double *along, double basis[MOST][MOST], size_t count, size_t n) {
  for (int pass = 0; pass < 2; pass++)
    for (size_t b = 0; b < count; b++) {
      const double factor = dot(basis[b], vector, n);
      along[b] += factor;
      for (size_t i = 0; i < n; i++)
        vector[i] -= factor * basis[b][i];
    }
}

/* An orthonormal basis of the columns in use, and their triangle; 0 where one depends on those before. */
static int orthonormalise(const struct search *s, double basis[MOST][MOST], double triangle[MOST][MOST], size_t *count) {
  const size_t n = s->unknowns;
  *count = 0;
  for (size_t j = 0; j < n; j++) {
    if (!s->used[j])
      continue;
    double vector[MOST];
    memcpy(vector, s->column[j], sizeof vector);
    memset(triangle[*count], 0, sizeof triangle[*count]);
    project(vector, triangle[*count], basis, *count, n);
    const double left = sqrt(dot(vector, vector, n));
    if (left < DEPENDENT)
      return 0;
    triangle[*count][*count] = left;
    for (size_t i = 0; i < n; i++)
      basis[*count][i] = vector[i] / left;
    (*count)++;
  }
  return 1;
}

/* Least squares in the unknowns in use, of either sign. 0: their columns are dependent. */
static int solve_used(const struct search *s, double *z) {
  double basis[MOST][MOST], triangle[MOST][MOST], y[MOST] = {0};
  size_t count, at = 0;
  if (!orthonormalise(s, basis, triangle, &count))
    return 0;
  double right[MOST];
  memcpy(right, s->right, sizeof right);
  project(right, y, basis, count, s->unknowns);
  for (size_t j = count; j-- > 0;) {
    for (size_t k = j + 1; k < count; k++)
      y[j] -= triangle[k][j] * y[k];
    y[j] /= triangle[j][j];
  }
  for (size_t j = 0; j < s->unknowns; j++)
    z[j] = s->used[j] ? y[at++] : 0;
  return 1;
}

/* The unknown along which the squares fall fastest; `unknowns` where along none. */
static size_t steepest(const struct search *s) {
  double rest[MOST];
  memcpy(rest, s->right, sizeof rest);
  for (size_t j = 0; j < s->unknowns; j++)
    for (size_t i = 0; i < s->unknowns; i++)
      rest[i] -= s->x[j] * s->column[j][i];
  size_t best = s->unknowns;
  double most = FLAT * s->scale;
  for (size_t j = 0; j < s->unknowns; j++) {
    const double slope = dot(s->column[j], rest, s->unknowns);
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
  double basis[MOST][MOST], triangle[MOST][MOST], vector[MOST], along[MOST] = {0};
  size_t count;
  if (s->x[j] > 0)
    return TAC_COST_TERM_FITTED;
  if (s->length[j] == 0)
    return TAC_COST_TERM_ABSENT;
  orthonormalise(s, basis, triangle, &count);
  memcpy(vector, s->column[j], sizeof vector);
  project(vector, along, basis, count, s->unknowns);
  return dot(vector, vector, s->unknowns) < DEPENDENT * DEPENDENT ? TAC_COST_TERM_COLLINEAR : TAC_COST_TERM_UNUSED;
}

void tac_nonnegative_solve(double *x, enum tac_cost_term_state *state, const struct tac_least_squares *problem) {
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
