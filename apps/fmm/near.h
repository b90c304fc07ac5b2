/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef APPS_FMM_NEAR_H
#define APPS_FMM_NEAR_H

#include <tactus/fmm/plan.h>

#include "apps/fmm/modes.h"
#include "apps/fmm/tree.h"

/* Near-field matrices: potential (or derivative) at the nodes of a target leaf of each mode on a source leaf that touches it.
 *
 * Scaling. The working coefficients of a leaf of side h are c~ = h^2 c. With them, u = sum T c~ where T is the matrix of the
 * kernel with parameter (parameter * h) on a source box of side 1 (2D Laplace: the kernel -(ln r + ln h)/(2 pi)). Derivatives
 * are per unit of the TARGET leaf's side: the driver divides by it.
 *
 * Layers: 0 is what nearfield_table_apply applies, 1 what split_correction applies (absent without the split). */
struct tac_near;

struct tac_near_options {
  int dim, order;
  enum tac_fmm_basis basis;
  struct tac_fmm_kernel kernel;
  enum tac_fmm_near method;
  int split_order, smooth_order, gradient;
  int levels; /* sources at level l have side side[l]; levels without leaves are marked */
  double side[TAC_FMM_MAX_LEVELS];
  int has_leaves[TAC_FMM_MAX_LEVELS];
  const char *cache_folder;
  const struct tac_allocator *allocator;
};
/* INVALID: an option out of range; Helmholtz with k*h above 3 on the coarsest level with leaves. */
enum tac_status tac_near_create(struct tac_near **out, const struct tac_near_options *options, struct tac_error *error);
void tac_near_destroy(struct tac_near **near);
size_t tac_near_bytes(const struct tac_near *near);
/* The split's correction is assembled for every level: tables of the channels and the remainder's series at smooth_order nodes
 * an axis on either side of the target. Where a Yukawa level is beyond the series' reach (TAC_SPLIT_REACH in split.h), it is
 * the kernel's own table less Laplace' one, whatever the orders, and has neither channels nor terms. */
int tac_near_layers(const struct tac_near *near);      /* 1, or 2 with the split */
int tac_near_split_order(const struct tac_near *near); /* in force; 0 without the split */
int tac_near_smooth_order(const struct tac_near *near);
/* For operation counts, of sources at a level: channels (split order - 1), and terms of the remainder's series in a pair of
 * nodes, all parts together. */
int tac_near_channels(const struct tac_near *near, int level);
int tac_near_remainder_terms(const struct tac_near *near, int level);
/* 1 when nothing had to be built. */
int tac_near_cached(const struct tac_near *near);
/* 1 when the matrices of this layer and list are the same for both source levels, so that one operator serves them. */
int tac_near_same_matrices(const struct tac_near *near, int layer, int level_a, int level_b);

/* How the matrix T of one relation comes from a stored one C (order^dim x modes, column-major):
 * T[i][j] = sign * mode_sign[j] * C[node_from[i]][mode_from[j]]. Data of the near field. stored is NULL where the layer has
 * nothing for the field (the imaginary part in the base table of the split) or its level. */
struct tac_near_relation {
  const double *stored;
  double sign;
  const unsigned short *node_from, *mode_from;
  const signed char *mode_sign;
};
/* list: TAC_LIST1_SAME, _FINER or _COARSER; offset as in tac_pair; level: of the SOURCE; field: part + parts*component. */
void tac_near_relation(struct tac_near_relation *out, const struct tac_near *near, int layer, enum tac_list list,
                       const int offset[3], int level, int field);
/* The same as a dense matrix, out[i + nodes*j]. */
void tac_near_matrix(double *out, const struct tac_near *near, int layer, enum tac_list list, const int offset[3], int level,
                     int field);

#endif
