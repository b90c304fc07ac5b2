/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "measure/table.h"

#include <stdio.h>

#include "measure/text.h"

static void write_spaces(struct tac_writer *writer, size_t count) {
  for (; count > 0; count--)
    tac_write_text(writer, " ");
}

void tac_write_printable(struct tac_writer *writer, const char *text) {
  char character[TAC_CHARACTER_BYTES];
  while (tac_printable_next(&text, character) > 0)
    tac_write_text(writer, character);
}

static void widen(size_t *width, size_t columns) {
  if (columns > *width)
    *width = columns;
}

static void measure_row(struct tac_table *table, const struct tac_table_row *row) {
  widen(&table->name_width, 2 * (size_t)row->depth + tac_printable_columns(row->name));
  for (int c = 0; c < table->columns; c++)
    widen(&table->width[c], tac_printable_columns(row->cell[c]));
}

/* A row ends with its last cell that is not blank. */
static void print_row(const struct tac_table *table, const struct tac_table_row *row) {
  struct tac_writer *writer = table->writer;
  const size_t indentation = 2 * (size_t)row->depth;
  size_t pending = table->name_width - indentation - tac_printable_columns(row->name);
  write_spaces(writer, indentation);
  tac_write_printable(writer, row->name);
  for (int c = 0; c < table->columns; c++) {
    const size_t columns = tac_printable_columns(row->cell[c]);
    pending += 2 + table->width[c] - columns;
    if (columns == 0)
      continue;
    write_spaces(writer, pending);
    tac_write_text(writer, row->cell[c]);
    pending = 0;
  }
  tac_write_text(writer, "\n");
}

void tac_table_add(struct tac_table *table, const struct tac_table_row *row) {
  if (table->printing)
    print_row(table, row);
  else
    measure_row(table, row);
}

void tac_table_print(struct tac_writer *writer, const char *const *titles, int columns, tac_table_rows_fn rows,
                     const void *subject) {
  struct tac_table table = {.writer = writer, .subject = subject, .columns = columns};
  struct tac_table_row head = {.name = titles[0]};
  for (int c = 0; c < columns; c++)
    snprintf(head.cell[c], TAC_TABLE_CELL_BYTES, "%s", titles[c + 1]);
  for (table.printing = 0; table.printing < 2; table.printing++) {
    tac_table_add(&table, &head);
    rows(&table);
  }
}
