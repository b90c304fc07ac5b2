/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef TESTS_FMM_SOLVE_H
#define TESTS_FMM_SOLVE_H

#include <tactus/fmm/plan.h>

/* A density and its potential, both smooth, with f = -Laplace u + l^2 u (or - k^2 u). */
struct solve_case {
  int dim;
  struct tac_fmm_kernel kernel;
  double exponent; /* u = exp(-exponent |x - center|^2) */
  double center[3];
};
double solve_potential(const struct solve_case *c, const double *point);
double solve_derivative(const struct solve_case *c, const double *point, int axis);
double solve_density(const struct solve_case *c, const double *point);
/* A tac_fmm_density_fn; context is the case. */
enum tac_status solve_density_fn(void *context, size_t count, const double *points, double *values, struct tac_error *error);

/* Defaults but for these. */
struct tac_fmm_tree_options solve_tree_options(int dim, int order, int levels);
struct tac_fmm_plan_options solve_plan_options(double eps, enum tac_fmm_path path);
/* Uniform numbers about 0, a tac_fmm_density_fn whose context is the state of random_next. */
enum tac_status solve_random_density(void *context, size_t count, const double *points, double *values,
                                     struct tac_error *error);

struct tac_scheduler *solve_scheduler(const char *executor, int lanes, enum tac_level level);

/* An evaluation and what it was made of; every part asserts that it could be made. */
struct solve {
  struct tac_fmm_tree *tree;
  struct tac_fmm_plan *plan;
  size_t points; /* leaves * nodes */
  int fields;
  double *density, *field[8];
};
/* Takes over the tree. */
void solve_plan(struct solve *out, struct tac_fmm_tree *tree, const struct tac_fmm_plan_options *options);
void solve_fill(struct solve *solve, tac_fmm_density_fn density, void *context);
void solve_run(struct solve *solve, struct tac_scheduler *scheduler);
void solve_free(struct solve *solve);
/* Tree for a case, plan, density and an evaluation on a serial scheduler. */
void solve_case(struct solve *out, const struct solve_case *c, const struct tac_fmm_tree_options *tree,
                const struct tac_fmm_plan_options *plan);

/* Relative L2 error of field 0, weighted by the volume of the leaves, and the largest errors of potential and derivatives. */
struct solve_error {
  double relative_l2, largest, largest_derivative;
};
struct solve_error solve_compare(const struct solve *solve, const struct solve_case *c);

#endif
