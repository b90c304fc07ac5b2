/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef TACTUS_MEASURE_PHASE_REPORT_H
#define TACTUS_MEASURE_PHASE_REPORT_H

#include <stddef.h>
#include <stdint.h>

#include <tactus/measure/operation_counts.h>
#include <tactus/measure/phase_profile.h>
#include <tactus/measure/report.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TAC_NO_TOTAL ((int64_t)-1)

/* What a phase report tells: a row for each phase of the list, in its order, entered or not. Seconds and counts are of the
 * same work. What is not known is left blank (null in JSON), and with it the shares and sums that it would be a part of. */
struct tac_phase_report {
  size_t size;               /* sizeof(struct tac_phase_report) */
  const char *const *phases; /* `phase_count` different names */
  size_t phase_count;
  const struct tac_phase_profile *profile;   /* required */
  const struct tac_operation_counts *counts; /* NULL: no count is known */
  int64_t profiled_ns;               /* measured around the phases: shares and the residual are of it; TAC_NO_TOTAL: unknown */
  int64_t off_ns;                    /* the same work with measurements off; TAC_NO_TOTAL (default): unknown */
  const char *kernel, *near, *scope; /* labels of CSV rows and members of JSON, any text; default "" */
};
TAC_API void tac_phase_report_init(struct tac_phase_report *report);

/* Each of these answers INVALID when the report was not filled by _init, lacks its profile or a text, or names a phase twice,
 * and IO when the sink refuses a piece. */

/* The table for a person: phase, seconds, calls, mean, share, operations and their share, flops, GF/s; the residual,
 * which is what the rows leave of the profiled total; the profiled total, and the one with measurements off. Device seconds
 * stand beside the host's where they are known. Says what measuring cost where both totals are known, or that it is no more
 * than the noise of one timing (a twentieth), and why shares and residual are withheld, if they are. */
TAC_API enum tac_status tac_phase_report_text(const struct tac_phase_report *report, tac_sink_fn sink, void *context,
                                              struct tac_error *error);

/* One JSON object {"schema":1,"kernel":…,"near":…,"scope":…,"operations_unit":…,"counting_rule":…,"phases":[…],
 * "profiled_total_ns":…,"off_total_ns":…,"residual_ns":…,"residual_share":…,"operations_total":…,"flops_total":…,
 * "withheld":…}; "withheld" is the reason or null. A phase whose device time is known has "device_ns", too. Texts and numbers
 * as in tac_report_json. MEMORY: nothing, or only a part, was written. */
TAC_API enum tac_status tac_phase_report_json(const struct tac_phase_report *report, tac_sink_fn sink, void *context,
                                              struct tac_error *error);

/* The members of that object after its schema, without the braces; none has a name that tac_report_json_members uses. */
TAC_API enum tac_status tac_phase_report_json_members(const struct tac_phase_report *report, tac_sink_fn sink, void *context,
                                                      struct tac_error *error);

/* CSV in two parts, so that the rows of many reports stand under one header line. Columns: kernel, near, scope, phase,
 * ops_unit, ops, ops_share, flops, seconds, seconds_share, calls, counting_rule, device_seconds. Fields are quoted where they
 * must be, bytes that are not UTF-8 replaced; shares are fractions of 1, and blank where withheld. */
TAC_API enum tac_status tac_phase_report_csv_header(tac_sink_fn sink, void *context, struct tac_error *error);
TAC_API enum tac_status tac_phase_report_csv(const struct tac_phase_report *report, tac_sink_fn sink, void *context,
                                             struct tac_error *error);

#ifdef __cplusplus
}
#endif
#endif
