/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "measure/device_counters.h"

#include <string.h>

#include "measure/saturate.h"

enum { FIRST_CAPACITY = 32 };

static void *allocate(const struct tac_device_counters *counters, size_t bytes) {
  return counters->options.allocator->allocate(counters->options.allocator->context, bytes);
}

static void release(const struct tac_device_counters *counters, void *memory) {
  counters->options.allocator->release(counters->options.allocator->context, memory);
}

static int64_t now(const struct tac_device_counters *counters) {
  return counters->options.clock->now_ns(counters->options.clock->context);
}

void tac_device_counters_options_init(struct tac_device_counters_options *options) {
  *options = (struct tac_device_counters_options){.size = sizeof *options, .label_limit = 1000};
}

enum tac_status tac_device_counters_create(struct tac_device_counters **out, const struct tac_device_counters_options *options,
                                           struct tac_error *error) {
  struct tac_device_counters_options complete;
  if (!out)
    return tac_error_set(error, TAC_STATUS_INVALID, __func__, "no place for the counters");
  *out = NULL;
  if (options && options->size != sizeof *options)
    return tac_error_set(error, TAC_STATUS_INVALID, __func__, "options not filled by tac_device_counters_options_init");
  tac_device_counters_options_init(&complete);
  if (options)
    complete = *options;
  if (!complete.allocator)
    complete.allocator = tac_allocator_system();
  if (!complete.clock)
    complete.clock = tac_clock_monotonic();
  struct tac_device_counters *counters = complete.allocator->allocate(complete.allocator->context, sizeof *counters);
  if (!counters)
    return tac_error_set(error, TAC_STATUS_MEMORY, __func__, "no memory for device counters");
  *counters = (struct tac_device_counters){.options = complete};
  for (int kind = 0; kind < TAC_DEVICE_CALL_KINDS; kind++)
    counters->lists[kind].labels = (struct tac_label_table){.allocator = complete.allocator, .limit = complete.label_limit};
  *out = counters;
  return TAC_STATUS_OK;
}

void tac_device_counters_destroy(struct tac_device_counters **counters) {
  if (!counters || !*counters)
    return;
  struct tac_device_counters *gone = *counters;
  tac_device_scope_forget(gone);
  for (int kind = 0; kind < TAC_DEVICE_CALL_KINDS; kind++) {
    struct tac_call_list *list = &gone->lists[kind];
    tac_label_table_release(&list->labels);
    release(gone, list->calls);
    release(gone, list->begun);
  }
  release(gone, gone);
  *counters = NULL;
}

void tac_device_counters_reset(struct tac_device_counters *counters) {
  for (int kind = 0; kind < TAC_DEVICE_CALL_KINDS; kind++) {
    struct tac_call_list *list = &counters->lists[kind];
    tac_label_table_clear(&list->labels);
    list->unrecorded = (struct tac_device_calls){0};
    for (size_t i = 0; i < list->depth; i++)
      list->begun[i].number = TAC_CALL_FORGOTTEN;
  }
  memset(counters->copies, 0, sizeof counters->copies);
  counters->mismatches = 0;
}

static void add_calls(struct tac_device_calls *sum, const struct tac_device_calls *more) {
  sum->count = tac_sum_counts(sum->count, more->count);
  if (more->timed == 0)
    return;
  if (sum->timed == 0 || more->min_ns < sum->min_ns)
    sum->min_ns = more->min_ns;
  if (sum->timed == 0 || more->max_ns > sum->max_ns)
    sum->max_ns = more->max_ns;
  sum->timed = tac_sum_counts(sum->timed, more->timed);
  sum->total_ns = tac_sum_times(sum->total_ns, more->total_ns);
}

static void add_time(struct tac_device_calls *calls, int64_t duration_ns) {
  add_calls(calls,
            &(struct tac_device_calls){.timed = 1, .total_ns = duration_ns, .min_ns = duration_ns, .max_ns = duration_ns});
}

/* An array twice as large as before with the same contents; the old one is released. NULL, and nothing done, without memory. */
static void *grown(const struct tac_device_counters *counters, void *array, size_t *capacity, size_t element_bytes) {
  const size_t larger_capacity = *capacity ? 2 * *capacity : FIRST_CAPACITY;
  void *larger = larger_capacity <= SIZE_MAX / 2 / element_bytes ? allocate(counters, larger_capacity * element_bytes) : NULL;
  if (!larger)
    return NULL;
  if (array)
    memcpy(larger, array, *capacity * element_bytes);
  release(counters, array);
  *capacity = larger_capacity;
  return larger;
}

/* The number of a label, made when it is new; TAC_CALL_UNRECORDED without room for it. */
static uint64_t number_of(const struct tac_device_counters *counters, struct tac_call_list *list, const char *label) {
  const char *text = label ? label : "";
  const size_t before = list->labels.count;
  if (before == list->capacity && tac_label_table_find(&list->labels, text) == TAC_NO_LABEL) {
    struct tac_device_calls *larger = grown(counters, list->calls, &list->capacity, sizeof *list->calls);
    if (!larger)
      return TAC_CALL_UNRECORDED;
    list->calls = larger;
  }
  const size_t number = tac_label_table_add(&list->labels, text);
  if (number == TAC_NO_LABEL)
    return TAC_CALL_UNRECORDED;
  if (list->labels.count > before)
    list->calls[number] = (struct tac_device_calls){0};
  return number;
}

static struct tac_device_calls *calls_of(struct tac_call_list *list, uint64_t number) {
  return number == TAC_CALL_UNRECORDED ? &list->unrecorded : &list->calls[number];
}

/* The clock is read last, so that the bookkeeping is not in the time. Above a call without memory for it all are untimed, so
 * that ends still find their begins. */
static void push(const struct tac_device_counters *counters, struct tac_call_list *list, uint64_t number) {
  if (list->depth == list->begun_capacity && list->untimed == 0) {
    struct tac_begun_call *larger = grown(counters, list->begun, &list->begun_capacity, sizeof *list->begun);
    list->begun = larger ? larger : list->begun;
  }
  if (list->depth == list->begun_capacity || list->untimed > 0)
    list->untimed++;
  else
    list->begun[list->depth++] = (struct tac_begun_call){number, now(counters)};
}

/* What was begun last, taken off; NULL where its end adds no time. */
static const struct tac_begun_call *pop(struct tac_device_counters *counters, struct tac_call_list *list, uint64_t handle,
                                        uint64_t expected) {
  if (list->depth == 0) {
    counters->mismatches++;
    return NULL;
  }
  const struct tac_begun_call *begun = &list->begun[--list->depth];
  if (begun->number == TAC_CALL_FORGOTTEN)
    return NULL;
  if (handle != expected) {
    counters->mismatches++;
    return NULL;
  }
  return begun;
}

void tac_device_counters_drop(struct tac_device_counters *counters, struct tac_call_list *list, size_t open) {
  while (list->depth + list->untimed > open) {
    if (list->untimed > 0)
      list->untimed--;
    else
      list->depth--;
    counters->mismatches++;
  }
}

void tac_device_counters_launch_begin(struct tac_device_counters *counters, const char *label, uint64_t *handle) {
  struct tac_call_list *list = &counters->lists[TAC_DEVICE_LAUNCHES];
  *handle = number_of(counters, list, label);
  add_calls(calls_of(list, *handle), &(struct tac_device_calls){.count = 1});
  push(counters, list, *handle);
}

void tac_device_counters_launch_end(struct tac_device_counters *counters, uint64_t handle) {
  const int64_t end_ns = now(counters);
  struct tac_call_list *list = &counters->lists[TAC_DEVICE_LAUNCHES];
  if (list->untimed > 0) {
    list->untimed--;
    return;
  }
  const uint64_t expected = list->depth > 0 ? list->begun[list->depth - 1].number : 0;
  const struct tac_begun_call *begun = pop(counters, list, handle, expected);
  if (begun)
    add_time(calls_of(list, begun->number), end_ns - begun->start_ns);
}

void tac_device_counters_fence_begin(struct tac_device_counters *counters, const char *label, uint64_t *handle) {
  struct tac_call_list *list = &counters->lists[TAC_DEVICE_FENCES];
  *handle = 0;
  push(counters, list, number_of(counters, list, label));
}

/* Its time; -1: it has none. */
static int64_t end_fence(struct tac_device_counters *counters, uint64_t handle) {
  const int64_t end_ns = now(counters);
  struct tac_call_list *list = &counters->lists[TAC_DEVICE_FENCES];
  if (list->untimed > 0) { /* its label was not kept either */
    list->untimed--;
    list->unrecorded.count = tac_sum_counts(list->unrecorded.count, 1);
    return -1;
  }
  const struct tac_begun_call *begun = pop(counters, list, handle, 0);
  if (!begun)
    return -1;
  struct tac_device_calls *calls = calls_of(list, begun->number);
  calls->count = tac_sum_counts(calls->count, 1);
  add_time(calls, end_ns - begun->start_ns);
  return end_ns - begun->start_ns;
}

void tac_device_counters_fence_end(struct tac_device_counters *counters, uint64_t handle) {
  end_fence(counters, handle);
}

void tac_device_counters_wait_end(struct tac_device_counters *counters, uint64_t handle) {
  const int64_t waited_ns = end_fence(counters, handle);
  const struct tac_call_list *launches = &counters->lists[TAC_DEVICE_LAUNCHES];
  for (size_t i = 0; i < launches->depth; i++)
    if (waited_ns < 0)
      launches->begun[i].number = TAC_CALL_FORGOTTEN;
    else
      launches->begun[i].start_ns += waited_ns;
}

static void add_copies(struct tac_device_copies *sum, const struct tac_device_copies *more) {
  sum->saturated |= more->saturated || more->bytes > UINT64_MAX - sum->bytes;
  sum->bytes = tac_sum_counts(sum->bytes, more->bytes);
  sum->count = tac_sum_counts(sum->count, more->count);
}

void tac_device_counters_copy(struct tac_device_counters *counters, enum tac_copy_direction direction, uint64_t bytes) {
  if ((unsigned)direction >= TAC_COPY_DIRECTIONS)
    counters->mismatches++;
  else
    add_copies(&counters->copies[direction], &(struct tac_device_copies){.count = 1, .bytes = bytes});
}

enum tac_status tac_device_counters_merge(struct tac_device_counters *into, const struct tac_device_counters *from,
                                          struct tac_error *error) {
  if (!into || !from || into == from)
    return tac_error_set(error, TAC_STATUS_INVALID, __func__, "counters are missing, or both sets are the same");
  for (int kind = 0; kind < TAC_DEVICE_CALL_KINDS; kind++) {
    struct tac_call_list *list = &into->lists[kind];
    const struct tac_call_list *other = &from->lists[kind];
    for (size_t i = 0; i < other->labels.count; i++)
      add_calls(calls_of(list, number_of(into, list, other->labels.labels[i])), &other->calls[i]);
    add_calls(&list->unrecorded, &other->unrecorded);
  }
  for (int direction = 0; direction < TAC_COPY_DIRECTIONS; direction++)
    add_copies(&into->copies[direction], &from->copies[direction]);
  into->mismatches = tac_sum_counts(into->mismatches, from->mismatches);
  return TAC_STATUS_OK;
}

static int is_kind(enum tac_device_call_kind kind) {
  return (unsigned)kind < TAC_DEVICE_CALL_KINDS;
}

size_t tac_device_counters_labels(const struct tac_device_counters *counters, enum tac_device_call_kind kind) {
  return is_kind(kind) ? counters->lists[kind].labels.count : 0;
}

struct tac_device_calls tac_device_counters_at(const struct tac_device_counters *counters, enum tac_device_call_kind kind,
                                               size_t number) {
  struct tac_device_calls calls = {0};
  if (number < tac_device_counters_labels(counters, kind)) {
    calls = counters->lists[kind].calls[number];
    calls.label = counters->lists[kind].labels.labels[number];
  }
  return calls;
}

struct tac_device_calls tac_device_counters_find(const struct tac_device_counters *counters, enum tac_device_call_kind kind,
                                                 const char *label) {
  const size_t number = is_kind(kind) && label ? tac_label_table_find(&counters->lists[kind].labels, label) : TAC_NO_LABEL;
  struct tac_device_calls calls = tac_device_counters_at(counters, kind, number);
  if (number == TAC_NO_LABEL)
    calls.label = label;
  return calls;
}

struct tac_device_calls tac_device_counters_unrecorded(const struct tac_device_counters *counters,
                                                       enum tac_device_call_kind kind) {
  return is_kind(kind) ? counters->lists[kind].unrecorded : (struct tac_device_calls){0};
}

struct tac_device_calls tac_device_counters_total(const struct tac_device_counters *counters, enum tac_device_call_kind kind) {
  struct tac_device_calls total = tac_device_counters_unrecorded(counters, kind);
  for (size_t i = 0; i < tac_device_counters_labels(counters, kind); i++)
    add_calls(&total, &counters->lists[kind].calls[i]);
  return total;
}

struct tac_device_copies tac_device_counters_copies(const struct tac_device_counters *counters,
                                                    enum tac_copy_direction direction) {
  return (unsigned)direction < TAC_COPY_DIRECTIONS ? counters->copies[direction] : (struct tac_device_copies){0};
}

uint64_t tac_device_counters_mismatches(const struct tac_device_counters *counters) {
  return counters->mismatches;
}
