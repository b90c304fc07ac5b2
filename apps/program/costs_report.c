/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/program/costs_report.h"

#include <stdio.h>
#include <stdlib.h>

#include "apps/program/streams.h"
#include "measure/table.h"

struct rows {
  const struct tac_costs_row *row;
  size_t count;
};

static const char *const prediction_titles[] = {"predicted over seen", "items", "median", "10 %", "90 %", "rank corr."};
enum { PREDICTION_COLUMNS = 5 };

static void prediction_rows(struct tac_table *table) {
  const struct rows *rows = table->subject;
  for (size_t i = 0; i < rows->count; i++) {
    const struct tac_cost_comparison *seen = &rows->row[i].seen;
    const double figures[] = {seen->median_ratio, seen->lower_ratio, seen->upper_ratio, seen->rank_correlation};
    struct tac_table_row row = {.name = rows->row[i].costs->event};
    if (seen->items == 0)
      continue;
    snprintf(row.cell[0], TAC_TABLE_CELL_BYTES, "%llu", (unsigned long long)seen->items);
    for (int c = 1; c < PREDICTION_COLUMNS; c++)
      snprintf(row.cell[c], TAC_TABLE_CELL_BYTES, "%.3f", figures[c - 1]);
    tac_table_add(table, &row);
  }
}

static const char *const idle_titles[] = {
    "idle share of lanes", "batches", "as seen", "its order", "by costs", "if known", "bound"};
enum { IDLE_COLUMNS = 6 };

static void idle_rows(struct tac_table *table) {
  const struct rows *rows = table->subject;
  for (size_t i = 0; i < rows->count; i++) {
    const struct tac_cost_comparison *seen = &rows->row[i].seen;
    const int64_t lane_ns[] = {seen->times.seen_ns, seen->times.recorded_ns, seen->times.predicted_ns, seen->times.known_ns,
                               seen->times.bound_ns};
    struct tac_table_row row = {.name = rows->row[i].costs->event};
    if (seen->batches == 0)
      continue;
    snprintf(row.cell[0], TAC_TABLE_CELL_BYTES, "%llu", (unsigned long long)seen->batches);
    for (int c = 1; c < IDLE_COLUMNS; c++)
      snprintf(row.cell[c], TAC_TABLE_CELL_BYTES, "%.2f %%", 100 * tac_idle_share(seen->item_ns, lane_ns[c - 1]));
    tac_table_add(table, &row);
  }
}

void tac_costs_print(FILE *stream, const struct tac_costs_row *rows, size_t count) {
  const struct rows subject = {rows, count};
  struct tac_writer writer = {.sink = tac_stream_sink, .context = stream};
  int seen = 0, shared = 0;
  for (size_t i = 0; i < count; i++) {
    seen |= rows[i].seen.items > 0;
    shared |= rows[i].seen.batches > 0;
  }
  if (seen)
    tac_table_print(&writer, prediction_titles, PREDICTION_COLUMNS, prediction_rows, &subject);
  if (shared) {
    fputc('\n', stream);
    tac_table_print(&writer, idle_titles, IDLE_COLUMNS, idle_rows, &subject);
  }
}

static void set_predictions(struct tac_json object, const struct tac_cost_comparison *seen) {
  tac_json_set_count(object, "items", seen->items);
  if (seen->items == 0)
    return;
  tac_json_set_real(object, "median_ratio", seen->median_ratio);
  tac_json_set_real(object, "ratio_p10", seen->lower_ratio);
  tac_json_set_real(object, "ratio_p90", seen->upper_ratio);
  tac_json_set_real(object, "rank_correlation", seen->rank_correlation);
}

static void set_idle_shares(struct tac_json object, const struct tac_cost_comparison *seen) {
  const struct {
    const char *lane_key, *idle_key;
    int64_t lane_ns;
  } times[] = {{"lane_seen_ns", "idle_share_seen", seen->times.seen_ns},
               {"lane_recorded_order_ns", "idle_share_recorded_order", seen->times.recorded_ns},
               {"lane_fitted_order_ns", "idle_share_fitted_order", seen->times.predicted_ns},
               {"lane_known_durations_ns", "idle_share_known_durations", seen->times.known_ns},
               {"lane_bound_ns", "idle_share_bound", seen->times.bound_ns}};
  tac_json_set_count(object, "batches", seen->batches);
  if (seen->batches == 0)
    return;
  tac_json_set(object, "item_ns", json_integer(seen->item_ns));
  for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
    tac_json_set(object, times[i].lane_key, json_integer(times[i].lane_ns));
    tac_json_set_real(object, times[i].idle_key, tac_idle_share(seen->item_ns, times[i].lane_ns));
  }
}

static json_t *row_value(const struct tac_costs_row *row, int *failed) {
  struct tac_json object = tac_json_object(failed);
  json_t *terms = json_array();
  for (size_t t = 0; t < row->costs->terms; t++) {
    struct tac_json term = tac_json_object(failed);
    tac_json_set(term, "name", tac_json_any_bytes(row->costs->term[t].name));
    tac_json_set_real(term, "seconds", row->costs->term[t].seconds);
    tac_json_append(terms, term.value, failed);
  }
  tac_json_set(object, "name", tac_json_any_bytes(row->costs->event));
  tac_json_set(object, "terms", terms);
  set_predictions(object, &row->seen);
  set_idle_shares(object, &row->seen);
  return object.value;
}

json_t *tac_costs_json(const struct tac_costs_row *rows, size_t count, int *failed) {
  json_t *value = json_array();
  for (size_t i = 0; i < count; i++)
    tac_json_append(value, row_value(&rows[i], failed), failed);
  return value;
}

void tac_costs_print_of(FILE *stream, const char *path, const struct tac_costs_row *rows, size_t count) {
  fputs("\ncosts of ", stream);
  tac_stream_text(stream, path, 0);
  fputc('\n', stream);
  tac_costs_print(stream, rows, count);
}

enum tac_status tac_costs_print_run(FILE *stream, const char *path, const struct tac_cost_model *model,
                                    const struct tac_recorder *recorder, const struct tac_event_terms *of, size_t count,
                                    struct tac_error *error) {
  struct tac_costs_row *rows = malloc((model->events + 1) * sizeof *rows);
  if (!rows)
    return tac_error_set(error, TAC_STATUS_MEMORY, "costs", "no memory to compare them");
  const enum tac_status status = tac_costs_compare(rows, model, recorder, of, count, error);
  if (status == TAC_STATUS_OK)
    tac_costs_print_of(stream, path, rows, model->events);
  free(rows);
  return status;
}

json_t *tac_costs_json_run(const char *path, const struct tac_cost_model *model, const struct tac_recorder *recorder,
                           const struct tac_event_terms *of, size_t count, int *failed) {
  struct tac_json object = tac_json_object(failed);
  struct tac_costs_row *rows = malloc((model->events + 1) * sizeof *rows);
  tac_json_set(object, "file", tac_json_any_bytes(path));
  if (!rows || tac_costs_compare(rows, model, recorder, of, count, NULL) != TAC_STATUS_OK)
    *failed = 1;
  else
    tac_json_set(object, "events", tac_costs_json(rows, model->events, failed));
  free(rows);
  return object.value;
}
