/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "apps/tactus/record_parts.h"
#include "measure/saturate.h"

static struct tac_event_stats stats_of(struct tac_member_reader *reader, const json_t *value) {
  return (struct tac_event_stats){.count = (uint64_t)tac_read_count(reader, value, "count", TAC_MEMBER_REQUIRED),
                                  .total_ns = tac_read_count(reader, value, "total_ns", TAC_MEMBER_REQUIRED),
                                  .min_ns = tac_read_count(reader, value, "min_ns", TAC_MEMBER_REQUIRED),
                                  .max_ns = tac_read_count(reader, value, "max_ns", TAC_MEMBER_REQUIRED)};
}

/* -1: the record does not tell, or ends that did not pair have left no sense in it. */
static int64_t exclusive_of(const json_t *value, const struct tac_event_stats *stats) {
  const json_t *member = json_object_get(value, "exclusive_ns");
  const json_int_t exclusive_ns = json_is_integer(member) ? json_integer_value(member) : -1;
  return exclusive_ns <= stats->total_ns ? exclusive_ns : -1;
}

/* What has begun and not ended is in the count and in no time. */
static uint64_t timed_of(struct tac_member_reader *reader, const json_t *value, const struct tac_event_stats *stats) {
  const json_t *member = json_object_get(value, "timed");
  return member ? (uint64_t)tac_read_count(reader, value, "timed", TAC_MEMBER_REQUIRED) : stats->count;
}

static void fold(struct tac_record_event *event, const struct tac_event_stats *more, uint64_t timed) {
  struct tac_event_stats *into = &event->stats;
  if (timed > 0 && (event->timed == 0 || more->min_ns < into->min_ns))
    into->min_ns = more->min_ns;
  if (more->max_ns > into->max_ns)
    into->max_ns = more->max_ns;
  into->count = tac_sum_counts(into->count, more->count);
  into->total_ns = tac_sum_times(into->total_ns, more->total_ns);
  event->timed = tac_sum_counts(event->timed, timed);
}

static int find_child(const struct tac_record *record, int parent, const char *name) {
  for (size_t i = (size_t)parent + 1; i < record->event_count; i++)
    if (record->events[i].parent == parent && strcmp(record->events[i].name, name) == 0)
      return (int)i;
  return TAC_NO_EVENT;
}

static int add_or_find(struct tac_record *record, struct tac_member_reader *reader, const char *name, int parent,
                       enum tac_kokkos_group group) {
  const int number = find_child(record, parent, name);
  if (number != TAC_NO_EVENT)
    return number;
  return tac_record_add_event(record, reader, name, parent, (int)group) ? (int)record->event_count - 1 : TAC_NO_EVENT;
}

/* Calls within calls are in several totals, but in one exclusive time: what is above a group holds the sum of these. */
static void fold_call(struct tac_record_event *event, struct tac_record_event *sum, const struct tac_event_stats *stats,
                      uint64_t timed, int64_t exclusive_ns) {
  struct tac_event_stats own = *stats;
  own.total_ns = exclusive_ns < 0 ? stats->total_ns : exclusive_ns;
  event->exclusive_ns = tac_sum_times(event->exclusive_ns, own.total_ns);
  fold(event, stats, timed);
  fold(sum, &own, timed);
}

enum { LABEL_BYTES = 512 };

/* A label without text has a name, too. kind NULL: it has none. */
static void label_call(char label[LABEL_BYTES], const char *name, const char *kind) {
  snprintf(label, LABEL_BYTES, "%s%s%s%s", *name ? name : "(no label)", kind ? " (" : "", kind ? kind : "", kind ? ")" : "");
}

/* Devices and instances of one label and kind are folded. */
static void add_call(struct tac_record *record, struct tac_member_reader *reader, const json_t *value, int parent,
                     enum tac_kokkos_group group) {
  const char *name = tac_read_text(reader, value, "name", TAC_MEMBER_REQUIRED);
  const char *kind = group == TAC_GROUP_KERNELS ? tac_read_text(reader, value, "kind", TAC_MEMBER_REQUIRED) : NULL;
  const struct tac_event_stats stats = stats_of(reader, value);
  const uint64_t timed = timed_of(reader, value, &stats);
  char label[LABEL_BYTES];
  if (reader->status != TAC_STATUS_OK)
    return;
  if (group == TAC_GROUP_FENCES && json_is_true(json_object_get(value, "tool")))
    return; /* the tool layer's, not the program's */
  label_call(label, name, kind);
  const int number = add_or_find(record, reader, label, parent, group);
  if (number == TAC_NO_EVENT)
    return;
  fold_call(&record->events[number], &record->events[parent], &stats, timed, exclusive_of(value, &stats));
}

static int by_time(const void *left, const void *right) {
  const struct tac_record_event *a = left, *b = right;
  if (a->stats.total_ns != b->stats.total_ns)
    return a->stats.total_ns < b->stats.total_ns ? 1 : -1;
  return strcmp(a->name, b->name);
}

/* A row for each pair of spaces; of the single copies the record does not tell. */
static void add_copy(struct tac_record *record, struct tac_member_reader *reader, const json_t *value, int parent) {
  const char *from = tac_read_text(reader, value, "from", TAC_MEMBER_REQUIRED);
  const char *to = tac_read_text(reader, value, "to", TAC_MEMBER_REQUIRED);
  const struct tac_event_stats stats = {.count = (uint64_t)tac_read_count(reader, value, "count", TAC_MEMBER_REQUIRED),
                                        .total_ns = tac_read_count(reader, value, "total_ns", TAC_MEMBER_REQUIRED)};
  const uint64_t bytes = (uint64_t)tac_read_count(reader, value, "bytes", TAC_MEMBER_REQUIRED);
  char label[512];
  if (reader->status != TAC_STATUS_OK)
    return;
  snprintf(label, sizeof label, "%s to %s", from, to);
  const int number = add_or_find(record, reader, label, parent, TAC_GROUP_COPIES);
  if (number == TAC_NO_EVENT)
    return;
  struct tac_record_event *event = &record->events[number], *sum = &record->events[parent];
  event->calls = TAC_CALLS_SUMMED;
  event->bytes = tac_sum_counts(event->bytes, bytes);
  sum->bytes = tac_sum_counts(sum->bytes, bytes);
  fold_call(event, sum, &stats, stats.count, exclusive_of(value, &stats));
}

static void read_calls(struct tac_record *record, struct tac_member_reader *reader, const char *key,
                       enum tac_kokkos_group group) {
  tac_reader_at(reader, "");
  const json_t *calls =
      tac_read_array(reader, record->root, key, group == TAC_GROUP_COPIES ? TAC_MEMBER_OPTIONAL : TAC_MEMBER_REQUIRED);
  if (json_array_size(calls) == 0 || !tac_record_add_event(record, reader, key, TAC_NO_EVENT, (int)group))
    return;
  const int parent = (int)record->event_count - 1;
  record->events[parent].calls = TAC_CALLS_MIXED;
  for (size_t i = 0; i < json_array_size(calls) && reader->status == TAC_STATUS_OK; i++) {
    const json_t *value = tac_read_element(reader, calls, key, i);
    if (group == TAC_GROUP_COPIES)
      add_copy(record, reader, value, parent);
    else
      add_call(record, reader, value, parent, group);
  }
  const size_t first = (size_t)parent + 1;
  qsort(record->events + first, record->event_count - first, sizeof *record->events, by_time);
}

/* `parent` is the number of a region before it in the list; `first` is the event of the first one. */
static void add_region(struct tac_record *record, struct tac_member_reader *reader, const json_t *value, size_t first) {
  const char *name = tac_read_text(reader, value, "name", TAC_MEMBER_REQUIRED);
  const struct tac_event_stats stats = stats_of(reader, value);
  const uint64_t timed = timed_of(reader, value, &stats);
  int parent = TAC_NO_EVENT;
  if (name && !json_is_null(json_object_get(value, "parent"))) {
    const int64_t number = tac_read_count(reader, value, "parent", TAC_MEMBER_REQUIRED);
    if (number >= (int64_t)(record->event_count - first))
      tac_reader_fail(reader, "parent", "%lld is no region before it", (long long)number);
    parent = (int)(first + (size_t)number);
  }
  struct tac_record_event *event = name ? tac_record_add_event(record, reader, name, parent, TAC_GROUP_REGIONS) : NULL;
  if (!event)
    return;
  event->stats = stats;
  event->timed = timed;
  event->exclusive_ns = exclusive_of(value, &stats);
}

static void read_regions(struct tac_record *record, struct tac_member_reader *reader) {
  const size_t first = record->event_count;
  tac_reader_at(reader, "");
  const json_t *regions = tac_read_array(reader, record->root, "regions", TAC_MEMBER_REQUIRED);
  for (size_t i = 0; i < json_array_size(regions) && reader->status == TAC_STATUS_OK; i++)
    add_region(record, reader, tac_read_element(reader, regions, "regions", i), first);
}

/* `first` is the event of the first region, `count` their number. */
static void add_region_kernel(struct tac_record *record, struct tac_member_reader *reader, const json_t *value, size_t first,
                              size_t count) {
  const char *name = tac_read_text(reader, value, "name", TAC_MEMBER_REQUIRED);
  const char *kind = tac_read_text(reader, value, "kind", TAC_MEMBER_REQUIRED);
  const int64_t region = tac_read_count(reader, value, "parent", TAC_MEMBER_REQUIRED);
  const struct tac_event_stats stats = stats_of(reader, value);
  const uint64_t timed = timed_of(reader, value, &stats);
  const int64_t exclusive_ns = exclusive_of(value, &stats);
  char label[LABEL_BYTES];
  if (reader->status == TAC_STATUS_OK && region >= (int64_t)count)
    tac_reader_fail(reader, "parent", "%lld is no region", (long long)region);
  if (reader->status != TAC_STATUS_OK)
    return;
  label_call(label, name, kind);
  struct tac_record_event *event =
      tac_record_add_event(record, reader, label, (int)first + (int)region, TAC_GROUP_REGION_KERNELS);
  if (!event)
    return;
  event->exclusive_ns = exclusive_ns < 0 ? stats.total_ns : exclusive_ns;
  fold(event, &stats, timed);
}

static int by_parent_and_name(const void *left, const void *right) {
  const struct tac_record_event *a = left, *b = right;
  return a->parent != b->parent ? (a->parent < b->parent ? -1 : 1) : strcmp(a->name, b->name);
}

static int by_parent_and_time(const void *left, const void *right) {
  const struct tac_record_event *a = left, *b = right;
  return a->parent != b->parent ? (a->parent < b->parent ? -1 : 1) : by_time(left, right);
}

/* Devices and instances, of what stands in order of parent and name. Returns how many are left. */
static size_t fold_equal(struct tac_record_event *events, size_t count) {
  size_t last = 0;
  for (size_t i = 1; i < count; i++) {
    if (by_parent_and_name(&events[last], &events[i]) != 0) {
      events[++last] = events[i];
      continue;
    }
    events[last].exclusive_ns = tac_sum_times(events[last].exclusive_ns, events[i].exclusive_ns);
    fold(&events[last], &events[i].stats, events[i].timed);
    free(events[i].name);
  }
  return count > 0 ? last + 1 : 0;
}

static void read_region_kernels(struct tac_record *record, struct tac_member_reader *reader) {
  const size_t count = json_array_size(json_object_get(record->root, "regions")), first = record->event_count - count;
  const size_t start = record->event_count;
  tac_reader_at(reader, "");
  const json_t *kernels = tac_read_array(reader, record->root, "kernels_by_region", TAC_MEMBER_OPTIONAL);
  for (size_t i = 0; i < json_array_size(kernels) && reader->status == TAC_STATUS_OK; i++)
    add_region_kernel(record, reader, tac_read_element(reader, kernels, "kernels_by_region", i), first, count);
  if (reader->status != TAC_STATUS_OK || record->event_count == start)
    return;
  struct tac_record_event *events = record->events + start;
  qsort(events, record->event_count - start, sizeof *events, by_parent_and_name);
  record->event_count = start + fold_equal(events, record->event_count - start);
  qsort(events, record->event_count - start, sizeof *events, by_parent_and_time);
}

/* What was counted within the steps of a name. */
static void add_part_of_steps(struct tac_record *record, struct tac_member_reader *reader, const json_t *value, int parent,
                              const char *key) {
  char name[32], time_key[32];
  snprintf(name, sizeof name, "%s in steps", key);
  snprintf(time_key, sizeof time_key, "%s_ns", key);
  const struct tac_event_stats stats = {.count = (uint64_t)tac_read_count(reader, value, key, TAC_MEMBER_REQUIRED),
                                        .total_ns = tac_read_count(reader, value, time_key, TAC_MEMBER_REQUIRED)};
  struct tac_record_event *event = tac_record_add_event(record, reader, name, parent, TAC_GROUP_STEPS);
  if (!event)
    return;
  event->stats = stats;
  event->calls = TAC_CALLS_MIXED;
}

static void read_steps(struct tac_record *record, struct tac_member_reader *reader) {
  tac_reader_at(reader, "");
  const json_t *steps = tac_read_array(reader, record->root, "steps", TAC_MEMBER_OPTIONAL);
  for (size_t i = 0; i < json_array_size(steps) && reader->status == TAC_STATUS_OK; i++) {
    const json_t *value = tac_read_element(reader, steps, "steps", i);
    const char *name = tac_read_text(reader, value, "name", TAC_MEMBER_REQUIRED);
    const struct tac_event_stats stats = stats_of(reader, value);
    char label[512];
    snprintf(label, sizeof label, "%s (step)", name ? name : "");
    struct tac_record_event *event = tac_record_add_event(record, reader, label, TAC_NO_EVENT, TAC_GROUP_STEPS);
    if (!event)
      return;
    event->stats = stats;
    const int number = (int)record->event_count - 1;
    add_part_of_steps(record, reader, value, number, "kernels");
    add_part_of_steps(record, reader, value, number, "fences");
    add_part_of_steps(record, reader, value, number, "copies");
  }
}

static void set_once(struct tac_record_event *event, int64_t time_ns) {
  event->stats = (struct tac_event_stats){1, time_ns, time_ns, time_ns};
}

/* Two events, the second to be set when its parts are known. */
static void read_wall(struct tac_record *record, struct tac_member_reader *reader) {
  const json_t *run = tac_read_object(reader, record->root, "run", TAC_MEMBER_OPTIONAL);
  tac_reader_at(reader, "run");
  record->wall_ns = tac_read_count(reader, run, "wall_ns", TAC_MEMBER_OPTIONAL);
  if (record->wall_ns == 0)
    return;
  struct tac_record_event *wall = tac_record_add_event(record, reader, "wall time", TAC_NO_EVENT, TAC_GROUP_WHOLE);
  if (wall)
    set_once(wall, record->wall_ns);
  tac_record_add_event(record, reader, "(unmeasured)", TAC_NO_EVENT, TAC_GROUP_WHOLE);
}

/* Their exclusive times are no part of one another, and on one thread all are part of the wall time. */
static void set_outside(struct tac_record *record, struct tac_member_reader *reader) {
  tac_reader_at(reader, "run");
  const json_t *run = json_object_get(record->root, "run");
  if (tac_read_count(reader, run, "threads", TAC_MEMBER_OPTIONAL) != 1 || record->wall_ns == 0)
    return;
  int64_t parts_ns = 0;
  for (size_t i = 0; i < record->event_count; i++) {
    const struct tac_record_event *event = &record->events[i];
    if (event->parent == TAC_NO_EVENT &&
        (event->group == TAC_GROUP_KERNELS || event->group == TAC_GROUP_FENCES || event->group == TAC_GROUP_COPIES))
      parts_ns = tac_sum_times(parts_ns, event->stats.total_ns);
  }
  if (parts_ns <= record->wall_ns)
    set_once(&record->events[1], record->wall_ns - parts_ns);
}

void tac_record_read_kokkos(struct tac_record *record, struct tac_member_reader *reader) {
  record->level = TAC_COARSE;
  read_wall(record, reader);
  read_calls(record, reader, "kernels", TAC_GROUP_KERNELS);
  read_calls(record, reader, "fences", TAC_GROUP_FENCES);
  read_calls(record, reader, "copies", TAC_GROUP_COPIES);
  read_steps(record, reader);
  read_regions(record, reader);
  if (reader->status == TAC_STATUS_OK)
    read_region_kernels(record, reader);
  if (reader->status == TAC_STATUS_OK)
    set_outside(record, reader);
  tac_reader_at(reader, "");
}
