/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "measure/hooks/tool.h"

#include <stdio.h>
#include <string.h>

void tac_hook_tool_options_init(struct tac_hook_tool_options *options) {
  *options = (struct tac_hook_tool_options){.size = sizeof *options};
}

/* Little of the hook's own work is in what it counts: counters are read last here, and first where a phase or item ends. */
static void enter(struct tac_hook_tool *tool, int event, const size_t *index) {
  struct tac_hook_thread *thread = tac_hook_thread_here(tool);
  if (tool->backend->enter)
    tool->backend->enter(&tool->plan, event, index);
  if (!thread)
    return;
  if (thread->depth == TAC_HOOK_DEPTH) {
    thread->too_deep++;
    return;
  }
  struct tac_hook_open *open = &thread->open[thread->depth++];
  struct tac_error error;
  open->event = event;
  open->is_item = index != NULL;
  open->inside = 0;
  memset(open->shown, 0, sizeof open->shown);
  memset(open->kept, 0, sizeof open->kept);
  if (thread->counters && tool->backend->read(&open->at, thread->counters, &error) != TAC_STATUS_OK)
    tac_hook_thread_fail(thread, &error);
}

/* Between two readings lies what one of them takes, and as much again for each that was entered and left inside. The rest is
 * what was done outside of those inside, never less than nothing; so a parent is never less than its children together. */
static void add_difference(struct tac_hook_sum *sum, struct tac_hook_open *around, const struct tac_hook_open *open,
                           const struct tac_hook_reading *end, const struct tac_hook_thread *thread) {
  for (size_t c = 0; c < thread->tool->plan.counters; c++) {
    const int64_t shown = end->value[c].value - open->at.value[c].value;
    const int64_t own = shown - open->shown[c] - (open->inside + 1) * thread->reading[c];
    const int64_t kept = open->kept[c] + (own > 0 ? own : 0);
    sum->value[c].value += kept;
    sum->value[c].enabled_ns += end->value[c].enabled_ns - open->at.value[c].enabled_ns;
    sum->value[c].counted_ns += end->value[c].counted_ns - open->at.value[c].counted_ns;
    if (around) {
      around->shown[c] += shown;
      around->kept[c] += kept;
    }
  }
  if (around)
    around->inside++;
}

/* Whoever calls, what was entered last is left first: a recorder gives no leave without its enter. */
static void leave(struct tac_hook_tool *tool) {
  struct tac_hook_thread *thread = tac_hook_thread_here(tool);
  struct tac_hook_reading now;
  struct tac_error error;
  int counts = thread && thread->counters;
  if (counts && tool->backend->read(&now, thread->counters, &error) != TAC_STATUS_OK) {
    tac_hook_thread_fail(thread, &error);
    counts = 0;
  }
  if (tool->backend->leave)
    tool->backend->leave(&tool->plan);
  if (!thread || thread->too_deep > 0) {
    if (thread)
      thread->too_deep--;
    return;
  }
  if (thread->depth == 0)
    return;
  const struct tac_hook_open *open = &thread->open[--thread->depth];
  struct tac_hook_sum *sum = open->is_item ? &thread->item[open->event] : &thread->phase[open->event];
  sum->count++;
  if (counts)
    add_difference(sum, thread->depth > 0 ? &thread->open[thread->depth - 1] : NULL, open, &now, thread);
}

static void phase_enter(void *context, int event, const char *name) {
  (void)name;
  enter(context, event, NULL);
}

static void phase_leave(void *context, int event, const char *name) {
  (void)event, (void)name;
  leave(context);
}

static void item_enter(void *context, int event, size_t index, int lane) {
  (void)lane;
  enter(context, event, &index);
}

static void item_leave(void *context, int event, size_t index, int lane, enum tac_status status) {
  (void)event, (void)index, (void)lane, (void)status;
  leave(context);
}

static enum tac_status check_options(const struct tac_hook_tool_options *options, struct tac_error *error) {
  if (!options || options->size != sizeof *options)
    return tac_error_set(error, TAC_STATUS_INVALID, "hooks", "options not filled by tac_hook_tool_options_init");
  if (!options->hooks)
    return tac_error_set(error, TAC_STATUS_INVALID, "hooks", "no name of hooks");
  if (!options->events || (options->events->count > 0 && !options->events->events))
    return tac_error_set(error, TAC_STATUS_INVALID, "hooks", "no event set");
  return TAC_STATUS_OK;
}

/* Below the tables, behind what the backend says. */
static void note_readings(struct tac_hook_plan *plan) {
  const size_t length = strlen(plan->note);
  if (plan->counters > 0)
    snprintf(
        plan->note + length, sizeof plan->note - length,
        "%sWhat a reading of the counters takes, the median at each thread's start, is taken off; what one took beyond that "
        "is left in",
        length ? ". " : "");
}

/* Key and lock, once the backend stands. */
static enum tac_status make_ready(struct tac_hook_tool *tool, struct tac_error *error) {
  enum tac_status status = tac_hook_tool_figures(&tool->ended, tool, error);
  if (status != TAC_STATUS_OK)
    return status;
  if (pthread_mutex_init(&tool->lock, NULL) != 0)
    return tac_error_set(error, TAC_STATUS_MEMORY, "hooks", "the system has no more locks");
  if (pthread_key_create(&tool->key, tac_hook_thread_end) == 0)
    return TAC_STATUS_OK;
  pthread_mutex_destroy(&tool->lock);
  return tac_error_set(error, TAC_STATUS_MEMORY, "hooks", "the system has no more keys of threads");
}

static void free_tool(struct tac_hook_tool *tool) {
  const struct tac_allocator *allocator = tool->plan.allocator;
  tac_hook_figures_destroy(&tool->ended);
  if (tool->backend->destroy)
    tool->backend->destroy(&tool->plan);
  allocator->release(allocator->context, tool->plan.state);
  allocator->release(allocator->context, tool);
}

enum tac_status tac_hook_tool_create(struct tac_hook_tool **out, const struct tac_hook_tool_options *options,
                                     struct tac_error *error) {
  if (!out)
    return tac_error_set(error, TAC_STATUS_INVALID, "hooks", "no place for the tool");
  *out = NULL;
  const struct tac_hook_backend *backend = NULL;
  const char *names = NULL;
  enum tac_status status = check_options(options, error);
  if (status == TAC_STATUS_OK)
    status = tac_hook_backend_find(&backend, &names, options->hooks, error);
  if (status == TAC_STATUS_OK)
    status = backend->kind.probe(error);
  if (status != TAC_STATUS_OK)
    return status;
  const struct tac_allocator *allocator = options->allocator ? options->allocator : tac_allocator_system();
  struct tac_hook_tool *tool = allocator->allocate(allocator->context, sizeof *tool);
  if (!tool)
    return tac_error_set(error, TAC_STATUS_MEMORY, "hooks", "no memory for the hooks");
  *tool = (struct tac_hook_tool){.backend = backend,
                                 .plan = {.names = names, .events = options->events, .allocator = allocator},
                                 .hooks = {tool, phase_enter, phase_leave, item_enter, item_leave}};
  status = backend->create(&tool->plan, error);
  if (status != TAC_STATUS_OK) {
    allocator->release(allocator->context, tool->plan.state);
    allocator->release(allocator->context, tool);
    return status;
  }
  tool->plan.names = NULL; /* the caller's */
  note_readings(&tool->plan);
  status = make_ready(tool, error);
  if (status != TAC_STATUS_OK)
    free_tool(tool);
  else
    *out = tool;
  return status;
}

void tac_hook_tool_destroy(struct tac_hook_tool **tool) {
  if (!tool || !*tool)
    return;
  pthread_key_delete((*tool)->key);
  while ((*tool)->threads)
    tac_hook_thread_end((*tool)->threads);
  pthread_mutex_destroy(&(*tool)->lock);
  free_tool(*tool);
  *tool = NULL;
}

const struct tac_hooks *tac_hook_tool_hooks(const struct tac_hook_tool *tool) {
  return &tool->hooks;
}

enum tac_status tac_hook_tool_figures(struct tac_hook_figures **out, const struct tac_hook_tool *tool,
                                      struct tac_error *error) {
  if (!tool)
    return tac_error_set(error, TAC_STATUS_INVALID, __func__, "no tool");
  const enum tac_status status =
      tac_hook_figures_create(out, tool->backend->kind.name, tool->plan.events, tool->plan.allocator, error);
  if (status != TAC_STATUS_OK)
    return status;
  (*out)->counters = tool->plan.counters;
  memcpy((*out)->counter, tool->plan.counter, sizeof tool->plan.counter);
  snprintf((*out)->note, sizeof(*out)->note, "%s", tool->plan.note);
  return TAC_STATUS_OK;
}

static void add_sums(struct tac_hook_sum *to, const struct tac_hook_sum *from, const struct tac_hook_figures *figures) {
  for (size_t i = 0; i < figures->events->count; i++) {
    to[i].count += from[i].count;
    for (size_t c = 0; c < figures->counters; c++) {
      to[i].value[c].value += from[i].value[c].value;
      to[i].value[c].enabled_ns += from[i].value[c].enabled_ns;
      to[i].value[c].counted_ns += from[i].value[c].counted_ns;
    }
  }
}

/* These are scaled already. */
static void move_ended(struct tac_hook_figures *figures, struct tac_hook_figures *ended) {
  add_sums(figures->phase, ended->phase, ended);
  add_sums(figures->item, ended->item, ended);
  if (figures->failures == 0)
    memcpy(figures->failure, ended->failure, sizeof figures->failure);
  figures->failures += ended->failures;
  tac_hook_figures_reset(ended);
}

enum tac_status tac_hook_tool_take(struct tac_hook_tool *tool, struct tac_hook_figures *figures, struct tac_error *error) {
  if (!tool || !figures)
    return tac_error_set(error, TAC_STATUS_INVALID, __func__, "no tool, or no figures");
  if (figures->events != tool->plan.events || figures->counters != tool->plan.counters ||
      memcmp(figures->counter, tool->plan.counter, sizeof figures->counter) != 0)
    return tac_error_set(error, TAC_STATUS_INVALID, __func__, "the figures are of other events or counters than the tool's");
  pthread_mutex_lock(&tool->lock);
  for (struct tac_hook_thread *thread = tool->threads; thread; thread = thread->next)
    tac_hook_thread_move(figures, thread);
  move_ended(figures, tool->ended);
  pthread_mutex_unlock(&tool->lock);
  return TAC_STATUS_OK;
}
