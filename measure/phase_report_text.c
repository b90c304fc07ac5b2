/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "measure/phase_report.h"
#include "measure/table.h"
#include "measure/text.h"

enum { SECONDS, CALLS, MEAN, SHARE, OPERATIONS, OPERATIONS_SHARE, FLOPS, RATE, COLUMNS, DEVICE = COLUMNS, DEVICE_COLUMNS };
static const char *const titles[] = {"phase",      "seconds",       "calls", "mean", "share",
                                     "operations", "of operations", "flops", "GF/s", "device seconds"};

struct subject {
  const struct tac_phase_report *report;
  struct tac_phase_sums sums;
};

static void set_seconds(struct tac_table_row *row, int64_t duration_ns) {
  tac_format_seconds(row->cell[SECONDS], duration_ns, 6);
}

static void set_share(struct tac_table_row *row, int column, double share) {
  if (isfinite(share))
    tac_format_share(row->cell[column], share, 1);
}

static void set_operations(struct tac_table_row *row, struct tac_known_count operations) {
  if (operations.known)
    snprintf(row->cell[OPERATIONS], TAC_TABLE_CELL_BYTES, "%" PRIu64, operations.value);
}

static void set_number(struct tac_table_row *row, int column, double value) {
  if (isfinite(value))
    tac_format_number(row->cell[column], value, 4);
}

/* To the nearest nanosecond; 0 for a phase never entered. */
static int64_t mean_ns(const struct tac_phase *phase) {
  return phase->calls > 0 ? (int64_t)(((uint64_t)phase->total_ns + phase->calls / 2) / phase->calls) : 0;
}

static void add_phase(struct tac_table *table, const struct subject *subject, size_t number) {
  const struct tac_phase_row told = tac_phase_report_row(subject->report, &subject->sums, number);
  struct tac_table_row row = {.name = subject->report->phases[number]};
  set_seconds(&row, told.phase.total_ns);
  snprintf(row.cell[CALLS], TAC_TABLE_CELL_BYTES, "%" PRIu64, told.phase.calls);
  tac_format_duration(row.cell[MEAN], mean_ns(&told.phase));
  set_share(&row, SHARE, told.share);
  set_operations(&row, told.operations);
  set_share(&row, OPERATIONS_SHARE, told.operations_share);
  set_number(&row, FLOPS, told.flops);
  set_number(&row, RATE, told.flops_per_ns);
  if (told.phase.device_known)
    tac_format_seconds(row.cell[DEVICE], told.phase.device_ns, 6);
  tac_table_add(table, &row);
}

/* A total of the whole; nothing when it is not known. */
static void add_total(struct tac_table *table, const char *name, const struct tac_phase_sums *sums, int64_t total_ns) {
  struct tac_table_row row = {.name = name};
  if (total_ns < 0)
    return;
  set_seconds(&row, total_ns);
  set_operations(&row, sums->operations);
  set_number(&row, FLOPS, sums->flops);
  set_number(&row, RATE, tac_phase_report_ratio(sums->flops, (double)total_ns));
  tac_table_add(table, &row);
}

static void add_residual(struct tac_table *table, const struct subject *subject) {
  struct tac_table_row row = {.name = "residual"};
  if (subject->sums.residual_known) {
    set_seconds(&row, subject->sums.residual_ns);
    set_share(&row, SHARE, tac_phase_report_ratio((double)subject->sums.residual_ns, (double)subject->report->profiled_ns));
  }
  tac_table_add(table, &row);
}

static void rows(struct tac_table *table) {
  const struct subject *subject = table->subject;
  for (size_t i = 0; i < subject->report->phase_count; i++)
    add_phase(table, subject, i);
  add_residual(table, subject);
  add_total(table, "profiled total", &subject->sums, subject->report->profiled_ns);
  add_total(table, "off total", &subject->sums, subject->report->off_ns);
}

static int has_device(const struct tac_phase_report *report) {
  for (size_t i = 0; i < report->phase_count; i++)
    if (tac_phase_profile_find(report->profile, report->phases[i]).device_known)
      return 1;
  return 0;
}

/* What measuring cost, and why. */
static void write_perturbation(struct tac_writer *writer, const struct tac_phase_report *report, int on_device) {
  char profiled[TAC_SECONDS_BYTES], off[TAC_SECONDS_BYTES], cost[TAC_COST_BYTES];
  if (report->profiled_ns < 0 || report->off_ns <= 0)
    return;
  tac_format_seconds(profiled, report->profiled_ns, 6);
  tac_format_seconds(off, report->off_ns, 6);
  tac_format_cost(cost, (double)report->profiled_ns, (double)report->off_ns);
  tac_write_text(writer, "Measured, the work took ");
  tac_write_text(writer, profiled);
  tac_write_text(writer, " s, and ");
  tac_write_text(writer, off);
  tac_write_text(writer, " s with measurements off: ");
  tac_write_text(writer, cost);
  tac_write_text(writer, on_device ? "; measured batches drain their queues at their joins.\n" : ".\n");
}

static void write_counting_rule(struct tac_writer *writer, const struct tac_operation_counts *counts) {
  tac_write_text(writer, "Operations are in units of one ");
  tac_write_printable(writer, counts->unit);
  tac_write_text(writer, ", by the counting rule ");
  tac_write_printable(writer, counts->counting_rule);
  tac_write_text(writer, ".\n");
}

static void write_withheld(struct tac_writer *writer, const struct tac_phase_profile *profile, const char *reason) {
  const char *before = " (";
  tac_write_text(writer, "Shares and the residual are withheld: ");
  tac_write_text(writer, reason);
  for (size_t i = 0; i < tac_phase_profile_count(profile); i++) {
    const struct tac_phase phase = tac_phase_profile_at(profile, i);
    if (!phase.nested)
      continue;
    tac_write_text(writer, before);
    tac_write_printable(writer, phase.name);
    before = ", ";
  }
  tac_write_text(writer, before[0] == ',' ? ").\n" : ".\n");
}

enum tac_status tac_phase_report_text(const struct tac_phase_report *report, tac_sink_fn sink, void *context,
                                      struct tac_error *error) {
  const enum tac_status status = tac_phase_report_check(report, sink, __func__, error);
  if (status != TAC_STATUS_OK)
    return status;
  const struct subject subject = {report, tac_phase_report_sums(report)};
  struct tac_writer writer = {.sink = sink, .context = context};
  const int on_device = has_device(report);
  tac_table_print(&writer, titles, on_device ? DEVICE_COLUMNS : COLUMNS, rows, &subject);
  if (on_device)
    tac_write_text(&writer,
                   "Seconds are host wall time, device seconds the time in which the device ran commands of the phase, by "
                   "its own stamps on CLOCK_MONOTONIC.\n");
  write_perturbation(&writer, report, on_device);
  if (report->counts)
    write_counting_rule(&writer, report->counts);
  if (subject.sums.withheld)
    write_withheld(&writer, report->profile, subject.sums.withheld);
  return tac_writer_status(&writer, __func__, error);
}
