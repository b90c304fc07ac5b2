/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef APPS_FMM_FAR_BUILD_H
#define APPS_FMM_FAR_BUILD_H

#include "apps/fmm/correlation.h"
#include "apps/fmm/far_set.h"

/* Making a set. Offsets with descending components stand for all: K(P d) = P K(d) P^T for a permutation P of the axes, with
 * the same permutation of the degrees of the modes. */

#define TAC_FAR_SORTED 16 /* offsets with descending components in 3D */
#define TAC_FAR_ORDERS 6  /* of three axes */

extern const int tac_far_sorted[TAC_FAR_SORTED][3];
extern const int tac_far_orders[TAC_FAR_ORDERS][3];
int tac_far_sorted_count(int dim); /* those of 2D stand first */

/* An image of a sorted offset: offset[axis] = sorted[tac_far_orders[order][axis]]. */
struct tac_far_image {
  int offset[3], order;
};
/* The different ones; returns their number. */
int tac_far_images(int dim, const int sorted[3], struct tac_far_image out[TAC_FAR_ORDERS]);
/* map[i]: the mode whose degree along order[axis] is that of mode i along `axis`. K(image)_ij = K(sorted)_map[i]map[j]. */
void tac_far_permute_modes(const struct tac_modes *modes, const int order[3], int *map);

struct tac_far_work {
  struct tac_far_set *set;
  const struct tac_far_build *build;
  int parts;
  struct tac_correlation *correlation;
  int *maps[TAC_FAR_ORDERS];
  double *kept[2][TAC_FAR_SORTED]; /* matrices computed before, as many as a limit of memory allows */
  double *matrix;                  /* the last of the others */
  size_t kept_bytes;
};
void *tac_far_take(const struct tac_far_work *work, size_t bytes);
void tac_far_release(const struct tac_far_work *work, void *memory);
/* K of a sorted offset before compression, valid until the next call. */
const double *tac_far_galerkin(struct tac_far_work *work, int part, int sorted);

/* Rank, classes and functions of the set, whose block is allocated here. */
enum tac_status tac_far_select_functions(struct tac_far_work *work, struct tac_error *error);

#endif
