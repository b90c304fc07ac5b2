/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/tactus/member_reader.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

void tac_reader_at(struct tac_member_reader *reader, const char *key) {
  snprintf(reader->place, sizeof reader->place, "%s", key);
}

void tac_reader_at_element(struct tac_member_reader *reader, const char *key, size_t number) {
  snprintf(reader->place, sizeof reader->place, "%s[%zu]", key, number);
}

void tac_reader_fail(struct tac_member_reader *reader, const char *key, const char *format, ...) {
  char where[96], text[160];
  va_list arguments;
  if (reader->status != TAC_STATUS_OK)
    return;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  snprintf(where, sizeof where, "%s%s%s", reader->place, reader->place[0] && key[0] ? "." : "", key);
  reader->status = tac_error_set(reader->error, TAC_STATUS_INVALID, where, "%s", text);
}

static const char *type_name(const json_t *value) {
  static const char *const names[] = {
      [JSON_OBJECT] = "an object", [JSON_ARRAY] = "an array", [JSON_STRING] = "a text", [JSON_INTEGER] = "a whole number",
      [JSON_REAL] = "a number",    [JSON_TRUE] = "true",      [JSON_FALSE] = "false",   [JSON_NULL] = "null"};
  return names[json_typeof(value)];
}

static const json_t *find(struct tac_member_reader *reader, const json_t *object, const char *key, enum tac_presence presence) {
  const json_t *value = reader->status == TAC_STATUS_OK ? json_object_get(object, key) : NULL;
  if (presence == TAC_MEMBER_OPTIONAL && json_is_null(value))
    return NULL;
  if (!value && presence == TAC_MEMBER_REQUIRED)
    tac_reader_fail(reader, key, "is missing");
  return value;
}

static const json_t *expect(struct tac_member_reader *reader, const char *key, const json_t *value, int fits,
                            const char *what) {
  if (value && !fits)
    tac_reader_fail(reader, key, "is %s where %s is expected", type_name(value), what);
  return fits ? value : NULL;
}

const json_t *tac_read_object(struct tac_member_reader *reader, const json_t *object, const char *key,
                              enum tac_presence presence) {
  const json_t *value = find(reader, object, key, presence);
  return expect(reader, key, value, json_is_object(value), "an object");
}

const json_t *tac_read_array(struct tac_member_reader *reader, const json_t *object, const char *key,
                             enum tac_presence presence) {
  const json_t *value = find(reader, object, key, presence);
  return expect(reader, key, value, json_is_array(value), "an array");
}

const char *tac_read_text(struct tac_member_reader *reader, const json_t *object, const char *key, enum tac_presence presence) {
  const json_t *value = find(reader, object, key, presence);
  return json_string_value(expect(reader, key, value, json_is_string(value), "a text"));
}

int64_t tac_read_count(struct tac_member_reader *reader, const json_t *object, const char *key, enum tac_presence presence) {
  const json_t *value = find(reader, object, key, presence);
  const int64_t count = json_integer_value(expect(reader, key, value, json_is_integer(value), "a whole number"));
  if (count < 0)
    tac_reader_fail(reader, key, "is negative");
  return count < 0 ? 0 : count;
}

uint64_t tac_read_number(struct tac_member_reader *reader, const json_t *object, const char *key) {
  return (uint64_t)tac_read_count(reader, object, key, TAC_MEMBER_REQUIRED);
}

int64_t tac_read_duration(struct tac_member_reader *reader, const json_t *object, const char *key) {
  const int64_t duration_ns = tac_read_count(reader, object, key, TAC_MEMBER_REQUIRED);
  if (duration_ns > TAC_RECORD_DURATION_MOST)
    tac_reader_fail(reader, key, "is %lld, which is no duration", (long long)duration_ns);
  return reader->status == TAC_STATUS_OK ? duration_ns : 0;
}

int64_t tac_read_integer(struct tac_member_reader *reader, const json_t *object, const char *key) {
  const json_t *value = find(reader, object, key, TAC_MEMBER_REQUIRED);
  return json_integer_value(expect(reader, key, value, json_is_integer(value), "a whole number"));
}

int64_t tac_read_time(struct tac_member_reader *reader, const json_t *object, const char *key) {
  const int64_t time_ns = tac_read_integer(reader, object, key);
  if (time_ns < -TAC_RECORD_TIME_MOST || time_ns > TAC_RECORD_TIME_MOST)
    tac_reader_fail(reader, key, "is %lld, which is no time", (long long)time_ns);
  return time_ns;
}

double tac_read_real(struct tac_member_reader *reader, const json_t *object, const char *key, enum tac_presence presence) {
  const json_t *value = find(reader, object, key, presence);
  if (!value || json_is_null(value))
    return NAN;
  return json_number_value(expect(reader, key, value, json_is_number(value), "a number"));
}

int tac_read_flag(struct tac_member_reader *reader, const json_t *object, const char *key) {
  const json_t *value = find(reader, object, key, TAC_MEMBER_REQUIRED);
  return json_is_true(expect(reader, key, value, json_is_boolean(value), "true or false"));
}

const json_t *tac_read_element(struct tac_member_reader *reader, const json_t *array, const char *key, size_t number) {
  const json_t *value = reader->status == TAC_STATUS_OK ? json_array_get(array, number) : NULL;
  tac_reader_at_element(reader, key, number);
  return expect(reader, "", value, json_is_object(value), "an object");
}
