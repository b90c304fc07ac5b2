/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <string.h>

#include "apps/tactus/columns.h"
#include "apps/tactus/record_parts.h"
#include "measure/recorder.h"

/* Labels that differed in bytes that are no UTF-8 are one in a record; commands name them by their place in it. */
void tac_record_restore_labels(struct tac_record *record, struct tac_member_reader *reader) {
  const json_t *labels = tac_read_array(reader, record->root, "device_labels", TAC_MEMBER_OPTIONAL);
  for (size_t i = 0; i < json_array_size(labels) && reader->status == TAC_STATUS_OK; i++) {
    const char *label = json_string_value(json_array_get(labels, i));
    tac_reader_at_element(reader, "device_labels", i);
    if (!label)
      tac_reader_fail(reader, "", "is no text");
    else if (tac_label_table_add(&record->recorder->labels, label) == TAC_NO_LABEL)
      reader->status = tac_error_set(reader->error, TAC_STATUS_MEMORY, "device_labels", "no memory for them");
  }
  tac_reader_at(reader, "");
}

static const char *label_of(const struct tac_record *record, const struct tac_columns *columns, size_t row) {
  const json_t *labels = json_object_get(record->root, "device_labels");
  if (tac_columns_is_null(columns, "label", row))
    return "";
  const int64_t number = tac_columns_integer(columns, "label", row, 0, (int64_t)json_array_size(labels) - 1);
  const char *label = json_string_value(json_array_get(labels, (size_t)number));
  const size_t own = label ? tac_label_table_find(&record->recorder->labels, label) : TAC_NO_LABEL;
  return own == TAC_NO_LABEL ? "" : record->recorder->labels.labels[own];
}

static struct tac_device_interval command_of(const struct tac_record *record, const struct tac_columns *columns,
                                             int64_t begin_ns, size_t row) {
  const int outside = tac_columns_is_null(columns, "item", row);
  const char *kind = tac_columns_text(columns, "kind", row);
  const int64_t start_ns = begin_ns + tac_columns_time(columns, "start_ns", row);
  if (strcmp(kind, "launch") != 0 && strcmp(kind, "copy") != 0)
    tac_reader_fail(columns->reader, "kind", "its element %zu is neither launch nor copy", row);
  return (struct tac_device_interval){.label = label_of(record, columns, row),
                                      .kind = strcmp(kind, "copy") == 0 ? TAC_COMMAND_COPY : TAC_COMMAND_LAUNCH,
                                      .lane = (int)tac_columns_integer(columns, "lane", row, INT32_MIN, INT32_MAX),
                                      .stream = (int)tac_columns_integer(columns, "stream", row, INT32_MIN, INT32_MAX),
                                      .item = outside ? TAC_COMMAND_NO_ITEM
                                                      : (size_t)tac_columns_integer(columns, "item", row, 0, INT64_MAX - 1),
                                      .start_ns = start_ns,
                                      .finish_ns = start_ns + tac_columns_duration(columns, "duration_ns", row)};
}

static void restore_device_slot(const struct tac_columns *columns, struct tac_kept_batch *batch, size_t row) {
  const int64_t begin_ns = batch->record.begin_ns;
  const size_t index = (size_t)tac_columns_integer(columns, "index", row, 0, (int64_t)batch->device.slots - 1);
  const int64_t start_ns = begin_ns + tac_columns_time(columns, "start_ns", row);
  const struct tac_device_slot slot = {.start_ns = start_ns,
                                       .finish_ns = start_ns + tac_columns_duration(columns, "duration_ns", row),
                                       .busy_ns = tac_columns_duration(columns, "busy_ns", row),
                                       .commands = (uint64_t)tac_columns_integer(columns, "commands", row, 0, INT64_MAX)};
  if (columns->reader->status == TAC_STATUS_OK)
    batch->device.slot[index] = slot;
}

void tac_record_restore_commands(struct tac_record *record, struct tac_member_reader *reader, struct tac_kept_batch *batch,
                                 const json_t *value, const char *place) {
  const struct tac_columns items = tac_columns_open(reader, value, "device_items", "index");
  if (items.object && !batch->has_slots)
    tac_reader_fail(reader, "", "stands without items");
  if (items.object && reader->status == TAC_STATUS_OK) {
    batch->device.slots = batch->device.slot_capacity = (size_t)batch->record.requested;
    batch->device.slot = tac_record_allocate(record, reader, batch->device.slots, sizeof *batch->device.slot);
  }
  for (size_t i = 0; i < items.rows && reader->status == TAC_STATUS_OK; i++)
    restore_device_slot(&items, batch, i);
  tac_reader_at(reader, place);
  const struct tac_columns commands = tac_columns_open(reader, value, "device_commands", "label");
  if (commands.object && reader->status == TAC_STATUS_OK) {
    struct tac_device_interval *intervals = tac_record_allocate(record, reader, commands.rows, sizeof *intervals);
    for (size_t i = 0; intervals && i < commands.rows && reader->status == TAC_STATUS_OK; i++)
      intervals[i] = command_of(record, &commands, batch->record.begin_ns, i);
    batch->device.interval = intervals;
    batch->device.intervals = batch->device.interval_capacity = intervals ? commands.rows : 0;
  }
  tac_reader_at(reader, place);
}
