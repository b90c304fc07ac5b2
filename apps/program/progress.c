/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/program/progress.h"

#include <stdarg.h>
#include <sys/ioctl.h>

#define PERIOD_NS       100000000
#define LINE_BYTES      160
#define COLUMNS_UNKNOWN 80

/* The last column stays free: some terminals go to the next line once it is written. */
static int columns_of(FILE *stream) {
  struct winsize size = {0};
  if (ioctl(fileno(stream), TIOCGWINSZ, &size) != 0 || size.ws_col == 0)
    return COLUMNS_UNKNOWN - 1;
  return size.ws_col - 1;
}

void tac_progress_show(struct tac_progress *progress, const char *format, ...) {
  const int64_t now = progress->clock->now_ns(progress->clock->context);
  char line[LINE_BYTES];
  if (now < progress->next_ns)
    return;
  progress->next_ns = now + PERIOD_NS;
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(line, sizeof line, format, arguments);
  va_end(arguments);
  fprintf(progress->stream, "\r\033[K%.*s", columns_of(progress->stream), line);
  fflush(progress->stream);
  progress->shown = 1;
}

void tac_progress_clear(struct tac_progress *progress) {
  if (!progress->shown)
    return;
  fputs("\r\033[K", progress->stream);
  fflush(progress->stream);
  progress->shown = 0;
}
