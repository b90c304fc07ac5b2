/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef MEASURE_KOKKOS_HOST_THREADS_H
#define MEASURE_KOKKOS_HOST_THREADS_H

#include "measure/kokkos/counters.h"
#include "measure/thread_stack.h"

/* What one host thread has counted in one section of the report. */
struct tac_host_set {
  struct tac_host_set *before;
  uint32_t section;
  _Atomic uint32_t threads; /* one after the other */
  struct tac_kokkos_counters *counters;
};

/* A host thread. Its sets stay when it ends, and a thread that comes later goes on with them, so that threads that come and go
 * cost no memory. */
struct tac_host_thread {
  struct tac_host_thread *before;
  atomic_int taken;
  uint32_t track; /* each thread has its own in a trace */
  uint32_t section;
  struct tac_kokkos_counters *counters; /* of that section */
  struct tac_kokkos_nesting nesting;
  _Atomic(struct tac_host_set *) newest;
  struct tac_trace_buffer *trace; /* NULL without a trace */
};

extern _Thread_local struct tac_host_thread *tac_host_thread TAC_ONE_READ;
extern _Atomic uint32_t tac_host_section;

/* The set of a thread's first event in a section; NULL without memory, or where nothing is counted. */
struct tac_kokkos_counters *tac_host_threads_enter(void);

static inline struct tac_kokkos_counters *tac_host_counters(void) {
  struct tac_host_thread *thread = tac_host_thread;
  if (thread && thread->section == atomic_load_explicit(&tac_host_section, memory_order_relaxed))
    return thread->counters;
  return tac_host_threads_enter();
}

/* 0 without the means. */
int tac_host_threads_init(void);

/* From now on events belong to the next section. Returns the one that has ended, from 1. */
uint32_t tac_host_threads_next_section(void);

/* Adds what all threads have counted in a section, 0 for all. Returns how many threads have counted in it, each once. */
uint32_t tac_host_threads_merge(struct tac_kokkos_counters *into, uint32_t section);

/* Events that were not even counted as unrecorded, without memory for their thread. */
uint64_t tac_host_threads_lost(void);

/* In a child by fork(): the buffers of its parent's threads, whose locks others may have held, are not written to. */
void tac_host_threads_leave_traces(void);

/* Calls for each thread there ever was. */
void tac_host_threads_visit(void (*visit)(struct tac_host_thread *thread));

#endif
