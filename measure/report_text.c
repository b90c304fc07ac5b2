/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <tactus/measure/report.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "measure/text.h"

enum { COLUMNS_MAX = 14, CELL_BYTES = 48 };

struct row {
  const char *name;
  int depth; /* of inclusion: two columns of indentation each */
  char cell[COLUMNS_MAX][CELL_BYTES];
};

/* A table is walked twice with the same rows: to find the widths, then to print. */
struct table {
  const struct tac_recorder *recorder;
  const char *const *titles; /* of the name and of each column */
  int columns;
  size_t name_width, width[COLUMNS_MAX];
  int printing;
  tac_sink_fn sink;
  void *context;
  int stopped; /* the sink refused a piece: nothing more is given to it */
};

static void put(struct table *table, const char *text) {
  if (!table->stopped)
    table->stopped = table->sink(table->context, text, strlen(text)) != 0;
}

static void put_spaces(struct table *table, size_t count) {
  for (; count > 0; count--)
    put(table, " ");
}

static void widen(size_t *width, size_t columns) {
  if (columns > *width)
    *width = columns;
}

static void measure_row(struct table *table, const struct row *row) {
  widen(&table->name_width, 2 * (size_t)row->depth + tac_printable_columns(row->name));
  for (int c = 0; c < table->columns; c++)
    widen(&table->width[c], tac_printable_columns(row->cell[c]));
}

static void print_row(struct table *table, const struct row *row) {
  size_t columns = 2 * (size_t)row->depth;
  put_spaces(table, columns);
  char character[TAC_CHARACTER_BYTES];
  const char *rest = row->name;
  for (size_t next; (next = tac_printable_next(&rest, character)) > 0; columns += next)
    put(table, character);
  put_spaces(table, table->name_width - columns);
  for (int c = 0; c < table->columns; c++) {
    put_spaces(table, 2 + table->width[c] - tac_printable_columns(row->cell[c]));
    put(table, row->cell[c]);
  }
  put(table, "\n");
}

static void add_row(struct table *table, const struct row *row) {
  if (table->printing)
    print_row(table, row);
  else
    measure_row(table, row);
}

static void add_titles(struct table *table) {
  struct row row = {.name = table->titles[0]};
  for (int c = 0; c < table->columns; c++)
    snprintf(row.cell[c], CELL_BYTES, "%s", table->titles[c + 1]);
  add_row(table, &row);
}

static void set_count(struct row *row, int column, uint64_t count) {
  snprintf(row->cell[column], CELL_BYTES, "%" PRIu64, count);
}

static void set_duration(struct row *row, int column, int64_t duration_ns) {
  tac_format_duration(row->cell[column], duration_ns);
}

static const char *const event_titles[] = {"event", "count", "total", "mean", "min", "max", "of parent"};

static void add_event(struct table *table, const struct tac_event *event, const struct tac_event_stats *stats, int depth) {
  struct row row = {.name = event->name, .depth = depth};
  set_count(&row, 0, stats->count);
  set_duration(&row, 1, stats->total_ns);
  set_duration(&row, 2, (int64_t)(tac_event_stats_mean_ns(stats) + 0.5));
  set_duration(&row, 3, stats->min_ns);
  set_duration(&row, 4, stats->max_ns);
  const struct tac_event_stats parent = tac_recorder_stats(table->recorder, event->parent);
  tac_format_share(row.cell[5], (double)stats->total_ns, (double)parent.total_ns);
  add_row(table, &row);
}

/* The events under `parent`, each followed by its own children. */
static void add_events(struct table *table, int parent, int depth) {
  const struct tac_event_set *set = tac_recorder_events(table->recorder);
  for (size_t i = parent < 0 ? 0 : (size_t)parent + 1; i < set->count; i++) {
    if (set->events[i].parent != parent)
      continue;
    const struct tac_event_stats stats = tac_recorder_stats(table->recorder, (int)i);
    if (stats.count > 0)
      add_event(table, &set->events[i], &stats, depth);
    add_events(table, (int)i, depth + 1);
  }
}

static void event_rows(struct table *table) {
  add_titles(table);
  add_events(table, TAC_NO_EVENT, 0);
}

static const char *const batch_titles[] = {"batched event",     "batches",         "inline",          "requested",
                                           "started",           "completed",       "peak overlap",    "wall",
                                           "item total",        "longest item",    "max start delay", "max start spread",
                                           "max finish spread", "sum return tail", "lanes idle"};

static void add_summary(struct table *table, const struct tac_event *event, const struct tac_batch_summary *summary) {
  struct row row = {.name = event->name};
  set_count(&row, 0, summary->batches);
  set_count(&row, 1, summary->ran_inline);
  set_count(&row, 2, summary->requested);
  set_count(&row, 3, summary->started);
  set_count(&row, 4, summary->completed);
  set_count(&row, 5, summary->peak_overlap);
  set_duration(&row, 6, summary->wall_ns);
  set_duration(&row, 7, summary->item_total_ns);
  set_duration(&row, 8, summary->item_max_ns);
  set_duration(&row, 9, summary->first_start_delay_max_ns);
  set_duration(&row, 10, summary->start_spread_max_ns);
  set_duration(&row, 11, summary->finish_spread_max_ns);
  set_duration(&row, 12, summary->return_after_last_finish_ns);
  tac_format_share(row.cell[13], tac_batch_summary_idle_share(summary), summary->lane_wall_ns > 0 ? 1 : 0);
  add_row(table, &row);
}

static void batch_rows(struct table *table) {
  const struct tac_event_set *set = tac_recorder_events(table->recorder);
  add_titles(table);
  for (size_t i = 0; i < set->count; i++) {
    const struct tac_batch_summary summary = tac_recorder_summary(table->recorder, (int)i);
    if (summary.batches > 0)
      add_summary(table, &set->events[i], &summary);
  }
}

static int has_batches(const struct tac_recorder *recorder) {
  for (size_t i = 0; i < tac_recorder_events(recorder)->count; i++)
    if (tac_recorder_summary(recorder, (int)i).batches > 0)
      return 1;
  return 0;
}

static void print_table(struct table *table, void (*rows)(struct table *table), const char *const *titles, int columns) {
  table->titles = titles;
  table->columns = columns;
  table->name_width = 0;
  memset(table->width, 0, sizeof table->width);
  for (table->printing = 0; table->printing < 2; table->printing++)
    rows(table);
}

static void print_counted(struct table *table, const char *what, uint64_t count) {
  char number[CELL_BYTES];
  if (count == 0)
    return;
  snprintf(number, sizeof number, "%" PRIu64 "\n", count);
  put(table, what);
  put(table, number);
}

enum tac_status tac_report_text(const struct tac_recorder *recorder, tac_sink_fn sink, void *context, struct tac_error *error) {
  if (!recorder || !sink)
    return tac_error_set(error, TAC_STATUS_INVALID, __func__, "no recorder, or no sink");
  struct table table = {.recorder = recorder, .sink = sink, .context = context};
  const int detailed = tac_recorder_level(recorder) == TAC_DETAILED;
  print_table(&table, event_rows, event_titles, 6);
  if (has_batches(recorder)) {
    put(&table, "\n");
    print_table(&table, batch_rows, batch_titles, 14);
  }
  print_counted(&table, "Batches beyond the limit, in the sums but not kept one by one: ", tac_recorder_dropped(recorder));
  print_counted(&table, "Phases entered or left out of order, not counted: ", tac_recorder_mismatches(recorder));
  put(&table, "Times are host wall time; an event contains those indented below it.\n");
  if (detailed)
    put(&table, "Measuring in detail perturbs fine items: take final figures from a run with measurements off.\n");
  return table.stopped ? tac_error_set(error, TAC_STATUS_IO, __func__, "the sink of the report refused a piece")
                       : TAC_STATUS_OK;
}
