/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "measure/kokkos/counters.h"

#include <string.h>

#include "measure/kokkos/calls.h"

void tac_kokkos_options_init(struct tac_kokkos_options *options) {
  *options = (struct tac_kokkos_options){.size = sizeof *options, .row_limit = 10000, .interface_version = 20240906};
}

static void *allocate(const struct tac_kokkos_counters *counters, size_t bytes) {
  return counters->options.allocator->allocate(counters->options.allocator->context, bytes);
}

static void release(const struct tac_kokkos_counters *counters, const void *memory) {
  counters->options.allocator->release(counters->options.allocator->context, (void *)memory);
}

static void forget_unrecorded(struct tac_kokkos_counters *counters) {
  static const enum tac_kokkos_kind kinds[TAC_KOKKOS_GROUPS] = {TAC_KOKKOS_FOR,    TAC_KOKKOS_FENCE, TAC_KOKKOS_COPY,
                                                                TAC_KOKKOS_REGION, TAC_KOKKOS_MARK,  TAC_KOKKOS_FOR};
  for (int group = 0; group < TAC_KOKKOS_GROUPS; group++)
    counters->unrecorded[group] =
        (struct tac_kokkos_line){.kind = kinds[group], .number = TAC_KOKKOS_UNRECORDED, .name = TAC_KOKKOS_NO_NAME};
}

/* What the set owns beside itself; 0 without memory. */
static int complete(struct tac_kokkos_counters *counters, struct tac_kokkos_ledger *shared) {
  struct tac_kokkos_options *options = &counters->options;
  if (options->step) {
    const size_t bytes = strlen(options->step) + 1;
    char *step = allocate(counters, bytes);
    if (step)
      memcpy(step, options->step, bytes);
    options->step = step;
    if (!step)
      return 0;
  }
  counters->table = (struct tac_row_table){
      .allocator = options->allocator, .limit = options->row_limit, .step = options->step, .demangle = options->demangle};
  counters->ledger = shared ? shared : allocate(counters, sizeof *counters->ledger);
  if (!counters->ledger)
    return 0;
  if (!shared)
    tac_ledger_init(counters->ledger, options->allocator, options->row_limit);
  counters->owns_ledger = !shared;
  return 1;
}

enum tac_status tac_kokkos_counters_create_sharing(struct tac_kokkos_counters **out, const struct tac_kokkos_options *options,
                                                   struct tac_kokkos_ledger *ledger, struct tac_error *error) {
  struct tac_kokkos_options all;
  if (!out)
    return tac_error_set(error, TAC_STATUS_INVALID, "tac_kokkos_counters_create", "no place for the counters");
  *out = NULL;
  if (options && options->size != sizeof *options)
    return tac_error_set(error, TAC_STATUS_INVALID, "tac_kokkos_counters_create",
                         "options not filled by tac_kokkos_options_init");
  tac_kokkos_options_init(&all);
  if (options)
    all = *options;
  if (!all.allocator)
    all.allocator = tac_allocator_system();
  if (!all.clock)
    all.clock = tac_clock_monotonic();
  struct tac_kokkos_counters *counters = all.allocator->allocate(all.allocator->context, sizeof *counters);
  if (!counters)
    goto no_memory;
  memset(counters, 0, sizeof *counters);
  counters->options = all;
  forget_unrecorded(counters);
  if (!complete(counters, ledger)) {
    release(counters, counters->options.step);
    release(counters, counters);
    goto no_memory;
  }
  counters->origin_ns = tac_calls_now(counters);
  *out = counters;
  return TAC_STATUS_OK;
no_memory:
  return tac_error_set(error, TAC_STATUS_MEMORY, "tac_kokkos_counters_create", "no memory for counters");
}

enum tac_status tac_kokkos_counters_create(struct tac_kokkos_counters **out, const struct tac_kokkos_options *options,
                                           struct tac_error *error) {
  return tac_kokkos_counters_create_sharing(out, options, NULL, error);
}

void tac_kokkos_counters_destroy(struct tac_kokkos_counters **counters) {
  if (!counters || !*counters)
    return;
  struct tac_kokkos_counters *gone = *counters;
  tac_kokkos_scope_forget(gone);
  if (gone->owns_ledger) {
    tac_ledger_release(gone->ledger);
    release(gone, gone->ledger);
  }
  tac_row_table_clear(&gone->table);
  release(gone, gone->frames);
  release(gone, gone->options.step);
  release(gone, gone);
  *counters = NULL;
}

void tac_kokkos_counters_reset(struct tac_kokkos_counters *counters) {
  const size_t depth = atomic_load_explicit(&counters->depth, memory_order_relaxed);
  for (size_t i = 0; i < depth; i++)
    counters->frames[i].line = counters->frames[i].by_region = NULL;
  atomic_store_explicit(&counters->last_region, NULL, memory_order_relaxed);
  counters->last_popped = counters->region = NULL;
  counters->steps_open = 0;
  tac_row_table_clear(&counters->table);
  forget_unrecorded(counters);
  for (int group = 0; group < TAC_KOKKOS_GROUPS; group++)
    tac_counter_write(&counters->mismatches[group], 0);
  tac_counter_write(&counters->unfinished, 0);
  counters->origin_ns = tac_calls_now(counters);
  if (counters->owns_ledger)
    tac_ledger_reset(counters->ledger, counters->origin_ns);
}

void tac_kokkos_counters_abandon(struct tac_kokkos_counters *counters) {
  const size_t depth = atomic_load_explicit(&counters->depth, memory_order_relaxed);
  size_t open = counters->untimed;
  for (size_t i = 0; i < depth; i++)
    open += counters->frames[i].line != NULL;
  tac_counter_add(&counters->unfinished, open);
  atomic_store_explicit(&counters->depth, 0, memory_order_relaxed);
  counters->untimed = counters->steps_open = 0;
  counters->region = NULL;
}

/* From the oldest row on, as a region comes after the one around it. `older` holds the rows of `from`, and gets those of
 * `into` that took them. */
static void merge_lines(struct tac_kokkos_counters *into, struct tac_kokkos_line **older, size_t count,
                        struct tac_kokkos_line **region_rows) {
  for (size_t i = count; i-- > 0;) {
    const struct tac_kokkos_line *line = older[i];
    struct tac_kokkos_line *parent = line->parent ? region_rows[line->parent->number] : NULL;
    struct tac_kokkos_line *row = NULL;
    if (!line->parent || parent)
      row = tac_row_table_add(&into->table,
                              &(struct tac_row_key){line->kind, line->device, parent, line->label, line->label_bytes});
    if (line->kind == TAC_KOKKOS_REGION)
      region_rows[line->number] = row;
    tac_line_add(row ? row : &into->unrecorded[tac_kokkos_row_group(line->kind, line->parent)], line);
  }
}

static void merge_table(struct tac_kokkos_counters *into, const struct tac_kokkos_counters *from) {
  struct tac_kokkos_line *newest = atomic_load_explicit(&from->table.newest, memory_order_acquire);
  size_t count = 0;
  for (const struct tac_kokkos_line *line = newest; line; line = line->before)
    count++;
  if (count == 0)
    return;
  struct tac_kokkos_line **older = allocate(into, 2 * count * sizeof(struct tac_kokkos_line *));
  if (!older) {
    for (const struct tac_kokkos_line *line = newest; line; line = line->before)
      tac_line_add(&into->unrecorded[tac_kokkos_row_group(line->kind, line->parent)], line);
    return;
  }
  size_t next = 0;
  for (struct tac_kokkos_line *line = newest; line; line = line->before)
    older[next++] = line;
  merge_lines(into, older, count, older + count);
  release(into, older);
}

/* The name of the region popped last is a row of `into`, whose tables outlive those of `from`. */
static void merge_last_region(struct tac_kokkos_counters *into, const struct tac_kokkos_counters *from) {
  const struct tac_kokkos_line *last = atomic_load_explicit(&from->last_region, memory_order_acquire);
  if (!last)
    return;
  struct tac_kokkos_line *row = NULL;
  for (size_t i = 0; i < into->table.groups[TAC_KOKKOS_REGIONS].count && !row; i++)
    if (strcmp(into->table.groups[TAC_KOKKOS_REGIONS].lines[i]->name, last->name) == 0)
      row = into->table.groups[TAC_KOKKOS_REGIONS].lines[i];
  if (row)
    atomic_store_explicit(&into->last_region, row, memory_order_relaxed);
}

void tac_kokkos_counters_merge_rows(struct tac_kokkos_counters *into, const struct tac_kokkos_counters *from) {
  merge_table(into, from);
  merge_last_region(into, from);
  for (int group = 0; group < TAC_KOKKOS_GROUPS; group++) {
    tac_line_add(&into->unrecorded[group], &from->unrecorded[group]);
    tac_counter_add(&into->mismatches[group], tac_counter_read(&from->mismatches[group]));
  }
  tac_counter_add(&into->unfinished, tac_counter_read(&from->unfinished));
}

enum tac_status tac_kokkos_counters_merge(struct tac_kokkos_counters *into, const struct tac_kokkos_counters *from,
                                          struct tac_error *error) {
  if (!into || !from || into == from)
    return tac_error_set(error, TAC_STATUS_INVALID, __func__, "counters are missing, or both sets are the same");
  tac_kokkos_counters_merge_rows(into, from);
  if (into->ledger != from->ledger)
    tac_ledger_merge(into->ledger, from->ledger);
  return TAC_STATUS_OK;
}
