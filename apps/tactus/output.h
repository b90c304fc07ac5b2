/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef APPS_TACTUS_OUTPUT_H
#define APPS_TACTUS_OUTPUT_H

#include <jansson.h>

#include <tactus/measure/report.h>

#include "apps/program/output_target.h"

/* Gives a text to a sink piece by piece. */
typedef enum tac_status (*tac_output_fn)(void *context, tac_sink_fn sink, void *stream, struct tac_error *error);

/* Writes it to standard output for "-", else in place of the file as tac_replace_file does; error->where is the option where
 * the file is the trouble. */
enum tac_status tac_output_write(const char *path, const char *option, tac_output_fn write, void *context,
                                 struct tac_error *error);

/* Gives a JSON value to a sink, its lines indented, with a newline at the end. MEMORY, IO. */
enum tac_status tac_output_json(const json_t *value, tac_sink_fn sink, void *stream, struct tac_error *error);

/* Whether a path is standard output. */
int tac_output_is_standard(const char *path);

/* INVALID, by option: two go to one place, or one would replace a file that is read. */
enum tac_status tac_output_check(const struct tac_output_target *target, size_t count, const char *const *input, size_t inputs,
                                 struct tac_error *error);

#endif
