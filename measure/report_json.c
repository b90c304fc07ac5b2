/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <tactus/measure/report.h>

#include "measure/json_value.h"
#include "measure/recorder.h"

struct builder {
  struct tac_value_builder json;
  const struct tac_recorder *recorder;
};

static void set_event_name(struct builder *builder, json_t *object, const char *key, int event) {
  const struct tac_event *events = builder->recorder->options.events->events;
  tac_value_set_text(&builder->json, object, key, event == TAC_NO_EVENT ? NULL : events[event].name);
}

static json_t *device_stats_value(struct builder *builder, const struct tac_device_stats *stats) {
  json_t *value = json_object();
  tac_value_set_count(&builder->json, value, "batches", stats->batches);
  tac_value_set_count(&builder->json, value, "commands", stats->commands);
  tac_value_set_time(&builder->json, value, "busy_ns", stats->busy_ns);
  tac_value_set_time(&builder->json, value, "total_ns", stats->total_ns);
  tac_value_set_text(&builder->json, value, "domain", TAC_JSON_DEVICE_DOMAIN);
  return value;
}

static json_t *device_record_value(struct builder *builder, const struct tac_device_record *record) {
  json_t *value = json_object();
  tac_value_set_count(&builder->json, value, "commands", record->commands);
  tac_value_set_count(&builder->json, value, "items", record->items);
  tac_value_set_count(&builder->json, value, "peak_overlap", record->peak_overlap);
  tac_value_set_time(&builder->json, value, "begin_ns", record->begin_ns);
  tac_value_set_time(&builder->json, value, "wall_ns", record->wall_ns);
  tac_value_set_time(&builder->json, value, "busy_ns", record->busy_ns);
  tac_value_set_time(&builder->json, value, "total_ns", record->total_ns);
  tac_value_set_time(&builder->json, value, "item_max_ns", record->item_max_ns);
  tac_value_set_count(&builder->json, value, "slowest_index", record->slowest_index);
  tac_value_set_text(&builder->json, value, "domain", TAC_JSON_DEVICE_DOMAIN);
  return value;
}

static json_t *device_summary_value(struct builder *builder, const struct tac_device_summary *summary) {
  json_t *value = json_object();
  tac_value_set_count(&builder->json, value, "batches", summary->batches);
  tac_value_set_count(&builder->json, value, "commands", summary->commands);
  tac_value_set_count(&builder->json, value, "items", summary->items);
  tac_value_set_count(&builder->json, value, "peak_overlap", summary->peak_overlap);
  tac_value_set_time(&builder->json, value, "wall_ns", summary->wall_ns);
  tac_value_set_time(&builder->json, value, "busy_ns", summary->busy_ns);
  tac_value_set_time(&builder->json, value, "total_ns", summary->total_ns);
  tac_value_set_time(&builder->json, value, "item_max_ns", summary->item_max_ns);
  tac_value_set_text(&builder->json, value, "domain", TAC_JSON_DEVICE_DOMAIN);
  return value;
}

static json_t *event_value(struct builder *builder, int event) {
  const struct tac_event_stats *stats = &builder->recorder->stats[event];
  json_t *value = json_object();
  set_event_name(builder, value, "name", event);
  set_event_name(builder, value, "parent", builder->recorder->options.events->events[event].parent);
  tac_value_set_count(&builder->json, value, "count", stats->count);
  tac_value_set_time(&builder->json, value, "total_ns", stats->total_ns);
  tac_value_set(&builder->json, value, "mean_ns", json_real(tac_event_stats_mean_ns(stats)));
  tac_value_set_time(&builder->json, value, "min_ns", stats->min_ns);
  tac_value_set_time(&builder->json, value, "max_ns", stats->max_ns);
  tac_value_set_text(&builder->json, value, "domain", TAC_JSON_DOMAIN);
  if (builder->recorder->device_stats[event].commands > 0)
    tac_value_set(&builder->json, value, "device", device_stats_value(builder, &builder->recorder->device_stats[event]));
  return value;
}

static json_t *batch_value(struct builder *builder, const struct tac_batch_record *record) {
  json_t *value = json_object();
  set_event_name(builder, value, "event", record->event);
  tac_value_set_count(&builder->json, value, "requested", record->requested);
  tac_value_set_count(&builder->json, value, "started", record->started);
  tac_value_set_count(&builder->json, value, "completed", record->completed);
  tac_value_set_time(&builder->json, value, "begin_ns", record->begin_ns);
  tac_value_set_time(&builder->json, value, "wall_ns", record->wall_ns);
  tac_value_set_time(&builder->json, value, "item_total_ns", record->item_total_ns);
  tac_value_set_time(&builder->json, value, "item_max_ns", record->item_max_ns);
  tac_value_set_count(&builder->json, value, "slowest_index", record->slowest_index);
  tac_value_set_time(&builder->json, value, "first_start_delay_ns", record->first_start_delay_ns);
  tac_value_set_time(&builder->json, value, "start_spread_ns", record->start_spread_ns);
  tac_value_set_time(&builder->json, value, "finish_spread_ns", record->finish_spread_ns);
  tac_value_set_time(&builder->json, value, "return_after_last_finish_ns", record->return_after_last_finish_ns);
  tac_value_set_count(&builder->json, value, "peak_overlap", record->peak_overlap);
  tac_value_set(&builder->json, value, "lanes", json_integer(record->lanes));
  tac_value_set(&builder->json, value, "inline", json_boolean(record->ran_inline));
  tac_value_set_text(&builder->json, value, "status", tac_status_name((enum tac_status)record->status));
  tac_value_set_text(&builder->json, value, "domain", TAC_JSON_DOMAIN);
  tac_value_set(&builder->json, value, "submission", json_boolean(record->submission));
  if (record->device.commands > 0)
    tac_value_set(&builder->json, value, "device", device_record_value(builder, &record->device));
  return value;
}

static json_t *summary_value(struct builder *builder, int event) {
  const struct tac_batch_summary *summary = &builder->recorder->summaries[event];
  json_t *value = json_object();
  set_event_name(builder, value, "event", event);
  tac_value_set_count(&builder->json, value, "batches", summary->batches);
  tac_value_set_count(&builder->json, value, "ran_inline", summary->ran_inline);
  tac_value_set_count(&builder->json, value, "failed", summary->failed);
  tac_value_set_count(&builder->json, value, "requested", summary->requested);
  tac_value_set_count(&builder->json, value, "started", summary->started);
  tac_value_set_count(&builder->json, value, "completed", summary->completed);
  tac_value_set_count(&builder->json, value, "peak_overlap", summary->peak_overlap);
  tac_value_set_time(&builder->json, value, "wall_ns", summary->wall_ns);
  tac_value_set_time(&builder->json, value, "lane_wall_ns", summary->lane_wall_ns);
  tac_value_set_time(&builder->json, value, "item_total_ns", summary->item_total_ns);
  tac_value_set_time(&builder->json, value, "item_max_ns", summary->item_max_ns);
  tac_value_set_time(&builder->json, value, "first_start_delay_max_ns", summary->first_start_delay_max_ns);
  tac_value_set_time(&builder->json, value, "start_spread_max_ns", summary->start_spread_max_ns);
  tac_value_set_time(&builder->json, value, "finish_spread_max_ns", summary->finish_spread_max_ns);
  tac_value_set_time(&builder->json, value, "return_after_last_finish_ns", summary->return_after_last_finish_ns);
  tac_value_set(&builder->json, value, "idle_share",
                summary->submissions > 0 ? json_null() : json_real(tac_batch_summary_idle_share(summary)));
  tac_value_set_text(&builder->json, value, "domain", TAC_JSON_DOMAIN);
  tac_value_set_count(&builder->json, value, "submissions", summary->submissions);
  if (summary->device.batches > 0)
    tac_value_set(&builder->json, value, "device", device_summary_value(builder, &summary->device));
  return value;
}

static json_t *clock_value(struct builder *builder) {
  const struct tac_clock *clock = builder->recorder->options.clock;
  json_t *value = json_object();
  tac_value_set_text(&builder->json, value, "name", clock->name ? clock->name : "unnamed");
  tac_value_set_time(&builder->json, value, "resolution_ns", tac_clock_resolution_ns(clock, 0));
  return value;
}

static json_t *recorder_value(struct builder *builder) {
  const struct tac_recorder *recorder = builder->recorder;
  json_t *value = json_object(), *events = json_array(), *batches = json_array(), *summaries = json_array();
  for (size_t i = 0; i < recorder->options.events->count; i++) {
    if (recorder->stats[i].count > 0)
      tac_value_append(&builder->json, events, event_value(builder, (int)i));
    if (recorder->summaries[i].batches > 0)
      tac_value_append(&builder->json, summaries, summary_value(builder, (int)i));
  }
  for (size_t i = 0; i < recorder->batch_count; i++)
    tac_value_append(&builder->json, batches, batch_value(builder, &recorder->batches[i].record));
  tac_value_set(&builder->json, value, "schema", json_integer(TAC_JSON_SCHEMA));
  tac_value_set_text(&builder->json, value, "level", tac_level_name(recorder->options.level));
  tac_value_set(&builder->json, value, "clock", clock_value(builder));
  tac_value_set(&builder->json, value, "events", events);
  tac_value_set(&builder->json, value, "batches", batches);
  tac_value_set(&builder->json, value, "batch_summaries", summaries);
  tac_value_set_count(&builder->json, value, "dropped", recorder->dropped);
  tac_value_set_count(&builder->json, value, "mismatches", recorder->mismatches);
  if (tac_recorder_has_device(recorder))
    tac_value_set_text(&builder->json, value, "device_clock", "CLOCK_MONOTONIC");
  tac_value_set_count(&builder->json, value, "device_lost", recorder->device_lost);
  return value;
}

static enum tac_status write_json(const struct tac_recorder *recorder, tac_sink_fn sink, void *context, size_t flags,
                                  const char *where, struct tac_error *error) {
  if (!recorder || !sink)
    return tac_error_set(error, TAC_STATUS_INVALID, where, "no recorder, or no sink");
  struct builder builder = {.json = {.allocator = recorder->options.allocator}, .recorder = recorder};
  json_t *value = recorder_value(&builder);
  return tac_value_write(&builder.json, value, flags, sink, context, where, error);
}

enum tac_status tac_report_json(const struct tac_recorder *recorder, tac_sink_fn sink, void *context, struct tac_error *error) {
  return write_json(recorder, sink, context, 0, __func__, error);
}

enum tac_status tac_report_json_members(const struct tac_recorder *recorder, tac_sink_fn sink, void *context,
                                        struct tac_error *error) {
  return write_json(recorder, sink, context, JSON_EMBED, __func__, error);
}
