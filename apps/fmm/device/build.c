/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/fmm/device/build.h"

#include <stdlib.h>
#include <string.h>

static const size_t entry_bytes[TAC_TABLES] = {
    [TAC_TABLE_PACKED] = sizeof(double),
    [TAC_TABLE_STENCILS] = sizeof(struct tac_fmm_stencil),
    [TAC_TABLE_PIECES] = sizeof(struct tac_fmm_piece),
    [TAC_TABLE_RUNS] = sizeof(struct tac_fmm_run),
    [TAC_TABLE_ROWS] = sizeof(struct tac_fmm_row),
    [TAC_TABLE_STRIPS] = sizeof(struct tac_fmm_strip),
    [TAC_TABLE_TILES] = sizeof(struct tac_fmm_tile),
    [TAC_TABLE_SOURCES] = sizeof(tac_u64),
    [TAC_TABLE_TARGETS] = sizeof(tac_u64),
    [TAC_TABLE_OPERATORS] = sizeof(struct tac_fmm_operator),
    [TAC_TABLE_PAIRS] = sizeof(struct tac_fmm_pair),
    [TAC_TABLE_GROUPS] = sizeof(struct tac_fmm_group),
    [TAC_TABLE_CLUSTERS] = sizeof(struct tac_fmm_cluster),
    [TAC_TABLE_SUMS] = sizeof(struct tac_fmm_sum),
    [TAC_TABLE_ORDER] = sizeof(tac_u32),
    [TAC_TABLE_FAMILIES] = sizeof(struct tac_fmm_family),
    [TAC_TABLE_CLASSES] = sizeof(unsigned char),
    [TAC_TABLE_SPANS] = sizeof(struct tac_fmm_span),
    [TAC_TABLE_NODE_OF] = sizeof(tac_i32),
    [TAC_TABLE_PLACE_OF] = sizeof(tac_i32),
    [TAC_TABLE_SIDES] = sizeof(double),
};

size_t tac_table_entry_bytes(enum tac_device_table table) {
  return entry_bytes[table];
}

void *tac_build_add(struct tac_device_build *build, enum tac_device_table table, size_t count, struct tac_error *error) {
  struct tac_table_growth *growth = &build->table[table];
  const size_t bytes = entry_bytes[table], wanted = growth->count + count;
  if (!growth->data || wanted > growth->room) {
    const size_t room = wanted < 2 * growth->room ? 2 * growth->room : wanted + 64;
    void *grown = wanted < UINT32_MAX || table == TAC_TABLE_PACKED ? realloc(growth->data, room * bytes) : NULL;
    if (!grown) {
      tac_error_set(error, TAC_STATUS_MEMORY, "device plan", "no memory for %zu entries of a table", wanted);
      return NULL;
    }
    growth->data = grown;
    growth->room = room;
  }
  void *place = (char *)growth->data + growth->count * bytes;
  memset(place, 0, count * bytes);
  growth->count = wanted;
  return place;
}

/* Where a key stands, or would. */
static size_t place_of(const struct tac_device_build *build, const void *key) {
  size_t at = ((uintptr_t)key >> 4) * 2654435761U & (build->known_room - 1);
  while (build->known[at].key && build->known[at].key != key)
    at = (at + 1) & (build->known_room - 1);
  return at;
}

int64_t tac_build_find(const struct tac_device_build *build, const void *key) {
  if (!build->known_room)
    return -1;
  const struct tac_known *known = &build->known[place_of(build, key)];
  return known->key ? (int64_t)known->number : -1;
}

/* Twice the room, at most half of it taken. */
static int enlarge(struct tac_device_build *build) {
  struct tac_device_build larger = *build;
  larger.known_room = build->known_room ? 2 * build->known_room : 256;
  larger.known = calloc(larger.known_room, sizeof *larger.known);
  if (!larger.known)
    return 0;
  for (size_t i = 0; i < build->known_room; i++)
    if (build->known[i].key)
      larger.known[place_of(&larger, build->known[i].key)] = build->known[i];
  free(build->known);
  build->known = larger.known;
  build->known_room = larger.known_room;
  return 1;
}

enum tac_status tac_build_remember(struct tac_device_build *build, const void *key, tac_u32 number, struct tac_error *error) {
  if (2 * build->known_count >= build->known_room && !enlarge(build))
    return tac_error_set(error, TAC_STATUS_MEMORY, "device plan", "no memory for the numbers of operators");
  build->known[place_of(build, key)] = (struct tac_known){key, number};
  build->known_count++;
  return TAC_STATUS_OK;
}

void tac_build_release(struct tac_device_build *build) {
  for (int i = 0; i < TAC_TABLES; i++)
    free(build->table[i].data);
  free(build->known);
  free(build->matrix);
}
