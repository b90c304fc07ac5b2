/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "measure/kokkos/module/trace.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "measure/kokkos/abi.h"
#include "measure/kokkos/emitter.h"
#include "measure/kokkos/module/host_threads.h"
#include "measure/kokkos/module/module.h"

enum {
  BUFFER_BYTES = 128 * 1024,
  FULL_BYTES = BUFFER_BYTES / 2,     /* more than the longest event is left then */
  LONGEST_NAME = 8192,               /* what is longer is cut; six times as much where each byte needs escaping */
  FLUSH_AFTER_NS = 250 * 1000 * 1000 /* so that little is missing after a kill */
};

/* The events of a thread. Its lock is taken by others only when the trace ends. */
struct tac_trace_buffer {
  pthread_mutex_t lock;
  uint32_t track;
  int64_t flushed_ns;
  size_t used;
  char bytes[BUFFER_BYTES];
};

static _Atomic uint64_t lost, told, beyond;
static _Atomic int64_t full_ns = INT64_MAX; /* when as many events were told as the limit says */

uint64_t tac_trace_lost(void) {
  return atomic_load_explicit(&lost, memory_order_relaxed);
}

uint64_t tac_trace_beyond_limit(void) {
  return atomic_load_explicit(&beyond, memory_order_relaxed);
}

/* Whether an event has room in the limit. What began before that was reached is kept, too: an event is told at its end, and
 * what it is around would be left without it. */
static int is_in_limit(int64_t start_ns, int64_t now_ns) {
  if (atomic_fetch_add_explicit(&told, 1, memory_order_relaxed) < tac_module.settings.trace_limit)
    return 1;
  int64_t full = INT64_MAX;
  if (atomic_compare_exchange_strong(&full_ns, &full, now_ns))
    full = now_ns;
  if (start_ns < full)
    return 1;
  atomic_fetch_add_explicit(&beyond, 1, memory_order_relaxed);
  return 0;
}

/* Whether there is a buffer for an event, and room; of a trace that has no memory for a buffer it is lost. */
static int is_traced(const struct tac_trace_buffer *buffer, int64_t start_ns, int64_t now_ns) {
  if (!buffer && tac_trace_file_is_open())
    atomic_fetch_add_explicit(&lost, 1, memory_order_relaxed);
  return buffer && is_in_limit(start_ns, now_ns);
}

static void flush_locked(struct tac_trace_buffer *buffer) {
  tac_trace_file_write(buffer->bytes, buffer->used);
  buffer->used = 0;
}

void tac_trace_flush(struct tac_trace_buffer *buffer) {
  if (!buffer)
    return;
  pthread_mutex_lock(&buffer->lock);
  flush_locked(buffer);
  pthread_mutex_unlock(&buffer->lock);
}

struct tac_trace_buffer *tac_trace_buffer_create(void) {
  const struct tac_allocator *allocator = tac_allocator_system();
  struct tac_trace_buffer *buffer = tac_trace_file_is_open() ? allocator->allocate(allocator->context, sizeof *buffer) : NULL;
  if (!buffer)
    return NULL;
  pthread_mutex_init(&buffer->lock, NULL);
  buffer->used = 0;
  buffer->track = 0;
  buffer->flushed_ns = tac_module.origin_ns;
  return buffer;
}

/* Events leave room for the longest one, so nothing is refused. */
static int take(void *context, const char *text, size_t bytes) {
  struct tac_trace_buffer *buffer = context;
  if (bytes > sizeof buffer->bytes - buffer->used)
    return 1;
  memcpy(buffer->bytes + buffer->used, text, bytes);
  buffer->used += bytes;
  return 0;
}

/* An event under the buffer's lock; `follows` says that another stands before it. */
static void open_event(struct tac_emitter *json, struct tac_trace_buffer *buffer, const char *name) {
  char cut[LONGEST_NAME + 1];
  pthread_mutex_lock(&buffer->lock);
  *json = (struct tac_emitter){.writer = {.sink = take, .context = buffer}};
  tac_write_text(&json->writer, ",\n");
  tac_emit_open(json, NULL, '{');
  const size_t bytes = strnlen(name, LONGEST_NAME);
  memcpy(cut, name, bytes);
  cut[bytes] = '\0';
  tac_emit_text(json, "name", cut);
}

static void close_event(struct tac_emitter *json, struct tac_trace_buffer *buffer, int64_t now_ns) {
  tac_emit_integer(json, "pid", 1);
  tac_emit_count(json, "tid", buffer->track + 1);
  tac_emit_close(json, '}');
  if (buffer->used > FULL_BYTES || now_ns - buffer->flushed_ns > FLUSH_AFTER_NS) {
    flush_locked(buffer);
    buffer->flushed_ns = now_ns;
  }
  pthread_mutex_unlock(&buffer->lock);
}

/* To the nanosecond, so that what nests still does. */
static void write_time(struct tac_emitter *json, const char *key, int64_t time_ns) {
  tac_emit_us(json, key, time_ns > 0 ? time_ns : 0);
}

void tac_trace_name_track(struct tac_trace_buffer *buffer, uint32_t track) {
  struct tac_emitter json;
  char name[32];
  if (!buffer)
    return;
  snprintf(name, sizeof name, "host thread %u", (unsigned)track);
  open_event(&json, buffer, "thread_name");
  buffer->track = track;
  tac_emit_text(&json, "ph", "M");
  tac_emit_open(&json, "args", '{');
  tac_emit_text(&json, "name", name);
  tac_emit_close(&json, '}');
  close_event(&json, buffer, buffer->flushed_ns);
}

static void write_arguments(struct tac_emitter *json, const struct tac_kokkos_line *line, uint64_t interface_version) {
  const enum tac_kokkos_group group = tac_kokkos_group_of(line->kind);
  tac_emit_open(json, "args", '{');
  if (line->kind == TAC_KOKKOS_COPY) {
    tac_emit_text(json, "from", line->name);
    tac_emit_text(json, "to", line->name + strlen(line->name) + 1);
  } else if (group == TAC_KOKKOS_KERNELS || group == TAC_KOKKOS_FENCES) {
    const struct tac_kokkos_device device = tac_kokkos_device(line->device, group, interface_version);
    tac_emit_text(json, "device", device.type);
    tac_emit_count(json, "instance", device.instance);
  }
  tac_emit_close(json, '}');
}

static void slice(struct tac_trace_buffer *buffer, const struct tac_kokkos_closed *closed, const char *name,
                  uint64_t interface_version) {
  struct tac_emitter json;
  open_event(&json, buffer, name);
  tac_emit_text(&json, "cat", tac_kokkos_kind_names[closed->frame.kind]);
  tac_emit_text(&json, "ph", "X");
  write_time(&json, "ts", closed->frame.start_ns - tac_module.origin_ns);
  write_time(&json, "dur", closed->end_ns - closed->frame.start_ns);
  write_arguments(&json, closed->frame.line, interface_version);
  close_event(&json, buffer, closed->end_ns);
}

/* The two ends of what may not nest. */
static void pair(struct tac_trace_buffer *buffer, const char *name, const char *category, int64_t id, int64_t start_ns,
                 int64_t end_ns) {
  for (int end = 0; end < 2; end++) {
    struct tac_emitter json;
    open_event(&json, buffer, name);
    tac_emit_text(&json, "cat", category);
    tac_emit_text(&json, "ph", end ? "e" : "b");
    tac_emit_integer(&json, "id", id);
    write_time(&json, "ts", (end ? end_ns : start_ns) - tac_module.origin_ns);
    close_event(&json, buffer, end_ns);
  }
}

void tac_trace_slice(struct tac_trace_buffer *buffer, const struct tac_kokkos_closed *closed, uint64_t interface_version) {
  const struct tac_kokkos_line *line = closed->frame.line;
  char name[2 * SPACE_NAME_BYTES + 16];
  if (!line || !is_traced(buffer, closed->frame.start_ns, closed->end_ns))
    return;
  if (line->kind == TAC_KOKKOS_COPY)
    snprintf(name, sizeof name, "copy %s to %s", line->name, line->name + strlen(line->name) + 1);
  if (closed->frame.crossed)
    pair(buffer, line->kind == TAC_KOKKOS_COPY ? name : line->name, tac_kokkos_kind_names[line->kind],
         closed->frame.start_ns - tac_module.origin_ns, closed->frame.start_ns, closed->end_ns);
  else
    slice(buffer, closed, line->kind == TAC_KOKKOS_COPY ? name : line->name, interface_version);
}

void tac_trace_section(struct tac_trace_buffer *buffer, const char *name, uint32_t section, int64_t start_ns, int64_t end_ns) {
  if (is_traced(buffer, start_ns, end_ns))
    pair(buffer, name, "section", section, start_ns, end_ns);
}

void tac_trace_mark(struct tac_trace_buffer *buffer, const char *name, int64_t now_ns) {
  struct tac_emitter json;
  if (!is_traced(buffer, now_ns, now_ns))
    return;
  open_event(&json, buffer, name);
  tac_emit_text(&json, "cat", "mark");
  tac_emit_text(&json, "ph", "i");
  tac_emit_text(&json, "s", "t");
  write_time(&json, "ts", now_ns - tac_module.origin_ns);
  close_event(&json, buffer, now_ns);
}

void tac_trace_memory(struct tac_trace_buffer *buffer, const char *space, int64_t bytes, int64_t now_ns) {
  struct tac_emitter json;
  char name[SPACE_NAME_BYTES + 16];
  if (!is_traced(buffer, now_ns, now_ns))
    return;
  snprintf(name, sizeof name, "memory %.*s", SPACE_NAME_BYTES - 1, space);
  open_event(&json, buffer, name);
  tac_emit_text(&json, "ph", "C");
  write_time(&json, "ts", now_ns - tac_module.origin_ns);
  tac_emit_open(&json, "args", '{');
  tac_emit_integer(&json, "bytes", bytes);
  tac_emit_close(&json, '}');
  close_event(&json, buffer, now_ns);
}

static void flush_thread(struct tac_host_thread *thread) {
  tac_trace_flush(thread->trace);
}

enum tac_status tac_trace_finish(tac_trace_arguments_fn write_end, const void *context, struct tac_error *error) {
  tac_host_threads_visit(flush_thread);
  return tac_trace_file_end(write_end, context, error);
}
