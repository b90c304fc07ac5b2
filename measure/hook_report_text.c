/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "measure/hook_report.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "measure/table.h"
#include "measure/text.h"

enum tac_status tac_hook_report_check(const struct tac_hook_figures *figures, tac_sink_fn sink, const char *where,
                                      struct tac_error *error) {
  if (!figures || !sink)
    return tac_error_set(error, TAC_STATUS_INVALID, where, "no figures, or no sink");
  if (!figures->name || !figures->events || !figures->phase || !figures->item || figures->counters > TAC_HOOK_COUNTERS_MOST)
    return tac_error_set(error, TAC_STATUS_INVALID, where, "figures not made by tac_hook_figures_create");
  return TAC_STATUS_OK;
}

static void add_sum(struct tac_table *table, const struct tac_hook_figures *figures, const char *name, int depth,
                    const struct tac_hook_sum *sum) {
  struct tac_table_row row = {.name = name, .depth = depth};
  snprintf(row.cell[0], TAC_TABLE_CELL_BYTES, "%" PRIu64, sum->count);
  for (size_t c = 0; c < figures->counters; c++) {
    if (strcmp(figures->counter[c].unit, "ns") == 0)
      tac_format_duration(row.cell[c + 1], sum->value[c].value);
    else
      snprintf(row.cell[c + 1], TAC_TABLE_CELL_BYTES, "%" PRId64, sum->value[c].value);
  }
  tac_table_add(table, &row);
}

/* The phases under `parent`, each followed by its own children. */
static void add_phases(struct tac_table *table, int parent, int depth) {
  const struct tac_hook_figures *figures = table->subject;
  for (size_t i = parent < 0 ? 0 : (size_t)parent + 1; i < figures->events->count; i++) {
    if (figures->events->events[i].parent != parent)
      continue;
    if (figures->phase[i].count > 0)
      add_sum(table, figures, figures->events->events[i].name, depth, &figures->phase[i]);
    add_phases(table, (int)i, depth + 1);
  }
}

static void phase_rows(struct tac_table *table) {
  add_phases(table, TAC_NO_EVENT, 0);
}

static void item_rows(struct tac_table *table) {
  const struct tac_hook_figures *figures = table->subject;
  for (size_t i = 0; i < figures->events->count; i++)
    if (figures->item[i].count > 0)
      add_sum(table, figures, figures->events->events[i].name, 0, &figures->item[i]);
}

/* A unit that the cells do not show stands in the title. */
static void print_table(struct tac_writer *writer, const struct tac_hook_figures *figures, const char *name, const char *count,
                        tac_table_rows_fn rows) {
  char title[TAC_HOOK_COUNTERS_MOST][sizeof(struct tac_hook_counter) + 4];
  const char *titles[TAC_HOOK_COUNTERS_MOST + 2] = {name, count};
  for (size_t c = 0; c < figures->counters; c++) {
    const struct tac_hook_counter *counter = &figures->counter[c];
    const int in_title = counter->unit[0] && strcmp(counter->unit, "ns") != 0;
    snprintf(title[c], sizeof title[c], in_title ? "%s (%s)" : "%s", counter->name, counter->unit);
    titles[c + 2] = title[c];
  }
  tac_table_print(writer, titles, (int)figures->counters + 1, rows, figures);
}

static void write_line(struct tac_writer *writer, const char *before, const char *text, const char *after) {
  tac_write_text(writer, before);
  tac_write_printable(writer, text);
  tac_write_text(writer, after);
}

static double least_share(const struct tac_hook_figures *figures) {
  double least = 1;
  for (size_t i = 0; i < figures->events->count; i++)
    for (size_t c = 0; c < figures->counters; c++) {
      const double phase = tac_hook_value_share(&figures->phase[i].value[c]);
      const double item = tac_hook_value_share(&figures->item[i].value[c]);
      least = phase < least ? phase : least;
      least = item < least ? item : least;
    }
  return least;
}

static void write_notes(struct tac_writer *writer, const struct tac_hook_figures *figures) {
  const double share = least_share(figures);
  char text[TAC_SHARE_BYTES];
  if (share < 1) {
    tac_format_share(text, share, 1);
    write_line(writer, "Counters took turns: values are scaled up from the part of the time in which they counted, at least ",
               text, ".\n");
  }
  if (figures->note[0])
    write_line(writer, "", figures->note, ".\n");
  if (figures->failures > 0) {
    snprintf(text, sizeof text, "%" PRIu64, figures->failures);
    write_line(writer, "Sums lack the part of threads whose hooks failed, ", text, " in all; the first: ");
    write_line(writer, "", figures->failure, ".\n");
  }
}

/* Hooks that count nothing have no table: how often they were called stands beside the times already. */
static void write_calls(struct tac_writer *writer, const struct tac_hook_figures *figures) {
  char text[96];
  uint64_t phases = 0, items = 0;
  for (size_t i = 0; i < figures->events->count; i++) {
    phases += figures->phase[i].count;
    items += figures->item[i].count;
  }
  snprintf(text, sizeof text, ": called by %" PRIu64 " phase%s and %" PRIu64 " item%s.\n", phases, phases == 1 ? "" : "s",
           items, items == 1 ? "" : "s");
  write_line(writer, "Hooks ", figures->name, text);
}

static int has_items(const struct tac_hook_figures *figures) {
  for (size_t i = 0; i < figures->events->count; i++)
    if (figures->item[i].count > 0)
      return 1;
  return 0;
}

static void write_tables(struct tac_writer *writer, const struct tac_hook_figures *figures) {
  print_table(writer, figures, "phase", "count", phase_rows);
  if (has_items(figures)) {
    tac_write_text(writer, "\n");
    print_table(writer, figures, "items of", "items", item_rows);
  }
  write_line(writer, "Hooks ", figures->name,
             ": a phase is of the thread that drives it and contains those indented below it, items are of all lanes.\n");
}

enum tac_status tac_hook_report_text(const struct tac_hook_figures *figures, tac_sink_fn sink, void *context,
                                     struct tac_error *error) {
  const enum tac_status status = tac_hook_report_check(figures, sink, __func__, error);
  if (status != TAC_STATUS_OK || !sink)
    return status;
  struct tac_writer writer = {.sink = sink, .context = context};
  if (figures->counters > 0)
    write_tables(&writer, figures);
  else
    write_calls(&writer, figures);
  write_notes(&writer, figures);
  return tac_writer_status(&writer, __func__, error);
}
