/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
/* Blocks on disk, as they are before they are packed for a processor's kernel. Their ranks stand in a file of their own, which
 * tells the size of the other, and once more before the blocks: the files may come from two runs. */
#include <stdio.h>
#include <string.h>

#include "apps/fmm/cache.h"
#include "apps/fmm/stencil_parts.h"

#define MOST_BLOCKS (TAC_MAX_CLASSES * TAC_MAX_CLASSES)
#define KEY_BYTES   1024

static int make_key(char key[KEY_BYTES], const struct tac_stencil_shape *shape, const char *what) {
  const int length = snprintf(key, KEY_BYTES, "stencil 1, %s: %s", what, shape->cache_key);
  return length > 0 && length < KEY_BYTES;
}

static int is_kept(const struct tac_stencil_shape *shape) {
  return shape->cache_folder && shape->cache_key;
}

static size_t block_size(const struct tac_stencil_block *block, int rank) {
  const size_t rows = (size_t)block->rows, columns = (size_t)block->columns;
  return rank < 0 ? rows * columns : (size_t)rank * (rows + columns);
}

static int is_possible(const struct tac_stencil_block *block, double rank) {
  const int most = block->rows < block->columns ? block->rows : block->columns;
  return rank >= -1 && rank <= most && rank == (int)rank;
}

/* Numbers of the file of blocks; 0 when the ranks make no sense. */
static size_t stored_size(const struct tac_stencil_block *blocks, size_t count, const double *ranks) {
  size_t size = count;
  for (size_t b = 0; b < count; b++) {
    if (!is_possible(&blocks[b], ranks[b]))
      return 0;
    size += block_size(&blocks[b], (int)ranks[b]);
  }
  return size;
}

static void point_into(struct tac_stencil_block *blocks, size_t count, double *storage) {
  double *at = storage + count;
  for (size_t b = 0; b < count; b++) {
    struct tac_stencil_block *block = &blocks[b];
    block->rank = (int)storage[b];
    const size_t size = block_size(block, block->rank);
    if (block->rank < 0) {
      block->matrix = size ? at : NULL;
    } else {
      block->left = at;
      block->right = at + (size_t)block->rows * (size_t)block->rank;
    }
    at += size;
  }
}

int tac_stencil_load(double **storage, struct tac_stencil_block *blocks, size_t count, const struct tac_stencil_shape *shape,
                     const struct tac_allocator *allocator) {
  char key[KEY_BYTES];
  double ranks[MOST_BLOCKS];
  *storage = NULL;
  if (!is_kept(shape) || !make_key(key, shape, "ranks") || !tac_cache_load(shape->cache_folder, key, ranks, count))
    return 0;
  const size_t size = stored_size(blocks, count, ranks);
  *storage = size ? allocator->allocate(allocator->context, size * sizeof **storage) : NULL;
  if (!*storage || !make_key(key, shape, "blocks"))
    return 0;
  if (!tac_cache_load(shape->cache_folder, key, *storage, size) || memcmp(*storage, ranks, count * sizeof *ranks) != 0)
    return 0;
  point_into(blocks, count, *storage);
  return 1;
}

void tac_stencil_store(const struct tac_stencil_block *blocks, size_t count, const struct tac_stencil_shape *shape,
                       const struct tac_allocator *allocator) {
  char key[KEY_BYTES];
  double ranks[MOST_BLOCKS];
  if (!is_kept(shape) || !make_key(key, shape, "blocks"))
    return;
  for (size_t b = 0; b < count; b++)
    ranks[b] = blocks[b].rank;
  const size_t size = stored_size(blocks, count, ranks);
  double *storage = size ? allocator->allocate(allocator->context, size * sizeof *storage) : NULL;
  if (!storage)
    return;
  memcpy(storage, ranks, count * sizeof *ranks);
  double *at = storage + count;
  for (size_t b = 0; b < count; b++) {
    const struct tac_stencil_block *block = &blocks[b];
    const size_t all = block_size(block, block->rank), left = (size_t)block->rows * (size_t)block->rank;
    if (block->rank < 0 && all) {
      memcpy(at, block->matrix, all * sizeof *at);
    } else if (all) {
      memcpy(at, block->left, left * sizeof *at);
      memcpy(at + left, block->right, (all - left) * sizeof *at);
    }
    at += all;
  }
  if (tac_cache_store(shape->cache_folder, key, storage, size) && make_key(key, shape, "ranks"))
    tac_cache_store(shape->cache_folder, key, ranks, count);
  allocator->release(allocator->context, storage);
}
