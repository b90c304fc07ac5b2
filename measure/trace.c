/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "measure/trace.h"

#include "measure/json_text.h"
#include "measure/recorder.h"
#include "measure/report_head.h"

enum { FLUSH_EVERY_NS = 100000000 };

static void give(struct tac_trace *trace, size_t bytes) {
  if (bytes > 0)
    tac_write(&trace->out, trace->buffer, bytes);
  trace->used -= bytes;
  memmove(trace->buffer, trace->buffer + bytes, trace->used);
  trace->whole = 0;
}

/* Whole lines go first; a line that has no room in the buffer goes in pieces. */
static int take_piece(void *context, const char *text, size_t bytes) {
  struct tac_trace *trace = context;
  if (trace->used + bytes > TAC_TRACE_BUFFER_BYTES)
    give(trace, trace->whole);
  if (trace->used + bytes > TAC_TRACE_BUFFER_BYTES)
    give(trace, trace->used);
  memcpy(trace->buffer + trace->used, text, bytes);
  trace->used += bytes;
  return 0;
}

void tac_trace_init(struct tac_trace *trace, const struct tac_clock *clock, const struct tac_allocator *allocator,
                    int64_t origin_ns, tac_sink_fn sink, void *context) {
  memset(trace, 0, offsetof(struct tac_trace, buffer));
  trace->clock = clock;
  trace->allocator = allocator;
  trace->origin_ns = trace->flushed_ns = origin_ns;
  trace->out = (struct tac_writer){.sink = sink, .context = context};
  trace->line = (struct tac_writer){.sink = take_piece, .context = trace};
}

void tac_trace_release(struct tac_trace *trace) {
  trace->allocator->release(trace->allocator->context, trace->place);
}

void tac_trace_flush(struct tac_trace *trace) {
  give(trace, trace->used);
}

void tac_trace_flush_sometimes(struct tac_trace *trace, int64_t now_ns) {
  if (now_ns - trace->flushed_ns < FLUSH_EVERY_NS)
    return;
  tac_trace_flush(trace);
  trace->flushed_ns = now_ns;
}

void tac_trace_event(struct tac_trace *trace, const char *name, const char *kind) {
  tac_write_text(&trace->line, trace->begun ? ",\n{\"name\":" : "{\"name\":");
  trace->begun = 1;
  tac_json_write_text(&trace->line, name);
  tac_write_text(&trace->line, ",\"ph\":\"");
  tac_write_text(&trace->line, kind);
  tac_write_text(&trace->line, "\"");
}

static int on_device(const struct tac_track *track) {
  return track->kind == TAC_TRACK_DEVICE_ITEMS || track->kind == TAC_TRACK_DEVICE_STREAM;
}

/* Numbers of tracks differ also between processes: some viewers know them by these alone. */
void tac_trace_place_on(struct tac_trace *trace, size_t track) {
  tac_write_text(&trace->line, on_device(&trace->track[track]) ? ",\"pid\":2,\"tid\":" : ",\"pid\":1,\"tid\":");
  tac_json_write_integer(&trace->line, (int64_t)track + 1);
}

void tac_trace_place_at(struct tac_trace *trace, size_t track, int64_t at_ns) {
  const int device = on_device(&trace->track[track]);
  tac_trace_place_on(trace, track);
  tac_write_text(&trace->line, ",\"ts\":");
  tac_json_write_us(&trace->line, at_ns - (device && trace->has_device_origin ? trace->device_origin_ns : trace->origin_ns));
}

void tac_trace_end_event(struct tac_trace *trace) {
  tac_write_text(&trace->line, "}");
  trace->whole = trace->used;
}

void tac_trace_slice(struct tac_trace *trace, size_t track, const char *name, int64_t start_ns, int64_t finish_ns) {
  tac_trace_event(trace, name, "X");
  tac_trace_place_at(trace, track, start_ns);
  tac_write_text(&trace->line, ",\"dur\":");
  tac_json_write_us(&trace->line, finish_ns - start_ns);
}

void tac_trace_argument(struct tac_trace *trace, const char *key, int64_t value, int first) {
  tac_write_text(&trace->line, first ? "\"" : ",\"");
  tac_write_text(&trace->line, key);
  tac_write_text(&trace->line, "\":");
  tac_json_write_integer(&trace->line, value);
}

void tac_trace_counts(struct tac_trace *trace) {
  tac_trace_argument(trace, "dropped", (int64_t)trace->dropped, 1);
  tac_trace_argument(trace, "without_items", (int64_t)trace->summarised, 0);
  tac_trace_argument(trace, "without_track", (int64_t)trace->untracked, 0);
  if (trace->has_device_origin)
    tac_trace_argument(trace, "device_origin_ns", trace->device_origin_ns, 0);
}

void tac_trace_name_process(struct tac_trace *trace, const char *process, const char *name) {
  tac_trace_event(trace, "process_name", "M");
  tac_write_text(&trace->line, process);
  tac_write_text(&trace->line, ",\"args\":{\"name\":\"");
  tac_write_text(&trace->line, name);
  tac_write_text(&trace->line, "\"}");
  tac_trace_end_event(trace);
}

void tac_trace_announce(struct tac_trace *trace) {
  tac_trace_name_process(trace, ",\"pid\":1", "host");
  (void)tac_trace_track(trace, TAC_TRACK_CALLER, 0, trace->origin_ns, trace->origin_ns);
}

void tac_trace_phase(struct tac_trace *trace, const char *name, int64_t begin_ns, int64_t end_ns) {
  if (trace->finished)
    return;
  tac_trace_slice(trace, 0, name, begin_ns, end_ns);
  tac_trace_end_event(trace);
  tac_trace_flush_sometimes(trace, end_ns);
}

void tac_trace_options_init(struct tac_trace_options *options) {
  *options = (struct tac_trace_options){.size = sizeof *options, .level = TAC_COARSE};
}

/* What a viewer leaves aside, and a reader finds. */
static void write_run(struct tac_trace *trace, const struct tac_head_entry *head, const struct tac_report_facts *facts) {
  tac_trace_event(trace, "tactus", "M");
  tac_write_text(&trace->line, ",\"pid\":1,\"args\":{");
  tac_report_write_head(&trace->line, head, facts);
  tac_write_text(&trace->line, "}");
  tac_trace_end_event(trace);
}

enum tac_status tac_trace_create(struct tac_trace **out, const struct tac_trace_options *options, tac_sink_fn sink,
                                 void *context, struct tac_error *error) {
  struct tac_head_entry head[TAC_HEAD_ENTRIES];
  if (!out)
    return tac_error_set(error, TAC_STATUS_INVALID, __func__, "no place for the trace");
  *out = NULL;
  if (!options || options->size != sizeof *options || !sink)
    return tac_error_set(error, TAC_STATUS_INVALID, __func__, "options not filled by tac_trace_options_init, or no sink");
  if (options->level != TAC_COARSE && options->level != TAC_DETAILED && options->level != TAC_HOOKED)
    return tac_error_set(error, TAC_STATUS_INVALID, __func__, "there is nothing to trace at %s",
                         tac_level_name(options->level));
  enum tac_status status = tac_report_check_facts(options->facts, __func__, error);
  if (status != TAC_STATUS_OK)
    return status;
  const struct tac_hooks none = {0};
  struct tac_recorder_options like;
  tac_recorder_options_init(&like);
  like.level = options->level;
  like.clock = options->clock ? options->clock : tac_clock_monotonic();
  like.allocator = options->allocator ? options->allocator : tac_allocator_system();
  like.hooks = options->level == TAC_HOOKED ? &none : NULL;
  const int64_t origin_ns = like.clock->now_ns(like.clock->context);
  status = tac_report_head(head, &like, origin_ns, error);
  if (status != TAC_STATUS_OK)
    return status;
  struct tac_trace *trace = like.allocator->allocate(like.allocator->context, sizeof *trace);
  if (!trace)
    return tac_error_set(error, TAC_STATUS_MEMORY, __func__, "no memory for a trace");
  tac_trace_init(trace, like.clock, like.allocator, origin_ns, sink, context);
  tac_write_text(&trace->line, "[\n");
  write_run(trace, head, options->facts);
  tac_trace_announce(trace);
  tac_trace_flush(trace);
  *out = trace;
  return TAC_STATUS_OK;
}

enum tac_status tac_trace_finish(struct tac_trace *trace, struct tac_error *error) {
  trace->finished = 1;
  tac_trace_event(trace, "tactus_end", "M");
  tac_write_text(&trace->line, ",\"pid\":1,\"args\":{");
  tac_trace_counts(trace);
  tac_write_text(&trace->line, "}}\n]\n");
  tac_trace_flush(trace);
  return tac_writer_status(&trace->out, __func__, error);
}

void tac_trace_destroy(struct tac_trace **trace) {
  if (!trace || !*trace)
    return;
  struct tac_trace *gone = *trace;
  const struct tac_allocator *allocator = gone->allocator;
  tac_trace_release(gone);
  allocator->release(allocator->context, gone);
  *trace = NULL;
}
