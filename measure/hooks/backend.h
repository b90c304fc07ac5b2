/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef MEASURE_HOOKS_BACKEND_H
#define MEASURE_HOOKS_BACKEND_H

#include <tactus/hooks.h>

/* What the counters of a thread show. */
struct tac_hook_reading {
  struct tac_hook_value value[TAC_HOOK_COUNTERS_MOST];
};

/* What a tool is made of, filled by its backend. */
struct tac_hook_plan {
  const char *names; /* the counters asked for, "a,b"; NULL: left to the backend */
  const struct tac_event_set *events;
  const struct tac_allocator *allocator;
  size_t counters;
  struct tac_hook_counter counter[TAC_HOOK_COUNTERS_MOST];
  char note[sizeof((struct tac_hook_figures *)0)->note];
  void *state; /* the backend's, from tac_hook_plan_state; the tool releases it */
};

/* One kind of tool. The entries about threads are NULL where nothing is counted, those about ranges where none are made; each
 * is called on the thread that it is about, but close, and never fails the caller. */
struct tac_hook_backend {
  struct tac_hook_kind kind;
  enum tac_status (*create)(struct tac_hook_plan *plan, struct tac_error *error);
  void (*destroy)(struct tac_hook_plan *plan); /* NULL: the state is memory and nothing else */

  /* Counters of the calling thread, running; `thread` is memory of all zeros for what they need. One call at a time. After a
   * failure, too, they are closed. */
  size_t thread_bytes;
  enum tac_status (*open)(void *thread, const struct tac_hook_plan *plan, struct tac_error *error);
  void (*close)(void *thread);
  enum tac_status (*read)(struct tac_hook_reading *reading, void *thread, struct tac_error *error);

  /* index is NULL for a phase. */
  void (*enter)(const struct tac_hook_plan *plan, int event, const size_t *index);
  void (*leave)(const struct tac_hook_plan *plan);
};

extern const struct tac_hook_backend tac_hook_backend_nvtx, tac_hook_backend_papi, tac_hook_backend_perf;

/* The backend of the kind that `hooks` begins with, and the names behind its colon, or NULL. INVALID: there is none. */
enum tac_status tac_hook_backend_find(const struct tac_hook_backend **out, const char **names, const char *hooks,
                                      struct tac_error *error);

/* Memory of all zeros for plan->state. MEMORY. */
enum tac_status tac_hook_plan_state(struct tac_hook_plan *plan, size_t bytes, const char *where, struct tac_error *error);

/* INVALID: the kind has no such counter, with as many of those that count here as a line holds. */
enum tac_status tac_hook_counter_unknown(const struct tac_hook_kind *kind, const char *name, struct tac_error *error);

/* Splits plan->names into plan->counter[].name. INVALID: an empty, a repeated or a long name, or too many. */
enum tac_status tac_hook_plan_names(struct tac_hook_plan *plan, const char *where, struct tac_error *error);

#endif
