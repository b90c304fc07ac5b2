/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "measure/label_table.h"

#include <string.h>

enum { FIRST_CAPACITY = 32 };

static void *allocate(const struct tac_label_table *table, size_t bytes) {
  return table->allocator->allocate(table->allocator->context, bytes);
}

static void release(const struct tac_label_table *table, void *memory) {
  table->allocator->release(table->allocator->context, memory);
}

/* FNV-1a, 64 bits. */
static uint64_t hash(const char *label) {
  uint64_t value = UINT64_C(0xcbf29ce484222325);
  for (; *label; label++)
    value = (value ^ (unsigned char)*label) * UINT64_C(0x100000001b3);
  return value;
}

/* The bucket that holds the label, or the free one where it would be. At least half of the buckets are free. */
static size_t bucket_of(const struct tac_label_table *table, const char *label) {
  const size_t mask = 2 * table->capacity - 1;
  size_t bucket = (size_t)hash(label) & mask;
  while (table->buckets[bucket] != 0 && strcmp(table->labels[table->buckets[bucket] - 1], label) != 0)
    bucket = (bucket + 1) & mask;
  return bucket;
}

static int grow(struct tac_label_table *table) {
  struct tac_label_table larger = *table;
  if (table->capacity > SIZE_MAX / 8 / sizeof *table->labels)
    return 0;
  larger.capacity = table->capacity ? 2 * table->capacity : FIRST_CAPACITY;
  larger.labels = allocate(table, larger.capacity * (sizeof *larger.labels + 2 * sizeof *larger.buckets));
  if (!larger.labels)
    return 0;
  larger.buckets = (size_t *)(larger.labels + larger.capacity);
  memset(larger.buckets, 0, 2 * larger.capacity * sizeof *larger.buckets);
  for (size_t i = 0; i < table->count; i++) {
    larger.labels[i] = table->labels[i];
    larger.buckets[bucket_of(&larger, table->labels[i])] = i + 1;
  }
  release(table, table->labels);
  *table = larger;
  return 1;
}

size_t tac_label_table_find(const struct tac_label_table *table, const char *label) {
  const size_t number = table->count > 0 ? table->buckets[bucket_of(table, label)] : 0;
  return number ? number - 1 : TAC_NO_LABEL;
}

size_t tac_label_table_add(struct tac_label_table *table, const char *label) {
  const size_t number = tac_label_table_find(table, label);
  if (number != TAC_NO_LABEL)
    return number;
  if (table->count >= table->limit || (table->count == table->capacity && !grow(table)))
    return TAC_NO_LABEL;
  const size_t bytes = strlen(label) + 1;
  char *copy = allocate(table, bytes);
  if (!copy)
    return TAC_NO_LABEL;
  memcpy(copy, label, bytes);
  table->labels[table->count++] = copy;
  table->buckets[bucket_of(table, label)] = table->count;
  return table->count - 1;
}

void tac_label_table_clear(struct tac_label_table *table) {
  for (size_t i = 0; i < table->count; i++)
    release(table, table->labels[i]);
  if (table->count > 0)
    memset(table->buckets, 0, 2 * table->capacity * sizeof *table->buckets);
  table->count = 0;
}

void tac_label_table_release(struct tac_label_table *table) {
  tac_label_table_clear(table);
  release(table, table->labels);
  table->labels = NULL;
  table->buckets = NULL;
  table->capacity = 0;
}
