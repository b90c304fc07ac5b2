/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef RUNTIME_ARENA_H
#define RUNTIME_ARENA_H

#include <tactus/runtime/error.h>
#include <tactus/runtime/memory.h>

enum tac_status tac_arena_create(struct tac_arena **out, const struct tac_allocator *allocator, struct tac_error *error);
void tac_arena_destroy(struct tac_arena **arena);

/* What is taken now; release gives back everything taken since the mark. An item's loop releases to the mark it found. */
size_t tac_arena_mark(const struct tac_arena *arena);
void tac_arena_release(struct tac_arena *arena, size_t mark);

#endif
