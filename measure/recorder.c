/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "measure/recorder.h"

#include <string.h>

#include "measure/saturate.h"
#include "measure/trace.h"

enum { LABEL_LIMIT = 1000 };

void tac_recorder_options_init(struct tac_recorder_options *options) {
  *options = (struct tac_recorder_options){
      .size = sizeof *options, .level = TAC_COARSE, .batch_limit = 10000, .slot_limit = SIZE_MAX, .timeline_limit = 10000};
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

/* 0: there is no memory. */
static int allocate_all(struct tac_recorder *recorder) {
  const size_t count = recorder->options.events->count, limit = recorder->options.timeline_limit;
  struct tac_timeline *timeline = &recorder->timeline;
  recorder->stats = tac_recorder_allocate(recorder, (count + 1) * sizeof *recorder->stats);
  recorder->summaries = tac_recorder_allocate(recorder, (count + 1) * sizeof *recorder->summaries);
  recorder->device_stats = tac_recorder_allocate(recorder, (count + 1) * sizeof *recorder->device_stats);
  recorder->histograms = tac_recorder_allocate(recorder, (count + 1) * sizeof *recorder->histograms);
  if (recorder->histograms)
    for (size_t i = 0; i < count; i++)
      recorder->histograms[i] = NULL;
  if (limit > 0 && limit <= SIZE_MAX / sizeof *timeline->entry)
    timeline->entry = tac_recorder_allocate(recorder, limit * sizeof *timeline->entry);
  timeline->limit = limit;
  return recorder->stats && recorder->summaries && recorder->device_stats && recorder->histograms &&
         (limit == 0 || timeline->entry);
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
  struct tac_recorder *recorder = allocator->allocate(allocator->context, sizeof *recorder);
  if (!recorder)
    return tac_error_set(error, TAC_STATUS_MEMORY, __func__, "no memory for a recorder");
  *recorder = (struct tac_recorder){.options = *options};
  recorder->options.allocator = allocator;
  recorder->labels = (struct tac_label_table){.allocator = allocator, .limit = LABEL_LIMIT};
  if (!recorder->options.clock)
    recorder->options.clock = tac_clock_monotonic();
  if (!allocate_all(recorder)) {
    tac_recorder_destroy(&recorder);
    return tac_error_set(error, TAC_STATUS_MEMORY, __func__, "no memory for a recorder of %zu events", options->events->count);
  }
  tac_recorder_reset(recorder);
  *out = recorder;
  return TAC_STATUS_OK;
}

static void release_slots(const struct tac_recorder *recorder, const struct tac_slots *slots) {
  tac_recorder_release(recorder, slots->slot);
  tac_recorder_release(recorder, slots->cost);
  tac_recorder_release(recorder, slots->term);
}

static void release_histograms(const struct tac_recorder *recorder) {
  if (recorder->histograms)
    for (size_t i = 0; i < recorder->options.events->count; i++)
      tac_recorder_release(recorder, recorder->histograms[i]);
  tac_recorder_release(recorder, recorder->histograms);
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
    release_slots(gone, &gone->batches[i].slots);
    release_store(gone, &gone->batches[i].device);
  }
  tac_recorder_release(gone, gone->batches);
  release_slots(gone, &gone->slots);
  release_histograms(gone);
  tac_recorder_release(gone, gone->timeline.entry);
  tac_recorder_release(gone, gone->lane_busy_ns);
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
  for (size_t i = 0; i < count; i++)
    if (recorder->histograms[i])
      *recorder->histograms[i] = (struct tac_histogram){0};
  recorder->batch_count = 0;
  recorder->batches_ran = recorder->slots_kept = recorder->slots_dropped = 0;
  recorder->dropped = recorder->mismatches = recorder->device_lost = 0;
  tac_label_table_clear(&recorder->labels);
  recorder->timeline.count = 0;
  recorder->timeline.dropped = 0;
  recorder->origin_ns = tac_recorder_now(recorder);
  for (size_t i = 0; i < recorder->depth; i++) {
    struct tac_open_phase *phase = &recorder->open[i];
    phase->start_ns = recorder->origin_ns;
    phase->place = tac_timeline_begin(&recorder->timeline, phase->event, i);
  }
}

static void tell(struct tac_trace *trace, const char *name, size_t place, int64_t begin_ns, int64_t end_ns) {
  if (place == TAC_NOT_ON_TIMELINE)
    trace->dropped++;
  else
    tac_trace_phase(trace, name, begin_ns, end_ns);
}

static void add_duration(struct tac_event_stats *stats, int64_t duration_ns) {
  if (stats->count == 0 || duration_ns < stats->min_ns)
    stats->min_ns = duration_ns;
  if (stats->count == 0 || duration_ns > stats->max_ns)
    stats->max_ns = duration_ns;
  stats->total_ns = tac_sum_times(stats->total_ns, duration_ns);
  stats->count++;
}

void tac_recorder_end(struct tac_recorder *recorder, int event, size_t place, int64_t begin_ns, int64_t end_ns) {
  add_duration(&recorder->stats[event], end_ns - begin_ns);
  tac_timeline_end(&recorder->timeline, place, begin_ns, end_ns);
  if (recorder->options.trace)
    tell(recorder->options.trace, recorder->options.events->events[event].name, place, begin_ns, end_ns);
}

void tac_recorder_enter(struct tac_recorder *recorder, int event) {
  if (!tac_recorder_has_event(recorder, event)) {
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
  struct tac_open_phase *phase = &recorder->open[recorder->depth];
  phase->event = event;
  phase->place = tac_timeline_begin(&recorder->timeline, event, recorder->depth++);
  phase->start_ns = tac_recorder_now(recorder);
}

void tac_recorder_leave(struct tac_recorder *recorder, int event) {
  if (recorder->too_deep > 0 && tac_recorder_has_event(recorder, event)) {
    recorder->too_deep--;
    return;
  }
  if (recorder->depth == 0 || recorder->open[recorder->depth - 1].event != event) {
    recorder->mismatches++;
    return;
  }
  const int64_t now_ns = tac_recorder_now(recorder);
  const struct tac_open_phase *phase = &recorder->open[--recorder->depth];
  tac_recorder_end(recorder, event, phase->place, phase->start_ns, now_ns);
  const struct tac_hooks *hooks = recorder->options.hooks;
  if (hooks && hooks->phase_leave)
    hooks->phase_leave(hooks->context, event, recorder->options.events->events[event].name);
}
