/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <string.h>

#include "apps/tactus/columns.h"
#include "apps/tactus/record_parts.h"
#include "measure/recorder.h"

static int64_t end_of(const struct tac_timeline_entry *entry) {
  return entry->begin_ns + entry->duration_ns;
}

static int holds(const struct tac_timeline_entry *outer, const struct tac_timeline_entry *inner) {
  return outer->begin_ns <= inner->begin_ns && end_of(inner) <= end_of(outer);
}

/* Entries are in the order of their begins, so that those around one are the last ones that hold it. */
static void find_depths(struct tac_timeline *timeline, struct tac_member_reader *reader) {
  size_t open[TAC_RECORDER_DEPTH + 1], depth = 0;
  for (size_t i = 0; i < timeline->count && reader->status == TAC_STATUS_OK; i++) {
    const struct tac_timeline_entry *entry = &timeline->entry[i];
    for (; depth > 0 && !holds(&timeline->entry[open[depth - 1]], entry); depth--)
      if (entry->begin_ns < end_of(&timeline->entry[open[depth - 1]]))
        tac_reader_fail(reader, "duration_ns", "its element %zu ends after element %zu, in which it begins", i,
                        open[depth - 1]);
    timeline->entry[i].depth = (int)depth;
    if (depth < TAC_RECORDER_DEPTH)
      open[depth++] = i;
  }
}

/* Every call is in the sums of its event, and began after those on the timeline before it. */
static void check_entry(const struct tac_record *record, struct tac_member_reader *reader, uint64_t *calls, size_t row) {
  const struct tac_timeline_entry *entry = &record->recorder->timeline.entry[row];
  const struct tac_event_stats *stats = &record->events[entry->event].stats;
  if (row > 0 && entry->begin_ns < entry[-1].begin_ns)
    tac_reader_fail(reader, "begin_ns", "its element %zu is less than the one before it", row);
  if (++calls[entry->event] > stats->count)
    tac_reader_fail(reader, "event", "its element %zu is one call more than the event's count", row);
  else if (entry->duration_ns < stats->min_ns || entry->duration_ns > stats->max_ns)
    tac_reader_fail(reader, "duration_ns", "its element %zu is not within min_ns and max_ns of its event", row);
}

static void restore_entry(const struct tac_record *record, const struct tac_columns *columns, size_t row) {
  struct tac_timeline *timeline = &record->recorder->timeline;
  timeline->entry[timeline->count++] = (struct tac_timeline_entry){
      .event = (int)tac_columns_integer(columns, "event", row, 0, (int64_t)record->event_count - 1),
      .begin_ns = record->recorder->origin_ns + tac_columns_integer(columns, "begin_ns", row, 0, TAC_RECORD_DURATION_MOST),
      .duration_ns = tac_columns_duration(columns, "duration_ns", row)};
}

static void restore_entries(struct tac_record *record, const struct tac_columns *columns) {
  struct tac_member_reader *reader = columns->reader;
  struct tac_timeline *timeline = &record->recorder->timeline;
  uint64_t *calls = tac_record_allocate(record, reader, record->event_count, sizeof *calls);
  timeline->entry = tac_record_allocate(record, reader, columns->rows, sizeof *timeline->entry);
  if (timeline->entry) {
    timeline->limit = record->recorder->options.timeline_limit = columns->rows + (columns->rows == 0);
    for (size_t i = 0; i < columns->rows && reader->status == TAC_STATUS_OK; i++) {
      restore_entry(record, columns, i);
      if (reader->status == TAC_STATUS_OK)
        check_entry(record, reader, calls, i);
    }
    find_depths(timeline, reader);
  }
  tac_recorder_release(record->recorder, calls);
}

static int is_of(const struct tac_record *record, const struct tac_timeline_entry *entry,
                 const struct tac_batch_record *batch) {
  return strcmp(record->events[entry->event].name, record->events[batch->event].name) == 0 &&
         (batch->requested == 0 || entry->duration_ns == batch->wall_ns);
}

/* A batch that began before the last entry of the timeline is on it; all are where nothing was dropped, unless no timeline was
 * asked for. Both are in the order of their begins. */
static void check_batches(const struct tac_record *record, struct tac_member_reader *reader) {
  const struct tac_timeline *timeline = &record->recorder->timeline;
  size_t next = 0;
  for (size_t i = 0; i < record->recorder->batch_count && reader->status == TAC_STATUS_OK; i++) {
    const struct tac_batch_record *batch = &record->recorder->batches[i].record;
    while (next < timeline->count && timeline->entry[next].begin_ns < batch->begin_ns)
      next++;
    size_t found = next;
    while (found < timeline->count && timeline->entry[found].begin_ns == batch->begin_ns &&
           !is_of(record, &timeline->entry[found], batch))
      found++;
    tac_reader_at_element(reader, "batches", i);
    if (found == timeline->count ? timeline->count > 0 && timeline->dropped == 0
                                 : timeline->entry[found].begin_ns > batch->begin_ns)
      tac_reader_fail(reader, "begin_ns", "with event and wall_ns is none of the timeline");
  }
}

void tac_record_restore_timeline(struct tac_record *record, struct tac_member_reader *reader) {
  const struct tac_columns columns = tac_columns_open(reader, record->root, "timeline", "event");
  if (columns.object && !json_object_get(record->root, "events_all"))
    tac_reader_fail(reader, "event", "numbers events_all, which is missing");
  if (columns.object && reader->status == TAC_STATUS_OK)
    restore_entries(record, &columns);
  tac_reader_at(reader, "");
  record->recorder->timeline.dropped = (uint64_t)tac_read_count(reader, record->root, "timeline_dropped", TAC_MEMBER_OPTIONAL);
  check_batches(record, reader);
  tac_reader_at(reader, "");
}
