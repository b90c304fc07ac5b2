/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <string.h>

#include "apps/tactus/columns.h"
#include "apps/tactus/record_parts.h"
#include "measure/recorder.h"

/* Of no batch there are more slots: their limit is lower by far, and a number out of a broken file takes no memory. */
enum { ITEMS_MOST = 1 << 26 };

int tac_record_find_status(struct tac_member_reader *reader, const char *key, const char *name) {
  for (int status = TAC_STATUS_OK; status <= TAC_STATUS_DEVICE; status++)
    if (strcmp(tac_status_name((enum tac_status)status), name) == 0)
      return status;
  tac_reader_fail(reader, key, "'%s' is no status", name);
  return TAC_STATUS_OK;
}

/* Sequence numbers are not in a record; an item that finished has some. */
static void restore_slot(const struct tac_columns *columns, struct tac_kept_batch *batch, size_t row) {
  const int64_t begin_ns = batch->record.begin_ns;
  const int64_t wall_ns = batch->record.wall_ns;
  const size_t index = (size_t)tac_columns_integer(columns, "index", row, 0, (int64_t)batch->record.requested - 1);
  const int64_t start_ns = tac_columns_integer(columns, "start_ns", row, 0, wall_ns);
  const int64_t duration_ns = tac_columns_integer(columns, "duration_ns", row, 0, wall_ns - start_ns);
  const int lane = (int)tac_columns_integer(columns, "lane", row, 0, INT32_MAX);
  const char *status = tac_columns_has(columns, "status") ? tac_columns_text(columns, "status", row) : "OK";
  if (columns->reader->status == TAC_STATUS_OK && batch->slots.slot[index].finish_sequence)
    tac_reader_fail(columns->reader, "index", "its element %zu is %zu, as one before it", row, index);
  if (columns->reader->status != TAC_STATUS_OK)
    return;
  batch->slots.slot[index] = (struct tac_slot){.index = index,
                                               .start_ns = begin_ns + start_ns,
                                               .finish_ns = begin_ns + start_ns + duration_ns,
                                               .start_sequence = 2 * row + 1,
                                               .finish_sequence = 2 * row + 2,
                                               .lane = lane,
                                               .status = tac_record_find_status(columns->reader, "status", status),
                                               .starts = 1};
  if (batch->has_costs)
    batch->slots.cost[index] = tac_columns_real(columns, "cost", row);
}

void tac_record_restore_items(struct tac_record *record, struct tac_member_reader *reader, struct tac_kept_batch *batch,
                              const json_t *value, const char *place) {
  const struct tac_columns columns = tac_columns_open(reader, value, "items", "index");
  if (columns.object && batch->record.requested > ITEMS_MOST)
    tac_reader_fail(reader, "index", "of so many items there are no slots");
  if (columns.object && columns.rows != batch->record.completed)
    tac_reader_fail(reader, "index", "has %zu elements where %llu items are completed", columns.rows,
                    (unsigned long long)batch->record.completed);
  if (columns.object && reader->status == TAC_STATUS_OK) {
    const size_t count = (size_t)batch->record.requested;
    batch->slots.slot = tac_record_allocate(record, reader, count, sizeof *batch->slots.slot);
    batch->has_costs = tac_columns_has(&columns, "cost");
    if (batch->has_costs)
      batch->slots.cost = tac_record_allocate(record, reader, count, sizeof *batch->slots.cost);
    batch->slots.capacity = count;
    batch->slots.cost_capacity = batch->has_costs ? count : 0;
    batch->has_slots = reader->status == TAC_STATUS_OK;
    record->recorder->options.keep_slots = 1;
    record->recorder->slots_kept += count;
  }
  for (size_t i = 0; i < columns.rows && reader->status == TAC_STATUS_OK; i++)
    restore_slot(&columns, batch, i);
  tac_reader_at(reader, place);
}
