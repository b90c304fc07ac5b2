/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "measure/recorder.h"
#include "measure/report_head.h"
#include "measure/trace.h"

static const char *name_of(const struct tac_recorder *recorder, int event) {
  return recorder->options.events->events[event].name;
}

/* The last of those that ended to begin: what began by then is on the timeline. */
static int64_t write_timeline(struct tac_trace *trace, const struct tac_recorder *recorder) {
  int64_t last_ns = INT64_MIN;
  for (size_t i = 0; i < recorder->timeline.count; i++) {
    const struct tac_timeline_entry *entry = &recorder->timeline.entry[i];
    if (entry->duration_ns < 0)
      continue;
    tac_trace_phase(trace, name_of(recorder, entry->event), entry->begin_ns, entry->begin_ns + entry->duration_ns);
    last_ns = entry->begin_ns;
  }
  return last_ns;
}

static void write_batch(struct tac_trace *trace, const struct tac_recorder *recorder, size_t number, int64_t last_ns) {
  struct tac_batch_details details = {.record = tac_recorder_batch(recorder, number)};
  size_t count;
  details.slots = tac_recorder_slots(recorder, number, &count);
  details.costs = tac_recorder_costs(recorder, number);
  details.device_slots = tac_recorder_device_slots(recorder, number, &details.device_slot_count);
  details.intervals = tac_recorder_device_intervals(recorder, number, &details.interval_count);
  if (details.slots || details.record->requested == 0)
    tac_trace_batch(trace, name_of(recorder, details.record->event), &details, details.record->begin_ns <= last_ns);
  else
    trace->summarised++;
}

static void write_events(struct tac_trace *trace, const struct tac_recorder *recorder) {
  tac_trace_announce(trace);
  const int64_t last_ns = write_timeline(trace, recorder);
  for (size_t i = 0; i < recorder->batch_count && !trace->out.refused; i++)
    write_batch(trace, recorder, i, last_ns);
  trace->dropped = recorder->timeline.dropped;
  trace->summarised += recorder->dropped;
}

enum tac_status tac_report_trace(const struct tac_recorder *recorder, const struct tac_report_facts *facts, tac_sink_fn sink,
                                 void *context, struct tac_error *error) {
  struct tac_head_entry head[TAC_HEAD_ENTRIES];
  enum tac_status status = tac_report_check(recorder, facts, sink, __func__, error);
  if (status == TAC_STATUS_OK)
    status = tac_report_head(head, &recorder->options, recorder->origin_ns, error);
  if (status != TAC_STATUS_OK)
    return status;
  const struct tac_allocator *allocator = recorder->options.allocator;
  struct tac_trace *trace = tac_recorder_allocate(recorder, sizeof *trace);
  if (!trace)
    return tac_error_set(error, TAC_STATUS_MEMORY, __func__, "no memory for a trace");
  tac_trace_init(trace, recorder->options.clock, allocator, recorder->origin_ns, sink, context);
  tac_write_text(&trace->line, "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n");
  write_events(trace, recorder);
  tac_write_text(&trace->line, "\n],\"otherData\":{");
  tac_trace_counts(trace);
  tac_trace_argument(trace, "mismatches", (int64_t)recorder->mismatches, 0);
  tac_write_text(&trace->line, ",");
  tac_report_write_head(&trace->line, head, facts);
  tac_write_text(&trace->line, "}}\n");
  tac_trace_flush(trace);
  status = tac_writer_status(&trace->out, __func__, error);
  tac_trace_destroy(&trace);
  return status;
}
