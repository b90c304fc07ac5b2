/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <tactus/measure/report.h>

#include <string.h>

#include <jansson.h>

#include "measure/recorder.h"
#include "measure/text.h"

static const char domain[] = "host_wall";

/* Whatever fails in the JSON library on the way is want of memory; it is looked at once, at the end. */
struct builder {
  const struct tac_recorder *recorder;
  int failed;
};

static void set(struct builder *builder, json_t *object, const char *key, json_t *value) {
  if (json_object_set_new(object, key, value) != 0)
    builder->failed = 1;
}

static void append(struct builder *builder, json_t *array, json_t *value) {
  if (json_array_append_new(array, value) != 0)
    builder->failed = 1;
}

static void set_time(struct builder *builder, json_t *object, const char *key, int64_t time_ns) {
  set(builder, object, key, json_integer(time_ns));
}

static void set_count(struct builder *builder, json_t *object, const char *key, uint64_t count) {
  set(builder, object, key, json_integer(count <= INT64_MAX ? (json_int_t)count : INT64_MAX));
}

/* A text of any bytes: what is not UTF-8 is replaced here, what needs escaping the library escapes. */
static void set_text(struct builder *builder, json_t *object, const char *key, const char *text) {
  char *repaired = tac_recorder_allocate(builder->recorder, 3 * strlen(text) + TAC_CHARACTER_BYTES);
  if (!repaired) {
    builder->failed = 1;
    return;
  }
  char *end = repaired;
  while (tac_utf8_next(&text, end) != 0)
    end += strlen(end);
  set(builder, object, key, json_string(repaired));
  tac_recorder_release(builder->recorder, repaired);
}

static void set_event_name(struct builder *builder, json_t *object, const char *key, int event) {
  if (event == TAC_NO_EVENT)
    set(builder, object, key, json_null());
  else
    set_text(builder, object, key, builder->recorder->options.events->events[event].name);
}

static json_t *event_value(struct builder *builder, int event) {
  const struct tac_event_stats *stats = &builder->recorder->stats[event];
  json_t *value = json_object();
  set_event_name(builder, value, "name", event);
  set_event_name(builder, value, "parent", builder->recorder->options.events->events[event].parent);
  set_count(builder, value, "count", stats->count);
  set_time(builder, value, "total_ns", stats->total_ns);
  set(builder, value, "mean_ns", json_real(tac_event_stats_mean_ns(stats)));
  set_time(builder, value, "min_ns", stats->min_ns);
  set_time(builder, value, "max_ns", stats->max_ns);
  set_text(builder, value, "domain", domain);
  return value;
}

static json_t *batch_value(struct builder *builder, const struct tac_batch_record *record) {
  json_t *value = json_object();
  set_event_name(builder, value, "event", record->event);
  set_count(builder, value, "requested", record->requested);
  set_count(builder, value, "started", record->started);
  set_count(builder, value, "completed", record->completed);
  set_time(builder, value, "begin_ns", record->begin_ns);
  set_time(builder, value, "wall_ns", record->wall_ns);
  set_time(builder, value, "item_total_ns", record->item_total_ns);
  set_time(builder, value, "item_max_ns", record->item_max_ns);
  set_count(builder, value, "slowest_index", record->slowest_index);
  set_time(builder, value, "first_start_delay_ns", record->first_start_delay_ns);
  set_time(builder, value, "start_spread_ns", record->start_spread_ns);
  set_time(builder, value, "finish_spread_ns", record->finish_spread_ns);
  set_time(builder, value, "return_after_last_finish_ns", record->return_after_last_finish_ns);
  set_count(builder, value, "peak_overlap", record->peak_overlap);
  set(builder, value, "lanes", json_integer(record->lanes));
  set(builder, value, "inline", json_boolean(record->ran_inline));
  set_text(builder, value, "status", tac_status_name((enum tac_status)record->status));
  set_text(builder, value, "domain", domain);
  return value;
}

static json_t *summary_value(struct builder *builder, int event) {
  const struct tac_batch_summary *summary = &builder->recorder->summaries[event];
  json_t *value = json_object();
  set_event_name(builder, value, "event", event);
  set_count(builder, value, "batches", summary->batches);
  set_count(builder, value, "ran_inline", summary->ran_inline);
  set_count(builder, value, "failed", summary->failed);
  set_count(builder, value, "requested", summary->requested);
  set_count(builder, value, "started", summary->started);
  set_count(builder, value, "completed", summary->completed);
  set_count(builder, value, "peak_overlap", summary->peak_overlap);
  set_time(builder, value, "wall_ns", summary->wall_ns);
  set_time(builder, value, "lane_wall_ns", summary->lane_wall_ns);
  set_time(builder, value, "item_total_ns", summary->item_total_ns);
  set_time(builder, value, "item_max_ns", summary->item_max_ns);
  set_time(builder, value, "first_start_delay_max_ns", summary->first_start_delay_max_ns);
  set_time(builder, value, "start_spread_max_ns", summary->start_spread_max_ns);
  set_time(builder, value, "finish_spread_max_ns", summary->finish_spread_max_ns);
  set_time(builder, value, "return_after_last_finish_ns", summary->return_after_last_finish_ns);
  set(builder, value, "idle_share", json_real(tac_batch_summary_idle_share(summary)));
  set_text(builder, value, "domain", domain);
  return value;
}

static json_t *clock_value(struct builder *builder) {
  const struct tac_clock *clock = builder->recorder->options.clock;
  json_t *value = json_object();
  set_text(builder, value, "name", clock->name ? clock->name : "unnamed");
  set_time(builder, value, "resolution_ns", tac_clock_resolution_ns(clock, 0));
  return value;
}

static json_t *recorder_value(struct builder *builder) {
  const struct tac_recorder *recorder = builder->recorder;
  json_t *value = json_object(), *events = json_array(), *batches = json_array(), *summaries = json_array();
  for (size_t i = 0; i < recorder->options.events->count; i++) {
    if (recorder->stats[i].count > 0)
      append(builder, events, event_value(builder, (int)i));
    if (recorder->summaries[i].batches > 0)
      append(builder, summaries, summary_value(builder, (int)i));
  }
  for (size_t i = 0; i < recorder->batch_count; i++)
    append(builder, batches, batch_value(builder, &recorder->batches[i].record));
  set(builder, value, "schema", json_integer(TAC_JSON_SCHEMA));
  set_text(builder, value, "level", tac_level_name(recorder->options.level));
  set(builder, value, "clock", clock_value(builder));
  set(builder, value, "events", events);
  set(builder, value, "batches", batches);
  set(builder, value, "batch_summaries", summaries);
  set_count(builder, value, "dropped", recorder->dropped);
  set_count(builder, value, "mismatches", recorder->mismatches);
  return value;
}

struct output {
  tac_sink_fn sink;
  void *context;
  int refused;
};

static int write_piece(const char *text, size_t bytes, void *context) {
  struct output *output = context;
  if (!output->refused) /* the library may come back after a refusal */
    output->refused = output->sink(output->context, text, bytes) != 0;
  return output->refused ? -1 : 0;
}

static enum tac_status write_json(const struct tac_recorder *recorder, tac_sink_fn sink, void *context, size_t flags,
                                  const char *where, struct tac_error *error) {
  if (!recorder || !sink)
    return tac_error_set(error, TAC_STATUS_INVALID, where, "no recorder, or no sink");
  struct builder builder = {.recorder = recorder};
  struct output output = {.sink = sink, .context = context};
  json_t *value = recorder_value(&builder);
  if (!builder.failed && json_dump_callback(value, write_piece, &output, flags | JSON_COMPACT) != 0)
    builder.failed = !output.refused;
  json_decref(value);
  if (output.refused)
    return tac_error_set(error, TAC_STATUS_IO, where, "the sink of the report refused a piece");
  return builder.failed ? tac_error_set(error, TAC_STATUS_MEMORY, where, "no memory to write the report as JSON")
                        : TAC_STATUS_OK;
}

enum tac_status tac_report_json(const struct tac_recorder *recorder, tac_sink_fn sink, void *context, struct tac_error *error) {
  return write_json(recorder, sink, context, 0, __func__, error);
}

enum tac_status tac_report_json_members(const struct tac_recorder *recorder, tac_sink_fn sink, void *context,
                                        struct tac_error *error) {
  return write_json(recorder, sink, context, JSON_EMBED, __func__, error);
}
