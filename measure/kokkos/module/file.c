/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "measure/kokkos/module/file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

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

/* A file that may not grow is an error of the write; the signal that comes with it would end the program. */
int tac_file_write(int descriptor, const char *bytes, size_t count) {
  sigset_t too_large, before, pending;
  const struct timespec at_once = {0, 0};
  sigemptyset(&too_large);
  sigaddset(&too_large, SIGXFSZ);
  sigpending(&pending);
  if (pthread_sigmask(SIG_BLOCK, &too_large, &before) != 0)
    return -1;
  const int failed = write_whole(descriptor, bytes, count), code = errno;
  if (failed && !sigismember(&pending, SIGXFSZ))
    while (sigtimedwait(&too_large, NULL, &at_once) < 0 && errno == EINTR)
      continue;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  errno = code;
  return failed;
}

int tac_file_sink_flush(struct tac_file_sink *sink) {
  if (!sink->failed && tac_file_write(sink->descriptor, sink->buffer, sink->used) != 0)
    sink->failed = 1;
  sink->used = 0;
  return sink->failed;
}

int tac_file_sink_take(void *context, const char *text, size_t bytes) {
  struct tac_file_sink *sink = context;
  if (bytes > sizeof sink->buffer - sink->used && tac_file_sink_flush(sink))
    return 1;
  if (bytes > sizeof sink->buffer) {
    sink->failed = sink->failed || tac_file_write(sink->descriptor, text, bytes) != 0;
    return sink->failed;
  }
  memcpy(sink->buffer + sink->used, text, bytes);
  sink->used += bytes;
  return 0;
}

static enum tac_status fail(struct tac_error *error, const char *path) {
  return tac_error_set(error, TAC_STATUS_IO, "file", "cannot write '%s': %s", path, strerror(errno));
}

/* Fills what is open, and closes it. */
static enum tac_status fill_and_close(int descriptor, const char *path, tac_file_fill_fn fill, void *context, int must_sync,
                                      struct tac_error *error) {
  struct tac_file_sink sink = {.descriptor = descriptor};
  enum tac_status status = fill(&sink, context, error);
  if (tac_file_sink_flush(&sink) != 0 || (must_sync && fsync(descriptor) != 0))
    status = fail(error, path);
  if (close(descriptor) != 0 && status == TAC_STATUS_OK)
    status = fail(error, path);
  return status;
}

int tac_file_is_special(const char *path) {
  struct stat info;
  return stat(path, &info) == 0 && !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode);
}

enum tac_status tac_file_replace(const char *path, tac_file_fill_fn fill, void *context, struct tac_error *error) {
  char target[PATH_MAX], temporary[PATH_MAX + 32];
  if (tac_file_is_special(path)) {
    const int special = open(path, O_WRONLY | O_CLOEXEC);
    return special < 0 ? fail(error, path) : fill_and_close(special, path, fill, context, 0, error);
  }
  if (!realpath(path, target)) /* follows a link to the old file */
    snprintf(target, sizeof target, "%s", path);
  snprintf(temporary, sizeof temporary, "%s.tmp-%ld", target, (long)getpid());
  unlink(temporary); /* an earlier process of that number may have left it */
  const int file = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (file < 0)
    return fail(error, path);
  enum tac_status status = fill_and_close(file, path, fill, context, 1, error);
  if (status == TAC_STATUS_OK && rename(temporary, target) != 0)
    status = fail(error, path);
  if (status != TAC_STATUS_OK)
    unlink(temporary);
  return status;
}

enum tac_status tac_file_probe(const char *path, struct tac_error *error) {
  char folder[PATH_MAX];
  struct stat info;
  const char *slash = strrchr(path, '/');
  const size_t length = slash ? (size_t)(slash - path) + (slash == path) : 1;
  memcpy(folder, slash ? path : ".", length);
  folder[length] = '\0';
  if (tac_file_is_special(path))
    return access(path, W_OK) == 0 ? TAC_STATUS_OK : fail(error, path);
  if (stat(path, &info) == 0 && S_ISDIR(info.st_mode)) {
    errno = EISDIR;
    return fail(error, path);
  }
  return access(folder, W_OK | X_OK) == 0 ? TAC_STATUS_OK : fail(error, path);
}
