/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/program/costs_report.h"

#include <stdlib.h>
#include <string.h>

/* The batches of one event that can be compared, with their items' numbers in two arrays of all. */
struct gathered {
  struct tac_seen_batch *batch;
  size_t batches, items;
  int64_t *duration_ns;
  double *predicted;
};

static int counts(const struct tac_recorder *recorder, size_t number, const char *event) {
  const struct tac_batch_record *record = tac_recorder_batch(recorder, number);
  const struct tac_cost_terms *terms;
  return !record->submission && record->status == TAC_STATUS_OK && record->completed == record->requested &&
         tac_recorder_terms(recorder, number, &terms) &&
         strcmp(tac_recorder_events(recorder)->events[record->event].name, event) == 0;
}

static void add_batch(struct gathered *g, const struct tac_recorder *recorder, size_t number,
                      const struct tac_bound_costs *costs) {
  const struct tac_batch_record *record = tac_recorder_batch(recorder, number);
  const struct tac_cost_terms *terms;
  size_t count;
  const struct tac_slot *slots = tac_recorder_slots(recorder, number, &count);
  const double *values = tac_recorder_terms(recorder, number, &terms);
  int64_t *duration_ns = g->duration_ns + g->items;
  double *predicted = g->predicted + g->items;
  for (size_t i = 0; i < count; i++) {
    duration_ns[i] = slots[i].finish_ns - slots[i].start_ns;
    double value[TAC_COST_TERMS_MAX];
    for (size_t t = 0; t < costs->terms; t++)
      value[t] = values[t * count + i];
    predicted[i] = tac_cost_seconds(costs->seconds, value, costs->terms);
  }
  g->batch[g->batches++] = (struct tac_seen_batch){.count = count,
                                                   .lanes = record->lanes,
                                                   .ran_inline = record->ran_inline,
                                                   .wall_ns = record->wall_ns,
                                                   .duration_ns = duration_ns,
                                                   .cost = tac_recorder_costs(recorder, number),
                                                   .predicted = predicted};
  g->items += count;
}

static enum tac_status compare_event(struct tac_cost_comparison *out, const struct tac_recorder *recorder, const char *event,
                                     const struct tac_bound_costs *costs, struct tac_error *error) {
  const size_t kept = tac_recorder_batch_count(recorder);
  size_t batches = 0, items = 0;
  for (size_t b = 0; b < kept; b++)
    if (counts(recorder, b, event)) {
      batches++;
      items += (size_t)tac_recorder_batch(recorder, b)->requested;
    }
  struct gathered g = {.batch = malloc((batches + 1) * sizeof *g.batch),
                       .duration_ns = malloc((items + 1) * sizeof *g.duration_ns),
                       .predicted = malloc((items + 1) * sizeof *g.predicted)};
  enum tac_status status = TAC_STATUS_OK;
  if (!g.batch || !g.duration_ns || !g.predicted)
    status = tac_error_set(error, TAC_STATUS_MEMORY, "costs", "no memory to compare %zu items", items);
  for (size_t b = 0; b < kept && status == TAC_STATUS_OK; b++)
    if (counts(recorder, b, event))
      add_batch(&g, recorder, b, costs);
  if (status == TAC_STATUS_OK)
    status = tac_cost_compare(out, g.batch, g.batches, NULL, error);
  free(g.batch);
  free(g.duration_ns);
  free(g.predicted);
  return status;
}

enum tac_status tac_costs_compare(struct tac_costs_row *rows, const struct tac_cost_model *model,
                                  const struct tac_recorder *recorder, const struct tac_event_terms *of, size_t count,
                                  struct tac_error *error) {
  struct tac_bound_costs *bound = malloc(count * sizeof *bound);
  if (!bound)
    return tac_error_set(error, TAC_STATUS_MEMORY, "costs", "no memory for %zu events", count);
  enum tac_status status = tac_cost_model_bind(bound, model, of, count, error);
  for (size_t e = 0; e < model->events && status == TAC_STATUS_OK; e++) {
    rows[e] = (struct tac_costs_row){.costs = &model->event[e]};
    size_t i = 0;
    while (strcmp(of[i].event, model->event[e].event) != 0)
      i++;
    if (recorder)
      status = compare_event(&rows[e].seen, recorder, model->event[e].event, &bound[i], error);
  }
  free(bound);
  return status;
}
