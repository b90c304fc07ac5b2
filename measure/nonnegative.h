/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef MEASURE_NONNEGATIVE_H
#define MEASURE_NONNEGATIVE_H

#include <stddef.h>

#include <tactus/measure/cost_fit.h>

/* Least squares in few unknowns x >= 0: equations are folded in one by one, only the triangle of their QR factorisation is
 * kept. Zero-initialise it but for the unknowns. */
struct tac_least_squares {
  size_t unknowns;                                                 /* 1 to TAC_COST_TERMS_MAX */
  double triangle[TAC_COST_TERMS_MAX + 1][TAC_COST_TERMS_MAX + 1]; /* [row][column]; the last column is the right side */
};

/* Adds the equation row . x = right, times weight. */
void tac_least_squares_fold(struct tac_least_squares *problem, const double *row, double right, double weight);

/* x >= 0 with the least sum of squares, and why an unknown is 0. A column that depends linearly on those in use (to 1e-9 of its
 * length) stays out. */
void tac_nonnegative_solve(double *x, enum tac_cost_term_state *state, const struct tac_least_squares *problem);

#endif
