/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef TESTS_FMM_STENCIL_PROBLEM_H
#define TESTS_FMM_STENCIL_PROBLEM_H

/* Stencils of random matrices, and what they shall give. */
#include <stddef.h>

#include "apps/fmm/stencil.h"

void seed(unsigned value);
double uniform(void);       /* in [-0.5, 0.5] */
void *wanted(size_t bytes); /* zeros, to be freed */

/* Random matrices with the symmetry, or of low rank inside each block. */
struct problem {
  struct tac_stencil_shape shape;
  int sources, targets, low_rank;
  double *stored[8];  /* T of each offset with components 0 or 1 */
  int calls, fail_at; /* matrix function: the call that fails, -1: none */
};
extern const int leaf_sizes[8]; /* of classes */
void problem_create(struct problem *problem, int dim, enum tac_stencil_reach reach, unsigned flip, const int *source_sizes,
                    const int *target_sizes, int low_rank);
void problem_destroy(struct problem *problem);
/* The matrix function of a problem. */
enum tac_status give_matrix(void *context, const int offset[3], double *out, struct tac_error *error);
struct tac_stencil *stencil_of(struct problem *problem, double tolerance);
int neighbours_of(const struct problem *problem);
void offset_of(const struct problem *problem, int neighbour, int offset[3]);

/* One call's vectors. */
struct vectors {
  size_t count;
  double *source, *target, *expected; /* count * neighbours * sources; count * targets */
  const double **from;
  double **to;
};
void vectors_create(struct vectors *v, const struct problem *problem, size_t count, int absent_percent);
void vectors_destroy(struct vectors *v);
/* What is expected, offset by offset. Returns the largest sum of magnitudes, the unit of rounding errors. */
double sum_plainly(const struct problem *problem, struct vectors *v);
void apply(const struct tac_stencil *stencil, size_t count, const double *const *from, double *const *to);

#endif
