/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef TACTUS_RUNTIME_EXECUTOR_H
#define TACTUS_RUNTIME_EXECUTOR_H

#include <stddef.h>
#include <stdint.h>

#include <tactus/runtime/error.h>
#include <tactus/runtime/export.h>
#include <tactus/runtime/memory.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TAC_EXECUTOR_ABI 2

struct tac_device;
struct tac_device_observer;
struct tac_queue;

/* What an item knows about where it runs. A lane is one host thread's place in a batch; it is the item's for as long as
 * the item runs. It holds nothing of measurement. */
struct tac_lane {
  int number;              /* 0 is the caller's thread */
  int count;               /* lanes that take part in this batch */
  struct tac_queue *queue; /* of a device executor: where the item submits; NULL on a host executor */
  void *native;            /* the raw handle beneath: cl_command_queue, cudaStream_t; NULL on a host executor */
  struct tac_arena *arena; /* scratch that need not be freed */
  struct tac_error *error; /* an item that fails may fill it: text, where and native_code reach the caller */
};

/* One batch as an executor sees it. `loop` claims positions from the shared index and runs their items until none is left
 * or a failure stops new claims; `one` runs the item at one position of the order, for an executor that distributes
 * positions itself (each 0 <= position < count at most once). Neither returns a status: the batch collects failures. */
struct tac_work {
  size_t count;
  int lanes; /* how many lanes should run `loop`, at most the executor's; at least 2 */
  void (*loop)(struct tac_work *work, struct tac_lane *lane);
  void (*one)(struct tac_work *work, size_t position, struct tac_lane *lane);
  struct tac_lane *lane; /* `lanes` lanes, ready: number, count, arena and error are set by the scheduler */
};

/* Options of an executor's creation. tac_executor_options_init fills the defaults. */
struct tac_executor_options {
  size_t size; /* sizeof(struct tac_executor_options) */
  int lanes;   /* 0: the processors this process may use */
  int spin_ns; /* threads: how long an idle worker or a join spins before it sleeps; -1: the default, 0: never spins */
  const struct tac_allocator *allocator; /* NULL: the system's */
  /* Device executors; the others ignore them. lanes are the threads that submit. */
  int device;       /* which of the executor's devices; default 0 */
  int streams;      /* in all, at least one a lane, dealt out evenly: a lane with several changes to its next with each item, so
                       that items of one lane overlap on the device; 0: one a lane */
  int blas_handles; /* of the vendor's BLAS, shared by the lanes: a call waits for one that is free; 0: one a lane */
  int solver_handles; /* of the vendor's LAPACK, likewise */
  /* Who is told what the queues do, and whether they keep the times of commands: none by default. A scheduler of a measured
   * level has them keep times, and is told itself where nobody else is. */
  const struct tac_device_observer *observer;
  void *observer_context;
  int timing;
};
TAC_API void tac_executor_options_init(struct tac_executor_options *options);

/* One executor: a constant table. A program may pass a table of its own when it creates a scheduler; the conformance
 * battery runs on it as on ours. */
struct tac_executor {
  uint32_t abi;        /* TAC_EXECUTOR_ABI */
  const char *name;    /* "threads" */
  const char *summary; /* one line for --help and `tactus info` */
  /* Says whether it can run here; UNAVAILABLE with a text that says why and what to do. No state is made. */
  enum tac_status (*probe)(struct tac_error *error);
  enum tac_status (*create)(void **out, const struct tac_executor_options *options, struct tac_error *error);
  void (*destroy)(void *state);
  /* How many lanes it has (fixed at creation, at least 1). */
  int (*lanes)(const void *state);
  /* Runs work->loop(work, &work->lane[k]) on lanes k = 0 … work->lanes-1, lane 0 on the calling thread, and returns when
   * every call it made has returned and nothing uses `work` any more. It may run fewer lanes when the work ends before
   * they start. A batch of one item or one lane never gets here: the scheduler runs it inline. */
  enum tac_status (*run)(void *state, struct tac_work *work, struct tac_error *error);
  /* Of device executors, both NULL elsewhere: the device, and a lane's queue. The scheduler finishes the queues of the lanes
   * that took part, inline batches included. */
  struct tac_device *(*device)(void *state);
  struct tac_queue *(*queue)(void *state, int lane);
};

/* Every executor this build knows, in the order of --help, those that are not built included (their probe says why).
 * *count receives the number. Static. */
TAC_API const struct tac_executor *const *tac_executor_list(size_t *count);

/* The executor of that name; INVALID with the nearest name suggested when there is none. */
TAC_API enum tac_status tac_executor_find(const struct tac_executor **out, const char *name, struct tac_error *error);

/* Processors this process may use (its affinity mask), at least 1. */
TAC_API int tac_processors_allowed(void);

#ifdef __cplusplus
}
#endif
#endif
