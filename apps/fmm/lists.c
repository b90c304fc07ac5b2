/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/fmm/tree.h"

int tac_boxes_touch(const struct tac_fmm_tree *tree, int32_t a, int32_t b) {
  const int la = tree->level[a], lb = tree->level[b], finest = la > lb ? la : lb;
  for (int axis = 0; axis < tree->dim; axis++) {
    const int64_t lower_a = (int64_t)tree->coordinate[a][axis] << (finest - la);
    const int64_t lower_b = (int64_t)tree->coordinate[b][axis] << (finest - lb);
    if (lower_a + ((int64_t)1 << (finest - la)) < lower_b || lower_b + ((int64_t)1 << (finest - lb)) < lower_a)
      return 0;
  }
  return 1;
}

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

/* Which same-level box, at `center`'s colleague, has a source in it, and which child of that colleague the source is. */
struct site {
  int32_t center;
  int colleague, child;
};

/* Floor of a half. */
static int half(int value) {
  return (value + 4) / 2 - 2;
}

/* Position along one axis: `place` counted in halves of the center's side from its lower corner. */
static void add_halves(struct site *site, int axis, int weight, int place) {
  site->colleague += weight * (half(place) + 1);
  site->child |= (place & 1) << axis;
}

/* Where the source at an offset would be; 0 when no box there can be in the list. */
static int locate(const struct tac_fmm_tree *tree, enum tac_list list, int32_t target, const signed char offset[3],
                  struct site *site) {
  const int coarser = list == TAC_LIST1_COARSER || list == TAC_LIST4, child_of = coarser || list == TAC_LIST2;
  *site = (struct site){.center = child_of ? tree->parent[target] : target};
  for (int axis = 0, weight = 1; axis < tree->dim; axis++, weight *= 3) {
    const int bit = tree->coordinate[target][axis] & 1, o = offset[axis];
    if (list == TAC_LIST1_SAME) {
      site->colleague += weight * (o + 1);
    } else if (list == TAC_LIST2) {
      if (bit + o < -2 || bit + o > 3)
        return 0;
      add_halves(site, axis, weight, bit + o);
    } else if (coarser) {
      /* o = bit - 2 (source - parent) along the axis. */
      if ((bit - o) & 1 || bit - o < -2 || bit - o > 2)
        return 0;
      site->colleague += weight * ((bit - o) / 2 + 1);
    } else {
      add_halves(site, axis, weight, o);
    }
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

static int is_inner(const struct tac_fmm_tree *tree, const struct range *range, const signed char offset[3]) {
  for (int axis = 0; axis < tree->dim; axis++)
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
        struct tac_pair pair = {.offset = {(signed char)x, (signed char)y, (signed char)z}};
        struct site site;
        if (is_inner(tree, range, pair.offset) || !locate(tree, list, target, pair.offset, &site))
          continue;
        pair.source = source_at(tree, list, &site);
        if (pair.source != TAC_NO_BOX)
          out[count++] = pair;
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

struct tac_fmm_list_sizes tac_fmm_tree_list_sizes(const struct tac_fmm_tree *tree) {
  const unsigned children = 1U << tree->dim;
  struct tac_fmm_list_sizes sizes = {0};
  for (size_t box = 0; box < tree->boxes; box++) {
    const int32_t *colleague = tree->colleague + box * (size_t)tree->neighbours;
    unsigned inner = 0;
    for (int n = 0; n < tree->neighbours; n++) {
      if (colleague[n] == TAC_NO_BOX)
        continue;
      const int leaf = tree->leaf[colleague[n]] != TAC_NO_BOX;
      inner += !leaf;
      if (box > 0)
        sizes.list2--; /* of the children of the parent's colleagues, those that touch */
      if (tree->leaf[box] == TAC_NO_BOX)
        continue;
      sizes.list1_same += (unsigned)leaf;
      if (leaf)
        continue;
      sizes.list1_finer += touching(tree->dim, n);
      sizes.list3 += children - touching(tree->dim, n);
    }
    if (tree->leaf[box] == TAC_NO_BOX)
      sizes.list2 += (uint64_t)children * children * inner;
  }
  sizes.list1_coarser = sizes.list1_finer;
  sizes.list4 = sizes.list3;
  return sizes;
}
