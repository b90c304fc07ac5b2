/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <tactus/measure/report.h>

#include <tactus/runtime/version.h>

#include "measure/json_text.h"
#include "measure/recorder.h"
#include "measure/report_head.h"
#include "measure/saturate.h"

static void write_frames(struct tac_writer *writer, const struct tac_event_set *set) {
  tac_write_text(writer, "\"shared\":{\"frames\":[");
  for (size_t i = 0; i < set->count; i++) {
    tac_write_text(writer, i > 0 ? ",\n{\"name\":" : "\n{\"name\":");
    tac_json_write_text(writer, set->events[i].name);
    tac_write_text(writer, "}");
  }
  tac_write_text(writer, "]}");
}

/* The frames that are open, with the times at which they will close; closing in their order is nesting. */
struct stack {
  struct tac_writer *writer;
  int64_t origin_ns;
  struct {
    int event;
    int64_t end_ns;
  } open[TAC_RECORDER_DEPTH + 1];
  size_t depth, events;
};

static void write_event(struct stack *stack, const char *type, int frame, int64_t at_ns) {
  struct tac_writer *writer = stack->writer;
  tac_write_text(writer, stack->events++ > 0 ? ",\n{\"type\":\"" : "\n{\"type\":\"");
  tac_write_text(writer, type);
  tac_write_text(writer, "\",\"frame\":");
  tac_json_write_integer(writer, frame);
  tac_write_text(writer, ",\"at\":");
  tac_json_write_integer(writer, at_ns - stack->origin_ns);
  tac_write_text(writer, "}");
}

static void close_to(struct stack *stack, size_t depth) {
  while (stack->depth > depth) {
    stack->depth--;
    write_event(stack, "C", stack->open[stack->depth].event, stack->open[stack->depth].end_ns);
  }
}

/* What has not ended is left out, so that what is in it stands one frame higher. */
static int is_within(const struct stack *stack, const struct tac_timeline_entry *entry) {
  return entry->begin_ns + entry->duration_ns <= stack->open[stack->depth - 1].end_ns;
}

static void write_timeline(struct tac_writer *writer, const struct tac_recorder *recorder) {
  const struct tac_timeline *timeline = &recorder->timeline;
  struct stack stack = {.writer = writer, .origin_ns = recorder->origin_ns};
  int depths[TAC_RECORDER_DEPTH + 1];
  int64_t end_ns = recorder->origin_ns;
  tac_write_text(writer, "\"events\":[");
  for (size_t i = 0; i < timeline->count; i++) {
    const struct tac_timeline_entry *entry = &timeline->entry[i];
    if (entry->duration_ns < 0)
      continue;
    size_t kept = stack.depth;
    while (kept > 0 && depths[kept - 1] >= entry->depth)
      kept--;
    close_to(&stack, kept);
    if (stack.depth > 0 && !is_within(&stack, entry))
      continue; /* a clock that ran back */
    depths[stack.depth] = entry->depth;
    stack.open[stack.depth].event = entry->event;
    stack.open[stack.depth++].end_ns = entry->begin_ns + entry->duration_ns;
    write_event(&stack, "O", entry->event, entry->begin_ns);
    if (entry->begin_ns + entry->duration_ns > end_ns)
      end_ns = entry->begin_ns + entry->duration_ns;
  }
  close_to(&stack, 0);
  tac_write_text(writer, "],\"endValue\":");
  tac_json_write_integer(writer, end_ns - recorder->origin_ns);
}

/* The frames of an event from the outermost in. */
static void write_chain(struct tac_writer *writer, const struct tac_event_set *set, int event) {
  if (set->events[event].parent != TAC_NO_EVENT) {
    write_chain(writer, set, set->events[event].parent);
    tac_write_text(writer, ",");
  }
  tac_json_write_integer(writer, event);
}

static int64_t weight_ns(const struct tac_recorder *recorder, size_t event) {
  const int64_t exclusive_ns = tac_recorder_exclusive_ns(recorder, (int)event);
  return recorder->stats[event].count > 0 && exclusive_ns > 0 ? exclusive_ns : 0;
}

/* One sample an event, as heavy as the time that is the event's own. */
static void write_samples(struct tac_writer *writer, const struct tac_recorder *recorder) {
  const struct tac_event_set *set = recorder->options.events;
  int64_t sum_ns = 0;
  const char *separator = "";
  tac_write_text(writer, "\"samples\":[");
  for (size_t i = 0; i < set->count; i++) {
    if (weight_ns(recorder, i) == 0)
      continue;
    tac_write_text(writer, separator);
    tac_write_text(writer, "[");
    write_chain(writer, set, (int)i);
    tac_write_text(writer, "]");
    separator = ",";
  }
  separator = "";
  tac_write_text(writer, "],\"weights\":[");
  for (size_t i = 0; i < set->count; i++) {
    if (weight_ns(recorder, i) == 0)
      continue;
    tac_write_text(writer, separator);
    tac_json_write_integer(writer, weight_ns(recorder, i));
    sum_ns = tac_sum_times(sum_ns, weight_ns(recorder, i));
    separator = ",";
  }
  tac_write_text(writer, "],\"endValue\":");
  tac_json_write_integer(writer, sum_ns);
}

static void write_losses(struct tac_writer *writer, const struct tac_recorder *recorder) {
  tac_write_text(writer, ",\"dropped\":");
  tac_json_write_integer(writer, (int64_t)recorder->dropped);
  tac_write_text(writer, ",\"slots_dropped\":");
  tac_json_write_integer(writer, (int64_t)recorder->slots_dropped);
  tac_write_text(writer, ",\"timeline_dropped\":");
  tac_json_write_integer(writer, (int64_t)recorder->timeline.dropped);
  tac_write_text(writer, ",\"mismatches\":");
  tac_json_write_integer(writer, (int64_t)recorder->mismatches);
}

enum tac_status tac_report_speedscope(const struct tac_recorder *recorder, const struct tac_report_facts *facts,
                                      tac_sink_fn sink, void *context, struct tac_error *error) {
  struct tac_head_entry head[TAC_HEAD_ENTRIES];
  enum tac_status status = tac_report_check(recorder, facts, sink, __func__, error);
  if (status == TAC_STATUS_OK)
    status = tac_report_head(head, &recorder->options, recorder->origin_ns, error);
  if (status != TAC_STATUS_OK)
    return status;
  struct tac_writer writer = {.sink = sink, .context = context};
  tac_write_text(&writer, "{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\",\"exporter\":");
  tac_write_text(&writer, "\"tactus ");
  tac_write_text(&writer, tac_version());
  tac_write_text(&writer, "\",\"name\":");
  tac_json_write_text(&writer, recorder->options.events->name ? recorder->options.events->name : "");
  tac_write_text(&writer, ",\"activeProfileIndex\":0,\n\"tactus\":{");
  tac_report_write_head(&writer, head, facts);
  write_losses(&writer, recorder);
  tac_write_text(&writer, "},\n");
  write_frames(&writer, recorder->options.events);
  tac_write_text(&writer,
                 ",\n\"profiles\":[\n{\"type\":\"evented\",\"name\":\"timeline\",\"unit\":\"nanoseconds\",\"startValue\":0,");
  write_timeline(&writer, recorder);
  tac_write_text(&writer, "},\n{\"type\":\"sampled\",\"name\":\"exclusive time by event\",\"unit\":\"nanoseconds\","
                          "\"startValue\":0,");
  write_samples(&writer, recorder);
  tac_write_text(&writer, "}]}\n");
  return tac_writer_status(&writer, __func__, error);
}
