/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "measure/report_json.h"

#include <math.h>

#include "measure/recorder.h"

void tac_report_set_event(struct tac_report_builder *builder, json_t *object, const char *key, int event) {
  const struct tac_event *events = builder->recorder->options.events->events;
  tac_value_set_text(&builder->json, object, key, event == TAC_NO_EVENT ? NULL : events[event].name);
}

static json_t *device_record_value(struct tac_report_builder *builder, const struct tac_device_record *record) {
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

static json_t *record_value(struct tac_report_builder *builder, const struct tac_batch_record *record) {
  json_t *value = json_object();
  tac_report_set_event(builder, value, "event", record->event);
  tac_value_set_count(&builder->json, value, "number", record->number);
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

/* Arrays of equal length, one a property. */
struct columns {
  struct tac_value_builder *json;
  json_t *object;
};

/* With those arrays, whose names end with NULL. */
static struct columns make_columns(struct tac_report_builder *builder, const char *const *names) {
  const struct columns columns = {&builder->json, json_object()};
  for (; *names; names++)
    tac_value_set(columns.json, columns.object, *names, json_array());
  return columns;
}

static void append(struct columns columns, const char *name, json_t *value) {
  tac_value_append(columns.json, json_object_get(columns.object, name), value);
}

static int has_failures(const struct tac_slot *slots, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (slots[i].status != TAC_STATUS_OK)
      return 1;
  return 0;
}

/* One term of the items that items_value lists. */
static json_t *term_value(struct tac_report_builder *builder, const struct tac_slot *slots, const double *values,
                          size_t count) {
  json_t *column = json_array();
  for (size_t i = 0; i < count; i++)
    if (slots[i].finish_sequence)
      tac_value_append(&builder->json, column, isfinite(values[i]) ? json_real(values[i]) : json_null());
  return column;
}

static json_t *terms_value(struct tac_report_builder *builder, size_t number) {
  size_t count;
  const struct tac_cost_terms *terms;
  const struct tac_slot *slots = tac_recorder_slots(builder->recorder, number, &count);
  const double *values = tac_recorder_terms(builder->recorder, number, &terms);
  json_t *object = json_object();
  for (size_t t = 0; t < terms->count; t++)
    tac_value_set_named(&builder->json, object, terms->names[t], term_value(builder, slots, values + t * count, count));
  return object;
}

/* Items that started and finished, by index. */
static json_t *items_value(struct tac_report_builder *builder, size_t number) {
  size_t count;
  const struct tac_cost_terms *terms;
  const struct tac_slot *slots = tac_recorder_slots(builder->recorder, number, &count);
  const double *costs = tac_recorder_costs(builder->recorder, number);
  const int64_t begin_ns = tac_recorder_batch(builder->recorder, number)->begin_ns;
  const int failed = has_failures(slots, count);
  const char *names[] = {"index", "lane", "start_ns", "duration_ns", NULL, NULL, NULL};
  size_t named = 4;
  if (failed)
    names[named++] = "status";
  if (costs)
    names[named] = "cost";
  const struct columns columns = make_columns(builder, names);
  for (size_t i = 0; i < count; i++) {
    if (!slots[i].finish_sequence)
      continue;
    append(columns, "index", json_integer((json_int_t)i));
    append(columns, "lane", json_integer(slots[i].lane));
    append(columns, "start_ns", json_integer(slots[i].start_ns - begin_ns));
    append(columns, "duration_ns", json_integer(slots[i].finish_ns - slots[i].start_ns));
    if (failed)
      append(columns, "status", json_string(tac_status_name((enum tac_status)slots[i].status)));
    if (costs)
      append(columns, "cost", json_real(costs[i]));
  }
  if (tac_recorder_terms(builder->recorder, number, &terms))
    tac_value_set(&builder->json, columns.object, "terms", terms_value(builder, number));
  return columns.object;
}

/* Items that submitted. */
static json_t *device_items_value(struct tac_report_builder *builder, const struct tac_device_slot *slots, size_t count,
                                  int64_t begin_ns) {
  static const char *const names[] = {"index", "start_ns", "duration_ns", "busy_ns", "commands", NULL};
  const struct columns columns = make_columns(builder, names);
  for (size_t i = 0; i < count; i++) {
    if (slots[i].commands == 0)
      continue;
    append(columns, "index", json_integer((json_int_t)i));
    append(columns, "start_ns", json_integer(slots[i].start_ns - begin_ns));
    append(columns, "duration_ns", json_integer(slots[i].finish_ns - slots[i].start_ns));
    append(columns, "busy_ns", json_integer(slots[i].busy_ns));
    append(columns, "commands", json_integer((json_int_t)slots[i].commands));
  }
  return columns.object;
}

static json_t *device_commands_value(struct tac_report_builder *builder, const struct tac_device_interval *intervals,
                                     size_t count, int64_t begin_ns) {
  static const char *const names[] = {"label", "item", "lane", "stream", "kind", "start_ns", "duration_ns", NULL};
  const struct columns columns = make_columns(builder, names);
  for (size_t i = 0; i < count; i++) {
    const struct tac_device_interval *command = &intervals[i];
    const size_t label = tac_label_table_find(&builder->recorder->labels, command->label);
    append(columns, "label", label == TAC_NO_LABEL ? json_null() : json_integer((json_int_t)label));
    append(columns, "item", command->item == TAC_COMMAND_NO_ITEM ? json_null() : json_integer((json_int_t)command->item));
    append(columns, "lane", json_integer(command->lane));
    append(columns, "stream", json_integer(command->stream));
    append(columns, "kind", json_string(command->kind == TAC_COMMAND_LAUNCH ? "launch" : "copy"));
    append(columns, "start_ns", json_integer(command->start_ns - begin_ns));
    append(columns, "duration_ns", json_integer(command->finish_ns - command->start_ns));
  }
  return columns.object;
}

json_t *tac_report_batch_value(struct tac_report_builder *builder, size_t number) {
  const struct tac_batch_record *record = tac_recorder_batch(builder->recorder, number);
  json_t *value = record_value(builder, record);
  size_t count;
  if (builder->recorder->batches[number].has_slots)
    tac_value_set(&builder->json, value, "items", items_value(builder, number));
  const struct tac_device_slot *slots = tac_recorder_device_slots(builder->recorder, number, &count);
  if (slots && record->device.items > 0)
    tac_value_set(&builder->json, value, "device_items", device_items_value(builder, slots, count, record->begin_ns));
  const struct tac_device_interval *intervals = tac_recorder_device_intervals(builder->recorder, number, &count);
  if (intervals)
    tac_value_set(&builder->json, value, "device_commands", device_commands_value(builder, intervals, count, record->begin_ns));
  return value;
}
