/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef RUNTIME_DEVICE_DEVICE_H
#define RUNTIME_DEVICE_DEVICE_H

#include <pthread.h>

#include <tactus/runtime/memory.h>

#include "runtime/device/queue.h"

/* Four size classes to each power of two. */
#define TAC_POOL_CLASSES (4 * 64)

struct tac_device_memory {
  struct tac_device *device;
  void *handle; /* the backend's */
  size_t capacity;
  struct tac_device_memory *next; /* in its list of spare blocks */
  void *mapped;                   /* what tac_queue_map gave; NULL: not mapped */
  size_t mapped_offset, mapped_bytes;
  enum tac_map_mode mapped_mode;
  void *staging; /* of mappings where memory is not shared */
  size_t staging_bytes;
  struct tac_sent staging_sent;
};

struct tac_pool_of_device {
  pthread_mutex_t lock;
  struct tac_device_memory *spare[TAC_POOL_CLASSES];
  struct tac_device_memory_stats stats;
};

struct tac_device_kernel {
  struct tac_device_program *program;
  char *name;
  void *handle;
  struct tac_device_kernel *next;
};

struct tac_device_program {
  struct tac_device *device;
  char *source;
  char *options, *log;
  void *handle;
  struct tac_device_kernel *kernels;
  struct tac_device_program *next;
};

struct tac_device {
  const struct tac_backend *backend;
  void *context;
  struct tac_device_options options;
  struct tac_device_info info;
  struct tac_pool_of_device pool;
  pthread_mutex_t program_lock; /* of the list below and of every program's kernels */
  struct tac_device_program *programs;
};

void tac_device_release_programs(struct tac_device *device);

static inline void *tac_device_allocate(const struct tac_device *device, size_t bytes) {
  return device->options.allocator->allocate(device->options.allocator->context, bytes);
}

static inline void tac_device_free(const struct tac_device *device, void *memory) {
  if (memory)
    device->options.allocator->release(device->options.allocator->context, memory);
}

#endif
