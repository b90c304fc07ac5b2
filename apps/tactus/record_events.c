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

static int stands_later(const json_t *events, size_t number, const char *name) {
  for (size_t i = number; i < json_array_size(events); i++) {
    const char *later = json_string_value(json_object_get(json_array_get(events, i), "name"));
    if (later && strcmp(later, name) == 0)
      return 1;
  }
  return 0;
}

/* A parent that was never entered is not in the list, and stands here before its first child. */
static int find_parent(struct tac_record *record, struct tac_member_reader *reader, const json_t *events, size_t number) {
  const char *name = tac_read_text(reader, json_array_get(events, number), "parent", TAC_MEMBER_OPTIONAL);
  if (!name || reader->status != TAC_STATUS_OK)
    return TAC_NO_EVENT;
  const int parent = tac_record_find_event(record, name);
  if (parent != TAC_NO_EVENT)
    return parent;
  if (stands_later(events, number, name))
    tac_reader_fail(reader, "parent", "'%s' does not stand before its child", name);
  return tac_record_add_event(record, reader, name, TAC_NO_EVENT, 0) ? (int)record->event_count - 1 : TAC_NO_EVENT;
}

static struct tac_event_stats read_stats(struct tac_member_reader *reader, const json_t *value) {
  const struct tac_event_stats stats = {.count = (uint64_t)tac_read_count(reader, value, "count", TAC_MEMBER_REQUIRED),
                                        .total_ns = tac_read_count(reader, value, "total_ns", TAC_MEMBER_REQUIRED),
                                        .min_ns = tac_read_count(reader, value, "min_ns", TAC_MEMBER_REQUIRED),
                                        .max_ns = tac_read_count(reader, value, "max_ns", TAC_MEMBER_REQUIRED)};
  if (stats.min_ns > stats.max_ns)
    tac_reader_fail(reader, "min_ns", "is more than max_ns");
  if (stats.max_ns > stats.total_ns)
    tac_reader_fail(reader, "max_ns", "is more than total_ns");
  return stats;
}

static struct tac_device_stats read_device(struct tac_member_reader *reader, const json_t *value) {
  const json_t *device = tac_read_object(reader, value, "device", TAC_MEMBER_OPTIONAL);
  if (!device)
    return (struct tac_device_stats){0};
  return (struct tac_device_stats){.batches = (uint64_t)tac_read_count(reader, device, "batches", TAC_MEMBER_REQUIRED),
                                   .commands = (uint64_t)tac_read_count(reader, device, "commands", TAC_MEMBER_REQUIRED),
                                   .total_ns = tac_read_count(reader, device, "total_ns", TAC_MEMBER_REQUIRED),
                                   .busy_ns = tac_read_count(reader, device, "busy_ns", TAC_MEMBER_REQUIRED)};
}

static void read_event(struct tac_record *record, struct tac_member_reader *reader, const json_t *events, size_t number) {
  const json_t *value = tac_read_element(reader, events, "events", number);
  const char *name = tac_read_text(reader, value, "name", TAC_MEMBER_REQUIRED);
  const int parent = find_parent(record, reader, events, number);
  const struct tac_event_stats stats = read_stats(reader, value);
  const struct tac_device_stats device = read_device(reader, value);
  struct tac_record_event *event = name ? tac_record_add_event(record, reader, name, parent, 0) : NULL;
  if (!event)
    return;
  event->stats = stats;
  event->device = device;
}

void tac_record_read_events(struct tac_record *record, struct tac_member_reader *reader) {
  const json_t *events = tac_read_array(reader, record->root, "events", TAC_MEMBER_REQUIRED);
  for (size_t i = 0; i < json_array_size(events) && reader->status == TAC_STATUS_OK; i++)
    read_event(record, reader, events, i);
  tac_reader_at(reader, "");
}
