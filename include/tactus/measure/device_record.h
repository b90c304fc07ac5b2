/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef TACTUS_MEASURE_DEVICE_RECORD_H
#define TACTUS_MEASURE_DEVICE_RECORD_H

#include <stddef.h>
#include <stdint.h>

#include <tactus/runtime/device.h>
#include <tactus/runtime/error.h>
#include <tactus/runtime/export.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Device time: from the times that the device gave its commands, on CLOCK_MONOTONIC, and never mixed with host time. A command
 * occupies [start, finish). */

/* What one item had done on the device. */
struct tac_device_slot {
  int64_t start_ns, finish_ns; /* of its first command, and of its last to finish */
  int64_t busy_ns;             /* in which at least one of its commands ran */
  uint64_t commands;           /* 0: it submitted nothing; the rest is zeros then */
};

/* What one batch had done on the device. Items are known at detailed only. */
struct tac_device_record {
  uint64_t commands;
  uint64_t items;        /* items that submitted at least one */
  uint64_t peak_overlap; /* most items between their start and their finish at once; what finishes when another starts does not
                            overlap it, and one of zero length counts 1 */
  int64_t begin_ns;      /* first start */
  int64_t wall_ns;       /* first start to last finish */
  int64_t total_ns;      /* sum of the commands */
  int64_t busy_ns;       /* in which at least one command ran */
  int64_t item_max_ns;   /* the item with the largest busy time, the first of several */
  uint64_t slowest_index;
};

/* Device time of all batches and phases of one event, those within it included. */
struct tac_device_stats {
  uint64_t batches; /* batches and syncs that had commands */
  uint64_t commands;
  int64_t total_ns, busy_ns; /* of their commands, and in which at least one ran, summed over batches and syncs */
};

/* Adds the records of batches up. */
struct tac_device_summary {
  uint64_t batches; /* with at least one command */
  uint64_t commands, items;
  uint64_t peak_overlap; /* largest, as item_max_ns */
  int64_t wall_ns, total_ns, busy_ns, item_max_ns;
};

/* Bytes that tac_device_record_compute needs for so many items and intervals; 0 when that exceeds the address space. */
TAC_API size_t tac_device_record_scratch(size_t item_count, size_t interval_count);

/* Computes a record, and with slots not NULL those of all items (slots[i] belongs to item i; commands of items beyond the count
 * belong to none), from the intervals of a batch's commands in any order. An interval that ends before it starts counts as one
 * of zero length. `scratch` is aligned as memory of an allocator is. */
TAC_API void tac_device_record_compute(struct tac_device_record *out, struct tac_device_slot *slots, size_t item_count,
                                       const struct tac_device_interval *intervals, size_t interval_count, void *scratch);

#ifdef __cplusplus
}
#endif
#endif
