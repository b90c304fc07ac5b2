/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
/* Which targets each work-group serves by stencils, and what is joined, cleared and taken apart around them. */
#include <stdlib.h>
#include <string.h>

#include "apps/fmm/device/build.h"
#include "apps/fmm/stencil_parts.h"

/* A tile before its place is known. */
struct draft {
  struct tac_fmm_tile tile;
  const struct tac_tile *origin;
  size_t output, factored; /* doubles of a target */
  tac_u32 strips[2];
  double flops;
};
struct drafts {
  struct draft *at;
  size_t count, room;
};

static enum tac_status push(struct drafts *drafts, const struct draft *draft, struct tac_error *error) {
  if (drafts->count == drafts->room) {
    const size_t room = drafts->room ? 2 * drafts->room : 64;
    struct draft *grown = realloc(drafts->at, room * sizeof *grown);
    if (!grown)
      return tac_error_set(error, TAC_STATUS_MEMORY, "device plan", "no memory for tiles");
    drafts->at = grown;
    drafts->room = room;
  }
  drafts->at[drafts->count++] = *draft;
  return TAC_STATUS_OK;
}

size_t tac_device_offset(const struct tac_fmm_plan *plan, enum tac_space space, int32_t box) {
  switch (space) {
  case TAC_SPACE_COEFFICIENTS:
    return (size_t)plan->tree->leaf[box] * (size_t)plan->modes.count;
  case TAC_SPACE_SUPERS:
    return (size_t)(tac_plan_super(plan, box) - plan->supers);
  case TAC_SPACE_VALUES:
    return (size_t)plan->tree->leaf[box] * (size_t)plan->space.count;
  default:
    return tac_plan_box_offset(plan, box);
  }
}

size_t tac_device_shift(const struct tac_fmm_plan *plan, enum tac_space space, int field) {
  if (space == TAC_SPACE_LOCALS)
    return (size_t)(field % plan->parts) * plan->multipole_size;
  return space == TAC_SPACE_VALUES ? (size_t)field * plan->tree->leaves * (size_t)plan->space.count : 0;
}

/* Where the zeros stand that are the vector of a neighbour which has none. */
static size_t zeros_of(const struct tac_fmm_plan *plan, enum tac_space space) {
  return space == TAC_SPACE_COEFFICIENTS ? plan->tree->leaves * (size_t)plan->modes.count : plan->super_size;
}

static size_t colleague_offset(const struct tac_job *job, int32_t colleague) {
  const struct tac_fmm_plan *plan = job->plan;
  const int wanted =
      colleague != TAC_NO_BOX && (plan->tree->leaf[colleague] != TAC_NO_BOX) == (job->source_space == TAC_SPACE_COEFFICIENTS);
  return wanted ? tac_device_offset(plan, job->source_space, colleague) : zeros_of(plan, job->source_space);
}

static enum tac_status add_sources(struct tac_device_build *build, const struct tac_job *job, int32_t box,
                                   struct tac_error *error) {
  const int reach = tac_job_reach(job);
  tac_u64 *source = tac_build_add(build, TAC_TABLE_SOURCES, (size_t)reach, error);
  if (!source)
    return TAC_STATUS_MEMORY;
  if (reach == 1)
    source[0] = tac_device_offset(job->plan, job->source_space, box);
  for (int n = 0; reach > 1 && n < reach; n++)
    source[n] = colleague_offset(job, job->plan->tree->colleague[(size_t)box * (size_t)reach + (size_t)n]);
  return TAC_STATUS_OK;
}

static size_t target_offset(const struct tac_job *job, int32_t box) {
  return tac_device_offset(job->plan, job->target_space, job->target_is_parent ? job->plan->tree->first_child[box] : box);
}

static enum tac_status add_family(struct tac_device_build *build, int32_t box, size_t super, struct tac_error *error) {
  const struct tac_fmm_tree *tree = build->plan->tree;
  const int level = tree->level[box] + 1;
  struct tac_fmm_family *family = tac_build_add(build, TAC_TABLE_FAMILIES, 1, error);
  if (!family)
    return TAC_STATUS_MEMORY;
  *family = (struct tac_fmm_family){.children = tac_plan_box_offset(build->plan, tree->first_child[box]),
                                    .super = super,
                                    .rank = (tac_u32)build->plan->rank[level],
                                    .classes = build->classes[level]};
  return TAC_STATUS_OK;
}

static enum tac_status add_target(struct tac_device_build *build, const struct tac_job *job, int32_t box,
                                  struct tac_error *error) {
  tac_u64 *target = tac_build_add(build, TAC_TABLE_TARGETS, 1, error);
  if (!target)
    return TAC_STATUS_MEMORY;
  *target = target_offset(job, box);
  const enum tac_status status = add_sources(build, job, box, error);
  return status || !job->target_is_parent ? status : add_family(build, box, 0, error);
}

/* Numbers and needs of a tile's stencils. */
static enum tac_status describe(struct draft *draft, struct tac_device_build *build, const struct tac_job *job,
                                struct tac_error *error) {
  const struct tac_tile *tile = draft->origin;
  enum tac_status status = TAC_STATUS_OK;
  draft->output = job->target_is_parent ? (size_t)tac_job_target_size(job, tile->level) : 0;
  draft->flops = tile->flops;
  for (int field = 0; field < TAC_MAX_FIELDS && !status; field++) {
    draft->tile.stencil[field] = -1;
    if (field >= job->fields || !tile->stencil[field])
      continue;
    tac_u32 number = 0;
    status = tac_build_stencil(&number, build, tile->stencil[field], error);
    draft->tile.stencil[field] = (tac_i32)number;
    const struct tac_fmm_stencil *stencil = status ? NULL : tac_build_at(build, TAC_TABLE_STENCILS, number);
    if (!stencil)
      continue;
    draft->factored = stencil->factored_stride > draft->factored ? stencil->factored_stride : draft->factored;
    for (int stage = 0; stage < 2; stage++)
      draft->strips[stage] = stencil->strips[stage] > draft->strips[stage] ? stencil->strips[stage] : draft->strips[stage];
    const size_t scratch = (size_t)tile->count * (stencil->combined_stride + stencil->factored_stride);
    if (build->device->form == TAC_FMM_FORM_PANELS && scratch > build->device->work_group_scratch)
      build->device->work_group_scratch = scratch;
  }
  return status;
}

/* Panels: a tile as on the host. Tiles: blocks of TAC_FMM_BLOCK targets, across the host's tiles of the same stencils. */
static enum tac_status add_tile(struct drafts *drafts, struct tac_device_build *build, const struct tac_job *job,
                                const struct tac_tile *tile, struct tac_error *error) {
  const int tiles = build->device->form == TAC_FMM_FORM_TILES;
  const tac_u32 most = tiles ? TAC_FMM_BLOCK : (tac_u32)tile->count;
  struct draft *open = tiles && drafts->count ? &drafts->at[drafts->count - 1] : NULL;
  enum tac_status status = TAC_STATUS_OK;
  if (open && (open->origin->stencil != tile->stencil || open->origin->level != tile->level))
    open = NULL;
  for (int32_t t = 0; t < tile->count && !status; t++) {
    if (!open || open->tile.count == most) {
      struct draft draft = {
          .origin = tile,
          .tile = {.first = tac_build_count(build, TAC_TABLE_TARGETS), .sources = tac_build_count(build, TAC_TABLE_SOURCES)}};
      status = describe(&draft, build, job, error);
      if (!status)
        status = push(drafts, &draft, error);
      open = status ? NULL : &drafts->at[drafts->count - 1];
    }
    if (!status)
      status = add_target(build, job, job->targets[tile->first + t], error);
    if (!status)
      open->tile.count++;
  }
  return status;
}

/* The costliest first, so that work-groups that go round the tiles get equal shares. */
static int by_cost(const void *left, const void *right) {
  const struct draft *a = left, *b = right;
  if (a->flops != b->flops)
    return a->flops > b->flops ? -1 : 1;
  return a->tile.first < b->tile.first ? -1 : a->tile.first > b->tile.first;
}

static size_t larger(size_t a, size_t b) {
  return a > b ? a : b;
}

/* Tiles [begin, end) as one chunk. */
static enum tac_status emit(struct tac_device_stencils *out, struct tac_device_build *build, struct draft *begin, size_t count,
                            struct tac_error *error) {
  struct tac_fmm_device *device = build->device;
  *out = (struct tac_device_stencils){
      .first_tile = tac_build_count(build, TAC_TABLE_TILES), .tiles = (tac_u32)count, .first_target = begin->tile.first};
  for (size_t i = 0; i < count; i++) {
    const struct draft *draft = &begin[i];
    out->targets += draft->tile.count;
    out->output_stride = larger(out->output_stride, draft->output);
    out->scratch_stride = larger(out->scratch_stride, draft->factored);
    for (int stage = 0; stage < 2; stage++)
      out->strips[stage] = draft->strips[stage] > out->strips[stage] ? draft->strips[stage] : out->strips[stage];
  }
  device->outputs_size = larger(device->outputs_size, out->targets * out->output_stride);
  if (device->form == TAC_FMM_FORM_TILES)
    device->scratch_size = larger(device->scratch_size, out->targets * out->scratch_stride);
  else
    qsort(begin, count, sizeof *begin, by_cost);
  struct tac_fmm_tile *tile = tac_build_add(build, TAC_TABLE_TILES, count, error);
  for (size_t i = 0; tile && i < count; i++)
    tile[i] = begin[i].tile;
  return tile ? TAC_STATUS_OK : TAC_STATUS_MEMORY;
}

/* As many tiles as leave no more than a chunk may. */
static size_t chunk_of(const struct drafts *drafts, size_t first, const struct tac_fmm_device *device) {
  const int with_factors = device->form == TAC_FMM_FORM_TILES;
  size_t targets = 0, stride = 0, count = 0;
  while (first + count < drafts->count) {
    const struct draft *draft = &drafts->at[first + count];
    stride = larger(stride, larger(draft->output, with_factors ? draft->factored : 0));
    targets += draft->tile.count;
    if (count && targets * stride > device->chunk)
      break;
    count++;
  }
  return count;
}

static enum tac_status emit_all(struct tac_device_build *build, struct tac_device_job *job, const struct drafts *drafts,
                                struct tac_error *error) {
  int chunks = 0;
  for (size_t first = 0; first < drafts->count; first += chunk_of(drafts, first, build->device))
    chunks++;
  job->stencils = tac_store_take(&build->device->store, (size_t)chunks, sizeof *job->stencils, "stencils of a device", error);
  if (!job->stencils)
    return TAC_STATUS_MEMORY;
  enum tac_status status = TAC_STATUS_OK;
  for (size_t first = 0; first < drafts->count && !status;) {
    const size_t count = chunk_of(drafts, first, build->device);
    status = emit(&job->stencils[job->stencil_chunks++], build, drafts->at + first, count, error);
    first += count;
  }
  return status;
}

/* What nobody writes before the pairs add to it: of every field without a stencil. */
static enum tac_status add_spans(struct tac_device_build *build, struct tac_device_job *out, int field,
                                 struct tac_error *error) {
  const struct tac_job *job = out->job;
  out->first_span[field] = tac_build_count(build, TAC_TABLE_SPANS);
  for (size_t i = 0; !job->add && i < job->tile_count; i++) {
    const struct tac_tile *tile = &job->tiles[i];
    if (tile->stencil ? tile->stencil[field] != NULL : !tile->cleared)
      continue;
    struct tac_fmm_span *span = tac_build_add(build, TAC_TABLE_SPANS, (size_t)tile->count, error);
    if (!span)
      return TAC_STATUS_MEMORY;
    for (int32_t t = 0; t < tile->count; t++)
      span[t] = (struct tac_fmm_span){target_offset(job, job->targets[tile->first + t]),
                                      (tac_u64)tac_job_target_size(job, tile->level)};
  }
  out->spans[field] = tac_build_count(build, TAC_TABLE_SPANS) - out->first_span[field];
  return TAC_STATUS_OK;
}

static enum tac_status add_joins(struct tac_device_build *build, struct tac_device_job *out, struct tac_error *error) {
  const struct tac_job *job = out->job;
  const struct tac_fmm_plan *plan = build->plan;
  enum tac_status status = TAC_STATUS_OK;
  out->first_family = tac_build_count(build, TAC_TABLE_FAMILIES);
  for (size_t i = 0; job->join && i < job->tile_count; i++) {
    const struct tac_tile *tile = &job->tiles[i];
    for (int32_t t = 0; t < tile->count && !status; t++) {
      const int32_t box = job->targets[tile->first + t];
      status = add_family(build, box, tac_device_offset(plan, TAC_SPACE_SUPERS, box), error);
    }
  }
  out->families = tac_build_count(build, TAC_TABLE_FAMILIES) - out->first_family;
  return status;
}

enum tac_status tac_build_stencils(struct tac_device_build *build, struct tac_device_job *job, struct tac_error *error) {
  struct drafts drafts = {0};
  enum tac_status status = add_joins(build, job, error);
  for (int field = 0; field < job->job->fields && !status; field++)
    status = add_spans(build, job, field, error);
  job->first_target = tac_build_count(build, TAC_TABLE_TARGETS);
  job->first_split = tac_build_count(build, TAC_TABLE_FAMILIES);
  for (size_t i = 0; i < job->job->tile_count && !status; i++)
    if (job->job->tiles[i].stencil)
      status = add_tile(&drafts, build, job->job, &job->job->tiles[i], error);
  if (!status)
    status = emit_all(build, job, &drafts, error);
  free(drafts.at);
  return status;
}
