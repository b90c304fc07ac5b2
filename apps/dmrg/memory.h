/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef APPS_DMRG_MEMORY_H
#define APPS_DMRG_MEMORY_H

#include <stdint.h>

#include <tactus/runtime/error.h>
#include <tactus/runtime/memory.h>

/* Where one object's memory comes from, and what it took: steady state takes nothing. */
struct tac_pool {
  struct tac_allocator allocator;
  size_t bytes;         /* held now */
  uint64_t allocations; /* ever made */
};

/* Memory that grows and never shrinks. Zero-initialise it. */
struct tac_buffer {
  void *data;
  size_t capacity; /* bytes */
};

void tac_pool_init(struct tac_pool *pool, const struct tac_allocator *allocator);

/* Makes room for `bytes` bytes; the contents are lost when it grows. A little more is taken than asked, so that the sizes of
 * neighbouring bonds do not each cost an allocation. */
enum tac_status tac_buffer_reserve(struct tac_buffer *buffer, struct tac_pool *pool, size_t bytes, struct tac_error *error);
void tac_buffer_release(struct tac_buffer *buffer, struct tac_pool *pool);

#endif
