/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <string.h>

#include "apps/tactus/record_parts.h"
#include "measure/recorder.h"
#include "runtime/executor_options.h"

static struct tac_device_record device_record(struct tac_member_reader *reader, const json_t *value) {
  const json_t *device = tac_read_object(reader, value, "device", TAC_MEMBER_OPTIONAL);
  if (!device)
    return (struct tac_device_record){0};
  return (struct tac_device_record){.commands = tac_read_number(reader, device, "commands"),
                                    .items = tac_read_number(reader, device, "items"),
                                    .peak_overlap = tac_read_number(reader, device, "peak_overlap"),
                                    .begin_ns = tac_read_time(reader, device, "begin_ns"),
                                    .wall_ns = tac_read_duration(reader, device, "wall_ns"),
                                    .total_ns = tac_read_duration(reader, device, "total_ns"),
                                    .busy_ns = tac_read_duration(reader, device, "busy_ns"),
                                    .item_max_ns = tac_read_duration(reader, device, "item_max_ns"),
                                    .slowest_index = tac_read_number(reader, device, "slowest_index")};
}

static int status_of(struct tac_member_reader *reader, const json_t *value) {
  const char *name = tac_read_text(reader, value, "status", TAC_MEMBER_REQUIRED);
  return name ? tac_record_find_status(reader, "status", name) : TAC_STATUS_OK;
}

static int lanes_of(struct tac_member_reader *reader, const json_t *value) {
  const int64_t lanes = tac_read_count(reader, value, "lanes", TAC_MEMBER_REQUIRED);
  if (lanes > TAC_EXECUTOR_LANES_MAX)
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
  return json_object_get(value, "number") ? tac_read_number(reader, value, "number") : number;
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
      .requested = tac_read_number(reader, value, "requested"),
      .started = tac_read_number(reader, value, "started"),
      .completed = tac_read_number(reader, value, "completed"),
      .peak_overlap = tac_read_number(reader, value, "peak_overlap"),
      .begin_ns = tac_read_time(reader, value, "begin_ns"),
      .wall_ns = tac_read_duration(reader, value, "wall_ns"),
      .item_total_ns = tac_read_duration(reader, value, "item_total_ns"),
      .item_max_ns = tac_read_duration(reader, value, "item_max_ns"),
      .first_start_delay_ns = tac_read_duration(reader, value, "first_start_delay_ns"),
      .start_spread_ns = tac_read_duration(reader, value, "start_spread_ns"),
      .finish_spread_ns = tac_read_duration(reader, value, "finish_spread_ns"),
      .return_after_last_finish_ns = tac_read_duration(reader, value, "return_after_last_finish_ns"),
      .slowest_index = tac_read_number(reader, value, "slowest_index"),
      .device = device_record(reader, value),
  };
}

/* Batches of a recorder run one after the other, from its begin on. */
static void check_order(const struct tac_record *record, struct tac_member_reader *reader, const struct tac_batch_record *batch,
                        const struct tac_batch_record *before) {
  if (batch->number >= record->recorder->batches_ran)
    tac_reader_fail(reader, "number", "is %llu, and the summaries are of %llu in all", (unsigned long long)batch->number,
                    (unsigned long long)record->recorder->batches_ran);
  if (before && batch->number <= before->number)
    tac_reader_fail(reader, "number", "is not above that of the batch before it");
  if (before && batch->begin_ns < before->begin_ns + before->wall_ns)
    tac_reader_fail(reader, "begin_ns", "is before the end of the batch before it");
  if (json_object_get(json_object_get(record->root, "clock"), "origin_ns") && batch->begin_ns < record->recorder->origin_ns)
    tac_reader_fail(reader, "begin_ns", "is before the begin of the record");
}

static void check_counts(struct tac_member_reader *reader, const struct tac_batch_record *batch) {
  if (batch->started > batch->requested)
    tac_reader_fail(reader, "started", "is more than requested");
  if (batch->completed > batch->started)
    tac_reader_fail(reader, "completed", "is more than started");
  if (batch->slowest_index >= batch->requested && batch->completed > 0)
    tac_reader_fail(reader, "slowest_index", "is the number of no item");
  if (batch->item_max_ns > batch->item_total_ns)
    tac_reader_fail(reader, "item_max_ns", "is more than item_total_ns");
}

static void restore_batch(struct tac_record *record, struct tac_member_reader *reader, const json_t *batches, size_t number) {
  struct tac_recorder *recorder = record->recorder;
  const json_t *value = tac_read_element(reader, batches, "batches", number);
  const struct tac_batch_record *before = number > 0 ? &recorder->batches[number - 1].record : NULL;
  struct tac_kept_batch *batch = &recorder->batches[recorder->batch_count++];
  char place[sizeof reader->place];
  memcpy(place, reader->place, sizeof place);
  batch->record = batch_of(record, reader, value, number);
  check_order(record, reader, &batch->record, before);
  check_counts(reader, &batch->record);
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
