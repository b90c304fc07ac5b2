/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "measure/table.h"

#include <stdio.h>

#include "measure/text.h"

/* Of a name, which a program may make as long as it likes: what is beyond it would widen every row. */
enum { NAME_COLUMNS = 64, NAME_TAIL = 24, NAME_HEAD = NAME_COLUMNS - NAME_TAIL - 1, DEPTH_MOST = 32 };

static void write_spaces(struct tac_writer *writer, size_t count) {
  for (; count > 0; count--)
    tac_write_text(writer, " ");
}

void tac_write_printable(struct tac_writer *writer, const char *text) {
  char character[TAC_CHARACTER_BYTES];
  while (tac_printable_next(&text, character) > 0)
    tac_write_text(writer, character);
}

/* A long name without its middle, for names of templates differ at their ends. Returns the columns that it takes; writer NULL:
 * that is all. */
static size_t put_name(struct tac_writer *writer, const char *name) {
  const size_t columns = tac_printable_columns(name);
  char character[TAC_CHARACTER_BYTES];
  size_t at = 0, shown = 0;
  int cut = 0;
  for (size_t next; (next = tac_printable_next(&name, character)) > 0; at += next) {
    const int left_out = columns > NAME_COLUMNS && at + next > NAME_HEAD && at + NAME_TAIL < columns;
    if (left_out && cut)
      continue;
    cut |= left_out;
    shown += left_out ? 1 : next;
    if (writer)
      tac_write_text(writer, left_out ? "…" : character);
  }
  return shown;
}

static size_t indentation(const struct tac_table_row *row) {
  return 2 * (size_t)(row->depth < DEPTH_MOST ? row->depth : DEPTH_MOST);
}

static void widen(size_t *width, size_t columns) {
  if (columns > *width)
    *width = columns;
}

static void measure_row(struct tac_table *table, const struct tac_table_row *row) {
  widen(&table->name_width, indentation(row) + put_name(NULL, row->name));
  for (int c = 0; c < table->columns; c++)
    widen(&table->width[c], tac_printable_columns(row->cell[c]));
}

/* A row ends with its last cell that is not blank. */
static void print_row(const struct tac_table *table, const struct tac_table_row *row) {
  struct tac_writer *writer = table->writer;
  write_spaces(writer, indentation(row));
  size_t pending = table->name_width - indentation(row) - put_name(writer, row->name);
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
