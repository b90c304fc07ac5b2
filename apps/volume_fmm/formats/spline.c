/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/volume_fmm/formats/spline.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <lapacke.h>

/* An axis that zeros follow has unknowns at this many of them on either side, where coefficients have fallen by 0.43^6, the
 * pole of the interpolation filter. PAD zero coefficients beyond make all six of any point exist. */
enum { FOLLOWING = 6, PAD = 5, OPEN_EXTRA = 2, CONDITION_DEGREE = 6, BLOCK_LINES = 32 };

static double *entry(const struct tac_spline_axis *axis, int row, int column) {
  const int leading = 2 * axis->lower_band + axis->upper_band + 1;
  return &axis->matrix[column * leading + axis->lower_band + axis->upper_band + row - column];
}

/* The B-spline at the integers -2 … 2. */
static void set_interpolation(const struct tac_spline_axis *axis, int row, int middle) {
  static const double values[] = {1 / 120.0, 26 / 120.0, 66 / 120.0, 26 / 120.0, 1 / 120.0};
  for (int i = -2; i <= 2; i++)
    if (middle + i >= 0 && middle + i < axis->unknowns)
      *entry(axis, row, middle + i) = values[i + 2];
}

/* The difference of this degree of the coefficients from `column` on is zero. For degree 6 it is the jump of the fifth
 * derivative at a knot (not-a-knot); with fewer samples it makes a polynomial of the degree that they determine. */
static void set_condition(const struct tac_spline_axis *axis, int row, int column, int degree) {
  double binomial = 1;
  for (int i = 0; i <= degree; i++) {
    *entry(axis, row, column + i) = (degree - i) % 2 ? -binomial : binomial;
    binomial = binomial * (degree - i) / (i + 1);
  }
}

static void fill_matrix(const struct tac_spline_axis *axis) {
  const int unknowns = axis->unknowns;
  if (!axis->open) {
    for (int row = 0; row < unknowns; row++)
      set_interpolation(axis, row, row);
    return;
  }
  const int degree = axis->samples < CONDITION_DEGREE ? (int)axis->samples : CONDITION_DEGREE;
  for (int i = 0; i < OPEN_EXTRA; i++) {
    set_condition(axis, i, i, degree);
    set_condition(axis, unknowns - OPEN_EXTRA + i, unknowns - OPEN_EXTRA + i - degree, degree);
  }
  for (int row = OPEN_EXTRA; row < unknowns - OPEN_EXTRA; row++)
    set_interpolation(axis, row, row);
}

enum tac_status tac_spline_axis_create(struct tac_spline_axis *out, size_t samples, int open, struct tac_error *error) {
  memset(out, 0, sizeof *out);
  if (samples < 2 || samples > 1 << 28)
    return tac_error_set(error, TAC_STATUS_INVALID, "samples", "%zu along an axis: at least 2 are needed", samples);
  const int extra = open ? OPEN_EXTRA : FOLLOWING;
  out->samples = samples;
  out->open = open;
  out->unknowns = (int)samples + 2 * extra;
  out->pad = open ? 0 : PAD;
  out->count = (size_t)out->unknowns + 2 * (size_t)out->pad;
  out->first = -(ptrdiff_t)extra - out->pad;
  out->least = open ? -0.5 - 1e-6 : -(double)(FOLLOWING + 3);
  out->most = (double)samples - 1 - out->least;
  out->lower_band = out->upper_band = open ? CONDITION_DEGREE : 2;
  const size_t leading = 2 * (size_t)out->lower_band + (size_t)out->upper_band + 1;
  out->matrix = calloc(leading * (size_t)out->unknowns, sizeof *out->matrix);
  out->pivots = calloc((size_t)out->unknowns, sizeof *out->pivots);
  if (!out->matrix || !out->pivots) {
    tac_spline_axis_destroy(out);
    return tac_error_set(error, TAC_STATUS_MEMORY, "samples", "no memory for a spline of %zu samples", samples);
  }
  fill_matrix(out);
  const int info = LAPACKE_dgbtrf(LAPACK_COL_MAJOR, out->unknowns, out->unknowns, out->lower_band, out->upper_band, out->matrix,
                                  (int)leading, out->pivots);
  if (info == 0)
    return TAC_STATUS_OK;
  tac_spline_axis_destroy(out);
  return tac_error_set(error, TAC_STATUS_NUMERICAL, "samples", "LAPACK cannot factor the spline's matrix (info %d)", info);
}

void tac_spline_axis_destroy(struct tac_spline_axis *axis) {
  free(axis->matrix);
  free(axis->pivots);
  axis->matrix = NULL;
  axis->pivots = NULL;
}

/* Lines first … first+lines-1 of those with one outer index, through a block of right-hand sides. */
static int solve_block(const struct tac_spline_axis *axis, size_t inner, size_t first, size_t lines, const double *in,
                       double *out, double *block) {
  const size_t unknowns = (size_t)axis->unknowns, extra = (unknowns - axis->samples) / 2, pad = (size_t)axis->pad;
  memset(block, 0, lines * unknowns * sizeof *block);
  for (size_t i = 0; i < axis->samples; i++)
    for (size_t line = 0; line < lines; line++)
      block[line * unknowns + extra + i] = in[i * inner + first + line];
  const int leading = 2 * axis->lower_band + axis->upper_band + 1;
  if (LAPACKE_dgbtrs(LAPACK_COL_MAJOR, 'N', axis->unknowns, axis->lower_band, axis->upper_band, (int)lines, axis->matrix,
                     leading, axis->pivots, block, axis->unknowns) != 0)
    return 0;
  for (size_t c = 0; c < axis->count; c++)
    for (size_t line = 0; line < lines; line++)
      out[c * inner + first + line] = c < pad || c - pad >= unknowns ? 0 : block[line * unknowns + c - pad];
  return 1;
}

enum tac_status tac_spline_solve(const struct tac_spline_axis *axis, size_t outer, size_t inner, const double *in, double *out,
                                 struct tac_error *error) {
  double *block = malloc(BLOCK_LINES * (size_t)axis->unknowns * sizeof *block);
  if (!block)
    return tac_error_set(error, TAC_STATUS_MEMORY, "samples", "no memory for lines of %zu samples", axis->samples);
  int solved = 1;
  for (size_t o = 0; o < outer && solved; o++)
    for (size_t first = 0; first < inner && solved; first += BLOCK_LINES) {
      const size_t lines = inner - first < BLOCK_LINES ? inner - first : BLOCK_LINES;
      solved = solve_block(axis, inner, first, lines, in + o * axis->samples * inner, out + o * axis->count * inner, block);
    }
  free(block);
  return solved ? TAC_STATUS_OK
                : tac_error_set(error, TAC_STATUS_NUMERICAL, "samples", "LAPACK cannot solve for the spline's coefficients");
}

int tac_spline_weights(const struct tac_spline_axis *axis, double t, double weights[TAC_SPLINE_WEIGHTS], size_t *first) {
  if (!(t >= axis->least && t <= axis->most))
    return 0;
  double cell = floor(t);
  if (axis->open)
    cell = fmin(fmax(cell, 0), (double)axis->samples - 2);
  else
    cell = fmin(cell, axis->most - 1);
  const double s = t - cell, s2 = s * s, r = 1 - s, r2 = r * r;
  weights[0] = r2 * r2 * r / 120;
  weights[1] = (26 + s * (-50 + s * (20 + s * (20 + s * (-20 + 5 * s))))) / 120;
  weights[2] = (66 + s2 * (-60 + s2 * (30 - 10 * s))) / 120;
  weights[3] = (66 + r2 * (-60 + r2 * (30 - 10 * r))) / 120;
  weights[4] = (26 + r * (-50 + r * (20 + r * (20 + r * (-20 + 5 * r))))) / 120;
  weights[5] = s2 * s2 * s / 120;
  *first = (size_t)((ptrdiff_t)cell - 2 - axis->first);
  return 1;
}
