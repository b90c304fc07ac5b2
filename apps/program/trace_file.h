/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef APPS_PROGRAM_TRACE_FILE_H
#define APPS_PROGRAM_TRACE_FILE_H

#include <limits.h>

#include <tactus/measure/trace.h>

/* A trace that grows as PATH.part while the program runs, and becomes PATH at its end. Whatever ends the program before,
 * PATH.part can be opened. A PATH that is no regular file (a pipe, a terminal) is written to instead. */
struct tac_trace_file;

#define TAC_TRACE_PART_BYTES (PATH_MAX + 8)

/* Where it grows, links followed. 0: nowhere but in PATH, or there can be no such file. */
int tac_trace_file_part(char part[TAC_TRACE_PART_BYTES], const char *path);

/* IO: PATH.part cannot be written. */
enum tac_status tac_trace_file_open(struct tac_trace_file **out, const char *path, enum tac_level level,
                                    const struct tac_report_facts *facts, struct tac_error *error);

/* For recorders; NULL of NULL. */
struct tac_trace *tac_trace_file_trace(const struct tac_trace_file *file);

/* Ends the trace, forces it to the disk and renames it; what recorders tell later is not in it. Where that fails (IO) PATH.part
 * is removed and PATH is what it was. Bears NULL. */
enum tac_status tac_trace_file_finish(struct tac_trace_file *file, struct tac_error *error);

/* The run failed: PATH.part stays, with all that ended. Bears NULL, and one that is finished. */
void tac_trace_file_leave(struct tac_trace_file *file);

/* After the recorders. The PATH.part of a run that neither finished nor failed is removed. Bears NULL. */
void tac_trace_file_destroy(struct tac_trace_file **file);

#endif
