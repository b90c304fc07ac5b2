/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <stdio.h>

#include "measure/json_text.h"
#include "measure/trace.h"

enum { NAME_BYTES = 64 };

static void name_track(char name[NAME_BYTES], const struct tac_track *track) {
  switch (track->kind) {
  case TAC_TRACK_CALLER:
    snprintf(name, NAME_BYTES, "phases and batches");
    break;
  case TAC_TRACK_LANE:
    snprintf(name, NAME_BYTES, "lane %d", track->number);
    break;
  case TAC_TRACK_DEVICE_ITEMS:
    snprintf(name, NAME_BYTES, "items on the device");
    break;
  case TAC_TRACK_DEVICE_STREAM:
    snprintf(name, NAME_BYTES, "stream %d", track->number);
    break;
  }
  if (track->copy > 0) {
    const size_t used = strlen(name);
    snprintf(name + used, NAME_BYTES - used, ", %d", track->copy + 1);
  }
}

static void announce(struct tac_trace *trace, size_t number) {
  static const int64_t firsts[] = {
      [TAC_TRACK_CALLER] = 0, [TAC_TRACK_LANE] = 1, [TAC_TRACK_DEVICE_ITEMS] = 100000, [TAC_TRACK_DEVICE_STREAM] = 200000};
  const struct tac_track *track = &trace->track[number];
  const int on_device = track->kind == TAC_TRACK_DEVICE_ITEMS || track->kind == TAC_TRACK_DEVICE_STREAM;
  char name[NAME_BYTES];
  if (on_device && !trace->device_named)
    tac_trace_name_process(trace, ",\"pid\":2", "device");
  trace->device_named |= on_device;
  name_track(name, track);
  tac_trace_event(trace, "thread_name", "M");
  tac_trace_place_on(trace, number);
  tac_write_text(&trace->line, ",\"args\":{\"name\":");
  tac_json_write_text(&trace->line, name);
  tac_write_text(&trace->line, "}");
  tac_trace_end_event(trace);
  tac_trace_event(trace, "thread_sort_index", "M");
  tac_trace_place_on(trace, number);
  tac_write_text(&trace->line, ",\"args\":{");
  tac_trace_argument(trace, "sort_index", firsts[track->kind] + track->number, 1);
  tac_write_text(&trace->line, "}");
  tac_trace_end_event(trace);
}

size_t tac_trace_track(struct tac_trace *trace, enum tac_track_kind kind, int number, int64_t start_ns, int64_t finish_ns) {
  int copies = 0;
  for (size_t i = 0; i < trace->tracks; i++) {
    struct tac_track *track = &trace->track[i];
    if (track->kind != kind || track->number != number)
      continue;
    copies++;
    if (track->end_ns > start_ns)
      continue;
    track->end_ns = finish_ns;
    track->batch = 0;
    return i;
  }
  if (trace->tracks == TAC_TRACKS_MOST) {
    trace->untracked++;
    return TAC_NO_TRACK;
  }
  trace->track[trace->tracks] = (struct tac_track){.kind = kind, .number = number, .copy = copies, .end_ns = finish_ns};
  announce(trace, trace->tracks);
  return trace->tracks++;
}

size_t tac_trace_item_track(struct tac_trace *trace, int lane, int64_t start_ns, int64_t finish_ns) {
  for (size_t i = 0; i < trace->tracks; i++) {
    struct tac_track *track = &trace->track[i];
    if (track->kind != TAC_TRACK_LANE || track->number != lane || track->batch != trace->batches)
      continue;
    if (track->item_end_ns > start_ns)
      break;
    track->item_end_ns = finish_ns;
    return i;
  }
  return tac_trace_track(trace, TAC_TRACK_LANE, lane, start_ns, finish_ns);
}
