/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef MEASURE_TABLE_H
#define MEASURE_TABLE_H

#include "measure/writer.h"

enum { TAC_TABLE_COLUMNS = 15, TAC_TABLE_CELL_BYTES = 48 };

struct tac_table_row {
  const char *name; /* any bytes; what is longer than 64 columns is shown without its middle */
  int depth;        /* two columns of indentation each, of 32 at most */
  char cell[TAC_TABLE_COLUMNS][TAC_TABLE_CELL_BYTES];
};

struct tac_table {
  struct tac_writer *writer;
  const void *subject; /* of the rows */
  int columns;
  size_t name_width, width[TAC_TABLE_COLUMNS];
  int printing;
};

/* Gives every row to tac_table_add. Called twice with the same rows: to find the widths, then to print. */
typedef void (*tac_table_rows_fn)(struct tac_table *table);

/* A line of titles, that of the names first, then the rows: names on the left, cells aligned on the right. */
void tac_table_print(struct tac_writer *writer, const char *const *titles, int columns, tac_table_rows_fn rows,
                     const void *subject);
void tac_table_add(struct tac_table *table, const struct tac_table_row *row);

/* A text of any bytes as the table shows names. */
void tac_write_printable(struct tac_writer *writer, const char *text);

#endif
