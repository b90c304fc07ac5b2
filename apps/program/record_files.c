/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/program/record_files.h"

#include <stdio.h>
#include <stdlib.h>

#include "apps/program/program.h"
#include "apps/program/replace_file.h"

static int write_piece(void *stream, const char *text, size_t bytes) {
  return fwrite(text, 1, bytes, stream) != bytes;
}

static enum tac_status no_memory(struct tac_error *error) {
  return tac_error_set(error, TAC_STATUS_MEMORY, "json", "no memory for the JSON text");
}

enum tac_status tac_recorded_take(struct tac_recorded *recorded, const struct tac_recorder *recorder, struct tac_error *error) {
  *recorded = (struct tac_recorded){0};
  FILE *stream = open_memstream(&recorded->text, &recorded->bytes);
  if (!stream)
    return no_memory(error);
  enum tac_status status = TAC_STATUS_OK;
  if (recorder)
    status = tac_report_json_members(recorder, write_piece, stream, error);
  else
    fprintf(stream, "\"schema\":%d,\"level\":\"off\",\"events\":[],\"batches\":[]", TAC_JSON_SCHEMA);
  return fclose(stream) != 0 || status != TAC_STATUS_OK ? no_memory(error) : TAC_STATUS_OK;
}

void tac_recorded_release(struct tac_recorded *recorded) {
  free(recorded->text);
  *recorded = (struct tac_recorded){0};
}

/* What a person looks for comes first; the recorder's part has a line a batch. */
static enum tac_status make_text(char **text, size_t *bytes, const json_t *members, const struct tac_recorded *recorded,
                                 struct tac_error *error) {
  *text = NULL;
  FILE *stream = open_memstream(text, bytes);
  if (!stream)
    return no_memory(error);
  fputs("{\n", stream);
  const int dumped = json_dumpf(members, stream, JSON_INDENT(1) | JSON_EMBED | JSON_REAL_PRECISION(17)) == 0;
  fputs(",\n", stream);
  fwrite(recorded->text, 1, recorded->bytes, stream);
  fputs("\n}\n", stream);
  return fclose(stream) != 0 || !dumped ? no_memory(error) : TAC_STATUS_OK;
}

/* A form of the record: the stream's failures are seen by the caller. */
struct form {
  const struct tac_recorder *recorder;
  const struct tac_report_facts *facts;
  const char *record_text;
  size_t record_bytes;
};

static enum tac_status seen_later(enum tac_status status) {
  return status == TAC_STATUS_IO ? TAC_STATUS_OK : status;
}

static enum tac_status fill_page(void *context, FILE *file, struct tac_error *error) {
  const struct form *form = context;
  return seen_later(tac_html_page(form->record_text, form->record_bytes, write_piece, file, error));
}

static enum tac_status fill_csv(void *context, FILE *file, struct tac_error *error) {
  const struct form *form = context;
  return seen_later(tac_report_csv(form->recorder, form->facts, write_piece, file, error));
}

static enum tac_status fill_speedscope(void *context, FILE *file, struct tac_error *error) {
  const struct form *form = context;
  return seen_later(tac_report_speedscope(form->recorder, form->facts, write_piece, file, error));
}

static enum tac_status write_file(const char *option, const char *path, tac_fill_fn fill, struct form *form,
                                  struct tac_error *error) {
  if (!path)
    return TAC_STATUS_OK;
  return tac_program_name_option(tac_replace_file_filled(path, fill, form, error), option, error);
}

enum tac_status tac_record_write_whole(const struct tac_record_options *options, const json_t *members,
                                       const struct tac_recorded *recorded, struct tac_error *error) {
  char *text;
  size_t bytes;
  if (!options->json && !options->report)
    return TAC_STATUS_OK;
  enum tac_status status = make_text(&text, &bytes, members, recorded, error);
  if (status == TAC_STATUS_OK && options->json)
    status = tac_program_name_option(tac_replace_file(options->json, text, bytes, error), "--json", error);
  if (status == TAC_STATUS_OK)
    status =
        write_file("--report", options->report, fill_page, &(struct form){.record_text = text, .record_bytes = bytes}, error);
  free(text);
  return status;
}

enum tac_status tac_record_write_tables(const struct tac_record_options *options, const struct tac_report_facts *facts,
                                        const struct tac_recorder *recorder, struct tac_error *error) {
  struct form form = {.recorder = recorder, .facts = facts};
  const enum tac_status status = write_file("--csv", options->csv, fill_csv, &form, error);
  return status == TAC_STATUS_OK ? write_file("--speedscope", options->speedscope, fill_speedscope, &form, error) : status;
}

int tac_record_replaces(const struct tac_record_options *options) {
  return (!options->json || tac_replace_file_replaces(options->json)) &&
         (!options->report || tac_replace_file_replaces(options->report));
}
