/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef APPS_TACTUS_REPORT_TEXT_H
#define APPS_TACTUS_REPORT_TEXT_H

#include <stdio.h>

#include "apps/tactus/record.h"

/* The first lines of the program that wrote it, as far as the record tells them, and its tables. INVALID: a member that only
 * the tables need is not what it should be; error->where is the member. */
enum tac_status tac_record_print(FILE *stream, const struct tac_record *record, struct tac_error *error);

/* The one line that says what ran: "heisenberg_dmrg 0.1.0, executor threads with 2 lanes, measurements coarse". */
void tac_record_print_run(FILE *stream, const struct tac_record *record);

/* The line above the tables of one record of several, whatever bytes its name has. */
void tac_record_print_path(FILE *stream, const char *before, const char *path);

#endif
