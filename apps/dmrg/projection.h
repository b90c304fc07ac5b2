/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef APPS_DMRG_PROJECTION_H
#define APPS_DMRG_PROJECTION_H

#include "apps/dmrg/bond.h"

/* A decomposition by projection: an isometry q of the side that is left behind (near), found otherwise than by an SVD of
 * theta, and c = theta^H q or theta q on the other side (far), so that theta = q c^H or c q^H on the span of q. The squares
 * of c's columns are the weights that q's columns keep. */
struct tac_projection {
  const struct tac_kernels *kernels;
  const void *theta;
  int rows, columns; /* of theta */
  int near_rows, far_rows, rank;
  int going_right; /* near is the side of theta's rows */
  void *q, *c;     /* near_rows x rank, far_rows x rank: the block's factors in split.left and split.right */
};

struct tac_projection tac_projection_of(const struct tac_bond *bond, size_t number);

/* `count` columns times theta or theta^H: from the far side to the near one, or back. */
void tac_projection_multiply(const struct tac_projection *projection, int to_near, int count, const void *from, void *to);

/* Writes the column norms of c as the block's weights, falling, with the columns' order, its candidates and what they miss. */
int tac_projection_weigh(const struct tac_projection *projection, struct tac_split *split, struct tac_split_block *result,
                         struct tac_arena *arena);

/* A projection's outcome as an item's: OK, MEMORY, or otherwise a full decomposition instead. */
enum tac_status tac_projection_finish(int info, struct tac_bond *bond, size_t number, struct tac_lane *lane);

#endif
