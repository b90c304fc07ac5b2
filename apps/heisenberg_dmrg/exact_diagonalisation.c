/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/heisenberg_dmrg/reference.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <lapacke.h>

#include "apps/heisenberg_dmrg/sector.h"
#include "apps/heisenberg_dmrg/sparse.h"

#define MAX_STEPS   600
#define CHECK_STEPS 10

enum tac_status tac_reference_dense(double *energy, const struct tac_dmrg_hamiltonian *hamiltonian, int twice_sz,
                                    struct tac_error *error) {
  struct tac_sector *sector = NULL;
  double *matrix = NULL, *levels = NULL;
  enum tac_status status = tac_sector_create(&sector, hamiltonian, twice_sz, TAC_REFERENCE_DENSE_STATES, error);
  if (status != TAC_STATUS_OK)
    goto done;
  size_t n = tac_sector_size(sector);
  matrix = calloc(n * n, sizeof *matrix);
  levels = calloc(n, sizeof *levels);
  if (!matrix || !levels) {
    status = tac_error_set(error, TAC_STATUS_MEMORY, __func__, "no memory for a matrix of %zu states", n);
    goto done;
  }
  for (const struct tac_sector_row *row = tac_sector_first_row(sector); row; row = tac_sector_next_row(sector)) {
    matrix[row->row * n + row->row] += row->diagonal;
    for (size_t i = 0; i < row->count; i++)
      matrix[row->row * n + row->columns[i]] += row->values[i];
  }
  lapack_int info = LAPACKE_dsyevd(LAPACK_COL_MAJOR, 'N', 'U', (lapack_int)n, matrix, (lapack_int)n, levels);
  if (info != 0)
    status = tac_error_set(error, TAC_STATUS_NUMERICAL, __func__, "dsyevd returned %d", (int)info);
  else
    *energy = levels[0] - 0.5 * hamiltonian->field * twice_sz;
done:
  free(matrix);
  free(levels);
  tac_sector_destroy(&sector);
  return status;
}

static double dot(const double *x, const double *y, size_t n) {
  double sum = 0;
  for (size_t i = 0; i < n; i++)
    sum += x[i] * y[i];
  return sum;
}

static void scale(double *x, double factor, size_t n) {
  for (size_t i = 0; i < n; i++)
    x[i] *= factor;
}

/* A fixed start that is orthogonal to no level but by accident: a small multiplicative generator, signs and sizes mixed. */
static void fill_start(double *x, size_t n) {
  uint64_t seed = 88172645463325252u;
  for (size_t i = 0; i < n; i++) {
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    x[i] = (double)(seed >> 11) * 0x1p-53 - 0.5;
  }
  scale(x, 1 / sqrt(dot(x, x, n)), n);
}

/* The Lanczos recurrence in three vectors. Nothing is kept orthogonal: lost orthogonality repeats levels that have been
 * found, it does not move them. */
struct recurrence {
  double *previous, *current, *next;
  double alpha[MAX_STEPS], beta[MAX_STEPS]; /* beta[k] couples steps k and k + 1 */
  int steps;
};

/* Lowest eigenvalue of the tridiagonal matrix; *residual receives |beta last component|, the norm of H x - E x. */
static enum tac_status lowest_ritz(double *energy, double *residual, const struct recurrence *r, struct tac_error *error) {
  enum tac_status status = TAC_STATUS_OK;
  size_t n = (size_t)r->steps;
  assert(n > 0);
  double *diagonal = malloc(n * sizeof *diagonal), *off = malloc(n * sizeof *off), *vectors = malloc(n * n * sizeof *vectors);
  if (!diagonal || !off || !vectors) {
    status = tac_error_set(error, TAC_STATUS_MEMORY, __func__, "no memory for %zu Lanczos steps", n);
    goto done;
  }
  memcpy(diagonal, r->alpha, n * sizeof *diagonal);
  memcpy(off, r->beta, n * sizeof *off);
  lapack_int info = LAPACKE_dstevd(LAPACK_COL_MAJOR, 'V', (lapack_int)n, diagonal, off, vectors, (lapack_int)n);
  if (info != 0) {
    status = tac_error_set(error, TAC_STATUS_NUMERICAL, __func__, "dstevd returned %d", (int)info);
    goto done;
  }
  *energy = diagonal[0];
  *residual = r->beta[n - 1] * fabs(vectors[n - 1]);
done:
  free(diagonal);
  free(off);
  free(vectors);
  return status;
}

static void advance(struct recurrence *r, const struct tac_sparse *h) {
  const size_t n = h->states;
  int k = r->steps++;
  tac_sparse_multiply(r->next, h, r->current);
  if (k > 0)
    for (size_t i = 0; i < n; i++)
      r->next[i] -= r->beta[k - 1] * r->previous[i];
  r->alpha[k] = dot(r->current, r->next, n);
  for (size_t i = 0; i < n; i++)
    r->next[i] -= r->alpha[k] * r->current[i];
  r->beta[k] = sqrt(dot(r->next, r->next, n));
  double *oldest = r->previous;
  r->previous = r->current;
  r->current = r->next;
  r->next = oldest;
}

/* Steps until the residual's square, which bounds the error up to the level spacing, is below rounding, or the space ends. */
static enum tac_status iterate(double *energy, struct recurrence *r, const struct tac_sparse *h, struct tac_error *error) {
  const size_t n = h->states;
  double residual = 0, largest = 0;
  while (r->steps < MAX_STEPS) {
    advance(r, h);
    double beta = r->beta[r->steps - 1];
    largest = fmax(largest, fmax(beta, fabs(r->alpha[r->steps - 1])));
    int ended = beta <= 100 * DBL_EPSILON * largest || (size_t)r->steps == n;
    if (ended || r->steps % CHECK_STEPS == 0) {
      enum tac_status status = lowest_ritz(energy, &residual, r, error);
      if (status != TAC_STATUS_OK || ended || residual <= 1e-8 * largest)
        return status;
    }
    scale(r->current, 1 / beta, n);
  }
  return tac_error_set(error, TAC_STATUS_NUMERICAL, __func__, "no convergence in %d Lanczos steps, residual %g", MAX_STEPS,
                       residual);
}

enum tac_status tac_reference_lanczos(double *energy, const struct tac_dmrg_hamiltonian *hamiltonian, int twice_sz,
                                      struct tac_error *error) {
  struct tac_sector *sector = NULL;
  struct tac_sparse h = {0};
  struct recurrence *r = NULL;
  double *vectors = NULL;
  enum tac_status status = tac_sector_create(&sector, hamiltonian, twice_sz, TAC_REFERENCE_LANCZOS_STATES, error);
  if (status == TAC_STATUS_OK)
    status = tac_sparse_create(&h, sector, error);
  if (status != TAC_STATUS_OK)
    goto done;
  const size_t n = h.states;
  r = calloc(1, sizeof *r);
  vectors = calloc(3 * n, sizeof *vectors);
  if (!r || !vectors) {
    status = tac_error_set(error, TAC_STATUS_MEMORY, __func__, "no memory for vectors of %zu states", n);
    goto done;
  }
  r->previous = vectors;
  r->current = vectors + n;
  r->next = vectors + 2 * n;
  fill_start(r->current, n);
  status = iterate(energy, r, &h, error);
  if (status == TAC_STATUS_OK)
    *energy -= 0.5 * hamiltonian->field * twice_sz;
done:
  free(r);
  free(vectors);
  tac_sparse_destroy(&h);
  tac_sector_destroy(&sector);
  return status;
}
