/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef APPS_TACTUS_COLUMNS_H
#define APPS_TACTUS_COLUMNS_H

#include "apps/tactus/member_reader.h"

/* An object of arrays of equal length, one row an element of each: {"index":[…],"lane":[…]}. */
struct tac_columns {
  struct tac_member_reader *reader; /* at the object */
  const json_t *object;
  size_t rows;
};

/* The columns of a member of the object that the reader is at; the reader is then at it. `first` is the array whose length
 * counts. object NULL: there is none, or a fault. */
struct tac_columns tac_columns_open(struct tac_member_reader *reader, const json_t *object, const char *key, const char *first);

/* Whether there is such an array; one of another length is a fault. */
int tac_columns_has(const struct tac_columns *columns, const char *name);

/* A whole number from `least` to `most`. */
int64_t tac_columns_integer(const struct tac_columns *columns, const char *name, size_t row, int64_t least, int64_t most);
int tac_columns_is_null(const struct tac_columns *columns, const char *name, size_t row);
/* A time from some begin, and a duration. */
int64_t tac_columns_time(const struct tac_columns *columns, const char *name, size_t row);
int64_t tac_columns_duration(const struct tac_columns *columns, const char *name, size_t row);
double tac_columns_real(const struct tac_columns *columns, const char *name, size_t row);
const char *tac_columns_text(const struct tac_columns *columns, const char *name, size_t row);

#endif
