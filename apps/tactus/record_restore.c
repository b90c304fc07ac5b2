/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <stdlib.h>
#include <string.h>

#include "apps/tactus/record_parts.h"
#include "measure/recorder.h"

/* Whoever measures the resolution of this clock finds the one that was recorded. */
static int64_t tick(void *context) {
  struct tac_record_ticks *ticks = context;
  return ticks->now_ns += ticks->step_ns;
}

static void read_clock(struct tac_record *record, struct tac_member_reader *reader) {
  const json_t *clock = tac_read_object(reader, record->root, "clock", TAC_MEMBER_REQUIRED);
  tac_reader_at(reader, "clock");
  record->clock = (struct tac_clock){tac_read_text(reader, clock, "name", TAC_MEMBER_REQUIRED), tick, &record->ticks};
  record->ticks.step_ns = tac_read_count(reader, clock, "resolution_ns", TAC_MEMBER_REQUIRED);
  tac_reader_at(reader, "");
}

static void fail_memory(struct tac_member_reader *reader) {
  reader->status = tac_error_set(reader->error, TAC_STATUS_MEMORY, "file", "no memory for its measurements");
}

static void make_set(struct tac_record *record, struct tac_member_reader *reader) {
  record->set_events = calloc(record->event_count + 1, sizeof *record->set_events);
  if (!record->set_events) {
    fail_memory(reader);
    return;
  }
  for (size_t i = 0; i < record->event_count; i++) {
    const struct tac_record_event *event = &record->events[i];
    record->set_events[i] = (struct tac_event){event->name, event->parent, event->batched != 0};
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
           (record->events[event].batched || strcmp(record->events[event].name, name) != 0))
      event++;
    if (name && event == record->event_count)
      tac_reader_fail(reader, "event", "'%s' is none of the events, or has its summary", name);
    else if (name)
      record->events[event].batched = 1;
  }
  tac_reader_at(reader, "");
}

/* The recorder's hooks are long gone: only the name of their level is told. */
static void make_recorder(struct tac_record *record, struct tac_member_reader *reader) {
  struct tac_recorder_options options;
  tac_recorder_options_init(&options);
  options.events = &record->set;
  options.clock = &record->clock;
  options.batch_limit = json_array_size(json_object_get(record->root, "batches"));
  reader->status = tac_recorder_create(&record->recorder, &options, reader->error);
  if (reader->status == TAC_STATUS_OK)
    record->recorder->options.level = record->level;
}

static void fill_recorder(struct tac_record *record, struct tac_member_reader *reader) {
  struct tac_recorder *recorder = record->recorder;
  for (size_t i = 0; i < record->event_count; i++) {
    recorder->stats[i] = record->events[i].stats;
    recorder->device_stats[i] = record->events[i].device;
  }
  recorder->dropped = (uint64_t)tac_read_count(reader, record->root, "dropped", TAC_MEMBER_REQUIRED);
  recorder->mismatches = (uint64_t)tac_read_count(reader, record->root, "mismatches", TAC_MEMBER_REQUIRED);
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
    tac_record_restore_batches(record, reader);
}
