/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef MEASURE_KOKKOS_TRACE_H
#define MEASURE_KOKKOS_TRACE_H

#include "measure/kokkos/calls.h"
#include "measure/kokkos/module/trace_file.h"

/* Trace events in the array form of Chrome's format, streamed into FILE.part: it opens also after the process was killed. A
 * track is a host thread, and what is on it nests; what does not is told as a pair of asynchronous events. */
struct tac_trace_buffer;

/* NULL without memory, or without a trace: the functions below then do nothing but count what is lost. Never freed, as its
 * thread. */
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

/* Events of threads that have no memory for a buffer. */
uint64_t tac_trace_lost(void);

/* Events that were told when the trace held as many as TACTUS_KOKKOS_TRACE_LIMIT says, and had not begun before. */
uint64_t tac_trace_beyond_limit(void);

/* Gives what all threads hold to the file and ends that, as tac_trace_file_end does. */
enum tac_status tac_trace_finish(tac_trace_arguments_fn write_arguments, const void *context, struct tac_error *error);

#endif
