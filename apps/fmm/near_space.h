/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef APPS_FMM_NEAR_SPACE_H
#define APPS_FMM_NEAR_SPACE_H

#include "apps/fmm/modes.h"
#include "apps/fmm/tree.h"

/* Neighbour relations of leaves up to the symmetries of the square and the cube. The canonical ones have the target's centre,
 * seen from the source's, at coordinates that do not rise from axis to axis and are not negative: 7 in 2D, 10 in 3D. All
 * others are their images under permutations and reflections of the axes. */
#define TAC_NEAR_RELATIONS 10
#define TAC_NEAR_IMAGES    48

struct tac_near_shape {
  enum tac_list list;
  double center[3]; /* of the target, from the source's centre, in sides of the source */
  double side;      /* of the target, likewise: 1, 2 (source finer) or 1/2 (source coarser) */
};

struct tac_near_space {
  int dim, order, nodes, relations, images; /* images: 8 or 48 */
  struct tac_modes modes;
  struct tac_near_shape shape[TAC_NEAR_RELATIONS];
  /* Image g maps x to (g x)[axis] = sign[axis] x[from[axis]]. With C the matrix of a relation and T that of its image:
   * T[i][j] = mode_sign[j] C[node_from[i]][mode_from[j]]; a derivative along `axis` is sign[axis] times that of C along
   * from[axis]. */
  signed char from[TAC_NEAR_IMAGES][3], sign[TAC_NEAR_IMAGES][3];
  unsigned short *node_from; /* images x nodes */
  unsigned short *mode_from; /* images x modes */
  signed char *mode_sign;    /* images x modes */
};
enum tac_status tac_near_space_create(struct tac_near_space *out, int dim, int order, enum tac_fmm_basis basis,
                                      struct tac_error *error);
void tac_near_space_destroy(struct tac_near_space *space);

/* The canonical relation of a pair (offset as in tac_pair) and the image that leads from it to the pair. */
int tac_near_find(const struct tac_near_space *space, enum tac_list list, const int offset[3], int *image);

/* Images that leave a relation as it is make rows of its matrix equal up to signs: representative[i] is the node whose row
 * gives row i, image[i] by which image (representative[i] == i where the row stands for itself). */
void tac_near_representatives(const struct tac_near_space *space, int relation, unsigned short *representative,
                              unsigned char *image);

#endif
