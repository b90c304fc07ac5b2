/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "measure/kokkos/rows.h"

#include <stdlib.h>
#include <string.h>

#include "measure/kokkos/type_name.h"

enum { FIRST_CAPACITY = 32, TIMES_BY_REGION = 10 };

const char *const tac_kokkos_kind_names[TAC_KOKKOS_KINDS] = {"parallel_for", "parallel_reduce", "parallel_scan", "fence",
                                                             "copy",         "region",          "mark"};

static void *allocate(const struct tac_row_table *table, size_t bytes) {
  return table->allocator->allocate(table->allocator->context, bytes);
}

static void release(const struct tac_row_table *table, void *memory) {
  table->allocator->release(table->allocator->context, memory);
}

/* Eight bytes at a time: a launch pays for it. */
static uint64_t hash_of(const struct tac_row_key *key) {
  static const uint64_t factor = UINT64_C(0x9e3779b97f4a7c15);
  uint64_t value = ((uint64_t)key->kind << 32 | key->device) + (uint64_t)(uintptr_t)key->parent * 31 + key->bytes * factor;
  const char *next = key->name;
  size_t left = key->bytes;
  for (; left >= sizeof(uint64_t); left -= sizeof(uint64_t), next += sizeof(uint64_t)) {
    uint64_t word;
    memcpy(&word, next, sizeof word);
    value = (value ^ word) * factor;
    value ^= value >> 29;
  }
  if (left > 0) {
    uint64_t word = 0;
    for (size_t i = 0; i < left; i++)
      word = word << 8 | (unsigned char)next[i];
    value = (value ^ word) * factor;
  }
  return value ^ value >> 32;
}

static int is_line_of(const struct tac_kokkos_line *line, const struct tac_row_key *key, uint64_t hash) {
  return line->hash == hash && line->kind == key->kind && line->device == key->device && line->parent == key->parent &&
         line->label_bytes == key->bytes && memcmp(line->label, key->name, key->bytes) == 0;
}

/* The bucket that holds the key's row, or the free one where it would be. */
static size_t bucket_of(const struct tac_row_table *table, const struct tac_row_key *key, uint64_t hash) {
  const size_t mask = table->bucket_count - 1;
  size_t bucket = (size_t)hash & mask;
  while (table->buckets[bucket] && !is_line_of(table->buckets[bucket], key, hash))
    bucket = (bucket + 1) & mask;
  return bucket;
}

static int grow_buckets(struct tac_row_table *table) {
  const size_t count = table->bucket_count ? 2 * table->bucket_count : (size_t)2 * FIRST_CAPACITY;
  struct tac_kokkos_line **buckets =
      count <= SIZE_MAX / 2 / sizeof(void *) ? allocate(table, count * sizeof(struct tac_kokkos_line *)) : NULL;
  if (!buckets)
    return 0;
  memset(buckets, 0, count * sizeof(struct tac_kokkos_line *));
  struct tac_kokkos_line *line = atomic_load_explicit(&table->newest, memory_order_relaxed);
  for (; line; line = line->before) {
    size_t bucket = (size_t)line->hash & (count - 1);
    while (buckets[bucket])
      bucket = (bucket + 1) & (count - 1);
    buckets[bucket] = line;
  }
  release(table, table->buckets);
  table->buckets = buckets;
  table->bucket_count = count;
  return 1;
}

static int grow_group(const struct tac_row_table *table, struct tac_row_group *group) {
  const size_t capacity = group->capacity ? 2 * group->capacity : FIRST_CAPACITY;
  struct tac_kokkos_line **lines =
      capacity <= SIZE_MAX / 2 / sizeof(void *) ? allocate(table, capacity * sizeof(struct tac_kokkos_line *)) : NULL;
  if (!lines)
    return 0;
  if (group->lines)
    memcpy(lines, group->lines, group->count * sizeof(struct tac_kokkos_line *));
  release(table, group->lines);
  group->lines = lines;
  group->capacity = capacity;
  return 1;
}

static int is_tool_fence(const struct tac_kokkos_line *line) {
  return line->kind == TAC_KOKKOS_FENCE &&
         (strstr(line->name, "Kokkos Profile Tool Fence") != NULL || strstr(line->name, "Tool Requested Fence") != NULL);
}

static int is_step(const struct tac_row_table *table, const struct tac_kokkos_line *line) {
  if (line->kind != TAC_KOKKOS_REGION || !table->step || strcmp(table->step, line->name) != 0)
    return 0;
  const struct tac_kokkos_line *around = line->parent;
  while (around && !around->step)
    around = around->parent;
  return !around;
}

/* The type that a kernel's label was made from, to be freed; NULL: the label is the program's. */
static char *type_of(const struct tac_row_table *table, const struct tac_row_key *key) {
  char *label = table->demangle && key->kind <= TAC_KOKKOS_SCAN ? strndup(key->name, key->bytes) : NULL;
  char *type = label ? tac_kokkos_type_name(label, table->demangle) : NULL;
  free(label);
  return type;
}

/* With its label, and room for so many bytes behind that. */
static struct tac_kokkos_line *allocate_line(const struct tac_row_table *table, const struct tac_row_key *key, size_t more) {
  struct tac_kokkos_line *line =
      key->bytes < SIZE_MAX / 4 && more < SIZE_MAX / 4 ? allocate(table, sizeof *line + key->bytes + 1 + more) : NULL;
  if (!line)
    return NULL;
  char *label = (char *)(line + 1);
  memset(line, 0, sizeof *line);
  memcpy(label, key->name, key->bytes);
  label[key->bytes] = '\0';
  line->label = line->name = label;
  line->label_bytes = key->bytes;
  return line;
}

static struct tac_kokkos_line *make_line(const struct tac_row_table *table, const struct tac_row_key *key, uint64_t hash) {
  char *type = type_of(table, key);
  const size_t type_bytes = type ? strlen(type) + 1 : 0;
  struct tac_kokkos_line *line = allocate_line(table, key, type_bytes);
  if (line && type)
    line->name = memcpy((char *)line->label + key->bytes + 1, type, type_bytes);
  free(type);
  if (!line)
    return NULL;
  line->hash = hash;
  line->kind = key->kind;
  line->device = key->device;
  line->parent = key->parent;
  line->tool = is_tool_fence(line);
  line->step = is_step(table, line);
  return line;
}

struct tac_kokkos_line *tac_row_table_find(const struct tac_row_table *table, const struct tac_row_key *key) {
  return table->bucket_count > 0 ? table->buckets[bucket_of(table, key, hash_of(key))] : NULL;
}

/* Kernels by region take no room from what is counted once, and are more where the same are launched in many regions. */
static int has_room(const struct tac_row_table *table, enum tac_kokkos_group group) {
  const size_t by_region = table->groups[TAC_KOKKOS_REGION_KERNELS].count;
  return group == TAC_KOKKOS_REGION_KERNELS ? by_region / TIMES_BY_REGION < table->limit
                                            : table->count - by_region < table->limit;
}

struct tac_kokkos_line *tac_row_table_add(struct tac_row_table *table, const struct tac_row_key *key) {
  const uint64_t hash = hash_of(key);
  if (table->bucket_count > 0) {
    struct tac_kokkos_line *line = table->buckets[bucket_of(table, key, hash)];
    if (line)
      return line;
  }
  const enum tac_kokkos_group number = tac_kokkos_row_group(key->kind, key->parent);
  struct tac_row_group *group = &table->groups[number];
  if (!has_room(table, number) || (2 * (table->count + 1) > table->bucket_count && !grow_buckets(table)) ||
      (group->count == group->capacity && !grow_group(table, group)))
    return NULL;
  struct tac_kokkos_line *line = make_line(table, key, hash);
  if (!line)
    return NULL;
  table->buckets[bucket_of(table, key, hash)] = line;
  line->number = group->count;
  group->lines[group->count++] = line;
  table->count++;
  line->before = atomic_load_explicit(&table->newest, memory_order_relaxed);
  atomic_store_explicit(&table->newest, line, memory_order_release);
  return line;
}

void tac_row_table_clear(struct tac_row_table *table) {
  struct tac_kokkos_line *line = atomic_load_explicit(&table->newest, memory_order_relaxed);
  while (line) {
    struct tac_kokkos_line *before = line->before;
    release(table, line);
    line = before;
  }
  for (int group = 0; group < TAC_KOKKOS_GROUPS; group++) {
    release(table, table->groups[group].lines);
    table->groups[group] = (struct tac_row_group){0};
  }
  release(table, table->buckets);
  table->buckets = NULL;
  table->bucket_count = table->count = 0;
  atomic_store_explicit(&table->newest, NULL, memory_order_relaxed);
}

static void add_extremes(struct tac_kokkos_line *line, uint64_t timed, int64_t min_ns, int64_t max_ns) {
  const int first = tac_counter_read(&line->timed) == 0;
  if (first || min_ns < tac_time_read(&line->min_ns))
    tac_counter_write(&line->min_ns, (uint64_t)min_ns);
  if (first || max_ns > tac_time_read(&line->max_ns))
    tac_counter_write(&line->max_ns, (uint64_t)max_ns);
  tac_counter_add(&line->timed, timed);
}

void tac_line_add_time(struct tac_kokkos_line *line, int64_t duration_ns, int64_t within_ns, int in_step) {
  add_extremes(line, 1, duration_ns, duration_ns);
  tac_time_add(&line->total_ns, duration_ns);
  if (within_ns > 0)
    tac_time_add(&line->within_ns, within_ns);
  if (!in_step)
    return;
  tac_time_add(&line->step_ns, duration_ns);
  if (within_ns > 0)
    tac_time_add(&line->step_within_ns, within_ns);
}

void tac_line_add_bytes(struct tac_kokkos_line *line, uint64_t bytes, int self, int fill) {
  if (bytes > UINT64_MAX - tac_counter_read(&line->bytes))
    tac_counter_write(&line->saturated, 1);
  tac_counter_add(&line->bytes, bytes);
  if (self) {
    tac_counter_add(&line->self_count, 1);
    tac_counter_add(&line->self_bytes, bytes);
  }
  if (fill) {
    tac_counter_add(&line->fill_count, 1);
    tac_counter_add(&line->fill_bytes, bytes);
  }
}

void tac_line_add(struct tac_kokkos_line *line, const struct tac_kokkos_line *more) {
  const uint64_t timed = tac_counter_read(&more->timed), bytes = tac_counter_read(&more->bytes);
  if (timed > 0)
    add_extremes(line, timed, tac_time_read(&more->min_ns), tac_time_read(&more->max_ns));
  if (tac_counter_read(&more->saturated) || bytes > UINT64_MAX - tac_counter_read(&line->bytes))
    tac_counter_write(&line->saturated, 1);
  tac_counter_add(&line->count, tac_counter_read(&more->count));
  tac_counter_add(&line->bytes, bytes);
  tac_counter_add(&line->self_count, tac_counter_read(&more->self_count));
  tac_counter_add(&line->self_bytes, tac_counter_read(&more->self_bytes));
  tac_counter_add(&line->fill_count, tac_counter_read(&more->fill_count));
  tac_counter_add(&line->fill_bytes, tac_counter_read(&more->fill_bytes));
  tac_counter_add(&line->step_count, tac_counter_read(&more->step_count));
  tac_time_add(&line->total_ns, tac_time_read(&more->total_ns));
  tac_time_add(&line->within_ns, tac_time_read(&more->within_ns));
  tac_time_add(&line->step_ns, tac_time_read(&more->step_ns));
  tac_time_add(&line->step_within_ns, tac_time_read(&more->step_within_ns));
}
