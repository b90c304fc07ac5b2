/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef APPS_FMM_TILING_H
#define APPS_FMM_TILING_H

#include "apps/fmm/plan.h"

/* Builds the tiles of one job: open it, give targets level by level, close it. Lists of pairs are sorted so that all pairs of a
 * tile that share an operator stand together. */
struct tac_tiling {
  struct tac_job *job;
  size_t targets, tiles, groups, pairs; /* so far */
  size_t target_room, tile_room, group_room, pair_room;
  struct tac_tiling_entry *entry; /* pairs of the open tile */
  size_t entries, entry_room;
};

void tac_tiling_open(struct tac_tiling *tiling, struct tac_job *job);
enum tac_status tac_tiling_target(struct tac_tiling *tiling, int32_t box, struct tac_error *error);
/* A pair of the open tile. */
enum tac_status tac_tiling_pair(struct tac_tiling *tiling, const struct tac_plain_operator *op, enum tac_space source_space,
                                int slot, int32_t source, unsigned mask, struct tac_error *error);
/* Ends the tile that began at target `first`. */
enum tac_status tac_tiling_end_tile(struct tac_tiling *tiling, size_t first, int level, struct tac_stencil *const *stencil,
                                    struct tac_error *error);
/* Moves everything into the plan's memory; releases the tiling in any case. `status` is passed through. */
enum tac_status tac_tiling_close(struct tac_tiling *tiling, enum tac_status status, struct tac_error *error);

#endif
