/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef MEASURE_KOKKOS_ROWS_H
#define MEASURE_KOKKOS_ROWS_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include <tactus/measure/kokkos.h>

#include "measure/saturate.h"

/* Rows have one writer, the thread that counts; a report reads them at any time from another thread. So their numbers are
 * relaxed atomics, which the writer changes without a locked instruction, and a row never moves. */
typedef _Atomic uint64_t tac_counter;

static inline uint64_t tac_counter_read(const tac_counter *counter) {
  return atomic_load_explicit(counter, memory_order_relaxed);
}

static inline void tac_counter_write(tac_counter *counter, uint64_t value) {
  atomic_store_explicit(counter, value, memory_order_relaxed);
}

static inline void tac_counter_add(tac_counter *counter, uint64_t more) {
  tac_counter_write(counter, tac_sum_counts(tac_counter_read(counter), more));
}

/* Times are kept in counters too, and stop at INT64_MAX. */
static inline int64_t tac_time_read(const tac_counter *time) {
  return (int64_t)tac_counter_read(time);
}

static inline void tac_time_add(tac_counter *time, int64_t more_ns) {
  tac_counter_write(time, (uint64_t)tac_sum_times(tac_time_read(time), more_ns));
}

/* What identifies a row. */
struct tac_row_key {
  enum tac_kokkos_kind kind;
  uint32_t device;
  struct tac_kokkos_line *parent; /* of a region, and of a kernel by region; else NULL */
  const char *name;               /* bytes, which need no end; of a copy "from\0to" */
  size_t bytes;
};

/* A row as it is kept. */
struct tac_kokkos_line {
  struct tac_kokkos_line *before; /* the row that came before it, of any group */
  struct tac_kokkos_line *parent;
  struct tac_kokkos_line *by_region; /* of a kernel: its row of the region in which it was launched last; NULL: none */
  uint64_t hash;
  size_t number; /* within its group */
  uint32_t device;
  enum tac_kokkos_kind kind;
  int tool, step; /* a step within a step is part of it, and none of its own */
  tac_counter count, timed, total_ns, min_ns, max_ns, within_ns;
  tac_counter step_count, step_ns, step_within_ns;
  tac_counter bytes, self_count, self_bytes, fill_count, fill_bytes, saturated;
  size_t label_bytes;
  const char *label; /* the key's name, with an end; in the same block of memory */
  const char *name;  /* what is shown: the label, or the type that Kokkos made it from; likewise */
};

struct tac_row_group {
  struct tac_kokkos_line **lines;
  size_t count, capacity;
};

/* Zero-initialise it and set allocator and limit. */
struct tac_row_table {
  const struct tac_allocator *allocator;
  size_t limit, count;
  const char *step;                /* the name of the region that marks a step, or NULL */
  tac_kokkos_demangle_fn demangle; /* or NULL */
  struct tac_row_group groups[TAC_KOKKOS_GROUPS];
  struct tac_kokkos_line **buckets; /* a power of two of them, at least half of them free */
  size_t bucket_count;
  _Atomic(struct tac_kokkos_line *) newest;
};

static inline enum tac_kokkos_group tac_kokkos_group_of(enum tac_kokkos_kind kind) {
  return kind <= TAC_KOKKOS_SCAN ? TAC_KOKKOS_KERNELS : (enum tac_kokkos_group)(kind - TAC_KOKKOS_FENCE + TAC_KOKKOS_FENCES);
}

/* Of what has this kind and this region around it, NULL: none. */
static inline enum tac_kokkos_group tac_kokkos_row_group(enum tac_kokkos_kind kind, const struct tac_kokkos_line *parent) {
  return parent && kind <= TAC_KOKKOS_SCAN ? TAC_KOKKOS_REGION_KERNELS : tac_kokkos_group_of(kind);
}

extern const char *const tac_kokkos_kind_names[TAC_KOKKOS_KINDS];

/* The row of a key, made when it is new; NULL without room for it. */
struct tac_kokkos_line *tac_row_table_add(struct tac_row_table *table, const struct tac_row_key *key);

/* The row of a key that has come before; else NULL. */
struct tac_kokkos_line *tac_row_table_find(const struct tac_row_table *table, const struct tac_row_key *key);

/* Frees every row; the table can be used again. No other thread may read. */
void tac_row_table_clear(struct tac_row_table *table);

/* A time taken; and another row's numbers, added. */
void tac_line_add_time(struct tac_kokkos_line *line, int64_t duration_ns, int64_t within_ns, int in_step);
void tac_line_add(struct tac_kokkos_line *line, const struct tac_kokkos_line *more);
void tac_line_add_bytes(struct tac_kokkos_line *line, uint64_t bytes, int self, int fill);

#endif
