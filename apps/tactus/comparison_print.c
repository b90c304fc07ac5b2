/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "apps/program/streams.h"
#include "apps/tactus/comparison.h"
#include "apps/tactus/report_text.h"
#include "measure/table.h"
#include "measure/text.h"

static const char *const side_names[TAC_SIDES] = {"base", "new"};

static void print_sides(FILE *stream, const struct tac_comparison *comparison) {
  for (int side = 0; side < TAC_SIDES; side++) {
    const struct tac_runs *runs = &comparison->sides[side];
    fprintf(stream, "%-5s %zu run%s of ", side_names[side], runs->count, runs->count == 1 ? "" : "s");
    tac_record_print_run(stream, &runs->records[0]);
    for (size_t i = 0; i < runs->count; i++) {
      fputs(i == 0 ? "      " : ", ", stream);
      tac_stream_text(stream, runs->records[i].path, 0);
    }
    fputc('\n', stream);
  }
}

static void print_values(FILE *stream, const json_t *values) {
  for (size_t i = 0; i < json_array_size(values); i++) {
    const json_t *value = json_array_get(values, i);
    char *text =
        json_is_string(value) || json_is_null(value) ? NULL : json_dumps(value, JSON_ENCODE_ANY | JSON_REAL_PRECISION(15));
    fputs(i == 0 ? "" : ", ", stream);
    tac_stream_text(stream, json_is_string(value) ? json_string_value(value) : text ? text : "not told", 0);
    free(text);
  }
}

/* A run against itself says nothing of a change. */
static void print_twins(FILE *stream, const struct tac_comparison *comparison) {
  for (size_t i = 0; i < comparison->sides[TAC_SIDE_BASE].count; i++)
    for (size_t j = 0; j < comparison->sides[TAC_SIDE_NEW].count; j++) {
      const struct tac_record *base = &comparison->sides[TAC_SIDE_BASE].records[i];
      const struct tac_record *with = &comparison->sides[TAC_SIDE_NEW].records[j];
      if (!json_equal(base->root, with->root))
        continue;
      fputs("one and the same run on both sides: ", stream);
      tac_stream_text(stream, base->path, 0);
      if (strcmp(base->path, with->path) != 0) {
        fputs(" and ", stream);
        tac_stream_text(stream, with->path, 0);
      }
      fputc('\n', stream);
    }
}

/* What may be the reason for a difference, or make the sides no match. */
static void print_differences(FILE *stream, const json_t *differences) {
  for (size_t i = 0; i < json_array_size(differences); i++) {
    const json_t *difference = json_array_get(differences, i);
    fputs(i == 0 ? "\nnot the same:\n  " : "  ", stream);
    tac_stream_text(stream, json_string_value(json_object_get(difference, "member")), 0);
    fputs(": base ", stream);
    print_values(stream, json_object_get(difference, "base"));
    fputs("; new ", stream);
    print_values(stream, json_object_get(difference, "new"));
    fputc('\n', stream);
  }
}

static void set_time(struct tac_table_row *row, int column, double time_ns) {
  if (isfinite(time_ns))
    tac_format_duration(row->cell[column], llround(time_ns));
}

static void set_ratio(struct tac_table_row *row, int column, double ratio) {
  if (isfinite(ratio))
    snprintf(row->cell[column], TAC_TABLE_CELL_BYTES, "%.3f", ratio);
}

/* How far the runs of a side lie apart, as a share of their median. */
static void set_spread(struct tac_table_row *row, int column, const struct tac_spread *spread, size_t runs) {
  if (runs > 1)
    tac_format_share(row->cell[column], spread->most - spread->least, spread->median);
}

static void set_counts(struct tac_table_row *row, int column, const struct tac_spread *count) {
  const double base = count[TAC_SIDE_BASE].median, with = count[TAC_SIDE_NEW].median;
  if (base == with)
    snprintf(row->cell[column], TAC_TABLE_CELL_BYTES, "%.15g", base);
  else
    snprintf(row->cell[column], TAC_TABLE_CELL_BYTES, "%.15g → %.15g", base, with);
}

static int has_repetitions(const struct tac_comparison *comparison) {
  return comparison->sides[TAC_SIDE_BASE].count > 1 || comparison->sides[TAC_SIDE_NEW].count > 1;
}

static const char *const event_titles[] = {"event",   "calls",    "base",    "new",    "ratio",     "fastest call",
                                           "verdict", "at least", "at most", "spread", "new spread"};
enum {
  CALLS,
  BASE,
  NEW,
  RATIO,
  FASTEST,
  VERDICT,
  EVENT_COLUMNS,
  LEAST = EVENT_COLUMNS,
  MOST,
  SPREAD,
  NEW_SPREAD,
  WIDE_COLUMNS
};

static void event_rows(struct tac_table *table) {
  const struct tac_comparison *comparison = table->subject;
  for (size_t i = 0; i < comparison->shown; i++) {
    const struct tac_compared_event *event = &comparison->events[comparison->order[i]];
    struct tac_table_row row = {.name = event->name, .depth = event->depth};
    set_counts(&row, CALLS, event->count);
    set_time(&row, BASE, event->time.side[TAC_SIDE_BASE].median);
    set_time(&row, NEW, event->time.side[TAC_SIDE_NEW].median);
    set_ratio(&row, RATIO, event->time.ratio.median);
    set_ratio(&row, FASTEST, event->fastest.ratio.median);
    snprintf(row.cell[VERDICT], TAC_TABLE_CELL_BYTES, "%s%s", tac_verdict_text(event->verdict), event->failed ? ", fails" : "");
    if (has_repetitions(comparison) && event->time.known) {
      set_ratio(&row, LEAST, event->time.ratio.least);
      set_ratio(&row, MOST, event->time.ratio.most);
      set_spread(&row, SPREAD, &event->time.side[TAC_SIDE_BASE], comparison->sides[TAC_SIDE_BASE].count);
      set_spread(&row, NEW_SPREAD, &event->time.side[TAC_SIDE_NEW], comparison->sides[TAC_SIDE_NEW].count);
    }
    tac_table_add(table, &row);
  }
}

static const char *const batch_titles[] = {"batched event",  "base idle",     "new idle", "longest item, ratio",
                                           "base imbalance", "new imbalance", "base p50", "new p50",
                                           "ratio",          "base p90",      "new p90",  "ratio",
                                           "base p99",       "new p99",       "ratio"};
enum {
  IDLE,
  LONGEST = IDLE + TAC_SIDES,
  BATCH_COLUMNS,
  IMBALANCE = BATCH_COLUMNS,
  P50 = IMBALANCE + TAC_SIDES,
  P90 = P50 + 3,
  P99 = P90 + 3,
  ITEM_COLUMNS = P99 + 3
};

/* Both sides tell something of its batches. */
static int has_batches(const struct tac_compared_event *event) {
  return event->batches && (event->idle.known || event->p50.known || event->longest.known);
}

static void set_percentile(struct tac_table_row *row, int column, const struct tac_compared_pair *pair) {
  if (!pair->known)
    return;
  set_time(row, column, pair->side[TAC_SIDE_BASE].median);
  set_time(row, column + 1, pair->side[TAC_SIDE_NEW].median);
  set_ratio(row, column + 2, pair->ratio.median);
}

static void batch_rows(struct tac_table *table) {
  const struct tac_comparison *comparison = table->subject;
  for (size_t i = 0; i < comparison->shown; i++) {
    const struct tac_compared_event *event = &comparison->events[comparison->order[i]];
    struct tac_table_row row = {.name = event->name};
    if (!has_batches(event))
      continue;
    for (int side = 0; side < TAC_SIDES; side++) {
      if (event->idle.known)
        tac_format_share(row.cell[IDLE + side], event->idle.side[side].median, 1);
      if (event->imbalance.known)
        set_ratio(&row, IMBALANCE + side, event->imbalance.side[side].median);
    }
    if (event->longest.known)
      set_ratio(&row, LONGEST, event->longest.ratio.median);
    set_percentile(&row, P50, &event->p50);
    set_percentile(&row, P90, &event->p90);
    set_percentile(&row, P99, &event->p99);
    tac_table_add(table, &row);
  }
}

static const char *const device_titles[] = {"event, device busy", "base", "new", "ratio"};
enum { DEVICE_COLUMNS = 3 };

static int has_device(const struct tac_compared_event *event) {
  return event->device.side[TAC_SIDE_BASE].median > 0 || event->device.side[TAC_SIDE_NEW].median > 0;
}

static void device_rows(struct tac_table *table) {
  const struct tac_comparison *comparison = table->subject;
  for (size_t i = 0; i < comparison->shown; i++) {
    const struct tac_compared_event *event = &comparison->events[comparison->order[i]];
    struct tac_table_row row = {.name = event->name, .depth = event->depth};
    if (!has_device(event))
      continue;
    set_time(&row, 0, event->device.side[TAC_SIDE_BASE].median);
    set_time(&row, 1, event->device.side[TAC_SIDE_NEW].median);
    set_ratio(&row, 2, event->device.ratio.median);
    tac_table_add(table, &row);
  }
}

static const char *const bytes_titles[] = {"event, bytes", "base", "new", "ratio"};
enum { BYTES_COLUMNS = 3 };

static int has_bytes(const struct tac_compared_event *event) {
  return event->bytes.side[TAC_SIDE_BASE].median > 0 || event->bytes.side[TAC_SIDE_NEW].median > 0;
}

static void bytes_rows(struct tac_table *table) {
  const struct tac_comparison *comparison = table->subject;
  for (size_t i = 0; i < comparison->shown; i++) {
    const struct tac_compared_event *event = &comparison->events[comparison->order[i]];
    struct tac_table_row row = {.name = event->name, .depth = event->depth};
    if (!has_bytes(event))
      continue;
    for (int side = 0; side < TAC_SIDES; side++)
      snprintf(row.cell[side], TAC_TABLE_CELL_BYTES, "%.15g", event->bytes.side[side].median);
    set_ratio(&row, 2, event->bytes.ratio.median);
    tac_table_add(table, &row);
  }
}

static void print_tables(FILE *stream, const struct tac_comparison *comparison) {
  struct tac_writer writer = {.sink = tac_stream_sink, .context = stream};
  int batches = 0, items = 0, device = 0, bytes = 0;
  for (size_t i = 0; i < comparison->shown; i++) {
    const struct tac_compared_event *event = &comparison->events[comparison->order[i]];
    batches |= has_batches(event);
    items |= has_batches(event) && (event->p50.known || event->imbalance.known);
    device |= has_device(event);
    bytes |= has_bytes(event);
  }
  fputc('\n', stream);
  tac_table_print(&writer, event_titles, has_repetitions(comparison) ? WIDE_COLUMNS : EVENT_COLUMNS, event_rows, comparison);
  if (batches) {
    fputc('\n', stream);
    tac_table_print(&writer, batch_titles, items ? ITEM_COLUMNS : BATCH_COLUMNS, batch_rows, comparison);
  }
  if (device) {
    fputc('\n', stream);
    tac_table_print(&writer, device_titles, DEVICE_COLUMNS, device_rows, comparison);
  }
  if (bytes) {
    fputc('\n', stream);
    tac_table_print(&writer, bytes_titles, BYTES_COLUMNS, bytes_rows, comparison);
  }
}

/* Only where there is one. */
static void print_gate(FILE *stream, const struct tac_comparison *comparison) {
  const double limit = comparison->options->fail_above;
  size_t looked_at = 0;
  for (size_t i = 0; i < comparison->shown; i++)
    looked_at += comparison->events[comparison->order[i]].verdict != TAC_VERDICT_NO_FIGURE;
  if (limit > 0 && comparison->failed == 0)
    fprintf(stream, "gate: no event above %.6g outside the noise, %zu looked at\n", limit, looked_at);
  else if (limit > 0)
    fprintf(stream, "gate: %zu event%s above %.6g outside the noise, %zu looked at\n", comparison->failed,
            comparison->failed == 1 ? "" : "s", limit, looked_at);
}

static size_t left_aside(const struct tac_comparison *comparison, enum tac_side side) {
  return tac_runs_left_aside(comparison->sides[side].count);
}

static int has_left_aside(const struct tac_comparison *comparison) {
  return left_aside(comparison, TAC_SIDE_BASE) > 0 || left_aside(comparison, TAC_SIDE_NEW) > 0;
}

/* "… of the base the 1 fastest and the 1 slowest of 12 runs; of the new side …" */
static void print_left_aside(FILE *stream, const struct tac_comparison *comparison) {
  static const char *const names[TAC_SIDES] = {"the base", "the new side"};
  const char *before = "Left aside in each row, but for the medians: ";
  for (int side = 0; side < TAC_SIDES; side++) {
    const size_t aside = left_aside(comparison, (enum tac_side)side);
    if (aside == 0)
      continue;
    fprintf(stream, "%sof %s the %zu fastest and the %zu slowest of %zu runs", before, names[side], aside, aside,
            comparison->sides[side].count);
    before = "; ";
  }
  if (has_left_aside(comparison))
    fputs(".\n", stream);
}

/* A number that may be large. */
static void print_one_in(FILE *stream, double events) {
  fprintf(stream, events < 1e6 ? "%.0f" : "%.3g", events);
}

/* What the verdicts are worth. */
static void print_noise(FILE *stream, const struct tac_comparison *comparison) {
  const size_t base = comparison->sides[TAC_SIDE_BASE].count, with = comparison->sides[TAC_SIDE_NEW].count;
  if (base < TAC_VERDICT_RUNS || with < TAC_VERDICT_RUNS)
    fprintf(stream,
            "The noise is unknown: that takes %d runs a side at least, so that there is no verdict, and any ratio may be "
            "chance.\n",
            TAC_VERDICT_RUNS);
  else {
    fprintf(stream,
            "Slower and faster: the runs of the two sides do not overlap%s. Of sides that do not differ, chance alone does "
            "that to one event in ",
            has_left_aside(comparison) ? ", but for those left aside" : "");
    print_one_in(stream, tac_chance_of_apart(base, with));
    fputs(".\n", stream);
  }
  if (tac_comparison_in_blocks(comparison->sides))
    fputs("All runs of one side came before all of the other: a machine that became slower or faster in between looks the "
          "same as a program that did. Take turns.\n",
          stream);
}

void tac_comparison_print(FILE *stream, const struct tac_comparison *comparison, const json_t *differences) {
  static const char *const figures[] = {"Times are totals of a run", "Times are means of a call",
                                        "Times are those of the fastest call"};
  print_sides(stream, comparison);
  print_twins(stream, comparison);
  print_differences(stream, differences);
  print_tables(stream, comparison);
  fputs(figures[comparison->options->figure], stream);
  if (has_repetitions(comparison))
    fprintf(stream,
            ", medians over the runs of a side; at least and at most: the ratio between any two of their runs%s; spread: from "
            "the fastest%s to the slowest, by the median",
            has_left_aside(comparison) ? " that are not left aside" : "", has_left_aside(comparison) ? " of these" : "");
  fputs(".\n", stream);
  print_left_aside(stream, comparison);
  print_noise(stream, comparison);
  if (comparison->small > 0)
    fprintf(stream, "Left out: %zu event%s below %.3g of the time (--min-share=0 shows all).\n", comparison->small,
            comparison->small == 1 ? "" : "s", comparison->options->min_share);
  print_gate(stream, comparison);
}
