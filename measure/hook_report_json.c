/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "measure/hook_report.h"
#include "measure/json_value.h"

static json_t *counters_value(struct tac_value_builder *builder, const struct tac_hook_figures *figures) {
  json_t *array = json_array();
  for (size_t c = 0; c < figures->counters; c++) {
    json_t *value = json_object();
    tac_value_set_text(builder, value, "name", figures->counter[c].name);
    tac_value_set_text(builder, value, "unit", figures->counter[c].unit);
    tac_value_append(builder, array, value);
  }
  return array;
}

static void set_sum(struct tac_value_builder *builder, json_t *object, const char *const keys[3],
                    const struct tac_hook_sum *sum, size_t counters) {
  json_t *values = json_array(), *shares = json_array();
  for (size_t c = 0; c < counters; c++) {
    tac_value_append(builder, values, json_integer(sum->value[c].value));
    tac_value_append(builder, shares, json_real(tac_hook_value_share(&sum->value[c])));
  }
  tac_value_set_count(builder, object, keys[0], sum->count);
  tac_value_set(builder, object, keys[1], values);
  if (tac_hook_sum_is_scaled(sum, counters))
    tac_value_set(builder, object, keys[2], shares);
  else
    json_decref(shares);
}

static json_t *event_value(struct tac_value_builder *builder, const struct tac_hook_figures *figures, size_t event) {
  static const char *const of_phases[3] = {"count", "values", "counted_share"};
  static const char *const of_items[3] = {"items", "item_values", "item_counted_share"};
  json_t *value = json_object();
  tac_value_set_text(builder, value, "name", figures->events->events[event].name);
  set_sum(builder, value, of_phases, &figures->phase[event], figures->counters);
  set_sum(builder, value, of_items, &figures->item[event], figures->counters);
  return value;
}

enum tac_status tac_hook_report_json(const struct tac_hook_figures *figures, tac_sink_fn sink, void *context,
                                     struct tac_error *error) {
  const enum tac_status status = tac_hook_report_check(figures, sink, __func__, error);
  if (status != TAC_STATUS_OK)
    return status;
  struct tac_value_builder builder = {.allocator = figures->allocator};
  json_t *value = json_object(), *events = json_array();
  for (size_t i = 0; i < figures->events->count; i++)
    if (figures->phase[i].count > 0 || figures->item[i].count > 0)
      tac_value_append(&builder, events, event_value(&builder, figures, i));
  tac_value_set_text(&builder, value, "name", figures->name);
  tac_value_set(&builder, value, "counters", counters_value(&builder, figures));
  tac_value_set(&builder, value, "events", events);
  tac_value_set_count(&builder, value, "failures", figures->failures);
  tac_value_set_text(&builder, value, "failure", figures->failure[0] ? figures->failure : NULL);
  tac_value_set_text(&builder, value, "note", figures->note[0] ? figures->note : NULL);
  return tac_value_write(&builder, value, 0, sink, context, __func__, error);
}
