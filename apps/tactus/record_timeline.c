/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/tactus/columns.h"
#include "apps/tactus/record_parts.h"
#include "measure/recorder.h"

static int holds(const struct tac_timeline_entry *outer, const struct tac_timeline_entry *inner) {
  return outer->begin_ns <= inner->begin_ns && inner->begin_ns + inner->duration_ns <= outer->begin_ns + outer->duration_ns;
}

/* Entries are in the order of their begins, so that those around one are the last ones that hold it. */
static void find_depths(struct tac_timeline *timeline) {
  size_t open[TAC_RECORDER_DEPTH + 1], depth = 0;
  for (size_t i = 0; timeline->entry && i < timeline->count; i++) {
    while (depth > 0 && !holds(&timeline->entry[open[depth - 1]], &timeline->entry[i]))
      depth--;
    timeline->entry[i].depth = (int)depth;
    if (depth < TAC_RECORDER_DEPTH)
      open[depth++] = i;
  }
}

static void restore_entry(const struct tac_record *record, const struct tac_columns *columns, struct tac_timeline_entry *entry,
                          size_t row) {
  const int64_t origin_ns = record->recorder->origin_ns;
  entry->event = (int)tac_columns_integer(columns, "event", row, 0, (int64_t)record->event_count - 1);
  entry->begin_ns = origin_ns + tac_columns_time(columns, "begin_ns", row);
  entry->duration_ns = tac_columns_duration(columns, "duration_ns", row);
}

void tac_record_restore_timeline(struct tac_record *record, struct tac_member_reader *reader) {
  struct tac_timeline *timeline = &record->recorder->timeline;
  const struct tac_columns columns = tac_columns_open(reader, record->root, "timeline", "event");
  if (columns.object && !json_object_get(record->root, "events_all"))
    tac_reader_fail(reader, "event", "numbers events_all, which is missing");
  if (columns.object) {
    timeline->entry = tac_record_allocate(record, reader, columns.rows, sizeof *timeline->entry);
    timeline->limit = timeline->entry ? columns.rows + (columns.rows == 0) : 0;
    record->recorder->options.timeline_limit = timeline->limit;
  }
  for (size_t i = 0; i < columns.rows && timeline->entry && reader->status == TAC_STATUS_OK; i++)
    restore_entry(record, &columns, &timeline->entry[timeline->count++], i);
  find_depths(timeline);
  tac_reader_at(reader, "");
  timeline->dropped = (uint64_t)tac_read_count(reader, record->root, "timeline_dropped", TAC_MEMBER_OPTIONAL);
}
