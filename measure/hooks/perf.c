/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "measure/hooks/backend.h"

#include <stdio.h>
#include <string.h>

#include "measure/hooks/perf_events.h"

/* The counters of one family, which the kernel reads in one call. */
struct group {
  size_t count;
  size_t counter[TAC_HOOK_COUNTERS_MOST]; /* numbers in the plan */
};

struct perf {
  const struct tac_perf_event *event[TAC_HOOK_COUNTERS_MOST]; /* of each counter of the plan */
  size_t groups;
  struct group group[TAC_PERF_FAMILIES];
};

/* On one thread: leader[g] is the first descriptor of group g. */
struct thread {
  const struct perf *perf;
  size_t descriptors;
  int descriptor[TAC_HOOK_COUNTERS_MOST], leader[TAC_PERF_FAMILIES];
};

/* Whether an event can be opened here at all. */
static enum tac_status try_event(const struct tac_perf_event *event, struct tac_error *error) {
  const int descriptor = tac_perf_event_open(event, -1);
  if (descriptor < 0)
    return tac_perf_event_refused(event, descriptor, error);
  tac_perf_close(descriptor);
  return TAC_STATUS_OK;
}

static enum tac_status probe(struct tac_error *error) {
  return try_event(tac_perf_event_find("task-clock"), error);
}

static enum tac_status list(tac_hook_counter_fn take, void *context, struct tac_error *error) {
  size_t count;
  const struct tac_perf_event *events = tac_perf_events(&count);
  const enum tac_status status = probe(error);
  for (size_t i = 0; i < count && status == TAC_STATUS_OK; i++) {
    struct tac_error reason;
    tac_error_clear(&reason);
    const int there = try_event(&events[i], &reason) == TAC_STATUS_OK;
    if (take(context, events[i].name, there ? NULL : reason.text + strlen(events[i].name) + strlen(": ")))
      break;
  }
  return status;
}

static void add_to_group(struct perf *perf, enum tac_perf_family family, size_t counter) {
  size_t g = 0;
  while (g < perf->groups && perf->event[perf->group[g].counter[0]]->family != family)
    g++;
  if (g == perf->groups)
    perf->groups++;
  perf->group[g].counter[perf->group[g].count++] = counter;
}

static void add_event(struct tac_hook_plan *plan, struct perf *perf, size_t counter, const struct tac_perf_event *event) {
  perf->event[counter] = event;
  snprintf(plan->counter[counter].name, sizeof plan->counter[counter].name, "%s", event->name);
  snprintf(plan->counter[counter].unit, sizeof plan->counter[counter].unit, "%s", event->unit);
  add_to_group(perf, event->family, counter);
}

static enum tac_status choose_named(struct tac_hook_plan *plan, struct perf *perf, struct tac_error *error) {
  enum tac_status status = tac_hook_plan_names(plan, "perf", error);
  for (size_t c = 0; c < plan->counters && status == TAC_STATUS_OK; c++) {
    const struct tac_perf_event *event = tac_perf_event_find(plan->counter[c].name);
    if (!event)
      return tac_hook_counter_unknown(&tac_hook_backend_perf.kind, plan->counter[c].name, error);
    status = try_event(event, error);
    if (status == TAC_STATUS_OK)
      add_event(plan, perf, c, event);
  }
  return status;
}

/* Those that there are; the first one that is missing says why in the note. */
static void choose_default(struct tac_hook_plan *plan, struct perf *perf) {
  size_t count, missing = 0;
  const struct tac_perf_event *events = tac_perf_events(&count);
  for (size_t i = 0; i < count; i++) {
    struct tac_error reason;
    if (!events[i].by_default)
      continue;
    if (try_event(&events[i], &reason) == TAC_STATUS_OK)
      add_event(plan, perf, plan->counters++, &events[i]);
    else if (missing++ == 0)
      snprintf(plan->note, sizeof plan->note, "Not counted: %.120s", reason.text);
  }
  const size_t length = strlen(plan->note);
  if (missing > 1)
    snprintf(plan->note + length, sizeof plan->note - length, "; nor are %zu others", missing - 1);
}

static void note_user_part(struct tac_hook_plan *plan, const struct perf *perf) {
  const size_t length = strlen(plan->note);
  for (size_t c = 0; c < plan->counters; c++)
    if (perf->event[c]->family != TAC_PERF_SOFTWARE) {
      snprintf(plan->note + length, sizeof plan->note - length,
               "%sHardware counters are of the program's own part, not of the kernel's", length ? ". " : "");
      return;
    }
}

static enum tac_status create(struct tac_hook_plan *plan, struct tac_error *error) {
  enum tac_status status = tac_hook_plan_state(plan, sizeof(struct perf), "perf", error);
  if (status != TAC_STATUS_OK)
    return status;
  struct perf *perf = plan->state;
  if (plan->names)
    status = choose_named(plan, perf, error);
  else
    choose_default(plan, perf);
  if (status == TAC_STATUS_OK)
    note_user_part(plan, perf);
  return status;
}

static void close_thread(void *argument) {
  const struct thread *thread = argument;
  for (size_t i = 0; i < thread->descriptors; i++)
    tac_perf_close(thread->descriptor[i]);
}

static enum tac_status open_group(struct thread *thread, size_t number, struct tac_error *error) {
  const struct perf *perf = thread->perf;
  const struct group *group = &perf->group[number];
  for (size_t i = 0; i < group->count; i++) {
    const struct tac_perf_event *event = perf->event[group->counter[i]];
    const int descriptor = tac_perf_event_open(event, i ? thread->leader[number] : -1);
    if (descriptor < 0)
      return tac_perf_event_refused(event, descriptor, error);
    if (i == 0)
      thread->leader[number] = descriptor;
    thread->descriptor[thread->descriptors++] = descriptor;
  }
  const int started = tac_perf_start(thread->leader[number]);
  return started == 0 ? TAC_STATUS_OK : tac_perf_event_refused(perf->event[group->counter[0]], started, error);
}

static enum tac_status open_thread(void *argument, const struct tac_hook_plan *plan, struct tac_error *error) {
  struct thread *thread = argument;
  thread->perf = plan->state;
  enum tac_status status = TAC_STATUS_OK;
  for (size_t g = 0; g < thread->perf->groups && status == TAC_STATUS_OK; g++)
    status = open_group(thread, g, error);
  return status;
}

static enum tac_status read_thread(struct tac_hook_reading *reading, void *argument, struct tac_error *error) {
  const struct thread *thread = argument;
  for (size_t g = 0; g < thread->perf->groups; g++) {
    uint64_t number[3 + TAC_HOOK_COUNTERS_MOST];
    const struct group *group = &thread->perf->group[g];
    const size_t bytes = (3 + group->count) * sizeof *number;
    const long got = tac_perf_read(thread->leader[g], number, sizeof number);
    if (got < 0)
      return tac_perf_event_refused(thread->perf->event[group->counter[0]], (int)got, error);
    if ((size_t)got != bytes || number[0] != group->count)
      return tac_error_set(error, TAC_STATUS_IO, "perf", "the kernel gave %ld bytes of counters, and %zu were expected", got,
                           bytes);
    for (size_t i = 0; i < group->count; i++)
      reading->value[group->counter[i]] =
          (struct tac_hook_value){(int64_t)number[3 + i], (int64_t)number[1], (int64_t)number[2]};
  }
  return TAC_STATUS_OK;
}

const struct tac_hook_backend tac_hook_backend_perf = {
    .kind = {"perf", "counters of the Linux kernel and the processor, by perf_event_open", probe, list},
    .create = create,
    .thread_bytes = sizeof(struct thread),
    .open = open_thread,
    .close = close_thread,
    .read = read_thread,
};
