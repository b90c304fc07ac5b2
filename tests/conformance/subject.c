/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "tests/conformance/subject.h"

#include <tactus/runtime/clock.h>

struct tac_battery tac_subject;

static const struct tac_event events[] = {{"battery", TAC_NO_EVENT, 1}};
static const struct tac_event_set event_set = {"battery", 1, events};

static atomic_int clock_reads;
static atomic_size_t item_enters, item_leaves;

static int64_t counted_now(void *context) {
  (void)context;
  atomic_fetch_add_explicit(&clock_reads, 1, memory_order_relaxed);
  return tac_clock_monotonic()->now_ns(NULL);
}

static const struct tac_clock counted_clock = {"counted", counted_now, NULL};

static void item_enter(void *context, int event, size_t index, int lane) {
  (void)context, (void)event, (void)index, (void)lane;
  atomic_fetch_add(&item_enters, 1);
}

static void item_leave(void *context, int event, size_t index, int lane, enum tac_status status) {
  (void)context, (void)event, (void)index, (void)lane, (void)status;
  atomic_fetch_add(&item_leaves, 1);
}

static const struct tac_hooks hooks = {.item_enter = item_enter, .item_leave = item_leave};

enum tac_status tac_subject_try_open(struct subject *subject, const struct tac_allocator *allocator) {
  struct tac_scheduler_options options;
  tac_scheduler_options_init(&options);
  options.table = tac_subject.executor;
  options.executor_options.lanes = tac_subject.lanes;
  options.level = tac_subject.level;
  options.allocator = allocator;
  struct tac_recorder_options recorder_options;
  tac_recorder_options_init(&recorder_options);
  recorder_options.events = &event_set;
  recorder_options.level = tac_subject.level;
  recorder_options.clock = &counted_clock;
  recorder_options.allocator = allocator;
  recorder_options.keep_slots = 1;
  recorder_options.hooks = tac_subject.level == TAC_HOOKED ? &hooks : NULL;
  *subject = (struct subject){0};
  atomic_store(&item_enters, 0);
  atomic_store(&item_leaves, 0);
  enum tac_status status = tac_scheduler_create(&subject->scheduler, &options, &subject->error);
  if (status == TAC_STATUS_OK && tac_subject.level != TAC_OFF)
    status = tac_recorder_create(&subject->recorder, &recorder_options, &subject->error);
  atomic_store(&clock_reads, 0); /* from the recorder's origin on */
  if (status != TAC_STATUS_OK)
    tac_subject_close(subject);
  return status;
}

void tac_subject_open(struct subject *subject, const struct tac_allocator *allocator) {
  const enum tac_status status = tac_subject_try_open(subject, allocator);
  ck_assert_msg(status == TAC_STATUS_OK, "no scheduler: %s", subject->error.text);
  ck_assert_int_ge(tac_scheduler_lanes(subject->scheduler), 1);
}

void tac_subject_close(struct subject *subject) {
  tac_scheduler_destroy(&subject->scheduler);
  tac_recorder_destroy(&subject->recorder);
}

int tac_subject_clock_reads(void) {
  return atomic_load(&clock_reads);
}

size_t tac_subject_item_hooks(void) {
  ck_assert_uint_eq(atomic_load(&item_enters), atomic_load(&item_leaves));
  return atomic_load(&item_leaves);
}

int tac_subject_lanes(size_t count) {
  return count < (size_t)tac_subject.lanes ? (int)count : tac_subject.lanes;
}

static void check_record(const struct subject *subject, const struct tac_batch *batch, enum tac_status status) {
  size_t count, started = 0;
  const size_t number = tac_recorder_batch_count(subject->recorder) - 1;
  const struct tac_batch_record *record = tac_recorder_batch(subject->recorder, number);
  ck_assert_int_eq(record->status, status);
  ck_assert_uint_eq(record->requested, batch->count);
  ck_assert_uint_eq(record->started, record->completed);
  if (status == TAC_STATUS_OK)
    ck_assert_uint_eq(record->started, batch->count);
  ck_assert_int_le(record->lanes, tac_subject_lanes(batch->count));
  ck_assert_uint_le(record->peak_overlap, (uint64_t)record->lanes);
  ck_assert_int_le(record->item_max_ns, record->item_total_ns);
  const struct tac_slot *slots = tac_recorder_slots(subject->recorder, number, &count);
  ck_assert_uint_eq(count, batch->count);
  for (size_t i = 0; i < count; i++) {
    started += slots[i].start_sequence != 0;
    if (slots[i].start_sequence &&
        (slots[i].index != i || slots[i].starts != 1 || slots[i].finish_ns < slots[i].start_ns || slots[i].lane < 0 ||
         slots[i].lane >= record->lanes || slots[i].finish_sequence <= slots[i].start_sequence))
      ck_abort_msg("the slot of item %zu is wrong", i);
  }
  ck_assert_uint_eq(started, record->started);
}

enum tac_status tac_subject_run(struct subject *subject, struct tac_batch batch) {
  tac_error_clear(&subject->error);
  if (tac_subject.level == TAC_OFF)
    return tac_run_batch(subject->scheduler, &batch, &subject->error);
  const uint64_t before = tac_recorder_stats(subject->recorder, 0).count;
  const size_t records = tac_recorder_batch_count(subject->recorder);
  const enum tac_status status = tac_run_batch_measured(subject->scheduler, &batch, subject->recorder, &subject->error);
  if (tac_recorder_stats(subject->recorder, 0).count == before) {
    ck_assert_msg(status != TAC_STATUS_OK, "a batch that ran left no duration");
    return status;
  }
  if (tac_subject.level == TAC_DETAILED) {
    ck_assert_uint_eq(tac_recorder_batch_count(subject->recorder), records + 1);
    check_record(subject, &batch, status);
  }
  return status;
}

void tac_counts_open(struct counts *counts, size_t count) {
  counts->count = count;
  counts->ran = calloc(count + 1, sizeof *counts->ran);
  ck_assert_ptr_nonnull(counts->ran);
}

void tac_counts_close(struct counts *counts) {
  free(counts->ran);
}

enum tac_status tac_count_item(void *context, size_t index, struct tac_lane *lane) {
  (void)lane;
  atomic_fetch_add_explicit(&((const struct counts *)context)->ran[index], 1, memory_order_relaxed);
  return TAC_STATUS_OK;
}

void tac_counts_expect(const struct counts *counts, unsigned times) {
  for (size_t i = 0; i < counts->count; i++)
    if (counts->ran[i] != times)
      ck_abort_msg("item %zu of %zu ran %u times, not %u", i, counts->count, (unsigned)counts->ran[i], times);
}

size_t tac_counts_ran(const struct counts *counts) {
  size_t ran = 0;
  for (size_t i = 0; i < counts->count; i++) {
    ck_assert_uint_le(counts->ran[i], 1);
    ran += counts->ran[i];
  }
  return ran;
}
