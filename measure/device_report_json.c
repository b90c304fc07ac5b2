/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "measure/device_counters.h"
#include "measure/device_report.h"
#include "measure/json_value.h"

static json_t *calls_value(struct tac_value_builder *builder, const struct tac_device_calls *calls) {
  json_t *value = json_object();
  if (calls->label)
    tac_value_set_text(builder, value, "label", calls->label);
  tac_value_set_count(builder, value, "count", calls->count);
  tac_value_set_count(builder, value, "timed", calls->timed);
  tac_value_set_time(builder, value, "total_ns", calls->total_ns);
  tac_value_set_real(builder, value, "mean_ns", tac_device_calls_mean_ns(calls));
  tac_value_set_time(builder, value, "min_ns", calls->min_ns);
  tac_value_set_time(builder, value, "max_ns", calls->max_ns);
  tac_value_set_text(builder, value, "domain", TAC_JSON_DOMAIN);
  return value;
}

static void set_calls(struct tac_value_builder *builder, json_t *object, const struct tac_device_counters *counters,
                      enum tac_device_call_kind kind, const char *const keys[3]) {
  struct tac_ranking ranking;
  const struct tac_device_calls unrecorded = tac_device_counters_unrecorded(counters, kind);
  const struct tac_device_calls total = tac_device_counters_total(counters, kind);
  json_t *list = json_array();
  if (tac_ranking_create(&ranking, counters, kind, keys[0], NULL) != TAC_STATUS_OK)
    builder->failed = 1;
  for (size_t i = 0; i < ranking.count; i++)
    tac_value_append(builder, list, calls_value(builder, &ranking.ranked[i].calls));
  tac_ranking_release(&ranking, counters);
  tac_value_set(builder, object, keys[0], list);
  tac_value_set(builder, object, keys[1], calls_value(builder, &unrecorded));
  tac_value_set(builder, object, keys[2], calls_value(builder, &total));
}

static json_t *copies_value(struct tac_value_builder *builder, const struct tac_device_counters *counters) {
  static const char *const keys[TAC_COPY_DIRECTIONS] = {[TAC_COPY_TO_DEVICE] = "to_device",
                                                        [TAC_COPY_TO_HOST] = "to_host",
                                                        [TAC_COPY_ON_DEVICE] = "on_device",
                                                        [TAC_COPY_MAPPED] = "mapped"};
  json_t *value = json_object();
  for (int direction = 0; direction < TAC_COPY_DIRECTIONS; direction++) {
    const struct tac_device_copies copies = tac_device_counters_copies(counters, (enum tac_copy_direction)direction);
    json_t *one = json_object();
    tac_value_set_count(builder, one, "count", copies.count);
    tac_value_set_count(builder, one, "bytes", copies.bytes);
    tac_value_set(builder, one, "saturated", json_boolean(copies.saturated));
    tac_value_set(builder, value, keys[direction], one);
  }
  return value;
}

static json_t *memory_value(struct tac_value_builder *builder, const struct tac_device_memory_stats *memory) {
  if (!memory)
    return json_null();
  json_t *value = json_object();
  tac_value_set_count(builder, value, "allocations", memory->allocations);
  tac_value_set_count(builder, value, "reuses", memory->reuses);
  tac_value_set_count(builder, value, "used_bytes", memory->used_bytes);
  tac_value_set_count(builder, value, "spare_bytes", memory->spare_bytes);
  tac_value_set_count(builder, value, "peak_bytes", memory->peak_bytes);
  return value;
}

static enum tac_status write_json(const struct tac_device_counters *counters, const struct tac_device_memory_stats *memory,
                                  tac_sink_fn sink, void *context, size_t flags, const char *where, struct tac_error *error) {
  static const char *const launch_keys[] = {"launches", "launches_unrecorded", "launches_total"};
  static const char *const fence_keys[] = {"fences", "fences_unrecorded", "fences_total"};
  if (!counters || !sink)
    return tac_error_set(error, TAC_STATUS_INVALID, where, "no counters, or no sink");
  struct tac_value_builder builder = {.allocator = counters->options.allocator};
  json_t *value = json_object();
  if (!(flags & JSON_EMBED))
    tac_value_set(&builder, value, "schema", json_integer(TAC_JSON_SCHEMA));
  set_calls(&builder, value, counters, TAC_DEVICE_LAUNCHES, launch_keys);
  set_calls(&builder, value, counters, TAC_DEVICE_FENCES, fence_keys);
  tac_value_set(&builder, value, "copies", copies_value(&builder, counters));
  tac_value_set_count(&builder, value, "call_mismatches", tac_device_counters_mismatches(counters));
  tac_value_set(&builder, value, "device_memory", memory_value(&builder, memory));
  return tac_value_write(&builder, value, flags, sink, context, where, error);
}

enum tac_status tac_device_report_json(const struct tac_device_counters *counters, const struct tac_device_memory_stats *memory,
                                       tac_sink_fn sink, void *context, struct tac_error *error) {
  return write_json(counters, memory, sink, context, 0, __func__, error);
}

enum tac_status tac_device_report_json_members(const struct tac_device_counters *counters,
                                               const struct tac_device_memory_stats *memory, tac_sink_fn sink, void *context,
                                               struct tac_error *error) {
  return write_json(counters, memory, sink, context, JSON_EMBED, __func__, error);
}
