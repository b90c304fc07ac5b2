/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef MEASURE_PHASE_REPORT_H
#define MEASURE_PHASE_REPORT_H

#include <tactus/measure/phase_report.h>

/* A count of operations, where it is known. */
struct tac_known_count {
  uint64_t value;
  int known;
};

/* What every form of a report tells of one phase. A double that is not known, or withheld, is NaN. */
struct tac_phase_row {
  struct tac_phase phase;
  double share;
  struct tac_known_count operations;
  double operations_share;
  double flops, flops_per_ns;
};

/* … and of all of them. */
struct tac_phase_sums {
  struct tac_known_count operations;
  double flops;
  int64_t residual_ns;
  int residual_known;
  const char *withheld; /* the reason, or NULL */
};

enum tac_status tac_phase_report_check(const struct tac_phase_report *report, tac_sink_fn sink, const char *where,
                                       struct tac_error *error);
struct tac_phase_sums tac_phase_report_sums(const struct tac_phase_report *report);
struct tac_phase_row tac_phase_report_row(const struct tac_phase_report *report, const struct tac_phase_sums *sums,
                                          size_t number);

/* part/whole; NaN when the part is, or without a whole. */
double tac_phase_report_ratio(double part, double whole);

#endif
