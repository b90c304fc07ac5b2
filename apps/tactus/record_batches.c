/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <limits.h>
#include <string.h>

#include "apps/tactus/record_parts.h"
#include "measure/recorder.h"

static uint64_t count_of(struct tac_member_reader *reader, const json_t *value, const char *key) {
  return (uint64_t)tac_read_count(reader, value, key, TAC_MEMBER_REQUIRED);
}

static int64_t time_of(struct tac_member_reader *reader, const json_t *value, const char *key) {
  return tac_read_count(reader, value, key, TAC_MEMBER_REQUIRED);
}

static struct tac_device_record device_record(struct tac_member_reader *reader, const json_t *value) {
  const json_t *device = tac_read_object(reader, value, "device", TAC_MEMBER_OPTIONAL);
  if (!device)
    return (struct tac_device_record){0};
  return (struct tac_device_record){.commands = count_of(reader, device, "commands"),
                                    .items = count_of(reader, device, "items"),
                                    .peak_overlap = count_of(reader, device, "peak_overlap"),
                                    .begin_ns = tac_read_time(reader, device, "begin_ns"),
                                    .wall_ns = time_of(reader, device, "wall_ns"),
                                    .total_ns = time_of(reader, device, "total_ns"),
                                    .busy_ns = time_of(reader, device, "busy_ns"),
                                    .item_max_ns = time_of(reader, device, "item_max_ns"),
                                    .slowest_index = count_of(reader, device, "slowest_index")};
}

static int status_of(struct tac_member_reader *reader, const json_t *value) {
  const char *name = tac_read_text(reader, value, "status", TAC_MEMBER_REQUIRED);
  return name ? tac_record_find_status(reader, "status", name) : TAC_STATUS_OK;
}

static int lanes_of(struct tac_member_reader *reader, const json_t *value) {
  const int64_t lanes = tac_read_count(reader, value, "lanes", TAC_MEMBER_REQUIRED);
  if (lanes > INT_MAX)
    tac_reader_fail(reader, "lanes", "is too large");
  return (int)lanes;
}

static int event_of(const struct tac_record *record, struct tac_member_reader *reader, const json_t *value) {
  const char *name = tac_read_text(reader, value, "event", TAC_MEMBER_REQUIRED);
  const int event = name ? tac_record_find_event(record, name) : TAC_NO_EVENT;
  if (name && event == TAC_NO_EVENT)
    tac_reader_fail(reader, "event", "'%s' is none of the events", name);
  return event;
}

/* Older records do not number their batches: none was dropped before one that is kept. */
static uint64_t number_of(struct tac_member_reader *reader, const json_t *value, size_t number) {
  return json_object_get(value, "number") ? count_of(reader, value, "number") : number;
}

static struct tac_batch_record batch_of(const struct tac_record *record, struct tac_member_reader *reader, const json_t *value,
                                        size_t number) {
  return (struct tac_batch_record){
      .event = event_of(record, reader, value),
      .number = number_of(reader, value, number),
      .lanes = lanes_of(reader, value),
      .ran_inline = tac_read_flag(reader, value, "inline"),
      .status = status_of(reader, value),
      .submission = tac_read_flag(reader, value, "submission"),
      .requested = count_of(reader, value, "requested"),
      .started = count_of(reader, value, "started"),
      .completed = count_of(reader, value, "completed"),
      .peak_overlap = count_of(reader, value, "peak_overlap"),
      .begin_ns = tac_read_time(reader, value, "begin_ns"),
      .wall_ns = time_of(reader, value, "wall_ns"),
      .item_total_ns = time_of(reader, value, "item_total_ns"),
      .item_max_ns = time_of(reader, value, "item_max_ns"),
      .first_start_delay_ns = time_of(reader, value, "first_start_delay_ns"),
      .start_spread_ns = time_of(reader, value, "start_spread_ns"),
      .finish_spread_ns = time_of(reader, value, "finish_spread_ns"),
      .return_after_last_finish_ns = time_of(reader, value, "return_after_last_finish_ns"),
      .slowest_index = count_of(reader, value, "slowest_index"),
      .device = device_record(reader, value),
  };
}

static void restore_batch(struct tac_record *record, struct tac_member_reader *reader, const json_t *batches, size_t number) {
  struct tac_recorder *recorder = record->recorder;
  const json_t *value = tac_read_element(reader, batches, "batches", number);
  struct tac_kept_batch *batch = &recorder->batches[recorder->batch_count++];
  char place[sizeof reader->place];
  memcpy(place, reader->place, sizeof place);
  batch->record = batch_of(record, reader, value, number);
  tac_record_restore_items(record, reader, batch, value, place);
  tac_record_restore_commands(record, reader, batch, value, place);
}

void tac_record_restore_batches(struct tac_record *record, struct tac_member_reader *reader) {
  const json_t *batches = tac_read_array(reader, record->root, "batches", TAC_MEMBER_REQUIRED);
  const size_t count = json_array_size(batches);
  struct tac_recorder *recorder = record->recorder;
  if (count > 0)
    recorder->batches = tac_record_allocate(record, reader, count, sizeof *recorder->batches);
  recorder->batch_capacity = recorder->batches ? count : 0;
  tac_record_restore_labels(record, reader);
  for (size_t i = 0; i < count && reader->status == TAC_STATUS_OK; i++)
    restore_batch(record, reader, batches, i);
  tac_reader_at(reader, "");
}
