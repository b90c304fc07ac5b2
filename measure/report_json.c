/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <tactus/measure/report.h>

#include <stdlib.h>
#include <string.h>

#include "measure/record_cost.h"
#include "measure/recorder.h"
#include "measure/report_head.h"
#include "measure/report_json.h"
#include "measure/writer.h"

static json_t *device_stats_value(struct tac_report_builder *builder, const struct tac_device_stats *stats) {
  json_t *value = json_object();
  tac_value_set_count(&builder->json, value, "batches", stats->batches);
  tac_value_set_count(&builder->json, value, "commands", stats->commands);
  tac_value_set_time(&builder->json, value, "busy_ns", stats->busy_ns);
  tac_value_set_time(&builder->json, value, "total_ns", stats->total_ns);
  tac_value_set_text(&builder->json, value, "domain", TAC_JSON_DEVICE_DOMAIN);
  return value;
}

static json_t *device_summary_value(struct tac_report_builder *builder, const struct tac_device_summary *summary) {
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

static json_t *event_value(struct tac_report_builder *builder, int event) {
  const struct tac_event_stats *stats = &builder->recorder->stats[event];
  const int64_t exclusive_ns = tac_recorder_exclusive_ns(builder->recorder, event);
  json_t *value = json_object();
  tac_report_set_event(builder, value, "name", event);
  tac_report_set_event(builder, value, "parent", builder->recorder->options.events->events[event].parent);
  tac_value_set_count(&builder->json, value, "count", stats->count);
  tac_value_set_time(&builder->json, value, "total_ns", stats->total_ns);
  tac_value_set(&builder->json, value, "mean_ns", json_real(tac_event_stats_mean_ns(stats)));
  tac_value_set_time(&builder->json, value, "min_ns", stats->min_ns);
  tac_value_set_time(&builder->json, value, "max_ns", stats->max_ns);
  tac_value_set_time(&builder->json, value, "exclusive_ns", exclusive_ns);
  if (tac_recorder_has_children(builder->recorder, event))
    tac_value_set_time(&builder->json, value, "unmeasured_ns", exclusive_ns);
  tac_value_set(&builder->json, value, "batched", json_boolean(builder->recorder->options.events->events[event].batched));
  tac_value_set_text(&builder->json, value, "domain", TAC_JSON_DOMAIN);
  if (builder->recorder->device_stats[event].commands > 0)
    tac_value_set(&builder->json, value, "device", device_stats_value(builder, &builder->recorder->device_stats[event]));
  return value;
}

static void set_lanes(struct tac_report_builder *builder, json_t *value, const struct tac_batch_summary *summary) {
  const double imbalance = tac_batch_summary_imbalance(summary);
  tac_value_set_time(&builder->json, value, "lane_busy_max_ns", summary->lane_busy_max_ns);
  tac_value_set_real(&builder->json, value, "lane_busy_mean_ns", summary->lane_busy_mean_ns);
  tac_value_set(&builder->json, value, "imbalance", imbalance > 0 ? json_real(imbalance) : json_null());
}

static json_t *slowest_value(struct tac_report_builder *builder, const struct tac_batch_summary *summary) {
  if (summary->completed == 0)
    return json_null();
  json_t *value = json_object();
  tac_value_set_count(&builder->json, value, "batch", summary->slowest_batch);
  tac_value_set_count(&builder->json, value, "index", summary->slowest_index);
  tac_value_set_time(&builder->json, value, "duration_ns", summary->item_max_ns);
  return value;
}

/* Pairs of the shortest duration of a bucket and the number of items in it; empty buckets are left out. */
static json_t *histogram_value(struct tac_report_builder *builder, const struct tac_histogram *histogram) {
  json_t *value = json_array();
  for (size_t bucket = 0; histogram && bucket < TAC_HISTOGRAM_BUCKETS; bucket++) {
    if (histogram->count[bucket] == 0)
      continue;
    json_t *pair = json_array();
    tac_value_append(&builder->json, pair, json_integer(tac_histogram_least_ns(bucket)));
    tac_value_append(&builder->json, pair, json_integer((json_int_t)histogram->count[bucket]));
    tac_value_append(&builder->json, value, pair);
  }
  return value;
}

static void set_item_durations(struct tac_report_builder *builder, json_t *value, int event) {
  static const struct {
    const char *key;
    int thousandths;
  } percentiles[] = {{"item_p50_ns", 500}, {"item_p90_ns", 900}, {"item_p99_ns", 990}, {"item_p999_ns", 999}};
  for (size_t i = 0; i < sizeof percentiles / sizeof *percentiles; i++)
    tac_value_set_time(&builder->json, value, percentiles[i].key,
                       tac_recorder_item_percentile_ns(builder->recorder, event, percentiles[i].thousandths));
  tac_value_set(&builder->json, value, "item_histogram_ns", histogram_value(builder, builder->recorder->histograms[event]));
  tac_value_set(&builder->json, value, "slowest", slowest_value(builder, &builder->recorder->summaries[event]));
}

static json_t *summary_value(struct tac_report_builder *builder, int event) {
  const struct tac_batch_summary *summary = &builder->recorder->summaries[event];
  json_t *value = json_object();
  tac_report_set_event(builder, value, "event", event);
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
  set_lanes(builder, value, summary);
  set_item_durations(builder, value, event);
  tac_value_set_text(&builder->json, value, "domain", TAC_JSON_DOMAIN);
  tac_value_set_count(&builder->json, value, "submissions", summary->submissions);
  if (summary->device.batches > 0)
    tac_value_set(&builder->json, value, "device", device_summary_value(builder, &summary->device));
  return value;
}

static json_t *clock_value(struct tac_report_builder *builder) {
  const struct tac_clock *clock = builder->recorder->options.clock;
  json_t *value = json_object();
  tac_value_set_text(&builder->json, value, "name", clock->name ? clock->name : "unnamed");
  tac_value_set_time(&builder->json, value, "resolution_ns", tac_clock_resolution_ns(clock, 0));
  tac_value_set_time(&builder->json, value, "origin_ns", builder->recorder->origin_ns);
  return value;
}

static json_t *cost_value(struct tac_report_builder *builder) {
  struct tac_record_cost cost;
  json_t *value = json_object();
  if (tac_record_cost_measure(&cost, &builder->recorder->options, NULL) != TAC_STATUS_OK)
    builder->json.failed = 1;
  tac_value_set_real(&builder->json, value, "clock_read_ns", cost.clock_read_ns);
  tac_value_set_real(&builder->json, value, "phase_record_ns", cost.phase_record_ns);
  if (builder->recorder->options.level == TAC_DETAILED)
    tac_value_set_real(&builder->json, value, "item_record_ns", cost.item_record_ns);
  return value;
}

/* What stands before the batches. */
static json_t *head_value(struct tac_report_builder *builder) {
  const struct tac_recorder *recorder = builder->recorder;
  const struct tac_event_set *set = recorder->options.events;
  json_t *value = json_object(), *events = json_array(), *names = json_array();
  for (size_t i = 0; i < set->count; i++) {
    if (recorder->stats[i].count > 0)
      tac_value_append(&builder->json, events, event_value(builder, (int)i));
    tac_value_append(&builder->json, names, tac_value_text(&builder->json, set->events[i].name));
  }
  tac_value_set(&builder->json, value, "schema", json_integer(TAC_JSON_SCHEMA));
  tac_value_set_text(&builder->json, value, "level", tac_level_name(recorder->options.level));
  tac_value_set(&builder->json, value, "clock", clock_value(builder));
  tac_value_set(&builder->json, value, "cost", cost_value(builder));
  tac_value_set(&builder->json, value, "events", events);
  tac_value_set(&builder->json, value, "events_all", names);
  return value;
}

/* What has not ended is left out. */
static void set_timeline(struct tac_report_builder *builder, json_t *object) {
  const struct tac_timeline *timeline = &builder->recorder->timeline;
  json_t *value = json_object(), *events = json_array(), *begins = json_array(), *durations = json_array();
  for (size_t i = 0; i < timeline->count; i++) {
    const struct tac_timeline_entry *entry = &timeline->entry[i];
    if (entry->duration_ns < 0)
      continue;
    tac_value_append(&builder->json, events, json_integer(entry->event));
    tac_value_append(&builder->json, begins, json_integer(entry->begin_ns - builder->recorder->origin_ns));
    tac_value_append(&builder->json, durations, json_integer(entry->duration_ns));
  }
  tac_value_set(&builder->json, value, "event", events);
  tac_value_set(&builder->json, value, "begin_ns", begins);
  tac_value_set(&builder->json, value, "duration_ns", durations);
  tac_value_set(&builder->json, object, "timeline", value);
  tac_value_set_count(&builder->json, object, "timeline_dropped", timeline->dropped);
}

/* What stands after them. */
static json_t *tail_value(struct tac_report_builder *builder) {
  const struct tac_recorder *recorder = builder->recorder;
  json_t *value = json_object(), *summaries = json_array(), *labels = json_array();
  for (size_t i = 0; i < recorder->options.events->count; i++)
    if (recorder->summaries[i].batches > 0)
      tac_value_append(&builder->json, summaries, summary_value(builder, (int)i));
  for (size_t i = 0; i < recorder->labels.count; i++)
    tac_value_append(&builder->json, labels, tac_value_text(&builder->json, recorder->labels.labels[i]));
  tac_value_set(&builder->json, value, "batch_summaries", summaries);
  tac_value_set_count(&builder->json, value, "dropped", recorder->dropped);
  tac_value_set_count(&builder->json, value, "slots_dropped", recorder->slots_dropped);
  tac_value_set_count(&builder->json, value, "mismatches", recorder->mismatches);
  set_timeline(builder, value);
  if (tac_recorder_has_device(recorder)) {
    tac_value_set_text(&builder->json, value, "device_clock", "CLOCK_MONOTONIC");
    tac_value_set(&builder->json, value, "device_labels", labels);
  } else {
    json_decref(labels);
  }
  tac_value_set_count(&builder->json, value, "device_lost", recorder->device_lost);
  return value;
}

/* Batch by batch, so that no more than one is held twice. */
static void write_members(struct tac_report_builder *builder, struct tac_writer *writer) {
  tac_value_write_piece(&builder->json, head_value(builder), JSON_EMBED, writer);
  tac_write_text(writer, ",\"batches\":[");
  for (size_t i = 0; i < builder->recorder->batch_count && !builder->json.failed && !writer->refused; i++) {
    tac_write_text(writer, i > 0 ? ",\n" : "\n");
    tac_value_write_piece(&builder->json, tac_report_batch_value(builder, i), 0, writer);
  }
  tac_write_text(writer, "],");
  tac_value_write_piece(&builder->json, tail_value(builder), JSON_EMBED, writer);
}

/* A number where the text is one and the programs write one under that key. */
static json_t *fact_value(struct tac_report_builder *builder, const char *key, const char *text) {
  char *end = NULL;
  const long long number = strtoll(text, &end, 10);
  if ((strcmp(key, "lanes") == 0 || strcmp(key, "threads") == 0) && end != text && *end == '\0')
    return json_integer(number);
  return tac_value_text(&builder->json, text);
}

/* The members of "run" have the form that the programs give them: words of a command line, parts of `blas` and `device`. */
static void set_fact(struct tac_report_builder *builder, json_t *run, const struct tac_report_fact *fact) {
  static const struct {
    const char *key, *object, *member;
  } parts[] = {{"blas", "blas", "name"},
               {"blas_kernel", "blas", "kernel"},
               {"blas_threads", "blas", "threads"},
               {"device", "device", "name"}};
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
    if (strcmp(fact->key, parts[i].key) == 0) {
      if (!json_object_get(run, parts[i].object))
        tac_value_set(&builder->json, run, parts[i].object, json_object());
      tac_value_set(&builder->json, json_object_get(run, parts[i].object), parts[i].member,
                    fact_value(builder, parts[i].member, fact->value));
      return;
    }
  json_t *value = fact_value(builder, fact->key, fact->value);
  if (strcmp(fact->key, "command_line") == 0) {
    json_t *words = json_array();
    tac_value_append(&builder->json, words, value);
    value = words;
  }
  tac_value_set_named(&builder->json, run, fact->key, value);
}

static json_t *run_value(struct tac_report_builder *builder, const struct tac_report_facts *facts) {
  json_t *run = json_object();
  for (size_t i = 0; i < facts->count; i++)
    set_fact(builder, run, &facts->fact[i]);
  return run;
}

enum tac_status tac_report_json(const struct tac_recorder *recorder, const struct tac_report_facts *facts, tac_sink_fn sink,
                                void *context, struct tac_error *error) {
  const enum tac_status status = tac_report_check(recorder, facts, sink, __func__, error);
  if (status != TAC_STATUS_OK)
    return status;
  struct tac_report_builder builder = {.json = {.allocator = recorder->options.allocator}, .recorder = recorder};
  struct tac_writer writer = {.sink = sink, .context = context};
  tac_write_text(&writer, "{");
  write_members(&builder, &writer);
  if (facts) {
    tac_write_text(&writer, ",\"run\":");
    tac_value_write_piece(&builder.json, run_value(&builder, facts), 0, &writer);
  }
  tac_write_text(&writer, "}");
  return tac_value_status(&builder.json, &writer, __func__, error);
}

enum tac_status tac_report_json_members(const struct tac_recorder *recorder, tac_sink_fn sink, void *context,
                                        struct tac_error *error) {
  const enum tac_status status = tac_report_check(recorder, NULL, sink, __func__, error);
  if (status != TAC_STATUS_OK)
    return status;
  struct tac_report_builder builder = {.json = {.allocator = recorder->options.allocator}, .recorder = recorder};
  struct tac_writer writer = {.sink = sink, .context = context};
  write_members(&builder, &writer);
  return tac_value_status(&builder.json, &writer, __func__, error);
}
