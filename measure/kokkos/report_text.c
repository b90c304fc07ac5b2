/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "measure/json_text.h"
#include "measure/kokkos/region_walk.h"
#include "measure/kokkos/report.h"
#include "measure/text.h"

/* A kernel on all its devices and instances. */
struct folded {
  const char *name;
  enum tac_kokkos_kind kind;
  struct tac_kokkos_line sum;
};

static int by_name_and_kind(const void *left, const void *right) {
  const struct folded *a = left, *b = right;
  const int names = strcmp(a->name, b->name);
  return names != 0 ? names : (int)a->kind - (int)b->kind;
}

static int by_time(const void *left, const void *right) {
  const struct folded *a = left, *b = right;
  const int64_t a_ns = tac_time_read(&a->sum.total_ns), b_ns = tac_time_read(&b->sum.total_ns);
  if (a_ns != b_ns)
    return a_ns < b_ns ? 1 : -1;
  const uint64_t a_count = tac_counter_read(&a->sum.count), b_count = tac_counter_read(&b->sum.count);
  if (a_count != b_count)
    return a_count < b_count ? 1 : -1;
  return by_name_and_kind(left, right);
}

/* All kernels by falling time; their number in *count. NULL where there are none, or no memory (*count is not 0 then). */
static struct folded *fold(const struct tac_kokkos_counters *counters, size_t *count) {
  const struct tac_row_group *group = &counters->table.groups[TAC_KOKKOS_KERNELS];
  const struct tac_allocator *allocator = counters->options.allocator;
  *count = group->count;
  struct folded *kernels = group->count > 0 ? allocator->allocate(allocator->context, group->count * sizeof *kernels) : NULL;
  if (!kernels)
    return NULL;
  memset(kernels, 0, group->count * sizeof *kernels);
  for (size_t i = 0; i < group->count; i++) {
    kernels[i].name = group->lines[i]->name;
    kernels[i].kind = group->lines[i]->kind;
    tac_line_add(&kernels[i].sum, group->lines[i]);
  }
  qsort(kernels, group->count, sizeof *kernels, by_name_and_kind);
  size_t last = 0;
  for (size_t i = 1; i < group->count; i++)
    if (by_name_and_kind(&kernels[last], &kernels[i]) == 0)
      tac_line_add(&kernels[last].sum, &kernels[i].sum);
    else if (++last != i)
      memcpy(&kernels[last], &kernels[i], sizeof *kernels);
  *count = last + 1;
  qsort(kernels, *count, sizeof *kernels, by_time);
  return kernels;
}

static void write_count(struct tac_writer *writer, const char *key, uint64_t count) {
  char pair[64];
  snprintf(pair, sizeof pair, " %s=%" PRIu64, key, count);
  tac_write_text(writer, pair);
}

static void cut_zeros(char *seconds) {
  size_t end = strlen(seconds);
  while (seconds[end - 1] == '0')
    end--;
  seconds[seconds[end - 1] == '.' ? end - 1 : end] = '\0';
}

static void write_pair(struct tac_writer *writer, const char *key, const char *value) {
  tac_write_text(writer, " ");
  tac_write_text(writer, key);
  tac_write_text(writer, "=");
  tac_write_text(writer, value);
}

/* Four digits that count and no exponent: "12.98", "0.01298", "0.00007967". */
static void write_seconds(struct tac_writer *writer, const char *key, int64_t duration_ns) {
  char seconds[TAC_SECONDS_BYTES];
  int decimals = 9;
  for (int64_t rest_ns = duration_ns; rest_ns >= 10000 && decimals > 0; rest_ns /= 10)
    decimals--;
  tac_format_seconds(seconds, duration_ns, decimals);
  if (decimals > 0)
    cut_zeros(seconds);
  write_pair(writer, key, seconds);
}

/* What is no whole number of nanoseconds: below 1000 of them four digits need parts of one. Nothing to divide by: 0. */
static void write_mean_seconds(struct tac_writer *writer, const char *key, int64_t total_ns, uint64_t count) {
  enum { DECIMALS_MOST = 15 };
  const double mean_ns = count > 0 ? (double)total_ns / (double)count : 0;
  char local[TAC_NUMBER_BYTES], seconds[TAC_NUMBER_BYTES];
  int decimals = 9;
  if (mean_ns <= 0 || mean_ns >= 999.95) {
    write_seconds(writer, key, (int64_t)(mean_ns + 0.5));
    return;
  }
  double rest = mean_ns;
  while (rest < 999.95 && decimals < DECIMALS_MOST) {
    rest *= 10;
    decimals++;
  }
  snprintf(local, sizeof local, "%.*f", decimals, mean_ns / 1e9);
  tac_number_without_locale(seconds, local);
  cut_zeros(seconds);
  write_pair(writer, key, seconds);
}

/* Nothing without a step. */
static void write_mean(struct tac_writer *writer, const char *key, double sum, uint64_t steps) {
  char pair[96], number[TAC_NUMBER_BYTES];
  if (steps == 0)
    return;
  tac_format_number(number, sum / (double)steps, 6);
  snprintf(pair, sizeof pair, " %s=%s", key, number);
  tac_write_text(writer, pair);
}

static void write_name(struct tac_writer *writer, const char *key, const char *name) {
  tac_write_text(writer, " ");
  tac_write_text(writer, key);
  tac_write_text(writer, "=");
  tac_json_write_text(writer, name);
}

static void write_copies(struct tac_writer *writer, const struct tac_kokkos_counters *counters) {
  static const char *const keys[TAC_KOKKOS_DIRECTIONS] = {"h2d_bytes", "d2h_bytes", "same_bytes"};
  const struct tac_kokkos_row copies = tac_kokkos_counters_total(counters, TAC_KOKKOS_COPIES);
  write_count(writer, "copies", copies.count);
  write_seconds(writer, "copies_s", copies.total_ns);
  for (int i = 0; i < TAC_KOKKOS_DIRECTIONS; i++)
    write_count(writer, keys[i], tac_kokkos_counters_copies(counters, (enum tac_kokkos_direction)i).bytes);
  write_count(writer, "self_bytes", copies.self_bytes);
  write_count(writer, "fill_bytes", copies.fill_bytes);
}

static void write_mismatches(struct tac_writer *writer, const struct tac_kokkos_counters *counters) {
  const struct tac_kokkos_mismatches all = tac_kokkos_counters_mismatches(counters);
  const char *open = tac_kokkos_open_region(counters);
  write_count(writer, "mismatches", all.kernels + all.fences + all.copies + all.regions + all.sections);
  write_count(writer, "unfinished", all.unfinished);
  write_count(writer, "dropped", tac_kokkos_counters_dropped(counters));
  if (all.regions > 0) {
    write_count(writer, "excess_pops", all.regions);
    write_name(writer, "last_region", all.last_region ? all.last_region : "");
  }
  if (open)
    write_name(writer, "open_region", open);
}

static void write_steps(struct tac_writer *writer, const struct tac_kokkos_counters *counters) {
  const struct tac_kokkos_row steps = tac_kokkos_counters_steps(counters);
  if (!counters->options.step)
    return;
  write_name(writer, "step", counters->options.step);
  write_count(writer, "steps", steps.timed);
  write_seconds(writer, "steps_s", steps.total_ns);
  write_mean(writer, "launches_per_step", (double)tac_kokkos_counters_total(counters, TAC_KOKKOS_KERNELS).step_count,
             steps.timed);
  write_mean(writer, "fences_per_step", (double)tac_kokkos_counters_total(counters, TAC_KOKKOS_FENCES).step_count, steps.timed);
  write_mean(writer, "copies_per_step", (double)tac_kokkos_counters_total(counters, TAC_KOKKOS_COPIES).step_count, steps.timed);
}

static void write_span(struct tac_writer *writer, const struct tac_kokkos_counters *counters,
                       const struct tac_kokkos_span *span) {
  char pair[96], share[TAC_NUMBER_BYTES];
  const int64_t outside_ns = tac_kokkos_outside_ns(counters, span);
  write_seconds(writer, "wall_s", span->wall_ns);
  if (span->wall_ns > 0) {
    tac_format_number(share, (double)tac_kokkos_counters_total(counters, TAC_KOKKOS_KERNELS).total_ns / (double)span->wall_ns,
                      3);
    snprintf(pair, sizeof pair, " launches_share=%s", share);
    tac_write_text(writer, pair);
  }
  if (outside_ns != TAC_KOKKOS_UNKNOWN_NS)
    write_seconds(writer, "outside_s", outside_ns);
}

static void write_summary(struct tac_writer *writer, const struct tac_kokkos_counters *counters, const char *prefix,
                          const struct tac_kokkos_text_context *more) {
  const struct tac_kokkos_row kernels = tac_kokkos_counters_total(counters, TAC_KOKKOS_KERNELS);
  const struct tac_kokkos_row fences = tac_kokkos_counters_total(counters, TAC_KOKKOS_FENCES);
  tac_write_text(writer, prefix);
  write_count(writer, "launches", kernels.count);
  write_seconds(writer, "launches_s", kernels.total_ns);
  if (more && more->span)
    write_span(writer, counters, more->span);
  write_count(writer, "fences", fences.count);
  write_seconds(writer, "fences_s", fences.total_ns);
  write_copies(writer, counters);
  write_steps(writer, counters);
  write_mismatches(writer, counters);
  tac_write_text(writer, more && more->extra ? more->extra : "");
  tac_write_text(writer, "\n");
}

static void write_kernel(struct tac_writer *writer, const struct folded *kernel, const char *prefix, uint64_t steps) {
  const struct tac_kokkos_line *sum = &kernel->sum;
  const int64_t total_ns = tac_time_read(&sum->total_ns);
  const uint64_t timed = tac_counter_read(&sum->timed);
  tac_write_text(writer, prefix);
  write_name(writer, "kernel", kernel->name);
  tac_write_text(writer, " kind=");
  tac_write_text(writer, tac_kokkos_kind_names[kernel->kind]);
  write_count(writer, "n", tac_counter_read(&sum->count));
  write_seconds(writer, "s", total_ns);
  write_mean_seconds(writer, "mean_s", total_ns, timed);
  write_seconds(writer, "min_s", tac_time_read(&sum->min_ns));
  write_seconds(writer, "max_s", tac_time_read(&sum->max_ns));
  write_seconds(writer, "exclusive_s", total_ns - tac_time_read(&sum->within_ns));
  write_mean(writer, "per_step", (double)tac_counter_read(&sum->step_count), steps);
  if (steps > 0)
    write_mean_seconds(writer, "s_per_step", tac_time_read(&sum->step_ns), steps);
  tac_write_text(writer, "\n");
}

static void write_copy(struct tac_writer *writer, const struct tac_kokkos_row *row) {
  write_name(writer, "copy", row->name);
  write_name(writer, "to", row->to);
  tac_write_text(writer, " direction=");
  tac_write_text(writer, tac_kokkos_direction_names[tac_kokkos_direction(row->name, row->to)]);
  write_count(writer, "n", row->count);
  write_count(writer, "bytes", row->bytes);
  write_seconds(writer, "s", row->total_ns);
  write_seconds(writer, "exclusive_s", row->exclusive_ns);
  write_count(writer, "self_bytes", row->self_bytes);
  write_count(writer, "fill_bytes", row->fill_bytes);
}

/* What is in use can be negative. */
static void write_space(struct tac_writer *writer, const struct tac_kokkos_space *space) {
  char pairs[96];
  write_name(writer, "space", space->name);
  write_count(writer, "allocations", space->allocations);
  write_count(writer, "deallocations", space->deallocations);
  snprintf(pairs, sizeof pairs, " bytes=%" PRId64 " high_water_bytes=%" PRId64, space->bytes, space->high_water_bytes);
  tac_write_text(writer, pairs);
}

static void write_region(struct tac_writer *writer, const struct tac_kokkos_counters *counters,
                         const struct tac_kokkos_row *row, size_t depth) {
  write_name(writer, "region", row->name);
  write_count(writer, "depth", depth);
  if (row->parent != TAC_KOKKOS_NO_PARENT)
    write_name(writer, "in", tac_kokkos_counters_at(counters, TAC_KOKKOS_REGIONS, row->parent).name);
  write_count(writer, "n", row->count);
  write_seconds(writer, "s", row->total_ns);
  write_seconds(writer, "mean_s", row->timed > 0 ? (int64_t)((double)row->total_ns / (double)row->timed + 0.5) : 0);
  write_seconds(writer, "min_s", row->min_ns);
  write_seconds(writer, "max_s", row->max_ns);
  write_seconds(writer, "exclusive_s", row->exclusive_ns);
}

/* Behind the kernels: copies, memory and regions, a line each. */
static void write_others(struct tac_writer *writer, const struct tac_kokkos_counters *counters,
                         const struct tac_region_walk *walk, const char *prefix) {
  for (size_t i = 0; i < tac_kokkos_counters_rows(counters, TAC_KOKKOS_COPIES); i++) {
    const struct tac_kokkos_row row = tac_kokkos_counters_at(counters, TAC_KOKKOS_COPIES, i);
    tac_write_text(writer, prefix);
    write_copy(writer, &row);
    tac_write_text(writer, "\n");
  }
  for (size_t i = 0; i < tac_kokkos_counters_spaces(counters); i++) {
    const struct tac_kokkos_space space = tac_kokkos_counters_space(counters, i);
    tac_write_text(writer, prefix);
    write_space(writer, &space);
    tac_write_text(writer, "\n");
  }
  for (size_t i = 0; walk->all && i < walk->count; i++) {
    const size_t region = walk->all[i].region;
    const struct tac_kokkos_row row = tac_kokkos_counters_at(counters, TAC_KOKKOS_REGIONS, region);
    tac_write_text(writer, prefix);
    write_region(writer, counters, &row, walk->all[region].depth);
    tac_write_text(writer, "\n");
  }
}

static void write_unsorted(struct tac_writer *writer, const struct tac_kokkos_counters *counters, const char *prefix,
                           uint64_t steps) {
  const struct tac_row_group *group = &counters->table.groups[TAC_KOKKOS_KERNELS];
  for (size_t i = 0; i < group->count; i++) {
    struct folded kernel = {.name = group->lines[i]->name, .kind = group->lines[i]->kind};
    tac_line_add(&kernel.sum, group->lines[i]);
    write_kernel(writer, &kernel, prefix, steps);
  }
}

/* Whether there was memory to sort them; else they stand as they came. */
static int write_kernels(struct tac_writer *writer, const struct tac_kokkos_counters *counters, const char *prefix) {
  const struct tac_allocator *allocator = counters->options.allocator;
  const uint64_t steps = tac_kokkos_counters_steps(counters).timed;
  size_t count;
  struct folded *kernels = fold(counters, &count);
  if (!kernels) {
    write_unsorted(writer, counters, prefix, steps);
    return count == 0;
  }
  for (size_t i = 0; i < count; i++)
    write_kernel(writer, &kernels[i], prefix, steps);
  allocator->release(allocator->context, kernels);
  return 1;
}

enum tac_status tac_kokkos_write_text(const struct tac_kokkos_counters *counters, const char *prefix,
                                      const struct tac_kokkos_text_context *more, tac_sink_fn sink, void *context,
                                      struct tac_error *error) {
  struct tac_writer writer = {.sink = sink, .context = context};
  write_summary(&writer, counters, prefix, more);
  struct tac_region_walk walk = tac_region_walk_begin(counters);
  const int is_sorted = write_kernels(&writer, counters, prefix), is_walked = walk.all || walk.count == 0;
  write_others(&writer, counters, &walk, prefix);
  tac_region_walk_end(counters, &walk);
  const enum tac_status status = tac_writer_status(&writer, __func__, error);
  if ((is_sorted && is_walked) || status != TAC_STATUS_OK)
    return status;
  if (is_sorted)
    return tac_error_set(error, TAC_STATUS_MEMORY, __func__, "no memory for the tree of regions: they are left out");
  return tac_error_set(error, TAC_STATUS_MEMORY, __func__,
                       "no memory to sort %zu kernels: they stand as they came, devices and instances apart",
                       counters->table.groups[TAC_KOKKOS_KERNELS].count);
}

enum tac_status tac_kokkos_report_text(const struct tac_kokkos_counters *counters, const char *prefix, tac_sink_fn sink,
                                       void *context, struct tac_error *error) {
  if (!counters || !prefix || !sink)
    return tac_error_set(error, TAC_STATUS_INVALID, __func__, "no counters, no prefix or no sink");
  return tac_kokkos_write_text(counters, prefix, NULL, sink, context, error);
}
