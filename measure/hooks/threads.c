/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "measure/hooks/tool.h"

#include <stdio.h>
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
    if (tool->backend->open && tool->backend->open(&thread->counters, &tool->plan, &error) != TAC_STATUS_OK) {
      thread->counters = NULL;
      note_failure(tool, &error);
    }
  }
  pthread_mutex_unlock(&tool->lock);
  return thread;
}

struct tac_hook_thread *tac_hook_thread_here(struct tac_hook_tool *tool) {
  struct tac_hook_thread *thread = pthread_getspecific(tool->key);
  return thread ? thread : first_time(tool);
}

static void close_counters(struct tac_hook_thread *thread) {
  if (thread->counters)
    thread->tool->backend->close(thread->counters, &thread->tool->plan);
  thread->counters = NULL;
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
