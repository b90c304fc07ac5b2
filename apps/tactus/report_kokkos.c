/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/tactus/report_kokkos.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "apps/program/streams.h"
#include "apps/tactus/member_reader.h"
#include "apps/tactus/report_kokkos_lists.h"
#include "measure/saturate.h"
#include "measure/table.h"
#include "measure/text.h"

struct subject {
  const struct tac_record *record;
  struct tac_member_reader *reader;
  size_t first_region, end_of_regions; /* numbers of events */
  int64_t *region_children_ns;         /* of each region: what its child regions took */
  int64_t wall_ns;                     /* of the run; 0: unknown */
  int one_thread;                      /* all was counted on one: times add up to the wall time */
};

static void set_count(struct tac_table_row *row, int column, uint64_t count) {
  snprintf(row->cell[column], TAC_TABLE_CELL_BYTES, "%" PRIu64, count);
}

static const char *const call_titles[] = {
    "kernels, fences and regions", "count", "total", "exclusive", "mean", "min", "max", "of parent"};
enum { COUNT, TOTAL, EXCLUSIVE, MEAN, LEAST, MOST, SHARE, CALL_COLUMNS };

static int depth_of(const struct tac_record *record, size_t number) {
  int depth = 0;
  for (int parent = record->events[number].parent; parent != TAC_NO_EVENT; parent = record->events[parent].parent)
    depth++;
  return depth;
}

/* The share of all that stands beside it: of kernels and fences that of exclusive times, which add up, of regions of totals. */
static void set_share(struct tac_table_row *row, const struct subject *subject, const struct tac_record_event *event,
                      int64_t part_ns) {
  const int64_t whole_ns =
      event->parent == TAC_NO_EVENT ? subject->wall_ns : subject->record->events[event->parent].stats.total_ns;
  tac_format_share(row->cell[SHARE], (double)part_ns, (double)whole_ns);
}

/* All kernels, or all fences. */
static void add_sum(struct tac_table *table, const struct tac_record_event *event) {
  struct tac_table_row row = {.name = event->name};
  set_count(&row, COUNT, event->stats.count);
  tac_format_duration(row.cell[EXCLUSIVE], event->stats.total_ns);
  set_share(&row, table->subject, event, event->stats.total_ns);
  tac_table_add(table, &row);
}

static void add_call(struct tac_table *table, size_t number) {
  const struct subject *subject = table->subject;
  const struct tac_record_event *event = &subject->record->events[number];
  const int is_region = event->group == TAC_GROUP_REGIONS;
  if (!is_region && event->parent == TAC_NO_EVENT) {
    add_sum(table, event);
    return;
  }
  struct tac_table_row row = {.name = event->name, .depth = depth_of(subject->record, number)};
  set_count(&row, COUNT, event->stats.count);
  tac_format_duration(row.cell[TOTAL], event->stats.total_ns);
  if (event->exclusive_ns >= 0)
    tac_format_duration(row.cell[EXCLUSIVE], event->exclusive_ns);
  tac_format_duration(row.cell[MEAN],
                      event->timed > 0 ? tac_whole_time((double)event->stats.total_ns / (double)event->timed) : 0);
  tac_format_duration(row.cell[LEAST], event->stats.min_ns);
  tac_format_duration(row.cell[MOST], event->stats.max_ns);
  set_share(&row, subject, event, is_region ? event->stats.total_ns : event->exclusive_ns);
  tac_table_add(table, &row);
}

static void add_remainder(struct tac_table *table, const char *name, int depth, int64_t part_ns, int64_t whole_ns) {
  struct tac_table_row row = {.name = name, .depth = depth};
  tac_format_duration(row.cell[TOTAL], part_ns);
  tac_format_share(row.cell[SHARE], (double)part_ns, (double)whole_ns);
  tac_table_add(table, &row);
}

/* The event of the first kernel in a region, or in one behind it. */
static size_t first_kernel(const struct subject *subject, size_t region) {
  size_t low = subject->end_of_regions, high = subject->record->event_count;
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if (subject->record->events[middle].parent < (int)region)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/* Kernels launched in a region itself, by falling time; returns their exclusive times. */
static int64_t add_kernels_of_region(struct tac_table *table, size_t number) {
  const struct subject *subject = table->subject;
  const struct tac_record *record = subject->record;
  int64_t sum_ns = 0;
  for (size_t i = first_kernel(subject, number); i < record->event_count && record->events[i].parent == (int)number; i++) {
    add_call(table, i);
    sum_ns = tac_sum_times(sum_ns, record->events[i].exclusive_ns);
  }
  return sum_ns;
}

/* All kernels that were launched in regions have rows there. */
static int tells_kernels(const struct tac_record *record) {
  const json_t *others = json_object_get(record->root, "kernels_not_by_region");
  return json_is_array(json_object_get(record->root, "kernels_by_region")) && json_integer_value(others) == 0;
}

/* Behind the regions within a region: its kernels, and what all of these leave where the record tells it. */
static void add_end_of_region(struct tac_table *table, size_t number) {
  const struct subject *subject = table->subject;
  const int64_t total_ns = subject->record->events[number].stats.total_ns;
  const int64_t children_ns = subject->region_children_ns[number - subject->first_region];
  const int64_t unmeasured_ns = subject->record->events[number].exclusive_ns;
  const int depth = depth_of(subject->record, number) + 1;
  const int64_t kernels_ns = add_kernels_of_region(table, number);
  if (unmeasured_ns < 0)
    return;
  const int64_t others_ns = tac_less_time(tac_less_time(tac_less_time(total_ns, unmeasured_ns), children_ns), kernels_ns);
  if (others_ns > 0)
    add_remainder(table, tells_kernels(subject->record) ? "(fences and copies)" : "(kernels, fences and copies)", depth,
                  others_ns, total_ns);
  if (others_ns > 0 || children_ns > 0 || kernels_ns > 0)
    add_remainder(table, "(unmeasured)", depth, unmeasured_ns, total_ns);
}

/* They stand in the order of a walk: what the one before the next is within, and the next is not, ends between them. */
static void region_rows(struct tac_table *table) {
  const struct subject *subject = table->subject;
  const struct tac_record *record = subject->record;
  const size_t first = subject->first_region, end = subject->end_of_regions;
  int64_t roots_ns = 0;
  for (size_t i = first; i < end; i++) {
    const int next_parent = i + 1 < end ? record->events[i + 1].parent : TAC_NO_EVENT;
    if (record->events[i].parent == TAC_NO_EVENT)
      roots_ns = tac_sum_times(roots_ns, record->events[i].stats.total_ns);
    add_call(table, i);
    for (int ends = (int)i; ends != TAC_NO_EVENT && ends != next_parent; ends = record->events[ends].parent)
      add_end_of_region(table, (size_t)ends);
  }
  if (end > first && subject->one_thread && subject->wall_ns >= roots_ns)
    add_remainder(table, "(outside of regions)", 0, subject->wall_ns - roots_ns, subject->wall_ns);
}

static int is_call(const struct tac_record_event *event) {
  return event->group == TAC_GROUP_KERNELS || event->group == TAC_GROUP_FENCES;
}

static int has_calls(const struct tac_record *record) {
  for (size_t i = 0; i < record->event_count; i++)
    if (is_call(&record->events[i]))
      return 1;
  return 0;
}

static void call_rows(struct tac_table *table) {
  const struct subject *subject = table->subject;
  for (size_t i = 0; i < subject->first_region; i++)
    if (is_call(&subject->record->events[i]))
      add_call(table, i);
  region_rows(table);
}

static enum tac_status prepare_regions(struct subject *subject) {
  const size_t first = tac_kokkos_first_region(subject->record), count = tac_kokkos_region_count(subject->record);
  subject->first_region = first;
  subject->end_of_regions = first + count;
  subject->region_children_ns = calloc(count + 1, sizeof *subject->region_children_ns);
  if (!subject->region_children_ns)
    return tac_error_set(subject->reader->error, TAC_STATUS_MEMORY, "regions", "no memory for %zu regions", count);
  for (size_t i = 0; i < count; i++) {
    const struct tac_record_event *event = &subject->record->events[first + i];
    if (event->parent == TAC_NO_EVENT)
      continue;
    int64_t *children_ns = &subject->region_children_ns[(size_t)event->parent - first];
    *children_ns = tac_sum_times(*children_ns, event->stats.total_ns);
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
  if (has_calls(subject->record))
    fputs("Exclusive is without what was counted within: shares of kernels and of fences are of these, which add up.\n",
          stream);
}

enum tac_status tac_record_print_kokkos(FILE *stream, const struct tac_record *record, struct tac_error *error) {
  struct tac_member_reader reader = {.error = error};
  struct subject subject = {.record = record, .reader = &reader};
  struct tac_writer writer = {.sink = tac_stream_sink, .context = stream};
  reader.status = prepare_regions(&subject);
  if (reader.status == TAC_STATUS_OK)
    print_wall(stream, &subject);
  if (reader.status == TAC_STATUS_OK) {
    fputc('\n', stream);
    tac_table_print(&writer, call_titles, CALL_COLUMNS, call_rows, &subject);
    tac_kokkos_print_lists(&writer, record, &reader);
    tac_kokkos_print_losses(&writer, record, &reader);
    print_notes(stream, &subject);
  }
  free(subject.region_children_ns);
  return reader.status;
}
