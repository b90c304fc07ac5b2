/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef APPS_FMM_TREE_H
#define APPS_FMM_TREE_H

#include <tactus/fmm/tree.h>

#define TAC_NO_BOX (-1)

/* Boxes level after level, Morton order inside a level; a box has no children or all 2^dim of them, which stand together:
 * child c = first_child + c, bit `axis` of c set for the upper half along that axis. Leaves are numbered in box order. */
struct tac_fmm_tree {
  struct tac_fmm_tree_options options;
  struct tac_allocator allocator;
  int dim, levels, neighbours; /* neighbours = 3^dim */
  size_t boxes, leaves;
  int32_t level_begin[TAC_FMM_MAX_LEVELS + 1];
  int32_t (*coordinate)[3];      /* position in units of the box's own side, from the lower corner; z is 0 in 2D */
  int32_t *parent, *first_child; /* TAC_NO_BOX: root, leaf */
  int32_t *leaf;                 /* number of the leaf, TAC_NO_BOX for an inner box */
  int32_t *leaf_box;             /* its inverse */
  unsigned char *level;          /* of a box */
  int32_t *colleague; /* colleague[box*neighbours + n]: same-level box (leaf or not) at offset digit(n) - 1 along each
                         axis, x fastest (n = sum (offset+1)*3^axis); itself in the middle; TAC_NO_BOX where the
                         domain ends or only a coarser leaf is there */
  double node[TAC_FMM_MAX_ORDER]; /* Gauss nodes of `order` in [-1/2, 1/2] */
  double resolution;
  size_t bytes;
};

/* One (target, source) pair of a list. Offsets:
 *   list1_same, list2: source coordinate - target coordinate;
 *   list1_finer, list3: source coordinate - 2 * target coordinate  (-1 … 2, and -2 … 3);
 *   list1_coarser, list4: target coordinate - 2 * source coordinate (the same ranges).
 * Targets and sources are boxes; in list 1 and as targets of list 3 and sources of list 4 they are leaves. */
enum tac_list { TAC_LIST1_SAME = 0, TAC_LIST1_FINER, TAC_LIST1_COARSER, TAC_LIST2, TAC_LIST3, TAC_LIST4, TAC_LISTS };
struct tac_pair {
  int32_t source;
  signed char offset[3]; /* 0 along axes that do not exist */
};

/* Pairs of one target in one list, ordered by offset (z slowest, ascending), into out (at least tac_list_limit(dim, list)
 * long). Returns their number. */
int tac_list_limit(int dim, enum tac_list list); /* List 2: 27 / 189 and so on */
int tac_list_pairs(const struct tac_fmm_tree *tree, enum tac_list list, int32_t target, struct tac_pair *out);

/* Points of a box' tensor grid with `count` (at most 2 TAC_FMM_MAX_ORDER) nodes in [-1/2, 1/2] along each axis, as
 * tac_fmm_tree_nodes writes them; the end of what was written. */
double *tac_box_grid(double *out, const struct tac_fmm_tree_options *options, int level, const int32_t coordinate[3], int count,
                     const double *node);

/* Sizes of the lists by the level of the target; levels that the tree lacks are empty. */
void tac_list_sizes_by_level(struct tac_fmm_list_sizes sizes[TAC_FMM_MAX_LEVELS], const struct tac_fmm_tree *tree);

#endif
