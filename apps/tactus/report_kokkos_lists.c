/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/tactus/report_kokkos_lists.h"

#include <inttypes.h>
#include <stdio.h>

#include "measure/saturate.h"
#include "measure/table.h"
#include "measure/text.h"

enum { NAME_BYTES = 512 };

enum form { COUNT, INTEGER, DURATION, MEAN };

struct column {
  const char *title, *key;
  enum form form;
  enum tac_presence presence;
};

struct list;
typedef void (*name_fn)(char name[NAME_BYTES], const struct list *list, const json_t *value);

/* A member that is an array of objects, as a table. */
struct list {
  const char *key, *title;
  const struct column *columns;
  int count;
  name_fn name;
  const struct tac_record *record;
  struct tac_member_reader *reader;
};

static void own_name(char name[NAME_BYTES], const struct list *list, const json_t *value) {
  const char *text = tac_read_text(list->reader, value, "name", TAC_MEMBER_REQUIRED);
  snprintf(name, NAME_BYTES, "%s", text ? text : "");
}

static void name_of_copy(char name[NAME_BYTES], const struct list *list, const json_t *value) {
  const char *from = tac_read_text(list->reader, value, "from", TAC_MEMBER_REQUIRED);
  const char *to = tac_read_text(list->reader, value, "to", TAC_MEMBER_REQUIRED);
  snprintf(name, NAME_BYTES, "%s to %s", from ? from : "", to ? to : "");
}

size_t tac_kokkos_first_region(const struct tac_record *record) {
  size_t first = 0;
  while (first < record->event_count && record->events[first].group != TAC_GROUP_REGIONS)
    first++;
  return first;
}

size_t tac_kokkos_region_count(const struct tac_record *record) {
  return json_array_size(json_object_get(record->root, "regions"));
}

/* "assembly in step in main" of a section that was started in the region "step" of "main"; as much of it as there is room for.
 */
static void name_of_section(char name[NAME_BYTES], const struct list *list, const json_t *value) {
  const struct tac_record *record = list->record;
  const size_t first = tac_kokkos_first_region(record);
  own_name(name, list, value);
  if (!json_is_integer(json_object_get(value, "parent")))
    return;
  const int64_t region = tac_read_count(list->reader, value, "parent", TAC_MEMBER_REQUIRED);
  if (region >= (int64_t)tac_kokkos_region_count(record)) {
    tac_reader_fail(list->reader, "parent", "%lld is no region", (long long)region);
    return;
  }
  size_t used = strlen(name);
  for (int event = (int)(first + (size_t)region); event != TAC_NO_EVENT && used < NAME_BYTES - 1;
       event = record->events[event].parent) {
    snprintf(name + used, NAME_BYTES - used, " in %s", record->events[event].name);
    used = strlen(name);
  }
}

static void write_cell(char cell[TAC_TABLE_CELL_BYTES], struct tac_member_reader *reader, const json_t *value,
                       const struct column *column) {
  double mean_ns;
  if (column->presence == TAC_MEMBER_OPTIONAL && !json_object_get(value, column->key))
    return;
  switch (column->form) {
  case COUNT:
    snprintf(cell, TAC_TABLE_CELL_BYTES, "%" PRId64, tac_read_count(reader, value, column->key, column->presence));
    break;
  case INTEGER:
    snprintf(cell, TAC_TABLE_CELL_BYTES, "%" PRId64, tac_read_integer(reader, value, column->key));
    break;
  case DURATION:
    tac_format_duration(cell, tac_read_count(reader, value, column->key, column->presence));
    break;
  case MEAN:
    mean_ns = tac_read_real(reader, value, column->key, column->presence);
    if (mean_ns >= 0)
      tac_format_duration(cell, tac_whole_time(mean_ns));
    break;
  }
}

static void list_rows(struct tac_table *table) {
  const struct list *list = table->subject;
  const json_t *values = json_object_get(list->record->root, list->key);
  for (size_t i = 0; i < json_array_size(values); i++) {
    const json_t *value = tac_read_element(list->reader, values, list->key, i);
    char name[NAME_BYTES];
    struct tac_table_row row = {.name = name};
    list->name(name, list, value);
    for (int k = 0; k < list->count; k++)
      write_cell(row.cell[k], list->reader, value, &list->columns[k]);
    tac_table_add(table, &row);
  }
  tac_reader_at(list->reader, "");
}

static const struct column copy_columns[] = {{"count", "count", COUNT, TAC_MEMBER_REQUIRED},
                                             {"bytes", "bytes", COUNT, TAC_MEMBER_REQUIRED},
                                             {"total", "total_ns", DURATION, TAC_MEMBER_REQUIRED},
                                             {"exclusive", "exclusive_ns", DURATION, TAC_MEMBER_OPTIONAL},
                                             {"onto itself, bytes", "self_bytes", COUNT, TAC_MEMBER_OPTIONAL},
                                             {"fills, bytes", "fill_bytes", COUNT, TAC_MEMBER_OPTIONAL}};
static const struct column space_columns[] = {{"allocations", "allocations", COUNT, TAC_MEMBER_REQUIRED},
                                              {"deallocations", "deallocations", COUNT, TAC_MEMBER_REQUIRED},
                                              {"bytes", "bytes", INTEGER, TAC_MEMBER_REQUIRED},
                                              {"high water, bytes", "high_water_bytes", INTEGER, TAC_MEMBER_REQUIRED}};
static const struct column step_columns[] = {{"count", "count", COUNT, TAC_MEMBER_REQUIRED},
                                             {"total", "total_ns", DURATION, TAC_MEMBER_REQUIRED},
                                             {"mean", "mean_ns", MEAN, TAC_MEMBER_OPTIONAL},
                                             {"kernels", "kernels", COUNT, TAC_MEMBER_REQUIRED},
                                             {"in kernels", "kernels_ns", DURATION, TAC_MEMBER_REQUIRED},
                                             {"fences", "fences", COUNT, TAC_MEMBER_REQUIRED},
                                             {"in fences", "fences_ns", DURATION, TAC_MEMBER_REQUIRED},
                                             {"copies", "copies", COUNT, TAC_MEMBER_REQUIRED},
                                             {"in copies", "copies_ns", DURATION, TAC_MEMBER_REQUIRED}};
static const struct column section_columns[] = {{"count", "count", COUNT, TAC_MEMBER_REQUIRED},
                                                {"total", "total_ns", DURATION, TAC_MEMBER_REQUIRED},
                                                {"mean", "mean_ns", MEAN, TAC_MEMBER_OPTIONAL},
                                                {"min", "min_ns", DURATION, TAC_MEMBER_REQUIRED},
                                                {"max", "max_ns", DURATION, TAC_MEMBER_REQUIRED}};
static const struct column mark_columns[] = {{"count", "count", COUNT, TAC_MEMBER_REQUIRED}};

#define COLUMNS(columns) columns, sizeof(columns) / sizeof *(columns)
static const struct list lists[] = {{"steps", "steps", COLUMNS(step_columns), own_name, NULL, NULL},
                                    {"sections", "sections", COLUMNS(section_columns), name_of_section, NULL, NULL},
                                    {"marks", "marks", COLUMNS(mark_columns), own_name, NULL, NULL},
                                    {"copies", "copies", COLUMNS(copy_columns), name_of_copy, NULL, NULL},
                                    {"spaces", "space", COLUMNS(space_columns), own_name, NULL, NULL}};

void tac_kokkos_print_lists(struct tac_writer *writer, const struct tac_record *record, struct tac_member_reader *reader) {
  for (size_t i = 0; i < sizeof lists / sizeof *lists && reader->status == TAC_STATUS_OK; i++) {
    struct list list = lists[i];
    const char *titles[1 + TAC_TABLE_COLUMNS] = {list.title};
    if (json_array_size(tac_read_array(reader, record->root, list.key, TAC_MEMBER_OPTIONAL)) == 0)
      continue;
    for (int k = 0; k < list.count; k++)
      titles[1 + k] = list.columns[k].title;
    list.record = record;
    list.reader = reader;
    tac_write_text(writer, "\n");
    tac_table_print(writer, titles, list.count, list_rows, &list);
  }
}

static void print_loss(struct tac_writer *writer, const char *text, int64_t count, const char *where, const char *region) {
  char number[32];
  if (count == 0)
    return;
  snprintf(number, sizeof number, "%" PRId64, count);
  tac_write_text(writer, text);
  tac_write_text(writer, ": ");
  tac_write_text(writer, number);
  if (region) {
    tac_write_text(writer, where);
    tac_write_printable(writer, region);
    tac_write_text(writer, "\"");
  }
  tac_write_text(writer, "\n");
}

void tac_kokkos_print_losses(struct tac_writer *writer, const struct tac_record *record, struct tac_member_reader *reader) {
  static const struct {
    const char *key, *text, *where, *region; /* where to look, and the member that names it */
  } losses[] = {
      {"kernels", "Ends of kernels that did not pair with a begin", NULL, NULL},
      {"fences", "Ends of fences that did not pair with a begin", NULL, NULL},
      {"copies", "Ends of copies that did not pair with a begin", NULL, NULL},
      {"regions", "Pops of regions that nobody had pushed", ", the last behind \"", "last_region"},
      {"sections", "Starts, stops and ends of sections that were not in that state", NULL, NULL},
      {"unfinished", "Begun and never ended, in the counts and in no time", ", innermost the region \"", "open_region"}};
  const json_t *mismatches = tac_read_object(reader, record->root, "mismatches", TAC_MEMBER_OPTIONAL);
  tac_reader_at(reader, "mismatches");
  for (size_t i = 0; i < sizeof losses / sizeof *losses; i++)
    print_loss(writer, losses[i].text, tac_read_count(reader, mismatches, losses[i].key, TAC_MEMBER_OPTIONAL), losses[i].where,
               losses[i].region ? tac_read_text(reader, mismatches, losses[i].region, TAC_MEMBER_OPTIONAL) : NULL);
  tac_reader_at(reader, "");
  print_loss(writer, "Events that found no row, no space or no section",
             tac_read_count(reader, record->root, "dropped", TAC_MEMBER_OPTIONAL), NULL, NULL);
  print_loss(writer, "Launches that found no row in their region, and are among the kernels alone",
             tac_read_count(reader, record->root, "kernels_not_by_region", TAC_MEMBER_OPTIONAL), NULL, NULL);
}
