/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "measure/html_page.h"
#include "measure/kokkos/module/file.h"
#include "measure/kokkos/module/host_threads.h"
#include "measure/kokkos/module/module.h"
#include "measure/kokkos/module/run_facts.h"
#include "measure/kokkos/module/ticks.h"
#include "measure/kokkos/module/trace.h"
#include "measure/kokkos/report.h"

#define PREFIX "tactus-kokkos"

/* Sections of the report that have ended, and when the last one did: the first is reported even when empty. */
static struct {
  pthread_mutex_t lock;
  uint32_t sections;
  int64_t last_ns;
} ended = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* All that threads have counted in a section, 0 for all; NULL without memory. */
static struct tac_kokkos_counters *collect(uint32_t section, uint32_t *threads) {
  struct tac_kokkos_options options;
  struct tac_kokkos_counters *total;
  tac_kokkos_options_init(&options);
  options.row_limit = SIZE_MAX; /* each thread has kept its own */
  options.clock = tac_module.clock;
  options.step = tac_module.settings.step;
  options.demangle = tac_module.demangle;
  options.interface_version = tac_module.interface_version;
  if (tac_kokkos_counters_create(&total, &options, NULL) != TAC_STATUS_OK)
    return NULL;
  *threads = tac_host_threads_merge(total, section);
  tac_ledger_merge(total->ledger, &tac_module.ledger);
  total->ledger->dropped += tac_host_threads_lost();
  return total;
}

static const char *fencing_name(int fencing) {
  return fencing < 0 ? "unknown" : fencing ? "on" : "off";
}

struct text_report {
  const struct tac_kokkos_counters *counters;
  uint32_t section;
  struct tac_kokkos_span span;
};

static enum tac_status write_text(struct tac_file_sink *sink, const struct text_report *report, struct tac_error *error) {
  char extra[160];
  snprintf(extra, sizeof extra, " fencing=%s seconds=%s threads=%" PRIu32 " section=%" PRIu32, fencing_name(tac_module.fencing),
           tac_kokkos_seconds(report->counters, tac_module.fencing), report->span.threads, report->section);
  const struct tac_kokkos_text_context more = {.span = &report->span, .extra = extra};
  return tac_kokkos_write_text(report->counters, PREFIX, &more, tac_file_sink_take, sink, error);
}

struct record {
  const struct tac_kokkos_counters *counters;
  struct tac_kokkos_span span;
  uint32_t sections;
  int at_exit;
};

static void write_span(struct tac_emitter *json, const struct record *record) {
  const int64_t outside_ns = tac_kokkos_outside_ns(record->counters, &record->span);
  tac_emit_integer(json, "wall_ns", record->span.wall_ns);
  tac_emit_integer(json, "kernels_ns", tac_kokkos_counters_total(record->counters, TAC_KOKKOS_KERNELS).total_ns);
  if (outside_ns == TAC_KOKKOS_UNKNOWN_NS)
    tac_emit_text(json, "outside_kernels_ns", NULL);
  else
    tac_emit_integer(json, "outside_kernels_ns", outside_ns);
  tac_emit_count(json, "threads", record->span.threads);
}

static void write_end(struct tac_emitter *json, const struct record *record) {
  write_span(json, record);
  tac_emit_count(json, "report_sections", record->sections);
  tac_emit_text(json, "ended_by", record->at_exit ? "exit" : "finalize");
  tac_emit_open(json, "kokkos", '{');
  tac_module_write_kokkos(json);
  tac_emit_close(json, '}');
  tac_emit_open(json, "fencing", '{');
  tac_module_write_fencing(json);
  tac_emit_text(json, "seconds", tac_kokkos_seconds(record->counters, tac_module.fencing));
  tac_emit_close(json, '}');
}

static void write_run(struct tac_emitter *json, const struct record *record) {
  tac_emit_open(json, "run", '{');
  tac_module_write_run(json);
  write_end(json, record);
  tac_emit_close(json, '}');
}

/* Where the program was finalized more than once, or went on after it: each section's own figures. */
static void write_parts(struct tac_emitter *json, uint32_t sections) {
  tac_emit_open(json, "parts", '[');
  for (uint32_t section = 1; section <= sections && sections > 1; section++) {
    uint32_t threads;
    struct tac_kokkos_counters *part = collect(section, &threads);
    if (!part)
      continue;
    tac_emit_open(json, NULL, '{');
    tac_emit_count(json, "section", section);
    tac_emit_count(json, "threads", threads);
    tac_kokkos_write_rows(json, part);
    tac_emit_close(json, '}');
    tac_kokkos_counters_destroy(&part);
  }
  tac_emit_close(json, ']');
}

static enum tac_status write_record(tac_sink_fn sink, void *context, const struct record *record, struct tac_error *error) {
  struct tac_emitter json = {.writer = {.sink = sink, .context = context}};
  tac_emit_open(&json, NULL, '{');
  tac_emit_integer(&json, "schema", TAC_JSON_SCHEMA);
  tac_emit_text(&json, "kind", "kokkos");
  tac_kokkos_write_clock(&json, record->counters, tac_module.origin_ns, tac_ticks_drift_ppm());
  write_run(&json, record);
  tac_kokkos_write_rows(&json, record->counters);
  tac_kokkos_write_rest(&json, record->counters);
  write_parts(&json, record->sections);
  tac_emit_close(&json, '}');
  return tac_writer_status(&json.writer, __func__, error);
}

static enum tac_status fill_json(struct tac_file_sink *sink, void *context, struct tac_error *error) {
  const enum tac_status status = write_record(tac_file_sink_take, sink, context, error);
  return status == TAC_STATUS_OK && tac_file_sink_take(sink, "\n", 1) != 0 ? TAC_STATUS_IO : status;
}

/* No '<' is left in the record as it is written, so that it can stand in the page. */
static enum tac_status fill_html(struct tac_file_sink *sink, void *context, struct tac_error *error) {
  tac_file_sink_take(sink, tac_html_page_head, strlen(tac_html_page_head));
  const enum tac_status status = write_record(tac_file_sink_take, sink, context, error);
  tac_file_sink_take(sink, tac_html_page_tail, strlen(tac_html_page_tail));
  return status;
}

/* Of a trace: what is known at its end only. */
static void write_trace_end(struct tac_emitter *json, const void *context) {
  const struct record *record = context;
  write_end(json, record);
  tac_kokkos_write_losses(json, record->counters);
  tac_emit_count(json, "not_in_trace", tac_trace_lost());
  tac_emit_count(json, "trace_limit", tac_module.settings.trace_limit);
  tac_emit_count(json, "beyond_limit", tac_trace_beyond_limit());
}

/* Once, although a later end of the trace may know of more. */
static void complain_of_limit(void) {
  static int complained;
  const uint64_t beyond = tac_trace_beyond_limit();
  if (beyond == 0 || complained)
    return;
  complained = 1;
  tac_module_complain("the trace ends before the run: events beyond TACTUS_KOKKOS_TRACE_LIMIT=%" PRIu64 ": %" PRIu64,
                      tac_module.settings.trace_limit, beyond);
}

static enum tac_status report_file(const struct record *record, struct tac_error *error) {
  const struct tac_module_settings *settings = &tac_module.settings;
  switch (settings->form) {
  case TAC_FORM_JSON:
    return tac_file_replace(settings->path, fill_json, (void *)record, error);
  case TAC_FORM_TRACE:
    complain_of_limit();
    return tac_trace_finish(write_trace_end, record, error);
  case TAC_FORM_HTML:
    return tac_file_replace(settings->path, fill_html, (void *)record, error);
  case TAC_FORM_TEXT:
    break;
  }
  return TAC_STATUS_OK;
}

static enum tac_status report_text(uint32_t section, int64_t wall_ns, struct tac_error *error) {
  struct tac_file_sink sink = {.descriptor = STDERR_FILENO};
  struct text_report report = {.section = section, .span = {.wall_ns = wall_ns}};
  struct tac_kokkos_counters *part = collect(section, &report.span.threads);
  if (!part)
    return tac_error_set(error, TAC_STATUS_MEMORY, __func__, "no memory for the report");
  report.counters = part;
  const enum tac_status status = write_text(&sink, &report, error);
  tac_kokkos_counters_destroy(&part);
  tac_file_sink_flush(&sink); /* nobody is left to be told */
  return status;
}

static enum tac_status report(uint32_t section, int64_t wall_ns, int at_exit, struct tac_error *error) {
  struct record record = {.span = {.wall_ns = wall_ns}, .sections = section, .at_exit = at_exit};
  struct tac_kokkos_counters *total = collect(0, &record.span.threads);
  if (!total)
    return tac_error_set(error, TAC_STATUS_MEMORY, __func__, "no memory for the report");
  record.counters = total;
  const enum tac_status status = report_file(&record, error);
  tac_kokkos_counters_destroy(&total);
  return status;
}

/* What has failed fails again in every section, and is told once. */
static void complain_once(const struct tac_error *error) {
  static struct tac_error told;
  if (strcmp(told.text, error->text) != 0)
    tac_module_complain("%s", error->text);
  told = *error;
}

void tac_module_report(int at_exit) {
  struct tac_error error;
  if (!tac_module.measuring || getpid() != tac_module.process)
    return;
  pthread_mutex_lock(&ended.lock);
  uint32_t threads = 0;
  const uint32_t section = atomic_load_explicit(&tac_host_section, memory_order_relaxed);
  struct tac_kokkos_counters *part = collect(section, &threads);
  tac_kokkos_counters_destroy(&part);
  if (threads > 0 || ended.sections == 0) {
    tac_host_threads_next_section();
    const int64_t now_ns = tac_module_now_ns(), from_ns = ended.sections > 0 ? ended.last_ns : tac_module.origin_ns;
    const enum tac_status status = tac_module.settings.form == TAC_FORM_TEXT
                                       ? report_text(section, now_ns - from_ns, &error)
                                       : report(section, now_ns - tac_module.origin_ns, at_exit, &error);
    ended.sections = section;
    ended.last_ns = now_ns;
    if (status != TAC_STATUS_OK)
      complain_once(&error);
  }
  pthread_mutex_unlock(&ended.lock);
}
