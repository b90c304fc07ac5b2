/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef TESTS_SUPPORT_FAKE_BACKEND_H
#define TESTS_SUPPORT_FAKE_BACKEND_H

#include <stdatomic.h>

#include "runtime/device/backend.h"
#include <tactus/runtime/executor.h>

/* A device runtime of the tests' own, on the host: memory is the heap, a command runs when it is submitted (unless it is a late
 * write), and a kernel is a name that adds 1 to every byte of its first argument. Any call can be made to fail. Several threads
 * may use it. */
extern const struct tac_backend fake_backend;
/* Executors over it: of threads, and of the calling thread alone, which runs position p for lane p mod lanes. */
extern const struct tac_executor fake_executor;
extern const struct tac_executor fake_executor_one_thread;

enum fake_call {
  FAKE_OPEN,
  FAKE_ALLOCATE,
  FAKE_BUILD,
  FAKE_KERNEL,
  FAKE_OPEN_STREAM,
  FAKE_LAUNCH,
  FAKE_WRITE,
  FAKE_READ,
  FAKE_COPY,
  FAKE_CLEAR,
  FAKE_MAP,
  FAKE_UNMAP,
  FAKE_WAIT,
  FAKE_FINISH,
  FAKE_TIMES,
  FAKE_CALLS
};

struct fake_times {
  int64_t start_ns, finish_ns;
};

/* What was asked of it, and what it shall do; reset before a test. */
struct fake_state {
  atomic_int calls[FAKE_CALLS]; /* made so far */
  atomic_int live;              /* contexts, blocks, programs, kernels, streams and events that were made and not released */
  enum fake_call failing;       /* from its call number `fail_from` (1 is the first) on, so many fail with `status` */
  int fail_from, fail_count;
  enum tac_status status;
  uint64_t memory_bytes, block_bytes; /* of the device */
  int shares_memory;
  int writes_late;       /* a write takes its bytes when the host waits next: at a read, a map or a finish; for one thread */
  atomic_llong clock_ns; /* every command takes 10 ns */
  int replays;           /* it takes `replayed` instead */
  struct fake_times replayed;
  atomic_int events; /* made so far */
  int timing;        /* what the device was opened with */
};
extern struct fake_state fake_state;
void fake_reset(void);
/* Calls of a kind fail: `count` of them, from the number `from` on. */
enum { FAKE_FOREVER = 1 << 20 };
void fake_fail(enum fake_call call, int from, int count, enum tac_status status);
/* Commands from now on took [start, finish). */
void fake_replay(int64_t start_ns, int64_t finish_ns);

#endif
