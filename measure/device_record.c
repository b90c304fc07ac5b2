/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <tactus/measure/device_record.h>

#include <stdlib.h>
#include <string.h>

#include "measure/spans.h"

/* A command's time with its item, so that those of one item stand together. */
struct item_span {
  size_t item;
  struct tac_span span;
};

/* Any of these arrays serves one step at a time. */
union step {
  struct item_span by_item;
  struct {
    struct tac_span span;
    int64_t finish_ns;
  } overlap;
};

size_t tac_device_record_scratch(size_t item_count, size_t interval_count) {
  const size_t most = item_count > interval_count ? item_count : interval_count;
  return most < SIZE_MAX / 2 / sizeof(union step) ? (most + 1) * sizeof(union step) : 0;
}

static struct tac_span span_of(const struct tac_device_interval *interval) {
  return (struct tac_span){interval->start_ns,
                           interval->finish_ns > interval->start_ns ? interval->finish_ns : interval->start_ns};
}

static int compare_item_spans(const void *a, const void *b) {
  const struct item_span *left = a, *right = b;
  if (left->item != right->item)
    return left->item < right->item ? -1 : 1;
  if (left->span.start_ns != right->span.start_ns)
    return left->span.start_ns < right->span.start_ns ? -1 : 1;
  return (left->span.finish_ns > right->span.finish_ns) - (left->span.finish_ns < right->span.finish_ns);
}

/* The commands of one item, sorted by start. */
static struct tac_device_slot slot_of(const struct item_span *commands, size_t count) {
  struct tac_device_slot slot = {commands[0].span.start_ns, commands[0].span.start_ns, 0, count};
  for (size_t i = 0; i < count; i++) {
    const struct tac_span span = commands[i].span;
    if (span.finish_ns <= slot.finish_ns)
      continue;
    slot.busy_ns += span.finish_ns - (span.start_ns > slot.finish_ns ? span.start_ns : slot.finish_ns);
    slot.finish_ns = span.finish_ns;
  }
  return slot;
}

static void fill_slots(struct tac_device_slot *slots, size_t item_count, const struct tac_device_interval *intervals,
                       size_t interval_count, struct item_span *commands) {
  size_t count = 0;
  memset(slots, 0, item_count * sizeof *slots);
  for (size_t i = 0; i < interval_count; i++)
    if (intervals[i].item < item_count)
      commands[count++] = (struct item_span){intervals[i].item, span_of(&intervals[i])};
  if (count > 1)
    qsort(commands, count, sizeof *commands, compare_item_spans);
  for (size_t first = 0, end; first < count; first = end) {
    for (end = first + 1; end < count && commands[end].item == commands[first].item;)
      end++;
    slots[commands[first].item] = slot_of(&commands[first], end - first);
  }
}

static void add_items(struct tac_device_record *record, const struct tac_device_slot *slots, size_t item_count, void *scratch) {
  struct tac_span *spans = scratch;
  size_t items = 0;
  for (size_t i = 0; i < item_count; i++) {
    if (slots[i].commands == 0)
      continue;
    if (items == 0 || slots[i].busy_ns > record->item_max_ns) {
      record->item_max_ns = slots[i].busy_ns;
      record->slowest_index = i;
    }
    spans[items++] = (struct tac_span){slots[i].start_ns, slots[i].finish_ns};
  }
  tac_spans_sort(spans, items);
  record->items = items;
  record->peak_overlap = tac_spans_peak_overlap(spans, items, (int64_t *)(spans + items));
}

static void add_commands(struct tac_device_record *record, const struct tac_device_interval *intervals, size_t count,
                         struct tac_span *spans) {
  for (size_t i = 0; i < count; i++)
    spans[i] = span_of(&intervals[i]);
  tac_spans_sort(spans, count);
  int64_t last_ns = spans[0].finish_ns;
  for (size_t i = 1; i < count; i++)
    last_ns = spans[i].finish_ns > last_ns ? spans[i].finish_ns : last_ns;
  record->commands = count;
  record->begin_ns = spans[0].start_ns;
  record->wall_ns = last_ns - spans[0].start_ns;
  record->total_ns = tac_spans_sum_ns(spans, count);
  record->busy_ns = tac_spans_union_ns(spans, count);
}

void tac_device_record_compute(struct tac_device_record *out, struct tac_device_slot *slots, size_t item_count,
                               const struct tac_device_interval *intervals, size_t interval_count, void *scratch) {
  *out = (struct tac_device_record){0};
  if (interval_count > 0)
    add_commands(out, intervals, interval_count, scratch);
  if (!slots || item_count == 0)
    return;
  fill_slots(slots, item_count, intervals, interval_count, scratch);
  add_items(out, slots, item_count, scratch);
}
