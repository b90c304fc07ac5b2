/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef APPS_PROGRAM_RECORD_FILES_H
#define APPS_PROGRAM_RECORD_FILES_H

#include <jansson.h>

#include <tactus/measure/report.h>

#include "apps/program/record_options.h"

/* The record of a program as a text, which the caller frees: one object of the members and of what tac_report_json tells of the
 * recorder, that of the level off for NULL. MEMORY. */
enum tac_status tac_record_text(char **text, size_t *bytes, const json_t *members, const struct tac_recorder *recorder,
                                struct tac_error *error);

/* Each file that is asked for, --json and --report with the first, --csv and --speedscope with the second. Where that fails,
 * error->where is the option, and what was there is there still. */
enum tac_status tac_record_write_whole(const struct tac_record_options *options, const json_t *members,
                                       const struct tac_recorder *recorder, struct tac_error *error);
enum tac_status tac_record_write_tables(const struct tac_record_options *options, const struct tac_report_facts *facts,
                                        const struct tac_recorder *recorder, struct tac_error *error);

/* Whether the first may be called again with more members: no file of its is a pipe, which takes one. */
int tac_record_replaces(const struct tac_record_options *options);

#endif
