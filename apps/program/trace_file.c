/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/program/trace_file.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "apps/program/replace_file.h"
#include "runtime/shown_path.h"

struct tac_trace_file {
  struct tac_trace *trace;
  const char *path; /* as it was given */
  int descriptor;
  int replaces;   /* 0: `target` is written to directly */
  int write_code; /* errno of the write that failed */
  char target[PATH_MAX], part[TAC_TRACE_PART_BYTES];
};

static int write_all(void *context, const char *text, size_t bytes) {
  struct tac_trace_file *file = context;
  while (bytes > 0) {
    const ssize_t written = write(file->descriptor, text, bytes);
    if (written < 0 && errno == EINTR)
      continue;
    if (written < 0) {
      file->write_code = errno;
      return 1;
    }
    text += written;
    bytes -= (size_t)written;
  }
  return 0;
}

/* What a killed run has left goes; whatever else stands there, a link or a pipe, is not written to. */
static int open_part(const struct tac_trace_file *file) {
  if (unlink(file->part) != 0 && errno != ENOENT)
    return -1;
  return tac_replace_file_create(file->part, file->target);
}

/* What is printed before stands before it where both go to one file. */
static int open_directly(const char *path) {
  fflush(stdout);
  return tac_replace_file_open(path);
}

static void name_part(char part[TAC_TRACE_PART_BYTES], const char *target) {
  snprintf(part, TAC_TRACE_PART_BYTES, "%s.part", target);
}

int tac_trace_file_part(char part[TAC_TRACE_PART_BYTES], const char *path) {
  char target[PATH_MAX];
  if (!tac_replace_file_replaces(path) || !tac_replace_file_target(target, sizeof target, path))
    return 0;
  name_part(part, target);
  return 1;
}

static enum tac_status open_file(struct tac_trace_file *file, const char *path, struct tac_error *error) {
  file->path = path;
  file->replaces = tac_replace_file_replaces(path);
  if (!tac_replace_file_target(file->target, sizeof file->target, path))
    return tac_replace_file_fail(error, "cannot write", path, errno);
  name_part(file->part, file->target);
  file->descriptor = file->replaces ? open_part(file) : open_directly(path);
  return file->descriptor < 0 ? tac_replace_file_fail(error, "cannot write", file->replaces ? file->part : path, errno)
                              : TAC_STATUS_OK;
}

enum tac_status tac_trace_file_open(struct tac_trace_file **out, const char *path, enum tac_level level,
                                    const struct tac_report_facts *facts, struct tac_error *error) {
  struct tac_trace_options options;
  struct tac_trace_file *file = *out = calloc(1, sizeof *file);
  if (!file)
    return tac_error_set(error, TAC_STATUS_MEMORY, "trace", "no memory for a trace");
  file->descriptor = -1;
  enum tac_status status = open_file(file, path, error);
  tac_trace_options_init(&options);
  options.level = level;
  options.facts = facts;
  if (status == TAC_STATUS_OK)
    status = tac_trace_create(&file->trace, &options, write_all, file, error);
  if (status != TAC_STATUS_OK)
    tac_trace_file_destroy(out);
  return status;
}

struct tac_trace *tac_trace_file_trace(const struct tac_trace_file *file) {
  return file ? file->trace : NULL;
}

/* Some file systems tell of a failure only when a file is closed. */
static int close_part(struct tac_trace_file *file) {
  const int descriptor = file->descriptor;
  file->descriptor = -1;
  if (file->replaces && fsync(descriptor) != 0) {
    const int code = errno;
    close(descriptor);
    errno = code;
    return -1;
  }
  return close(descriptor);
}

enum tac_status tac_trace_file_finish(struct tac_trace_file *file, struct tac_error *error) {
  if (!file || file->descriptor < 0)
    return TAC_STATUS_OK;
  enum tac_status status = TAC_STATUS_OK;
  char shown[TAC_SHOWN_PATH_BYTES];
  if (tac_trace_finish(file->trace, NULL) != TAC_STATUS_OK)
    status = tac_replace_file_fail(error, "cannot write", file->path, file->write_code);
  /* Another run with the same file has put its own there, which stays. */
  const int replaces = file->replaces && tac_replace_file_is(file->descriptor, file->part);
  if (status == TAC_STATUS_OK && file->replaces && !replaces)
    status = tac_error_set(error, TAC_STATUS_IO, "trace", "another run writes '%s', too", tac_shown_path(shown, file->part));
  if (close_part(file) != 0 && status == TAC_STATUS_OK)
    status = tac_replace_file_fail(error, "cannot write", file->path, errno);
  if (status == TAC_STATUS_OK && replaces && rename(file->part, file->target) != 0)
    status = tac_replace_file_fail(error, "cannot write", file->path, errno);
  if (status != TAC_STATUS_OK && replaces)
    unlink(file->part);
  return status;
}

void tac_trace_file_leave(struct tac_trace_file *file) {
  if (!file || file->descriptor < 0)
    return;
  (void)tac_trace_finish(file->trace, NULL); /* another failure is being told */
  (void)close_part(file);
}

void tac_trace_file_destroy(struct tac_trace_file **file) {
  if (!*file)
    return;
  struct tac_trace_file *gone = *file;
  tac_trace_destroy(&gone->trace);
  if (gone->descriptor >= 0) {
    if (gone->replaces)
      unlink(gone->part);
    close(gone->descriptor);
  }
  free(gone);
  *file = NULL;
}
