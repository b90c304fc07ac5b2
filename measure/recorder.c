/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "measure/recorder.h"

#include <string.h>

enum { LABEL_LIMIT = 1000 };

void tac_recorder_options_init(struct tac_recorder_options *options) {
  *options = (struct tac_recorder_options){.size = sizeof *options, .level = TAC_COARSE, .batch_limit = 10000};
}

static enum tac_status check_events(const struct tac_event_set *set, struct tac_error *error) {
  if (!set || (set->count > 0 && !set->events))
    return tac_error_set(error, TAC_STATUS_INVALID, "tac_recorder_create", "no event set");
  for (size_t i = 0; i < set->count; i++) {
    const struct tac_event *event = &set->events[i];
    if (!event->name)
      return tac_error_set(error, TAC_STATUS_INVALID, "tac_recorder_create", "event %zu has no name", i);
    if (event->parent != TAC_NO_EVENT && (event->parent < 0 || (size_t)event->parent >= i))
      return tac_error_set(error, TAC_STATUS_INVALID, "tac_recorder_create",
                           "event %zu has the parent %d: a parent stands before its children", i, event->parent);
  }
  return TAC_STATUS_OK;
}

static enum tac_status check_options(const struct tac_recorder_options *options, struct tac_error *error) {
  if (!options || options->size != sizeof *options)
    return tac_error_set(error, TAC_STATUS_INVALID, "tac_recorder_create", "options not filled by tac_recorder_options_init");
  if (options->level != TAC_COARSE && options->level != TAC_DETAILED && options->level != TAC_HOOKED)
    return tac_error_set(error, TAC_STATUS_INVALID, "tac_recorder_create",
                         "a recorder records at coarse, detailed or hooked, not %s", tac_level_name(options->level));
  if ((options->level == TAC_HOOKED) != (options->hooks != NULL))
    return tac_error_set(error, TAC_STATUS_INVALID, "tac_recorder_create",
                         options->hooks ? "hooks are called at the level hooked only" : "the level hooked needs hooks");
  return check_events(options->events, error);
}

enum tac_status tac_recorder_create(struct tac_recorder **out, const struct tac_recorder_options *options,
                                    struct tac_error *error) {
  if (!out)
    return tac_error_set(error, TAC_STATUS_INVALID, __func__, "no place for the recorder");
  *out = NULL;
  enum tac_status status = check_options(options, error);
  if (status != TAC_STATUS_OK)
    return status;
  const struct tac_allocator *allocator = options->allocator ? options->allocator : tac_allocator_system();
  const size_t count = options->events->count;
  struct tac_recorder *recorder = allocator->allocate(allocator->context, sizeof *recorder);
  if (!recorder)
    return tac_error_set(error, TAC_STATUS_MEMORY, __func__, "no memory for a recorder");
  *recorder = (struct tac_recorder){.options = *options};
  recorder->options.allocator = allocator;
  recorder->labels = (struct tac_label_table){.allocator = allocator, .limit = LABEL_LIMIT};
  if (!recorder->options.clock)
    recorder->options.clock = tac_clock_monotonic();
  recorder->stats = tac_recorder_allocate(recorder, (count + 1) * sizeof *recorder->stats);
  recorder->summaries = tac_recorder_allocate(recorder, (count + 1) * sizeof *recorder->summaries);
  recorder->device_stats = tac_recorder_allocate(recorder, (count + 1) * sizeof *recorder->device_stats);
  if (!recorder->stats || !recorder->summaries || !recorder->device_stats) {
    tac_recorder_destroy(&recorder);
    return tac_error_set(error, TAC_STATUS_MEMORY, __func__, "no memory for a recorder of %zu events", count);
  }
  tac_recorder_reset(recorder);
  *out = recorder;
  return TAC_STATUS_OK;
}

static void release_store(const struct tac_recorder *recorder, const struct tac_device_store *store) {
  tac_recorder_release(recorder, store->slot);
  tac_recorder_release(recorder, store->interval);
}

void tac_recorder_destroy(struct tac_recorder **recorder) {
  if (!recorder || !*recorder)
    return;
  struct tac_recorder *gone = *recorder;
  const struct tac_allocator *allocator = gone->options.allocator;
  for (size_t i = 0; i < gone->batch_capacity; i++) {
    tac_recorder_release(gone, gone->batches[i].slots.slot);
    release_store(gone, &gone->batches[i].device);
  }
  tac_recorder_release(gone, gone->batches);
  tac_recorder_release(gone, gone->slots.slot);
  tac_recorder_release(gone, gone->scratch);
  tac_recorder_release(gone, gone->stats);
  tac_recorder_release(gone, gone->summaries);
  tac_recorder_release(gone, gone->device_stats);
  tac_recorder_release(gone, gone->device_scratch);
  release_store(gone, &gone->device);
  release_store(gone, &gone->between);
  tac_label_table_release(&gone->labels);
  allocator->release(allocator->context, gone);
  *recorder = NULL;
}

void tac_recorder_reset(struct tac_recorder *recorder) {
  const size_t count = recorder->options.events->count;
  memset(recorder->stats, 0, count * sizeof *recorder->stats);
  memset(recorder->summaries, 0, count * sizeof *recorder->summaries);
  memset(recorder->device_stats, 0, count * sizeof *recorder->device_stats);
  recorder->batch_count = 0;
  recorder->dropped = recorder->mismatches = recorder->device_lost = 0;
  tac_label_table_clear(&recorder->labels);
  if (recorder->depth > 0) {
    const int64_t now_ns = tac_recorder_now(recorder);
    for (size_t i = 0; i < recorder->depth; i++)
      recorder->open[i].start_ns = now_ns;
  }
}

static int has_event(const struct tac_recorder *recorder, int event) {
  return event >= 0 && (size_t)event < recorder->options.events->count;
}

void tac_recorder_enter(struct tac_recorder *recorder, int event) {
  if (!has_event(recorder, event)) {
    recorder->mismatches++;
    return;
  }
  if (recorder->depth == TAC_RECORDER_DEPTH) {
    recorder->too_deep++;
    recorder->mismatches++;
    return;
  }
  const struct tac_hooks *hooks = recorder->options.hooks;
  if (hooks && hooks->phase_enter)
    hooks->phase_enter(hooks->context, event, recorder->options.events->events[event].name);
  recorder->open[recorder->depth++] = (struct tac_open_phase){event, tac_recorder_now(recorder)};
}

void tac_recorder_leave(struct tac_recorder *recorder, int event) {
  if (recorder->too_deep > 0 && has_event(recorder, event)) {
    recorder->too_deep--;
    return;
  }
  if (recorder->depth == 0 || recorder->open[recorder->depth - 1].event != event) {
    recorder->mismatches++;
    return;
  }
  const int64_t now_ns = tac_recorder_now(recorder);
  tac_event_stats_add(&recorder->stats[event], now_ns - recorder->open[--recorder->depth].start_ns);
  const struct tac_hooks *hooks = recorder->options.hooks;
  if (hooks && hooks->phase_leave)
    hooks->phase_leave(hooks->context, event, recorder->options.events->events[event].name);
}

void tac_event_stats_add(struct tac_event_stats *stats, int64_t duration_ns) {
  if (stats->count == 0 || duration_ns < stats->min_ns)
    stats->min_ns = duration_ns;
  if (stats->count == 0 || duration_ns > stats->max_ns)
    stats->max_ns = duration_ns;
  stats->total_ns += duration_ns;
  stats->count++;
}

enum tac_level tac_recorder_level(const struct tac_recorder *recorder) {
  return recorder->options.level;
}

const struct tac_event_set *tac_recorder_events(const struct tac_recorder *recorder) {
  return recorder->options.events;
}

const struct tac_clock *tac_recorder_clock(const struct tac_recorder *recorder) {
  return recorder->options.clock;
}

struct tac_event_stats tac_recorder_stats(const struct tac_recorder *recorder, int event) {
  return has_event(recorder, event) ? recorder->stats[event] : (struct tac_event_stats){0};
}

struct tac_batch_summary tac_recorder_summary(const struct tac_recorder *recorder, int event) {
  return has_event(recorder, event) ? recorder->summaries[event] : (struct tac_batch_summary){0};
}

size_t tac_recorder_batch_count(const struct tac_recorder *recorder) {
  return recorder->batch_count;
}

const struct tac_batch_record *tac_recorder_batch(const struct tac_recorder *recorder, size_t number) {
  return number < recorder->batch_count ? &recorder->batches[number].record : NULL;
}

uint64_t tac_recorder_dropped(const struct tac_recorder *recorder) {
  return recorder->dropped;
}

uint64_t tac_recorder_mismatches(const struct tac_recorder *recorder) {
  return recorder->mismatches;
}

const struct tac_slot *tac_recorder_slots(const struct tac_recorder *recorder, size_t number, size_t *count) {
  const int there = recorder->options.keep_slots && number < recorder->batch_count;
  *count = there ? (size_t)recorder->batches[number].record.requested : 0;
  return there ? recorder->batches[number].slots.slot : NULL;
}

struct tac_device_stats tac_recorder_device_stats(const struct tac_recorder *recorder, int event) {
  return has_event(recorder, event) ? recorder->device_stats[event] : (struct tac_device_stats){0};
}

int tac_recorder_has_device(const struct tac_recorder *recorder) {
  for (size_t i = 0; i < recorder->options.events->count; i++)
    if (recorder->device_stats[i].commands > 0)
      return 1;
  return 0;
}

static const struct tac_device_store *kept_store(const struct tac_recorder *recorder, size_t number) {
  return recorder->options.keep_slots && number < recorder->batch_count ? &recorder->batches[number].device : NULL;
}

const struct tac_device_slot *tac_recorder_device_slots(const struct tac_recorder *recorder, size_t number, size_t *count) {
  const struct tac_device_store *store = kept_store(recorder, number);
  *count = store ? store->slots : 0;
  return *count > 0 ? store->slot : NULL;
}

const struct tac_device_interval *tac_recorder_device_intervals(const struct tac_recorder *recorder, size_t number,
                                                                size_t *count) {
  const struct tac_device_store *store = kept_store(recorder, number);
  *count = store ? store->intervals : 0;
  return *count > 0 ? store->interval : NULL;
}

uint64_t tac_recorder_device_lost(const struct tac_recorder *recorder) {
  return recorder->device_lost;
}
