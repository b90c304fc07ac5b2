/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef TACTUS_MEASURE_REPORT_H
#define TACTUS_MEASURE_REPORT_H

#include <stddef.h>

#include <tactus/measure/recorder.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The version of the JSON form; it changes when a key changes its meaning or goes away. */
#define TAC_JSON_SCHEMA 1

/* Takes one piece of a report; nonzero stops the report and is returned as IO. */
typedef int (*tac_sink_fn)(void *context, const char *text, size_t bytes);

/* The event table for a person: count, total, mean, min, max and share of the parent, indented by inclusion, with what children
 * do not explain; at detailed also two rows per batched event, of its batches and of its items. Where there is device time also
 * its columns, at detailed a table of what batches did on the device, and which item times are of a submission. Events never
 * entered are left out, control characters in a name are shown as \xNN. */
TAC_API enum tac_status tac_report_text(const struct tac_recorder *recorder, tac_sink_fn sink, void *context,
                                        struct tac_error *error);

/* One JSON object whose members docs/reports.md defines: "schema", "level", "clock", "cost", "events", "batches",
 * "batch_summaries", "timeline" and others. An event, batch or summary with device time has a member "device" whose numbers are
 * of the domain "device"; all others are of "host_wall". Every text is valid UTF-8 and escaped (U+FFFD stands for bytes that
 * are not), numbers never depend on the locale. Events never entered are left out of "events", what has not ended of
 * "timeline". The resolution of the clock and the cost of a record are measured: the report reads the clock, on a recorder of
 * its own. MEMORY: nothing, or only a part, was written. */
TAC_API enum tac_status tac_report_json(const struct tac_recorder *recorder, tac_sink_fn sink, void *context,
                                        struct tac_error *error);

/* The members of that object without its braces, for a program that writes them into an object of its own. */
TAC_API enum tac_status tac_report_json_members(const struct tac_recorder *recorder, tac_sink_fn sink, void *context,
                                                struct tac_error *error);

/* One HTML page that needs no other file and no network: it draws whatever members the record has, of a recorder, of a program
 * or of the Kokkos module, and says what it cannot read. record_json: `bytes` bytes of a JSON object, UTF-8, which stands in
 * the page as it is, but for each '<', written \u003c; it is not checked. INVALID: no record, 0 bytes, or no sink. Any thread.
 */
TAC_API enum tac_status tac_html_page(const char *record_json, size_t bytes, tac_sink_fn sink, void *context,
                                      struct tac_error *error);

/* The page of tac_report_json's record. MEMORY: nothing, or only a part, was written. */
TAC_API enum tac_status tac_report_html(const struct tac_recorder *recorder, tac_sink_fn sink, void *context,
                                        struct tac_error *error);

#ifdef __cplusplus
}
#endif
#endif
