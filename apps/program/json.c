/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/program/json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "apps/program/facts.h"
#include "apps/program/streams.h"
#include "measure/text.h"

struct tac_json tac_json_object(int *failed) {
  return (struct tac_json){json_object(), failed};
}

void tac_json_set(struct tac_json object, const char *key, json_t *value) {
  if (json_object_set_new(object.value, key, value) != 0)
    *object.failed = 1;
}

void tac_json_set_real(struct tac_json object, const char *key, double value) {
  tac_json_set(object, key, isfinite(value) ? json_real(value) : json_null());
}

void tac_json_set_count(struct tac_json object, const char *key, uint64_t value) {
  tac_json_set(object, key, value <= INT64_MAX ? json_integer((json_int_t)value) : json_null());
}

void tac_json_set_int(struct tac_json object, const char *key, int value) {
  tac_json_set(object, key, json_integer(value));
}

void tac_json_set_bool(struct tac_json object, const char *key, int value) {
  tac_json_set(object, key, json_boolean(value));
}

void tac_json_set_text(struct tac_json object, const char *key, const char *text) {
  tac_json_set(object, key, json_string(text));
}

void tac_json_append(json_t *array, json_t *value, int *failed) {
  if (json_array_append_new(array, value) != 0)
    *failed = 1;
}

json_t *tac_json_any_bytes(const char *text) {
  char *repaired = malloc(3 * strlen(text) + TAC_CHARACTER_BYTES), *end = repaired;
  if (!repaired)
    return NULL;
  while (tac_utf8_next(&text, end) != 0)
    end += strlen(end);
  json_t *value = json_string(repaired);
  free(repaired);
  return value;
}

json_t *tac_json_command_line(int argc, char *const argv[], int *failed) {
  json_t *value = json_array();
  for (int i = 0; i < argc; i++)
    tac_json_append(value, tac_json_any_bytes(argv[i]), failed);
  return value;
}

void tac_json_set_place(struct tac_json object) {
  char date[TAC_DATE_BYTES], host[TAC_HOST_BYTES];
  tac_facts_date(date);
  tac_facts_host(host);
  tac_json_set_text(object, "date", date);
  tac_json_set(object, "host", tac_json_any_bytes(host));
}

json_t *tac_json_report(tac_json_report_fn report, const void *subject) {
  struct tac_collected collected;
  tac_collected_open(&collected);
  const int reported = collected.stream && report(subject, tac_stream_sink, collected.stream, NULL) == TAC_STATUS_OK;
  if (!tac_collected_close(&collected))
    return NULL;
  json_t *value = reported ? json_loadb(collected.text, collected.bytes, 0, NULL) : NULL;
  free(collected.text);
  return value;
}

json_t *tac_json_blas(const struct tac_blas_info *blas, int *failed) {
  struct tac_json object = tac_json_object(failed);
  tac_json_set_text(object, "name", blas->name);
  tac_json_set_text(object, "kernel", blas->kernel);
  tac_json_set_int(object, "threads", blas->threads);
  return object.value;
}
