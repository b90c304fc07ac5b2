/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef MEASURE_TIMELINE_H
#define MEASURE_TIMELINE_H

#include <tactus/measure/record.h>

#define TAC_NOT_ON_TIMELINE SIZE_MAX

/* Phases and batches one by one. Places are given as they begin: what is kept is what began first, and what is kept has all
 * around it kept. Who asks for none misses none: with a limit of 0 nothing is counted either. */
struct tac_timeline {
  struct tac_timeline_entry *entry; /* `limit` of them, NULL for 0 */
  size_t count, limit;
  uint64_t dropped;
};

/* The place of what is about to begin. */
static inline size_t tac_timeline_begin(struct tac_timeline *timeline, int event, size_t depth) {
  if (timeline->count == timeline->limit) {
    timeline->dropped += timeline->limit > 0;
    return TAC_NOT_ON_TIMELINE;
  }
  timeline->entry[timeline->count] = (struct tac_timeline_entry){.event = event, .depth = (int)depth, .duration_ns = -1};
  return timeline->count++;
}

static inline void tac_timeline_end(struct tac_timeline *timeline, size_t place, int64_t begin_ns, int64_t end_ns) {
  if (place == TAC_NOT_ON_TIMELINE)
    return;
  timeline->entry[place].begin_ns = begin_ns;
  timeline->entry[place].duration_ns = end_ns - begin_ns;
}

/* It does not begin after all, and nothing has since. */
static inline void tac_timeline_take_back(struct tac_timeline *timeline, size_t place) {
  if (place == TAC_NOT_ON_TIMELINE)
    timeline->dropped -= timeline->limit > 0;
  else
    timeline->count--;
}

#endif
