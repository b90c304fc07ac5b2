/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef APPS_FMM_SPLIT_H
#define APPS_FMM_SPLIT_H

#include "apps/fmm/near_block.h"

/* Yukawa's and Helmholtz' kernels near the source, in units of the source's side:
 *
 *   G = G_Laplace + sum over n = 1 … order-1 of c_n w_n(r) + remainder,   w_n = r^(2n) ln r in 2D, r^(2n-1) in 3D.
 *
 * The channels w_n have tables that serve every parameter. The remainder is a power series whose first rough term is
 * w_order, summed at Gauss nodes of the source. Only the real part has channels; Helmholtz' imaginary part is its series. */
struct tac_split {
  struct tac_fmm_kernel kernel; /* Yukawa or Helmholtz */
  int dim, part, order;
  int terms; /* of each of the two series, the one of rough and the one of even powers */
};
#define TAC_SPLIT_MAX_ORDER 12
#define TAC_SPLIT_MAX_TERMS 96

/* Above this parameter (times the side) Yukawa's rough and even series, both growing as exp(parameter r), cancel to fewer
 * digits than a table may lose. (Helmholtz' do not grow, but for its own bound on k*h.) */
#define TAC_SPLIT_REACH 2.5

/* Terms after which the series' tail is below 1e-17 at the largest distance between two touching leaves. */
int tac_split_terms(int dim, double parameter);
/* c_n */
double tac_split_coefficient(const struct tac_split *split, int n);
/* Adds the matrices of w_n to a set. */
enum tac_status tac_split_add_channel(double *set, const struct tac_near_space *space, int n, int components,
                                      struct tac_error *error);
/* Adds those of the remainder, with smooth_order Gauss nodes an axis on either side of the target. */
enum tac_status tac_split_add_remainder(double *set, const struct tac_near_space *space, const struct tac_split *split,
                                        int smooth_order, int components, struct tac_error *error);

#endif
