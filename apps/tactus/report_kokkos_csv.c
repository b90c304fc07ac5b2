/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/tactus/report_kokkos_csv.h"

#include <string.h>

#include "apps/tactus/member_reader.h"
#include "apps/tactus/record_facts.h"
#include "measure/csv.h"
#include "measure/json_text.h"

enum { DIGITS = 15 };

enum form { TEXT, COUNT, INTEGER, REAL, FLAG };

/* Where a column's value is: in the row, or how the record came about, the same in every row. */
enum place { ROW, RECORD, RUN, FENCING, CLOCK, COST, PLACES };

static const struct column {
  const char *title, *key;
  enum place place;
  enum form form;
} columns[] = {{"name", "name", ROW, TEXT},
               {"from", "from", ROW, TEXT},
               {"to", "to", ROW, TEXT},
               {"direction", "direction", ROW, TEXT},
               {"device", "device", ROW, TEXT},
               {"device_number", "device_number", ROW, COUNT},
               {"instance", "instance", ROW, COUNT},
               {"scope", "scope", ROW, TEXT},
               {"tool_fence", "tool", ROW, FLAG},
               {"parent", "parent", ROW, COUNT},
               {"count", "count", ROW, COUNT},
               {"timed", "timed", ROW, COUNT},
               {"total_ns", "total_ns", ROW, COUNT},
               {"mean_ns", "mean_ns", ROW, REAL},
               {"min_ns", "min_ns", ROW, COUNT},
               {"max_ns", "max_ns", ROW, COUNT},
               {"exclusive_ns", "exclusive_ns", ROW, INTEGER},
               {"step_count", "step_count", ROW, COUNT},
               {"step_ns", "step_ns", ROW, COUNT},
               {"bytes", "bytes", ROW, COUNT},
               {"self_count", "self_count", ROW, COUNT},
               {"self_bytes", "self_bytes", ROW, COUNT},
               {"fill_count", "fill_count", ROW, COUNT},
               {"fill_bytes", "fill_bytes", ROW, COUNT},
               {"saturated", "saturated", ROW, FLAG},
               {"dropped", "dropped", RECORD, COUNT},
               {"kernels_not_by_region", "kernels_not_by_region", RECORD, COUNT},
               {"wall_ns", "wall_ns", RUN, COUNT},
               {"threads", "threads", RUN, COUNT},
               {"fencing", "global", FENCING, FLAG},
               {"seconds", "seconds", FENCING, TEXT},
               {"schema", "schema", RECORD, COUNT},
               {"clock", "name", CLOCK, TEXT},
               {"clock_resolution_ns", "resolution_ns", CLOCK, COUNT},
               {"origin_ns", "origin_ns", CLOCK, INTEGER},
               {"clock_read_ns", "clock_read_ns", COST, REAL},
               {"launch_record_ns", "launch_record_ns", COST, REAL},
               {"tool", "tool", RUN, TEXT},
               {"tool_version", "tool_version", RUN, TEXT}};
enum { COLUMNS = sizeof columns / sizeof *columns };

static const struct list {
  const char *key, *kind; /* NULL: each row tells its own */
} lists[] = {{"kernels", NULL},       {"fences", "fence"}, {"copies", "copy"},         {"regions", "region"},
             {"sections", "section"}, {"marks", "mark"},   {"kernels_by_region", NULL}};

struct rows {
  struct tac_writer writer;
  struct tac_member_reader *reader;
  const struct tac_record *record;
  const struct tac_report_facts *facts;
  const json_t *place[PLACES];
};

static void put_value(struct rows *rows, const json_t *object, const struct column *column) {
  const json_t *value = json_object_get(object, column->key);
  const char *text;
  if (!value || json_is_null(value))
    return;
  switch (column->form) {
  case TEXT:
    text = tac_read_text(rows->reader, object, column->key, TAC_MEMBER_REQUIRED);
    tac_csv_field(&rows->writer, text ? text : "");
    break;
  case COUNT:
    tac_json_write_integer(&rows->writer, tac_read_count(rows->reader, object, column->key, TAC_MEMBER_REQUIRED));
    break;
  case INTEGER:
    tac_json_write_integer(&rows->writer, tac_read_integer(rows->reader, object, column->key));
    break;
  case REAL:
    tac_csv_number(&rows->writer, tac_read_real(rows->reader, object, column->key, TAC_MEMBER_REQUIRED), DIGITS);
    break;
  case FLAG:
    tac_json_write_integer(&rows->writer, tac_read_flag(rows->reader, object, column->key));
    break;
  }
}

/* Kernels by region are of kinds of their own, as they are among the kernels, too. */
static const char *kind_of(const struct rows *rows, const struct list *list, const json_t *row) {
  static const char *const kinds[][2] = {{"parallel_for", "region_parallel_for"},
                                         {"parallel_reduce", "region_parallel_reduce"},
                                         {"parallel_scan", "region_parallel_scan"}};
  const char *own = list->kind ? list->kind : tac_read_text(rows->reader, row, "kind", TAC_MEMBER_REQUIRED);
  if (strcmp(list->key, "kernels_by_region") != 0)
    return own ? own : "";
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    if (own && strcmp(own, kinds[i][0]) == 0)
      return kinds[i][1];
  return "region_kernel";
}

/* A fault is told by the place that it has in the record. */
static void put_row(struct rows *rows, const struct list *list, size_t number, const json_t *row) {
  static const char *const places[PLACES] = {NULL, "", "run", "run.fencing", "clock", "cost"};
  tac_csv_field(&rows->writer, kind_of(rows, list, row));
  tac_write_text(&rows->writer, ",");
  tac_json_write_integer(&rows->writer, (int64_t)number);
  rows->place[ROW] = row;
  for (int i = 0; i < COLUMNS; i++) {
    const enum place place = columns[i].place;
    if (place == ROW)
      tac_reader_at_element(rows->reader, list->key, number);
    else
      tac_reader_at(rows->reader, places[place]);
    tac_write_text(&rows->writer, ",");
    put_value(rows, rows->place[place], &columns[i]);
  }
  for (size_t i = 0; i < rows->facts->count; i++) {
    tac_write_text(&rows->writer, ",");
    tac_csv_field(&rows->writer, rows->facts->fact[i].value);
  }
  tac_write_text(&rows->writer, "\n");
}

static void put_names(struct rows *rows) {
  tac_write_text(&rows->writer, "kind,number");
  for (int i = 0; i < COLUMNS; i++) {
    tac_write_text(&rows->writer, ",");
    tac_write_text(&rows->writer, columns[i].title);
  }
  for (size_t i = 0; i < rows->facts->count; i++) {
    tac_write_text(&rows->writer, ",");
    tac_csv_field(&rows->writer, rows->facts->fact[i].key);
  }
  tac_write_text(&rows->writer, "\n");
}

static void put_all(struct rows *rows, tac_sink_fn sink, void *context) {
  const json_t *root = rows->record->root, *run = json_object_get(root, "run");
  rows->writer = (struct tac_writer){.sink = sink, .context = context};
  rows->place[RECORD] = root;
  rows->place[RUN] = run;
  rows->place[FENCING] = json_object_get(run, "fencing");
  rows->place[CLOCK] = json_object_get(root, "clock");
  rows->place[COST] = json_object_get(root, "cost");
  put_names(rows);
  for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
    tac_reader_at(rows->reader, "");
    const json_t *list = tac_read_array(rows->reader, root, lists[i].key, TAC_MEMBER_OPTIONAL);
    for (size_t k = 0; k < json_array_size(list) && rows->reader->status == TAC_STATUS_OK; k++)
      put_row(rows, &lists[i], k, tac_read_element(rows->reader, list, lists[i].key, k));
  }
}

static int forget(void *context, const char *text, size_t bytes) {
  (void)context, (void)text, (void)bytes;
  return 0;
}

/* Once for nothing but its faults. */
enum tac_status tac_kokkos_write_csv(const struct tac_record *record, tac_sink_fn sink, void *context,
                                     struct tac_error *error) {
  struct tac_member_reader reader = {.error = error};
  struct tac_record_facts facts;
  struct rows rows = {.reader = &reader, .record = record, .facts = &facts.list};
  enum tac_status status = tac_record_facts_gather(&facts, record, error);
  if (status == TAC_STATUS_OK) {
    put_all(&rows, forget, NULL);
    status = reader.status;
  }
  if (status == TAC_STATUS_OK) {
    put_all(&rows, sink, context);
    status = tac_writer_status(&rows.writer, "--csv", error);
  }
  tac_record_facts_release(&facts);
  return status;
}
