/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef APPS_FMM_STORE_H
#define APPS_FMM_STORE_H

#include <stdint.h>

#include <tactus/runtime/error.h>
#include <tactus/runtime/memory.h>

/* All memory of one object: blocks are taken while it is built and released together. */
struct tac_store {
  struct tac_allocator allocator;
  void **blocks;
  size_t count, room;
  size_t bytes;
  uint64_t allocations;
};

void tac_store_init(struct tac_store *store, const struct tac_allocator *allocator);

/* Zeroed memory for count elements of `size` bytes; NULL with the error filled when there is none. count 0 gives a block. */
void *tac_store_take(struct tac_store *store, size_t count, size_t size, const char *what, struct tac_error *error);
void tac_store_release(struct tac_store *store);

#endif
