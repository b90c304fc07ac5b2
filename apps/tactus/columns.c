/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/tactus/columns.h"

#include <stdio.h>

struct tac_columns tac_columns_open(struct tac_member_reader *reader, const json_t *object, const char *key,
                                    const char *first) {
  char place[2 * sizeof reader->place];
  struct tac_columns columns = {.reader = reader, .object = tac_read_object(reader, object, key, TAC_MEMBER_OPTIONAL)};
  if (!columns.object)
    return columns;
  snprintf(place, sizeof place, "%s%s%s", reader->place, reader->place[0] ? "." : "", key);
  tac_reader_at(reader, place);
  columns.rows = json_array_size(tac_read_array(reader, columns.object, first, TAC_MEMBER_REQUIRED));
  return columns;
}

int tac_columns_has(const struct tac_columns *columns, const char *name) {
  const json_t *array = tac_read_array(columns->reader, columns->object, name, TAC_MEMBER_OPTIONAL);
  if (array && json_array_size(array) != columns->rows)
    tac_reader_fail(columns->reader, name, "has %zu elements where %zu are expected", json_array_size(array), columns->rows);
  return array && columns->reader->status == TAC_STATUS_OK;
}

static const json_t *element(const struct tac_columns *columns, const char *name, size_t row) {
  if (!tac_columns_has(columns, name)) {
    tac_reader_fail(columns->reader, name, "is missing");
    return NULL;
  }
  return json_array_get(json_object_get(columns->object, name), row);
}

int64_t tac_columns_integer(const struct tac_columns *columns, const char *name, size_t row, int64_t least, int64_t most) {
  const json_t *value = element(columns, name, row);
  const int64_t number = json_integer_value(value);
  if (value && !json_is_integer(value))
    tac_reader_fail(columns->reader, name, "its element %zu is no whole number", row);
  else if (value && (number < least || number > most))
    tac_reader_fail(columns->reader, name, "its element %zu is %lld, which cannot be", row, (long long)number);
  return columns->reader->status == TAC_STATUS_OK ? number : least;
}

int64_t tac_columns_time(const struct tac_columns *columns, const char *name, size_t row) {
  return tac_columns_integer(columns, name, row, -TAC_RECORD_DURATION_MOST, TAC_RECORD_DURATION_MOST);
}

int64_t tac_columns_duration(const struct tac_columns *columns, const char *name, size_t row) {
  return tac_columns_integer(columns, name, row, 0, TAC_RECORD_DURATION_MOST);
}

int tac_columns_is_null(const struct tac_columns *columns, const char *name, size_t row) {
  return json_is_null(element(columns, name, row));
}

double tac_columns_real(const struct tac_columns *columns, const char *name, size_t row) {
  const json_t *value = element(columns, name, row);
  if (value && !json_is_number(value))
    tac_reader_fail(columns->reader, name, "its element %zu is no number", row);
  return json_number_value(value);
}

const char *tac_columns_text(const struct tac_columns *columns, const char *name, size_t row) {
  const json_t *value = element(columns, name, row);
  if (value && !json_is_string(value))
    tac_reader_fail(columns->reader, name, "its element %zu is no text", row);
  const char *text = json_string_value(value);
  return text ? text : "";
}
