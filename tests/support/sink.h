/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef TESTS_SUPPORT_SINK_H
#define TESTS_SUPPORT_SINK_H

#include <string.h>

/* Collects a report; refuses the piece that would go beyond `limit` bytes. */
struct test_sink {
  char text[20000];
  size_t used, limit, pieces_after_refusal;
  int refused;
};

static inline int test_sink_take(void *context, const char *text, size_t bytes) {
  struct test_sink *sink = context;
  sink->pieces_after_refusal += (size_t)sink->refused;
  if (sink->used + bytes > sink->limit || sink->used + bytes >= sizeof sink->text) {
    sink->refused = 1;
    return 1;
  }
  memcpy(sink->text + sink->used, text, bytes);
  sink->used += bytes;
  sink->text[sink->used] = '\0';
  return 0;
}

#endif
