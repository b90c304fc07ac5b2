/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef APPS_PROGRAM_RECORD_FILES_H
#define APPS_PROGRAM_RECORD_FILES_H

#include <jansson.h>

#include <tactus/measure/report.h>

#include "apps/program/record_options.h"

/* What tac_report_json_members tells of a recorder now, of the level off for NULL. */
struct tac_recorded {
  char *text;
  size_t bytes;
};

/* MEMORY. Release it all the same. */
enum tac_status tac_recorded_take(struct tac_recorded *recorded, const struct tac_recorder *recorder, struct tac_error *error);
void tac_recorded_release(struct tac_recorded *recorded);

/* Each file that is asked for: --json and --report, one object of the members and of what was recorded, with the first, --csv
 * and
 * --speedscope with the second. Where that fails, error->where is the option, and what was there is there still. */
enum tac_status tac_record_write_whole(const struct tac_record_options *options, const json_t *members,
                                       const struct tac_recorded *recorded, struct tac_error *error);
enum tac_status tac_record_write_tables(const struct tac_record_options *options, const struct tac_report_facts *facts,
                                        const struct tac_recorder *recorder, struct tac_error *error);

/* Whether the first may be called again with more members: no file of its is a pipe, which takes one. */
int tac_record_replaces(const struct tac_record_options *options);

#endif
