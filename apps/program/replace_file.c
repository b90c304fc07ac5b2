/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/program/replace_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static enum tac_status fail(struct tac_error *error, const char *path, const char *what) {
  int code = errno;
  enum tac_status status = tac_error_set(error, TAC_STATUS_IO, "file", "%s '%s': %s", what, path, strerror(code));
  if (error)
    error->native_code = code;
  return status;
}

/* Where the path leads once links are followed; a file that does not exist yet is its own target. */
static int find_target(char target[PATH_MAX], const char *path) {
  if (realpath(path, target))
    return 1;
  const size_t bytes = strlen(path) + 1;
  if (errno != ENOENT || bytes == 1 || bytes > PATH_MAX)
    return 0;
  memcpy(target, path, bytes);
  return 1;
}

int tac_replace_file_target(char *target, size_t bytes, const char *path) {
  char found[PATH_MAX];
  if (!find_target(found, path))
    return 0;
  if (strlen(found) >= bytes) {
    errno = ENAMETOOLONG;
    return 0;
  }
  memcpy(target, found, strlen(found) + 1);
  return 1;
}

static void folder_of(char folder[PATH_MAX], const char *path) {
  const char *slash = strrchr(path, '/');
  size_t length = slash ? (size_t)(slash - path) + (slash == path) : 1;
  memcpy(folder, slash ? path : ".", length);
  folder[length] = '\0';
}

enum tac_status tac_replace_file_probe(const char *path, struct tac_error *error) {
  char target[PATH_MAX], folder[PATH_MAX];
  struct stat info;
  if (!find_target(target, path))
    return fail(error, path, "cannot write");
  if (stat(target, &info) == 0 && !S_ISREG(info.st_mode)) {
    errno = S_ISDIR(info.st_mode) ? EISDIR : EACCES;
    return S_ISDIR(info.st_mode) || access(target, W_OK) != 0 ? fail(error, path, "cannot write") : TAC_STATUS_OK;
  }
  folder_of(folder, target);
  return access(folder, W_OK | X_OK) == 0
             ? TAC_STATUS_OK
             : fail(error, path, errno == ENOENT ? "cannot write" : "cannot write into the folder of");
}

int tac_replace_file_replaces(const char *path) {
  char target[PATH_MAX];
  struct stat info;
  return find_target(target, path) && (stat(target, &info) != 0 || S_ISREG(info.st_mode));
}

/* A path without links, also of a file that does not exist yet. */
static int whole_path(char whole[PATH_MAX], const char *target) {
  char folder[PATH_MAX], found[PATH_MAX];
  const char *slash = strrchr(target, '/');
  folder_of(folder, target);
  if (!realpath(folder, found))
    return 0;
  return snprintf(whole, PATH_MAX, "%s/%s", found, slash ? slash + 1 : target) < PATH_MAX;
}

int tac_replace_file_same(const char *one, const char *other) {
  char a[PATH_MAX], b[PATH_MAX], whole_a[PATH_MAX], whole_b[PATH_MAX];
  struct stat of_a, of_b;
  if (!find_target(a, one) || !find_target(b, other))
    return strcmp(one, other) == 0;
  const int exists = stat(a, &of_a) == 0;
  if (exists != (stat(b, &of_b) == 0))
    return 0;
  if (exists)
    return of_a.st_dev == of_b.st_dev && of_a.st_ino == of_b.st_ino;
  return whole_path(whole_a, a) && whole_path(whole_b, b) && strcmp(whole_a, whole_b) == 0;
}

/* Fills an open file and closes it. */
static enum tac_status fill_and_close(int descriptor, const char *path, tac_fill_fn fill, void *context, int must_sync,
                                      struct tac_error *error) {
  FILE *file = fdopen(descriptor, "w");
  if (!file) {
    enum tac_status status = fail(error, path, "cannot write");
    close(descriptor);
    return status;
  }
  enum tac_status status = fill(context, file, error);
  if (status == TAC_STATUS_OK && (ferror(file) || fflush(file) != 0 || (must_sync && fsync(descriptor) != 0)))
    status = fail(error, path, "cannot write");
  if (fclose(file) != 0 && status == TAC_STATUS_OK)
    status = fail(error, path, "cannot write");
  return status;
}

/* The mode that a file made by open() would have: the mask can only be read by setting it. */
static mode_t default_mode(void) {
  mode_t mask = umask(0);
  umask(mask);
  return 0666 & ~mask;
}

static void sync_folder(const char *target) {
  char folder[PATH_MAX];
  folder_of(folder, target);
  int file = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (file >= 0) {
    (void)fsync(file); /* some file systems cannot; the rename itself has happened */
    close(file);
  }
}

static enum tac_status write_directly(const char *path, tac_fill_fn fill, void *context, struct tac_error *error) {
  int file = open(path, O_WRONLY | O_CLOEXEC);
  return file < 0 ? fail(error, path, "cannot open") : fill_and_close(file, path, fill, context, 0, error);
}

/* Signals that would end the program between making and renaming the temporary file are noted and raised afterwards. They
 * are not blocked, as another thread would take them. */
static const int held_signals[] = {SIGHUP, SIGINT, SIGTERM};
enum { HELD_SIGNALS = sizeof held_signals / sizeof *held_signals };
static volatile sig_atomic_t noted_signal;

static void note_signal(int number) {
  noted_signal = number;
}

/* Ignored signals stay ignored. */
static void hold_signals(struct sigaction before[HELD_SIGNALS]) {
  struct sigaction note = {.sa_handler = note_signal, .sa_flags = SA_RESTART};
  sigemptyset(&note.sa_mask);
  noted_signal = 0;
  for (int i = 0; i < HELD_SIGNALS; i++) {
    sigaction(held_signals[i], NULL, &before[i]);
    if (before[i].sa_handler != SIG_IGN)
      sigaction(held_signals[i], &note, NULL);
  }
}

static void release_signals(const struct sigaction before[HELD_SIGNALS]) {
  for (int i = 0; i < HELD_SIGNALS; i++)
    sigaction(held_signals[i], &before[i], NULL);
  if (noted_signal)
    raise(noted_signal);
}

/* Fills a new file and renames it to `target`; on failure it is removed. */
static enum tac_status write_and_rename(char *temporary, const char *target, const char *path, tac_fill_fn fill, void *context,
                                        mode_t mode, struct tac_error *error) {
  int file = mkstemp(temporary);
  if (file < 0)
    return fail(error, path, "cannot make a temporary file beside");
  enum tac_status status;
  if (fchmod(file, mode) != 0) {
    status = fail(error, path, "cannot write");
    close(file);
  } else {
    status = fill_and_close(file, path, fill, context, 1, error);
  }
  if (status == TAC_STATUS_OK && rename(temporary, target) != 0)
    status = fail(error, path, "cannot replace");
  if (status != TAC_STATUS_OK)
    unlink(temporary);
  return status;
}

enum tac_status tac_replace_file_filled(const char *path, tac_fill_fn fill, void *context, struct tac_error *error) {
  char target[PATH_MAX], temporary[PATH_MAX + 8];
  struct stat info;
  struct sigaction before[HELD_SIGNALS];
  if (!find_target(target, path))
    return fail(error, path, "cannot write");
  int exists = stat(target, &info) == 0;
  if (exists && !S_ISREG(info.st_mode))
    return write_directly(target, fill, context, error);
  snprintf(temporary, sizeof temporary, "%s.XXXXXX", target);
  hold_signals(before);
  enum tac_status status =
      write_and_rename(temporary, target, path, fill, context, exists ? info.st_mode & 07777 : default_mode(), error);
  release_signals(before);
  if (status == TAC_STATUS_OK)
    sync_folder(target);
  return status;
}

struct text {
  const char *text;
  size_t bytes;
};

static enum tac_status fill_text(void *context, FILE *file, struct tac_error *error) {
  const struct text *text = context;
  (void)error; /* a failing stream is seen by the caller */
  fwrite(text->text, 1, text->bytes, file);
  return TAC_STATUS_OK;
}

enum tac_status tac_replace_file(const char *path, const char *text, size_t bytes, struct tac_error *error) {
  return tac_replace_file_filled(path, fill_text, &(struct text){text, bytes}, error);
}
