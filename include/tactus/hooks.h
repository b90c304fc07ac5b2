/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef TACTUS_HOOKS_H
#define TACTUS_HOOKS_H

#include <stddef.h>

#include <tactus/measure/hook_report.h>
#include <tactus/measure/hooks.h>
#include <tactus/measure/recorder.h>

#ifdef __cplusplus
extern "C" {
#endif

/* libtactus_hooks: ready tables for the level hooked.
 *
 *   nvtx  a range for each phase, on the thread that drives it, and for each item, on its lane's, in the domain "tactus": for
 *         Nsight Systems and whatever else NVTX_INJECTION64_PATH names
 *   perf  counters of the Linux kernel, for phases and items
 *   papi  counters of PAPI, likewise
 *
 * What a tool calls (the kernel, NVTX, PAPI) may look at the environment; Tactus itself does not. */

/* Takes one name of a counter, with why it is not to be had here, or NULL. Nonzero ends the list. */
typedef int (*tac_hook_counter_fn)(void *context, const char *name, const char *reason);

/* A kind of tool. One that is not built, or has nothing to offer on this machine, is in the list too, with the reason. */
struct tac_hook_kind {
  const char *name, *summary;

  /* UNAVAILABLE: why, and what to do. Callable from any thread. */
  enum tac_status (*probe)(struct tac_error *error);

  /* The counters that it knows by name; none for a kind that counts nothing. UNAVAILABLE as probe. */
  enum tac_status (*list)(tac_hook_counter_fn take, void *context, struct tac_error *error);
};

/* All kinds, *count of them, in static memory. */
TAC_API const struct tac_hook_kind *const *tac_hook_kinds(size_t *count);

/* What a recorder's hooks gather, and the table that gathers it. */
struct tac_hook_tool;

struct tac_hook_tool_options {
  size_t size;                           /* sizeof(struct tac_hook_tool_options) */
  const char *hooks;                     /* "nvtx", "perf", "perf:task-clock,page-faults", "papi:PAPI_TOT_CYC" */
  const struct tac_event_set *events;    /* of the recorder; outlives the tool */
  const struct tac_allocator *allocator; /* NULL: the system's */
};
TAC_API void tac_hook_tool_options_init(struct tac_hook_tool_options *options);

/* INVALID: no such kind or counter (the text says which there are), a counter named twice, more than TAC_HOOK_COUNTERS_MOST.
 * UNAVAILABLE: the kind is not built, or the machine does not offer it or a counter that was named; without names a kind takes
 * the counters that there are. MEMORY. */
TAC_API enum tac_status tac_hook_tool_create(struct tac_hook_tool **out, const struct tac_hook_tool_options *options,
                                             struct tac_error *error);

/* When no thread is inside of a hook; recorders made with its table are not used any more. */
TAC_API void tac_hook_tool_destroy(struct tac_hook_tool **tool);

/* The table for tac_recorder_options.hooks, the tool's own. Phases and items of any thread, one inside another; each thread
 * opens its counters at its first phase or item, and one on which they fail goes on without. */
TAC_API const struct tac_hooks *tac_hook_tool_hooks(const struct tac_hook_tool *tool);

/* Figures that fit the tool: its name, counters and note. INVALID. MEMORY. */
TAC_API enum tac_status tac_hook_tool_figures(struct tac_hook_figures **out, const struct tac_hook_tool *tool,
                                              struct tac_error *error);

/* Moves what was gathered since the last call to `figures`, which adds it up. Phases and items that are open count when they
 * end. Between calls into a scheduler only: no lane is inside of an item. INVALID: figures of other events or counters. */
TAC_API enum tac_status tac_hook_tool_take(struct tac_hook_tool *tool, struct tac_hook_figures *figures,
                                           struct tac_error *error);

#ifdef __cplusplus
}
#endif
#endif
