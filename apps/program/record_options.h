/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef APPS_PROGRAM_RECORD_OPTIONS_H
#define APPS_PROGRAM_RECORD_OPTIONS_H

#include <tactus/measure/level.h>

#include "apps/program/options.h"
#include "apps/program/output_target.h"

/* The files that hold what was measured, NULL where one is not asked for, and how much is kept one by one. */
struct tac_record_options {
  const char *json, *csv, *trace, *speedscope, *report;
  int detail_limit;
  int keeps_items; /* not an option: 1 where items are kept one by one whatever files there are */
};

/* clang-format off */
/* The rows of a program's table for a `struct tac_record_options member` of `type`. */
#define TAC_RECORD_OPTION_ROWS(group, type, member)                                                                            \
  {"--json", group, TAC_OPTION_TEXT, offsetof(type, member.json), "FILE", NULL,                                                \
   "Write everything as JSON: what is printed, and what was measured. Like every file here FILE is replaced only once the new "\
   "one is complete; /dev/stdout is standard output.", 0, 0, NULL},                                                            \
  {"--csv", group, TAC_OPTION_TEXT, offsetof(type, member.csv), "FILE", NULL,                                                  \
   "Write what was measured as a table, a row an event.", 0, 0, NULL},                                                         \
  {"--trace", group, TAC_OPTION_TEXT, offsetof(type, member.trace), "FILE", NULL,                                              \
   "Write the timeline for ui.perfetto.dev and its like: phases, batches, the items of every lane. It grows as FILE.part during "\
   "the run, which can be opened whatever becomes of the run.", 0, 0, NULL},                                                   \
  {"--speedscope", group, TAC_OPTION_TEXT, offsetof(type, member.speedscope), "FILE", NULL,                                    \
   "Write the phases for speedscope.app.", 0, 0, NULL},                                                                        \
  {"--report", group, TAC_OPTION_TEXT, offsetof(type, member.report), "FILE", NULL,                                            \
   "Write a page for a browser that shows it all.", 0, 0, NULL},                                                               \
  {"--detail-limit", group, TAC_OPTION_INTEGER, offsetof(type, member.detail_limit), "N", "10000",                             \
   "Batches that the files hold one by one, and ten times as many entries of the timeline. What is beyond is in the sums, and " \
   "counted.", 0, 10000000, NULL}
/* clang-format on */

#define TAC_RECORD_FILES 5

/* The files among them. */
void tac_record_options_targets(struct tac_output_target target[TAC_RECORD_FILES], const struct tac_record_options *options);

/* What no single option can see: what needs a level at which something is measured. INVALID: error->where is the option.
 * `given` as tac_options_parse filled it. */
enum tac_status tac_record_options_check(const struct tac_record_options *options, enum tac_level level,
                                         const struct tac_option_table *table, uint64_t given, struct tac_error *error);

#endif
