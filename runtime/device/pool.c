/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
/* Device memory by size classes: a block that is given back waits for the next request of its class. */
#include <stdint.h>
#include <string.h>

#include "runtime/device/device.h"

enum { SMALLEST_SHIFT = 8 }; /* the smallest class has 256 bytes */

/* Number of the smallest class that holds `bytes`, and its size: 2^k (1 + j/4). At most a fifth of a block is unused. */
static int class_of(size_t bytes, size_t *size) {
  if (bytes <= (size_t)1 << SMALLEST_SHIFT) {
    *size = (size_t)1 << SMALLEST_SHIFT;
    return 0;
  }
  int shift = SMALLEST_SHIFT;
  while (bytes > (size_t)2 << shift)
    shift++;
  const size_t base = (size_t)1 << shift, quarter = base / 4;
  const size_t steps = (bytes - base + quarter - 1) / quarter; /* 1 … 4 */
  *size = base + steps * quarter;
  return 4 * (shift - SMALLEST_SHIFT) + (int)steps;
}

static void count_peak(struct tac_device_memory_stats *stats) {
  const uint64_t held = stats->used_bytes + stats->spare_bytes;
  if (held > stats->peak_bytes)
    stats->peak_bytes = held;
}

static struct tac_device_memory *reuse(struct tac_pool_of_device *pool, int number) {
  struct tac_device_memory *memory = pool->spare[number];
  if (memory) {
    pool->spare[number] = memory->next;
    memory->next = NULL;
    pool->stats.reuses++;
    pool->stats.spare_bytes -= memory->capacity;
    pool->stats.used_bytes += memory->capacity;
  }
  return memory;
}

static void release_spare(struct tac_device *device) {
  for (int i = 0; i < TAC_POOL_CLASSES; i++)
    while (device->pool.spare[i]) {
      struct tac_device_memory *memory = device->pool.spare[i];
      device->pool.spare[i] = memory->next;
      device->pool.stats.spare_bytes -= memory->capacity;
      device->backend->release(device->context, memory->handle);
      tac_device_free(device, memory);
    }
}

void tac_device_memory_trim(struct tac_device *device) {
  pthread_mutex_lock(&device->pool.lock);
  release_spare(device);
  pthread_mutex_unlock(&device->pool.lock);
}

static int fits(const struct tac_device *device, size_t bytes) {
  const struct tac_device_memory_stats *stats = &device->pool.stats;
  const uint64_t held = stats->used_bytes + stats->spare_bytes;
  return bytes <= device->info.memory_bytes && held <= device->info.memory_bytes - bytes;
}

/* Asks the driver; once more after the spare blocks went back. */
static enum tac_status ask_driver(void **handle, struct tac_device *device, size_t bytes, struct tac_error *error) {
  enum tac_status status = TAC_STATUS_MEMORY;
  struct tac_error refusal = {0}; /* of the first time: the second may succeed */
  if (bytes > device->info.block_bytes)
    return tac_error_set(error, TAC_STATUS_MEMORY, device->backend->name,
                         "%s allocates at most %llu bytes at a time, and %zu were wanted", device->info.name,
                         (unsigned long long)device->info.block_bytes, bytes);
  if (fits(device, bytes))
    status = device->backend->allocate(device->context, bytes, handle, &refusal);
  if (status != TAC_STATUS_MEMORY) {
    if (status && error)
      *error = refusal;
    return status;
  }
  release_spare(device);
  if (fits(device, bytes))
    status = device->backend->allocate(device->context, bytes, handle, error);
  if (status == TAC_STATUS_MEMORY)
    status = tac_error_set(error, TAC_STATUS_MEMORY, device->backend->name,
                           "no memory on %s for %zu bytes: %llu of %llu are in use here", device->info.name, bytes,
                           (unsigned long long)device->pool.stats.used_bytes, (unsigned long long)device->info.memory_bytes);
  return status;
}

static enum tac_status allocate(struct tac_device_memory **out, struct tac_device *device, size_t bytes,
                                struct tac_error *error) {
  struct tac_device_memory *memory = tac_device_allocate(device, sizeof *memory);
  if (!memory)
    return tac_error_set(error, TAC_STATUS_MEMORY, device->backend->name, "no memory for a block's description");
  memset(memory, 0, sizeof *memory);
  memory->device = device;
  memory->capacity = bytes;
  const enum tac_status status = ask_driver(&memory->handle, device, bytes, error);
  if (status) {
    tac_device_free(device, memory);
    return status;
  }
  device->pool.stats.allocations++;
  device->pool.stats.used_bytes += bytes;
  count_peak(&device->pool.stats);
  *out = memory;
  return TAC_STATUS_OK;
}

enum tac_status tac_device_memory_take(struct tac_device_memory **out, struct tac_device *device, size_t bytes,
                                       struct tac_error *error) {
  *out = NULL;
  if (bytes > PTRDIFF_MAX / 2)
    return tac_error_set(error, TAC_STATUS_MEMORY, device->backend->name, "no memory for %zu bytes", bytes);
  size_t size = 0;
  const int number = class_of(bytes, &size);
  enum tac_status status = TAC_STATUS_OK;
  pthread_mutex_lock(&device->pool.lock);
  *out = reuse(&device->pool, number);
  if (!*out) { /* where the class is more than fits in one block, what was asked for may still fit */
    status = allocate(out, device, size > device->info.block_bytes && bytes > 0 ? bytes : size, error);
  }
  pthread_mutex_unlock(&device->pool.lock);
  return status;
}

void tac_device_memory_give(struct tac_device_memory **memory) {
  if (!memory || !*memory)
    return;
  struct tac_device_memory *gone = *memory;
  struct tac_device *device = gone->device;
  *memory = NULL;
  tac_sent_settle(&gone->staging_sent, "give", NULL);
  tac_device_free(device, gone->staging);
  gone->staging = gone->mapped = NULL;
  gone->staging_bytes = 0;
  size_t size = 0;
  const int number = class_of(gone->capacity, &size);
  pthread_mutex_lock(&device->pool.lock);
  device->pool.stats.used_bytes -= gone->capacity;
  if (size == gone->capacity) {
    device->pool.stats.spare_bytes += gone->capacity;
    gone->next = device->pool.spare[number];
    device->pool.spare[number] = gone;
  } else { /* between two classes: no request would find it */
    device->backend->release(device->context, gone->handle);
    tac_device_free(device, gone);
  }
  pthread_mutex_unlock(&device->pool.lock);
}

size_t tac_device_memory_bytes(const struct tac_device_memory *memory) {
  return memory->capacity;
}

void *tac_memory_handle(const struct tac_device_memory *memory) {
  return memory->handle;
}

struct tac_device_memory_stats tac_device_memory_stats(const struct tac_device *device) {
  struct tac_device *unlocked = (struct tac_device *)device; /* only its lock is touched */
  pthread_mutex_lock(&unlocked->pool.lock);
  struct tac_device_memory_stats stats = device->pool.stats;
  pthread_mutex_unlock(&unlocked->pool.lock);
  if (device->backend->own_allocations)
    stats.allocations += device->backend->own_allocations(device->context);
  return stats;
}
