/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef MEASURE_KOKKOS_TRACE_FILE_H
#define MEASURE_KOKKOS_TRACE_FILE_H

#include <tactus/runtime/error.h>

#include "measure/kokkos/emitter.h"

/* The file of a trace, which grows as FILE.part: an array whose first event tells how it came about, under the names of a trace
 * of libtactus. Any thread may call. */

/* Opens FILE.part, with the first event. IO; INVALID: the file is one that nothing can take the place of. */
enum tac_status tac_trace_file_begin(const char *path, struct tac_error *error);
int tac_trace_file_is_open(void);

/* Whole events, each behind ",\n". After a failure nothing is written. */
void tac_trace_file_write(const char *bytes, size_t count);

/* An event without a time, for readers of the file: the members of its "args". NULL: none. */
typedef void (*tac_trace_arguments_fn)(struct tac_emitter *json, const void *context);
void tac_trace_file_note(const char *name, tac_trace_arguments_fn write_arguments, const void *context);

/* Writes the last event and ends the array, and renames the part. What is written later, or another end, takes it back to
 * FILE.part, without that event, and goes on. IO, also of what failed before: the old file is untouched. */
enum tac_status tac_trace_file_end(tac_trace_arguments_fn write_arguments, const void *context, struct tac_error *error);

/* In a child by fork(): it has no trace, and nobody holds the lock. */
void tac_trace_file_leave(void);

#endif
