/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <stdlib.h>

#include "runtime/device/cuda/cuda.h"

#define LEAST_BLOCK_BYTES ((size_t)4096)

void tac_cuda_blocks_free(struct tac_cuda *cuda) {
  pthread_mutex_lock(&cuda->mutex);
  struct tac_cuda_block *block = cuda->spare;
  cuda->spare = NULL;
  pthread_mutex_unlock(&cuda->mutex);
  while (block) {
    struct tac_cuda_block *next = block->next;
    tac_cuda_release(cuda, block->memory);
    free(block);
    block = next;
  }
}

enum tac_status tac_cuda_allocate(void *context, size_t bytes, void **memory, struct tac_error *error) {
  struct tac_cuda *cuda = context;
  enum tac_status status = tac_cuda_enter(cuda, error);
  if (status != TAC_STATUS_OK)
    return status;
  *memory = NULL;
  cudaError_t code = cudaMalloc(memory, bytes ? bytes : 1);
  if (code == cudaErrorMemoryAllocation) {
    (void)cudaGetLastError();
    tac_cuda_blocks_free(cuda);
    code = cudaMalloc(memory, bytes ? bytes : 1);
  }
  if (code == cudaErrorMemoryAllocation) {
    tac_cuda_check(code, "cudaMalloc", NULL);
    tac_error_set(error, TAC_STATUS_MEMORY, "cuda", "cudaMalloc: cudaErrorMemoryAllocation: no room for %zu bytes on device %d",
                  bytes, cuda->number);
    if (error)
      error->native_code = (int)code;
    return TAC_STATUS_MEMORY;
  }
  return tac_cuda_check(code, "cudaMalloc", error);
}

/* What a lost device answers changes nothing: its memory is gone. */
void tac_cuda_release(void *context, void *memory) {
  struct tac_cuda *cuda = context;
  tac_cuda_enter(cuda, NULL);
  tac_cuda_check(cudaFree(memory), "cudaFree", NULL);
}

/* Whole eighths of a power of two: few different sizes, little waste. */
static size_t rounded_bytes(size_t bytes) {
  size_t step = LEAST_BLOCK_BYTES / 8;
  while (step < bytes / 16)
    step *= 2;
  bytes = bytes > LEAST_BLOCK_BYTES ? bytes : LEAST_BLOCK_BYTES;
  return (bytes + step - 1) / step * step;
}

/* The smallest spare block that serves, unless it is more than twice too large. */
static struct tac_cuda_block *take_spare(struct tac_cuda *cuda, size_t bytes) {
  struct tac_cuda_block **best = NULL;
  for (struct tac_cuda_block **at = &cuda->spare; *at; at = &(*at)->next)
    if ((*at)->bytes >= bytes && (*at)->bytes / 2 <= bytes && (!best || (*at)->bytes < (*best)->bytes))
      best = at;
  struct tac_cuda_block *block = best ? *best : NULL;
  if (block)
    *best = block->next;
  return block;
}

enum tac_status tac_cuda_block_take(struct tac_cuda *cuda, size_t bytes, struct tac_cuda_block **out, struct tac_error *error) {
  const size_t rounded = rounded_bytes(bytes);
  pthread_mutex_lock(&cuda->mutex);
  struct tac_cuda_block *block = take_spare(cuda, rounded);
  cuda->blocks_made += !block;
  pthread_mutex_unlock(&cuda->mutex);
  *out = block;
  if (block)
    return TAC_STATUS_OK;
  block = calloc(1, sizeof(*block));
  if (!block)
    return tac_cuda_no_memory(error);
  block->bytes = rounded;
  const enum tac_status status = tac_cuda_allocate(cuda, rounded, &block->memory, error);
  if (status != TAC_STATUS_OK) {
    free(block);
    return status;
  }
  *out = block;
  return TAC_STATUS_OK;
}

void tac_cuda_block_give(struct tac_cuda *cuda, struct tac_cuda_block *block) {
  if (!block)
    return;
  pthread_mutex_lock(&cuda->mutex);
  block->next = cuda->spare;
  cuda->spare = block;
  pthread_mutex_unlock(&cuda->mutex);
}

uint64_t tac_cuda_blocks_made(void *context) {
  struct tac_cuda *cuda = context;
  pthread_mutex_lock(&cuda->mutex);
  const uint64_t made = cuda->blocks_made;
  pthread_mutex_unlock(&cuda->mutex);
  return made;
}
