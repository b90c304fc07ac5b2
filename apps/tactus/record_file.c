/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "apps/program/read_file.h"
#include "apps/tactus/record_parts.h"

/* The library of JSON does not tell all of its faults from want of memory, but takes memory from whom it is told to. */
static int memory_refused;

static void *allocate_noting(size_t bytes) {
  void *memory = malloc(bytes);
  memory_refused |= !memory;
  return memory;
}

static json_t *load(const char *text, size_t bytes, json_error_t *why) {
  memory_refused = 0;
  json_set_alloc_funcs(allocate_noting, free);
  json_t *value = json_loadb(text, bytes, JSON_REJECT_DUPLICATES, why);
  json_set_alloc_funcs(malloc, free);
  return value;
}

static enum tac_status fail_parse(const json_error_t *why, struct tac_error *error) {
  if (memory_refused)
    return tac_error_set(error, TAC_STATUS_MEMORY, "file", "no memory for what it holds");
  switch (json_error_code(why)) {
  case json_error_premature_end_of_input:
    return tac_error_set(error, TAC_STATUS_INVALID, "file", "ends in line %d within the record: it is not whole", why->line);
  case json_error_null_character:
  case json_error_null_byte_in_key:
    return tac_error_set(error, TAC_STATUS_INVALID, "file",
                         "line %d, column %d: a text holds \\u0000, as none of a record does", why->line, why->column);
  default:
    return tac_error_set(error, TAC_STATUS_INVALID, "file", "line %d, column %d: no JSON: %s", why->line, why->column,
                         why->text);
  }
}

static int is_blank(const char *text, size_t bytes) {
  for (size_t i = 0; i < bytes; i++)
    if (!strchr(" \t\r\n", text[i]))
      return 0;
  return 1;
}

static enum tac_status parse(json_t **out, const char *text, size_t bytes, struct tac_error *error) {
  json_error_t why;
  if (is_blank(text, bytes))
    return tac_error_set(error, TAC_STATUS_INVALID, "file", "is empty");
  *out = load(text, bytes, &why);
  return *out ? TAC_STATUS_OK : fail_parse(&why, error);
}

enum tac_status tac_record_load(json_t **out, const char *path, struct tac_error *error) {
  char *text;
  size_t bytes;
  *out = NULL;
  enum tac_status status =
      strcmp(path, "-") == 0 ? tac_read_stream(&text, &bytes, stdin, error) : tac_read_file(&text, &bytes, path, error);
  if (status == TAC_STATUS_OK)
    status = parse(out, text, bytes, error);
  free(text);
  return status;
}
