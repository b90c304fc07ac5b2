/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors
 *
 * Device memory: one file without a name, mapped twice. At its device address nothing may be touched; where commands see it,
 * live blocks may. Blocks begin at a page, stand apart by pages that nobody may touch, and their addresses are not used twice.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tests/cuda/fake/runtime.h"

#if defined(__SANITIZE_ADDRESS__)
#define IS_POISONED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define IS_POISONED 1
#endif
#endif
#ifdef IS_POISONED
#include <sanitizer/asan_interface.h>
#endif

#define PAGE        ((size_t)4096)
#define ARENA_BYTES ((size_t)1 << 38)
#define FRESH       0xFF              /* doubles and floats of it are NaN */
#define FRESH_MOST  ((size_t)1 << 20) /* more would only take time */
#define EDGE        0xA5

struct block {
  size_t at, bytes;
  struct block *next;
};

static char *arena, *seen; /* the device's addresses, and where commands see them */
static size_t arena_used, live_bytes;
static struct block *blocks;

static size_t whole_pages(size_t bytes) {
  return (bytes + PAGE - 1) / PAGE * PAGE;
}

static bool open_arena(void) {
  if (arena)
    return true;
  const int file = memfd_create("fake CUDA memory", 0);
  if (file < 0 || ftruncate(file, (off_t)ARENA_BYTES) != 0)
    return false;
  void *device = mmap(NULL, ARENA_BYTES, PROT_NONE, MAP_SHARED | MAP_NORESERVE, file, 0);
  void *host = mmap(NULL, ARENA_BYTES, PROT_NONE, MAP_SHARED | MAP_NORESERVE, file, 0);
  close(file);
  if (device == MAP_FAILED || host == MAP_FAILED)
    return false;
  arena = device;
  seen = host;
  return true;
}

/* The rest of the last page: written to by nobody. */
static void set_edge(const struct block *block) {
  char *end = seen + block->at + block->bytes;
  const size_t rest = whole_pages(block->bytes) - block->bytes;
  memset(end, EDGE, rest);
#ifdef IS_POISONED
  ASAN_POISON_MEMORY_REGION(end, rest);
#endif
}

static void check_edge(const struct block *block) {
  const unsigned char *end = (const unsigned char *)seen + block->at + block->bytes;
  const size_t rest = whole_pages(block->bytes) - block->bytes;
#ifdef IS_POISONED
  ASAN_UNPOISON_MEMORY_REGION(end, rest);
#endif
  for (size_t k = 0; k < rest; k++)
    if (end[k] != EDGE) {
      fake_lose(cudaErrorIllegalAddress, "something was written behind the end of a block");
      return;
    }
}

cudaError_t cudaMalloc(void **out, size_t bytes) {
  fake_lock();
  cudaError_t code = fake_runtime_outcome("cudaMalloc");
  struct block *block = NULL;
  if (code == cudaSuccess && (live_bytes + bytes > FAKE_MEMORY_BYTES || arena_used + bytes + 2 * PAGE > ARENA_BYTES))
    code = cudaErrorMemoryAllocation;
  if (code == cudaSuccess) {
    block = calloc(1, sizeof(*block));
    if (!block || !open_arena() || mprotect(seen + arena_used, whole_pages(bytes), PROT_READ | PROT_WRITE) != 0)
      code = cudaErrorMemoryAllocation;
  }
  if (code == cudaSuccess) {
    *block = (struct block){.at = arena_used, .bytes = bytes, .next = blocks};
    blocks = block;
    arena_used += whole_pages(bytes) + PAGE;
    live_bytes += bytes;
    memset(seen + block->at, FRESH, bytes < FRESH_MOST ? bytes : FRESH_MOST);
    set_edge(block);
    *out = arena + block->at;
    fake_count(FAKE_MEMORY, 1);
  } else {
    free(block);
  }
  fake_unlock();
  return code;
}

static struct block **find(const void *device) {
  const char *address = device;
  if (!arena || address < arena || address >= arena + arena_used)
    return NULL;
  const size_t at = (size_t)(address - arena);
  for (struct block **block = &blocks; *block; block = &(*block)->next)
    if (at >= (*block)->at && at < (*block)->at + (*block)->bytes)
      return block;
  return NULL;
}

cudaError_t cudaFree(void *device) {
  fake_lock();
  const cudaError_t code = fake_runtime_outcome("cudaFree");
  fake_run_all_streams();
  struct block **at = device ? find(device) : NULL;
  if (device && (!at || arena + (*at)->at != (char *)device)) {
    fake_lose(cudaErrorInvalidValue, "cudaFree of something that is no block");
  } else if (device) {
    struct block *block = *at;
    *at = block->next;
    check_edge(block);
    live_bytes -= block->bytes;
    madvise(seen + block->at, whole_pages(block->bytes), MADV_REMOVE);
    mprotect(seen + block->at, whole_pages(block->bytes), PROT_NONE);
    free(block);
    fake_count(FAKE_MEMORY, -1);
  }
  fake_unlock();
  return code;
}

void *fake_seen(const void *device, size_t bytes) {
  struct block **at = find(device);
  if (!at || (size_t)((const char *)device - arena) + bytes > (*at)->at + (*at)->bytes) {
    fake_lose(cudaErrorIllegalAddress,
              at ? "a command reaches over the end of a block" : "a command reaches outside of blocks");
    return NULL;
  }
  return seen + ((const char *)device - arena);
}

void *fake_seen_address(const void *device) {
  return device ? fake_seen(device, 1) : NULL;
}
