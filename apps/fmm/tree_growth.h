/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef APPS_FMM_TREE_GROWTH_H
#define APPS_FMM_TREE_GROWTH_H

#include "apps/fmm/tree.h"

/* A tree while it grows: boxes in the order in which they were made, children together, and for each level a chain of the
 * inner boxes. */
struct tac_growth_box {
  int32_t coordinate[3];
  int32_t first_child; /* TAC_NO_BOX: a leaf */
  int32_t next;        /* the next inner box of the level */
  int32_t level;
  double difference; /* between density and polynomial, largest at the points looked at; 0 before that */
};
struct tac_growth {
  const struct tac_fmm_tree_options *options;
  const struct tac_allocator *allocator;
  int dim, children;
  struct tac_growth_box *box;
  size_t count, capacity, leaves;
  int32_t first_inner[TAC_FMM_MAX_LEVELS], last_inner[TAC_FMM_MAX_LEVELS];
};

/* The root alone. */
enum tac_status tac_growth_init(struct tac_growth *growth, const struct tac_fmm_tree_options *options,
                                const struct tac_allocator *allocator, struct tac_error *error);
void tac_growth_release(struct tac_growth *growth);

/* Gives a leaf its children. MEMORY above max_leaves, INVALID below the deepest level. */
enum tac_status tac_growth_split(struct tac_growth *growth, int32_t box, struct tac_error *error);
/* Splits everything down to a level; boxes around each seed until they are as small as its width. */
enum tac_status tac_growth_uniform(struct tac_growth *growth, int level, struct tac_error *error);
enum tac_status tac_growth_seed(struct tac_growth *growth, struct tac_error *error);
/* Splits what the rule asks for, down to where it asks for nothing. */
enum tac_status tac_growth_refine(struct tac_growth *growth, tac_fmm_refine_fn refine, void *context, struct tac_error *error);
/* Splits until no leaf touches one that is smaller by more than a level. */
enum tac_status tac_growth_balance(struct tac_growth *growth, struct tac_error *error);
/* Refines until the density is resolved. `resolution`: the largest difference left, relative to max |f|. */
enum tac_status tac_growth_resolve(struct tac_growth *growth, tac_fmm_density_fn density, void *context, double *resolution,
                                   struct tac_error *error);

/* The boxes level after level in Morton order, leaves and colleagues. */
enum tac_status tac_tree_finish(struct tac_fmm_tree **out, const struct tac_growth *growth, double resolution,
                                struct tac_error *error);

/* Walks over the boxes of a level: for (i = tac_growth_first(g, l, &c); i != TAC_NO_BOX; i = tac_growth_next(g, &c)).
 * Splitting a box of that level meanwhile is allowed. */
struct tac_growth_cursor {
  int32_t parent;
  int child;
};
int32_t tac_growth_first(const struct tac_growth *growth, int level, struct tac_growth_cursor *cursor);
int32_t tac_growth_next(const struct tac_growth *growth, struct tac_growth_cursor *cursor);

#endif
