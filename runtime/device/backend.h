/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef RUNTIME_DEVICE_BACKEND_H
#define RUNTIME_DEVICE_BACKEND_H

#include <stddef.h>
#include <stdint.h>

#include <tactus/runtime/device.h>
#include <tactus/runtime/device_dense.h>

#define TAC_BACKEND_ABI 3

/* What a device runtime must be able to do: one constant table for OpenCL and one, in a module of its own, for CUDA. Everything
 * else (pool, program cache, counting, time of items, executors) stands above it, once. Handles are the backend's own. Every
 * function that can fail fills the error with the runtime's name of what went wrong and its code as native_code; DEVICE is the
 * status for a failure of the device, MEMORY for an allocation that does not fit. */

struct tac_backend_options {
  int timing;       /* 1: streams keep times; 0: nothing of that is made */
  int blas_handles; /* of the vendor's libraries, shared by the streams; at least 1 */
  int solver_handles;
};

/* A command's times; made only where timing is on. */
struct tac_backend_event;

/* memory not NULL: a block, else `bytes` bytes at `value`. */
struct tac_backend_argument {
  void *memory;
  const void *value;
  size_t bytes;
};

/* A block with an offset in elements. */
struct tac_backend_array {
  void *memory;
  size_t offset;
};

/* Who is told what a call of the dense libraries does beside submitting: what it copies, once that is submitted, and where the
 * host waits for the device or for others. On the thread of the call, and before it returns. NULL: nobody asks. */
struct tac_backend_watcher {
  void *context;
  void (*copy)(void *context, enum tac_copy_direction direction, size_t bytes);
  void (*wait_begin)(void *context); /* these two do not nest */
  void (*wait_end)(void *context);
};
static inline void tac_backend_copied(const struct tac_backend_watcher *watcher, enum tac_copy_direction direction,
                                      size_t bytes) {
  if (watcher)
    watcher->copy(watcher->context, direction, bytes);
}
static inline void tac_backend_wait_begin(const struct tac_backend_watcher *watcher) {
  if (watcher)
    watcher->wait_begin(watcher->context);
}
static inline void tac_backend_wait_end(const struct tac_backend_watcher *watcher) {
  if (watcher)
    watcher->wait_end(watcher->context);
}

/* The vendor's dense libraries, as device_dense.h describes the operations. Each entry may be NULL: then kernels of ours serve.
 * Plans are the backend's; `supports` says whether a scalar type is served. With `event` not NULL the event covers the whole
 * call. info: a block of `count` 32-bit integers that receives 0 or the library's report for each problem. */
struct tac_backend_dense {
  int (*gemm_supports)(enum tac_device_scalar scalar);
  enum tac_status (*gemm_plan)(void *context, void *stream, enum tac_device_scalar scalar,
                               const struct tac_device_product *products, size_t count, void **plan,
                               const struct tac_backend_watcher *watcher, struct tac_error *error);
  enum tac_status (*gemm_run)(void *context, void *stream, void *plan, struct tac_backend_array a, struct tac_backend_array b,
                              struct tac_backend_array c, struct tac_backend_event **event,
                              const struct tac_backend_watcher *watcher, struct tac_error *error);
  void (*gemm_release)(void *context, void *plan);

  int (*svd_supports)(enum tac_device_scalar scalar);
  enum tac_status (*svd_plan)(void *context, void *stream, enum tac_device_scalar scalar,
                              const struct tac_device_svd_problem *problems, size_t count, void **plan,
                              const struct tac_backend_watcher *watcher, struct tac_error *error);
  enum tac_status (*svd_run)(void *context, void *stream, void *plan, struct tac_backend_array a, struct tac_backend_array u,
                             struct tac_backend_array s, struct tac_backend_array v, void *info,
                             struct tac_backend_event **event, const struct tac_backend_watcher *watcher,
                             struct tac_error *error);
  void (*svd_release)(void *context, void *plan);
};

struct tac_backend {
  uint32_t abi;
  const char *name; /* of the executor */

  /* As tac_device_list; also serves as the probe: UNAVAILABLE without a device, with the reason. */
  enum tac_status (*list)(struct tac_device_info *infos, size_t room, size_t *count, struct tac_error *error);
  enum tac_status (*open)(void **out, int number, const struct tac_backend_options *options, struct tac_error *error);
  void (*close)(void *context);

  enum tac_status (*allocate)(void *context, size_t bytes, void **memory, struct tac_error *error);
  void (*release)(void *context, void *memory);
  /* How often the backend has asked the driver for memory of its own, as for plans; NULL: never. */
  uint64_t (*own_allocations)(void *context);

  /* log: what the compiler said, released with free(); may be NULL. */
  enum tac_status (*build)(void *context, const char *name, const char *source, const char *options, void **program, char **log,
                           struct tac_error *error);
  void (*release_program)(void *context, void *program);
  enum tac_status (*kernel)(void *context, void *program, const char *name, void **kernel, struct tac_error *error);
  void (*release_kernel)(void *context, void *kernel);

  /* An in-order stream. */
  enum tac_status (*open_stream)(void *context, void **stream, struct tac_error *error);
  void (*close_stream)(void *context, void *stream);
  void *(*native)(void *stream);

  /* Commands. With `event` not NULL (timing on) *event receives the command's. Memory is the backend's handle here. */
  enum tac_status (*launch)(void *context, void *stream, void *kernel, const size_t groups[3], const size_t items[3],
                            const struct tac_backend_argument *arguments, size_t count, struct tac_backend_event **event,
                            struct tac_error *error);
  enum tac_status (*write)(void *context, void *stream, void *to, size_t offset, const void *from, size_t bytes,
                           struct tac_backend_event **event, struct tac_error *error);
  enum tac_status (*read)(void *context, void *stream, void *from, size_t offset, void *to, size_t bytes,
                          struct tac_backend_event **event, struct tac_error *error); /* blocks */
  enum tac_status (*copy)(void *context, void *stream, void *to, size_t to_offset, void *from, size_t from_offset, size_t bytes,
                          struct tac_backend_event **event, struct tac_error *error);
  enum tac_status (*clear)(void *context, void *stream, void *memory, size_t offset, size_t bytes,
                           struct tac_backend_event **event, struct tac_error *error);
  /* Only where info.shares_memory: `wait` 1: blocks until *pointer may be used; 0: it may be after the stream's next wait. NULL
   * elsewhere. */
  enum tac_status (*map)(void *context, void *stream, void *memory, size_t offset, size_t bytes, enum tac_map_mode mode,
                         int wait, void **pointer, struct tac_error *error);
  enum tac_status (*unmap)(void *context, void *stream, void *memory, void *pointer, struct tac_error *error);
  /* Later commands of `stream` wait for those of `other` so far. */
  enum tac_status (*wait)(void *context, void *stream, void *other, struct tac_error *error);
  enum tac_status (*finish)(void *context, void *stream, struct tac_error *error);

  /* Of a finished command: start and end on CLOCK_MONOTONIC, as well as the backend can place them. Releases the event. */
  enum tac_status (*times)(void *context, struct tac_backend_event *event, int64_t *start_ns, int64_t *finish_ns,
                           struct tac_error *error);
  void (*discard)(void *context, struct tac_backend_event *event);

  const struct tac_backend_dense *dense; /* NULL: none */
};

extern const struct tac_backend tac_backend_opencl;

/* The CUDA module's table, loaded when first asked for. UNAVAILABLE with the reason. */
enum tac_status tac_backend_cuda(const struct tac_backend **out, struct tac_error *error);
/* The name under which the module publishes it. */
#define TAC_BACKEND_CUDA_SYMBOL "tac_backend_cuda_table"

#endif
