/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <stdlib.h>

#include "apps/tactus/costs.h"

/* The items of an event, number by number. */
struct columns {
  double *values, *seconds, *cost, *predicted;
  int64_t *duration_ns;
  struct tac_seen_batch *batch;
};

static void fill_items(struct columns *columns, const struct tac_costs_event *event) {
  for (size_t i = 0; i < event->items; i++) {
    const struct tac_costs_item *item = &event->item[i];
    columns->seconds[i] = 1e-9 * (double)item->duration_ns;
    columns->duration_ns[i] = item->duration_ns;
    columns->cost[i] = item->cost;
    for (size_t t = 0; t < event->terms; t++)
      columns->values[i * event->terms + t] = item->value[t];
  }
}

static void fill_batches(struct columns *columns, const struct tac_costs_event *event) {
  for (size_t b = 0; b < event->batches; b++) {
    const struct tac_costs_batch *batch = &event->batch[b];
    columns->batch[b] = (struct tac_seen_batch){.count = batch->count,
                                                .lanes = batch->lanes,
                                                .ran_inline = batch->ran_inline,
                                                .wall_ns = batch->wall_ns,
                                                .duration_ns = columns->duration_ns + batch->begin,
                                                .cost = batch->has_cost ? columns->cost + batch->begin : NULL,
                                                .predicted = columns->predicted + batch->begin};
  }
}

static enum tac_status fit_columns(struct tac_costs_event *event, struct columns *columns, struct tac_error *error) {
  const struct tac_cost_samples samples = {event->items, event->terms, columns->values, columns->seconds};
  fill_items(columns, event);
  const enum tac_status status = tac_cost_fit_items(&event->fit, &samples, NULL, error);
  if (status != TAC_STATUS_OK)
    return status;
  for (size_t i = 0; i < event->items; i++)
    columns->predicted[i] = tac_cost_seconds(event->fit.seconds, event->item[i].value, event->terms);
  for (size_t t = 0; t < event->terms; t++)
    event->term[t] = (struct tac_term_cost){event->term_name[t], event->fit.seconds[t]};
  fill_batches(columns, event);
  return tac_cost_compare(&event->seen, columns->batch, event->batches, NULL, error);
}

static enum tac_status fit_event(struct tac_costs_event *event, struct tac_error *error) {
  struct columns columns = {.values = malloc(event->items * event->terms * sizeof(double)),
                            .seconds = malloc(event->items * sizeof(double)),
                            .cost = malloc(event->items * sizeof(double)),
                            .predicted = malloc(event->items * sizeof(double)),
                            .duration_ns = malloc(event->items * sizeof(int64_t)),
                            .batch = malloc(event->batches * sizeof(struct tac_seen_batch))};
  enum tac_status status = TAC_STATUS_MEMORY;
  if (columns.values && columns.seconds && columns.cost && columns.predicted && columns.duration_ns && columns.batch)
    status = fit_columns(event, &columns, error);
  else
    tac_error_set(error, status, "costs", "no memory to fit %zu items", event->items);
  free(columns.values);
  free(columns.seconds);
  free(columns.cost);
  free(columns.predicted);
  free(columns.duration_ns);
  free(columns.batch);
  return status;
}

enum tac_status tac_costs_fit(struct tac_costs *costs, struct tac_error *error) {
  if (costs->events == 0)
    return tac_error_set(error, TAC_STATUS_INVALID, "costs",
                         "no batch has items with terms: the runs want --measurements=detailed on the host");
  costs->costs = malloc(costs->events * sizeof *costs->costs);
  if (!costs->costs)
    return tac_error_set(error, TAC_STATUS_MEMORY, "costs", "no memory for the costs of %zu events", costs->events);
  costs->model = (struct tac_cost_model){.program = costs->program,
                                         .version = costs->version,
                                         .executor = costs->executor,
                                         .lanes = costs->lanes,
                                         .blas_name = costs->blas_name,
                                         .blas_kernel = costs->blas_kernel,
                                         .event = costs->costs};
  for (size_t e = 0; e < costs->events; e++) {
    struct tac_costs_event *event = &costs->event[e];
    if (event->items == 0)
      continue;
    const enum tac_status status = fit_event(event, error);
    if (status != TAC_STATUS_OK)
      return status;
    costs->costs[costs->model.events++] = (struct tac_event_costs){.event = event->name,
                                                                   .terms = event->terms,
                                                                   .term = event->term,
                                                                   .items = event->fit.items,
                                                                   .median_relative_error = event->fit.median_relative_error};
  }
  return TAC_STATUS_OK;
}

void tac_costs_release(struct tac_costs *costs) {
  for (size_t e = 0; e < costs->events; e++) {
    struct tac_costs_event *event = &costs->event[e];
    for (size_t t = 0; t < event->terms; t++)
      free(event->term_name[t]);
    free(event->name);
    free(event->item);
    free(event->batch);
  }
  free(costs->costs);
  free(costs->program);
  free(costs->version);
  free(costs->executor);
  free(costs->blas_name);
  free(costs->blas_kernel);
  *costs = (struct tac_costs){0};
}
