/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/tactus/costs_print.h"

#include <stdlib.h>

#include "apps/program/costs_report.h"
#include "apps/program/streams.h"
#include "apps/tactus/output.h"
#include "measure/text.h"

#define PLURAL(count) ((count) == 1 ? "" : "s")

/* The version of the JSON form; it changes when a key changes its meaning or goes away. */
#define REPORT_SCHEMA 1

/* One row an event of the model, the caller's to free. */
static enum tac_status make_rows(struct tac_costs_row **out, const struct tac_costs *costs, struct tac_error *error) {
  struct tac_costs_row *rows = malloc(costs->model.events * sizeof *rows);
  *out = rows;
  if (!rows)
    return tac_error_set(error, TAC_STATUS_MEMORY, "costs", "no memory for %zu events", costs->model.events);
  for (size_t e = 0, row = 0; e < costs->events; e++)
    if (costs->event[e].items > 0) {
      rows[row] = (struct tac_costs_row){&costs->model.event[row], costs->event[e].seen};
      row++;
    }
  return TAC_STATUS_OK;
}

static const char *known(const char *text) {
  return text ? text : "several";
}

/* The fit is of the beginning of a run that had more. */
static void print_dropped(FILE *stream, const struct tac_costs *costs) {
  if (costs->dropped > 0)
    fprintf(stream,
            "not in the fit: %llu later batch%s beyond the limit of the record; a run with --detail-limit=%llu keeps all\n",
            (unsigned long long)costs->dropped, costs->dropped == 1 ? "" : "es", (unsigned long long)costs->limit);
  if (costs->items_dropped > 0)
    fprintf(stream, "not in the fit: %llu item%s of batches that the record holds without their items\n",
            (unsigned long long)costs->items_dropped, PLURAL(costs->items_dropped));
}

/* All of them in one line, so that those that take time stand out. */
static void print_absent(FILE *stream, const struct tac_costs_event *event) {
  size_t absent = 0;
  for (size_t t = 0; t < event->terms; t++) {
    if (event->fit.state[t] != TAC_COST_TERM_ABSENT)
      continue;
    fputs(absent++ == 0 ? "  always 0: " : ", ", stream);
    tac_stream_text(stream, event->term_name[t], 0);
  }
  if (absent > 0)
    fputc('\n', stream);
}

static void print_head(FILE *stream, const struct tac_costs *costs) {
  tac_stream_text(stream, costs->program, 0);
  fputc(' ', stream);
  tac_stream_text(stream, known(costs->version), 0);
  fputs(", executor ", stream);
  tac_stream_text(stream, known(costs->executor), 0);
  if (costs->lanes > 0)
    fprintf(stream, " with %d lane%s", costs->lanes, PLURAL(costs->lanes));
  else
    fputs(" with several numbers of lanes", stream);
  fputs(", BLAS ", stream);
  tac_stream_text(stream, known(costs->blas_name), 0);
  fputs(", kernel ", stream);
  tac_stream_text(stream, known(costs->blas_kernel), 0);
  fprintf(stream, "; %zu record%s\n", costs->records, PLURAL(costs->records));
  if (costs->left_out > 0)
    fprintf(stream, "left out: %llu batch%s that failed, ran on a device or have a term that is no number\n",
            (unsigned long long)costs->left_out, costs->left_out == 1 ? "" : "es");
  print_dropped(stream, costs);
}

static void print_event(FILE *stream, const struct tac_costs_event *event) {
  const struct tac_cost_fit *fit = &event->fit;
  fputc('\n', stream);
  tac_stream_text(stream, event->name, 24);
  fprintf(stream, " %llu items, %llu different; median relative error %.1f %%, residual %.3g s, R^2 of medians %.4f\n",
          (unsigned long long)fit->items, (unsigned long long)fit->distinct, 100 * fit->median_relative_error,
          fit->residual_seconds, fit->r_squared);
  for (size_t t = 0; t < event->terms; t++) {
    if (event->fit.state[t] == TAC_COST_TERM_ABSENT)
      continue;
    fputs("  ", stream);
    tac_stream_text(stream, event->term_name[t], 22);
    if (fit->state[t] == TAC_COST_TERM_FITTED)
      fprintf(stream, " %.4g s\n", fit->seconds[t]);
    else
      fprintf(stream, " 0 (%s)\n", tac_cost_term_state_name(fit->state[t]));
  }
  print_absent(stream, event);
}

enum tac_status tac_costs_print_fit(FILE *stream, const struct tac_costs *costs, struct tac_error *error) {
  struct tac_costs_row *rows;
  const enum tac_status status = make_rows(&rows, costs, error);
  if (status == TAC_STATUS_OK) {
    print_head(stream, costs);
    for (size_t e = 0; e < costs->events; e++)
      if (costs->event[e].items > 0)
        print_event(stream, &costs->event[e]);
    fputc('\n', stream);
    tac_costs_print(stream, rows, costs->model.events);
  }
  free(rows);
  return status;
}

static json_t *text_value(const char *text) {
  return text ? tac_json_any_bytes(text) : json_null();
}

/* Beside what a comparison tells of an event: how good its fit is, and why a term takes nothing. */
static void add_fit(json_t *value, const struct tac_costs_event *event, int *failed) {
  const struct tac_json object = {value, failed};
  json_t *terms = json_object_get(value, "terms");
  tac_json_set_count(object, "distinct", event->fit.distinct);
  tac_json_set_real(object, "median_relative_error", event->fit.median_relative_error);
  tac_json_set_real(object, "residual_seconds", event->fit.residual_seconds);
  tac_json_set_real(object, "r_squared", event->fit.r_squared);
  for (size_t t = 0; t < event->terms; t++)
    tac_json_set_text((struct tac_json){json_array_get(terms, t), failed}, "state",
                      tac_cost_term_state_name(event->fit.state[t]));
}

static json_t *fit_value(const struct tac_costs *costs, const struct tac_costs_row *rows, int *failed) {
  struct tac_json object = tac_json_object(failed), blas = tac_json_object(failed);
  json_t *events = tac_costs_json(rows, costs->model.events, failed);
  for (size_t e = 0, row = 0; e < costs->events; e++)
    if (costs->event[e].items > 0)
      add_fit(json_array_get(events, row++), &costs->event[e], failed);
  tac_json_set_int(object, "schema", REPORT_SCHEMA);
  tac_json_set_text(object, "kind", "costs_report");
  tac_json_set(object, "program", text_value(costs->program));
  tac_json_set(object, "version", text_value(costs->version));
  tac_json_set(object, "executor", text_value(costs->executor));
  tac_json_set(object, "lanes", costs->lanes > 0 ? json_integer(costs->lanes) : json_null());
  tac_json_set(blas, "name", text_value(costs->blas_name));
  tac_json_set(blas, "kernel", text_value(costs->blas_kernel));
  tac_json_set(object, "blas", blas.value);
  tac_json_set_count(object, "records", costs->records);
  tac_json_set_count(object, "batches_left_out", costs->left_out);
  tac_json_set_count(object, "batches_dropped", costs->dropped);
  tac_json_set_count(object, "items_dropped", costs->items_dropped);
  tac_json_set(object, "events", events);
  return object.value;
}

enum tac_status tac_costs_write_fit(const struct tac_costs *costs, tac_sink_fn sink, void *context, struct tac_error *error) {
  struct tac_costs_row *rows;
  int failed = 0;
  enum tac_status status = make_rows(&rows, costs, error);
  if (status == TAC_STATUS_OK) {
    json_t *value = fit_value(costs, rows, &failed);
    status = failed ? tac_error_set(error, TAC_STATUS_MEMORY, "--json", "no memory for the JSON text")
                    : tac_output_json(value, sink, context, error);
    json_decref(value);
  }
  free(rows);
  return status;
}
