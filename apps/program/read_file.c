/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/program/read_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_BYTES = 65536 };

static enum tac_status fail(struct tac_error *error) {
  const int code = errno;
  const enum tac_status status = tac_error_set(error, TAC_STATUS_IO, "file", "cannot be read: %s", strerror(code));
  if (error)
    error->native_code = code;
  return status;
}

enum tac_status tac_read_stream(char **text, size_t *bytes, FILE *stream, struct tac_error *error) {
  size_t capacity = 0;
  *text = NULL;
  *bytes = 0;
  while (!feof(stream) && !ferror(stream)) {
    if (*bytes == capacity) {
      capacity = capacity ? 2 * capacity : FIRST_BYTES;
      char *larger = realloc(*text, capacity);
      if (!larger)
        return tac_error_set(error, TAC_STATUS_MEMORY, "file", "no memory to read it");
      *text = larger;
    }
    const size_t read = fread(*text + *bytes, 1, capacity - *bytes, stream);
    const char *zero = memchr(*text + *bytes, 0, read);
    if (zero)
      return tac_error_set(error, TAC_STATUS_INVALID, "file", "is no text: byte %zu is zero", (size_t)(zero - *text));
    *bytes += read;
  }
  return ferror(stream) ? fail(error) : TAC_STATUS_OK;
}

enum tac_status tac_read_file(char **text, size_t *bytes, const char *path, struct tac_error *error) {
  *text = NULL;
  *bytes = 0;
  FILE *stream = fopen(path, "rb");
  if (!stream)
    return fail(error);
  const enum tac_status status = tac_read_stream(text, bytes, stream, error);
  fclose(stream);
  return status;
}
