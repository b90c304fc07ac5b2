/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/tactus/report_kokkos.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "apps/tactus/member_reader.h"
#include "measure/table.h"
#include "measure/text.h"

struct subject {
  const struct tac_record *record;
  struct tac_member_reader *reader;
  const json_t *regions;
  int64_t *region_children_ns; /* of each region: what its child regions took */
  int64_t wall_ns;             /* of the run; 0: unknown */
  int one_thread;              /* all was counted on one: times add up to the wall time */
};

static int write_piece(void *stream, const char *text, size_t bytes) {
  return fwrite(text, 1, bytes, stream) != bytes;
}

static void set_count(struct tac_table_row *row, int column, uint64_t count) {
  snprintf(row->cell[column], TAC_TABLE_CELL_BYTES, "%" PRIu64, count);
}

static const char *const call_titles[] = {"kernels, fences and regions", "count", "total", "mean", "min", "max", "of parent"};
enum { CALL_COLUMNS = 6 };

static int depth_of(const struct tac_record *record, size_t number) {
  int depth = 0;
  for (int parent = record->events[number].parent; parent != TAC_NO_EVENT; parent = record->events[parent].parent)
    depth++;
  return depth;
}

static void add_call(struct tac_table *table, size_t number) {
  const struct subject *subject = table->subject;
  const struct tac_record_event *event = &subject->record->events[number];
  const int64_t whole_ns =
      event->parent == TAC_NO_EVENT ? subject->wall_ns : subject->record->events[event->parent].stats.total_ns;
  struct tac_table_row row = {.name = event->name, .depth = depth_of(subject->record, number)};
  set_count(&row, 0, event->stats.count);
  tac_format_duration(row.cell[1], event->stats.total_ns);
  tac_format_duration(row.cell[2], (int64_t)(tac_event_stats_mean_ns(&event->stats) + 0.5));
  tac_format_duration(row.cell[3], event->stats.min_ns);
  tac_format_duration(row.cell[4], event->stats.max_ns);
  tac_format_share(row.cell[5], (double)event->stats.total_ns, (double)whole_ns);
  tac_table_add(table, &row);
}

static void add_remainder(struct tac_table *table, const char *name, int depth, int64_t part_ns, int64_t whole_ns) {
  struct tac_table_row row = {.name = name, .depth = depth};
  tac_format_duration(row.cell[1], part_ns);
  tac_format_share(row.cell[5], (double)part_ns, (double)whole_ns);
  tac_table_add(table, &row);
}

static size_t first_region(const struct subject *subject) {
  return subject->record->event_count - json_array_size(subject->regions);
}

static int64_t sum_of(int64_t left_ns, int64_t right_ns) {
  return left_ns > INT64_MAX - right_ns ? INT64_MAX : left_ns + right_ns;
}

/* What the regions within a region leave of it; nothing where the record does not tell, or ends that did not pair have left no
 * sense in it. */
static void add_rest_of_region(struct tac_table *table, size_t number) {
  const struct subject *subject = table->subject;
  const size_t region = number - first_region(subject);
  const json_t *exclusive = json_object_get(json_array_get(subject->regions, region), "exclusive_ns");
  const int64_t total_ns = subject->record->events[number].stats.total_ns;
  const int64_t children_ns = subject->region_children_ns[region];
  const int64_t unmeasured_ns = (int64_t)json_integer_value(exclusive);
  const int depth = depth_of(subject->record, number) + 1;
  if (!json_is_integer(exclusive) || unmeasured_ns < 0 || unmeasured_ns > total_ns)
    return;
  const int64_t others_ns = total_ns - unmeasured_ns - children_ns;
  if (others_ns > 0)
    add_remainder(table, "(kernels, fences and copies)", depth, others_ns, total_ns);
  if (others_ns > 0 || children_ns > 0)
    add_remainder(table, "(unmeasured)", depth, unmeasured_ns, total_ns);
}

/* They stand in the order of a walk: what the one before the next is within, and the next is not, ends between them. */
static void region_rows(struct tac_table *table) {
  const struct subject *subject = table->subject;
  const struct tac_record *record = subject->record;
  int64_t roots_ns = 0;
  for (size_t i = first_region(subject); i < record->event_count; i++) {
    const int next_parent = i + 1 < record->event_count ? record->events[i + 1].parent : TAC_NO_EVENT;
    if (record->events[i].parent == TAC_NO_EVENT)
      roots_ns = sum_of(roots_ns, record->events[i].stats.total_ns);
    add_call(table, i);
    for (int ends = (int)i; ends != TAC_NO_EVENT && ends != next_parent; ends = record->events[ends].parent)
      add_rest_of_region(table, (size_t)ends);
  }
  if (json_array_size(subject->regions) > 0 && subject->one_thread && subject->wall_ns >= roots_ns)
    add_remainder(table, "(outside of regions)", 0, subject->wall_ns - roots_ns, subject->wall_ns);
}

static void call_rows(struct tac_table *table) {
  for (size_t i = 0; i < first_region(table->subject); i++)
    add_call(table, i);
  region_rows(table);
}

static enum tac_status prepare_regions(struct subject *subject) {
  const size_t count = json_array_size(subject->regions), first = first_region(subject);
  subject->region_children_ns = calloc(count + 1, sizeof *subject->region_children_ns);
  if (!subject->region_children_ns)
    return tac_error_set(subject->reader->error, TAC_STATUS_MEMORY, "regions", "no memory for %zu regions", count);
  for (size_t i = 0; i < count; i++) {
    const struct tac_record_event *event = &subject->record->events[first + i];
    if (event->parent == TAC_NO_EVENT)
      continue;
    int64_t *children_ns = &subject->region_children_ns[(size_t)event->parent - first];
    *children_ns = sum_of(*children_ns, event->stats.total_ns);
  }
  return TAC_STATUS_OK;
}

static void print_wall(FILE *stream, struct subject *subject) {
  char wall[TAC_DURATION_BYTES], kernels[TAC_DURATION_BYTES], outside[TAC_DURATION_BYTES], share[2][TAC_SHARE_BYTES];
  const json_t *run = tac_read_object(subject->reader, subject->record->root, "run", TAC_MEMBER_OPTIONAL);
  tac_reader_at(subject->reader, "run");
  subject->wall_ns = tac_read_count(subject->reader, run, "wall_ns", TAC_MEMBER_OPTIONAL);
  subject->one_thread = tac_read_count(subject->reader, run, "threads", TAC_MEMBER_OPTIONAL) == 1;
  const int64_t kernels_ns = tac_read_count(subject->reader, run, "kernels_ns", TAC_MEMBER_OPTIONAL);
  const int64_t outside_ns = tac_read_count(subject->reader, run, "outside_kernels_ns", TAC_MEMBER_OPTIONAL);
  tac_reader_at(subject->reader, "");
  if (subject->reader->status != TAC_STATUS_OK || subject->wall_ns == 0)
    return;
  tac_format_duration(wall, subject->wall_ns);
  tac_format_duration(kernels, kernels_ns);
  tac_format_duration(outside, outside_ns);
  tac_format_share(share[0], (double)kernels_ns, (double)subject->wall_ns);
  tac_format_share(share[1], (double)outside_ns, (double)subject->wall_ns);
  fprintf(stream, "wall time %s, kernels %s (%s)", wall, kernels, share[0]);
  if (json_is_integer(json_object_get(run, "outside_kernels_ns")))
    fprintf(stream, ", outside of kernels %s (%s)\n", outside, share[1]);
  else
    fputs(", which may have run at once\n", stream);
}

static void print_notes(FILE *stream, const struct subject *subject) {
  const json_t *fencing = json_object_get(json_object_get(subject->record->root, "run"), "fencing");
  const char *seconds = json_string_value(json_object_get(fencing, "seconds"));
  fputs("Times are host wall time; ", stream);
  fputs(seconds && strcmp(seconds, "execution") == 0
            ? "kernels ran to their end in theirs.\n"
            : "that of a kernel on a device that does not wait for it is that of its dispatch.\n",
        stream);
  if (subject->wall_ns > 0)
    fputs("Shares of what has no parent are of the wall time.\n", stream);
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
  struct subject subject = {.record = record, .reader = &reader};
  struct tac_writer writer = {.sink = write_piece, .context = stream};
  const json_t *copies = tac_read_array(&reader, record->root, "copies", TAC_MEMBER_OPTIONAL);
  const json_t *spaces = tac_read_array(&reader, record->root, "spaces", TAC_MEMBER_OPTIONAL);
  subject.regions = tac_read_array(&reader, record->root, "regions", TAC_MEMBER_REQUIRED);
  if (reader.status == TAC_STATUS_OK)
    reader.status = prepare_regions(&subject);
  if (reader.status == TAC_STATUS_OK)
    print_wall(stream, &subject);
  if (reader.status != TAC_STATUS_OK) {
    free(subject.region_children_ns);
    return reader.status;
  }
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
  print_notes(stream, &subject);
  free(subject.region_children_ns);
  return reader.status;
}
