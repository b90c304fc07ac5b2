/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "measure/phase_report.h"

#include <math.h>
#include <string.h>

void tac_phase_report_init(struct tac_phase_report *report) {
  *report = (struct tac_phase_report){
      .size = sizeof *report, .profiled_ns = TAC_NO_TOTAL, .off_ns = TAC_NO_TOTAL, .kernel = "", .near = "", .scope = ""};
}

static int stands_before(const struct tac_phase_report *report, size_t number) {
  for (size_t i = 0; i < number; i++)
    if (strcmp(report->phases[i], report->phases[number]) == 0)
      return 1;
  return 0;
}

enum tac_status tac_phase_report_check(const struct tac_phase_report *report, tac_sink_fn sink, const char *where,
                                       struct tac_error *error) {
  if (!report || report->size != sizeof *report || !sink)
    return tac_error_set(error, TAC_STATUS_INVALID, where, "no sink, or a report not filled by tac_phase_report_init");
  if (!report->profile || !report->kernel || !report->near || !report->scope)
    return tac_error_set(error, TAC_STATUS_INVALID, where, "no profile, or a label missing");
  if (report->phase_count > 0 && !report->phases)
    return tac_error_set(error, TAC_STATUS_INVALID, where, "no list of phases");
  if (report->counts && (!report->counts->unit || !report->counts->counting_rule))
    return tac_error_set(error, TAC_STATUS_INVALID, where, "operation counts without their unit or their rule");
  for (size_t i = 0; i < report->phase_count; i++)
    if (!report->phases[i] || stands_before(report, i))
      return tac_error_set(error, TAC_STATUS_INVALID, where, "phase %zu of the list has no name, or one that stands before it",
                           i);
  return TAC_STATUS_OK;
}

double tac_phase_report_ratio(double part, double whole) {
  return whole > 0 ? part / whole : NAN;
}

/* A sum of int64 that stops at the largest value, as those of the profile. */
static int64_t rows_ns(const struct tac_phase_report *report) {
  int64_t sum_ns = 0;
  for (size_t i = 0; i < report->phase_count; i++) {
    const int64_t total_ns = tac_phase_profile_find(report->profile, report->phases[i]).total_ns;
    sum_ns = total_ns > INT64_MAX - sum_ns ? INT64_MAX : sum_ns + total_ns;
  }
  return sum_ns;
}

struct tac_phase_sums tac_phase_report_sums(const struct tac_phase_report *report) {
  struct tac_phase_sums sums = {.flops = NAN, .withheld = tac_phase_profile_withheld(report->profile)};
  if (report->counts) {
    sums.operations.known =
        tac_operation_counts_total(&sums.operations.value, report->counts, report->phases, report->phase_count);
    tac_operation_counts_total_flops(&sums.flops, report->counts, report->phases, report->phase_count);
  }
  sums.residual_known = !sums.withheld && report->profiled_ns >= 0;
  if (sums.residual_known)
    sums.residual_ns = report->profiled_ns - rows_ns(report);
  return sums;
}

struct tac_phase_row tac_phase_report_row(const struct tac_phase_report *report, const struct tac_phase_sums *sums,
                                          size_t number) {
  const char *const *name = &report->phases[number];
  struct tac_phase_row row = {
      .phase = tac_phase_profile_find(report->profile, *name), .share = NAN, .operations_share = NAN, .flops = NAN};
  if (!sums->withheld)
    row.share = tac_phase_report_ratio((double)row.phase.total_ns, (double)report->profiled_ns);
  if (report->counts) {
    row.operations.known = tac_operation_counts_total(&row.operations.value, report->counts, name, 1);
    tac_operation_counts_total_flops(&row.flops, report->counts, name, 1);
  }
  if (row.operations.known && sums->operations.known)
    row.operations_share = tac_phase_report_ratio((double)row.operations.value, (double)sums->operations.value);
  row.flops_per_ns = tac_phase_report_ratio(row.flops, (double)row.phase.total_ns);
  return row;
}
