/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/fmm/store.h"

#include <stdlib.h>
#include <string.h>

void tac_store_init(struct tac_store *store, const struct tac_allocator *allocator) {
  *store = (struct tac_store){.allocator = allocator ? *allocator : *tac_allocator_system()};
}

static int grow(struct tac_store *store) {
  const size_t room = store->room ? 2 * store->room : 32;
  void **blocks = realloc(store->blocks, room * sizeof *blocks);
  if (!blocks)
    return 0;
  store->blocks = blocks;
  store->room = room;
  return 1;
}

void *tac_store_take(struct tac_store *store, size_t count, size_t size, const char *what, struct tac_error *error) {
  const size_t bytes = count ? count * size : 1;
  void *block = NULL;
  if (count <= SIZE_MAX / 2 / size && (store->count < store->room || grow(store)))
    block = store->allocator.allocate(store->allocator.context, bytes);
  if (!block) {
    tac_error_set(error, TAC_STATUS_MEMORY, "plan", "no memory for %s (%zu times %zu bytes)", what, count, size);
    return NULL;
  }
  memset(block, 0, bytes);
  store->blocks[store->count++] = block;
  store->bytes += bytes;
  store->allocations++;
  return block;
}

void tac_store_release(struct tac_store *store) {
  while (store->count)
    store->allocator.release(store->allocator.context, store->blocks[--store->count]);
  free(store->blocks);
  store->blocks = NULL;
  store->room = 0;
  store->bytes = 0;
}
