/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <string.h>

#include "measure/kokkos/abi.h"
#include "measure/kokkos/report.h"

static int is_group(enum tac_kokkos_group group) {
  return (unsigned)group < TAC_KOKKOS_GROUPS;
}

struct tac_kokkos_row tac_kokkos_row_of(const struct tac_kokkos_line *line) {
  const int64_t total_ns = tac_time_read(&line->total_ns);
  return (struct tac_kokkos_row){
      .kind = line->kind,
      .name = line->name,
      .to = line->kind == TAC_KOKKOS_COPY ? line->name + strlen(line->name) + 1 : NULL,
      .device = line->device,
      .parent = line->parent ? line->parent->number : TAC_KOKKOS_NO_PARENT,
      .tool = line->tool,
      .count = tac_counter_read(&line->count),
      .timed = tac_counter_read(&line->timed),
      .total_ns = total_ns,
      .min_ns = tac_time_read(&line->min_ns),
      .max_ns = tac_time_read(&line->max_ns),
      .exclusive_ns = total_ns - tac_time_read(&line->within_ns),
      .bytes = tac_counter_read(&line->bytes),
      .self_bytes = tac_counter_read(&line->self_bytes),
      .fill_bytes = tac_counter_read(&line->fill_bytes),
      .self_count = tac_counter_read(&line->self_count),
      .fill_count = tac_counter_read(&line->fill_count),
      .step_count = tac_counter_read(&line->step_count),
      .step_ns = tac_time_read(&line->step_ns),
      .saturated = tac_counter_read(&line->saturated) != 0,
  };
}

size_t tac_kokkos_counters_rows(const struct tac_kokkos_counters *counters, enum tac_kokkos_group group) {
  return is_group(group) ? counters->table.groups[group].count : 0;
}

struct tac_kokkos_row tac_kokkos_counters_at(const struct tac_kokkos_counters *counters, enum tac_kokkos_group group,
                                             size_t number) {
  return number < tac_kokkos_counters_rows(counters, group) ? tac_kokkos_row_of(counters->table.groups[group].lines[number])
                                                            : (struct tac_kokkos_row){0};
}

/* A row of several names, which may be nested: each time is in it once. */
static struct tac_kokkos_row without_name(const struct tac_kokkos_line *line) {
  struct tac_kokkos_row row = tac_kokkos_row_of(line);
  row.name = row.to = NULL;
  row.total_ns = row.exclusive_ns;
  row.step_ns -= tac_time_read(&line->step_within_ns);
  return row;
}

struct tac_kokkos_row tac_kokkos_counters_unrecorded(const struct tac_kokkos_counters *counters, enum tac_kokkos_group group) {
  return is_group(group) ? without_name(&counters->unrecorded[group]) : (struct tac_kokkos_row){0};
}

typedef int (*chooses_fn)(const struct tac_kokkos_line *line, int choice);

static struct tac_kokkos_line sum_of(const struct tac_kokkos_counters *counters, enum tac_kokkos_group group,
                                     const struct tac_kokkos_line *first, chooses_fn chooses, int choice) {
  struct tac_kokkos_line sum = {.kind = counters->unrecorded[group].kind, .name = TAC_KOKKOS_NO_NAME};
  if (first)
    tac_line_add(&sum, first);
  for (size_t i = 0; i < counters->table.groups[group].count; i++)
    if (chooses(counters->table.groups[group].lines[i], choice))
      tac_line_add(&sum, counters->table.groups[group].lines[i]);
  return sum;
}

static int chooses_programs(const struct tac_kokkos_line *line, int choice) {
  (void)choice;
  return !line->tool;
}

static int chooses_steps(const struct tac_kokkos_line *line, int choice) {
  (void)choice;
  return line->step;
}

static int chooses_direction(const struct tac_kokkos_line *line, int choice) {
  return (int)tac_kokkos_direction(line->name, line->name + strlen(line->name) + 1) == choice;
}

struct tac_kokkos_row tac_kokkos_counters_total(const struct tac_kokkos_counters *counters, enum tac_kokkos_group group) {
  if (!is_group(group))
    return (struct tac_kokkos_row){0};
  const struct tac_kokkos_line sum = sum_of(counters, group, &counters->unrecorded[group], chooses_programs, 0);
  return without_name(&sum);
}

struct tac_kokkos_row tac_kokkos_counters_steps(const struct tac_kokkos_counters *counters) {
  const struct tac_kokkos_line sum = sum_of(counters, TAC_KOKKOS_REGIONS, NULL, chooses_steps, 0);
  struct tac_kokkos_row row = tac_kokkos_row_of(&sum);
  row.name = NULL;
  return row;
}

static int is_host(const char *space) {
  return strncmp(space, "Host", strlen("Host")) == 0;
}

enum tac_kokkos_direction tac_kokkos_direction(const char *from, const char *to) {
  if (is_host(from) == is_host(to))
    return TAC_KOKKOS_SAME;
  return is_host(from) ? TAC_KOKKOS_HOST_TO_DEVICE : TAC_KOKKOS_DEVICE_TO_HOST;
}

struct tac_kokkos_row tac_kokkos_counters_copies(const struct tac_kokkos_counters *counters,
                                                 enum tac_kokkos_direction direction) {
  const struct tac_kokkos_line sum = sum_of(counters, TAC_KOKKOS_COPIES, NULL, chooses_direction, (int)direction);
  return without_name(&sum);
}

struct tac_kokkos_device tac_kokkos_device(uint32_t device, enum tac_kokkos_group group, uint64_t interface_version) {
  static const char *const types[] = {"Serial", "OpenMP", "Cuda", "HIP", "OpenMPTarget", "HPX", "Threads", "SYCL", "OpenACC"};
  const int has_number = interface_version >= KOKKOSP_VERSION_WITH_DEVICE_NUMBERS;
  const uint32_t type = device >> 24, rest = device & 0xffffff;
  const size_t known = sizeof types / sizeof *types - !has_number; /* the last came with the numbers */
  struct tac_kokkos_device taken = {.type = type < known ? types[type] : "unknown", .scope = "instance"};
  if (group == TAC_KOKKOS_FENCES && (rest == 0 || rest == 0xffffff)) {
    taken.scope = rest == 0 ? "all" : "copies";
    return taken;
  }
  taken.number = has_number ? rest >> 17 : 0;
  taken.instance = has_number ? rest & 0x1ffff : rest;
  return taken;
}

size_t tac_kokkos_counters_spaces(const struct tac_kokkos_counters *counters) {
  return counters->ledger->space_count;
}

struct tac_kokkos_space tac_kokkos_counters_space(const struct tac_kokkos_counters *counters, size_t number) {
  return number < counters->ledger->space_count ? counters->ledger->spaces[number] : (struct tac_kokkos_space){{0}, 0, 0, 0, 0};
}

size_t tac_kokkos_counters_sections(const struct tac_kokkos_counters *counters) {
  return counters->ledger->places.count;
}

struct tac_kokkos_section tac_kokkos_counters_section(const struct tac_kokkos_counters *counters, size_t number) {
  if (number >= counters->ledger->places.count)
    return (struct tac_kokkos_section){.parent = TAC_KOKKOS_NO_PARENT};
  struct tac_kokkos_section section = counters->ledger->sections[number];
  struct tac_row_key key = {.kind = TAC_KOKKOS_REGION};
  const char *place = counters->ledger->places.labels[number];
  int is_known = 1;
  while ((key.name = tac_ledger_next_region(&place, &key.bytes)) != NULL) {
    struct tac_kokkos_line *region = is_known ? tac_row_table_find(&counters->table, &key) : NULL;
    is_known = region != NULL;
    key.parent = is_known ? region : key.parent;
  }
  section.name = place;
  section.parent = key.parent ? key.parent->number : TAC_KOKKOS_NO_PARENT;
  return section;
}

struct tac_kokkos_mismatches tac_kokkos_counters_mismatches(const struct tac_kokkos_counters *counters) {
  const struct tac_kokkos_line *last = atomic_load_explicit(&counters->last_region, memory_order_relaxed);
  const size_t depth = atomic_load_explicit(&counters->depth, memory_order_relaxed);
  size_t open = counters->untimed;
  for (size_t i = 0; i < depth; i++)
    open += counters->frames[i].line != NULL;
  return (struct tac_kokkos_mismatches){
      .kernels = tac_counter_read(&counters->mismatches[TAC_KOKKOS_KERNELS]),
      .fences = tac_counter_read(&counters->mismatches[TAC_KOKKOS_FENCES]),
      .copies = tac_counter_read(&counters->mismatches[TAC_KOKKOS_COPIES]),
      .regions = tac_counter_read(&counters->mismatches[TAC_KOKKOS_REGIONS]),
      .sections = counters->ledger->section_mismatches,
      .unfinished = tac_counter_read(&counters->unfinished) + open + tac_ledger_unfinished(counters->ledger),
      .last_region = last ? last->name : NULL,
  };
}

static size_t depth_of(const struct tac_kokkos_line *region) {
  size_t depth = 0;
  for (; region; region = region->parent)
    depth++;
  return depth;
}

const char *tac_kokkos_open_region(const struct tac_kokkos_counters *counters) {
  const struct tac_row_group *regions = &counters->table.groups[TAC_KOKKOS_REGIONS];
  const struct tac_kokkos_line *open = NULL;
  for (size_t i = 0; i < regions->count; i++) {
    const struct tac_kokkos_line *region = regions->lines[i];
    if (tac_counter_read(&region->count) > tac_counter_read(&region->timed) && depth_of(region) > depth_of(open))
      open = region;
  }
  return open && tac_kokkos_counters_mismatches(counters).unfinished > 0 ? open->name : NULL;
}

uint64_t tac_kokkos_counters_dropped(const struct tac_kokkos_counters *counters) {
  uint64_t dropped = counters->ledger->dropped;
  for (int group = 0; group < TAC_KOKKOS_GROUPS; group++)
    if (group != TAC_KOKKOS_REGION_KERNELS) /* which are among the kernels */
      dropped += tac_counter_read(&counters->unrecorded[group].count);
  return dropped;
}
