/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <inttypes.h>
#include <stdio.h>

#include "measure/csv.h"
#include "measure/phase_report.h"
#include "measure/text.h"

enum { NUMBER_BYTES = 48, SHARE_DIGITS = 9, FLOPS_DIGITS = 17 };

static void write_text(struct tac_writer *writer, const char *text) {
  tac_csv_field(writer, text);
  tac_write_text(writer, ",");
}

static void write_count(struct tac_writer *writer, struct tac_known_count count) {
  char text[NUMBER_BYTES] = "";
  if (count.known)
    snprintf(text, sizeof text, "%" PRIu64, count.value);
  write_text(writer, text);
}

static void write_number(struct tac_writer *writer, double value, int digits) {
  tac_csv_number(writer, value, digits);
  tac_write_text(writer, ",");
}

static void write_row(struct tac_writer *writer, const struct tac_phase_report *report, const struct tac_phase_row *row) {
  char seconds[TAC_SECONDS_BYTES], device_seconds[TAC_SECONDS_BYTES] = "";
  tac_format_seconds(seconds, row->phase.total_ns, 9);
  if (row->phase.device_known)
    tac_format_seconds(device_seconds, row->phase.device_ns, 9);
  write_text(writer, report->kernel);
  write_text(writer, report->near);
  write_text(writer, report->scope);
  write_text(writer, row->phase.name);
  write_text(writer, report->counts ? report->counts->unit : "");
  write_count(writer, row->operations);
  write_number(writer, row->operations_share, SHARE_DIGITS);
  write_number(writer, row->flops, FLOPS_DIGITS);
  write_text(writer, seconds);
  write_number(writer, row->share, SHARE_DIGITS);
  write_count(writer, (struct tac_known_count){row->phase.calls, 1});
  write_text(writer, report->counts ? report->counts->counting_rule : "");
  tac_csv_field(writer, device_seconds);
  tac_write_text(writer, "\n");
}

enum tac_status tac_phase_report_csv_header(tac_sink_fn sink, void *context, struct tac_error *error) {
  struct tac_writer writer = {.sink = sink, .context = context};
  if (!sink)
    return tac_error_set(error, TAC_STATUS_INVALID, __func__, "no sink");
  tac_write_text(&writer, "kernel,near,scope,phase,ops_unit,ops,ops_share,flops,seconds,seconds_share,calls,counting_rule,"
                          "device_seconds\n");
  return tac_writer_status(&writer, __func__, error);
}

enum tac_status tac_phase_report_csv(const struct tac_phase_report *report, tac_sink_fn sink, void *context,
                                     struct tac_error *error) {
  const enum tac_status status = tac_phase_report_check(report, sink, __func__, error);
  if (status != TAC_STATUS_OK)
    return status;
  const struct tac_phase_sums sums = tac_phase_report_sums(report);
  struct tac_writer writer = {.sink = sink, .context = context};
  for (size_t i = 0; i < report->phase_count; i++) {
    const struct tac_phase_row row = tac_phase_report_row(report, &sums, i);
    write_row(&writer, report, &row);
  }
  return tac_writer_status(&writer, __func__, error);
}
