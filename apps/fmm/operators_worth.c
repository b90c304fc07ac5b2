/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
/* Whether the stencil of a list is worth making: what it saves over plain products against what it takes to make. The choice
 * depends on the tree and the options only. */
#include "apps/fmm/operators.h"

#include <math.h>
#include <stdlib.h>

#define EVALUATIONS 4 /* that should pay for a stencil */

/* Measured at ranks 133 and 301 in 3D: what low rank leaves of a stencil's operations; operations of the factorization for each
 * of the dense stencil, by rows of a block, and of the assembly, by rank. */
static const struct share {
  double kept, factor, assembly;
} m2l_share = {0.45, 5, 0}, m2p_share = {0.46, 5, 3}, p2l_share = {0.65, 5, 13};

/* Pairs of a list that one target of the stencil has: with all children of the box, or of the box itself. */
static int pairs_of(const struct tac_fmm_tree *tree, enum tac_list list, int32_t box, int children, struct tac_pair *scratch) {
  const int is_leaf = tree->leaf[box] != TAC_NO_BOX;
  int pairs = 0;
  if (list == TAC_LIST3)
    return is_leaf ? tac_list_pairs(tree, list, box, scratch) : 0;
  for (int child = 0; !is_leaf && child < children; child++)
    pairs += tac_list_pairs(tree, list, tree->first_child[box] + child, scratch);
  return pairs;
}

int tac_plan_is_worth(const struct tac_fmm_plan *plan, enum tac_list list, int level) {
  const struct tac_fmm_tree *tree = plan->tree;
  const double rank = plan->rank[level], nodes = plan->space.count, modes = plan->modes.count;
  const double neighbours = plan->dim == 3 ? 26 : 8;
  const struct share *share = list == TAC_LIST2 ? &m2l_share : list == TAC_LIST3 ? &m2p_share : &p2l_share;
  const double pair = 2 * rank * (list == TAC_LIST2 ? rank : list == TAC_LIST3 ? nodes : modes);
  const double rows = list == TAC_LIST2 ? rank : list == TAC_LIST3 ? nodes / plan->children : modes;
  const double dense = pair * neighbours * (list == TAC_LIST2 ? plan->children : 1);
  struct tac_pair *scratch = malloc((size_t)tac_list_limit(plan->dim, list) * sizeof *scratch);
  double saved = 0;
  if (!scratch || plan->options.path == TAC_FMM_PATH_PAIRED) {
    free(scratch);
    return 1;
  }
  for (int l = level; l < tree->levels; l++)
    for (int32_t box = tree->level_begin[l - 1]; tac_far_same_operators(plan->far, level, l) && box < tree->level_begin[l];
         box++)
      saved += fmax(0, pairs_of(tree, list, box, plan->children, scratch) * pair - share->kept * dense);
  free(scratch);
  return EVALUATIONS * saved > dense * (share->factor * rows + share->assembly * rank);
}
