/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef APPS_TACTUS_REPORT_ROWS_H
#define APPS_TACTUS_REPORT_ROWS_H

#include <stddef.h>

#include <tactus/runtime/error.h>

/* Reads the records at `paths` and writes the rows of all as one CSV to `target`, as tac_output_write does, below one line of
 * names. INVALID, IO, MEMORY; INVALID also where a record has other columns than the first. Then nothing is written, and *at is
 * the number of the file at fault, or `count` where the fault is of none of them. */
enum tac_status tac_report_write_rows(const char *target, const char *const *paths, size_t count, size_t *at,
                                      struct tac_error *error);

#endif
