/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef APPS_TACTUS_REPORT_FORMS_H
#define APPS_TACTUS_REPORT_FORMS_H

#include "apps/tactus/output.h"
#include "apps/tactus/record.h"

/* Each writes a record (a struct tac_record *) in one form, by what writes that form of a recorder. INVALID: the record does
 * not hold what the form shows. */
enum tac_status tac_record_write_html(void *record, tac_sink_fn sink, void *stream, struct tac_error *error);
enum tac_status tac_record_write_csv(void *record, tac_sink_fn sink, void *stream, struct tac_error *error);
enum tac_status tac_record_write_trace(void *record, tac_sink_fn sink, void *stream, struct tac_error *error);
enum tac_status tac_record_write_speedscope(void *record, tac_sink_fn sink, void *stream, struct tac_error *error);
enum tac_status tac_record_write_json(void *record, tac_sink_fn sink, void *stream, struct tac_error *error);

#endif
