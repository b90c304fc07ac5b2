/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef TESTS_SUPPORT_CSV_ROWS_H
#define TESTS_SUPPORT_CSV_ROWS_H

/* A reader of RFC 4180 tables. */
#include <stdlib.h>
#include <string.h>

#include <check.h>

enum { CSV_ROWS_MOST = 16, CSV_FIELDS_MOST = 80 };

struct csv_rows {
  char *text; /* holds the fields */
  const char *field[CSV_ROWS_MOST][CSV_FIELDS_MOST];
  size_t fields[CSV_ROWS_MOST], rows;
};

/* One field from *in, written to *out; what ended it. */
static inline char csv_field(const char **in, char **out) {
  const int quoted = **in == '"';
  *in += quoted;
  for (;; (*in)++) {
    if (quoted && **in == '"' && (*in)[1] == '"')
      (*in)++;
    else if (quoted ? **in == '"' : (**in == ',' || **in == '\n' || **in == '\0'))
      break;
    ck_assert_msg(**in != '\0', "a quote is not closed");
    ck_assert_msg(quoted || (**in != '"' && **in != '\r'), "a field should stand in quotes");
    *(*out)++ = **in;
  }
  *in += quoted;
  *(*out)++ = '\0';
  const char end = *(*in)++;
  ck_assert_msg(end == ',' || end == '\n', "no separator");
  return end;
}

static inline void csv_rows_read(struct csv_rows *rows, const char *text) {
  char *out = rows->text = malloc(strlen(text) + 1);
  rows->rows = 0;
  while (*text) {
    size_t fields = 0;
    char end;
    ck_assert_uint_lt(rows->rows, CSV_ROWS_MOST);
    do {
      ck_assert_uint_lt(fields, CSV_FIELDS_MOST);
      rows->field[rows->rows][fields++] = out;
      end = csv_field(&text, &out);
    } while (end == ',');
    rows->fields[rows->rows++] = fields;
  }
  for (size_t i = 1; i < rows->rows; i++)
    ck_assert_uint_eq(rows->fields[i], rows->fields[0]);
}

/* The field of a row (1: the first below the names) in the column of that name, which stands once. */
static inline const char *csv_rows_get(const struct csv_rows *rows, size_t row, const char *column) {
  const char *found = NULL;
  for (size_t i = 0; i < rows->fields[0]; i++)
    if (strcmp(rows->field[0][i], column) == 0) {
      ck_assert_msg(!found, "two columns %s", column);
      found = rows->field[row][i];
    }
  ck_assert_msg(found != NULL, "no column %s", column);
  return found;
}

#endif
