/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
/* What an item does: applies the stencil of its tile, then the groups of pairs that share an operator. */
#include <string.h>

#include "apps/fmm/plan.h"

enum { GROUP_COLUMNS = 72 }; /* pairs that go through one product: its columns stay in the second-level cache */

double *tac_plan_vector(const struct tac_fmm_plan *plan, enum tac_space space, int32_t box, int field) {
  switch (space) {
  case TAC_SPACE_COEFFICIENTS:
    return tac_plan_coefficients(plan, plan->tree->leaf[box]);
  case TAC_SPACE_MULTIPOLES:
    return plan->multipoles + tac_plan_box_offset(plan, box);
  case TAC_SPACE_SUPERS:
    return tac_plan_super(plan, box);
  case TAC_SPACE_LOCALS:
    return plan->locals[field % plan->parts] + tac_plan_box_offset(plan, box);
  default:
    return tac_plan_values(plan, field, plan->tree->leaf[box]);
  }
}

int tac_job_reach(const struct tac_job *job) {
  const int to_others = job->target_is_parent || job->target_space == TAC_SPACE_VALUES;
  const int around = to_others && (job->source_space == TAC_SPACE_SUPERS || job->source_space == TAC_SPACE_COEFFICIENTS);
  return around ? job->plan->tree->neighbours : 1;
}

/* A colleague's vector, NULL where it has none: leaves have coefficients, inner boxes a super vector. */
static const double *colleague_vector(const struct tac_job *job, int32_t colleague) {
  if (colleague == TAC_NO_BOX)
    return NULL;
  const int leaf = job->plan->tree->leaf[colleague] != TAC_NO_BOX;
  return leaf == (job->source_space == TAC_SPACE_COEFFICIENTS) ? tac_plan_vector(job->plan, job->source_space, colleague, 0)
                                                               : NULL;
}

/* The vectors that a stencil wants around each target. */
static void gather_sources(const struct tac_job *job, const struct tac_tile *tile, int field, int reach,
                           const double **sources) {
  const struct tac_fmm_tree *tree = job->plan->tree;
  for (int32_t t = 0; t < tile->count; t++) {
    const int32_t box = job->targets[tile->first + t];
    if (reach == 1)
      sources[t] = tac_plan_vector(job->plan, job->source_space, box, field);
    else
      for (int n = 0; n < reach; n++)
        sources[(size_t)t * (size_t)reach + (size_t)n] =
            colleague_vector(job, tree->colleague[(size_t)box * (size_t)reach + (size_t)n]);
  }
}

static void add_vector(double *restrict to, const double *restrict from, int count) {
  for (int i = 0; i < count; i++)
    to[i] += from[i];
}

/* Takes the vector of all children of a box apart into their locals. */
static void deliver_children(const struct tac_job *job, int32_t box, int field, const double *super, double *scratch) {
  const struct tac_fmm_plan *plan = job->plan;
  const int level = plan->tree->level[box] + 1, rank = plan->rank[level];
  const int32_t first = plan->tree->first_child[box];
  double *children[TAC_MAX_CLASSES];
  for (int c = 0; c < plan->children; c++)
    children[c] = job->add ? scratch + (size_t)c * (size_t)rank : tac_plan_vector(plan, job->target_space, first + c, field);
  tac_super_split(plan->dim, tac_far_class_begin(plan->far, level), super, children);
  for (int c = 0; job->add && c < plan->children; c++)
    add_vector(tac_plan_vector(plan, job->target_space, first + c, field), children[c], rank);
}

int tac_job_target_size(const struct tac_job *job, int level) {
  const struct tac_fmm_plan *plan = job->plan;
  if (job->target_space == TAC_SPACE_VALUES)
    return plan->space.count;
  return job->target_is_parent ? plan->children * plan->rank[level + 1] : plan->rank[level];
}

/* Nothing has written these targets yet. The vectors of all children of a box stand together. */
static void clear_targets(const struct tac_job *job, const struct tac_tile *tile, int field) {
  const size_t bytes = (size_t)tac_job_target_size(job, tile->level) * sizeof(double);
  for (int32_t t = 0; t < tile->count; t++) {
    const int32_t box = job->targets[tile->first + t];
    memset(
        tac_plan_vector(job->plan, job->target_space, job->target_is_parent ? job->plan->tree->first_child[box] : box, field),
        0, bytes);
  }
}

static enum tac_status out_of_scratch(struct tac_lane *lane) {
  return tac_error_set(lane->error, TAC_STATUS_MEMORY, "scratch", "no memory for a tile");
}

/* One field of a tile through its stencil. Results go straight to their place where nothing stands there yet. */
static enum tac_status apply_stencil(const struct tac_job *job, const struct tac_tile *tile, int field, const double **sources,
                                     double **targets, double *scratch, struct tac_lane *lane) {
  const struct tac_fmm_plan *plan = job->plan;
  const int direct = !job->add && !job->target_is_parent;
  const size_t size = (size_t)tac_job_target_size(job, tile->level);
  for (int32_t t = 0; t < tile->count; t++)
    targets[t] =
        direct ? tac_plan_vector(plan, job->target_space, job->targets[tile->first + t], field) : scratch + (size_t)t * size;
  const enum tac_status status =
      tac_stencil_apply(tile->stencil[field], (size_t)tile->count, sources, targets, lane->arena, lane->error);
  if (status || direct)
    return status;
  double *children = job->target_is_parent && job->add ? tac_arena_take(lane->arena, size * sizeof *children) : scratch;
  if (!children)
    return out_of_scratch(lane);
  for (int32_t t = 0; t < tile->count; t++) {
    const int32_t target = job->targets[tile->first + t];
    if (job->target_is_parent)
      deliver_children(job, target, field, targets[t], children);
    else
      add_vector(tac_plan_vector(plan, job->target_space, target, field), targets[t], (int)size);
  }
  return TAC_STATUS_OK;
}

static enum tac_status apply_stencils(const struct tac_job *job, const struct tac_tile *tile, struct tac_lane *lane) {
  const int reach = tac_job_reach(job);
  const size_t count = (size_t)tile->count;
  const double **sources = tac_arena_take(lane->arena, count * (size_t)reach * sizeof *sources);
  double **targets = tac_arena_take(lane->arena, count * sizeof *targets);
  double *scratch = tac_arena_take(lane->arena, count * (size_t)tac_job_target_size(job, tile->level) * sizeof *scratch);
  if (!sources || !targets || !scratch)
    return out_of_scratch(lane);
  enum tac_status status = TAC_STATUS_OK;
  for (int field = 0; field < job->fields && !status; field++) {
    if (!tile->stencil[field]) {
      if (!job->add)
        clear_targets(job, tile, field);
      continue;
    }
    if (field == 0 || job->source_space == TAC_SPACE_LOCALS)
      gather_sources(job, tile, field, reach, sources);
    status = apply_stencil(job, tile, field, sources, targets, scratch, lane);
  }
  return status;
}

/* to = sign R from, R the reflection of the axes in mask, for a vector in class form. */
static void copy_mirrored(double *to, const double *from, const int *begin, int classes, unsigned mask) {
  for (int c = 0; c < classes; c++) {
    const double sign = tac_odd((unsigned)c & mask) ? -1 : 1;
    for (int i = begin[c]; i < begin[c + 1]; i++)
      to[i] = sign * from[i];
  }
}

static void add_mirrored(double *to, const double *from, const int *begin, int classes, unsigned mask, int flip) {
  for (int c = 0; c < classes; c++) {
    const double sign = tac_odd((unsigned)c & mask) != flip ? -1 : 1;
    for (int i = begin[c]; i < begin[c + 1]; i++)
      to[i] += sign * from[i];
  }
}

/* The vector that a plain pair adds to: always of one box, also in a tile of parents. */
static double *plain_target(const struct tac_job *job, const struct tac_tile *tile, const struct tac_tile_pair *pair,
                            int field) {
  const struct tac_fmm_plan *plan = job->plan;
  int32_t box = job->targets[tile->first + (job->target_is_parent ? pair->slot / plan->children : pair->slot)];
  if (job->target_is_parent)
    box = plan->tree->first_child[box] + pair->slot % plan->children;
  return tac_plan_vector(plan, job->target_space, box, field);
}

static void apply_pairs(const struct tac_job *job, const struct tac_tile *tile, const struct tac_tile_group *group,
                        const struct tac_tile_pair *pairs, int count, double *in, double *out) {
  const struct tac_plain_operator *op = group->op;
  const int classes = 1 << job->plan->dim;
  const double *right[GROUP_COLUMNS];
  double *result[GROUP_COLUMNS];
  for (int i = 0; i < count; i++) {
    right[i] = in + (size_t)i * (size_t)op->sources;
    result[i] = out + (size_t)i * (size_t)op->targets;
  }
  for (int field = 0; field < job->fields; field++) {
    if (!op->matrix[field])
      continue;
    if (field == 0 || group->source_space == TAC_SPACE_LOCALS)
      for (int i = 0; i < count; i++)
        copy_mirrored(in + (size_t)i * (size_t)op->sources,
                      tac_plan_vector(job->plan, group->source_space, pairs[i].source, field), op->source_begin, classes,
                      pairs[i].mask);
    tac_gemm_packed(job->plan->kernel, op->targets, op->sources, op->matrix[field], (size_t)count, right, result, 0);
    for (int i = 0; i < count; i++)
      add_mirrored(plain_target(job, tile, &pairs[i], field), out + (size_t)i * (size_t)op->targets, op->target_begin, classes,
                   pairs[i].mask, tac_odd(pairs[i].mask & job->flip[field]));
  }
}

static enum tac_status apply_group(const struct tac_job *job, const struct tac_tile *tile, const struct tac_tile_group *group,
                                   struct tac_lane *lane) {
  const size_t columns = group->end - group->begin < GROUP_COLUMNS ? group->end - group->begin : GROUP_COLUMNS;
  double *in = tac_arena_take(lane->arena, columns * (size_t)group->op->sources * sizeof *in);
  double *out = tac_arena_take(lane->arena, columns * (size_t)group->op->targets * sizeof *out);
  if (!in || !out)
    return out_of_scratch(lane);
  for (uint32_t begin = group->begin; begin < group->end; begin += GROUP_COLUMNS) {
    const uint32_t rest = group->end - begin;
    apply_pairs(job, tile, group, job->pairs + begin, rest < GROUP_COLUMNS ? (int)rest : GROUP_COLUMNS, in, out);
  }
  return TAC_STATUS_OK;
}

static void join_children(const struct tac_job *job, const struct tac_tile *tile) {
  const struct tac_fmm_plan *plan = job->plan;
  for (int32_t t = 0; t < tile->count; t++) {
    const int32_t box = job->targets[tile->first + t], first = plan->tree->first_child[box];
    const double *children[TAC_MAX_CLASSES];
    for (int c = 0; c < plan->children; c++)
      children[c] = tac_plan_vector(plan, TAC_SPACE_MULTIPOLES, first + c, 0);
    tac_super_join(plan->dim, tac_far_class_begin(plan->far, tile->level + 1), children, tac_plan_super(plan, box));
  }
}

enum tac_status tac_tile_item(void *context, size_t index, struct tac_lane *lane) {
  const struct tac_job *job = context;
  const struct tac_tile *tile = &job->tiles[index];
  enum tac_status status = TAC_STATUS_OK;
  if (job->join)
    join_children(job, tile);
  if (tile->stencil)
    status = apply_stencils(job, tile, lane);
  else if (!job->add && tile->cleared)
    for (int field = 0; field < job->fields; field++)
      clear_targets(job, tile, field);
  for (uint32_t g = tile->group_begin; g < tile->group_end && !status; g++)
    status = apply_group(job, tile, &job->groups[g], lane);
  return status;
}

double tac_tile_cost(const void *context, size_t index) {
  const struct tac_job *job = context;
  return job->tiles[index].cost;
}
