/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "measure/kokkos/module/file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "runtime/replace_file.h"

enum { WAIT_MS = 10, READER_WAITS = 200 };

static int write_whole(int descriptor, const char *bytes, size_t count) {
  while (count > 0) {
    const ssize_t written = write(descriptor, bytes, count);
    if (written < 0 && errno == EINTR)
      continue;
    if (written <= 0)
      return -1;
    bytes += written;
    count -= (size_t)written;
  }
  return 0;
}

/* A file that may not grow and a pipe that nobody reads are errors of the write; the signals that come with them would end the
 * program. One that was pending before is the program's own. */
static void take_signals(const sigset_t *errors, const sigset_t *pending) {
  const struct timespec at_once = {0, 0};
  sigset_t ours;
  sigemptyset(&ours);
  for (int signal = 1; signal < SIGRTMIN; signal++)
    if (sigismember(errors, signal) == 1 && sigismember(pending, signal) != 1)
      sigaddset(&ours, signal);
  while (sigtimedwait(&ours, NULL, &at_once) > 0 || errno == EINTR)
    continue;
}

int tac_file_write(int descriptor, const char *bytes, size_t count) {
  sigset_t errors, before, pending;
  sigemptyset(&errors);
  sigaddset(&errors, SIGXFSZ);
  sigaddset(&errors, SIGPIPE);
  sigpending(&pending);
  if (pthread_sigmask(SIG_BLOCK, &errors, &before) != 0)
    return -1;
  const int failed = write_whole(descriptor, bytes, count), code = errno;
  if (failed)
    take_signals(&errors, &pending);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  errno = code;
  return failed;
}

static void note_failure(struct tac_file_sink *sink) {
  if (!sink->failure)
    sink->failure = errno ? errno : EIO;
}

int tac_file_sink_flush(struct tac_file_sink *sink) {
  if (!sink->failure && tac_file_write(sink->descriptor, sink->buffer, sink->used) != 0)
    note_failure(sink);
  sink->used = 0;
  return sink->failure;
}

int tac_file_sink_take(void *context, const char *text, size_t bytes) {
  struct tac_file_sink *sink = context;
  if (bytes > sizeof sink->buffer - sink->used && tac_file_sink_flush(sink))
    return 1;
  if (bytes > sizeof sink->buffer) {
    if (tac_file_write(sink->descriptor, text, bytes) != 0)
      note_failure(sink);
    return sink->failure != 0;
  }
  memcpy(sink->buffer + sink->used, text, bytes);
  sink->used += bytes;
  return 0;
}

struct filling {
  const char *path;
  tac_file_fill_fn fill;
  void *context;
};

static enum tac_status fill_sink(void *context, int descriptor, struct tac_error *error) {
  const struct filling *filling = context;
  struct tac_file_sink sink = {.descriptor = descriptor};
  const enum tac_status status = filling->fill(&sink, filling->context, error);
  return tac_file_sink_flush(&sink) ? tac_replace_file_fail(error, "cannot write", filling->path, sink.failure) : status;
}

/* A named pipe, through links as well. */
static int is_named_pipe(const char *path) {
  char whole[PATH_MAX];
  struct stat info;
  return realpath(path, whole) && lstat(whole, &info) == 0 && S_ISFIFO(info.st_mode);
}

/* The end of a named pipe to write on, as soon as it has a reader; -1, with errno, where none comes. */
static int open_named_pipe(const char *path) {
  const struct timespec a_while = {0, WAIT_MS * 1000000L};
  int pipe = -1;
  for (int waits = 0; pipe < 0 && waits <= READER_WAITS; waits++) {
    if (waits > 0)
      nanosleep(&a_while, NULL);
    pipe = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC);
    if (pipe < 0 && errno != ENXIO && errno != EINTR)
      return -1;
  }
  return pipe;
}

static enum tac_status fill_named_pipe(struct filling *filling, struct tac_error *error) {
  const int pipe = open_named_pipe(filling->path);
  if (pipe < 0 && errno == ENXIO)
    return tac_error_set(error, TAC_STATUS_IO, "file", "cannot write '%s': nobody reads that pipe", filling->path);
  if (pipe < 0 || fcntl(pipe, F_SETFL, 0) != 0) {
    const int code = errno;
    if (pipe >= 0)
      close(pipe);
    return tac_replace_file_fail(error, "cannot write", filling->path, code);
  }
  const enum tac_status status = fill_sink(filling, pipe, error);
  close(pipe);
  return status;
}

enum tac_status tac_file_replace(const char *path, tac_file_fill_fn fill, void *context, struct tac_error *error) {
  struct filling filling = {path, fill, context};
  return is_named_pipe(path) ? fill_named_pipe(&filling, error) : tac_replace_file_by(path, fill_sink, &filling, error);
}
