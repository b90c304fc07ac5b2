/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/fmm/tiling.h"

#include <stdlib.h>
#include <string.h>

struct tac_tiling_entry {
  const struct tac_plain_operator *op;
  size_t order; /* in which it was given: sorting keeps it */
  struct tac_tile_pair pair;
  enum tac_space source_space;
};

void tac_tiling_open(struct tac_tiling *tiling, struct tac_job *job) {
  *tiling = (struct tac_tiling){.job = job};
}

static enum tac_status no_room(struct tac_error *error) {
  return tac_error_set(error, TAC_STATUS_MEMORY, "tiles", "no memory for the lists");
}

/* Room for one more element; NULL when there is none. */
static void *more(void *array, size_t used, size_t *room, size_t size) {
  if (used < *room)
    return array;
  const size_t wanted = *room ? 2 * *room : 64;
  void *grown = realloc(array, wanted * size);
  if (grown)
    *room = wanted;
  return grown;
}

enum tac_status tac_tiling_target(struct tac_tiling *tiling, int32_t box, struct tac_error *error) {
  int32_t *targets = more(tiling->job->targets, tiling->targets, &tiling->target_room, sizeof *targets);
  if (!targets)
    return no_room(error);
  tiling->job->targets = targets;
  targets[tiling->targets++] = box;
  return TAC_STATUS_OK;
}

enum tac_status tac_tiling_pair(struct tac_tiling *tiling, const struct tac_plain_operator *op, enum tac_space source_space,
                                int slot, int32_t source, unsigned mask, struct tac_error *error) {
  struct tac_tiling_entry *entry = more(tiling->entry, tiling->entries, &tiling->entry_room, sizeof *entry);
  if (!entry)
    return no_room(error);
  tiling->entry = entry;
  entry[tiling->entries] = (struct tac_tiling_entry){.op = op,
                                                     .order = tiling->entries,
                                                     .pair = {.source = source, .slot = (uint16_t)slot, .mask = (uint8_t)mask},
                                                     .source_space = source_space};
  tiling->entries++;
  return TAC_STATUS_OK;
}

/* By the first appearance of the operator, so that the order of sums does not depend on addresses. */
static int by_group(const void *a, const void *b) {
  const struct tac_tiling_entry *x = a, *y = b;
  return x->order < y->order ? -1 : x->order > y->order;
}

/* Gives every entry the place of its operator's first appearance as the upper key. */
static void rank_entries(struct tac_tiling *tiling) {
  const struct tac_plain_operator *seen[256];
  size_t count = 0;
  const size_t stride = tiling->entries;
  for (size_t i = 0; i < tiling->entries; i++) {
    size_t at = 0;
    while (at < count && seen[at] != tiling->entry[i].op)
      at++;
    if (at == count && count < sizeof seen / sizeof *seen)
      seen[count++] = tiling->entry[i].op;
    tiling->entry[i].order += at * stride;
  }
}

static enum tac_status add_pair(struct tac_tiling *tiling, const struct tac_tiling_entry *entry, int new_group,
                                struct tac_error *error) {
  struct tac_job *job = tiling->job;
  if (new_group) {
    struct tac_tile_group *groups = more(job->groups, tiling->groups, &tiling->group_room, sizeof *groups);
    if (!groups)
      return no_room(error);
    job->groups = groups;
    groups[tiling->groups++] =
        (struct tac_tile_group){.op = entry->op, .source_space = entry->source_space, .begin = (uint32_t)tiling->pairs};
  }
  struct tac_tile_pair *pairs = more(job->pairs, tiling->pairs, &tiling->pair_room, sizeof *pairs);
  if (!pairs)
    return no_room(error);
  job->pairs = pairs;
  pairs[tiling->pairs++] = entry->pair;
  job->groups[tiling->groups - 1].end = (uint32_t)tiling->pairs;
  return TAC_STATUS_OK;
}

enum tac_status tac_tiling_end_tile(struct tac_tiling *tiling, size_t first, int level, struct tac_stencil *const *stencil,
                                    struct tac_error *error) {
  struct tac_job *job = tiling->job;
  struct tac_tile *tiles = more(job->tiles, tiling->tiles, &tiling->tile_room, sizeof *tiles);
  if (!tiles)
    return no_room(error);
  job->tiles = tiles;
  struct tac_tile *tile = &tiles[tiling->tiles++];
  *tile = (struct tac_tile){.first = (int32_t)first,
                            .count = (int32_t)(tiling->targets - first),
                            .level = level,
                            .stencil = stencil,
                            .group_begin = (uint32_t)tiling->groups,
                            .cleared = !stencil && (tiling->entries > 0 || !job->join)};
  rank_entries(tiling);
  if (tiling->entries > 1)
    qsort(tiling->entry, tiling->entries, sizeof *tiling->entry, by_group);
  enum tac_status status = TAC_STATUS_OK;
  for (size_t i = 0; i < tiling->entries && !status; i++)
    status = add_pair(tiling, &tiling->entry[i], i == 0 || tiling->entry[i].op != tiling->entry[i - 1].op, error);
  tiling->entries = 0;
  job->tiles[tiling->tiles - 1].group_end = (uint32_t)tiling->groups;
  return status;
}

/* Copies an array of the tiling into the plan's memory. */
static enum tac_status settle(struct tac_fmm_plan *plan, void **array, size_t count, size_t size, struct tac_error *error) {
  void *settled = tac_store_take(&plan->store, count, size, "tiles", error);
  if (settled && count)
    memcpy(settled, *array, count * size);
  free(*array);
  *array = settled;
  return settled ? TAC_STATUS_OK : TAC_STATUS_MEMORY;
}

enum tac_status tac_tiling_close(struct tac_tiling *tiling, enum tac_status status, struct tac_error *error) {
  struct tac_job *job = tiling->job;
  void *arrays[4] = {job->targets, job->tiles, job->groups, job->pairs};
  const size_t counts[4] = {tiling->targets, tiling->tiles, tiling->groups, tiling->pairs};
  const size_t sizes[4] = {sizeof *job->targets, sizeof *job->tiles, sizeof *job->groups, sizeof *job->pairs};
  for (int i = 0; i < 4; i++) {
    if (!status)
      status = settle(job->plan, &arrays[i], counts[i], sizes[i], error);
    else {
      free(arrays[i]);
      arrays[i] = NULL;
    }
  }
  free(tiling->entry);
  job->targets = arrays[0];
  job->tiles = arrays[1];
  job->groups = arrays[2];
  job->pairs = arrays[3];
  job->tile_count = tiling->tiles;
  return status;
}
