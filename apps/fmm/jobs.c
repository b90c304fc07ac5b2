/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
/* Which boxes each phase serves, in which tiles, and by which operators. Tiles depend on the tree alone, never on lanes. */
#include <stdlib.h>

#include "apps/fmm/tiling.h"

enum { PLAIN_TILE = 64, LEAST_TILE = 4, WANTED_TILES = 16 };

/* One phase's way through the tree. */
struct walk {
  struct tac_fmm_plan *plan;
  struct tac_tiling tiling;
  int phase, layer;
  struct tac_pair *pairs; /* of one target */
};

static int is_leaf(const struct tac_fmm_tree *tree, int32_t box) {
  return tree->leaf[box] != TAC_NO_BOX;
}

/* A list's pairs of one target as pairs of the open tile. `near`: operators of layer 1 stand TAC_PLAIN_SAME_SPLIT further. */
static enum tac_status add_list(struct walk *walk, enum tac_list list, enum tac_plain_kind kind, int32_t target, int slot,
                                struct tac_error *error) {
  struct tac_fmm_plan *plan = walk->plan;
  const struct tac_fmm_tree *tree = plan->tree;
  const int source_is_leaf = kind <= TAC_PLAIN_COARSER_SPLIT || kind == TAC_PLAIN_P2L;
  const enum tac_space space = source_is_leaf ? TAC_SPACE_COEFFICIENTS : TAC_SPACE_MULTIPOLES;
  const int count = tac_list_pairs(tree, list, target, walk->pairs);
  enum tac_status status = TAC_STATUS_OK;
  for (int i = 0; i < count && !status; i++) {
    const struct tac_pair *pair = &walk->pairs[i];
    const int level = kind == TAC_PLAIN_P2L ? tree->level[target] : tree->level[pair->source];
    const struct tac_plain_operator *operator= NULL;
    unsigned mask;
    status = tac_plan_plain(&operator, plan, kind, level, pair->offset, &mask, error);
    if (!status)
      status = tac_tiling_pair(&walk->tiling, operator, space, slot, pair->source, mask, error);
  }
  return status;
}

/* One (target, source) pair between a box and its parent or itself. */
static enum tac_status add_single(struct walk *walk, enum tac_plain_kind kind, enum tac_space space, int level, int child,
                                  int slot, int32_t source, struct tac_error *error) {
  const signed char offset[3] = {(signed char)(child & 1), (signed char)(child >> 1 & 1), (signed char)(child >> 2 & 1)};
  const struct tac_plain_operator *operator= NULL;
  unsigned mask;
  const enum tac_status status = tac_plan_plain(&operator, walk->plan, kind, level, offset, &mask, error);
  return status ? status : tac_tiling_pair(&walk->tiling, operator, space, slot, source, mask, error);
}

/* Same-level operations between all pairs of a tile if the list were run plainly, without making its operators. */
static double plain_flops(struct walk *walk, enum tac_list list, size_t first, int rows, int columns) {
  const struct tac_fmm_tree *tree = walk->plan->tree;
  const struct tac_job *job = walk->tiling.job;
  double pairs = 0;
  for (size_t t = first; t < walk->tiling.targets; t++) {
    const int32_t box = job->targets[t];
    if (!job->target_is_parent)
      pairs += tac_list_pairs(tree, list, box, walk->pairs);
    for (int c = 0; job->target_is_parent && c < walk->plan->children; c++)
      pairs += tac_list_pairs(tree, list, tree->first_child[box] + c, walk->pairs);
  }
  return pairs * (2.0 * columns + 1) * rows * job->fields;
}

static int takes_stencil(struct walk *walk, enum tac_list list, size_t first, struct tac_stencil *const *stencil, int rows,
                         int columns) {
  if (walk->plan->options.path != TAC_FMM_PATH_AUTO)
    return walk->plan->options.path == TAC_FMM_PATH_PAIRED;
  double paired = 0;
  for (int field = 0; field < walk->tiling.job->fields; field++)
    paired += tac_stencil_flops(stencil[field]);
  return paired * (double)(walk->tiling.targets - first) < plain_flops(walk, list, first, rows, columns);
}

static int is_plain(const struct walk *walk) {
  return walk->plan->options.path == TAC_FMM_PATH_PLAIN;
}

static enum tac_status end_near(struct walk *walk, size_t first, int level, struct tac_error *error) {
  struct tac_fmm_plan *plan = walk->plan;
  struct tac_stencil *const *stencil = plan->operators[level].near[walk->layer];
  const int paired = takes_stencil(walk, TAC_LIST1_SAME, first, stencil, plan->space.count, plan->modes.count);
  const int shift = walk->layer ? TAC_PLAIN_SAME_SPLIT : TAC_PLAIN_SAME;
  enum tac_status status = TAC_STATUS_OK;
  for (size_t t = first; t < walk->tiling.targets && !status; t++) {
    const int32_t box = walk->tiling.job->targets[t];
    const int slot = (int)(t - first);
    if (!paired)
      status = add_list(walk, TAC_LIST1_SAME, TAC_PLAIN_SAME + shift, box, slot, error);
    if (!status)
      status = add_list(walk, TAC_LIST1_FINER, TAC_PLAIN_FINER + shift, box, slot, error);
    if (!status)
      status = add_list(walk, TAC_LIST1_COARSER, TAC_PLAIN_COARSER + shift, box, slot, error);
  }
  return status ? status : tac_tiling_end_tile(&walk->tiling, first, level, paired ? stencil : NULL, error);
}

/* P2M and L2P: one pair with the box itself. */
static enum tac_status end_self(struct walk *walk, size_t first, int level, struct tac_error *error) {
  struct tac_level_operators *o = &walk->plan->operators[level];
  const int p2m = walk->phase == TAC_FMM_EVENT_FORM_MULTIPOLES;
  enum tac_status status = TAC_STATUS_OK;
  for (size_t t = first; is_plain(walk) && t < walk->tiling.targets && !status; t++)
    status = add_single(walk, p2m ? TAC_PLAIN_P2M : TAC_PLAIN_L2P, p2m ? TAC_SPACE_COEFFICIENTS : TAC_SPACE_LOCALS, level, 0,
                        (int)(t - first), walk->tiling.job->targets[t], error);
  if (status)
    return status;
  return tac_tiling_end_tile(&walk->tiling, first, level, is_plain(walk) ? NULL : p2m ? o->p2m : o->l2p, error);
}

/* M2M: from the children of a tile's boxes. At level 1 there is no expansion, but M2L wants the joined children. */
static enum tac_status end_m2m(struct walk *walk, size_t first, int level, struct tac_error *error) {
  struct tac_fmm_plan *plan = walk->plan;
  enum tac_status status = TAC_STATUS_OK;
  for (size_t t = first; is_plain(walk) && t < walk->tiling.targets && !status; t++)
    for (int c = 0; c < plan->children && !status; c++)
      status = add_single(walk, TAC_PLAIN_M2M, TAC_SPACE_MULTIPOLES, level + 1, c, (int)(t - first),
                          plan->tree->first_child[walk->tiling.job->targets[t]] + c, error);
  if (status)
    return status;
  return tac_tiling_end_tile(&walk->tiling, first, level, is_plain(walk) || level < 2 ? NULL : plan->operators[level + 1].m2m,
                             error);
}

static enum tac_status end_l2l(struct walk *walk, size_t first, int level, struct tac_error *error) {
  struct tac_fmm_plan *plan = walk->plan;
  enum tac_status status = TAC_STATUS_OK;
  for (size_t t = first; is_plain(walk) && t < walk->tiling.targets && !status; t++)
    for (int c = 0; c < plan->children && !status; c++)
      status = add_single(walk, TAC_PLAIN_L2L, TAC_SPACE_LOCALS, level + 1, c, (int)(t - first) * plan->children + c,
                          walk->tiling.job->targets[t], error);
  return status
             ? status
             : tac_tiling_end_tile(&walk->tiling, first, level, is_plain(walk) ? NULL : plan->operators[level + 1].l2l, error);
}

static enum tac_status end_m2l(struct walk *walk, size_t first, int level, struct tac_error *error) {
  struct tac_fmm_plan *plan = walk->plan;
  const int rank = plan->rank[level + 1];
  struct tac_stencil *const *stencil = plan->operators[level + 1].m2l;
  const int paired = takes_stencil(walk, TAC_LIST2, first, stencil, rank, rank);
  enum tac_status status = TAC_STATUS_OK;
  for (size_t t = first; !paired && t < walk->tiling.targets && !status; t++)
    for (int c = 0; c < plan->children && !status; c++)
      status = add_list(walk, TAC_LIST2, TAC_PLAIN_M2L, plan->tree->first_child[walk->tiling.job->targets[t]] + c,
                        (int)(t - first) * plan->children + c, error);
  return status ? status : tac_tiling_end_tile(&walk->tiling, first, level, paired ? stencil : NULL, error);
}

static enum tac_status end_jump(struct walk *walk, size_t first, int level, struct tac_error *error) {
  const int m2p = walk->phase == TAC_FMM_EVENT_EVAL_MULTIPOLES;
  enum tac_status status = TAC_STATUS_OK;
  for (size_t t = first; t < walk->tiling.targets && !status; t++)
    status = add_list(walk, m2p ? TAC_LIST3 : TAC_LIST4, m2p ? TAC_PLAIN_M2P : TAC_PLAIN_P2L, walk->tiling.job->targets[t],
                      (int)(t - first), error);
  return status ? status : tac_tiling_end_tile(&walk->tiling, first, level, NULL, error);
}

typedef enum tac_status (*end_tile_fn)(struct walk *walk, size_t first, int level, struct tac_error *error);
typedef int (*wants_fn)(struct walk *walk, int32_t box);

static int wants_leaf(struct walk *walk, int32_t box) {
  return is_leaf(walk->plan->tree, box);
}
static int wants_inner(struct walk *walk, int32_t box) {
  return !is_leaf(walk->plan->tree, box);
}
static int wants_list3(struct walk *walk, int32_t box) {
  return is_leaf(walk->plan->tree, box) && tac_list_pairs(walk->plan->tree, TAC_LIST3, box, walk->pairs) > 0;
}
static int wants_list4(struct walk *walk, int32_t box) {
  return tac_list_pairs(walk->plan->tree, TAC_LIST4, box, walk->pairs) > 0;
}

/* How a phase sees the tree. */
struct phase_rule {
  wants_fn wants;
  end_tile_fn end;
  enum tac_space source, target;
  int first_level, last_level;         /* of the targets; last_level counts from the deepest, 0 or -1 */
  int target_is_parent, add, by_level; /* by_level: a batch a level, +1 downward, -1 upward */
  int fields;                          /* 0: one, 1: parts, 2: all */
};

static const struct phase_rule rules[TAC_FMM_PHASES] = {
    {wants_leaf, end_self, TAC_SPACE_COEFFICIENTS, TAC_SPACE_MULTIPOLES, 2, 0, 0, 0, 0, 0},
    {wants_inner, end_m2m, TAC_SPACE_SUPERS, TAC_SPACE_MULTIPOLES, 1, -1, 0, 0, -1, 0},
    {wants_leaf, end_near, TAC_SPACE_COEFFICIENTS, TAC_SPACE_VALUES, 0, 0, 0, 0, 0, 2},
    {wants_leaf, end_near, TAC_SPACE_COEFFICIENTS, TAC_SPACE_VALUES, 0, 0, 0, 1, 0, 2},
    {wants_inner, end_m2l, TAC_SPACE_SUPERS, TAC_SPACE_LOCALS, 1, -1, 1, 0, 0, 1},
    {wants_list3, end_jump, TAC_SPACE_MULTIPOLES, TAC_SPACE_VALUES, 1, 0, 0, 1, 0, 2},
    {wants_list4, end_jump, TAC_SPACE_COEFFICIENTS, TAC_SPACE_LOCALS, 2, 0, 0, 1, 0, 1},
    {wants_inner, end_l2l, TAC_SPACE_LOCALS, TAC_SPACE_LOCALS, 2, -1, 1, 1, 1, 1},
    {wants_leaf, end_self, TAC_SPACE_LOCALS, TAC_SPACE_VALUES, 2, 0, 0, 1, 0, 2},
};

/* The tile that stencils like; smaller where there are few targets, so that lanes share them. */
static size_t tile_size(const struct walk *walk, int level, size_t targets) {
  const struct tac_level_operators *o = &walk->plan->operators[level];
  size_t most = PLAIN_TILE;
  if (walk->plan->options.path != TAC_FMM_PATH_PLAIN) {
    if (rules[walk->phase - 1].end == end_near)
      most = (size_t)tac_stencil_tile(o->near[walk->layer][0]);
    if (rules[walk->phase - 1].end == end_m2l)
      most = (size_t)tac_stencil_tile(o[1].m2l[0]);
  }
  const size_t share = (targets + WANTED_TILES - 1) / WANTED_TILES;
  return share < LEAST_TILE ? LEAST_TILE : share < most ? share : most;
}

static enum tac_status walk_level(struct walk *walk, int level, struct tac_error *error) {
  const struct tac_fmm_tree *tree = walk->plan->tree;
  const struct phase_rule *rule = &rules[walk->phase - 1];
  size_t targets = 0;
  for (int32_t box = tree->level_begin[level]; box < tree->level_begin[level + 1]; box++)
    targets += rule->wants(walk, box) != 0;
  const size_t most = targets ? tile_size(walk, level, targets) : 1;
  size_t first = walk->tiling.targets;
  enum tac_status status = TAC_STATUS_OK;
  for (int32_t box = tree->level_begin[level]; box < tree->level_begin[level + 1] && !status; box++) {
    if (!rule->wants(walk, box))
      continue;
    status = tac_tiling_target(&walk->tiling, box, error);
    if (!status && walk->tiling.targets - first == most) {
      status = rule->end(walk, first, level, error);
      first = walk->tiling.targets;
    }
  }
  if (!status && walk->tiling.targets > first)
    status = rule->end(walk, first, level, error);
  return status;
}

static void prepare_job(struct tac_job *job, const struct walk *walk) {
  const struct phase_rule *rule = &rules[walk->phase - 1];
  struct tac_fmm_plan *plan = walk->plan;
  *job = (struct tac_job){.plan = plan,
                          .batch = {.item = tac_tile_item, .cost = tac_tile_cost, .context = job, .event = walk->phase},
                          .fields = rule->fields == 2   ? plan->fields
                                    : rule->fields == 1 ? plan->parts
                                                        : 1,
                          .flip = plan->flip,
                          .source_space = rule->source,
                          .target_space = rule->target,
                          .target_is_parent = rule->target_is_parent,
                          .add = rule->add,
                          .join = rule->end == end_m2m && !is_plain(walk)};
}

static enum tac_status make_job(struct walk *walk, struct tac_job *job, int first_level, int last_level,
                                struct tac_error *error) {
  prepare_job(job, walk);
  tac_tiling_open(&walk->tiling, job);
  enum tac_status status = TAC_STATUS_OK;
  for (int level = first_level; level <= last_level && !status; level++)
    status = walk_level(walk, level, error);
  status = tac_tiling_close(&walk->tiling, status, error);
  for (size_t i = 0; i < job->batch.count && !status; i++)
    walk->plan->step[walk->phase - 1].flops += job->tiles[i].flops;
  return status;
}

static enum tac_status make_phase(struct walk *walk, struct tac_error *error) {
  struct tac_fmm_plan *plan = walk->plan;
  const struct phase_rule *rule = &rules[walk->phase - 1];
  struct tac_step *phase = &plan->step[walk->phase - 1];
  const int near = rule->end == end_near, split = walk->phase == TAC_FMM_EVENT_SPLIT_CORRECTION;
  walk->layer = split;
  phase->entered = !split || plan->layers == 2;
  int first = rule->first_level, last = plan->tree->levels - 1 + rule->last_level;
  if (!phase->entered || (!near && !plan->far))
    return TAC_STATUS_OK;
  if (is_plain(walk) && rule->end == end_m2m)
    first = 2;
  const int count = !rule->by_level ? 1 : last >= first ? last - first + 1 : 0;
  phase->jobs = tac_store_take(&plan->store, (size_t)count, sizeof *phase->jobs, "batches", error);
  if (!phase->jobs)
    return TAC_STATUS_MEMORY;
  phase->count = count;
  enum tac_status status = TAC_STATUS_OK;
  for (int i = 0; i < count && !status; i++) {
    const int level = rule->by_level < 0 ? last - i : first + i;
    status = rule->by_level ? make_job(walk, &phase->jobs[i], level, level, error)
                            : make_job(walk, &phase->jobs[i], first, last, error);
  }
  return status;
}

enum tac_status tac_plan_make_jobs(struct tac_fmm_plan *plan, struct tac_error *error) {
  struct walk walk = {.plan = plan};
  int most = 0;
  for (int list = 0; list < TAC_LISTS; list++) {
    const int limit = tac_list_limit(plan->dim, (enum tac_list)list);
    most = limit > most ? limit : most;
  }
  walk.pairs = malloc((size_t)most * sizeof *walk.pairs);
  if (!walk.pairs)
    return tac_error_set(error, TAC_STATUS_MEMORY, "plan", "no memory for lists");
  enum tac_status status = TAC_STATUS_OK;
  for (walk.phase = 1; walk.phase <= TAC_FMM_PHASES && !status; walk.phase++)
    status = make_phase(&walk, error);
  free(walk.pairs);
  return status;
}
