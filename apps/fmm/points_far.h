/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef APPS_FMM_POINTS_FAR_H
#define APPS_FMM_POINTS_FAR_H

#include "apps/fmm/plan.h"
#include "apps/fmm/points_kernel.h"

/* Local expansions of boxes that the plan has none for: children of a leaf, which take List 3 as M2L, and boxes outside the
 * domain. */

/* A box of the grid of a level, continued beyond the domain. */
struct tac_point_cell {
  int level;
  int32_t coordinate[3];
};

/* Coarse boxes as point sources at Gauss nodes, for points at least one side away: strength[box * nodes^dim + node]. */
struct tac_point_clouds {
  int nodes, top; /* an axis; the coarsest level that has clouds */
  size_t count;   /* nodes^dim */
  double node[64];
  double *strength;
};

/* Polynomials of a level sorted by their degrees along the axes, the last axis first. */
struct tac_point_order {
  int count, *mode;
};

/* What stays the same as long as the plan lives, but for the strengths of the clouds. */
struct tac_point_far {
  const struct tac_fmm_plan *plan;
  struct tac_store store;
  const struct tac_point_kernel *kernel;
  struct tac_point_order order[TAC_FMM_MAX_LEVELS];
  double *l2l[TAC_FMM_MAX_LEVELS]; /* by level of the child */
  int most_rank, most_modes;
  struct tac_point_clouds clouds;
};
enum tac_status tac_point_far_create(struct tac_point_far **out, const struct tac_fmm_plan *plan, struct tac_error *error);
void tac_point_far_destroy(struct tac_point_far **far);
/* Strengths of the clouds for the density last evaluated. */
enum tac_status tac_point_far_fill_clouds(struct tac_point_far *far, struct tac_error *error);

/* Local expansions of one cell, as coefficients of polynomials in the order of tac_point_order. Buffers come from an arena. */
struct tac_point_local {
  struct tac_point_cell cell;
  int present; /* 0: nothing is far away */
  double *polynomial[TAC_MAX_PARTS];
  double *work; /* three expansions a part */
};
int tac_point_local_init(struct tac_point_local *local, const struct tac_point_far *far, struct tac_arena *arena);
/* Of a leaf, and of one of its children, from the plan's expansions. */
void tac_point_local_of_leaf(struct tac_point_local *local, const struct tac_point_far *far, int32_t leaf_box);
void tac_point_local_of_child(struct tac_point_local *local, const struct tac_point_far *far, int32_t leaf_box, int child,
                              const struct tac_pair *list3, int pairs);

/* Of a cell outside the domain. Sources that are too near for expansions, and coarse boxes that come as clouds, are listed. */
struct tac_point_sources {
  int near, clouds;
  int32_t near_box[27 * TAC_FMM_MAX_LEVELS], cloud_box[128];
};
void tac_point_local_outside(struct tac_point_local *local, struct tac_point_sources *sources, const struct tac_point_far *far,
                             const struct tac_point_cell *cell);
/* The deepest cell that holds a point outside the domain and touches no box of its level that is divided. */
void tac_point_cell_outside(struct tac_point_cell *cell, const struct tac_point_far *far, const double *point);

/* Adds to values[field]. */
void tac_point_local_add(double *values, const struct tac_point_local *local, const struct tac_point_far *far,
                         const double *point);
void tac_point_cloud_add(double *values, const struct tac_point_far *far, int32_t box, const double *point);

#endif
