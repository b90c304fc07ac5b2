/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <math.h>

#include "measure/json_value.h"
#include "measure/phase_profile.h"
#include "measure/phase_report.h"

/* As an integer where JSON readers take it for one, else as the nearest real number. */
static void set_operations(struct tac_value_builder *builder, json_t *object, const char *key,
                           struct tac_known_count operations) {
  if (operations.known && operations.value <= INT64_MAX)
    tac_value_set_count(builder, object, key, operations.value);
  else
    tac_value_set_real(builder, object, key, operations.known ? (double)operations.value : NAN);
}

static void set_total(struct tac_value_builder *builder, json_t *object, const char *key, int64_t total_ns) {
  if (total_ns >= 0)
    tac_value_set_time(builder, object, key, total_ns);
  else
    tac_value_set(builder, object, key, json_null());
}

static json_t *row_value(struct tac_value_builder *builder, const struct tac_phase_row *row) {
  json_t *value = json_object();
  tac_value_set_text(builder, value, "name", row->phase.name);
  tac_value_set_time(builder, value, "total_ns", row->phase.total_ns);
  tac_value_set_count(builder, value, "calls", row->phase.calls);
  tac_value_set_real(builder, value, "mean_ns", 1e9 * tac_phase_mean_seconds(&row->phase));
  tac_value_set(builder, value, "nested", json_boolean(row->phase.nested));
  tac_value_set_real(builder, value, "share", row->share);
  set_operations(builder, value, "operations", row->operations);
  tac_value_set_real(builder, value, "operations_share", row->operations_share);
  tac_value_set_real(builder, value, "flops", row->flops);
  tac_value_set_real(builder, value, "gflops_per_second", row->flops_per_ns);
  tac_value_set_text(builder, value, "domain", TAC_JSON_DOMAIN);
  if (row->phase.device_known) {
    tac_value_set_time(builder, value, "device_ns", row->phase.device_ns);
    tac_value_set_text(builder, value, "device_domain", TAC_JSON_DEVICE_DOMAIN);
  }
  return value;
}

static void set_totals(struct tac_value_builder *builder, json_t *value, const struct tac_phase_report *report,
                       const struct tac_phase_sums *sums) {
  set_total(builder, value, "profiled_total_ns", report->profiled_ns);
  set_total(builder, value, "off_total_ns", report->off_ns);
  if (sums->residual_known)
    tac_value_set_time(builder, value, "residual_ns", sums->residual_ns);
  else
    tac_value_set(builder, value, "residual_ns", json_null());
  tac_value_set_real(
      builder, value, "residual_share",
      tac_phase_report_ratio(sums->residual_known ? (double)sums->residual_ns : NAN, (double)report->profiled_ns));
  set_operations(builder, value, "operations_total", sums->operations);
  tac_value_set_real(builder, value, "flops_total", sums->flops);
  tac_value_set_text(builder, value, "withheld", sums->withheld);
}

static void set_members(struct tac_value_builder *builder, json_t *value, const struct tac_phase_report *report) {
  const struct tac_phase_sums sums = tac_phase_report_sums(report);
  json_t *phases = json_array();
  for (size_t i = 0; i < report->phase_count; i++) {
    const struct tac_phase_row row = tac_phase_report_row(report, &sums, i);
    tac_value_append(builder, phases, row_value(builder, &row));
  }
  tac_value_set_text(builder, value, "kernel", report->kernel);
  tac_value_set_text(builder, value, "near", report->near);
  tac_value_set_text(builder, value, "scope", report->scope);
  tac_value_set_text(builder, value, "operations_unit", report->counts ? report->counts->unit : NULL);
  tac_value_set_text(builder, value, "counting_rule", report->counts ? report->counts->counting_rule : NULL);
  tac_value_set(builder, value, "phases", phases);
  set_totals(builder, value, report, &sums);
}

static enum tac_status write_json(const struct tac_phase_report *report, tac_sink_fn sink, void *context, size_t flags,
                                  const char *where, struct tac_error *error) {
  const enum tac_status status = tac_phase_report_check(report, sink, where, error);
  if (status != TAC_STATUS_OK)
    return status;
  struct tac_value_builder builder = {.allocator = report->profile->options.allocator};
  json_t *value = json_object();
  if (!(flags & JSON_EMBED))
    tac_value_set(&builder, value, "schema", json_integer(TAC_JSON_SCHEMA));
  set_members(&builder, value, report);
  return tac_value_write(&builder, value, flags, sink, context, where, error);
}

enum tac_status tac_phase_report_json(const struct tac_phase_report *report, tac_sink_fn sink, void *context,
                                      struct tac_error *error) {
  return write_json(report, sink, context, 0, __func__, error);
}

enum tac_status tac_phase_report_json_members(const struct tac_phase_report *report, tac_sink_fn sink, void *context,
                                              struct tac_error *error) {
  return write_json(report, sink, context, JSON_EMBED, __func__, error);
}
