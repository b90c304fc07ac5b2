/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/dmrg/memory.h"

#include <string.h>

/* Room beyond a quarter more than was asked: the ranks of a bond shift between charges for many sweeps after its dimension has
 * stopped growing, and a small bond shifts by more than a quarter. */
enum { ROOM_BYTES = 512 };

void tac_pool_init(struct tac_pool *pool, const struct tac_allocator *allocator) {
  *pool = (struct tac_pool){.allocator = allocator ? *allocator : *tac_allocator_system()};
}

static void *take(struct tac_pool *pool, size_t bytes) {
  void *data = pool->allocator.allocate(pool->allocator.context, bytes);
  if (data) {
    pool->bytes += bytes;
    pool->allocations++;
  }
  return data;
}

static void give(struct tac_pool *pool, void *data, size_t bytes) {
  if (data) {
    pool->allocator.release(pool->allocator.context, data);
    pool->bytes -= bytes;
  }
}

static size_t with_room(size_t bytes) {
  return bytes + bytes / 4 + ROOM_BYTES;
}

enum tac_status tac_buffer_reserve(struct tac_buffer *buffer, struct tac_pool *pool, size_t bytes, struct tac_error *error) {
  if (buffer->data && bytes <= buffer->capacity)
    return TAC_STATUS_OK;
  const size_t wanted = with_room(bytes);
  void *data = wanted < bytes ? NULL : take(pool, wanted);
  if (!data)
    return tac_error_set(error, TAC_STATUS_MEMORY, __func__, "no memory for %zu bytes", bytes);
  tac_buffer_release(buffer, pool);
  buffer->data = data;
  buffer->capacity = wanted;
  return TAC_STATUS_OK;
}

/* What was submitted may still use the memory. */
static void leave_device(struct tac_buffer *buffer, struct tac_pool *pool) {
  if (buffer->data)
    tac_queue_unmap(pool->queue, buffer->memory, NULL);
  tac_queue_finish(pool->queue, "memory", NULL);
  tac_device_memory_give(&buffer->memory);
  pool->bytes -= buffer->capacity;
  buffer->data = NULL;
}

void tac_buffer_release(struct tac_buffer *buffer, struct tac_pool *pool) {
  if (buffer->memory)
    leave_device(buffer, pool);
  give(pool, buffer->data, buffer->capacity);
  give(pool, buffer->home, buffer->capacity);
  *buffer = (struct tac_buffer){0};
}

enum tac_status tac_buffer_reserve_numbers(struct tac_buffer *buffer, struct tac_pool *pool, size_t bytes,
                                           struct tac_error *error) {
  if (!pool->queue)
    return tac_buffer_reserve(buffer, pool, bytes, error);
  if (buffer->memory && bytes <= buffer->capacity)
    return TAC_STATUS_OK;
  const size_t wanted = with_room(bytes);
  struct tac_device_memory *memory = NULL;
  enum tac_status status = tac_device_memory_take(&memory, tac_queue_device(pool->queue), wanted, error);
  if (status)
    return status;
  tac_buffer_release(buffer, pool);
  buffer->memory = memory;
  buffer->capacity = wanted;
  pool->bytes += wanted;
  pool->allocations++;
  return TAC_STATUS_OK;
}

enum tac_status tac_buffer_clear(struct tac_buffer *buffer, struct tac_pool *pool, size_t bytes, struct tac_error *error) {
  if (buffer->memory)
    return tac_queue_clear(pool->queue, buffer->memory, 0, bytes, error);
  memset(buffer->data, 0, bytes);
  return TAC_STATUS_OK;
}

size_t tac_buffer_bytes(const struct tac_buffer *buffer) {
  return buffer->home ? 2 * buffer->capacity : buffer->capacity;
}

enum tac_status tac_buffer_reserve_home(struct tac_buffer *buffer, struct tac_pool *pool, struct tac_error *error) {
  if (!buffer->memory || buffer->home)
    return TAC_STATUS_OK;
  buffer->home = take(pool, buffer->capacity);
  if (buffer->home)
    return TAC_STATUS_OK;
  return tac_error_set(error, TAC_STATUS_MEMORY, __func__, "no memory for %zu bytes", buffer->capacity);
}

enum tac_status tac_buffer_map(struct tac_buffer *buffer, struct tac_queue *queue, size_t bytes, enum tac_map_mode mode,
                               struct tac_error *error) {
  if (!buffer->memory || buffer->data || !bytes)
    return TAC_STATUS_OK;
  return tac_queue_map(queue, buffer->memory, 0, bytes, mode, &buffer->data, error);
}

enum tac_status tac_buffer_map_begin(struct tac_buffer *buffer, struct tac_queue *queue, size_t bytes, enum tac_map_mode mode,
                                     struct tac_error *error) {
  if (!buffer->memory || buffer->data || !bytes)
    return TAC_STATUS_OK;
  return tac_queue_map_begin(queue, buffer->memory, 0, bytes, mode, &buffer->data, error);
}

enum tac_status tac_buffer_unmap(struct tac_buffer *buffer, struct tac_queue *queue, struct tac_error *error) {
  if (!buffer->memory || !buffer->data)
    return TAC_STATUS_OK;
  buffer->data = NULL;
  return tac_queue_unmap(queue, buffer->memory, error);
}

enum tac_status tac_buffer_to_device(struct tac_buffer *buffer, struct tac_pool *pool, size_t bytes, struct tac_error *error) {
  struct tac_buffer there = {.capacity = buffer->capacity, .home = buffer->data};
  enum tac_status status = tac_device_memory_take(&there.memory, tac_queue_device(pool->queue), there.capacity, error);
  if (!status)
    status = tac_queue_write(pool->queue, there.memory, 0, buffer->data, bytes, error);
  if (status) {
    tac_device_memory_give(&there.memory);
    return status;
  }
  *buffer = there;
  pool->bytes += there.capacity;
  pool->allocations++;
  return TAC_STATUS_OK;
}

enum tac_status tac_buffer_to_host(struct tac_buffer *buffer, struct tac_pool *pool, size_t bytes, struct tac_error *error) {
  if (!buffer->memory)
    return TAC_STATUS_OK;
  enum tac_status status = tac_buffer_unmap(buffer, pool->queue, error);
  if (!status)
    status = tac_queue_read(pool->queue, buffer->memory, 0, buffer->home, bytes, error);
  leave_device(buffer, pool);
  buffer->data = buffer->home;
  buffer->home = NULL;
  return status;
}
