/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef VOLUME_FMM_DIRECT_H
#define VOLUME_FMM_DIRECT_H

#include <tactus/fmm/kernel.h>
#include <tactus/fmm/tree.h>
#include <tactus/scheduler/scheduler.h>

/* The potential of the polynomials on the leaves of a tree by plain quadrature over every leaf, the singular ones with their
 * own rule: nothing of the fast method is used. For a few targets. */
struct tac_direct {
  const struct tac_fmm_tree *tree;
  struct tac_fmm_kernel kernel;
  int gradient;
  const double *density; /* values at the nodes, as tac_fmm_evaluate takes them */
};

/* fields[f][i] at points[dim*i + axis], field as in tac_fmm_evaluate; to about 1e-12 of the largest. The points are the items
 * of one batch. */
enum tac_status tac_direct_evaluate(const struct tac_direct *direct, struct tac_scheduler *scheduler, size_t count,
                                    const double *points, double *const *fields, struct tac_error *error);

/* About how many evaluations of the kernel one target takes. */
double tac_direct_cost(const struct tac_direct *direct);

/* dG/dr, as tac_fmm_kernel_value. */
double tac_direct_kernel_slope(const struct tac_fmm_kernel *kernel, int dim, int part, double r);

#endif
