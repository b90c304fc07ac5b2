/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/dmrg/memory.h"

/* Room beyond a quarter more than was asked: the ranks of a bond shift between charges for many sweeps after its dimension has
 * stopped growing, and a small bond shifts by more than a quarter. */
enum { ROOM_BYTES = 512 };

void tac_pool_init(struct tac_pool *pool, const struct tac_allocator *allocator) {
  pool->allocator = allocator ? *allocator : *tac_allocator_system();
  pool->bytes = 0;
  pool->allocations = 0;
}

enum tac_status tac_buffer_reserve(struct tac_buffer *buffer, struct tac_pool *pool, size_t bytes, struct tac_error *error) {
  if (buffer->data && bytes <= buffer->capacity)
    return TAC_STATUS_OK;
  size_t wanted = bytes + bytes / 4 + ROOM_BYTES;
  void *data = wanted < bytes ? NULL : pool->allocator.allocate(pool->allocator.context, wanted);
  if (!data)
    return tac_error_set(error, TAC_STATUS_MEMORY, __func__, "no memory for %zu bytes", bytes);
  tac_buffer_release(buffer, pool);
  buffer->data = data;
  buffer->capacity = wanted;
  pool->bytes += wanted;
  pool->allocations++;
  return TAC_STATUS_OK;
}

void tac_buffer_release(struct tac_buffer *buffer, struct tac_pool *pool) {
  if (buffer->data) {
    pool->allocator.release(pool->allocator.context, buffer->data);
    pool->bytes -= buffer->capacity;
  }
  buffer->data = NULL;
  buffer->capacity = 0;
}
