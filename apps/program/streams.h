/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef APPS_PROGRAM_STREAMS_H
#define APPS_PROGRAM_STREAMS_H

#include <stddef.h>
#include <stdio.h>

/* A tac_sink_fn whose context is a FILE *. It never refuses: a stream that fails says so to who looks at it at the end, and
 * knows why. */
int tac_stream_sink(void *stream, const char *text, size_t bytes);

/* Writes a text of any bytes as a terminal bears it: valid UTF-8, control characters as \xNN. Spaces fill it up to `columns`.
 */
void tac_stream_text(FILE *stream, const char *text, int columns);

/* A text that a stream collects in memory. Unlike open_memstream's it is never cut where memory is short. */
struct tac_collected {
  char *text; /* ends with a zero byte; NULL: no memory */
  size_t bytes, capacity;
  FILE *stream;
};

/* collected->stream is NULL where there is no memory. */
void tac_collected_open(struct tac_collected *collected);

/* Ends the stream, and bears that there is none. 1: text is whole, and the caller's to free; 0: no memory for it. */
int tac_collected_close(struct tac_collected *collected);

#endif
