/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/tactus/report_kokkos.h"

#include <inttypes.h>

#include "apps/tactus/member_reader.h"
#include "measure/table.h"
#include "measure/text.h"

struct subject {
  const struct tac_record *record;
  struct tac_member_reader *reader;
};

static int write_piece(void *stream, const char *text, size_t bytes) {
  return fwrite(text, 1, bytes, stream) != bytes;
}

static void set_count(struct tac_table_row *row, int column, uint64_t count) {
  snprintf(row->cell[column], TAC_TABLE_CELL_BYTES, "%" PRIu64, count);
}

static const char *const call_titles[] = {"kernels, fences and regions", "count", "total", "mean", "min", "max", "of parent"};
enum { CALL_COLUMNS = 6 };

static void call_rows(struct tac_table *table) {
  const struct subject *subject = table->subject;
  const struct tac_record *record = subject->record;
  for (size_t i = 0; i < record->event_count; i++) {
    const struct tac_record_event *event = &record->events[i];
    struct tac_table_row row = {.name = event->name};
    for (int parent = event->parent; parent != TAC_NO_EVENT; parent = record->events[parent].parent)
      row.depth++;
    set_count(&row, 0, event->stats.count);
    tac_format_duration(row.cell[1], event->stats.total_ns);
    tac_format_duration(row.cell[2], (int64_t)(tac_event_stats_mean_ns(&event->stats) + 0.5));
    tac_format_duration(row.cell[3], event->stats.min_ns);
    tac_format_duration(row.cell[4], event->stats.max_ns);
    tac_format_share(row.cell[5], (double)event->stats.total_ns,
                     event->parent == TAC_NO_EVENT ? 0 : (double)record->events[event->parent].stats.total_ns);
    tac_table_add(table, &row);
  }
}

static const char *const copy_titles[] = {"copies", "count", "bytes", "total", "onto itself, bytes", "fills, bytes"};
enum { COPY_COLUMNS = 5 };

static void copy_rows(struct tac_table *table) {
  const struct subject *subject = table->subject;
  struct tac_member_reader *reader = subject->reader;
  const json_t *copies = json_object_get(subject->record->root, "copies");
  for (size_t i = 0; i < json_array_size(copies); i++) {
    const json_t *value = tac_read_element(reader, copies, "copies", i);
    const char *from = tac_read_text(reader, value, "from", TAC_MEMBER_REQUIRED);
    const char *to = tac_read_text(reader, value, "to", TAC_MEMBER_REQUIRED);
    char name[256];
    snprintf(name, sizeof name, "%s to %s", from ? from : "", to ? to : "");
    struct tac_table_row row = {.name = name};
    set_count(&row, 0, (uint64_t)tac_read_count(reader, value, "count", TAC_MEMBER_REQUIRED));
    set_count(&row, 1, (uint64_t)tac_read_count(reader, value, "bytes", TAC_MEMBER_REQUIRED));
    tac_format_duration(row.cell[2], tac_read_count(reader, value, "total_ns", TAC_MEMBER_REQUIRED));
    set_count(&row, 3, (uint64_t)tac_read_count(reader, value, "self_bytes", TAC_MEMBER_OPTIONAL));
    set_count(&row, 4, (uint64_t)tac_read_count(reader, value, "fill_bytes", TAC_MEMBER_OPTIONAL));
    tac_table_add(table, &row);
  }
}

static const char *const space_titles[] = {"space", "allocations", "deallocations", "bytes", "high water, bytes"};
enum { SPACE_COLUMNS = 4 };

static void space_rows(struct tac_table *table) {
  const struct subject *subject = table->subject;
  struct tac_member_reader *reader = subject->reader;
  const json_t *spaces = json_object_get(subject->record->root, "spaces");
  for (size_t i = 0; i < json_array_size(spaces); i++) {
    const json_t *value = tac_read_element(reader, spaces, "spaces", i);
    const char *name = tac_read_text(reader, value, "name", TAC_MEMBER_REQUIRED);
    struct tac_table_row row = {.name = name ? name : ""};
    set_count(&row, 0, (uint64_t)tac_read_count(reader, value, "allocations", TAC_MEMBER_REQUIRED));
    set_count(&row, 1, (uint64_t)tac_read_count(reader, value, "deallocations", TAC_MEMBER_REQUIRED));
    snprintf(row.cell[2], TAC_TABLE_CELL_BYTES, "%" PRId64, tac_read_integer(reader, value, "bytes"));
    snprintf(row.cell[3], TAC_TABLE_CELL_BYTES, "%" PRId64, tac_read_integer(reader, value, "high_water_bytes"));
    tac_table_add(table, &row);
  }
}

enum tac_status tac_record_print_kokkos(FILE *stream, const struct tac_record *record, struct tac_error *error) {
  struct tac_member_reader reader = {.error = error};
  const struct subject subject = {record, &reader};
  struct tac_writer writer = {.sink = write_piece, .context = stream};
  const json_t *copies = tac_read_array(&reader, record->root, "copies", TAC_MEMBER_OPTIONAL);
  const json_t *spaces = tac_read_array(&reader, record->root, "spaces", TAC_MEMBER_OPTIONAL);
  if (reader.status != TAC_STATUS_OK)
    return reader.status;
  fputc('\n', stream);
  tac_table_print(&writer, call_titles, CALL_COLUMNS, call_rows, &subject);
  if (json_array_size(copies) > 0) {
    fputc('\n', stream);
    tac_table_print(&writer, copy_titles, COPY_COLUMNS, copy_rows, &subject);
  }
  if (json_array_size(spaces) > 0) {
    fputc('\n', stream);
    tac_table_print(&writer, space_titles, SPACE_COLUMNS, space_rows, &subject);
  }
  fputs("Times are host wall time; that of a kernel on a device that does not wait for it is that of its dispatch.\n", stream);
  return reader.status;
}
