/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
/* The pairs of a job: tile by tile as on the host for the panels; for the tiles by operator, with a list for every target of
 * what is to be added to it, in which order. */
#include <stdlib.h>

#include "apps/fmm/device/build.h"

static size_t pair_target(const struct tac_job *job, const struct tac_tile *tile, const struct tac_tile_pair *pair) {
  const struct tac_fmm_plan *plan = job->plan;
  int32_t box = job->targets[tile->first + (job->target_is_parent ? pair->slot / plan->children : pair->slot)];
  if (job->target_is_parent)
    box = plan->tree->first_child[box] + pair->slot % plan->children;
  return tac_device_offset(plan, job->target_space, box);
}

static enum tac_status add_pairs(struct tac_device_build *build, const struct tac_job *job, const struct tac_tile *tile,
                                 const struct tac_tile_group *group, tac_u32 operator_number, struct tac_error *error) {
  struct tac_fmm_pair *pair = tac_build_add(build, TAC_TABLE_PAIRS, group->end - group->begin, error);
  if (!pair)
    return TAC_STATUS_MEMORY;
  for (uint32_t i = group->begin; i < group->end; i++, pair++)
    *pair = (struct tac_fmm_pair){.source = tac_device_offset(build->plan, group->source_space, job->pairs[i].source),
                                  .target = pair_target(job, tile, &job->pairs[i]),
                                  .mask = job->pairs[i].mask,
                                  .operator_number = operator_number};
  return TAC_STATUS_OK;
}

static enum tac_status add_group(struct tac_device_build *build, tac_u32 first, tac_u32 count, tac_u32 operator_number,
                                 struct tac_error *error) {
  struct tac_fmm_group *group = tac_build_add(build, TAC_TABLE_GROUPS, 1, error);
  if (!group)
    return TAC_STATUS_MEMORY;
  *group = (struct tac_fmm_group){first, count, operator_number};
  return TAC_STATUS_OK;
}

static size_t padded(int length) {
  return 8 * (((size_t)length + 7) / 8 | 1);
}

static void note_panels(struct tac_fmm_device *device, const struct tac_plain_operator *op) {
  const size_t scratch = TAC_FMM_BATCH * (padded(op->sources) + padded(op->targets));
  if (scratch > device->work_group_scratch)
    device->work_group_scratch = scratch;
}

/* A tile's groups as they are. */
static enum tac_status add_cluster(struct tac_device_build *build, struct tac_device_pairs *out, const struct tac_job *job,
                                   const struct tac_tile *tile, struct tac_error *error) {
  const tac_u32 first = tac_build_count(build, TAC_TABLE_GROUPS);
  enum tac_status status = TAC_STATUS_OK;
  for (uint32_t g = tile->group_begin; g < tile->group_end && !status; g++) {
    const struct tac_tile_group *group = &job->groups[g];
    const tac_u32 first_pair = tac_build_count(build, TAC_TABLE_PAIRS);
    tac_u32 number = 0;
    status = tac_build_operator(&number, build, group->op, error);
    note_panels(build->device, group->op);
    if (!status)
      status = add_pairs(build, job, tile, group, number, error);
    if (!status)
      status = add_group(build, first_pair, group->end - group->begin, number, error);
  }
  struct tac_fmm_cluster *cluster = status ? NULL : tac_build_add(build, TAC_TABLE_CLUSTERS, 1, error);
  if (!cluster)
    return status ? status : TAC_STATUS_MEMORY;
  *cluster = (struct tac_fmm_cluster){first, tile->group_end - tile->group_begin};
  out->clusters++;
  return TAC_STATUS_OK;
}

/* Tiles with pairs, the costliest first. */
static int by_flops(const void *left, const void *right) {
  const struct tac_tile *a = *(const struct tac_tile *const *)left, *b = *(const struct tac_tile *const *)right;
  if (a->flops != b->flops)
    return a->flops > b->flops ? -1 : 1;
  return a < b ? -1 : a > b;
}

static enum tac_status build_clusters(struct tac_device_build *build, struct tac_device_job *job, const struct tac_tile **tiles,
                                      size_t count, struct tac_error *error) {
  struct tac_device_pairs *out = job->pairs;
  enum tac_status status = TAC_STATUS_OK;
  qsort(tiles, count, sizeof(*tiles), by_flops);
  *out = (struct tac_device_pairs){.first_cluster = tac_build_count(build, TAC_TABLE_CLUSTERS)};
  job->pair_chunks = 1;
  for (size_t i = 0; i < count && !status; i++)
    status = add_cluster(build, out, job->job, tiles[i], error);
  return status;
}

/* A group of the tiles of one chunk: groups of one operator come to stand together, in the order in which operators appear. */
struct member {
  const struct tac_tile *tile;
  const struct tac_tile_group *group;
  tac_u32 operator_number, order;
};

static int by_operator(const void *left, const void *right) {
  const struct member *a = left, *b = right;
  if (a->operator_number != b->operator_number)
    return a->operator_number < b->operator_number ? -1 : 1;
  return a->order < b->order ? -1 : a->order > b->order;
}

/* One entry of the lists of targets. */
struct entry {
  tac_u64 target;
  tac_u32 pair;
};

static int by_target(const void *left, const void *right) {
  const struct entry *a = left, *b = right;
  if (a->target != b->target)
    return a->target < b->target ? -1 : 1;
  return a->pair < b->pair ? -1 : a->pair > b->pair;
}

static enum tac_status add_sums(struct tac_device_build *build, struct tac_device_pairs *out, struct tac_error *error) {
  const tac_u32 count = tac_build_count(build, TAC_TABLE_PAIRS) - out->first_pair;
  const struct tac_fmm_pair *pair = tac_build_at(build, TAC_TABLE_PAIRS, out->first_pair);
  struct entry *entry = malloc((count + 1) * sizeof *entry);
  const tac_u32 first = tac_build_count(build, TAC_TABLE_ORDER);
  tac_u32 *order = entry ? tac_build_add(build, TAC_TABLE_ORDER, count, error) : NULL;
  enum tac_status status = order ? TAC_STATUS_OK : TAC_STATUS_MEMORY;
  if (!entry)
    tac_error_set(error, TAC_STATUS_MEMORY, "device plan", "no memory for %u pairs", count);
  for (tac_u32 i = 0; !status && i < count; i++)
    entry[i] = (struct entry){pair[i].target, out->first_pair + i};
  if (!status)
    qsort(entry, count, sizeof *entry, by_target);
  out->first_sum = tac_build_count(build, TAC_TABLE_SUMS);
  struct tac_fmm_sum *sum = NULL;
  for (tac_u32 i = 0; !status && i < count; i++) {
    order[i] = entry[i].pair;
    if (i == 0 || entry[i].target != entry[i - 1].target) {
      sum = tac_build_add(build, TAC_TABLE_SUMS, 1, error);
      if (!sum)
        status = TAC_STATUS_MEMORY;
      else
        *sum = (struct tac_fmm_sum){entry[i].target, first + i, 0};
    }
    if (sum)
      sum->count++;
  }
  out->sums = tac_build_count(build, TAC_TABLE_SUMS) - out->first_sum;
  free(entry);
  return status;
}

/* Cuts the pairs of one operator, which stand together, into groups for one block of columns each. */
static enum tac_status cut_groups(struct tac_device_build *build, tac_u32 first, tac_u32 operator_number,
                                  struct tac_error *error) {
  const tac_u32 end = tac_build_count(build, TAC_TABLE_PAIRS);
  enum tac_status status = TAC_STATUS_OK;
  for (tac_u32 at = first; at < end && !status; at += TAC_FMM_BLOCK)
    status = add_group(build, at, end - at < TAC_FMM_BLOCK ? end - at : TAC_FMM_BLOCK, operator_number, error);
  return status;
}

static enum tac_status add_members(struct tac_device_build *build, struct tac_device_pairs *out, const struct tac_job *job,
                                   struct member *members, size_t count, struct tac_error *error) {
  enum tac_status status = TAC_STATUS_OK;
  for (size_t i = 0; i < count && !status; i++) {
    status = tac_build_operator(&members[i].operator_number, build, members[i].group->op, error);
    members[i].order = (tac_u32)i;
    if ((tac_u32)members[i].group->op->targets > out->rows)
      out->rows = (tac_u32)members[i].group->op->targets;
  }
  if (!status)
    qsort(members, count, sizeof *members, by_operator);
  tac_u32 first = out->first_pair;
  for (size_t i = 0; i < count && !status; i++) {
    const struct member *member = &members[i];
    status = add_pairs(build, job, member->tile, member->group, member->operator_number, error);
    if (!status && (i + 1 == count || member[1].operator_number != member->operator_number)) {
      status = cut_groups(build, first, member->operator_number, error);
      first = tac_build_count(build, TAC_TABLE_PAIRS);
    }
  }
  return status;
}

/* Pairs of some tiles, one chunk. */
static enum tac_status build_chunk(struct tac_device_build *build, struct tac_device_pairs *out, const struct tac_job *job,
                                   const struct tac_tile *const *tiles, size_t count, struct tac_error *error) {
  size_t groups = 0;
  for (size_t i = 0; i < count; i++)
    groups += tiles[i]->group_end - tiles[i]->group_begin;
  struct member *members = malloc((groups + 1) * sizeof *members);
  if (!members)
    return tac_error_set(error, TAC_STATUS_MEMORY, "device plan", "no memory for %zu groups", groups);
  *out = (struct tac_device_pairs){.first_group = tac_build_count(build, TAC_TABLE_GROUPS),
                                   .first_pair = tac_build_count(build, TAC_TABLE_PAIRS)};
  groups = 0;
  for (size_t i = 0; i < count; i++)
    for (uint32_t g = tiles[i]->group_begin; g < tiles[i]->group_end; g++)
      members[groups++] = (struct member){.tile = tiles[i], .group = &job->groups[g]};
  enum tac_status status = add_members(build, out, job, members, groups, error);
  free(members);
  out->groups = tac_build_count(build, TAC_TABLE_GROUPS) - out->first_group;
  const size_t results = (size_t)(tac_build_count(build, TAC_TABLE_PAIRS) - out->first_pair) * out->rows;
  if (results > build->device->outputs_size)
    build->device->outputs_size = results;
  return status ? status : add_sums(build, out, error);
}

/* Doubles that the pairs of a tile leave. */
static size_t results_of(const struct tac_job *job, const struct tac_tile *tile) {
  size_t results = 0;
  for (uint32_t g = tile->group_begin; g < tile->group_end; g++)
    results += (size_t)(job->groups[g].end - job->groups[g].begin) * (size_t)job->groups[g].op->targets;
  return results;
}

static size_t chunk_of(const struct tac_fmm_device *device, const struct tac_job *job, const struct tac_tile *const *tiles,
                       size_t first, size_t count) {
  size_t results = 0, taken = 0;
  while (first + taken < count) {
    results += results_of(job, tiles[first + taken]);
    if (taken && results > device->chunk)
      break;
    taken++;
  }
  return taken;
}

static enum tac_status build_chunks(struct tac_device_build *build, struct tac_device_job *job,
                                    const struct tac_tile *const *tiles, size_t count, struct tac_error *error) {
  enum tac_status status = TAC_STATUS_OK;
  for (size_t first = 0; first < count && !status;) {
    const size_t taken = chunk_of(build->device, job->job, tiles, first, count);
    status = build_chunk(build, &job->pairs[job->pair_chunks++], job->job, tiles + first, taken, error);
    first += taken;
  }
  return status;
}

enum tac_status tac_build_pairs(struct tac_device_build *build, struct tac_device_job *job, struct tac_error *error) {
  const struct tac_job *from = job->job;
  const struct tac_tile **tiles = malloc((from->tile_count + 1) * sizeof *tiles);
  if (!tiles)
    return tac_error_set(error, TAC_STATUS_MEMORY, "device plan", "no memory for %zu tiles", from->tile_count);
  size_t count = 0, chunks = 0;
  for (size_t i = 0; i < from->tile_count; i++)
    if (from->tiles[i].group_end > from->tiles[i].group_begin)
      tiles[count++] = &from->tiles[i];
  const int panels = build->device->form == TAC_FMM_FORM_PANELS;
  for (size_t first = 0; !panels && first < count; first += chunk_of(build->device, from, tiles, first, count))
    chunks++;
  job->pairs = tac_store_take(&build->device->store, panels ? 1 : chunks, sizeof *job->pairs, "pairs of a device", error);
  enum tac_status status = TAC_STATUS_MEMORY;
  if (job->pairs && count)
    status = panels ? build_clusters(build, job, tiles, count, error) : build_chunks(build, job, tiles, count, error);
  else if (job->pairs)
    status = TAC_STATUS_OK;
  free(tiles);
  return status;
}
