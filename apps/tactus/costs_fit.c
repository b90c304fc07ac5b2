/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <stdlib.h>

#include "apps/tactus/costs.h"

static enum tac_status fit_event(struct tac_costs_event *event, struct tac_error *error) {
  const struct tac_cost_samples samples = {event->items, event->terms, event->values, event->seconds};
  for (size_t b = 0; b < event->batches; b++) {
    event->batch[b].duration_ns = event->duration_ns + event->begin[b];
    if (event->batch[b].cost)
      event->batch[b].cost = event->cost + event->begin[b];
  }
  const enum tac_status status = tac_cost_fit_items(&event->fit, &samples, NULL, error);
  for (size_t t = 0; t < event->terms; t++)
    event->term[t] = (struct tac_term_cost){event->term_name[t], event->fit.seconds[t]};
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
    free(event->values);
    free(event->seconds);
    free(event->cost);
    free(event->duration_ns);
    free(event->begin);
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
