/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef MEASURE_NONNEGATIVE_H
#define MEASURE_NONNEGATIVE_H

#include <stddef.h>

#include <tactus/measure/cost_fit.h>

enum { TAC_LEAST_SQUARES_ROWS = 256 };

/* Least squares in few unknowns x >= 0. Equations are folded in one by one; when there is no room for more, the triangle of
 * their QR factorisation takes their place. Zero-initialise it but for the unknowns. */
struct tac_least_squares {
  size_t unknowns, rows;                                        /* 1 to TAC_COST_TERMS_MAX; of the entries in use */
  double entry[TAC_COST_TERMS_MAX + 1][TAC_LEAST_SQUARES_ROWS]; /* [column][row]; column `unknowns` is the right side */
};

/* Adds the equation row . x = right, times weight. */
void tac_least_squares_fold(struct tac_least_squares *problem, const double *row, double right, double weight);

/* x >= 0 with the least sum of squares, and why an unknown is 0. A column that would make those in use linearly dependent (of
 * a condition beyond 1e9, all of them scaled to length 1) stays out. More equations may follow. */
void tac_nonnegative_solve(double *x, enum tac_cost_term_state *state, struct tac_least_squares *problem);

#endif
