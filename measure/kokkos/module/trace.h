/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef MEASURE_KOKKOS_TRACE_H
#define MEASURE_KOKKOS_TRACE_H

#include "measure/kokkos/calls.h"

/* Trace events in the array form of Chrome's format, streamed into FILE.part: it opens also after the process was killed. A
 * track is a host thread, and what is on it nests; what does not is told as a pair of asynchronous events. */
struct tac_trace_buffer;

/* Opens FILE.part. IO. */
enum tac_status tac_trace_open(const char *path, struct tac_error *error);
int tac_trace_is_open(void);

/* NULL without memory, or without a trace: the functions below then do nothing. Never freed, as its thread. */
struct tac_trace_buffer *tac_trace_buffer_create(void);
void tac_trace_name_track(struct tac_trace_buffer *buffer, uint32_t track);

/* What has ended, with the row's name. */
void tac_trace_slice(struct tac_trace_buffer *buffer, const struct tac_kokkos_closed *closed, uint64_t interface_version);
/* A profile section, which may begin on one thread and end on another. */
void tac_trace_section(struct tac_trace_buffer *buffer, const char *name, uint32_t section, int64_t start_ns, int64_t end_ns);
void tac_trace_mark(struct tac_trace_buffer *buffer, const char *name, int64_t now_ns);
/* What a space (a name of at most 63 bytes) holds from now on. */
void tac_trace_memory(struct tac_trace_buffer *buffer, const char *space, int64_t bytes, int64_t now_ns);

void tac_trace_flush(struct tac_trace_buffer *buffer);

/* Ends the array and renames the file. A later event takes it back to FILE.part and goes on. IO, also of what failed before:
 * the old file is untouched. */
enum tac_status tac_trace_finish(struct tac_error *error);

#endif
