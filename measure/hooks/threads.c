/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "measure/hooks/tool.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *allocate(const struct tac_hook_tool *tool, size_t bytes) {
  void *memory = tool->plan.allocator->allocate(tool->plan.allocator->context, bytes);
  if (memory)
    memset(memory, 0, bytes);
  return memory;
}

static void release(const struct tac_hook_tool *tool, void *memory) {
  tool->plan.allocator->release(tool->plan.allocator->context, memory);
}

/* Under the lock. */
static void note_failure(struct tac_hook_tool *tool, const struct tac_error *error) {
  if (tool->ended->failures++ == 0)
    snprintf(tool->ended->failure, sizeof tool->ended->failure, "%s", error->text);
}

static void free_thread(struct tac_hook_thread *thread) {
  release(thread->tool, thread->phase);
  release(thread->tool, thread->item);
  release(thread->tool, thread);
}

static struct tac_hook_thread *make_thread(struct tac_hook_tool *tool) {
  const size_t bytes = (tool->plan.events->count + 1) * sizeof(struct tac_hook_sum);
  struct tac_hook_thread *thread = allocate(tool, sizeof *thread);
  if (!thread)
    return NULL;
  thread->tool = tool;
  thread->phase = allocate(tool, bytes);
  thread->item = allocate(tool, bytes);
  if (thread->phase && thread->item && pthread_setspecific(tool->key, thread) == 0)
    return thread;
  free_thread(thread);
  return NULL;
}

static int by_size(const void *left, const void *right) {
  const int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;
  return (a > b) - (a < b);
}

/* The median of readings one after the other, so that neither the first one, which is slow, nor one that was interrupted
 * counts. */
static enum tac_status calibrate(struct tac_hook_thread *thread, struct tac_error *error) {
  const struct tac_hook_tool *tool = thread->tool;
  struct tac_hook_reading before, now;
  int64_t taken[TAC_HOOK_COUNTERS_MOST][TAC_HOOK_TRIALS];
  enum tac_status status = tool->backend->read(&before, thread->counters, error);
  for (int trial = 0; trial < TAC_HOOK_TRIALS && status == TAC_STATUS_OK; trial++) {
    status = tool->backend->read(&now, thread->counters, error);
    if (status != TAC_STATUS_OK)
      break;
    for (size_t c = 0; c < tool->plan.counters; c++)
      taken[c][trial] = now.value[c].value - before.value[c].value;
    before = now;
  }
  for (size_t c = 0; c < tool->plan.counters && status == TAC_STATUS_OK; c++) {
    qsort(taken[c], TAC_HOOK_TRIALS, sizeof **taken, by_size);
    thread->reading[c] = taken[c][TAC_HOOK_TRIALS / 2];
  }
  return status;
}

static void close_counters(struct tac_hook_thread *thread) {
  if (!thread->counters)
    return;
  thread->tool->backend->close(thread->counters);
  release(thread->tool, thread->counters);
  thread->counters = NULL;
}

/* Under the lock. A thread whose counters do not open, or cannot be read, has none. */
static enum tac_status open_counters(struct tac_hook_thread *thread, struct tac_error *error) {
  const struct tac_hook_tool *tool = thread->tool;
  if (!tool->backend->open)
    return TAC_STATUS_OK;
  thread->counters = allocate(tool, tool->backend->thread_bytes);
  if (!thread->counters)
    return tac_error_set(error, TAC_STATUS_MEMORY, "hooks", "no memory for the counters of a thread");
  enum tac_status status = tool->backend->open(thread->counters, &tool->plan, error);
  if (status == TAC_STATUS_OK)
    status = calibrate(thread, error);
  if (status != TAC_STATUS_OK)
    close_counters(thread);
  return status;
}

static struct tac_hook_thread *first_time(struct tac_hook_tool *tool) {
  struct tac_error error;
  tac_error_clear(&error);
  pthread_mutex_lock(&tool->lock);
  struct tac_hook_thread *thread = make_thread(tool);
  if (!thread) {
    tac_error_set(&error, TAC_STATUS_MEMORY, "hooks", "no memory for the figures of a thread");
    note_failure(tool, &error);
  } else {
    thread->next = tool->threads;
    thread->link = &tool->threads;
    if (thread->next)
      thread->next->link = &thread->next;
    tool->threads = thread;
    if (open_counters(thread, &error) != TAC_STATUS_OK)
      note_failure(tool, &error);
  }
  pthread_mutex_unlock(&tool->lock);
  return thread;
}

struct tac_hook_thread *tac_hook_thread_here(struct tac_hook_tool *tool) {
  struct tac_hook_thread *thread = pthread_getspecific(tool->key);
  return thread ? thread : first_time(tool);
}

void tac_hook_thread_fail(struct tac_hook_thread *thread, const struct tac_error *error) {
  pthread_mutex_lock(&thread->tool->lock);
  close_counters(thread);
  note_failure(thread->tool, error);
  pthread_mutex_unlock(&thread->tool->lock);
}

static void move_sums(struct tac_hook_sum *to, struct tac_hook_sum *from, const struct tac_hook_tool *tool) {
  for (size_t i = 0; i < tool->plan.events->count; i++) {
    to[i].count += from[i].count;
    for (size_t c = 0; c < tool->plan.counters; c++)
      tac_hook_value_add(&to[i].value[c], &from[i].value[c]);
  }
  memset(from, 0, tool->plan.events->count * sizeof *from);
}

void tac_hook_thread_move(struct tac_hook_figures *figures, const struct tac_hook_thread *thread) {
  move_sums(figures->phase, thread->phase, thread->tool);
  move_sums(figures->item, thread->item, thread->tool);
}

void tac_hook_thread_end(void *argument) {
  struct tac_hook_thread *thread = argument;
  struct tac_hook_tool *tool = thread->tool;
  pthread_mutex_lock(&tool->lock);
  tac_hook_thread_move(tool->ended, thread);
  close_counters(thread);
  *thread->link = thread->next;
  if (thread->next)
    thread->next->link = thread->link;
  free_thread(thread);
  pthread_mutex_unlock(&tool->lock);
}
