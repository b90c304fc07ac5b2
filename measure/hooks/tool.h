/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef MEASURE_HOOKS_TOOL_H
#define MEASURE_HOOKS_TOOL_H

#include <pthread.h>

#include "measure/hooks/backend.h"

enum { TAC_HOOK_DEPTH = 2 * TAC_RECORDER_DEPTH }; /* phases and items open on one thread, batches inside items included */

enum { TAC_HOOK_TRIALS = 31 }; /* readings that a thread's calibration compares */

struct tac_hook_open {
  int event, is_item;
  struct tac_hook_reading at; /* where counters are open */

  /* Of what was entered and left inside: how many, what counters showed for them, and what was kept of that. */
  int64_t inside, shown[TAC_HOOK_COUNTERS_MOST], kept[TAC_HOOK_COUNTERS_MOST];
};

/* What one thread has gathered and has open. Written by that thread; by others only where it is not inside of a hook. */
struct tac_hook_thread {
  struct tac_hook_tool *tool;
  struct tac_hook_thread *next, **link;    /* of the tool's list */
  void *counters;                          /* the backend's; NULL: none, or they failed */
  int64_t reading[TAC_HOOK_COUNTERS_MOST]; /* what counters show of one reading of them, nobody else at work */
  size_t depth, too_deep;
  struct tac_hook_sum *phase, *item; /* one per event; values unscaled */
  struct tac_hook_open open[TAC_HOOK_DEPTH];
};

struct tac_hook_tool {
  const struct tac_hook_backend *backend;
  struct tac_hook_plan plan;
  struct tac_hooks hooks;
  pthread_key_t key; /* to the calling thread's tac_hook_thread; one per tool, so that nothing outlives it */
  pthread_mutex_t lock;
  struct tac_hook_thread *threads;
  struct tac_hook_figures *ended; /* of threads that ended, and the failures of all */
};

/* The calling thread's, made and opened at the first call; NULL where there was no memory, which counts as a failure. */
struct tac_hook_thread *tac_hook_thread_here(struct tac_hook_tool *tool);

/* Counters that fail are closed, and the failure is noted. */
void tac_hook_thread_fail(struct tac_hook_thread *thread, const struct tac_error *error);

/* Adds a thread's sums and forgets them. */
void tac_hook_thread_move(struct tac_hook_figures *figures, const struct tac_hook_thread *thread);

/* What a thread's end does: its sums go to `ended`, it leaves the list. */
void tac_hook_thread_end(void *thread);

#endif
