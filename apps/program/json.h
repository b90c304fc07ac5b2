/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef APPS_PROGRAM_JSON_H
#define APPS_PROGRAM_JSON_H

#include <stdint.h>

#include <jansson.h>

#include <tactus/measure/report.h>
#include <tactus/runtime/dense.h>

/* An object under construction. Every failure of the JSON library is want of memory here; it is noted in *failed and looked
 * at once, at the end. */
struct tac_json {
  json_t *value;
  int *failed;
};

struct tac_json tac_json_object(int *failed);
void tac_json_set(struct tac_json object, const char *key, json_t *value);     /* takes `value` over; NULL is a failure */
void tac_json_set_real(struct tac_json object, const char *key, double value); /* null where it is not finite */
void tac_json_set_count(struct tac_json object, const char *key, uint64_t value);
void tac_json_set_int(struct tac_json object, const char *key, int value);
void tac_json_set_bool(struct tac_json object, const char *key, int value);
void tac_json_set_text(struct tac_json object, const char *key, const char *text);
void tac_json_append(json_t *array, json_t *value, int *failed);

/* A word may hold any bytes: those that are no UTF-8 become U+FFFD. */
json_t *tac_json_any_bytes(const char *text);
json_t *tac_json_command_line(int argc, char *const argv[], int *failed);
/* Members "date" (now, ISO 8601 in UTC) and "host" (its name) of a run. */
void tac_json_set_place(struct tac_json object);

/* What a report of the library writes as JSON. NULL: no memory, or the report failed. */
typedef enum tac_status (*tac_json_report_fn)(const void *subject, tac_sink_fn sink, void *context, struct tac_error *error);
json_t *tac_json_report(tac_json_report_fn report, const void *subject);

json_t *tac_json_blas(const struct tac_blas_info *blas, int *failed);

#endif
