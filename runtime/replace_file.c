/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "runtime/replace_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/shown_path.h"

enum tac_status tac_replace_file_fail(struct tac_error *error, const char *what, const char *path, int code) {
  char shown[TAC_SHOWN_PATH_BYTES];
  enum tac_status status =
      tac_error_set(error, TAC_STATUS_IO, "file", "%s '%s': %s", what, tac_shown_path(shown, path), strerror(code));
  if (error)
    error->native_code = code;
  return status;
}

static enum tac_status fail(struct tac_error *error, const char *path, const char *what) {
  return tac_replace_file_fail(error, what, path, errno);
}

/* Where a path leads. */
struct target {
  char path[PATH_MAX]; /* without links, but for what is no regular file */
  int descriptor;      /* the open one that it names (/dev/stdout, /dev/fd/3); -1: none */
};

static const char *last_part(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

static void folder_of(char folder[PATH_MAX], const char *path) {
  const size_t length = (size_t)(last_part(path) - path);
  memcpy(folder, length > 0 ? path : ".", length > 0 ? length : 1);
  folder[length > 0 ? length : 1] = '\0';
}

static int join(char path[PATH_MAX], const char *folder, const char *name) {
  const char *between = strcmp(folder, "/") == 0 ? "" : "/";
  if (snprintf(path, PATH_MAX, "%s%s%s", folder, between, name) < PATH_MAX)
    return 1;
  errno = ENAMETOOLONG;
  return 0;
}

/* The system shows open descriptors as links to their files: to follow one would open the file anew. */
static int descriptor_of(const char *folder, const char *name) {
  char descriptors[PATH_MAX];
  if (name[0] == '\0' || name[strspn(name, "0123456789")] != '\0' || strlen(name) > 9)
    return -1;
  return realpath("/proc/self/fd", descriptors) && strcmp(folder, descriptors) == 0 ? (int)strtol(name, NULL, 10) : -1;
}

/* Follows links one by one, as the last of them may lead to what is not there yet. 0: errno says why. */
static int find_target(struct target *target, const char *path) {
  enum { LINKS_MOST = 40 };
  char place[PATH_MAX], folder[PATH_MAX], whole[PATH_MAX], link[PATH_MAX];
  struct stat info;
  target->descriptor = -1;
  errno = ENOENT;
  if (!*path || !join(place, path[0] == '/' ? "/" : ".", path + strspn(path, "/")))
    return 0;
  for (int links = 0; links < LINKS_MOST; links++) {
    folder_of(folder, place);
    if (!realpath(folder, whole) || !join(target->path, whole, last_part(place)))
      return 0;
    target->descriptor = descriptor_of(whole, last_part(place));
    if (target->descriptor >= 0 || (stat(target->path, &info) == 0 && !S_ISREG(info.st_mode)))
      return 1;
    const ssize_t bytes = readlink(target->path, link, sizeof link - 1);
    if (bytes < 0)
      return errno == EINVAL || errno == ENOENT;
    link[bytes] = '\0';
    if (!join(place, link[0] == '/' ? "/" : whole, link + strspn(link, "/")))
      return 0;
  }
  errno = ELOOP;
  return 0;
}

static int is_replaced(const struct target *target) {
  struct stat info;
  return target->descriptor < 0 && (stat(target->path, &info) != 0 || S_ISREG(info.st_mode));
}

int tac_replace_file_target(char *target, size_t bytes, const char *path) {
  struct target found;
  if (!find_target(&found, path))
    return 0;
  if (strlen(found.path) >= bytes) {
    errno = ENAMETOOLONG;
    return 0;
  }
  memcpy(target, found.path, strlen(found.path) + 1);
  return 1;
}

/* Whether an open descriptor can be written to; errno says why not. */
static int is_writable(int descriptor) {
  const int flags = fcntl(descriptor, F_GETFL);
  if (flags >= 0 && (flags & O_ACCMODE) == O_RDONLY)
    errno = EBADF;
  return flags >= 0 && (flags & O_ACCMODE) != O_RDONLY;
}

/* A name beside the target: its own, cut so that there is room for what makes it another. 0: errno says why not. */
static int name_temporary(char temporary[PATH_MAX], const char *target, int attempt) {
  enum { SUFFIX_MOST = 40, NAME_MOST = 255 };
  const int folder = (int)(last_part(target) - target), most = NAME_MOST - SUFFIX_MOST;
  if (snprintf(temporary, PATH_MAX, "%.*s%.*s.new-%ld-%d", folder, target, most, last_part(target), (long)getpid(), attempt) <
      PATH_MAX)
    return 1;
  errno = ENAMETOOLONG;
  return 0;
}

enum tac_status tac_replace_file_probe(const char *path, struct tac_error *error) {
  char folder[PATH_MAX], temporary[PATH_MAX];
  struct target target;
  struct stat info;
  if (!find_target(&target, path))
    return fail(error, path, "cannot write");
  if (target.descriptor >= 0)
    return is_writable(target.descriptor) ? TAC_STATUS_OK : fail(error, path, "cannot write");
  if (stat(target.path, &info) == 0 && !S_ISREG(info.st_mode)) {
    errno = S_ISDIR(info.st_mode) ? EISDIR : EACCES;
    return S_ISDIR(info.st_mode) || access(target.path, W_OK) != 0 ? fail(error, path, "cannot write") : TAC_STATUS_OK;
  }
  folder_of(folder, target.path);
  if (!name_temporary(temporary, target.path, 0))
    return fail(error, path, "cannot write");
  return access(folder, W_OK | X_OK) == 0 ? TAC_STATUS_OK : fail(error, path, "cannot write into the folder of");
}

int tac_replace_file_replaces(const char *path) {
  struct target target;
  return find_target(&target, path) && is_replaced(&target);
}

static int stat_target(const struct target *target, struct stat *info) {
  return target->descriptor >= 0 ? fstat(target->descriptor, info) : stat(target->path, info);
}

int tac_replace_file_clash(const char *one, const char *other) {
  struct target a, b;
  struct stat of_a, of_b;
  if (!find_target(&a, one) || !find_target(&b, other) || !(is_replaced(&a) || is_replaced(&b)))
    return 0;
  const int exists = stat_target(&a, &of_a) == 0;
  if (exists != (stat_target(&b, &of_b) == 0))
    return 0;
  return exists ? of_a.st_dev == of_b.st_dev && of_a.st_ino == of_b.st_ino : strcmp(a.path, b.path) == 0;
}

static int open_target(const struct target *target) {
  if (target->descriptor < 0)
    return open(target->path, O_WRONLY | O_CLOEXEC);
  return is_writable(target->descriptor) ? fcntl(target->descriptor, F_DUPFD_CLOEXEC, 0) : -1;
}

int tac_replace_file_open(const char *path) {
  struct target target;
  return find_target(&target, path) ? open_target(&target) : -1;
}

int tac_replace_file_create(const char *path, const char *target) {
  struct stat info;
  const int descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
  if (descriptor >= 0 && stat(target, &info) == 0 && fchmod(descriptor, info.st_mode & 07777) != 0) {
    const int code = errno;
    unlink(path);
    close(descriptor);
    errno = code;
    return -1;
  }
  return descriptor;
}

int tac_replace_file_is(int descriptor, const char *path) {
  struct stat own, there;
  return fstat(descriptor, &own) == 0 && lstat(path, &there) == 0 && own.st_dev == there.st_dev && own.st_ino == there.st_ino;
}

/* What a killed process has left under the same name stays. */
static int create_temporary(char temporary[PATH_MAX], const char *target) {
  enum { ATTEMPTS = 100 };
  int descriptor = -1;
  for (int attempt = 0; attempt < ATTEMPTS && descriptor < 0; attempt++) {
    if (!name_temporary(temporary, target, attempt))
      return -1;
    descriptor = tac_replace_file_create(temporary, target);
    if (descriptor < 0 && errno != EEXIST)
      return -1;
  }
  return descriptor;
}

/* Writes to an open file and closes it. */
static enum tac_status write_and_close(int descriptor, const char *path, tac_write_file_fn write, void *context, int must_sync,
                                       struct tac_error *error) {
  enum tac_status status = write(context, descriptor, error);
  if (status == TAC_STATUS_OK && must_sync && fsync(descriptor) != 0)
    status = fail(error, path, "cannot write");
  if (close(descriptor) != 0 && status == TAC_STATUS_OK)
    status = fail(error, path, "cannot write");
  return status;
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

enum tac_status tac_replace_file_by(const char *path, tac_write_file_fn write, void *context, struct tac_error *error) {
  char temporary[PATH_MAX];
  struct target target;
  if (!find_target(&target, path))
    return fail(error, path, "cannot write");
  const int replaces = is_replaced(&target);
  const int file = replaces ? create_temporary(temporary, target.path) : open_target(&target);
  if (file < 0)
    return fail(error, path, replaces ? "cannot make a temporary file beside" : "cannot open");
  enum tac_status status = write_and_close(file, path, write, context, replaces, error);
  if (!replaces)
    return status;
  if (status == TAC_STATUS_OK && rename(temporary, target.path) != 0)
    status = fail(error, path, "cannot replace");
  if (status == TAC_STATUS_OK)
    sync_folder(target.path);
  else
    unlink(temporary);
  return status;
}
