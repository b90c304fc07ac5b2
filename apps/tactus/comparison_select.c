/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <fnmatch.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "apps/tactus/comparison_parts.h"
#include "runtime/nearest_name.h"

enum { PATTERN_BYTES = 256, NAMES_MOST = 256 };

/* Takes the next of the patterns that have commas between. 0 at the end; one that is too long is cut and matches nothing. */
static int next_pattern(char out[PATTERN_BYTES], const char **patterns) {
  const size_t length = strcspn(*patterns, ",");
  if (!**patterns)
    return 0;
  const size_t kept = length < PATTERN_BYTES ? length : PATTERN_BYTES - 1;
  memcpy(out, *patterns, kept);
  out[kept] = '\0';
  *patterns += length + ((*patterns)[length] == ',');
  return 1;
}

static int is_named(const struct tac_compared_event *event, const char *patterns) {
  char pattern[PATTERN_BYTES];
  if (!patterns)
    return 1;
  while (next_pattern(pattern, &patterns))
    if (strcmp(pattern, event->name) == 0 || fnmatch(pattern, event->name, 0) == 0)
      return 1;
  return 0;
}

static enum tac_status unknown_pattern(const struct tac_comparison *comparison, const char *pattern, struct tac_error *error) {
  const char *names[NAMES_MOST];
  const size_t count = comparison->count < NAMES_MOST ? comparison->count : NAMES_MOST;
  for (size_t i = 0; i < count; i++)
    names[i] = comparison->events[i].name;
  const char *nearest = tac_nearest_name(pattern, names, count);
  if (nearest)
    return tac_error_set(error, TAC_STATUS_INVALID, "--events", "'%s' is none of the events; did you mean '%s'?", pattern,
                         nearest);
  return tac_error_set(error, TAC_STATUS_INVALID, "--events", "'%s' is none of the events", pattern);
}

static enum tac_status check_patterns(const struct tac_comparison *comparison, struct tac_error *error) {
  char pattern[PATTERN_BYTES];
  const char *patterns = comparison->options->events;
  while (patterns && next_pattern(pattern, &patterns)) {
    size_t i = 0;
    while (i < comparison->count && !is_named(&comparison->events[i], pattern))
      i++;
    if (i == comparison->count)
      return unknown_pattern(comparison, pattern, error);
  }
  return TAC_STATUS_OK;
}

static int is_small(const struct tac_comparison *comparison, const struct tac_compared_event *event) {
  return fmax(event->share[TAC_SIDE_BASE], event->share[TAC_SIDE_NEW]) < comparison->options->min_share;
}

/* A parent that was never entered holds only its children together. */
static int was_entered(const struct tac_comparison *comparison, const struct tac_compared_event *event) {
  const size_t runs = comparison->sides[TAC_SIDE_BASE].count + comparison->sides[TAC_SIDE_NEW].count;
  for (size_t run = 0; run < runs; run++)
    if (event->runs[run].stats.count > 0)
      return 1;
  return 0;
}

static int fails(const struct tac_comparison *comparison, const struct tac_compared_event *event) {
  const double limit = comparison->options->fail_above;
  return limit > 0 && event->verdict == TAC_VERDICT_SLOWER && event->time.ratio.median > limit;
}

/* The events under `parent`, each followed by its own children. */
static void order(struct tac_comparison *comparison, int parent, int depth) {
  for (size_t i = parent < 0 ? 0 : (size_t)parent + 1; i < comparison->count; i++) {
    struct tac_compared_event *event = &comparison->events[i];
    if (event->parent != parent)
      continue;
    const int candidate = was_entered(comparison, event) && is_named(event, comparison->options->events);
    const int shown = candidate && !is_small(comparison, event);
    if (shown) {
      event->depth = depth;
      event->failed = fails(comparison, event);
      comparison->failed += event->failed != 0;
      comparison->order[comparison->shown++] = i;
    }
    comparison->small += candidate && !shown;
    order(comparison, (int)i, depth + shown);
  }
}

enum tac_status tac_comparison_select(struct tac_comparison *comparison, struct tac_error *error) {
  const enum tac_status status = check_patterns(comparison, error);
  if (status != TAC_STATUS_OK)
    return status;
  order(comparison, TAC_NO_EVENT, 0);
  int common = 0;
  for (size_t i = 0; i < comparison->shown; i++) {
    const enum tac_verdict verdict = comparison->events[comparison->order[i]].verdict;
    common |= verdict == TAC_VERDICT_NO_FIGURE;
    if (verdict != TAC_VERDICT_NO_FIGURE && verdict != TAC_VERDICT_ONLY_BASE && verdict != TAC_VERDICT_ONLY_NEW)
      return TAC_STATUS_OK;
  }
  return tac_error_set(error, TAC_STATUS_INVALID, "nothing to compare",
                       comparison->shown == 0 ? "no event is left"
                       : common               ? "the events are sums of different calls, which have no such figure as --by"
                                              : "the sides have no event in common");
}
