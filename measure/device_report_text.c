/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <inttypes.h>
#include <stdio.h>

#include "measure/device_report.h"
#include "measure/saturate.h"
#include "measure/table.h"
#include "measure/text.h"

enum { COUNT, TOTAL, MEAN, MIN, MAX, SHARE, CALL_COLUMNS };

struct call_table {
  struct tac_ranking ranking;
  struct tac_device_calls unrecorded, total;
};

static void add_calls(struct tac_table *table, const struct call_table *subject, const char *name,
                      const struct tac_device_calls *calls) {
  struct tac_table_row row = {.name = name};
  snprintf(row.cell[COUNT], TAC_TABLE_CELL_BYTES, "%" PRIu64, calls->count);
  tac_format_duration(row.cell[TOTAL], calls->total_ns);
  tac_format_duration(row.cell[MEAN], tac_whole_time(tac_device_calls_mean_ns(calls)));
  tac_format_duration(row.cell[MIN], calls->min_ns);
  tac_format_duration(row.cell[MAX], calls->max_ns);
  tac_format_share(row.cell[SHARE], (double)calls->total_ns, (double)subject->total.total_ns);
  tac_table_add(table, &row);
}

static void call_rows(struct tac_table *table) {
  const struct call_table *subject = table->subject;
  for (size_t i = 0; i < subject->ranking.count; i++)
    add_calls(table, subject, subject->ranking.ranked[i].calls.label, &subject->ranking.ranked[i].calls);
  if (subject->unrecorded.count > 0)
    add_calls(table, subject, "(labels without room)", &subject->unrecorded);
  add_calls(table, subject, "all", &subject->total);
}

static enum tac_status write_calls(struct tac_writer *writer, const struct tac_device_counters *counters,
                                   enum tac_device_call_kind kind, const char *what, struct tac_error *error) {
  const char *const titles[] = {what, "count", "host total", "mean", "min", "max", "share"};
  struct call_table subject = {.unrecorded = tac_device_counters_unrecorded(counters, kind),
                               .total = tac_device_counters_total(counters, kind)};
  const enum tac_status status = tac_ranking_create(&subject.ranking, counters, kind, "tac_device_report_text", error);
  if (status != TAC_STATUS_OK)
    return status;
  tac_table_print(writer, titles, CALL_COLUMNS, call_rows, &subject);
  tac_write_text(writer, "\n");
  tac_ranking_release(&subject.ranking, counters);
  return TAC_STATUS_OK;
}

static const char *const directions[TAC_COPY_DIRECTIONS] = {[TAC_COPY_TO_DEVICE] = "to device",
                                                            [TAC_COPY_TO_HOST] = "to host",
                                                            [TAC_COPY_ON_DEVICE] = "on device",
                                                            [TAC_COPY_MAPPED] = "mapped"};

static void copy_rows(struct tac_table *table) {
  for (int direction = 0; direction < TAC_COPY_DIRECTIONS; direction++) {
    const struct tac_device_copies copies = tac_device_counters_copies(table->subject, (enum tac_copy_direction)direction);
    struct tac_table_row row = {.name = directions[direction]};
    snprintf(row.cell[0], TAC_TABLE_CELL_BYTES, "%" PRIu64, copies.count);
    snprintf(row.cell[1], TAC_TABLE_CELL_BYTES, "%s%" PRIu64, copies.saturated ? "more than " : "", copies.bytes);
    tac_table_add(table, &row);
  }
}

static void write_notes(struct tac_writer *writer, const struct tac_device_counters *counters,
                        const struct tac_device_memory_stats *memory) {
  char line[320];
  if (memory) {
    snprintf(line, sizeof line,
             "Device memory: %" PRIu64 " allocations, %" PRIu64 " requests served by the pool; %" PRIu64
             " bytes in use, %" PRIu64 " spare, %" PRIu64 " at most.\n",
             memory->allocations, memory->reuses, memory->used_bytes, memory->spare_bytes, memory->peak_bytes);
    tac_write_text(writer, line);
  }
  if (tac_device_counters_mismatches(counters) > 0) {
    snprintf(line, sizeof line, "Ends without their begin, begins without their end, and copies in no direction: %" PRIu64 "\n",
             tac_device_counters_mismatches(counters));
    tac_write_text(writer, line);
  }
  tac_write_text(writer, "Times are host wall time: a launch's is that of its dispatch, a fence's that of the wait.\n");
}

enum tac_status tac_device_report_text(const struct tac_device_counters *counters, const struct tac_device_memory_stats *memory,
                                       tac_sink_fn sink, void *context, struct tac_error *error) {
  static const char *const copy_titles[] = {"copies", "count", "bytes"};
  if (!counters || !sink)
    return tac_error_set(error, TAC_STATUS_INVALID, __func__, "no counters, or no sink");
  struct tac_writer writer = {.sink = sink, .context = context};
  enum tac_status status = write_calls(&writer, counters, TAC_DEVICE_LAUNCHES, "launches", error);
  if (status == TAC_STATUS_OK)
    status = write_calls(&writer, counters, TAC_DEVICE_FENCES, "fences", error);
  if (status != TAC_STATUS_OK)
    return status;
  tac_table_print(&writer, copy_titles, 2, copy_rows, counters);
  write_notes(&writer, counters, memory);
  return tac_writer_status(&writer, __func__, error);
}
