/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef MEASURE_LABEL_TABLE_H
#define MEASURE_LABEL_TABLE_H

#include <stddef.h>
#include <stdint.h>

#include <tactus/runtime/memory.h>

#define TAC_NO_LABEL SIZE_MAX

/* Copies of different texts, numbered in the order in which they came; found by hashing. Zero-initialise it and set allocator
 * and limit. */
struct tac_label_table {
  const struct tac_allocator *allocator;
  size_t limit; /* labels at most */
  char **labels;
  size_t count, capacity;
  size_t *buckets; /* twice the capacity, a power of two: number + 1, or 0; in the block of the labels */
};

/* The label's number, TAC_NO_LABEL when it is not there; add: also when there is no room for it. */
size_t tac_label_table_find(const struct tac_label_table *table, const char *label);
size_t tac_label_table_add(struct tac_label_table *table, const char *label);

/* Frees every label; clear keeps the room for them. */
void tac_label_table_clear(struct tac_label_table *table);
void tac_label_table_release(struct tac_label_table *table);

#endif
