/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <tactus/measure/report.h>

#include <inttypes.h>
#include <stdio.h>

#include "measure/table.h"
#include "measure/text.h"

static void set_count(struct tac_table_row *row, int column, uint64_t count) {
  snprintf(row->cell[column], TAC_TABLE_CELL_BYTES, "%" PRIu64, count);
}

static void set_duration(struct tac_table_row *row, int column, int64_t duration_ns) {
  tac_format_duration(row->cell[column], duration_ns);
}

static const char *const event_titles[] = {"event", "count", "total", "mean", "min", "max", "of parent"};

static void add_event(struct tac_table *table, const struct tac_event *event, const struct tac_event_stats *stats, int depth) {
  struct tac_table_row row = {.name = event->name, .depth = depth};
  set_count(&row, 0, stats->count);
  set_duration(&row, 1, stats->total_ns);
  set_duration(&row, 2, (int64_t)(tac_event_stats_mean_ns(stats) + 0.5));
  set_duration(&row, 3, stats->min_ns);
  set_duration(&row, 4, stats->max_ns);
  const struct tac_event_stats parent = tac_recorder_stats(table->subject, event->parent);
  tac_format_share(row.cell[5], (double)stats->total_ns, (double)parent.total_ns);
  tac_table_add(table, &row);
}

/* The events under `parent`, each followed by its own children. */
static void add_events(struct tac_table *table, int parent, int depth) {
  const struct tac_event_set *set = tac_recorder_events(table->subject);
  for (size_t i = parent < 0 ? 0 : (size_t)parent + 1; i < set->count; i++) {
    if (set->events[i].parent != parent)
      continue;
    const struct tac_event_stats stats = tac_recorder_stats(table->subject, (int)i);
    if (stats.count > 0)
      add_event(table, &set->events[i], &stats, depth);
    add_events(table, (int)i, depth + 1);
  }
}

static void event_rows(struct tac_table *table) {
  add_events(table, TAC_NO_EVENT, 0);
}

static const char *const batch_titles[] = {"batched event",     "batches",         "inline",          "requested",
                                           "started",           "completed",       "peak overlap",    "wall",
                                           "item total",        "longest item",    "max start delay", "max start spread",
                                           "max finish spread", "sum return tail", "lanes idle"};

static void add_summary(struct tac_table *table, const struct tac_event *event, const struct tac_batch_summary *summary) {
  struct tac_table_row row = {.name = event->name};
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
  tac_table_add(table, &row);
}

static void batch_rows(struct tac_table *table) {
  const struct tac_event_set *set = tac_recorder_events(table->subject);
  for (size_t i = 0; i < set->count; i++) {
    const struct tac_batch_summary summary = tac_recorder_summary(table->subject, (int)i);
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

static void write_counted(struct tac_writer *writer, const char *what, uint64_t count) {
  char number[TAC_TABLE_CELL_BYTES];
  if (count == 0)
    return;
  snprintf(number, sizeof number, "%" PRIu64 "\n", count);
  tac_write_text(writer, what);
  tac_write_text(writer, number);
}

enum tac_status tac_report_text(const struct tac_recorder *recorder, tac_sink_fn sink, void *context, struct tac_error *error) {
  if (!recorder || !sink)
    return tac_error_set(error, TAC_STATUS_INVALID, __func__, "no recorder, or no sink");
  struct tac_writer writer = {.sink = sink, .context = context};
  tac_table_print(&writer, event_titles, 6, event_rows, recorder);
  if (has_batches(recorder)) {
    tac_write_text(&writer, "\n");
    tac_table_print(&writer, batch_titles, 14, batch_rows, recorder);
  }
  write_counted(&writer, "Batches beyond the limit, in the sums but not kept one by one: ", tac_recorder_dropped(recorder));
  write_counted(&writer, "Phases entered or left out of order, not counted: ", tac_recorder_mismatches(recorder));
  tac_write_text(&writer, "Times are host wall time; an event contains those indented below it.\n");
  if (tac_recorder_level(recorder) == TAC_DETAILED)
    tac_write_text(&writer, "Measuring in detail perturbs fine items: take final figures from a run with measurements off.\n");
  return tac_writer_status(&writer, __func__, error);
}
