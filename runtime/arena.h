/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef RUNTIME_ARENA_H
#define RUNTIME_ARENA_H

#include <stddef.h>

#include <tactus/runtime/error.h>
#include <tactus/runtime/memory.h>

struct tac_arena_block;

/* A stack of blocks addressed by one running position, always a multiple of TAC_ALIGNMENT. Open here only so that mark and
 * release, which run once an item, are a load and a compare. */
struct tac_arena {
  size_t position;               /* where the next take starts */
  size_t limit;                  /* the current block ends here */
  size_t floor;                  /* a release to this mark or above stays in the current block and has nothing to merge */
  struct tac_arena_block *block; /* the current one; NULL before the first take */
  struct tac_arena_block *spare; /* left behind by releases, in the order they will be wanted again */
  size_t capacity;               /* of all blocks */
  const struct tac_allocator *allocator;
};

/* A NULL allocator is the system's; it must outlive the arena. */
enum tac_status tac_arena_create(struct tac_arena **out, const struct tac_allocator *allocator, struct tac_error *error);
void tac_arena_destroy(struct tac_arena **arena);

/* The part of a release that leaves the current block. */
void tac_arena_unwind(struct tac_arena *arena, size_t mark);

/* What is taken now; release gives back everything taken since the mark. An item's loop releases to the mark it found. */
static inline size_t tac_arena_mark(const struct tac_arena *arena) {
  return arena->position;
}

static inline void tac_arena_release(struct tac_arena *arena, size_t mark) {
  if (mark >= arena->floor)
    arena->position = mark;
  else
    tac_arena_unwind(arena, mark);
}

#endif
