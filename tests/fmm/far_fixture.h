/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef TESTS_FMM_FAR_FIXTURE_H
#define TESTS_FMM_FAR_FIXTURE_H

#include "apps/fmm/far.h"

/* Far-field operators beside a random density on one box, whose potential is known by direct quadrature. All in physical
 * coordinates: the boxes of level 2 have a side of 3. */

#define FAR_MOST 1800 /* modes, nodes and ranks */
#define FAR_RULE 22   /* nodes an axis at most: converged for points half a side away or more */

struct far_problem {
  int dim, order;
  enum tac_fmm_basis basis;
  struct tac_fmm_kernel kernel;
};
#define FAR_PROBLEMS 6
extern const struct far_problem far_problems[FAR_PROBLEMS];

struct far_fixture {
  struct tac_far_options options;
  struct tac_far *far;
  struct tac_modes modes;
  int dim, part, parts, nodes;
  double density[FAR_MOST]; /* coefficients, the mean being 1 */
  int points;               /* of the rule, an axis */
  double rule[FAR_RULE], weighted[FAR_RULE][FAR_RULE][FAR_RULE];
};
void far_setup(struct far_fixture *f, const struct far_problem *problem, double eps, int levels);
void far_teardown(struct far_fixture *f);

/* The potential (component 0) of the density on a box, or its derivative along axis component - 1 by differences of eighth
 * order. */
double far_answer(const struct far_fixture *f, int component, const double center[3], double side, const double point[3]);

/* The size of the potential of the box, all parts together, half a side outside its face. */
double far_reference(struct far_fixture *f, const double center[3], double side);

/* Where a node of a box stands. */
void far_node(const struct far_fixture *f, const double center[3], double side, int node, double out[3]);

void far_multiply(double *out, const double *matrix, int rows, int columns, const double *in);

/* Room for one matrix. */
double *far_matrix(void);

/* The multipole of the density on a leaf of a level, and its working coefficients on a leaf of that side. */
void far_form(const struct far_fixture *f, int level, double *multipole);
void far_working(const struct far_fixture *f, double side, double *out);

/* Matrix of a child from that of the upper one: signs of the classes for the axes along which the child is lower. */
void far_mirror(const struct far_fixture *f, double *matrix, int rows_level, int columns_level, int child);

/* rank x rank, the M2L matrix of any offset (source - target): the stored one with the signs of its mirror image. */
void far_m2l(double *out, const struct tac_far *far, int dim, int level, int part, const int offset[3]);

/* The judge of expansions: values at the point x (in the box's coordinates, at least one side away from it) of the potential of
 * each expansion function, or of its derivative along axis component - 1, by Gauss quadrature; rank numbers. */
void far_point(double *out, const struct tac_far *far, int level, int part, int component, const double *x);

#endif
