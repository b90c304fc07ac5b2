/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <limits.h>
#include <math.h>
#include <string.h>

#include "apps/tactus/record_parts.h"
#include "measure/recorder.h"

static uint64_t count_of(struct tac_member_reader *reader, const json_t *value, const char *key) {
  return (uint64_t)tac_read_count(reader, value, key, TAC_MEMBER_REQUIRED);
}

static int64_t time_of(struct tac_member_reader *reader, const json_t *value, const char *key) {
  return tac_read_count(reader, value, key, TAC_MEMBER_REQUIRED);
}

static struct tac_device_summary device_summary(struct tac_member_reader *reader, const json_t *value) {
  const json_t *device = tac_read_object(reader, value, "device", TAC_MEMBER_OPTIONAL);
  if (!device)
    return (struct tac_device_summary){0};
  return (struct tac_device_summary){.batches = count_of(reader, device, "batches"),
                                     .commands = count_of(reader, device, "commands"),
                                     .items = count_of(reader, device, "items"),
                                     .peak_overlap = count_of(reader, device, "peak_overlap"),
                                     .wall_ns = time_of(reader, device, "wall_ns"),
                                     .total_ns = time_of(reader, device, "total_ns"),
                                     .busy_ns = time_of(reader, device, "busy_ns"),
                                     .item_max_ns = time_of(reader, device, "item_max_ns")};
}

static struct tac_batch_summary summary_of(struct tac_member_reader *reader, const json_t *value) {
  return (struct tac_batch_summary){
      .batches = count_of(reader, value, "batches"),
      .ran_inline = count_of(reader, value, "ran_inline"),
      .failed = count_of(reader, value, "failed"),
      .submissions = count_of(reader, value, "submissions"),
      .requested = count_of(reader, value, "requested"),
      .started = count_of(reader, value, "started"),
      .completed = count_of(reader, value, "completed"),
      .peak_overlap = count_of(reader, value, "peak_overlap"),
      .wall_ns = time_of(reader, value, "wall_ns"),
      .lane_wall_ns = time_of(reader, value, "lane_wall_ns"),
      .item_total_ns = time_of(reader, value, "item_total_ns"),
      .item_max_ns = time_of(reader, value, "item_max_ns"),
      .first_start_delay_max_ns = time_of(reader, value, "first_start_delay_max_ns"),
      .start_spread_max_ns = time_of(reader, value, "start_spread_max_ns"),
      .finish_spread_max_ns = time_of(reader, value, "finish_spread_max_ns"),
      .return_after_last_finish_ns = time_of(reader, value, "return_after_last_finish_ns"),
      .device = device_summary(reader, value),
  };
}

/* Item times of a submission are none of work, and the record gives no share and no imbalance for them. */
static struct tac_record_items items_of(struct tac_member_reader *reader, const json_t *value,
                                        const struct tac_batch_summary *summary) {
  return (struct tac_record_items){.idle_share = tac_read_real(reader, value, "idle_share", TAC_MEMBER_OPTIONAL),
                                   .imbalance = tac_read_real(reader, value, "imbalance", TAC_MEMBER_OPTIONAL),
                                   .p50_ns = tac_read_real(reader, value, "item_p50_ns", TAC_MEMBER_OPTIONAL),
                                   .p90_ns = tac_read_real(reader, value, "item_p90_ns", TAC_MEMBER_OPTIONAL),
                                   .p99_ns = tac_read_real(reader, value, "item_p99_ns", TAC_MEMBER_OPTIONAL),
                                   .max_ns = summary->completed > 0 ? (double)summary->item_max_ns : NAN};
}

/* In the order in which the events were marked, which is that of the record. */
static void restore_summaries(struct tac_record *record, struct tac_member_reader *reader) {
  const json_t *summaries = json_object_get(record->root, "batch_summaries");
  for (size_t i = 0; i < json_array_size(summaries) && reader->status == TAC_STATUS_OK; i++) {
    const json_t *value = tac_read_element(reader, summaries, "batch_summaries", i);
    const char *name = tac_read_text(reader, value, "event", TAC_MEMBER_REQUIRED);
    const struct tac_batch_summary summary = summary_of(reader, value);
    const struct tac_record_items items = items_of(reader, value, &summary);
    if (summary.batches == 0)
      tac_reader_fail(reader, "batches", "is 0");
    for (size_t event = 0; event < record->event_count && reader->status == TAC_STATUS_OK; event++)
      if (record->recorder->summaries[event].batches == 0 && strcmp(record->events[event].name, name) == 0) {
        record->recorder->summaries[event] = summary;
        record->events[event].items = items;
        break;
      }
  }
  tac_reader_at(reader, "");
}

static struct tac_device_record device_record(struct tac_member_reader *reader, const json_t *value) {
  const json_t *device = tac_read_object(reader, value, "device", TAC_MEMBER_OPTIONAL);
  if (!device)
    return (struct tac_device_record){0};
  return (struct tac_device_record){.commands = count_of(reader, device, "commands"),
                                    .items = count_of(reader, device, "items"),
                                    .peak_overlap = count_of(reader, device, "peak_overlap"),
                                    .begin_ns = tac_read_integer(reader, device, "begin_ns"),
                                    .wall_ns = time_of(reader, device, "wall_ns"),
                                    .total_ns = time_of(reader, device, "total_ns"),
                                    .busy_ns = time_of(reader, device, "busy_ns"),
                                    .item_max_ns = time_of(reader, device, "item_max_ns"),
                                    .slowest_index = count_of(reader, device, "slowest_index")};
}

static int status_of(struct tac_member_reader *reader, const json_t *value) {
  const char *name = tac_read_text(reader, value, "status", TAC_MEMBER_REQUIRED);
  for (int status = TAC_STATUS_OK; name && status <= TAC_STATUS_DEVICE; status++)
    if (strcmp(tac_status_name((enum tac_status)status), name) == 0)
      return status;
  if (name)
    tac_reader_fail(reader, "status", "'%s' is no status", name);
  return TAC_STATUS_OK;
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

static struct tac_batch_record batch_of(const struct tac_record *record, struct tac_member_reader *reader,
                                        const json_t *value) {
  return (struct tac_batch_record){
      .event = event_of(record, reader, value),
      .lanes = lanes_of(reader, value),
      .ran_inline = tac_read_flag(reader, value, "inline"),
      .status = status_of(reader, value),
      .submission = tac_read_flag(reader, value, "submission"),
      .requested = count_of(reader, value, "requested"),
      .started = count_of(reader, value, "started"),
      .completed = count_of(reader, value, "completed"),
      .peak_overlap = count_of(reader, value, "peak_overlap"),
      .begin_ns = tac_read_integer(reader, value, "begin_ns"),
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

static int make_room(struct tac_recorder *recorder, size_t count) {
  if (count == 0)
    return 1;
  recorder->batches = tac_recorder_allocate(recorder, count * sizeof *recorder->batches);
  if (!recorder->batches)
    return 0;
  memset(recorder->batches, 0, count * sizeof *recorder->batches);
  recorder->batch_capacity = count;
  return 1;
}

void tac_record_restore_batches(struct tac_record *record, struct tac_member_reader *reader) {
  const json_t *batches = tac_read_array(reader, record->root, "batches", TAC_MEMBER_REQUIRED);
  struct tac_recorder *recorder = record->recorder;
  restore_summaries(record, reader);
  if (reader->status == TAC_STATUS_OK && !make_room(recorder, json_array_size(batches)))
    reader->status = tac_error_set(reader->error, TAC_STATUS_MEMORY, "file", "no memory for its batches");
  for (size_t i = 0; i < json_array_size(batches) && reader->status == TAC_STATUS_OK; i++) {
    const json_t *value = tac_read_element(reader, batches, "batches", i);
    recorder->batches[recorder->batch_count++].record = batch_of(record, reader, value);
  }
  tac_reader_at(reader, "");
}
