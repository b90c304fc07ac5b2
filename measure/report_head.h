/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef MEASURE_REPORT_HEAD_H
#define MEASURE_REPORT_HEAD_H

#include <tactus/measure/report.h>

#include "measure/text.h"
#include "measure/writer.h"

/* What every form says of how it came about, by the same names. */
struct tac_head_entry {
  const char *key;
  const char *text;              /* NULL: the number */
  char number[TAC_NUMBER_BYTES]; /* as JSON and CSV write it; "" where there is none */
};
enum { TAC_HEAD_ENTRIES = 8 };

/* Whether every fact has a key and a value; NULL has none that lacks one. INVALID, in the name of the public function. */
enum tac_status tac_report_check_facts(const struct tac_report_facts *facts, const char *where, struct tac_error *error);

/* What every report of a recorder needs: a recorder, a sink, and such facts. */
enum tac_status tac_report_check(const struct tac_recorder *recorder, const struct tac_report_facts *facts, tac_sink_fn sink,
                                 const char *where, struct tac_error *error);

/* Schema, level, clock, and what recording costs. MEMORY. */
enum tac_status tac_report_head(struct tac_head_entry head[TAC_HEAD_ENTRIES], const struct tac_recorder_options *options,
                                int64_t origin_ns, struct tac_error *error);

/* Both, as members of a JSON object, without the braces. */
void tac_report_write_head(struct tac_writer *writer, const struct tac_head_entry head[TAC_HEAD_ENTRIES],
                           const struct tac_report_facts *facts);

#endif
