/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef TESTS_SUPPORT_TEXT_SINK_H
#define TESTS_SUPPORT_TEXT_SINK_H

#include <stdio.h>

/* Collects a report of any length; text_sink_text ends it, and the text is the caller's. */
struct text_sink {
  FILE *stream;
  char *text;
  size_t bytes;
};

static inline void text_sink_open(struct text_sink *sink) {
  sink->stream = open_memstream(&sink->text, &sink->bytes);
}

static inline int text_sink_take(void *context, const char *text, size_t bytes) {
  return fwrite(text, 1, bytes, ((struct text_sink *)context)->stream) != bytes;
}

static inline char *text_sink_text(struct text_sink *sink) {
  fclose(sink->stream);
  return sink->text;
}

#endif
