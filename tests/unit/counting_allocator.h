/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef TESTS_UNIT_COUNTING_ALLOCATOR_H
#define TESTS_UNIT_COUNTING_ALLOCATOR_H

#include <tactus/runtime/memory.h>

/* The system's allocator behind counters: refuses requests above `largest` bytes and every one after `left` more. */
struct counting {
  size_t allocated, released; /* calls that gave memory, and that took it back */
  size_t bytes;               /* asked for by the calls that gave memory */
  size_t largest, left;
};

static inline void *counting_allocate(void *context, size_t bytes) {
  struct counting *counting = context;
  if (bytes > counting->largest || counting->left == 0)
    return NULL;
  void *memory = tac_allocator_system()->allocate(NULL, bytes);
  if (memory) {
    counting->left--;
    counting->allocated++;
    counting->bytes += bytes;
  }
  return memory;
}

static inline void counting_release(void *context, void *memory) {
  struct counting *counting = context;
  counting->released += memory != NULL;
  tac_allocator_system()->release(NULL, memory);
}

#define COUNTING_INIT                                                                                                          \
  { .largest = (size_t)-1, .left = (size_t)-1 }
#define COUNTING_ALLOCATOR(counting)                                                                                           \
  { counting_allocate, counting_release, counting }

#endif
