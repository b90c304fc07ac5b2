/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef TACTUS_RUNTIME_MEMORY_H
#define TACTUS_RUNTIME_MEMORY_H

#include <stddef.h>

#include <tactus/runtime/export.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TAC_ALIGNMENT 64 /* bytes; one cache line, one AVX-512 vector */

/* Where the library takes memory from. allocate returns `bytes` bytes aligned to TAC_ALIGNMENT or NULL; release bears NULL.
 * Both may be called from any lane. */
struct tac_allocator {
  void *(*allocate)(void *context, size_t bytes);
  void (*release)(void *context, void *memory);
  void *context;
};

/* The default: aligned_alloc and free. Static, never freed. */
TAC_API const struct tac_allocator *tac_allocator_system(void);

/* Scratch of one lane. An item takes memory from it and need not free it: the batch loop takes everything back when the
 * item returns. Not shared between lanes. */
struct tac_arena;

/* `bytes` bytes aligned to TAC_ALIGNMENT, uninitialised, valid until the item returns; NULL when memory ran out.
 * bytes 0 gives a valid pointer. Steady use allocates nothing: blocks are kept for the next item. */
TAC_API void *tac_arena_take(struct tac_arena *arena, size_t bytes);

#ifdef __cplusplus
}
#endif
#endif
