/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef MEASURE_JSON_VALUE_H
#define MEASURE_JSON_VALUE_H

#include <jansson.h>

#include <tactus/measure/report.h>
#include <tactus/runtime/memory.h>

#include "measure/writer.h"

/* The domain of every time that is read on the host's clock. */
#define TAC_JSON_DOMAIN        "host_wall"
/* … and of those that a device gave its commands, placed on CLOCK_MONOTONIC. */
#define TAC_JSON_DEVICE_DOMAIN "device"

/* Whatever fails in the JSON library on the way is want of memory; it is looked at once, by tac_value_write. */
struct tac_value_builder {
  const struct tac_allocator *allocator;
  int failed;
};

/* Each takes the value over. */
void tac_value_set(struct tac_value_builder *builder, json_t *object, const char *key, json_t *value);
/* Under a name of any bytes. */
void tac_value_set_named(struct tac_value_builder *builder, json_t *object, const char *name, json_t *value);
void tac_value_append(struct tac_value_builder *builder, json_t *array, json_t *value);

/* Counts beyond the largest integer of the library are given as that. */
void tac_value_set_count(struct tac_value_builder *builder, json_t *object, const char *key, uint64_t count);
void tac_value_set_time(struct tac_value_builder *builder, json_t *object, const char *key, int64_t time_ns);

/* null when it is not finite. */
void tac_value_set_real(struct tac_value_builder *builder, json_t *object, const char *key, double value);

/* A text of any bytes: what is not UTF-8 is replaced, what needs escaping the library escapes. NULL where there is no memory,
 * which whoever takes it over notes. */
json_t *tac_value_text(struct tac_value_builder *builder, const char *text);
/* The same; NULL is null. */
void tac_value_set_text(struct tac_value_builder *builder, json_t *object, const char *key, const char *text);

/* Writes the value, compact, with the library's flags, and frees it. Does nothing more after a failure or a refusal, which the
 * second turns into a status: MEMORY, IO. */
void tac_value_write_piece(struct tac_value_builder *builder, json_t *value, size_t flags, struct tac_writer *writer);
enum tac_status tac_value_status(const struct tac_value_builder *builder, const struct tac_writer *writer, const char *where,
                                 struct tac_error *error);

/* Writes the value, compact, with the library's flags, and frees it. MEMORY, IO. */
enum tac_status tac_value_write(struct tac_value_builder *builder, json_t *value, size_t flags, tac_sink_fn sink, void *context,
                                const char *where, struct tac_error *error);

#endif
