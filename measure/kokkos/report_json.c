/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "measure/kokkos/report.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "measure/json_text.h"
#include "measure/kokkos/cost.h"
#include "measure/kokkos/region_walk.h"

static void write_times(struct tac_emitter *json, const struct tac_kokkos_row *row) {
  tac_emit_count(json, "count", row->count);
  tac_emit_count(json, "timed", row->timed);
  tac_emit_integer(json, "total_ns", row->total_ns);
  tac_emit_real(json, "mean_ns", row->timed > 0 ? (double)row->total_ns / (double)row->timed : 0);
  tac_emit_integer(json, "min_ns", row->min_ns);
  tac_emit_integer(json, "max_ns", row->max_ns);
}

static void write_device(struct tac_emitter *json, const struct tac_kokkos_counters *counters, const struct tac_kokkos_row *row,
                         enum tac_kokkos_group group) {
  const struct tac_kokkos_device device = tac_kokkos_device(row->device, group, counters->options.interface_version);
  tac_emit_text(json, "device", device.type);
  tac_emit_count(json, "device_number", device.number);
  tac_emit_count(json, "instance", device.instance);
  if (group == TAC_KOKKOS_FENCES)
    tac_emit_text(json, "scope", device.scope);
}

/* What lists are made of. */
struct source {
  const struct tac_kokkos_counters *counters;
  const struct tac_visited_region *regions; /* NULL: none, or no memory for a walk */
};
typedef void (*write_element_fn)(struct tac_emitter *json, const struct source *source, size_t number);

/* An array of so many objects. */
static void write_list(struct tac_emitter *json, const char *key, size_t count, write_element_fn write_element,
                       const struct source *source) {
  tac_emit_open(json, key, '[');
  for (size_t i = 0; i < count; i++) {
    tac_emit_open(json, NULL, '{');
    write_element(json, source, i);
    tac_emit_close(json, '}');
  }
  tac_emit_close(json, ']');
}

static void write_parent(struct tac_emitter *json, const struct tac_visited_region *all, size_t region) {
  if (!all || region == TAC_KOKKOS_NO_PARENT)
    tac_emit_text(json, "parent", NULL);
  else
    tac_emit_count(json, "parent", all[region].place);
}

static void write_kernel_row(struct tac_emitter *json, const struct source *source, const struct tac_kokkos_row *row) {
  tac_emit_text(json, "name", row->name);
  tac_emit_text(json, "kind", tac_kokkos_kind_names[row->kind]);
  write_device(json, source->counters, row, TAC_KOKKOS_KERNELS);
  write_times(json, row);
  tac_emit_integer(json, "exclusive_ns", row->exclusive_ns);
  tac_emit_count(json, "step_count", row->step_count);
  tac_emit_integer(json, "step_ns", row->step_ns);
}

static void write_kernel(struct tac_emitter *json, const struct source *source, size_t number) {
  const struct tac_kokkos_row row = tac_kokkos_counters_at(source->counters, TAC_KOKKOS_KERNELS, number);
  write_kernel_row(json, source, &row);
}

static void write_region_kernel(struct tac_emitter *json, const struct source *source, size_t number) {
  const struct tac_kokkos_row row = tac_kokkos_counters_at(source->counters, TAC_KOKKOS_REGION_KERNELS, number);
  write_parent(json, source->regions, row.parent);
  write_kernel_row(json, source, &row);
}

static void write_fence(struct tac_emitter *json, const struct source *source, size_t number) {
  const struct tac_kokkos_row row = tac_kokkos_counters_at(source->counters, TAC_KOKKOS_FENCES, number);
  tac_emit_text(json, "name", row.name);
  write_device(json, source->counters, &row, TAC_KOKKOS_FENCES);
  write_times(json, &row);
  tac_emit_integer(json, "exclusive_ns", row.exclusive_ns);
  tac_emit_flag(json, "tool", row.tool);
}

static void write_bytes(struct tac_emitter *json, const struct tac_kokkos_row *row) {
  tac_emit_count(json, "count", row->count);
  tac_emit_count(json, "bytes", row->bytes);
  tac_emit_integer(json, "total_ns", row->total_ns);
  tac_emit_count(json, "self_count", row->self_count);
  tac_emit_count(json, "self_bytes", row->self_bytes);
  tac_emit_count(json, "fill_count", row->fill_count);
  tac_emit_count(json, "fill_bytes", row->fill_bytes);
  tac_emit_flag(json, "saturated", row->saturated);
}

const char *const tac_kokkos_direction_names[TAC_KOKKOS_DIRECTIONS] = {
    [TAC_KOKKOS_HOST_TO_DEVICE] = "host_to_device", [TAC_KOKKOS_DEVICE_TO_HOST] = "device_to_host", [TAC_KOKKOS_SAME] = "same"};

static void write_copy(struct tac_emitter *json, const struct source *source, size_t number) {
  const struct tac_kokkos_row row = tac_kokkos_counters_at(source->counters, TAC_KOKKOS_COPIES, number);
  tac_emit_text(json, "from", row.name);
  tac_emit_text(json, "to", row.to);
  tac_emit_text(json, "direction", tac_kokkos_direction_names[tac_kokkos_direction(row.name, row.to)]);
  write_bytes(json, &row);
  tac_emit_integer(json, "exclusive_ns", row.exclusive_ns);
}

static void write_directions(struct tac_emitter *json, const struct tac_kokkos_counters *counters) {
  tac_emit_open(json, "directions", '{');
  for (int i = 0; i < TAC_KOKKOS_DIRECTIONS; i++) {
    const struct tac_kokkos_row row = tac_kokkos_counters_copies(counters, (enum tac_kokkos_direction)i);
    tac_emit_open(json, tac_kokkos_direction_names[i], '{');
    write_bytes(json, &row);
    tac_emit_close(json, '}');
  }
  tac_emit_close(json, '}');
}

/* In the order of the walk. */
static void write_region(struct tac_emitter *json, const struct source *source, size_t number) {
  const size_t region = source->regions[number].region;
  const struct tac_kokkos_row row = tac_kokkos_counters_at(source->counters, TAC_KOKKOS_REGIONS, region);
  tac_emit_text(json, "name", row.name);
  write_parent(json, source->regions, row.parent);
  tac_emit_count(json, "depth", source->regions[region].depth);
  write_times(json, &row);
  tac_emit_integer(json, "exclusive_ns", row.exclusive_ns);
}

static void write_mark(struct tac_emitter *json, const struct source *source, size_t number) {
  const struct tac_kokkos_row row = tac_kokkos_counters_at(source->counters, TAC_KOKKOS_MARKS, number);
  tac_emit_text(json, "name", row.name);
  tac_emit_count(json, "count", row.count);
}

/* What one step holds on the mean is a figure of what was counted within steps. */
static void write_steps(struct tac_emitter *json, const struct tac_kokkos_counters *counters) {
  tac_emit_open(json, "steps", '[');
  if (counters->options.step) {
    const struct tac_kokkos_row steps = tac_kokkos_counters_steps(counters);
    const struct tac_kokkos_row kernels = tac_kokkos_counters_total(counters, TAC_KOKKOS_KERNELS);
    const struct tac_kokkos_row fences = tac_kokkos_counters_total(counters, TAC_KOKKOS_FENCES);
    const struct tac_kokkos_row copies = tac_kokkos_counters_total(counters, TAC_KOKKOS_COPIES);
    tac_emit_open(json, NULL, '{');
    tac_emit_text(json, "name", counters->options.step);
    write_times(json, &steps);
    tac_emit_count(json, "kernels", kernels.step_count);
    tac_emit_integer(json, "kernels_ns", kernels.step_ns);
    tac_emit_count(json, "fences", fences.step_count);
    tac_emit_integer(json, "fences_ns", fences.step_ns);
    tac_emit_count(json, "copies", copies.step_count);
    tac_emit_integer(json, "copies_ns", copies.step_ns);
    tac_emit_close(json, '}');
  }
  tac_emit_close(json, ']');
}

static void write_region_kernels(struct tac_emitter *json, const struct source *source) {
  const struct tac_kokkos_counters *counters = source->counters;
  const size_t told = source->regions ? tac_kokkos_counters_rows(counters, TAC_KOKKOS_REGION_KERNELS) : 0;
  const struct tac_kokkos_row others = source->regions ? tac_kokkos_counters_unrecorded(counters, TAC_KOKKOS_REGION_KERNELS)
                                                       : tac_kokkos_counters_total(counters, TAC_KOKKOS_REGION_KERNELS);
  write_list(json, "kernels_by_region", told, write_region_kernel, source);
  tac_emit_count(json, "kernels_not_by_region", others.count);
}

void tac_kokkos_write_rows(struct tac_emitter *json, const struct tac_kokkos_counters *counters) {
  struct tac_region_walk walk = tac_region_walk_begin(counters);
  const struct source source = {counters, walk.all};
  write_list(json, "kernels", tac_kokkos_counters_rows(counters, TAC_KOKKOS_KERNELS), write_kernel, &source);
  write_list(json, "fences", tac_kokkos_counters_rows(counters, TAC_KOKKOS_FENCES), write_fence, &source);
  write_list(json, "copies", tac_kokkos_counters_rows(counters, TAC_KOKKOS_COPIES), write_copy, &source);
  write_directions(json, counters);
  write_list(json, "regions", walk.all ? walk.count : 0, write_region, &source);
  write_region_kernels(json, &source);
  write_list(json, "marks", tac_kokkos_counters_rows(counters, TAC_KOKKOS_MARKS), write_mark, &source);
  write_steps(json, counters);
  tac_region_walk_end(counters, &walk);
}

static void write_space(struct tac_emitter *json, const struct source *source, size_t number) {
  const struct tac_kokkos_space space = tac_kokkos_counters_space(source->counters, number);
  tac_emit_text(json, "name", space.name);
  tac_emit_count(json, "allocations", space.allocations);
  tac_emit_count(json, "deallocations", space.deallocations);
  tac_emit_integer(json, "bytes", space.bytes);
  tac_emit_integer(json, "high_water_bytes", space.high_water_bytes);
}

static void write_section(struct tac_emitter *json, const struct source *source, size_t number) {
  const struct tac_kokkos_section section = tac_kokkos_counters_section(source->counters, number);
  tac_emit_text(json, "name", section.name);
  write_parent(json, source->regions, section.parent);
  write_times(json, &(struct tac_kokkos_row){.count = section.count,
                                             .timed = section.count,
                                             .total_ns = section.total_ns,
                                             .min_ns = section.min_ns,
                                             .max_ns = section.max_ns});
}

void tac_kokkos_write_losses(struct tac_emitter *json, const struct tac_kokkos_counters *counters) {
  const struct tac_kokkos_mismatches mismatches = tac_kokkos_counters_mismatches(counters);
  tac_emit_open(json, "mismatches", '{');
  tac_emit_count(json, "kernels", mismatches.kernels);
  tac_emit_count(json, "fences", mismatches.fences);
  tac_emit_count(json, "copies", mismatches.copies);
  tac_emit_count(json, "regions", mismatches.regions);
  tac_emit_count(json, "sections", mismatches.sections);
  tac_emit_count(json, "unfinished", mismatches.unfinished);
  tac_emit_text(json, "last_region", mismatches.last_region);
  tac_emit_text(json, "open_region", tac_kokkos_open_region(counters));
  tac_emit_close(json, '}');
  tac_emit_count(json, "dropped", tac_kokkos_counters_dropped(counters));
}

void tac_kokkos_write_rest(struct tac_emitter *json, const struct tac_kokkos_counters *counters) {
  struct tac_region_walk walk = tac_region_walk_begin(counters);
  const struct source source = {counters, walk.all};
  write_list(json, "spaces", tac_kokkos_counters_spaces(counters), write_space, &source);
  write_list(json, "sections", tac_kokkos_counters_sections(counters), write_section, &source);
  tac_kokkos_write_losses(json, counters);
  tac_region_walk_end(counters, &walk);
}

void tac_kokkos_write_clock(struct tac_emitter *json, const struct tac_kokkos_counters *counters, int64_t origin_ns,
                            double drift_ppm) {
  const struct tac_clock *clock = counters->options.clock;
  const struct tac_kokkos_cost cost = tac_kokkos_cost_measure(clock);
  tac_emit_open(json, "clock", '{');
  tac_emit_text(json, "name", clock->name ? clock->name : "unnamed");
  tac_emit_integer(json, "resolution_ns", tac_clock_resolution_ns(clock, 0));
  tac_emit_integer(json, "origin_ns", origin_ns);
  tac_emit_real(json, "drift_ppm", drift_ppm);
  tac_emit_close(json, '}');
  tac_emit_open(json, "cost", '{');
  tac_emit_real(json, "clock_read_ns", cost.clock_read_ns);
  tac_emit_real(json, "launch_record_ns", cost.launch_record_ns);
  tac_emit_close(json, '}');
}

/* Whether `tactus report` reads a number there. */
static int is_number_key(const char *key) {
  static const char *const keys[] = {"lanes", "threads", "wall_ns", "kernels_ns", "outside_kernels_ns"};
  for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
    if (strcmp(key, keys[i]) == 0)
      return 1;
  return 0;
}

static void write_fact(struct tac_emitter *json, const struct tac_report_fact *fact) {
  const char *key = fact->key ? fact->key : "";
  const int is_digits = fact->value && isdigit((unsigned char)fact->value[0]);
  char *end = NULL;
  errno = 0;
  const long long number = is_digits ? strtoll(fact->value, &end, 10) : 0;
  tac_emit_key(json, key);
  if (is_digits && *end == '\0' && errno == 0 && is_number_key(key)) {
    tac_json_write_integer(&json->writer, number);
  } else if (strcmp(key, "command_line") == 0) {
    tac_write_text(&json->writer, "[");
    tac_json_write_text(&json->writer, fact->value ? fact->value : "");
    tac_write_text(&json->writer, "]");
  } else {
    tac_json_write_text(&json->writer, fact->value ? fact->value : "");
  }
}

static void write_run(struct tac_emitter *json, const struct tac_report_facts *facts) {
  tac_emit_open(json, "run", '{');
  for (size_t i = 0; i < facts->count; i++)
    write_fact(json, &facts->fact[i]);
  tac_emit_close(json, '}');
}

enum tac_status tac_kokkos_report_json(const struct tac_kokkos_counters *counters, const struct tac_report_facts *facts,
                                       tac_sink_fn sink, void *context, struct tac_error *error) {
  if (!counters || !sink)
    return tac_error_set(error, TAC_STATUS_INVALID, __func__, "no counters, or no sink");
  struct tac_emitter json = {.writer = {.sink = sink, .context = context}};
  tac_emit_open(&json, NULL, '{');
  tac_emit_integer(&json, "schema", TAC_JSON_SCHEMA);
  tac_emit_text(&json, "kind", "kokkos");
  tac_kokkos_write_clock(&json, counters, counters->origin_ns, 0);
  if (facts)
    write_run(&json, facts);
  tac_kokkos_write_rows(&json, counters);
  tac_kokkos_write_rest(&json, counters);
  tac_emit_close(&json, '}');
  return tac_writer_status(&json.writer, __func__, error);
}
