/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "apps/tactus/record_parts.h"
#include "measure/recorder.h"

static double cost_of(struct tac_member_reader *reader, const json_t *cost, const char *key) {
  const double cost_ns = tac_read_real(reader, cost, key, TAC_MEMBER_OPTIONAL);
  return isnan(cost_ns) ? 0 : cost_ns;
}

static struct tac_record_cost read_cost(const struct tac_record *record, struct tac_member_reader *reader) {
  const json_t *cost = tac_read_object(reader, record->root, "cost", TAC_MEMBER_OPTIONAL);
  tac_reader_at(reader, "cost");
  const struct tac_record_cost read = {.clock_read_ns = cost_of(reader, cost, "clock_read_ns"),
                                       .phase_record_ns = cost_of(reader, cost, "phase_record_ns"),
                                       .item_record_ns = cost_of(reader, cost, "item_record_ns")};
  tac_reader_at(reader, "");
  return read;
}

static void read_clock(struct tac_record *record, struct tac_member_reader *reader) {
  const struct tac_record_cost cost = read_cost(record, reader);
  const json_t *clock = tac_read_object(reader, record->root, "clock", TAC_MEMBER_REQUIRED);
  tac_reader_at(reader, "clock");
  const char *name = tac_read_text(reader, clock, "name", TAC_MEMBER_REQUIRED);
  const int64_t resolution_ns = tac_read_duration(reader, clock, "resolution_ns");
  tac_replayed_clock_init(&record->clock, name, resolution_ns, &cost);
  tac_reader_at(reader, "");
}

void *tac_record_allocate(struct tac_record *record, struct tac_member_reader *reader, size_t count, size_t bytes) {
  const size_t size = count > 0 ? count : 1;
  void *memory = reader->status == TAC_STATUS_OK && size <= SIZE_MAX / bytes
                     ? tac_recorder_allocate(record->recorder, size * bytes)
                     : NULL;
  if (memory)
    memset(memory, 0, size * bytes);
  else if (reader->status == TAC_STATUS_OK)
    reader->status = tac_error_set(reader->error, TAC_STATUS_MEMORY, "file", "no memory for its measurements");
  return memory;
}

static void make_set(struct tac_record *record, struct tac_member_reader *reader) {
  record->set_events = calloc(record->event_count + 1, sizeof *record->set_events);
  if (!record->set_events) {
    reader->status = tac_error_set(reader->error, TAC_STATUS_MEMORY, "file", "no memory for its events");
    return;
  }
  for (size_t i = 0; i < record->event_count; i++) {
    const struct tac_record_event *event = &record->events[i];
    record->set_events[i] = (struct tac_event){event->name, event->parent, event->batches || event->batched};
  }
  record->set = (struct tac_event_set){"record", record->event_count, record->set_events};
}

/* Each summary is of the first event of its name that has none. */
static void mark_batched(struct tac_record *record, struct tac_member_reader *reader) {
  const json_t *summaries = tac_read_array(reader, record->root, "batch_summaries", TAC_MEMBER_REQUIRED);
  for (size_t i = 0; i < json_array_size(summaries) && reader->status == TAC_STATUS_OK; i++) {
    const json_t *value = tac_read_element(reader, summaries, "batch_summaries", i);
    const char *name = tac_read_text(reader, value, "event", TAC_MEMBER_REQUIRED);
    size_t event = 0;
    while (name && event < record->event_count &&
           (record->events[event].batches || strcmp(record->events[event].name, name) != 0))
      event++;
    if (name && event == record->event_count)
      tac_reader_fail(reader, "event", "'%s' is none of the events, or has its summary", name);
    else if (name)
      record->events[event].batches = 1;
  }
  tac_reader_at(reader, "");
}

/* The recorder's hooks are long gone: only the name of their level is told. */
static void make_recorder(struct tac_record *record, struct tac_member_reader *reader) {
  struct tac_recorder_options options;
  tac_recorder_options_init(&options);
  options.events = &record->set;
  options.clock = &record->clock.clock;
  options.timeline_limit = 0; /* until there is one */
  options.batch_limit = json_array_size(json_object_get(record->root, "batches"));
  reader->status = tac_recorder_create(&record->recorder, &options, reader->error);
  if (reader->status == TAC_STATUS_OK)
    record->recorder->options.level = record->level;
}

static void fill_recorder(struct tac_record *record, struct tac_member_reader *reader) {
  struct tac_recorder *recorder = record->recorder;
  const json_t *clock = json_object_get(record->root, "clock");
  for (size_t i = 0; i < record->event_count; i++) {
    recorder->stats[i] = record->events[i].stats;
    recorder->device_stats[i] = record->events[i].device;
  }
  tac_reader_at(reader, "clock");
  recorder->origin_ns = json_object_get(clock, "origin_ns") ? tac_read_time(reader, clock, "origin_ns") : 0;
  tac_reader_at(reader, "");
  recorder->slots_dropped = (uint64_t)tac_read_count(reader, record->root, "slots_dropped", TAC_MEMBER_OPTIONAL);
  recorder->dropped = tac_read_number(reader, record->root, "dropped");
  recorder->mismatches = tac_read_number(reader, record->root, "mismatches");
  recorder->device_lost = (uint64_t)tac_read_count(reader, record->root, "device_lost", TAC_MEMBER_OPTIONAL);
}

void tac_record_restore(struct tac_record *record, struct tac_member_reader *reader) {
  read_clock(record, reader);
  mark_batched(record, reader);
  if (reader->status == TAC_STATUS_OK)
    make_set(record, reader);
  if (reader->status == TAC_STATUS_OK)
    make_recorder(record, reader);
  if (reader->status == TAC_STATUS_OK)
    fill_recorder(record, reader);
  if (reader->status == TAC_STATUS_OK)
    tac_record_restore_summaries(record, reader);
  if (reader->status == TAC_STATUS_OK)
    tac_record_restore_batches(record, reader);
  if (reader->status == TAC_STATUS_OK)
    tac_record_restore_timeline(record, reader);
}
