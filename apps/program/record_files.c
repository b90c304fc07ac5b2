/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/program/record_files.h"

#include <stdio.h>
#include <stdlib.h>

#include "apps/program/program.h"
#include "apps/program/replace_file.h"
#include "apps/program/streams.h"

static enum tac_status no_memory(struct tac_error *error) {
  return tac_error_set(error, TAC_STATUS_MEMORY, "json", "no memory for the JSON text");
}

enum tac_status tac_recorded_take(struct tac_recorded *recorded, const struct tac_recorder *recorder, struct tac_error *error) {
  struct tac_collected collected;
  enum tac_status status = TAC_STATUS_OK;
  tac_collected_open(&collected);
  if (collected.stream && recorder)
    status = tac_report_json_members(recorder, tac_stream_sink, collected.stream, error);
  else if (collected.stream)
    fprintf(collected.stream, "\"schema\":%d,\"level\":\"off\",\"events\":[],\"batches\":[]", TAC_JSON_SCHEMA);
  if (!tac_collected_close(&collected) && status == TAC_STATUS_OK)
    status = no_memory(error);
  *recorded = (struct tac_recorded){collected.text, collected.bytes};
  return status;
}

void tac_recorded_release(struct tac_recorded *recorded) {
  free(recorded->text);
  *recorded = (struct tac_recorded){0};
}

/* What a person looks for comes first; the recorder's part has a line a batch. */
static enum tac_status make_text(struct tac_collected *collected, const json_t *members, const struct tac_recorded *recorded,
                                 struct tac_error *error) {
  int dumped = 0;
  tac_collected_open(collected);
  if (collected->stream) {
    fputs("{\n", collected->stream);
    dumped = json_dumpf(members, collected->stream, JSON_INDENT(1) | JSON_EMBED | JSON_REAL_PRECISION(17)) == 0;
    fputs(",\n", collected->stream);
    fwrite(recorded->text, 1, recorded->bytes, collected->stream);
    fputs("\n}\n", collected->stream);
  }
  return tac_collected_close(collected) && dumped ? TAC_STATUS_OK : no_memory(error);
}

/* A form of the record. */
struct form {
  const struct tac_recorder *recorder;
  const struct tac_report_facts *facts;
  const char *record_text;
  size_t record_bytes;
};

static enum tac_status fill_page(void *context, FILE *file, struct tac_error *error) {
  const struct form *form = context;
  return tac_html_page(form->record_text, form->record_bytes, tac_stream_sink, file, error);
}

static enum tac_status fill_csv(void *context, FILE *file, struct tac_error *error) {
  const struct form *form = context;
  return tac_report_csv(form->recorder, form->facts, tac_stream_sink, file, error);
}

static enum tac_status fill_speedscope(void *context, FILE *file, struct tac_error *error) {
  const struct form *form = context;
  return tac_report_speedscope(form->recorder, form->facts, tac_stream_sink, file, error);
}

static enum tac_status write_file(const char *option, const char *path, tac_fill_fn fill, struct form *form,
                                  struct tac_error *error) {
  if (!path)
    return TAC_STATUS_OK;
  return tac_program_name_option(tac_replace_file_filled(path, fill, form, error), option, error);
}

enum tac_status tac_record_write_whole(const struct tac_record_options *options, const json_t *members,
                                       const struct tac_recorded *recorded, struct tac_error *error) {
  struct tac_collected whole;
  if (!options->json && !options->report)
    return TAC_STATUS_OK;
  enum tac_status status = make_text(&whole, members, recorded, error);
  if (status == TAC_STATUS_OK && options->json)
    status = tac_program_name_option(tac_replace_file(options->json, whole.text, whole.bytes, error), "--json", error);
  if (status == TAC_STATUS_OK)
    status = write_file("--report", options->report, fill_page,
                        &(struct form){.record_text = whole.text, .record_bytes = whole.bytes}, error);
  free(whole.text);
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
