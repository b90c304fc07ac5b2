/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "measure/json_value.h"

#include <math.h>
#include <string.h>

#include "measure/text.h"

void tac_value_set(struct tac_value_builder *builder, json_t *object, const char *key, json_t *value) {
  if (json_object_set_new(object, key, value) != 0)
    builder->failed = 1;
}

void tac_value_set_named(struct tac_value_builder *builder, json_t *object, const char *name, json_t *value) {
  json_t *key = tac_value_text(builder, name);
  tac_value_set(builder, object, json_string_value(key), value);
  json_decref(key);
}

void tac_value_append(struct tac_value_builder *builder, json_t *array, json_t *value) {
  if (json_array_append_new(array, value) != 0)
    builder->failed = 1;
}

void tac_value_set_count(struct tac_value_builder *builder, json_t *object, const char *key, uint64_t count) {
  tac_value_set(builder, object, key, json_integer(count <= INT64_MAX ? (json_int_t)count : INT64_MAX));
}

void tac_value_set_time(struct tac_value_builder *builder, json_t *object, const char *key, int64_t time_ns) {
  tac_value_set(builder, object, key, json_integer(time_ns));
}

void tac_value_set_real(struct tac_value_builder *builder, json_t *object, const char *key, double value) {
  tac_value_set(builder, object, key, isfinite(value) ? json_real(value) : json_null());
}

json_t *tac_value_text(struct tac_value_builder *builder, const char *text) {
  char *repaired = builder->allocator->allocate(builder->allocator->context, 3 * strlen(text) + TAC_CHARACTER_BYTES);
  if (!repaired)
    return NULL;
  char *end = repaired;
  while (tac_utf8_next(&text, end) != 0)
    end += strlen(end);
  json_t *value = json_string(repaired);
  builder->allocator->release(builder->allocator->context, repaired);
  return value;
}

void tac_value_set_text(struct tac_value_builder *builder, json_t *object, const char *key, const char *text) {
  tac_value_set(builder, object, key, text ? tac_value_text(builder, text) : json_null());
}

/* The library may come back after a refusal. */
static int write_piece(const char *text, size_t bytes, void *context) {
  struct tac_writer *writer = context;
  tac_write(writer, text, bytes);
  return writer->refused ? -1 : 0;
}

void tac_value_write_piece(struct tac_value_builder *builder, json_t *value, size_t flags, struct tac_writer *writer) {
  if (!builder->failed && !writer->refused && json_dump_callback(value, write_piece, writer, flags | JSON_COMPACT) != 0)
    builder->failed = !writer->refused;
  json_decref(value);
}

enum tac_status tac_value_status(const struct tac_value_builder *builder, const struct tac_writer *writer, const char *where,
                                 struct tac_error *error) {
  if (writer->refused)
    return tac_writer_status(writer, where, error);
  return builder->failed ? tac_error_set(error, TAC_STATUS_MEMORY, where, "no memory to write the report as JSON")
                         : TAC_STATUS_OK;
}

enum tac_status tac_value_write(struct tac_value_builder *builder, json_t *value, size_t flags, tac_sink_fn sink, void *context,
                                const char *where, struct tac_error *error) {
  struct tac_writer writer = {.sink = sink, .context = context};
  tac_value_write_piece(builder, value, flags, &writer);
  return tac_value_status(builder, &writer, where, error);
}
