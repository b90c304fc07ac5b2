/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef TACTUS_RUNTIME_DEVICE_H
#define TACTUS_RUNTIME_DEVICE_H

#include <stddef.h>
#include <stdint.h>

#include <tactus/runtime/error.h>
#include <tactus/runtime/export.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What items of a batch on a device executor ("opencl", "cuda") work with. A device executor's lanes are host threads that
 * submit; each has a queue of its own, lane->queue, to which its items submit memory operations and kernels. Commands of one
 * item run in the order in which they were submitted. A batch ends when everything that its items submitted has ended. Between
 * batches the scheduler's caller may submit, too, through tac_scheduler_queue. A batch of one item follows there; items of a
 * larger one may go to other queues or streams, so that what they need has to be finished before.
 *
 * Thread rule: a queue is used by one thread at a time; everything else here may be called from any thread. Memory that two
 * queues use at once must not conflict, as with items in general. */
struct tac_device;
struct tac_device_memory;
struct tac_device_program;
struct tac_device_kernel;
struct tac_queue;

enum tac_device_kind { TAC_DEVICE_CPU = 0, TAC_DEVICE_GPU, TAC_DEVICE_OTHER };

struct tac_device_info {
  const char *executor; /* "opencl" or "cuda" */
  int number;           /* among that executor's devices, from 0 */
  enum tac_device_kind kind;
  char name[128], platform[128], driver[64]; /* as the device's driver gives them; always terminated */
  int units;                                 /* compute units, multiprocessors */
  uint64_t memory_bytes;                     /* in all */
  uint64_t block_bytes;                      /* of the largest single allocation */
  uint64_t local_bytes;                      /* local (shared) memory of a work-group */
  int fp64;                                  /* 1: double precision */
  int shares_memory;                         /* 1: mapping costs no copy */
  int has_svd;                               /* 1: the vendor's library decomposes matrices */
};

/* The devices of an executor: *count of them, the first `room` in infos. UNAVAILABLE where there can be none, with the reason
 * and what to do; INVALID for an executor without devices. */
TAC_API enum tac_status tac_device_list(const char *executor, struct tac_device_info *infos, size_t room, size_t *count,
                                        struct tac_error *error);

TAC_API const struct tac_device_info *tac_device_info(const struct tac_device *device);

enum tac_copy_direction {
  TAC_COPY_TO_DEVICE = 0,
  TAC_COPY_TO_HOST,
  TAC_COPY_ON_DEVICE,
  TAC_COPY_MAPPED, /* of shared memory, which the host reaches by a mapping: no byte is copied */
  TAC_COPY_DIRECTIONS
};
/* Who wants to know of what the queues of an executor do: bound when it is created, and absent where nobody asked. Called on
 * the thread that submits, with the number of its lane. A begin sets *handle, which the matching end receives. A fence may lie
 * within a launch, that of a call of a vendor's library which waits: its time is no dispatch. */
struct tac_device_observer {
  void (*launch_begin)(void *context, int lane, const char *label, uint64_t *handle);
  void (*launch_end)(void *context, int lane, uint64_t handle);
  void (*fence_begin)(void *context, int lane, const char *label, uint64_t *handle);
  void (*fence_end)(void *context, int lane, uint64_t handle);
  void (*copy)(void *context, int lane, enum tac_copy_direction direction, uint64_t bytes);
};

/* One command on a device, in [start, finish) on CLOCK_MONOTONIC as well as the device's driver can place it. */
enum tac_command_kind { TAC_COMMAND_LAUNCH = 0, TAC_COMMAND_COPY };
#define TAC_COMMAND_NO_ITEM ((size_t)-1)
struct tac_device_interval {
  const char *label; /* the kernel's name, "write", "read", "copy", "clear"; lives as long as who gave the interval */
  enum tac_command_kind kind;
  int lane, stream;
  size_t item; /* TAC_COMMAND_NO_ITEM: outside of items */
  int64_t start_ns, finish_ns;
};

/* ---- Memory. Blocks come from a pool: what is given back serves later requests, so that steady state allocates nothing. */

/* MEMORY: it does not fit, also after the pool's spare blocks went back to the driver. The contents are undefined. 0 bytes
 * gives a small block. */
TAC_API enum tac_status tac_device_memory_take(struct tac_device_memory **out, struct tac_device *device, size_t bytes,
                                               struct tac_error *error);
/* Nothing that uses it may be in progress. NULL is accepted. */
TAC_API void tac_device_memory_give(struct tac_device_memory **memory);
TAC_API size_t tac_device_memory_bytes(const struct tac_device_memory *memory); /* usable; at least what was asked for */

struct tac_device_memory_stats {
  uint64_t allocations; /* asked of the driver since the device was opened, also for plans of the vendor's libraries */
  uint64_t reuses;      /* requests that the pool served */
  uint64_t used_bytes;  /* in use now */
  uint64_t spare_bytes; /* held by the pool */
  uint64_t peak_bytes;  /* largest sum of both */
};
TAC_API struct tac_device_memory_stats tac_device_memory_stats(const struct tac_device *device);
/* Gives the pool's spare blocks back to the driver. */
TAC_API void tac_device_memory_trim(struct tac_device *device);

/* ---- Kernels: source in the common subset of OpenCL C and CUDA C, see docs/devices.md. */

/* The device's program made of a source text with options of the form "-DNAME=VALUE …"; built when first asked for and kept as
 * long as the device. `name` is for messages. NUMERICAL is never returned; INVALID: it does not build, the first error of the
 * build log in the text. Texts are compared and copied. */
TAC_API enum tac_status tac_device_program(struct tac_device_program **out, struct tac_device *device, const char *name,
                                           const char *source, const char *options, struct tac_error *error);
/* A kernel of a program by name; kept with it. INVALID: there is none. */
TAC_API enum tac_status tac_device_kernel(struct tac_device_kernel **out, struct tac_device_program *program, const char *name,
                                          struct tac_error *error);
/* The whole build log, terminated; empty where the driver had nothing to say. */
TAC_API const char *tac_device_program_log(const struct tac_device_program *program);

/* One argument of a kernel: a memory block, or a value of up to 16 bytes, copied. */
struct tac_argument {
  const struct tac_device_memory *memory; /* not NULL: this; else the value */
  unsigned char value[16];
  size_t bytes;
};
static inline struct tac_argument tac_argument_memory(const struct tac_device_memory *memory) {
  const struct tac_argument argument = {memory, {0}, 0};
  return argument;
}
TAC_API struct tac_argument tac_argument_value(const void *value, size_t bytes);
#define TAC_ARGUMENT_VALUE(variable) tac_argument_value(&(variable), sizeof(variable))

#define TAC_LAUNCH_ARGUMENTS_MAX 24

struct tac_launch {
  const struct tac_device_kernel *kernel;
  size_t groups[3]; /* work-groups (blocks) along each axis; 0 anywhere: nothing to do, a success */
  size_t items[3];  /* work-items (threads) of a group along each axis; 0 counts as 1 */
  const struct tac_argument *arguments;
  size_t argument_count;
};

/* ---- Queues. Every call but read, map and finish returns before its work is done. */

TAC_API struct tac_device *tac_queue_device(const struct tac_queue *queue);
/* The raw handle for calls of the vendor's libraries: cl_command_queue, cudaStream_t. */
TAC_API void *tac_queue_native(const struct tac_queue *queue);

TAC_API enum tac_status tac_queue_launch(struct tac_queue *queue, const struct tac_launch *launch, struct tac_error *error);
/* `from` must stay as it is until the queue has finished. */
TAC_API enum tac_status tac_queue_write(struct tac_queue *queue, struct tac_device_memory *to, size_t to_offset,
                                        const void *from, size_t bytes, struct tac_error *error);
/* Waits for the data: it ends as a fence labelled "read". */
TAC_API enum tac_status tac_queue_read(struct tac_queue *queue, const struct tac_device_memory *from, size_t from_offset,
                                       void *to, size_t bytes, struct tac_error *error);
/* The two ranges do not overlap. */
TAC_API enum tac_status tac_queue_copy(struct tac_queue *queue, struct tac_device_memory *to, size_t to_offset,
                                       const struct tac_device_memory *from, size_t from_offset, size_t bytes,
                                       struct tac_error *error);
/* Fills with zero bytes. */
TAC_API enum tac_status tac_queue_clear(struct tac_queue *queue, struct tac_device_memory *memory, size_t offset, size_t bytes,
                                        struct tac_error *error);
/* Makes a range readable or writable by the host, once all that was submitted before is done (a fence labelled "map"); until
 * the unmap nothing on the device may use it. Where memory is shared no byte is copied; elsewhere what is mapped for reading is
 * copied to the host and what is mapped for writing comes back with the unmap, which counts as copies. WRITE alone leaves the
 * mapped bytes undefined until they are written; all of them must be. A block has one mapping at a time. What an unmap is still
 * sending is waited for when the block is mapped again or given back: on the unmap's queue, which no other thread uses then. */
enum tac_map_mode { TAC_MAP_READ = 1, TAC_MAP_WRITE = 2, TAC_MAP_READ_WRITE = 3 };
TAC_API enum tac_status tac_queue_map(struct tac_queue *queue, struct tac_device_memory *memory, size_t offset, size_t bytes,
                                      enum tac_map_mode mode, void **out, struct tac_error *error);
/* The same without the wait, for one wait of several: the bytes are the host's once the queue's next map, read or finish has
 * returned. Bytes that are copied to the host are waited for all the same. */
TAC_API enum tac_status tac_queue_map_begin(struct tac_queue *queue, struct tac_device_memory *memory, size_t offset,
                                            size_t bytes, enum tac_map_mode mode, void **out, struct tac_error *error);
TAC_API enum tac_status tac_queue_unmap(struct tac_queue *queue, struct tac_device_memory *memory, struct tac_error *error);
/* Later commands of `queue` wait for what `other`, of the same device, was given so far. */
TAC_API enum tac_status tac_queue_wait(struct tac_queue *queue, struct tac_queue *other, struct tac_error *error);
/* Waits until everything is done: a fence labelled `label`. DEVICE: something failed since the last finish. */
TAC_API enum tac_status tac_queue_finish(struct tac_queue *queue, const char *label, struct tac_error *error);

#ifdef __cplusplus
}
#endif
#endif
