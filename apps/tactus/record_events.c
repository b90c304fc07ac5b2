/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "apps/tactus/record_parts.h"

struct tac_record_event *tac_record_add_event(struct tac_record *record, struct tac_member_reader *reader, const char *name,
                                              int parent, int group) {
  const size_t count = record->event_count;
  if (reader->status != TAC_STATUS_OK)
    return NULL;
  /* At every power of two there is room for as many again. */
  struct tac_record_event *larger =
      (count & (count - 1)) == 0 ? realloc(record->events, 2 * (count + 1) * sizeof *larger) : record->events;
  char *copy = strdup(name);
  if (larger)
    record->events = larger;
  if (!larger || !copy) {
    free(copy);
    reader->status = tac_error_set(reader->error, TAC_STATUS_MEMORY, "file", "no memory for its events");
    return NULL;
  }
  struct tac_record_event *event = &record->events[record->event_count++];
  *event = (struct tac_record_event){.name = copy, .parent = parent, .group = group, .items = {NAN, NAN, NAN, NAN, NAN, NAN}};
  return event;
}

int tac_record_find_event(const struct tac_record *record, const char *name) {
  for (size_t i = record->event_count; i > 0; i--)
    if (strcmp(record->events[i - 1].name, name) == 0)
      return (int)(i - 1);
  return TAC_NO_EVENT;
}

/* Records name all events of their set; the older ones only those that were entered, in the same order. */
static void read_names(struct tac_record *record, struct tac_member_reader *reader) {
  const json_t *names = tac_read_array(reader, record->root, "events_all", TAC_MEMBER_OPTIONAL);
  for (size_t i = 0; i < json_array_size(names) && reader->status == TAC_STATUS_OK; i++) {
    const char *name = json_string_value(json_array_get(names, i));
    tac_reader_at_element(reader, "events_all", i);
    if (name)
      tac_record_add_event(record, reader, name, TAC_NO_EVENT, 0);
    else
      tac_reader_fail(reader, "", "is no text");
  }
  tac_reader_at(reader, "");
}

/* The first event of that name from `from` on; one that is not there is added. */
static size_t find_or_add(struct tac_record *record, struct tac_member_reader *reader, const char *name, size_t from) {
  while (from < record->event_count && strcmp(record->events[from].name, name) != 0)
    from++;
  if (from < record->event_count)
    return from;
  if (json_object_get(record->root, "events_all"))
    tac_reader_fail(reader, "name", "'%s' is none of events_all, or not in their order", name);
  return tac_record_add_event(record, reader, name, TAC_NO_EVENT, 0) ? record->event_count - 1 : 0;
}

/* The last event of that name before `child`. */
static int find_parent(const struct tac_record *record, struct tac_member_reader *reader, const char *name, size_t child) {
  for (size_t i = child; i > 0; i--)
    if (strcmp(record->events[i - 1].name, name) == 0)
      return (int)(i - 1);
  tac_reader_fail(reader, "parent", "'%s' is no event before its child", name);
  return TAC_NO_EVENT;
}

/* A parent that was never entered is not among the entered events: it stands before its first child. */
static int has_parent(const struct tac_record *record, const char *parent) {
  return json_object_get(record->root, "events_all") || tac_record_find_event(record, parent) != TAC_NO_EVENT;
}

static int stands_later(const json_t *events, size_t number, const char *name) {
  for (size_t i = number; i < json_array_size(events); i++) {
    const char *later = json_string_value(json_object_get(json_array_get(events, i), "name"));
    if (later && strcmp(later, name) == 0)
      return 1;
  }
  return 0;
}

struct tac_event_stats tac_record_read_stats(struct tac_member_reader *reader, const json_t *value) {
  const struct tac_event_stats stats = {.count = tac_read_number(reader, value, "count"),
                                        .total_ns = tac_read_duration(reader, value, "total_ns"),
                                        .min_ns = tac_read_duration(reader, value, "min_ns"),
                                        .max_ns = tac_read_duration(reader, value, "max_ns")};
  if (stats.min_ns > stats.max_ns)
    tac_reader_fail(reader, "min_ns", "is more than max_ns");
  if (stats.max_ns > stats.total_ns)
    tac_reader_fail(reader, "max_ns", "is more than total_ns");
  return stats;
}

/* Only events that were entered are told, and every call of one took from min_ns to max_ns. */
static void check_stats(struct tac_member_reader *reader, const struct tac_event_stats *stats) {
  const uint64_t total_ns = (uint64_t)stats->total_ns;
  if (stats->count == 0)
    tac_reader_fail(reader, "count", "is 0");
  else if (total_ns / stats->count < (uint64_t)stats->min_ns ||
           total_ns / stats->count + (total_ns % stats->count > 0) > (uint64_t)stats->max_ns)
    tac_reader_fail(reader, "total_ns", "is not the time of %llu calls of min_ns to max_ns", (unsigned long long)stats->count);
}

static struct tac_device_stats read_device(struct tac_member_reader *reader, const json_t *value) {
  const json_t *device = tac_read_object(reader, value, "device", TAC_MEMBER_OPTIONAL);
  if (!device)
    return (struct tac_device_stats){0};
  return (struct tac_device_stats){.batches = tac_read_number(reader, device, "batches"),
                                   .commands = tac_read_number(reader, device, "commands"),
                                   .total_ns = tac_read_duration(reader, device, "total_ns"),
                                   .busy_ns = tac_read_duration(reader, device, "busy_ns")};
}

/* `next` is where its name is looked for, and then the place after it. */
static void read_event(struct tac_record *record, struct tac_member_reader *reader, const json_t *events, size_t number,
                       size_t *next) {
  const json_t *value = tac_read_element(reader, events, "events", number);
  const char *name = tac_read_text(reader, value, "name", TAC_MEMBER_REQUIRED);
  const char *parent = tac_read_text(reader, value, "parent", TAC_MEMBER_OPTIONAL);
  const struct tac_event_stats stats = tac_record_read_stats(reader, value);
  const struct tac_device_stats device = read_device(reader, value);
  check_stats(reader, &stats);
  if (reader->status == TAC_STATUS_OK && parent && !has_parent(record, parent) && !stands_later(events, number, parent))
    *next = tac_record_add_event(record, reader, parent, TAC_NO_EVENT, 0) ? record->event_count : 0;
  const size_t place = reader->status == TAC_STATUS_OK ? find_or_add(record, reader, name, *next) : 0;
  const int around = parent && reader->status == TAC_STATUS_OK ? find_parent(record, reader, parent, place) : TAC_NO_EVENT;
  if (reader->status != TAC_STATUS_OK)
    return;
  record->events[place].parent = around;
  record->events[place].stats = stats;
  record->events[place].device = device;
  record->events[place].batched = json_is_true(json_object_get(value, "batched"));
  *next = place + 1;
}

/* Sums of any of them stay within 64 bits. */
static void check_sum(const struct tac_record *record, struct tac_member_reader *reader) {
  int64_t sum_ns = 0;
  for (size_t i = 0; i < record->event_count && sum_ns <= TAC_RECORD_TIME_MOST; i++)
    sum_ns += record->events[i].stats.total_ns;
  if (sum_ns > TAC_RECORD_TIME_MOST)
    tac_reader_fail(reader, "events", "take longer in all than a clock can tell");
}

void tac_record_read_events(struct tac_record *record, struct tac_member_reader *reader) {
  const json_t *events = tac_read_array(reader, record->root, "events", TAC_MEMBER_REQUIRED);
  size_t next = 0;
  read_names(record, reader);
  for (size_t i = 0; i < json_array_size(events) && reader->status == TAC_STATUS_OK; i++)
    read_event(record, reader, events, i, &next);
  tac_reader_at(reader, "");
  check_sum(record, reader);
}
