/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <tactus/measure/report.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "measure/record_cost.h"
#include "measure/recorder.h"
#include "measure/saturate.h"
#include "measure/table.h"
#include "measure/text.h"

static void set_count(struct tac_table_row *row, int column, uint64_t count) {
  snprintf(row->cell[column], TAC_TABLE_CELL_BYTES, "%" PRIu64, count);
}

static void set_duration(struct tac_table_row *row, int column, int64_t duration_ns) {
  tac_format_duration(row->cell[column], duration_ns);
}

/* The last two only where there is device time. */
static const char *const event_titles[] = {"event", "count",     "total",       "mean",        "min",
                                           "max",   "of parent", "device busy", "device total"};
enum { EVENT_COLUMNS = 6, DEVICE_EVENT_COLUMNS = 8 };

static void add_event(struct tac_table *table, int number, const struct tac_event_stats *stats, int depth) {
  const struct tac_event *event = &tac_recorder_events(table->subject)->events[number];
  const struct tac_device_stats device = tac_recorder_device_stats(table->subject, number);
  struct tac_table_row row = {.name = event->name, .depth = depth};
  set_count(&row, 0, stats->count);
  set_duration(&row, 1, stats->total_ns);
  set_duration(&row, 2, tac_whole_time(tac_event_stats_mean_ns(stats)));
  set_duration(&row, 3, stats->min_ns);
  set_duration(&row, 4, stats->max_ns);
  const struct tac_event_stats parent = tac_recorder_stats(table->subject, event->parent);
  tac_format_share(row.cell[5], (double)stats->total_ns, (double)parent.total_ns);
  if (device.commands > 0) {
    set_duration(&row, 6, device.busy_ns);
    set_duration(&row, 7, device.total_ns);
  }
  tac_table_add(table, &row);
}

/* What the children of an event leave of it. */
static void add_remainder(struct tac_table *table, int parent, int depth) {
  struct tac_table_row row = {.name = "(unmeasured)", .depth = depth};
  const int64_t remainder_ns = tac_recorder_exclusive_ns(table->subject, parent);
  set_duration(&row, 1, remainder_ns);
  tac_format_share(row.cell[5], (double)remainder_ns, (double)tac_recorder_stats(table->subject, parent).total_ns);
  tac_table_add(table, &row);
}

/* Each event, its children, and what these leave of it. A set may be deeper than a stack. */
static void event_rows(struct tac_table *table) {
  const struct tac_event_set *set = tac_recorder_events(table->subject);
  int parent = TAC_NO_EVENT, depth = 0;
  for (size_t next = 0;;) {
    while (next < set->count && set->events[next].parent != parent)
      next++;
    if (next < set->count) {
      const struct tac_event_stats stats = tac_recorder_stats(table->subject, (int)next);
      if (stats.count > 0)
        add_event(table, (int)next, &stats, depth);
      parent = (int)next;
      depth++;
    } else if (parent == TAC_NO_EVENT) {
      return;
    } else {
      if (tac_recorder_stats(table->subject, parent).count > 0 && tac_recorder_has_children(table->subject, parent))
        add_remainder(table, parent, depth);
      next = (size_t)parent;
      parent = set->events[parent].parent;
      depth--;
    }
    next++;
  }
}

static const char *const batch_titles[] = {"batched event",     "batches",         "inline",          "requested",
                                           "started",           "completed",       "peak overlap",    "wall",
                                           "item total",        "longest item",    "max start delay", "max start spread",
                                           "max finish spread", "sum return tail", "lanes idle",      "item times"};
enum { BATCH_COLUMNS = 14, DEVICE_BATCH_COLUMNS = 15 };

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
  /* Of items that only submit, lanes that wait are no idle lanes, and the join is the work: both are left blank. */
  if (summary->submissions == 0) {
    set_duration(&row, 12, summary->return_after_last_finish_ns);
    tac_format_share(row.cell[13], tac_batch_summary_idle_share(summary), summary->lane_wall_ns > 0 ? 1 : 0);
  }
  snprintf(row.cell[14], TAC_TABLE_CELL_BYTES, "%s", summary->submissions > 0 ? "submission" : "work");
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

static const char *const item_titles[] = {
    "items of batched event", "p50",      "p90", "p99", "p99.9", "longest", "in batch", "item", "busiest",
    "mean of lanes",          "imbalance"};
enum { ITEM_COLUMNS = 10 };

static void add_items(struct tac_table *table, int event, const struct tac_batch_summary *summary) {
  static const int thousandths[] = {500, 900, 990, 999};
  struct tac_table_row row = {.name = tac_recorder_events(table->subject)->events[event].name};
  const double imbalance = tac_batch_summary_imbalance(summary);
  for (int i = 0; i < 4; i++)
    set_duration(&row, i, tac_recorder_item_percentile_ns(table->subject, event, thousandths[i]));
  set_duration(&row, 4, summary->item_max_ns);
  set_count(&row, 5, summary->slowest_batch);
  set_count(&row, 6, summary->slowest_index);
  if (imbalance > 0) {
    set_duration(&row, 7, summary->lane_busy_max_ns);
    set_duration(&row, 8, tac_whole_time(summary->lane_busy_mean_ns));
    const long hundredths = lround(fmin(100 * imbalance, 1e9));
    snprintf(row.cell[9], TAC_TABLE_CELL_BYTES, "%ld.%02ld", hundredths / 100, hundredths % 100);
  }
  tac_table_add(table, &row);
}

static void item_rows(struct tac_table *table) {
  for (size_t i = 0; i < tac_recorder_events(table->subject)->count; i++) {
    const struct tac_batch_summary summary = tac_recorder_summary(table->subject, (int)i);
    if (summary.completed > 0)
      add_items(table, (int)i, &summary);
  }
}

static const char *const device_titles[] = {
    "batched event, on the device", "batches", "items", "commands", "peak overlap", "wall", "busy", "total", "longest item"};
enum { DEVICE_COLUMNS = 8 };

static void device_rows(struct tac_table *table) {
  const struct tac_event_set *set = tac_recorder_events(table->subject);
  for (size_t i = 0; i < set->count; i++) {
    const struct tac_device_summary device = tac_recorder_summary(table->subject, (int)i).device;
    struct tac_table_row row = {.name = set->events[i].name};
    if (device.batches == 0)
      continue;
    set_count(&row, 0, device.batches);
    set_count(&row, 1, device.items);
    set_count(&row, 2, device.commands);
    set_count(&row, 3, device.peak_overlap);
    set_duration(&row, 4, device.wall_ns);
    set_duration(&row, 5, device.busy_ns);
    set_duration(&row, 6, device.total_ns);
    set_duration(&row, 7, device.item_max_ns);
    tac_table_add(table, &row);
  }
}

static int has_device_batches(const struct tac_recorder *recorder) {
  for (size_t i = 0; i < tac_recorder_events(recorder)->count; i++)
    if (tac_recorder_summary(recorder, (int)i).device.batches > 0)
      return 1;
  return 0;
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

static void write_tables(struct tac_writer *writer, const struct tac_recorder *recorder) {
  const int has_device = tac_recorder_has_device(recorder), has_device_records = has_device_batches(recorder);
  tac_table_print(writer, event_titles, has_device ? DEVICE_EVENT_COLUMNS : EVENT_COLUMNS, event_rows, recorder);
  if (has_batches(recorder)) {
    tac_write_text(writer, "\n");
    tac_table_print(writer, batch_titles, has_device_records ? DEVICE_BATCH_COLUMNS : BATCH_COLUMNS, batch_rows, recorder);
    tac_write_text(writer, "\n");
    tac_table_print(writer, item_titles, ITEM_COLUMNS, item_rows, recorder);
  }
  if (has_device_records) {
    tac_write_text(writer, "\n");
    tac_table_print(writer, device_titles, DEVICE_COLUMNS, device_rows, recorder);
  }
}

static void write_device_notes(struct tac_writer *writer, const struct tac_recorder *recorder) {
  write_counted(writer, "Batches and phases whose device time is missing: ", tac_recorder_device_lost(recorder));
  if (!tac_recorder_has_device(recorder))
    return;
  tac_write_text(writer,
                 "Device times are those that the device gave its commands, on CLOCK_MONOTONIC: busy while at least one ran, "
                 "total is their sum.\n");
  if (has_device_batches(recorder))
    tac_write_text(writer, "Item times of a submission are the host's while it submitted, not those of the work.\n");
}

enum { COST_DIGITS = 3 };

static void write_cost(struct tac_writer *writer, double cost_ns, const char *of) {
  char number[TAC_NUMBER_BYTES];
  tac_format_number(number, cost_ns, COST_DIGITS);
  tac_write_text(writer, number);
  tac_write_text(writer, " ns ");
  tac_write_text(writer, of);
}

/* How finely was measured, and at what price. */
static void write_clock(struct tac_writer *writer, const struct tac_recorder_options *options,
                        const struct tac_record_cost *cost) {
  char resolution[TAC_DURATION_BYTES];
  tac_format_duration(resolution, tac_clock_resolution_ns(options->clock, 0));
  tac_write_text(writer, "Clock ");
  tac_write_text(writer, options->clock->name ? options->clock->name : "unnamed");
  tac_write_text(writer, " with a resolution of ");
  tac_write_text(writer, resolution);
  tac_write_text(writer, "; a record costs ");
  write_cost(writer, cost->phase_record_ns, "a phase");
  if (options->level == TAC_DETAILED) {
    tac_write_text(writer, ", ");
    write_cost(writer, cost->item_record_ns, "an item");
  }
  tac_write_text(writer, ".\n");
}

enum tac_status tac_report_text(const struct tac_recorder *recorder, tac_sink_fn sink, void *context, struct tac_error *error) {
  if (!recorder || !sink)
    return tac_error_set(error, TAC_STATUS_INVALID, __func__, "no recorder, or no sink");
  struct tac_record_cost cost;
  const enum tac_status status = tac_record_cost_measure(&cost, &recorder->options, error);
  if (status != TAC_STATUS_OK)
    return status;
  struct tac_writer writer = {.sink = sink, .context = context};
  write_tables(&writer, recorder);
  write_counted(&writer, "Batches beyond the limit, in the sums but not kept one by one: ", tac_recorder_dropped(recorder));
  write_counted(&writer, "Items of batches that were kept, not kept one by one: ", tac_recorder_slots_dropped(recorder));
  write_counted(&writer, "Phases and batches beyond the limit of the timeline: ", tac_recorder_timeline_dropped(recorder));
  write_counted(&writer, "Phases entered or left out of order, not counted: ", tac_recorder_mismatches(recorder));
  tac_write_text(&writer, "Times are host wall time; an event contains those indented below it.\n");
  write_device_notes(&writer, recorder);
  write_clock(&writer, &recorder->options, &cost);
  if (tac_recorder_level(recorder) == TAC_DETAILED)
    tac_write_text(&writer, "Measuring in detail perturbs fine items: take final figures from a run with measurements off.\n");
  return tac_writer_status(&writer, __func__, error);
}
