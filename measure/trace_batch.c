/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <stdio.h>
#include <stdlib.h>

#include "measure/json_text.h"
#include "measure/trace.h"

enum { NAME_BYTES = 32 };

static int compare_places(const void *a, const void *b) {
  const struct tac_trace_place *left = a, *right = b;
  if (left->start_ns != right->start_ns)
    return left->start_ns < right->start_ns ? -1 : 1;
  return (left->index > right->index) - (left->index < right->index);
}

static int reserve_places(struct tac_trace *trace, size_t count) {
  if (count <= trace->place_capacity)
    return 1;
  struct tac_trace_place *larger =
      count <= SIZE_MAX / sizeof *larger ? trace->allocator->allocate(trace->allocator->context, count * sizeof *larger) : NULL;
  if (!larger)
    return 0;
  trace->allocator->release(trace->allocator->context, trace->place);
  trace->place = larger;
  trace->place_capacity = count;
  return 1;
}

static void sort_places(struct tac_trace *trace, size_t count) {
  if (count > 1)
    qsort(trace->place, count, sizeof *trace->place, compare_places);
}

static void name_item(char name[NAME_BYTES], size_t index) {
  snprintf(name, NAME_BYTES, "item %zu", index);
}

/* From the batch on the caller's track to a slice that begins at start_ns. */
static void write_arrow(struct tac_trace *trace, int64_t begin_ns, size_t track, int64_t start_ns) {
  tac_trace_event(trace, "slowest item", "s");
  tac_write_text(&trace->line, ",\"cat\":\"slowest\"");
  tac_trace_argument(trace, "id", (int64_t)trace->batches, 0);
  tac_trace_place_at(trace, 0, begin_ns);
  tac_write_text(&trace->line, "}"); /* the two lines belong together */
  tac_trace_event(trace, "slowest item", "f");
  tac_write_text(&trace->line, ",\"cat\":\"slowest\",\"bp\":\"e\"");
  tac_trace_argument(trace, "id", (int64_t)trace->batches, 0);
  tac_trace_place_at(trace, track, start_ns);
  tac_trace_end_event(trace);
}

/* The batch's slice on the track of every lane that took part. */
static void write_frames(struct tac_trace *trace, const char *name, const struct tac_batch_record *record) {
  const int64_t end_ns = record->begin_ns + record->wall_ns;
  for (int lane = 0; lane < record->lanes; lane++) {
    const size_t number = tac_trace_track(trace, TAC_TRACK_LANE, lane, record->begin_ns, end_ns);
    if (number == TAC_NO_TRACK)
      continue;
    trace->track[number].batch = trace->batches;
    trace->track[number].item_end_ns = record->begin_ns;
    tac_trace_slice(trace, number, name, record->begin_ns, end_ns);
    tac_write_text(&trace->line, ",\"args\":{");
    tac_trace_argument(trace, "number", (int64_t)record->number, 1);
    tac_trace_argument(trace, "requested", (int64_t)record->requested, 0);
    tac_trace_argument(trace, "completed", (int64_t)record->completed, 0);
    tac_trace_argument(trace, "peak_overlap", (int64_t)record->peak_overlap, 0);
    tac_write_text(&trace->line, "}");
    tac_trace_end_event(trace);
  }
}

static int64_t within(int64_t time_ns, int64_t least_ns, int64_t most_ns) {
  return time_ns < least_ns ? least_ns : time_ns > most_ns ? most_ns : time_ns;
}

static void write_item(struct tac_trace *trace, const struct tac_batch_details *details, size_t index, int arrow) {
  const struct tac_batch_record *record = details->record;
  const struct tac_slot *slot = &details->slots[index];
  const int64_t end_ns = record->begin_ns + record->wall_ns;
  const int64_t start_ns = within(slot->start_ns, record->begin_ns, end_ns);
  const int64_t finish_ns = within(slot->finish_ns, start_ns, end_ns);
  const size_t track = tac_trace_item_track(trace, slot->lane, start_ns, finish_ns);
  char name[NAME_BYTES];
  if (track == TAC_NO_TRACK)
    return;
  name_item(name, index);
  tac_trace_slice(trace, track, name, start_ns, finish_ns);
  tac_write_text(&trace->line, ",\"args\":{");
  tac_trace_argument(trace, "batch", (int64_t)record->number, 1);
  if (details->costs) {
    tac_write_text(&trace->line, ",\"cost\":");
    tac_json_write_real(&trace->line, details->costs[index]);
  }
  if (slot->status != TAC_STATUS_OK) {
    tac_write_text(&trace->line, ",\"status\":");
    tac_json_write_text(&trace->line, tac_status_name((enum tac_status)slot->status));
  }
  tac_write_text(&trace->line, "}");
  tac_trace_end_event(trace);
  if (arrow)
    write_arrow(trace, record->begin_ns, track, start_ns);
}

static void write_items(struct tac_trace *trace, const struct tac_batch_details *details, int arrow) {
  const struct tac_batch_record *record = details->record;
  size_t count = 0;
  for (size_t i = 0; i < (size_t)record->requested; i++)
    if (details->slots[i].finish_sequence)
      trace->place[count++] = (struct tac_trace_place){details->slots[i].start_ns, i};
  sort_places(trace, count);
  for (size_t i = 0; i < count; i++) {
    const size_t index = trace->place[i].index;
    write_item(trace, details, index, arrow && !record->submission && index == (size_t)record->slowest_index);
  }
}

/* Device times are on CLOCK_MONOTONIC; beside another clock they have an origin of their own, near their first. */
static void place_device(struct tac_trace *trace, const struct tac_batch_record *record) {
  if (trace->has_device_origin || trace->clock == tac_clock_monotonic())
    return;
  trace->has_device_origin = 1;
  trace->device_origin_ns = record->device.begin_ns;
}

static void write_device_items(struct tac_trace *trace, const struct tac_batch_details *details, int arrow) {
  const struct tac_batch_record *record = details->record;
  size_t count = 0;
  for (size_t i = 0; i < details->device_slot_count; i++)
    if (details->device_slots[i].commands > 0)
      trace->place[count++] = (struct tac_trace_place){details->device_slots[i].start_ns, i};
  sort_places(trace, count);
  for (size_t i = 0; i < count; i++) {
    const size_t index = trace->place[i].index;
    const struct tac_device_slot *slot = &details->device_slots[index];
    const size_t track = tac_trace_track(trace, TAC_TRACK_DEVICE_ITEMS, 0, slot->start_ns, slot->finish_ns);
    char name[NAME_BYTES];
    if (track == TAC_NO_TRACK)
      continue;
    name_item(name, index);
    tac_trace_slice(trace, track, name, slot->start_ns, slot->finish_ns);
    tac_write_text(&trace->line, ",\"args\":{");
    tac_trace_argument(trace, "batch", (int64_t)record->number, 1);
    tac_trace_argument(trace, "commands", (int64_t)slot->commands, 0);
    tac_trace_argument(trace, "busy_ns", slot->busy_ns, 0);
    tac_write_text(&trace->line, "}");
    tac_trace_end_event(trace);
    if (arrow && index == (size_t)record->device.slowest_index)
      write_arrow(trace, record->begin_ns, track, slot->start_ns);
  }
}

static void write_command(struct tac_trace *trace, const struct tac_device_interval *command) {
  const int64_t finish_ns = command->finish_ns > command->start_ns ? command->finish_ns : command->start_ns;
  const size_t track = tac_trace_track(trace, TAC_TRACK_DEVICE_STREAM, command->stream, command->start_ns, finish_ns);
  if (track == TAC_NO_TRACK)
    return;
  tac_trace_slice(trace, track, command->label, command->start_ns, finish_ns);
  tac_write_text(&trace->line, ",\"args\":{");
  tac_trace_argument(trace, "lane", command->lane, 1);
  if (command->item != TAC_COMMAND_NO_ITEM)
    tac_trace_argument(trace, "item", (int64_t)command->item, 0);
  tac_write_text(&trace->line, "}");
  tac_trace_end_event(trace);
}

static void write_commands(struct tac_trace *trace, const struct tac_batch_details *details) {
  for (size_t i = 0; i < details->interval_count; i++)
    trace->place[i] = (struct tac_trace_place){details->intervals[i].start_ns, i};
  sort_places(trace, details->interval_count);
  for (size_t i = 0; i < details->interval_count; i++)
    write_command(trace, &details->intervals[trace->place[i].index]);
}

void tac_trace_batch(struct tac_trace *trace, const char *name, const struct tac_batch_details *details, int on_timeline) {
  const struct tac_batch_record *record = details->record;
  size_t most = (size_t)record->requested;
  if (trace->finished)
    return;
  if (details->interval_count > most)
    most = details->interval_count;
  if (!reserve_places(trace, most)) {
    trace->summarised++;
    return;
  }
  trace->batches++;
  write_frames(trace, name, record);
  write_items(trace, details, on_timeline);
  if (details->interval_count > 0) {
    place_device(trace, record);
    write_device_items(trace, details, on_timeline && record->submission);
    write_commands(trace, details);
  }
  tac_trace_flush_sometimes(trace, record->begin_ns + record->wall_ns);
}
