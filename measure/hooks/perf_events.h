/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef MEASURE_HOOKS_PERF_EVENTS_H
#define MEASURE_HOOKS_PERF_EVENTS_H

#include <tactus/runtime/error.h>

#include "measure/hooks/perf_system.h"

/* Those of one family count together, always or not at all, so that a ratio within it is exact. The kernel's own counters, the
 * family SOFTWARE, count always. */
enum tac_perf_family {
  TAC_PERF_SOFTWARE,
  TAC_PERF_CYCLES,
  TAC_PERF_CACHE,
  TAC_PERF_BRANCHES,
  TAC_PERF_L1,
  TAC_PERF_TLB,
  TAC_PERF_FAMILIES
};

struct tac_perf_event {
  const char *name, *unit;
  uint32_t type;
  uint64_t config;
  enum tac_perf_family family;
  int of_kernel; /* happens in the kernel alone: nothing is left where only the user's part may be counted */
  int by_default;
};

/* All that have a name, in the order of their families; *count of them. */
const struct tac_perf_event *tac_perf_events(size_t *count);

/* NULL: there is none of that name. */
const struct tac_perf_event *tac_perf_event_find(const char *name);

/* Opens one on the calling thread: hardware counters of the user's part alone, the kernel's also of the kernel's where that is
 * allowed. Returns the descriptor, or minus errno. */
int tac_perf_event_open(const struct tac_perf_event *event, int group);

/* Why an event could not be opened, and what to do. Returns UNAVAILABLE. */
enum tac_status tac_perf_event_refused(const struct tac_perf_event *event, int number, struct tac_error *error);

#endif
