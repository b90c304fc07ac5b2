/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
/* Which boxes each phase serves, in which tiles, and by which operators. Tiles depend on the tree alone, never on lanes. */
#include <stdlib.h>

#include "apps/fmm/tiling.h"

/* Columns of a tile come in multiples of what every kernel's width divides. */
enum { PLAIN_TILE = 72, TILE_STEP = 24, WANTED_TILES = 4 };

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
    const struct tac_plain_operator *op = NULL;
    unsigned mask;
    status = tac_plan_plain(&op, plan, kind, level, pair->offset, &mask, error);
    if (!status)
      status = tac_tiling_pair(&walk->tiling, op, space, slot, pair->source, mask, error);
  }
  return status;
}

/* One (target, source) pair between a box and its parent or itself. */
static enum tac_status add_single(struct walk *walk, enum tac_plain_kind kind, enum tac_space space, int level, int child,
                                  int slot, int32_t source, struct tac_error *error) {
  const signed char offset[3] = {(signed char)(child & 1), (signed char)(child >> 1 & 1), (signed char)(child >> 2 & 1)};
  const struct tac_plain_operator *op = NULL;
  unsigned mask;
  const enum tac_status status = tac_plan_plain(&op, walk->plan, kind, level, offset, &mask, error);
  return status ? status : tac_tiling_pair(&walk->tiling, op, space, slot, source, mask, error);
}

static int is_plain(const struct walk *walk) {
  return walk->plan->options.path == TAC_FMM_PATH_PLAIN;
}

/* Pairs of a list for one target of the job: of all its children where targets are parents. */
static int count_pairs(struct walk *walk, enum tac_list list, int32_t box, int parents) {
  const struct tac_fmm_tree *tree = walk->plan->tree;
  int pairs = parents ? 0 : tac_list_pairs(tree, list, box, walk->pairs);
  for (int c = 0; parents && c < walk->plan->children; c++)
    pairs += tac_list_pairs(tree, list, tree->first_child[box] + c, walk->pairs);
  return pairs;
}

/* Operators of the phases that go through lists: level is the target's. */
static struct tac_stencil *const *list_stencil(const struct walk *walk, int level) {
  const struct tac_level_operators *o = &walk->plan->operators[level];
  switch (walk->phase) {
  case TAC_FMM_EVENT_TABLE_APPLY:
  case TAC_FMM_EVENT_SPLIT_CORRECTION:
    return o->near[walk->layer];
  case TAC_FMM_EVENT_MULTIPOLE_TO_LOCAL:
    return o[1].m2l;
  case TAC_FMM_EVENT_EVAL_MULTIPOLES:
    return o[1].m2p;
  default:
    return o[1].p2l;
  }
}

/* Operations of one pair, offset by offset. */
static double plain_flops(const struct walk *walk, int level) {
  const struct tac_fmm_plan *plan = walk->plan;
  const double nodes = plan->space.count, modes = plan->modes.count;
  const double rank = level + 1 < plan->tree->levels ? plan->rank[level + 1] : 0;
  switch (walk->phase) {
  case TAC_FMM_EVENT_MULTIPOLE_TO_LOCAL:
    return (2 * rank + 1) * rank;
  case TAC_FMM_EVENT_EVAL_MULTIPOLES:
    return (2 * rank + 1) * nodes;
  case TAC_FMM_EVENT_FORM_LOCALS:
    return (2 * modes + 1) * rank;
  default:
    return (2 * modes + 1) * nodes;
  }
}

/* 1 where the stencil, whose cost does not depend on how many neighbours there are, costs less than the target's pairs. */
static int takes_stencil(struct walk *walk, enum tac_list list, int32_t box, int level, int parents) {
  struct tac_stencil *const *stencil = list_stencil(walk, level);
  if (walk->plan->options.path != TAC_FMM_PATH_AUTO || !stencil[0])
    return !is_plain(walk) && stencil[0];
  double paired = 0;
  for (int field = 0; field < walk->tiling.job->fields; field++)
    paired += stencil[field] ? tac_stencil_flops(stencil[field]) : 0;
  return paired < count_pairs(walk, list, box, parents) * plain_flops(walk, level) * walk->tiling.job->fields;
}

static enum tac_status end_near(struct walk *walk, size_t first, int level, int paired, struct tac_error *error) {
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
  return status ? status : tac_tiling_end_tile(&walk->tiling, first, level, paired ? list_stencil(walk, level) : NULL, error);
}

/* P2M and L2P: one pair with the box itself. */
static enum tac_status end_self(struct walk *walk, size_t first, int level, int paired, struct tac_error *error) {
  struct tac_level_operators *o = &walk->plan->operators[level];
  const int p2m = walk->phase == TAC_FMM_EVENT_FORM_MULTIPOLES;
  enum tac_status status = TAC_STATUS_OK;
  for (size_t t = first; !paired && t < walk->tiling.targets && !status; t++)
    status = add_single(walk, p2m ? TAC_PLAIN_P2M : TAC_PLAIN_L2P, p2m ? TAC_SPACE_COEFFICIENTS : TAC_SPACE_LOCALS, level, 0,
                        (int)(t - first), walk->tiling.job->targets[t], error);
  if (status)
    return status;
  return tac_tiling_end_tile(&walk->tiling, first, level, !paired ? NULL : p2m ? o->p2m : o->l2p, error);
}

/* M2M: from the children of a tile's boxes. At level 1 there is no expansion, but M2L wants the joined children. */
static enum tac_status end_m2m(struct walk *walk, size_t first, int level, int paired, struct tac_error *error) {
  struct tac_fmm_plan *plan = walk->plan;
  enum tac_status status = TAC_STATUS_OK;
  for (size_t t = first; !paired && t < walk->tiling.targets && !status; t++)
    for (int c = 0; c < plan->children && !status; c++)
      status = add_single(walk, TAC_PLAIN_M2M, TAC_SPACE_MULTIPOLES, level + 1, c, (int)(t - first),
                          plan->tree->first_child[walk->tiling.job->targets[t]] + c, error);
  if (status)
    return status;
  return tac_tiling_end_tile(&walk->tiling, first, level, paired && level >= 2 ? plan->operators[level + 1].m2m : NULL, error);
}

static enum tac_status end_l2l(struct walk *walk, size_t first, int level, int paired, struct tac_error *error) {
  struct tac_fmm_plan *plan = walk->plan;
  enum tac_status status = TAC_STATUS_OK;
  for (size_t t = first; !paired && t < walk->tiling.targets && !status; t++)
    for (int c = 0; c < plan->children && !status; c++)
      status = add_single(walk, TAC_PLAIN_L2L, TAC_SPACE_LOCALS, level + 1, c, (int)(t - first) * plan->children + c,
                          walk->tiling.job->targets[t], error);
  return status ? status
                : tac_tiling_end_tile(&walk->tiling, first, level, paired ? plan->operators[level + 1].l2l : NULL, error);
}

/* M2L and P2L: into all children of the tile's boxes. */
static enum tac_status end_children(struct walk *walk, size_t first, int level, int paired, struct tac_error *error) {
  struct tac_fmm_plan *plan = walk->plan;
  const int m2l = walk->phase == TAC_FMM_EVENT_MULTIPOLE_TO_LOCAL;
  enum tac_status status = TAC_STATUS_OK;
  for (size_t t = first; !paired && t < walk->tiling.targets && !status; t++)
    for (int c = 0; c < plan->children && !status; c++)
      status =
          add_list(walk, m2l ? TAC_LIST2 : TAC_LIST4, m2l ? TAC_PLAIN_M2L : TAC_PLAIN_P2L,
                   plan->tree->first_child[walk->tiling.job->targets[t]] + c, (int)(t - first) * plan->children + c, error);
  return status ? status : tac_tiling_end_tile(&walk->tiling, first, level, paired ? list_stencil(walk, level) : NULL, error);
}

static enum tac_status end_m2p(struct walk *walk, size_t first, int level, int paired, struct tac_error *error) {
  enum tac_status status = TAC_STATUS_OK;
  for (size_t t = first; !paired && t < walk->tiling.targets && !status; t++)
    status = add_list(walk, TAC_LIST3, TAC_PLAIN_M2P, walk->tiling.job->targets[t], (int)(t - first), error);
  return status ? status : tac_tiling_end_tile(&walk->tiling, first, level, paired ? list_stencil(walk, level) : NULL, error);
}

typedef enum tac_status (*end_tile_fn)(struct walk *walk, size_t first, int level, int paired, struct tac_error *error);
typedef int (*wants_fn)(struct walk *walk, int32_t box);

static int wants_leaf(struct walk *walk, int32_t box) {
  return is_leaf(walk->plan->tree, box);
}

static int wants_inner(struct walk *walk, int32_t box) {
  return !is_leaf(walk->plan->tree, box);
}

static int wants_list3(struct walk *walk, int32_t box) {
  return is_leaf(walk->plan->tree, box) && count_pairs(walk, TAC_LIST3, box, 0) > 0;
}

static int wants_list4(struct walk *walk, int32_t box) {
  return !is_leaf(walk->plan->tree, box) && count_pairs(walk, TAC_LIST4, box, 1) > 0;
}

/* How a phase sees the tree. */
struct phase_rule {
  wants_fn wants;
  end_tile_fn end;
  enum tac_space source, target;       /* of the stencils */
  enum tac_list list;                  /* TAC_LISTS: a phase between a box and itself or its parent */
  int first_level, last_level;         /* of the targets; last_level counts from the deepest, 0 or -1 */
  int target_is_parent, add, by_level; /* by_level: a batch a level, +1 downward, -1 upward */
  int fields;                          /* 0: one, 1: parts, 2: all */
};

static const struct phase_rule rules[TAC_FMM_PHASES] = {
    {wants_leaf, end_self, TAC_SPACE_COEFFICIENTS, TAC_SPACE_MULTIPOLES, TAC_LISTS, 2, 0, 0, 0, 0, 0},
    {wants_inner, end_m2m, TAC_SPACE_SUPERS, TAC_SPACE_MULTIPOLES, TAC_LISTS, 1, -1, 0, 0, -1, 0},
    {wants_leaf, end_near, TAC_SPACE_COEFFICIENTS, TAC_SPACE_VALUES, TAC_LIST1_SAME, 0, 0, 0, 0, 0, 2},
    {wants_leaf, end_near, TAC_SPACE_COEFFICIENTS, TAC_SPACE_VALUES, TAC_LIST1_SAME, 0, 0, 0, 1, 0, 2},
    {wants_inner, end_children, TAC_SPACE_SUPERS, TAC_SPACE_LOCALS, TAC_LIST2, 1, -1, 1, 0, 0, 1},
    {wants_list3, end_m2p, TAC_SPACE_SUPERS, TAC_SPACE_VALUES, TAC_LIST3, 1, -1, 0, 1, 0, 2},
    {wants_list4, end_children, TAC_SPACE_COEFFICIENTS, TAC_SPACE_LOCALS, TAC_LIST4, 1, -1, 1, 1, 0, 1},
    {wants_inner, end_l2l, TAC_SPACE_LOCALS, TAC_SPACE_LOCALS, TAC_LISTS, 2, -1, 1, 1, 1, 1},
    {wants_leaf, end_self, TAC_SPACE_LOCALS, TAC_SPACE_VALUES, TAC_LISTS, 2, 0, 0, 1, 0, 2},
};

/* Whether a target goes through a stencil. */
static int is_paired(struct walk *walk, int32_t box, int level) {
  const struct phase_rule *rule = &rules[walk->phase - 1];
  return rule->list == TAC_LISTS ? !is_plain(walk) : takes_stencil(walk, rule->list, box, level, rule->target_is_parent);
}

/* The tile that stencils like; smaller where there are few targets, so that lanes share them. */
static size_t tile_size(const struct walk *walk, int level, int paired, size_t targets) {
  const int listed = rules[walk->phase - 1].list != TAC_LISTS;
  const size_t most = paired && listed ? (size_t)tac_stencil_tile(list_stencil(walk, level)[0]) : PLAIN_TILE;
  const size_t share = (targets / WANTED_TILES + TILE_STEP) / TILE_STEP * TILE_STEP;
  return share < most ? share : most;
}

/* Targets of a level that go one way. */
static enum tac_status walk_way(struct walk *walk, int level, int paired, const unsigned char *way, struct tac_error *error) {
  const struct tac_fmm_tree *tree = walk->plan->tree;
  const struct phase_rule *rule = &rules[walk->phase - 1];
  const int32_t begin = tree->level_begin[level], end = tree->level_begin[level + 1];
  size_t targets = 0;
  for (int32_t box = begin; box < end; box++)
    targets += way[box - begin] == 1 + paired;
  const size_t most = targets ? tile_size(walk, level, paired, targets) : 1;
  size_t first = walk->tiling.targets;
  enum tac_status status = TAC_STATUS_OK;
  for (int32_t box = begin; box < end && !status; box++) {
    if (way[box - begin] != 1 + paired)
      continue;
    status = tac_tiling_target(&walk->tiling, box, error);
    if (!status && walk->tiling.targets - first == most) {
      status = rule->end(walk, first, level, paired, error);
      first = walk->tiling.targets;
    }
  }
  if (!status && walk->tiling.targets > first)
    status = rule->end(walk, first, level, paired, error);
  return status;
}

/* Targets with stencils and those without stand in tiles of their own. way: 0 no target, 1 plain, 2 paired. */
static enum tac_status walk_level(struct walk *walk, int level, struct tac_error *error) {
  const struct tac_fmm_tree *tree = walk->plan->tree;
  const int32_t begin = tree->level_begin[level], end = tree->level_begin[level + 1];
  unsigned char *way = calloc((size_t)(end - begin) + 1, 1);
  if (!way)
    return tac_error_set(error, TAC_STATUS_MEMORY, "plan", "no memory for the targets of level %d", level);
  for (int32_t box = begin; box < end; box++)
    if (rules[walk->phase - 1].wants(walk, box))
      way[box - begin] = (unsigned char)(1 + is_paired(walk, box, level));
  enum tac_status status = walk_way(walk, level, 1, way, error);
  if (!status)
    status = walk_way(walk, level, 0, way, error);
  free(way);
  return status;
}

static void prepare_job(struct tac_job *job, const struct walk *walk) {
  const struct phase_rule *rule = &rules[walk->phase - 1];
  struct tac_fmm_plan *plan = walk->plan;
  *job = (struct tac_job){.plan = plan,
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
  for (size_t i = 0; i < job->tile_count && !status; i++) {
    job->tiles[i].flops = tac_tile_flops(job, i);
    walk->plan->step[walk->phase - 1].flops += job->tiles[i].flops;
  }
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
  phase->jobs = tac_store_take(&plan->store, (size_t)count, sizeof *phase->jobs, "jobs", error);
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

static enum tac_status make_course(struct tac_fmm_plan *plan, struct tac_error *error) {
  const size_t chunks = tac_plan_leaf_chunks(plan);
  plan->host.load = (struct tac_batch){.count = chunks, .item = tac_plan_load_item, .context = plan};
  plan->host.store = (struct tac_batch){.count = chunks, .item = tac_plan_store_item, .context = plan};
  for (int i = 0; i < TAC_FMM_PHASES; i++) {
    const struct tac_step *step = &plan->step[i];
    struct tac_batch *batch = tac_store_take(&plan->store, (size_t)step->count, sizeof *batch, "batches", error);
    if (!batch)
      return TAC_STATUS_MEMORY;
    plan->host.step[i] = (struct tac_batches){batch, step->count};
    for (int k = 0; k < step->count; k++)
      batch[k] = (struct tac_batch){.count = step->jobs[k].tile_count,
                                    .item = tac_tile_item,
                                    .cost = tac_tile_cost,
                                    .context = &step->jobs[k],
                                    .terms = &tac_tile_terms,
                                    .event = TAC_FMM_EVENT_SOLVE + 1 + i};
  }
  return TAC_STATUS_OK;
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
  if (!status)
    status = tac_plan_set_costs(plan, error);
  return status ? status : make_course(plan, error);
}
