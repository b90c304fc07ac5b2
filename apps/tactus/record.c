/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/tactus/record.h"

#include <stdlib.h>
#include <string.h>

#include <tactus/measure/report.h>

#include "apps/tactus/record_parts.h"

static const char foreign[] = "is missing: this is no record of Tactus";

static void read_schema(struct tac_member_reader *reader, const json_t *root) {
  if (!json_object_get(root, "schema"))
    tac_reader_fail(reader, "schema", "%s", foreign);
  const int64_t schema = tac_read_integer(reader, root, "schema");
  if (schema > TAC_JSON_SCHEMA)
    tac_reader_fail(reader, "schema", "is %lld, newer than the %d that this program reads: a newer tactus is needed",
                    (long long)schema, TAC_JSON_SCHEMA);
  if (schema < TAC_JSON_SCHEMA)
    tac_reader_fail(reader, "schema", "is %lld, which no record has", (long long)schema);
}

static void read_kind(struct tac_record *record, struct tac_member_reader *reader) {
  const char *kind = tac_read_text(reader, record->root, "kind", TAC_MEMBER_OPTIONAL);
  if (kind && strcmp(kind, "kokkos") != 0)
    tac_reader_fail(reader, "kind", "'%s' is none that this program reads", kind);
  record->kind = kind ? TAC_RECORD_KOKKOS : TAC_RECORD_RUN;
}

static void read_level(struct tac_record *record, struct tac_member_reader *reader) {
  if (!json_object_get(record->root, "level"))
    tac_reader_fail(reader, "level", "%s", foreign);
  const char *level = tac_read_text(reader, record->root, "level", TAC_MEMBER_REQUIRED);
  if (level && tac_level_find(&record->level, level, NULL) != TAC_STATUS_OK)
    tac_reader_fail(reader, "level", "'%s' is no level", level);
}

/* What is printed of it must be what it is said to be. */
static void check_run(struct tac_member_reader *reader, const json_t *root) {
  const json_t *run = tac_read_object(reader, root, "run", TAC_MEMBER_OPTIONAL);
  if (!run)
    return;
  tac_reader_at(reader, "run");
  tac_read_text(reader, run, "program", TAC_MEMBER_OPTIONAL);
  tac_read_text(reader, run, "version", TAC_MEMBER_OPTIONAL);
  tac_read_text(reader, run, "tool", TAC_MEMBER_OPTIONAL);
  tac_read_text(reader, run, "tool_version", TAC_MEMBER_OPTIONAL);
  tac_read_text(reader, run, "executor", TAC_MEMBER_OPTIONAL);
  tac_read_text(reader, run, "date", TAC_MEMBER_OPTIONAL);
  tac_read_count(reader, run, "lanes", TAC_MEMBER_OPTIONAL);
  const json_t *blas = tac_read_object(reader, run, "blas", TAC_MEMBER_OPTIONAL);
  tac_reader_at(reader, "run.blas");
  if (blas) {
    tac_read_text(reader, blas, "name", TAC_MEMBER_REQUIRED);
    tac_read_text(reader, blas, "kernel", TAC_MEMBER_OPTIONAL);
    tac_read_count(reader, blas, "threads", TAC_MEMBER_OPTIONAL);
  }
  tac_reader_at(reader, "");
}

static void read_run(struct tac_record *record, struct tac_member_reader *reader) {
  read_level(record, reader);
  tac_record_read_events(record, reader);
  if (reader->status == TAC_STATUS_OK && record->level != TAC_OFF)
    tac_record_restore(record, reader);
}

enum tac_status tac_record_read(struct tac_record *out, const char *path, struct tac_error *error) {
  *out = (struct tac_record){.path = path};
  const enum tac_status status = tac_record_load(&out->root, path, error);
  if (status != TAC_STATUS_OK)
    return status;
  struct tac_member_reader reader = {.error = error};
  if (!json_is_object(out->root))
    return tac_error_set(error, TAC_STATUS_INVALID, "file", "holds no JSON object: this is no record of Tactus");
  read_schema(&reader, out->root);
  read_kind(out, &reader);
  if (out->kind == TAC_RECORD_KOKKOS)
    tac_record_read_kokkos(out, &reader);
  else
    read_run(out, &reader);
  tac_reader_at(&reader, "");
  check_run(&reader, out->root);
  return reader.status;
}

void tac_record_release(struct tac_record *record) {
  tac_recorder_destroy(&record->recorder);
  for (size_t i = 0; i < record->event_count; i++)
    free(record->events[i].name);
  free(record->events);
  free(record->set_events);
  json_decref(record->root);
  *record = (struct tac_record){0};
}

const char *tac_record_run_text(const struct tac_record *record, const char *key) {
  const json_t *run = json_object_get(record->root, "run");
  if (strncmp(key, "blas.", 5) != 0)
    return json_string_value(json_object_get(run, key));
  return json_string_value(json_object_get(json_object_get(run, "blas"), key + 5));
}
