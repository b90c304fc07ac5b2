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

/* What a report cannot know of itself ("program", "command_line", "lanes" …) and is told, to stand in the file. Texts of any
 * bytes, keys too; these differ from one another and from those of docs/reports.md. INVALID, and nothing written: a key or a
 * value that is NULL. */
struct tac_report_fact {
  const char *key, *value;
};
struct tac_report_facts {
  const struct tac_report_fact *fact;
  size_t count;
};

/* The event table for a person: count, total, mean, min, max and share of the parent, indented by inclusion, with what children
 * do not explain; at detailed also two rows per batched event, of its batches and of its items. Where there is device time also
 * its columns, at detailed a table of what batches did on the device, and which item times are of a submission. Events never
 * entered are left out, control characters in a name are shown as \xNN, and a name longer than 64 columns without its middle.
 * Lines below tell what is missing, the clock, and what a record costs. */
TAC_API enum tac_status tac_report_text(const struct tac_recorder *recorder, tac_sink_fn sink, void *context,
                                        struct tac_error *error);

/* One JSON object whose members docs/reports.md defines: "schema", "level", "clock", "cost", "events", "batches",
 * "batch_summaries", "timeline" and others. An event, batch or summary with device time has a member "device" whose numbers are
 * of the domain "device"; all others are of "host_wall". Every text is valid UTF-8 and escaped (U+FFFD stands for bytes that
 * are not), numbers never depend on the locale. Events never entered are left out of "events", what has not ended of
 * "timeline". The resolution of the clock and the cost of a record are measured: the report reads the clock, on a recorder of
 * its own. facts: NULL for none; they are the member "run". MEMORY: nothing, or only a part, was written. */
TAC_API enum tac_status tac_report_json(const struct tac_recorder *recorder, const struct tac_report_facts *facts,
                                        tac_sink_fn sink, void *context, struct tac_error *error);

/* The members of that object without its braces and "run", for a program that writes them into an object of its own. */
TAC_API enum tac_status tac_report_json_members(const struct tac_recorder *recorder, tac_sink_fn sink, void *context,
                                                struct tac_error *error);

/* One table as RFC 4180 has it, a row an event that was entered, under a line of names: its durations, the sums of its batches,
 * and in every row how the report came about, so that tables of several runs can be put below one another. What does not exist
 * is blank. docs/reports.md defines the columns. facts: NULL for none. MEMORY, IO. */
TAC_API enum tac_status tac_report_csv(const struct tac_recorder *recorder, const struct tac_report_facts *facts,
                                       tac_sink_fn sink, void *context, struct tac_error *error);

/* The timeline and the kept batches as Chrome's trace events, in the form of an object: for ui.perfetto.dev and its like.
 * Phases and batches lie on the caller's track, every lane has one with its batches and in them their items, commands and items
 * on a device have theirs; an arrow leads from a batch to its slowest item. Times are in microseconds from the recorder's
 * origin, and every track nests. facts: NULL for none. MEMORY, IO. <tactus/measure/trace.h> writes one while the program runs.
 */
TAC_API enum tac_status tac_report_trace(const struct tac_recorder *recorder, const struct tac_report_facts *facts,
                                         tac_sink_fn sink, void *context, struct tac_error *error);

/* The timeline as an evented profile for speedscope, and exclusive time by event as a sampled one. facts: NULL for none. IO,
 * MEMORY. */
TAC_API enum tac_status tac_report_speedscope(const struct tac_recorder *recorder, const struct tac_report_facts *facts,
                                              tac_sink_fn sink, void *context, struct tac_error *error);

/* One HTML page that needs no other file and no network: it draws whatever members the record has, of a recorder, of a program
 * or of the Kokkos module, and says what it cannot read. record_json: `bytes` bytes of a JSON object, UTF-8, which stands in
 * the page as it is, but for each '<', written \u003c; it is not checked. INVALID: no record, 0 bytes, or no sink. Any thread.
 */
TAC_API enum tac_status tac_html_page(const char *record_json, size_t bytes, tac_sink_fn sink, void *context,
                                      struct tac_error *error);

/* The page of tac_report_json's record. MEMORY: nothing, or only a part, was written. */
TAC_API enum tac_status tac_report_html(const struct tac_recorder *recorder, const struct tac_report_facts *facts,
                                        tac_sink_fn sink, void *context, struct tac_error *error);

#ifdef __cplusplus
}
#endif
#endif
