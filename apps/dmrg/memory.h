/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef APPS_DMRG_MEMORY_H
#define APPS_DMRG_MEMORY_H

#include <stdint.h>

#include <tactus/runtime/device.h>
#include <tactus/runtime/error.h>
#include <tactus/runtime/memory.h>

/* Where one object's memory comes from, and what it took: steady state takes nothing. */
struct tac_pool {
  struct tac_allocator allocator;
  struct tac_queue *queue; /* not NULL: numbers live on its device */
  size_t bytes;            /* held now, on host and device */
  uint64_t allocations;    /* ever made */
};

/* Memory that grows and never shrinks. Zero-initialise it. */
struct tac_buffer {
  void *data;                       /* where the host reaches it: NULL while it is on a device and not mapped */
  size_t capacity;                  /* bytes */
  struct tac_device_memory *memory; /* not NULL: it lives on a device */
  void *home;                       /* the host's memory, as large, to which it comes back from there; or NULL */
};

void tac_pool_init(struct tac_pool *pool, const struct tac_allocator *allocator);

/* Makes room for `bytes` bytes; the contents are lost when it grows. A little more is taken than asked, so that the sizes of
 * neighbouring bonds do not each cost an allocation. */
enum tac_status tac_buffer_reserve(struct tac_buffer *buffer, struct tac_pool *pool, size_t bytes, struct tac_error *error);
void tac_buffer_release(struct tac_buffer *buffer, struct tac_pool *pool);

/* The same for numbers, which live where the pool says. */
enum tac_status tac_buffer_reserve_numbers(struct tac_buffer *buffer, struct tac_pool *pool, size_t bytes,
                                           struct tac_error *error);
enum tac_status tac_buffer_clear(struct tac_buffer *buffer, struct tac_pool *pool, size_t bytes, struct tac_error *error);
/* All bytes that it holds. */
size_t tac_buffer_bytes(const struct tac_buffer *buffer);

/* ---- Of buffers on a device; those of the host are left as they are. */

/* Memory for the way back, taken while a failure to get it still harms nobody. */
enum tac_status tac_buffer_reserve_home(struct tac_buffer *buffer, struct tac_pool *pool, struct tac_error *error);
/* Lets the host reach the first bytes by `data`, and takes that back; each does nothing where it is so already. */
enum tac_status tac_buffer_map(struct tac_buffer *buffer, struct tac_queue *queue, size_t bytes, enum tac_map_mode mode,
                               struct tac_error *error);
/* The same without the wait: `data` is good once the queue's next map or read has returned. */
enum tac_status tac_buffer_map_begin(struct tac_buffer *buffer, struct tac_queue *queue, size_t bytes, enum tac_map_mode mode,
                                     struct tac_error *error);
enum tac_status tac_buffer_unmap(struct tac_buffer *buffer, struct tac_queue *queue, struct tac_error *error);

/* Moves a buffer with its first bytes to the pool's device; the queue must finish before the contents change. On failure it
 * stays where it was. And back: on failure the contents are lost. */
enum tac_status tac_buffer_to_device(struct tac_buffer *buffer, struct tac_pool *pool, size_t bytes, struct tac_error *error);
enum tac_status tac_buffer_to_host(struct tac_buffer *buffer, struct tac_pool *pool, size_t bytes, struct tac_error *error);

#endif
