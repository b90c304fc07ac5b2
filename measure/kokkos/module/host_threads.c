/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "measure/kokkos/module/host_threads.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "measure/kokkos/module/module.h"
#include "measure/kokkos/module/trace.h"

_Thread_local struct tac_host_thread *tac_host_thread TAC_ONE_READ;
_Atomic uint32_t tac_host_section = 1;

static _Atomic(struct tac_host_thread *) newest_thread;
static _Atomic uint32_t tracks;
static _Atomic uint64_t lost;
static pthread_key_t thread_end;

/* A thread ends: what it has left open will not end. */
static void release_thread(void *value) {
  struct tac_host_thread *thread = value;
  tac_trace_flush(thread->trace);
  tac_kokkos_counters_abandon(thread->counters);
  thread->nesting.regions = thread->nesting.copies = 0;
  tac_host_thread = NULL;
  atomic_store_explicit(&thread->taken, 0, memory_order_release);
}

int tac_host_threads_init(void) {
  return pthread_key_create(&thread_end, release_thread) == 0;
}

static struct tac_host_set *create_set(uint32_t section) {
  struct tac_kokkos_options options;
  struct tac_host_set *set = calloc(1, sizeof *set);
  if (!set)
    return NULL;
  tac_kokkos_options_init(&options);
  options.clock = tac_module.clock;
  options.step = tac_module.settings.step;
  options.demangle = tac_module.demangle;
  options.interface_version = tac_module.interface_version;
  set->section = section;
  if (tac_kokkos_counters_create_sharing(&set->counters, &options, &tac_module.ledger, NULL) == TAC_STATUS_OK)
    return set;
  free(set);
  return NULL;
}

static void publish_set(struct tac_host_thread *thread, struct tac_host_set *set) {
  set->counters->tag = (uint64_t)(thread->track & 0xffff) << 48;
  set->counters->nesting = &thread->nesting;
  set->before = atomic_load_explicit(&thread->newest, memory_order_relaxed);
  thread->counters = set->counters;
  thread->section = set->section;
  atomic_init(&set->threads, 1);
  atomic_store_explicit(&thread->newest, set, memory_order_release);
}

/* One whose thread has ended; NULL when there is none. */
static struct tac_host_thread *take_over(void) {
  struct tac_host_thread *thread = atomic_load_explicit(&newest_thread, memory_order_acquire);
  for (; thread; thread = thread->before) {
    int free_one = 0;
    if (atomic_compare_exchange_strong_explicit(&thread->taken, &free_one, 1, memory_order_acquire, memory_order_relaxed))
      return thread;
  }
  return NULL;
}

static struct tac_host_thread *create_thread(void) {
  struct tac_host_thread *thread = calloc(1, sizeof *thread);
  struct tac_host_set *set = create_set(atomic_load_explicit(&tac_host_section, memory_order_relaxed));
  if (!thread || !set) {
    free(thread);
    if (set)
      tac_kokkos_counters_destroy(&set->counters);
    free(set);
    return NULL;
  }
  atomic_init(&thread->taken, 1);
  thread->track = atomic_fetch_add(&tracks, 1);
  publish_set(thread, set);
  thread->trace = tac_trace_buffer_create();
  thread->before = atomic_load_explicit(&newest_thread, memory_order_relaxed);
  while (!atomic_compare_exchange_weak_explicit(&newest_thread, &thread->before, thread, memory_order_release,
                                                memory_order_relaxed))
    continue;
  return thread;
}

/* A set that a thread has taken over counts for both; a new section's set counts for its own. */
static void another_thread(struct tac_host_thread *thread) {
  if (thread->section == atomic_load_explicit(&tac_host_section, memory_order_relaxed))
    atomic_fetch_add_explicit(&atomic_load_explicit(&thread->newest, memory_order_relaxed)->threads, 1, memory_order_relaxed);
}

/* The row of the new set that is that of an open begin in the old one. */
static struct tac_kokkos_line *moved_line(struct tac_kokkos_counters *into, const struct tac_kokkos_line *line) {
  struct tac_kokkos_line *unrecorded = &into->unrecorded[tac_kokkos_group_of(line->kind)];
  const int is_region = line->kind == TAC_KOKKOS_REGION;
  if (line->number == TAC_KOKKOS_UNRECORDED || (is_region && into->region == unrecorded))
    return unrecorded;
  struct tac_kokkos_line *row =
      tac_row_table_add(&into->table, &(struct tac_row_key){line->kind, line->device, is_region ? into->region : NULL,
                                                            line->label, line->label_bytes});
  return row ? row : unrecorded;
}

/* What is open goes on in the new section. Its begin was counted in the old one, its time will be in the new one. */
static void move_open(struct tac_kokkos_counters *into, struct tac_kokkos_counters *from) {
  const size_t depth = atomic_load_explicit(&from->depth, memory_order_relaxed);
  into->frames = from->frames;
  into->frame_capacity = from->frame_capacity;
  into->untimed = from->untimed;
  from->frames = NULL;
  from->frame_capacity = from->untimed = 0;
  for (size_t i = 0; i < depth; i++) {
    struct tac_kokkos_frame *frame = &into->frames[i];
    frame->line = moved_line(into, frame->line);
    frame->by_region = frame->kind <= TAC_KOKKOS_SCAN ? tac_calls_by_region(into, frame->line) : NULL;
    if (frame->kind != TAC_KOKKOS_REGION)
      continue;
    into->region = frame->line;
    into->steps_open += (size_t)frame->line->step;
  }
  atomic_store_explicit(&into->depth, depth, memory_order_relaxed);
  atomic_store_explicit(&from->depth, 0, memory_order_relaxed);
}

/* Without memory the thread goes on in its old section. */
static void enter_section(struct tac_host_thread *thread) {
  const uint32_t section = atomic_load_explicit(&tac_host_section, memory_order_relaxed);
  if (thread->section == section)
    return;
  struct tac_host_set *set = create_set(section);
  if (set) {
    move_open(set->counters, thread->counters);
    publish_set(thread, set);
  }
  thread->section = section;
}

struct tac_kokkos_counters *tac_host_threads_enter(void) {
  struct tac_host_thread *thread = tac_host_thread;
  tac_module_start();
  if (!tac_module.measuring)
    return NULL;
  if (!thread) {
    thread = take_over();
    if (thread) {
      thread->track = atomic_fetch_add(&tracks, 1);
      thread->counters->tag = (uint64_t)(thread->track & 0xffff) << 48;
      another_thread(thread);
    } else {
      thread = create_thread();
    }
    if (!thread || pthread_setspecific(thread_end, thread) != 0) {
      atomic_fetch_add(&lost, 1);
      if (thread)
        atomic_store_explicit(&thread->taken, 0, memory_order_release);
      return NULL;
    }
    tac_host_thread = thread;
    tac_trace_name_track(thread->trace, thread->track);
  }
  enter_section(thread);
  return thread->counters;
}

uint32_t tac_host_threads_next_section(void) {
  return atomic_fetch_add(&tac_host_section, 1);
}

uint32_t tac_host_threads_merge(struct tac_kokkos_counters *into, uint32_t section) {
  struct tac_host_thread *thread = atomic_load_explicit(&newest_thread, memory_order_acquire);
  uint32_t threads = 0;
  for (; thread; thread = thread->before) {
    struct tac_host_set *set = atomic_load_explicit(&thread->newest, memory_order_acquire);
    for (; set; set = set->before) {
      if (section != 0 && set->section != section)
        continue;
      tac_kokkos_counters_merge_rows(into, set->counters);
      tac_counter_add(&into->unfinished, atomic_load_explicit(&set->counters->depth, memory_order_relaxed));
      threads += atomic_load_explicit(&set->threads, memory_order_relaxed);
    }
  }
  return section == 0 ? atomic_load(&tracks) : threads; /* one that counts in several sections is one thread */
}

uint64_t tac_host_threads_lost(void) {
  return atomic_load_explicit(&lost, memory_order_relaxed);
}

void tac_host_threads_visit(void (*visit)(struct tac_host_thread *thread)) {
  struct tac_host_thread *thread = atomic_load_explicit(&newest_thread, memory_order_acquire);
  for (; thread; thread = thread->before)
    visit(thread);
}

static void leave_trace(struct tac_host_thread *thread) {
  thread->trace = NULL;
}

void tac_host_threads_leave_traces(void) {
  tac_host_threads_visit(leave_trace);
}
