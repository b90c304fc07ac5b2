/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/tactus/report_rows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "apps/program/streams.h"
#include "apps/tactus/output.h"
#include "apps/tactus/record.h"
#include "apps/tactus/report_forms.h"

enum { COLUMN_BYTES = 64 };

struct rows {
  const char *first;         /* path of the first record */
  struct tac_collected text; /* the line of names, and the rows so far */
  char *names;               /* that line; NULL: none yet */
};

static enum tac_status no_memory(struct tac_error *error) {
  return tac_error_set(error, TAC_STATUS_MEMORY, "--csv", "no memory for the rows");
}

/* Names of columns hold no comma and no quote. */
static size_t column_length(const char *names) {
  return strcspn(names, ",\n");
}

/* "'event'", or "none" at the end of the line. */
static void quote_column(char out[COLUMN_BYTES], const char *names) {
  const size_t length = column_length(names);
  snprintf(out, COLUMN_BYTES, length > 0 ? "'%.*s'" : "none", (int)length, names);
}

static enum tac_status check_columns(const struct rows *rows, const char *names, struct tac_error *error) {
  const char *expected = rows->names;
  char column[COLUMN_BYTES], expected_column[COLUMN_BYTES];
  for (size_t length = column_length(names); length == column_length(expected) && strncmp(names, expected, length) == 0;
       length = column_length(names)) {
    if (names[length] == '\n' && expected[length] == '\n')
      return TAC_STATUS_OK;
    names += length + (names[length] == ',');
    expected += length + (expected[length] == ',');
  }
  quote_column(column, names);
  quote_column(expected_column, expected);
  return tac_error_set(error, TAC_STATUS_INVALID, "--csv",
                       "its columns are not those of '%s': %s stands where that one has %s; write a file for each", rows->first,
                       column, expected_column);
}

/* Adds the CSV of one record, without its line of names but for the first. */
static enum tac_status add_text(struct rows *rows, const char *text, struct tac_error *error) {
  const size_t names_bytes = strcspn(text, "\n") + 1;
  if (!rows->names) {
    rows->names = strndup(text, names_bytes);
    fputs(text, rows->text.stream);
    return rows->names ? TAC_STATUS_OK : no_memory(error);
  }
  const enum tac_status status = check_columns(rows, text, error);
  if (status == TAC_STATUS_OK)
    fputs(text + names_bytes, rows->text.stream);
  return status;
}

static enum tac_status add_record(struct rows *rows, struct tac_record *record, struct tac_error *error) {
  struct tac_collected text;
  tac_collected_open(&text);
  enum tac_status status = text.stream ? tac_record_write_csv(record, tac_stream_sink, text.stream, error) : TAC_STATUS_OK;
  if (!tac_collected_close(&text) && status == TAC_STATUS_OK)
    status = no_memory(error);
  if (status == TAC_STATUS_OK)
    status = add_text(rows, text.text, error);
  free(text.text);
  return status;
}

static enum tac_status add_file(struct rows *rows, const char *path, struct tac_error *error) {
  struct tac_record record;
  enum tac_status status = tac_record_read(&record, path, error);
  if (status == TAC_STATUS_OK)
    status = add_record(rows, &record, error);
  tac_record_release(&record);
  return status;
}

static enum tac_status write_text(void *collected, tac_sink_fn sink, void *stream, struct tac_error *error) {
  const struct tac_collected *text = collected;
  if (sink(stream, text->text, text->bytes) == 0)
    return TAC_STATUS_OK;
  return tac_error_set(error, TAC_STATUS_IO, "--csv", "cannot be written");
}

enum tac_status tac_report_write_rows(const char *target, const char *const *paths, size_t count, size_t *at,
                                      struct tac_error *error) {
  struct rows rows = {.first = paths[0]};
  enum tac_status status = TAC_STATUS_OK;
  tac_collected_open(&rows.text);
  *at = count;
  for (size_t i = 0; i < count && rows.text.stream && status == TAC_STATUS_OK; i++) {
    status = add_file(&rows, paths[i], error);
    if (status != TAC_STATUS_OK)
      *at = i;
  }
  if (!tac_collected_close(&rows.text) && status == TAC_STATUS_OK)
    status = no_memory(error);
  if (status == TAC_STATUS_OK)
    status = tac_output_write(target, "--csv", write_text, &rows.text, error);
  free(rows.text.text);
  free(rows.names);
  return status;
}
