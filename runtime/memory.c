/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <tactus/runtime/memory.h>

#include <stdint.h>
#include <stdlib.h>

#include "runtime/arena.h"

#define FIRST_BLOCK ((size_t)64 * 1024)

struct tac_arena_block {
  struct tac_arena_block *below; /* the block used before this one; in the spare list, the next spare */
  size_t base;                   /* the arena's position at this block's first byte */
  size_t capacity;
  _Alignas(TAC_ALIGNMENT) unsigned char memory[];
};

/* Whole lines, at least one; 0 for more than any object can be. */
static size_t round_up(size_t bytes) {
  if (bytes > PTRDIFF_MAX - TAC_ALIGNMENT)
    return 0;
  return bytes ? (bytes + TAC_ALIGNMENT - 1) / TAC_ALIGNMENT * TAC_ALIGNMENT : TAC_ALIGNMENT;
}

static void *system_allocate(void *context, size_t bytes) {
  (void)context;
  size_t size = round_up(bytes);
  return size ? aligned_alloc(TAC_ALIGNMENT, size) : NULL;
}

static void system_release(void *context, void *memory) {
  (void)context;
  free(memory);
}

const struct tac_allocator *tac_allocator_system(void) {
  static const struct tac_allocator system = {system_allocate, system_release, NULL};
  return &system;
}

enum tac_status tac_arena_create(struct tac_arena **out, const struct tac_allocator *allocator, struct tac_error *error) {
  if (!allocator)
    allocator = tac_allocator_system();
  struct tac_arena *arena = allocator->allocate(allocator->context, sizeof *arena);
  if (!arena)
    return tac_error_set(error, TAC_STATUS_MEMORY, __func__, "no memory for a scratch arena");
  *arena = (struct tac_arena){.allocator = allocator};
  *out = arena;
  return TAC_STATUS_OK;
}

static void release_list(struct tac_arena *arena, struct tac_arena_block *block) {
  while (block) {
    struct tac_arena_block *below = block->below;
    arena->capacity -= block->capacity;
    arena->allocator->release(arena->allocator->context, block);
    block = below;
  }
}

void tac_arena_destroy(struct tac_arena **arena) {
  if (!arena || !*arena)
    return;
  const struct tac_allocator *allocator = (*arena)->allocator;
  release_list(*arena, (*arena)->block);
  release_list(*arena, (*arena)->spare);
  allocator->release(allocator->context, *arena);
  *arena = NULL;
}

static struct tac_arena_block *allocate_block(struct tac_arena *arena, size_t capacity) {
  struct tac_arena_block *block =
      arena->allocator->allocate(arena->allocator->context, sizeof(struct tac_arena_block) + capacity);
  if (!block)
    return NULL;
  block->capacity = capacity;
  arena->capacity += capacity;
  return block;
}

/* The first spare that holds `size` bytes, out of its list; NULL when none does. */
static struct tac_arena_block *find_spare(struct tac_arena *arena, size_t size) {
  for (struct tac_arena_block **link = &arena->spare; *link; link = &(*link)->below)
    if ((*link)->capacity >= size) {
      struct tac_arena_block *found = *link;
      *link = found->below;
      return found;
    }
  return NULL;
}

/* Blocks at least double what there is, so that few exist before the first merge; when that much is refused, just `size`. */
static struct tac_arena_block *grow(struct tac_arena *arena, size_t size) {
  size_t wanted = arena->capacity > FIRST_BLOCK ? arena->capacity : FIRST_BLOCK;
  struct tac_arena_block *block = wanted > size ? allocate_block(arena, wanted) : NULL;
  return block ? block : allocate_block(arena, size);
}

/* With more than one block a release to 0 has something to merge, so the first block's floor is just above 0. */
static void set_current(struct tac_arena *arena, struct tac_arena_block *block) {
  arena->block = block;
  arena->limit = block->base + block->capacity;
  arena->floor = block->base == 0 && arena->capacity > block->capacity ? 1 : block->base;
}

void *tac_arena_take(struct tac_arena *arena, size_t bytes) {
  size_t size = round_up(bytes);
  if (!size)
    return NULL;
  if (size > arena->limit - arena->position) {
    struct tac_arena_block *block = find_spare(arena, size);
    if (!block && !(block = grow(arena, size)))
      return NULL;
    block->below = arena->block;
    block->base = arena->limit;
    set_current(arena, block);
    arena->position = block->base;
  }
  void *memory = arena->block->memory + (arena->position - arena->block->base);
  arena->position += size;
  return memory;
}

/* Everything is free: one block of the whole capacity takes the place of all. They go first, so the peak stays; should
 * the one be refused, the arena is empty and grows again. */
static void merge(struct tac_arena *arena) {
  size_t capacity = arena->capacity;
  release_list(arena, arena->block);
  release_list(arena, arena->spare);
  *arena = (struct tac_arena){.allocator = arena->allocator};
  struct tac_arena_block *block = allocate_block(arena, capacity);
  if (!block)
    return;
  block->below = NULL;
  block->base = 0;
  set_current(arena, block);
}

void tac_arena_unwind(struct tac_arena *arena, size_t mark) {
  if (mark == 0) {
    merge(arena);
    return;
  }
  struct tac_arena_block *block = arena->block;
  while (block->base > mark) {
    struct tac_arena_block *below = block->below;
    block->below = arena->spare;
    arena->spare = block;
    block = below;
  }
  set_current(arena, block);
  arena->position = mark;
}
