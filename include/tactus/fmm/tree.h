/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef TACTUS_FMM_TREE_H
#define TACTUS_FMM_TREE_H

#include <stddef.h>
#include <stdint.h>

#include <tactus/runtime/error.h>
#include <tactus/runtime/export.h>
#include <tactus/runtime/memory.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Polynomials on a leaf: degree below `order` in each variable (tensor), or in total. */
enum tac_fmm_basis { TAC_FMM_TOTAL = 0, TAC_FMM_TENSOR };

#define TAC_FMM_MIN_ORDER  2
#define TAC_FMM_MAX_ORDER  16
#define TAC_FMM_MAX_LEVELS 31 /* levels 0 … 30 */

/* Values of the density at `count` points, points[dim*i + axis]. Called from the thread that makes the tree. */
typedef enum tac_status (*tac_fmm_density_fn)(void *context, size_t count, const double *points, double *values,
                                              struct tac_error *error);

/* A place where the density has structure of about `width`: the tree is refined there (in the cube center +- width) until boxes
 * are no larger than the width before it looks at the density, so that a narrow peak between the nodes is not missed. */
struct tac_fmm_seed {
  double center[3];
  double width;
};

struct tac_fmm_tree_options {
  size_t size;     /* sizeof(struct tac_fmm_tree_options) */
  int dim;         /* 2 (default) or 3 */
  double lower[3]; /* the domain is [lower, lower + side] along each axis; default -1/2 */
  double side;     /* positive and finite; default 1 */
  int order;       /* Gauss-Legendre nodes along each axis of a leaf, 2 … 16; default 8 */
  enum tac_fmm_basis basis;
  double tolerance;                 /* relative to max |f|, 1e-14 and more, below 1; default 1e-6. Used when levels < 0 */
  int levels;                       /* 0 ... 30: uniform, leaves at this level; -1 (default): adaptive */
  size_t max_leaves;                /* default 4,000,000 */
  const struct tac_fmm_seed *seeds; /* of an adaptive tree; read during creation only */
  size_t seed_count;
  const struct tac_allocator *allocator;
};
TAC_API void tac_fmm_tree_options_init(struct tac_fmm_tree_options *options);

/* A quad- or octree whose leaves resolve a density and whose touching leaves (faces, edges, corners) differ by at most one
 * level. Immutable; may be read from any thread. */
struct tac_fmm_tree;

/* Refines until on every leaf the density and its polynomial agree, at twice the nodes along each axis, to tolerance * max |f|,
 * then balances. max |f| is taken over all points looked at down to the level that is decided, the centers of the seeds
 * included; the first levels, down to 64 points along each axis in 3D and 256 in 2D, are looked at everywhere. A uniform tree
 * does not look at the density, which may be NULL then. A density that fails ends the creation with its own status and error.
 * INVALID: an option out of range. MEMORY: more than max_leaves leaves (the text says what was resolved until then).
 * NUMERICAL: a density that is not finite (the text gives the point), or a tolerance out of reach at the deepest level (the
 * text says what was reached and where). */
TAC_API enum tac_status tac_fmm_tree_create(struct tac_fmm_tree **out, const struct tac_fmm_tree_options *options,
                                            tac_fmm_density_fn density, void *context, struct tac_error *error);

/* The same with the caller's own rule, asked for every leaf from the coarsest level downwards: refine returns 1 to split the
 * box with that lower corner and side. The tree is uniform down to `levels` first, and refined at the seeds. INVALID: the rule
 * asks for boxes below the deepest level. */
typedef int (*tac_fmm_refine_fn)(void *context, int level, const double *lower, double side);
TAC_API enum tac_status tac_fmm_tree_create_refined(struct tac_fmm_tree **out, const struct tac_fmm_tree_options *options,
                                                    tac_fmm_refine_fn refine, void *context, struct tac_error *error);
TAC_API void tac_fmm_tree_destroy(struct tac_fmm_tree **tree);

TAC_API int tac_fmm_tree_dim(const struct tac_fmm_tree *tree);
TAC_API int tac_fmm_tree_order(const struct tac_fmm_tree *tree);
TAC_API enum tac_fmm_basis tac_fmm_tree_basis(const struct tac_fmm_tree *tree);
TAC_API int tac_fmm_tree_levels(const struct tac_fmm_tree *tree); /* deepest level + 1 */
TAC_API size_t tac_fmm_tree_boxes(const struct tac_fmm_tree *tree);
TAC_API size_t tac_fmm_tree_leaves(const struct tac_fmm_tree *tree);
TAC_API size_t tac_fmm_tree_leaves_at(const struct tac_fmm_tree *tree, int level);
TAC_API double tac_fmm_tree_side(const struct tac_fmm_tree *tree, int level); /* side of the boxes of a level */
TAC_API size_t tac_fmm_tree_bytes(const struct tac_fmm_tree *tree);
/* Largest disagreement found at the last look, relative to max |f|; 0 for a uniform tree or the caller's own rule. */
TAC_API double tac_fmm_tree_resolution(const struct tac_fmm_tree *tree);

/* Leaf `leaf` (0 … leaves-1): its lower corner, side and level; NULL for what is not wanted. */
TAC_API void tac_fmm_tree_leaf(const struct tac_fmm_tree *tree, size_t leaf, double *lower, double *side, int *level);
/* The leaf that holds a point (on a shared face: the one with the larger coordinates), or (size_t)-1 outside the domain. */
TAC_API size_t tac_fmm_tree_find(const struct tac_fmm_tree *tree, const double *point);
/* The order^dim nodes of a leaf, points[dim*i + axis], x fastest. */
TAC_API void tac_fmm_tree_nodes(const struct tac_fmm_tree *tree, size_t leaf, double *points);

/* Pairs of the lists (target, source): List 1 adjacent leaves, the leaf itself included (same level, source finer, source
 * coarser); List 2 same-level children of the parent's colleagues that are not adjacent; List 3 smaller boxes under a
 * colleague of a leaf, not adjacent to it; List 4 its dual. */
struct tac_fmm_list_sizes {
  uint64_t list1_same, list1_finer, list1_coarser, list2, list3, list4;
};
TAC_API struct tac_fmm_list_sizes tac_fmm_tree_list_sizes(const struct tac_fmm_tree *tree);

#ifdef __cplusplus
}
#endif
#endif
