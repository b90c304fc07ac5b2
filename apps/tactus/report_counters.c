/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <stdio.h>
#include <string.h>

#include "apps/tactus/record_parts.h"
#include "apps/tactus/report_phases.h"
#include "measure/device_counters.h"

static struct tac_device_calls calls_of(struct tac_member_reader *reader, const json_t *value) {
  const struct tac_event_stats stats = tac_record_read_stats(reader, value);
  return (struct tac_device_calls){.count = stats.count,
                                   .timed = tac_read_number(reader, value, "timed"),
                                   .total_ns = stats.total_ns,
                                   .min_ns = stats.min_ns,
                                   .max_ns = stats.max_ns};
}

static void fold(struct tac_device_calls *into, struct tac_member_reader *reader, const struct tac_device_calls *more) {
  if (into->total_ns > TAC_RECORD_DURATION_MOST - more->total_ns)
    tac_reader_fail(reader, "total_ns", "is more, with those before it, than a clock can tell");
  if (reader->status != TAC_STATUS_OK)
    return;
  into->min_ns = into->timed == 0 || (more->timed > 0 && more->min_ns < into->min_ns) ? more->min_ns : into->min_ns;
  into->max_ns = more->max_ns > into->max_ns ? more->max_ns : into->max_ns;
  into->count += more->count;
  into->timed += more->timed;
  into->total_ns += more->total_ns;
}

/* The calls of each label, in the order of the list. Labels that differed in bytes that are no UTF-8 are one in a record. */
static void read_labels(struct tac_device_counters *counters, struct tac_call_list *list, struct tac_member_reader *reader,
                        const json_t *values, const char *key) {
  const size_t count = json_array_size(values);
  if (count == 0)
    return;
  const struct tac_allocator *allocator = counters->options.allocator;
  list->calls = allocator->allocate(allocator->context, count * sizeof *list->calls);
  if (!list->calls) {
    reader->status = tac_error_set(reader->error, TAC_STATUS_MEMORY, "device", "no memory for %zu labels", count);
    return;
  }
  memset(list->calls, 0, count * sizeof *list->calls);
  list->capacity = count;
  for (size_t i = 0; i < count && reader->status == TAC_STATUS_OK; i++) {
    const json_t *value = tac_read_element(reader, values, key, i);
    const char *label = tac_read_text(reader, value, "label", TAC_MEMBER_REQUIRED);
    const struct tac_device_calls calls = calls_of(reader, value);
    const size_t number = label ? tac_label_table_add(&list->labels, label) : TAC_NO_LABEL;
    if (number != TAC_NO_LABEL)
      fold(&list->calls[number], reader, &calls);
    else if (label)
      reader->status = tac_error_set(reader->error, TAC_STATUS_MEMORY, "device", "no memory for its labels");
  }
}

static void read_list(struct tac_device_counters *counters, enum tac_device_call_kind kind, struct tac_member_reader *reader,
                      const json_t *device, const char *key, const char *unrecorded_key) {
  char place[32];
  struct tac_call_list *list = &counters->lists[kind];
  tac_reader_at(reader, "device");
  const json_t *values = tac_read_array(reader, device, key, TAC_MEMBER_REQUIRED);
  const json_t *unrecorded = tac_read_object(reader, device, unrecorded_key, TAC_MEMBER_REQUIRED);
  snprintf(place, sizeof place, "device.%s", key);
  read_labels(counters, list, reader, values, place);
  tac_reader_at(reader, unrecorded_key);
  list->unrecorded = calls_of(reader, unrecorded);
}

static void read_copies(struct tac_device_counters *counters, struct tac_member_reader *reader, const json_t *device) {
  static const char *const keys[TAC_COPY_DIRECTIONS] = {[TAC_COPY_TO_DEVICE] = "to_device",
                                                        [TAC_COPY_TO_HOST] = "to_host",
                                                        [TAC_COPY_ON_DEVICE] = "on_device",
                                                        [TAC_COPY_MAPPED] = "mapped"};
  tac_reader_at(reader, "device");
  const json_t *copies = tac_read_object(reader, device, "copies", TAC_MEMBER_REQUIRED);
  for (int direction = 0; direction < TAC_COPY_DIRECTIONS; direction++) {
    tac_reader_at(reader, "device.copies");
    const json_t *one = tac_read_object(reader, copies, keys[direction], TAC_MEMBER_REQUIRED);
    counters->copies[direction].count = tac_read_number(reader, one, "count");
    counters->copies[direction].bytes = tac_read_number(reader, one, "bytes");
    counters->copies[direction].saturated = tac_read_flag(reader, one, "saturated");
  }
}

static void read_memory(struct tac_device_memory_stats *out, int *has_memory, struct tac_member_reader *reader,
                        const json_t *device) {
  tac_reader_at(reader, "device");
  const json_t *memory = tac_read_object(reader, device, "device_memory", TAC_MEMBER_OPTIONAL);
  *has_memory = memory != NULL;
  if (!memory)
    return;
  tac_reader_at(reader, "device.device_memory");
  *out = (struct tac_device_memory_stats){.allocations = tac_read_number(reader, memory, "allocations"),
                                          .reuses = tac_read_number(reader, memory, "reuses"),
                                          .used_bytes = tac_read_number(reader, memory, "used_bytes"),
                                          .spare_bytes = tac_read_number(reader, memory, "spare_bytes"),
                                          .peak_bytes = tac_read_number(reader, memory, "peak_bytes")};
}

enum tac_status tac_record_counters_restore(struct tac_device_counters **out, struct tac_device_memory_stats *memory,
                                            int *has_memory, const struct tac_record *record, struct tac_error *error) {
  struct tac_member_reader reader = {.error = error};
  struct tac_device_counters_options options;
  *out = NULL;
  const json_t *device = tac_read_object(&reader, record->root, "device", TAC_MEMBER_OPTIONAL);
  if (!device)
    return reader.status;
  tac_device_counters_options_init(&options);
  options.label_limit = SIZE_MAX;
  reader.status = tac_device_counters_create(out, &options, error);
  if (reader.status != TAC_STATUS_OK)
    return reader.status;
  read_list(*out, TAC_DEVICE_LAUNCHES, &reader, device, "launches", "launches_unrecorded");
  read_list(*out, TAC_DEVICE_FENCES, &reader, device, "fences", "fences_unrecorded");
  read_copies(*out, &reader, device);
  tac_reader_at(&reader, "device");
  (*out)->mismatches = tac_read_number(&reader, device, "call_mismatches");
  read_memory(memory, has_memory, &reader, device);
  if (reader.status != TAC_STATUS_OK)
    tac_device_counters_destroy(out);
  return reader.status;
}
