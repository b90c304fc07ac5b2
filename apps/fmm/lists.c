/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/fmm/tree.h"

/* Where offsets of a list lie along each axis, and which of them it leaves out: those inside a smaller cube. */
struct range {
  int first, last, inner_first, inner_last;
};
static const struct range ranges[TAC_LISTS] = {
    [TAC_LIST1_SAME] = {-1, 1, 1, 0}, [TAC_LIST1_FINER] = {-1, 2, 0, 1}, [TAC_LIST1_COARSER] = {-1, 2, 0, 1},
    [TAC_LIST2] = {-3, 3, -1, 1},     [TAC_LIST3] = {-2, 3, -1, 2},      [TAC_LIST4] = {-2, 3, -1, 2},
};

int tac_list_limit(int dim, enum tac_list list) {
  switch (list) {
  case TAC_LIST1_SAME:
    return dim == 2 ? 9 : 27;
  case TAC_LIST1_FINER:
    return dim == 2 ? 12 : 56;
  case TAC_LIST1_COARSER:
    return dim == 2 ? 3 : 7;
  case TAC_LIST2:
    return dim == 2 ? 27 : 189;
  case TAC_LIST3:
    return dim == 2 ? 20 : 152;
  default:
    return dim == 2 ? 5 : 19;
  }
}

/* Which colleague of a box the source is, or has as its child. */
struct site {
  int32_t center;
  int colleague, child;
};

/* Floor of a half. */
static int half(int value) {
  return (value + 4) / 2 - 2;
}

/* Where the source lies along one axis, in halves of the center's side from its lower corner: its colleague's position, and 1
 * more for an upper child. Colleagues span -2 ... 3. */
static int halves_of(enum tac_list list, int bit, int offset) {
  switch (list) {
  case TAC_LIST1_SAME:
    return 2 * offset;
  case TAC_LIST2:
    return bit + offset;
  case TAC_LIST1_FINER:
  case TAC_LIST3:
    return offset;
  default: /* offset = bit - 2 (source - parent); 4: no whole number of sides */
    return (bit - offset) & 1 ? 4 : bit - offset;
  }
}

/* Where the source at an offset would be; 0 when no colleague can hold it. */
static int locate(const struct tac_fmm_tree *tree, enum tac_list list, int32_t target, const int offset[3], struct site *site) {
  const int of_parent = list == TAC_LIST1_COARSER || list == TAC_LIST4 || list == TAC_LIST2;
  const int weight[3] = {1, 3, tree->dim == 3 ? 9 : 0};
  *site = (struct site){.center = of_parent ? tree->parent[target] : target};
  for (int axis = 0; axis < 3; axis++) {
    const int halves = halves_of(list, tree->coordinate[target][axis] & 1, offset[axis]);
    if (halves < -2 || halves > 3)
      return 0;
    site->colleague += weight[axis] * (half(halves) + 1);
    site->child |= (halves & 1) << axis;
  }
  return 1;
}

static int32_t source_at(const struct tac_fmm_tree *tree, enum tac_list list, const struct site *site) {
  const int32_t at = tree->colleague[(size_t)site->center * (size_t)tree->neighbours + (size_t)site->colleague];
  const int of_leaf = list == TAC_LIST1_SAME || list == TAC_LIST1_COARSER || list == TAC_LIST4;
  if (at == TAC_NO_BOX)
    return TAC_NO_BOX;
  if (of_leaf)
    return tree->leaf[at] == TAC_NO_BOX ? TAC_NO_BOX : at;
  if (tree->first_child[at] == TAC_NO_BOX)
    return TAC_NO_BOX;
  return tree->first_child[at] + site->child;
}

static int is_inner(const struct range *range, const int offset[3]) {
  for (int axis = 0; axis < 3; axis++)
    if (offset[axis] < range->inner_first || offset[axis] > range->inner_last)
      return 0;
  return 1;
}

int tac_list_pairs(const struct tac_fmm_tree *tree, enum tac_list list, int32_t target, struct tac_pair *out) {
  const int of_leaf = list == TAC_LIST1_SAME || list == TAC_LIST1_FINER || list == TAC_LIST1_COARSER || list == TAC_LIST3;
  const int above = list == TAC_LIST1_COARSER || list == TAC_LIST2 || list == TAC_LIST4;
  if ((of_leaf && tree->leaf[target] == TAC_NO_BOX) || (above && tree->parent[target] == TAC_NO_BOX))
    return 0;
  const struct range *range = &ranges[list];
  const int flat = tree->dim == 2;
  int count = 0;
  for (int z = flat ? 0 : range->first; z <= (flat ? 0 : range->last); z++)
    for (int y = range->first; y <= range->last; y++)
      for (int x = range->first; x <= range->last; x++) {
        const int offset[3] = {x, y, z};
        struct site site;
        if (is_inner(range, offset) || !locate(tree, list, target, offset, &site))
          continue;
        const int32_t source = source_at(tree, list, &site);
        if (source != TAC_NO_BOX)
          out[count++] = (struct tac_pair){source, {(signed char)x, (signed char)y, (signed char)z}};
      }
  return count;
}

/* Children of a colleague at this offset that touch the box in the middle. */
static unsigned touching(int dim, int n) {
  unsigned count = 1;
  for (int axis = 0; axis < dim; axis++, n /= 3)
    count *= n % 3 == 1 ? 2 : 1;
  return count;
}

/* Pairs that one box makes with its colleagues and their children. */
static struct tac_fmm_list_sizes sizes_of_box(const struct tac_fmm_tree *tree, size_t box, const unsigned *touch) {
  const int32_t *colleague = tree->colleague + box * (size_t)tree->neighbours;
  const unsigned children = 1U << tree->dim;
  struct tac_fmm_list_sizes sizes = {0};
  for (int n = 0; n < tree->neighbours; n++) {
    if (colleague[n] == TAC_NO_BOX)
      continue;
    const int inner = tree->first_child[colleague[n]] != TAC_NO_BOX;
    if (tree->leaf[box] == TAC_NO_BOX) {
      /* Of all pairs of children, those that touch are colleagues. */
      sizes.list2 += inner ? children * children - touch[n] * touch[n] : 0;
    } else if (inner) {
      sizes.list1_finer += touch[n];
      sizes.list3 += children - touch[n];
    } else {
      sizes.list1_same++;
    }
  }
  return sizes;
}

void tac_list_sizes_by_level(struct tac_fmm_list_sizes sizes[TAC_FMM_MAX_LEVELS], const struct tac_fmm_tree *tree) {
  unsigned touch[27] = {0};
  for (int n = 0; n < tree->neighbours; n++)
    touch[n] = touching(tree->dim, n);
  for (int level = 0; level < TAC_FMM_MAX_LEVELS; level++)
    sizes[level] = (struct tac_fmm_list_sizes){0};
  for (size_t box = 0; box < tree->boxes; box++) {
    const struct tac_fmm_list_sizes own = sizes_of_box(tree, box, touch);
    struct tac_fmm_list_sizes *here = &sizes[tree->level[box]];
    here->list1_same += own.list1_same;
    here->list1_finer += own.list1_finer;
    here->list3 += own.list3;
    if (tree->level[box] + 1 == tree->levels)
      continue;
    /* The dual lists, and List 2 of the children. */
    here[1].list1_coarser += own.list1_finer;
    here[1].list4 += own.list3;
    here[1].list2 += own.list2;
  }
}

struct tac_fmm_list_sizes tac_fmm_tree_list_sizes(const struct tac_fmm_tree *tree) {
  struct tac_fmm_list_sizes by_level[TAC_FMM_MAX_LEVELS], sum = {0};
  tac_list_sizes_by_level(by_level, tree);
  for (int level = 0; level < TAC_FMM_MAX_LEVELS; level++) {
    sum.list1_same += by_level[level].list1_same;
    sum.list1_finer += by_level[level].list1_finer;
    sum.list1_coarser += by_level[level].list1_coarser;
    sum.list2 += by_level[level].list2;
    sum.list3 += by_level[level].list3;
    sum.list4 += by_level[level].list4;
  }
  return sum;
}
