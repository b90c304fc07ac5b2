/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <tactus/measure/cost_model.h>

#include <string.h>

#include "measure/json_value.h"

/* Members are named in errors by the event and the term that hold them, counted from 0 as in the file. */
static enum tac_status check_seconds(const struct tac_cost_model *model, struct tac_error *error) {
  for (size_t e = 0; e < model->events; e++)
    for (size_t t = 0; t < model->event[e].terms; t++) {
      const double seconds = model->event[e].term[t].seconds;
      if (!(seconds >= 0 && seconds <= TAC_TERM_SECONDS_MOST))
        return tac_error_set(error, TAC_STATUS_INVALID, "costs", "events[%zu].terms[%zu].seconds is %g: 0 to %g are allowed", e,
                             t, seconds, TAC_TERM_SECONDS_MOST);
    }
  return TAC_STATUS_OK;
}

static enum tac_status bind_event(struct tac_bound_costs *out, const struct tac_event_costs *costs, size_t number,
                                  const struct tac_event_terms *of, struct tac_error *error) {
  *out = (struct tac_bound_costs){.known = 1, .terms = of->terms->count};
  for (size_t k = 0; k < costs->terms; k++) {
    const struct tac_term_cost *term = &costs->term[k];
    size_t t = 0;
    while (t < of->terms->count && strcmp(of->terms->names[t], term->name) != 0)
      t++;
    if (t == of->terms->count)
      return tac_error_set(error, TAC_STATUS_INVALID, "costs", "events[%zu].terms[%zu]: '%s' has no term '%s'", number, k,
                           of->event, term->name);
    out->seconds[t] = term->seconds;
  }
  return TAC_STATUS_OK;
}

enum tac_status tac_cost_model_bind(struct tac_bound_costs *out, const struct tac_cost_model *model,
                                    const struct tac_event_terms *of, size_t count, struct tac_error *error) {
  enum tac_status status = check_seconds(model, error);
  memset(out, 0, count * sizeof *out);
  for (size_t e = 0; e < model->events && status == TAC_STATUS_OK; e++) {
    const struct tac_event_costs *costs = &model->event[e];
    size_t i = 0;
    while (i < count && strcmp(of[i].event, costs->event) != 0)
      i++;
    if (i == count)
      return tac_error_set(error, TAC_STATUS_INVALID, "costs", "events[%zu].name: no event '%s' with terms here", e,
                           costs->event);
    status = bind_event(&out[i], costs, e, &of[i], error);
  }
  return status;
}

static json_t *terms_value(struct tac_value_builder *builder, const struct tac_event_costs *costs) {
  json_t *terms = json_array();
  for (size_t t = 0; t < costs->terms; t++) {
    json_t *term = json_object();
    tac_value_set_text(builder, term, "name", costs->term[t].name);
    tac_value_set_real(builder, term, "seconds", costs->term[t].seconds);
    tac_value_append(builder, terms, term);
  }
  return terms;
}

static json_t *events_value(struct tac_value_builder *builder, const struct tac_cost_model *model) {
  json_t *events = json_array();
  for (size_t e = 0; e < model->events; e++) {
    const struct tac_event_costs *costs = &model->event[e];
    json_t *event = json_object();
    tac_value_set_text(builder, event, "name", costs->event);
    tac_value_set(builder, event, "terms", terms_value(builder, costs));
    tac_value_set_count(builder, event, "items", costs->items);
    tac_value_set_real(builder, event, "median_relative_error", costs->median_relative_error);
    tac_value_append(builder, events, event);
  }
  return events;
}

enum tac_status tac_cost_model_write(const struct tac_cost_model *model, const struct tac_allocator *allocator,
                                     tac_sink_fn sink, void *context, struct tac_error *error) {
  struct tac_value_builder builder = {.allocator = allocator ? allocator : tac_allocator_system()};
  if (!model || !sink)
    return tac_error_set(error, TAC_STATUS_INVALID, __func__, "no model, or no sink");
  const enum tac_status status = check_seconds(model, error);
  if (status != TAC_STATUS_OK)
    return status;
  json_t *value = json_object(), *blas = json_object();
  tac_value_set_text(&builder, blas, "name", model->blas_name);
  tac_value_set_text(&builder, blas, "kernel", model->blas_kernel);
  tac_value_set(&builder, value, "schema", json_integer(TAC_COSTS_SCHEMA));
  tac_value_set_text(&builder, value, "kind", "costs");
  tac_value_set_text(&builder, value, "program", model->program);
  tac_value_set_text(&builder, value, "version", model->version);
  tac_value_set_text(&builder, value, "executor", model->executor);
  tac_value_set(&builder, value, "lanes", model->lanes > 0 ? json_integer(model->lanes) : json_null());
  tac_value_set(&builder, value, "blas", blas);
  tac_value_set(&builder, value, "events", events_value(&builder, model));
  return tac_value_write(&builder, value, JSON_REAL_PRECISION(17), sink, context, __func__, error);
}
