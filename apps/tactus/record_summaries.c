/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <math.h>
#include <string.h>

#include "apps/tactus/record_parts.h"
#include "measure/recorder.h"

static struct tac_device_summary device_summary(struct tac_member_reader *reader, const json_t *value) {
  const json_t *device = tac_read_object(reader, value, "device", TAC_MEMBER_OPTIONAL);
  if (!device)
    return (struct tac_device_summary){0};
  return (struct tac_device_summary){.batches = tac_read_number(reader, device, "batches"),
                                     .commands = tac_read_number(reader, device, "commands"),
                                     .items = tac_read_number(reader, device, "items"),
                                     .peak_overlap = tac_read_number(reader, device, "peak_overlap"),
                                     .wall_ns = tac_read_duration(reader, device, "wall_ns"),
                                     .total_ns = tac_read_duration(reader, device, "total_ns"),
                                     .busy_ns = tac_read_duration(reader, device, "busy_ns"),
                                     .item_max_ns = tac_read_duration(reader, device, "item_max_ns")};
}

static struct tac_batch_summary summary_of(struct tac_member_reader *reader, const json_t *value) {
  const double lane_busy_mean_ns = tac_read_real(reader, value, "lane_busy_mean_ns", TAC_MEMBER_OPTIONAL);
  return (struct tac_batch_summary){
      .batches = tac_read_number(reader, value, "batches"),
      .ran_inline = tac_read_number(reader, value, "ran_inline"),
      .failed = tac_read_number(reader, value, "failed"),
      .submissions = tac_read_number(reader, value, "submissions"),
      .requested = tac_read_number(reader, value, "requested"),
      .started = tac_read_number(reader, value, "started"),
      .completed = tac_read_number(reader, value, "completed"),
      .peak_overlap = tac_read_number(reader, value, "peak_overlap"),
      .wall_ns = tac_read_duration(reader, value, "wall_ns"),
      .lane_wall_ns = tac_read_duration(reader, value, "lane_wall_ns"),
      .item_total_ns = tac_read_duration(reader, value, "item_total_ns"),
      .item_max_ns = tac_read_duration(reader, value, "item_max_ns"),
      .first_start_delay_max_ns = tac_read_duration(reader, value, "first_start_delay_max_ns"),
      .start_spread_max_ns = tac_read_duration(reader, value, "start_spread_max_ns"),
      .finish_spread_max_ns = tac_read_duration(reader, value, "finish_spread_max_ns"),
      .return_after_last_finish_ns = tac_read_duration(reader, value, "return_after_last_finish_ns"),
      .lane_busy_max_ns = json_object_get(value, "lane_busy_max_ns") ? tac_read_duration(reader, value, "lane_busy_max_ns") : 0,
      .lane_busy_mean_ns = isnan(lane_busy_mean_ns) ? 0 : lane_busy_mean_ns,
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

static void restore_slowest(struct tac_member_reader *reader, struct tac_batch_summary *summary, const json_t *value) {
  const json_t *slowest = tac_read_object(reader, value, "slowest", TAC_MEMBER_OPTIONAL);
  if (!slowest)
    return;
  summary->slowest_batch = tac_read_number(reader, slowest, "batch");
  summary->slowest_index = tac_read_number(reader, slowest, "index");
}

/* Pairs of a bucket's shortest duration and its count. */
static void restore_histogram(struct tac_record *record, struct tac_member_reader *reader, const json_t *value, size_t event) {
  const json_t *pairs = tac_read_array(reader, value, "item_histogram_ns", TAC_MEMBER_OPTIONAL);
  struct tac_histogram *histogram = pairs ? tac_record_allocate(record, reader, 1, sizeof *histogram) : NULL;
  record->recorder->histograms[event] = histogram;
  for (size_t i = 0; histogram && i < json_array_size(pairs); i++) {
    const json_t *pair = json_array_get(pairs, i);
    const json_int_t least_ns = json_integer_value(json_array_get(pair, 0)),
                     count = json_integer_value(json_array_get(pair, 1));
    const size_t bucket = tac_histogram_bucket(least_ns);
    if (json_array_size(pair) != 2 || count <= 0 || tac_histogram_least_ns(bucket) != least_ns) {
      tac_reader_fail(reader, "item_histogram_ns", "its element %zu is no bucket with its count", i);
      return;
    }
    histogram->count[bucket] += (uint64_t)count;
  }
}

/* In the order in which the events were marked, which is that of the record. */
void tac_record_restore_summaries(struct tac_record *record, struct tac_member_reader *reader) {
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
        record->recorder->batches_ran += summary.batches;
        record->events[event].items = items;
        restore_histogram(record, reader, value, event);
        restore_slowest(reader, &record->recorder->summaries[event], value);
        break;
      }
  }
  tac_reader_at(reader, "");
}
