/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/fmm/modes.h"
#include "apps/fmm/tree_growth.h"

static void *take(struct tac_fmm_tree *tree, size_t count, size_t size) {
  void *memory = tree->allocator.allocate(tree->allocator.context, count * size);
  if (memory)
    tree->bytes += count * size;
  return memory;
}

void tac_fmm_tree_destroy(struct tac_fmm_tree **tree) {
  if (!tree || !*tree)
    return;
  const struct tac_allocator allocator = (*tree)->allocator;
  void *const memory[] = {(*tree)->coordinate, (*tree)->parent, (*tree)->first_child, (*tree)->leaf,
                          (*tree)->leaf_box,   (*tree)->level,  (*tree)->colleague,   *tree};
  for (size_t i = 0; i < sizeof memory / sizeof *memory; i++)
    allocator.release(allocator.context, memory[i]);
  *tree = NULL;
}

static enum tac_status take_all(struct tac_fmm_tree *tree, struct tac_error *error) {
  tree->coordinate = take(tree, tree->boxes, sizeof *tree->coordinate);
  tree->parent = take(tree, tree->boxes, sizeof *tree->parent);
  tree->first_child = take(tree, tree->boxes, sizeof *tree->first_child);
  tree->leaf = take(tree, tree->boxes, sizeof *tree->leaf);
  tree->leaf_box = take(tree, tree->leaves, sizeof *tree->leaf_box);
  tree->level = take(tree, tree->boxes, sizeof *tree->level);
  tree->colleague = take(tree, tree->boxes * (size_t)tree->neighbours, sizeof *tree->colleague);
  if (tree->coordinate && tree->parent && tree->first_child && tree->leaf && tree->leaf_box && tree->level && tree->colleague)
    return TAC_STATUS_OK;
  return tac_error_set(error, TAC_STATUS_MEMORY, "tree", "no memory for a tree of %zu boxes", tree->boxes);
}

/* Copies the boxes level by level. A level that is in Morton order gives the next one in Morton order. `made` is the number a
 * box had when it was made. */
static void order_boxes(struct tac_fmm_tree *tree, const struct tac_growth *growth, int32_t *made) {
  int32_t end = 1, leaves = 0;
  made[0] = 0;
  tree->parent[0] = TAC_NO_BOX;
  for (int32_t i = 0; i < end; i++) {
    const struct tac_growth_box *box = &growth->box[made[i]];
    for (int axis = 0; axis < 3; axis++)
      tree->coordinate[i][axis] = box->coordinate[axis];
    tree->level[i] = (unsigned char)box->level;
    if (box->level == tree->levels)
      tree->level_begin[tree->levels++] = i;
    tree->leaf[i] = tree->first_child[i] = TAC_NO_BOX;
    if (box->first_child == TAC_NO_BOX) {
      tree->leaf_box[leaves] = i;
      tree->leaf[i] = leaves++;
      continue;
    }
    tree->first_child[i] = end;
    for (int c = 0; c < growth->children; c++) {
      tree->parent[end] = i;
      made[end++] = box->first_child + c;
    }
  }
  for (int level = tree->levels; level <= TAC_FMM_MAX_LEVELS; level++)
    tree->level_begin[level] = end;
}

/* Where the neighbour n of child c is: the parent's neighbour that may hold it, and which of its children it is. */
struct step {
  unsigned char colleague, child;
};

static struct step step_of(int dim, int c, int n) {
  struct step step = {0};
  for (int axis = 0, digits = n, weight = 1; axis < dim; axis++, digits /= 3, weight *= 3) {
    const int position = (c >> axis & 1) + digits % 3 - 1; /* -1 … 2 from the parent's lower corner */
    const int parent_offset = (position + 2) / 2 - 1;
    step.colleague = (unsigned char)(step.colleague + weight * (parent_offset + 1));
    step.child = (unsigned char)(step.child | (position & 1) << axis);
  }
  return step;
}

static void find_colleagues(struct tac_fmm_tree *tree) {
  const int neighbours = tree->neighbours, middle = neighbours / 2, children = 1 << tree->dim;
  struct step steps[8][27];
  for (int c = 0; c < children; c++)
    for (int n = 0; n < neighbours; n++)
      steps[c][n] = step_of(tree->dim, c, n);
  for (int n = 0; n < neighbours; n++)
    tree->colleague[n] = n == middle ? 0 : TAC_NO_BOX;
  for (size_t box = 1; box < tree->boxes; box++) {
    const int32_t parent = tree->parent[box];
    const struct step *step = steps[(int32_t)box - tree->first_child[parent]];
    const int32_t *above = tree->colleague + (size_t)parent * (size_t)neighbours;
    int32_t *own = tree->colleague + box * (size_t)neighbours;
    for (int n = 0; n < neighbours; n++) {
      const int32_t holder = above[step[n].colleague];
      const int32_t first = holder == TAC_NO_BOX ? TAC_NO_BOX : tree->first_child[holder];
      own[n] = first == TAC_NO_BOX ? TAC_NO_BOX : first + step[n].child;
    }
  }
}

enum tac_status tac_tree_finish(struct tac_fmm_tree **out, const struct tac_growth *growth, double resolution,
                                struct tac_error *error) {
  const struct tac_allocator *allocator = growth->allocator;
  struct tac_fmm_tree *tree = allocator->allocate(allocator->context, sizeof *tree);
  if (!tree)
    return tac_error_set(error, TAC_STATUS_MEMORY, "tree", "no memory for a tree");
  *tree = (struct tac_fmm_tree){
      .options = *growth->options,
      .allocator = *allocator,
      .dim = growth->dim,
      .neighbours = growth->dim == 2 ? 9 : 27,
      .boxes = growth->count,
      .leaves = growth->leaves,
      .resolution = resolution,
      .bytes = sizeof *tree,
  };
  double weights[TAC_FMM_MAX_ORDER];
  tac_gauss_rule(tree->options.order, tree->node, weights);
  tree->options.seeds = NULL;
  tree->options.seed_count = 0;
  tree->options.allocator = NULL;
  int32_t *made = allocator->allocate(allocator->context, growth->count * sizeof *made);
  enum tac_status status = TAC_STATUS_OK;
  if (!made)
    status = tac_error_set(error, TAC_STATUS_MEMORY, "tree", "no memory to order %zu boxes", growth->count);
  if (!status)
    status = take_all(tree, error);
  if (status) {
    tac_fmm_tree_destroy(&tree);
    goto done;
  }
  order_boxes(tree, growth, made);
  find_colleagues(tree);
  *out = tree;
done:
  allocator->release(allocator->context, made);
  return status;
}
