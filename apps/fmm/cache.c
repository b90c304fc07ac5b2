/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/fmm/cache.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A file: this header, the key, the array. Numbers in the order of the machine that wrote them; `order` tells another one
 * apart. */
struct header {
  char magic[8];
  uint32_t version, order;
  uint64_t key_bytes, count, checksum;
};
static const char magic[8] = {'t', 'a', 'c', 'c', 'a', 'c', 'h', 'e'};
enum { VERSION = 1, BYTE_ORDER_MARK = 0x01020304, LANES = 4, PATH_BYTES = 4096 };

/* Every step is a bijection of the state for any word, so that one damaged word always shows. Four independent states, for
 * speed. */
static uint64_t checksum(uint64_t state, const void *bytes, size_t size) {
  const unsigned char *in = bytes;
  uint64_t lane[LANES];
  for (int i = 0; i < LANES; i++)
    lane[i] = state + (uint64_t)i * UINT64_C(0x9e3779b97f4a7c15);
  size_t at = 0;
  for (int i = 0; at < size; i = (i + 1) % LANES, at += sizeof(uint64_t)) {
    uint64_t word = 0;
    memcpy(&word, in + at, size - at < sizeof word ? size - at : sizeof word);
    lane[i] = (lane[i] ^ word) * UINT64_C(0x9fb21c651e98df25);
    lane[i] ^= lane[i] >> 29;
  }
  for (int i = 0; i < LANES; i++)
    state = (state ^ lane[i]) * UINT64_C(0xd6e8feb86659fd93) + size;
  return state;
}

uint64_t tac_cache_checksum(const double *data, size_t count) {
  return checksum(count, data, count * sizeof *data);
}

static struct header header_of(const char *key, const double *data, size_t count) {
  struct header header = {.version = VERSION, .order = BYTE_ORDER_MARK, .key_bytes = strlen(key), .count = count};
  memcpy(header.magic, magic, sizeof magic);
  header.checksum = checksum(checksum(count, key, header.key_bytes), data, count * sizeof *data);
  return header;
}

/* 0 when the path is too long. */
static int file_path(char path[PATH_BYTES], const char *folder, const char *key) {
  const int length =
      snprintf(path, PATH_BYTES, "%s/%016llx.tac", folder, (unsigned long long)checksum(VERSION, key, strlen(key)));
  return length > 0 && length < PATH_BYTES;
}

static int read_all(int file, void *out, size_t size) {
  char *at = out;
  while (size) {
    const ssize_t got = read(file, at, size);
    if (got < 0 && errno == EINTR)
      continue;
    if (got <= 0)
      return 0;
    at += got;
    size -= (size_t)got;
  }
  return 1;
}

static int write_all(int file, const void *in, size_t size) {
  const char *at = in;
  while (size) {
    const ssize_t put = write(file, at, size);
    if (put < 0 && errno == EINTR)
      continue;
    if (put <= 0)
      return 0;
    at += put;
    size -= (size_t)put;
  }
  return 1;
}

/* The key in the file is the one asked for. */
static int same_key(int file, const char *key, size_t key_bytes) {
  char part[256];
  for (size_t at = 0; at < key_bytes;) {
    const size_t size = key_bytes - at < sizeof part ? key_bytes - at : sizeof part;
    if (!read_all(file, part, size) || memcmp(part, key + at, size) != 0)
      return 0;
    at += size;
  }
  return 1;
}

static int read_array(int file, const char *key, double *data, size_t count) {
  const size_t key_bytes = strlen(key);
  struct stat status;
  struct header found;
  if (fstat(file, &status) || !S_ISREG(status.st_mode) ||
      (uint64_t)status.st_size != sizeof found + key_bytes + count * sizeof *data)
    return 0;
  if (!read_all(file, &found, sizeof found) || found.key_bytes != key_bytes || !same_key(file, key, key_bytes) ||
      !read_all(file, data, count * sizeof *data))
    return 0;
  const struct header expected = header_of(key, data, count);
  return memcmp(&found, &expected, sizeof found) == 0;
}

int tac_cache_load(const char *folder, const char *key, double *data, size_t count) {
  char path[PATH_BYTES];
  if (!folder || !file_path(path, folder, key))
    return 0;
  const int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* a pipe of that name does not block */
  if (file < 0)
    return 0;
  const int loaded = read_array(file, key, data, count);
  close(file);
  return loaded;
}

/* The folder and those above it. What fails shows when the file is opened. */
static void make_folders(const char *folder) {
  char path[PATH_BYTES];
  const size_t length = strlen(folder);
  if (length >= sizeof path)
    return;
  memcpy(path, folder, length + 1);
  for (size_t i = 1; i <= length; i++)
    if (path[i] == '/' || path[i] == 0) {
      const char saved = path[i];
      path[i] = 0;
      (void)mkdir(path, 0777);
      path[i] = saved;
    }
}

int tac_cache_store(const char *folder, const char *key, const double *data, size_t count) {
  char path[PATH_BYTES], temporary[PATH_BYTES + 8];
  if (!folder || !file_path(path, folder, key))
    return 0;
  make_folders(folder);
  snprintf(temporary, sizeof temporary, "%s.XXXXXX", path);
  const int file = mkostemp(temporary, O_CLOEXEC);
  if (file < 0)
    return 0;
  const struct header header = header_of(key, data, count);
  int kept = write_all(file, &header, sizeof header) && write_all(file, key, header.key_bytes) &&
             write_all(file, data, count * sizeof *data);
  kept = close(file) == 0 && kept;
  kept = kept && rename(temporary, path) == 0;
  if (!kept)
    unlink(temporary);
  return kept;
}
