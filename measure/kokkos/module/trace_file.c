/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "measure/kokkos/module/trace_file.h"

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "measure/kokkos/cost.h"
#include "measure/kokkos/module/file.h"
#include "measure/kokkos/module/module.h"
#include "measure/kokkos/module/run_facts.h"
#include "runtime/replace_file.h"

static struct {
  pthread_mutex_t lock;
  int descriptor; /* -1: none */
  int failed;     /* errno of the first failure */
  int foreign;    /* another run has put its part in the place of ours */
  int finished;   /* ended and renamed */
  off_t end;      /* then: where the last event begins */
  char path[PATH_MAX], part[PATH_MAX + 8];
} trace = {.lock = PTHREAD_MUTEX_INITIALIZER, .descriptor = -1};

int tac_trace_file_is_open(void) {
  return trace.descriptor >= 0;
}

static void note_failure(int code) {
  if (!trace.failed)
    trace.failed = code ? code : EIO;
}

/* What stands there already, a link or what a killed run has left, is not written to. */
static int open_part(void) {
  if (unlink(trace.part) != 0 && errno != ENOENT)
    return -1;
  return tac_replace_file_create(trace.part, trace.path);
}

static int copy_all(int to, int from, off_t bytes) {
  char piece[8192];
  for (off_t at = 0; at < bytes;) {
    const size_t most = bytes - at < (off_t)sizeof piece ? (size_t)(bytes - at) : sizeof piece;
    const ssize_t count = pread(from, piece, most, at);
    if (count <= 0 || tac_file_write(to, piece, (size_t)count) != 0)
      return -1;
    at += count;
  }
  return 0;
}

/* A new part begins as a copy of the file that was finished, which stays until the part takes its place. */
static void resume(void) {
  const int part = open_part();
  trace.finished = 0;
  if (part < 0 || copy_all(part, trace.descriptor, trace.end) != 0)
    note_failure(errno);
  if (part >= 0) {
    close(trace.descriptor);
    trace.descriptor = part;
  }
}

void tac_trace_file_leave(void) {
  pthread_mutex_init(&trace.lock, NULL); /* the thread that held it is not in the child */
  if (trace.descriptor >= 0)
    close(trace.descriptor);
  trace.descriptor = -1;
}

/* A child that was made without the handlers of fork() has the descriptor still. */
static int may_write(void) {
  if (trace.descriptor < 0 || trace.failed || getpid() != tac_module.process)
    return 0;
  if (trace.finished)
    resume();
  return !trace.failed;
}

void tac_trace_file_write(const char *bytes, size_t count) {
  pthread_mutex_lock(&trace.lock);
  if (count > 0 && may_write() && tac_file_write(trace.descriptor, bytes, count) != 0)
    note_failure(errno);
  pthread_mutex_unlock(&trace.lock);
}

static void write_note(const char *before, const char *name, tac_trace_arguments_fn write_arguments, const void *context,
                       const char *behind) {
  struct tac_file_sink sink = {.descriptor = trace.descriptor};
  struct tac_emitter json = {.writer = {.sink = tac_file_sink_take, .context = &sink}};
  tac_write_text(&json.writer, before);
  tac_emit_open(&json, NULL, '{');
  tac_emit_text(&json, "name", name);
  tac_emit_text(&json, "ph", "M");
  tac_emit_integer(&json, "pid", 1);
  tac_emit_open(&json, "args", '{');
  write_arguments(&json, context);
  tac_emit_close(&json, '}');
  tac_emit_close(&json, '}');
  tac_write_text(&json.writer, behind);
  if (tac_file_sink_flush(&sink))
    note_failure(sink.failure);
}

void tac_trace_file_note(const char *name, tac_trace_arguments_fn write_arguments, const void *context) {
  pthread_mutex_lock(&trace.lock);
  if (may_write())
    write_note(",\n", name, write_arguments, context, "");
  pthread_mutex_unlock(&trace.lock);
}

static void write_head(struct tac_emitter *json, const void *context) {
  const struct tac_clock *clock = tac_module.clock;
  const struct tac_kokkos_cost cost = tac_kokkos_cost_measure(clock);
  (void)context;
  tac_emit_integer(json, "schema", TAC_JSON_SCHEMA);
  tac_emit_text(json, "kind", "kokkos");
  tac_emit_text(json, "clock", clock->name);
  tac_emit_integer(json, "clock_resolution_ns", tac_clock_resolution_ns(clock, 0));
  tac_emit_integer(json, "origin_ns", tac_module.origin_ns);
  tac_emit_real(json, "clock_read_ns", cost.clock_read_ns);
  tac_emit_real(json, "launch_record_ns", cost.launch_record_ns);
  tac_module_write_run(json);
}

enum tac_status tac_trace_file_begin(const char *path, struct tac_error *error) {
  const enum tac_status status = tac_replace_file_probe(path, error);
  if (status != TAC_STATUS_OK)
    return status;
  if (!tac_replace_file_replaces(path))
    return tac_error_set(error, TAC_STATUS_INVALID, __func__, "'%s' is no regular file, as a trace needs", path);
  if (!tac_replace_file_target(trace.path, sizeof trace.path, path))
    return tac_replace_file_fail(error, "cannot write", path, errno);
  snprintf(trace.part, sizeof trace.part, "%s.part", trace.path);
  trace.descriptor = open_part();
  if (trace.descriptor < 0)
    return tac_replace_file_fail(error, "cannot write", trace.part, errno);
  write_note("[\n", "tactus", write_head, NULL, "");
  if (!trace.failed)
    return TAC_STATUS_OK;
  unlink(trace.part);
  close(trace.descriptor);
  trace.descriptor = -1;
  return tac_replace_file_fail(error, "cannot write", trace.part, trace.failed);
}

static void finish(tac_trace_arguments_fn write_arguments, const void *context) {
  trace.end = lseek(trace.descriptor, 0, SEEK_END);
  write_note(",\n", "tactus_end", write_arguments, context, "\n]\n");
  if (trace.failed)
    return;
  trace.foreign = !tac_replace_file_is(trace.descriptor, trace.part);
  if (trace.foreign || fsync(trace.descriptor) != 0 || rename(trace.part, trace.path) != 0)
    note_failure(errno);
  trace.finished = !trace.failed;
}

enum tac_status tac_trace_file_end(tac_trace_arguments_fn write_arguments, const void *context, struct tac_error *error) {
  pthread_mutex_lock(&trace.lock);
  if (!trace.failed && trace.finished)
    resume();
  if (!trace.failed)
    finish(write_arguments, context);
  const int failed = trace.failed;
  if (failed && tac_replace_file_is(trace.descriptor, trace.part))
    unlink(trace.part);
  pthread_mutex_unlock(&trace.lock);
  if (failed && trace.foreign)
    return tac_error_set(error, TAC_STATUS_IO, __func__, "another run writes '%s', too", trace.part);
  return failed ? tac_replace_file_fail(error, "cannot write", trace.path, failed) : TAC_STATUS_OK;
}
