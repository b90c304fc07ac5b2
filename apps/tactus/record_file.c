/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "apps/tactus/record_parts.h"

static enum tac_status fail_read(struct tac_error *error) {
  const int code = errno;
  const enum tac_status status = tac_error_set(error, TAC_STATUS_IO, "file", "cannot be read: %s", strerror(code));
  if (error)
    error->native_code = code;
  return status;
}

/* All that a stream gives; the caller frees *out. */
static enum tac_status read_stream(char **out, size_t *bytes, FILE *stream, struct tac_error *error) {
  size_t capacity = 0;
  *out = NULL;
  *bytes = 0;
  do {
    if (*bytes == capacity) {
      capacity = capacity ? 2 * capacity : 65536;
      char *larger = realloc(*out, capacity);
      if (!larger)
        return tac_error_set(error, TAC_STATUS_MEMORY, "file", "no memory for its text");
      *out = larger;
    }
    *bytes += fread(*out + *bytes, 1, capacity - *bytes, stream);
  } while (!feof(stream) && !ferror(stream));
  return ferror(stream) ? fail_read(error) : TAC_STATUS_OK;
}

static enum tac_status read_file(char **out, size_t *bytes, const char *path, struct tac_error *error) {
  *out = NULL;
  if (strcmp(path, "-") == 0)
    return read_stream(out, bytes, stdin, error);
  FILE *stream = fopen(path, "rb");
  if (!stream)
    return fail_read(error);
  const enum tac_status status = read_stream(out, bytes, stream, error);
  fclose(stream);
  return status;
}

static enum tac_status fail_parse(const json_error_t *why, struct tac_error *error) {
  switch (json_error_code(why)) {
  case json_error_out_of_memory:
    return tac_error_set(error, TAC_STATUS_MEMORY, "file", "no memory for what it holds");
  case json_error_premature_end_of_input:
    return tac_error_set(error, TAC_STATUS_INVALID, "file", "ends in line %d within the record: it is not whole", why->line);
  default:
    return tac_error_set(error, TAC_STATUS_INVALID, "file", "line %d, column %d: no JSON: %s", why->line, why->column,
                         why->text);
  }
}

static int is_blank(const char *text, size_t bytes) {
  for (size_t i = 0; i < bytes; i++)
    if (!strchr(" \t\r\n", text[i]) || text[i] == '\0')
      return 0;
  return 1;
}

enum tac_status tac_record_load(json_t **out, const char *path, struct tac_error *error) {
  char *text;
  size_t bytes = 0;
  json_error_t why;
  *out = NULL;
  enum tac_status status = read_file(&text, &bytes, path, error);
  if (status == TAC_STATUS_OK && is_blank(text, bytes))
    status = tac_error_set(error, TAC_STATUS_INVALID, "file", "is empty");
  if (status == TAC_STATUS_OK) {
    *out = json_loadb(text, bytes, JSON_REJECT_DUPLICATES, &why);
    status = *out ? TAC_STATUS_OK : fail_parse(&why, error);
  }
  free(text);
  return status;
}
