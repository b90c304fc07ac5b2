/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/heisenberg_dmrg/progress.h"

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

int tac_progress_show(void *context, int site, int bonds_done, int bonds, double energy) {
  struct tac_progress *progress = context;
  const int64_t now = progress->clock->now_ns(progress->clock->context);
  char line[LINE_BYTES];
  if (now < progress->next_ns)
    return 0;
  progress->next_ns = now + PERIOD_NS;
  snprintf(line, sizeof line, "sweep %zu, bond %d of %d (site %d), energy %.12g", progress->sweep, bonds_done, bonds, site,
           energy);
  fprintf(progress->stream, "\r\033[K%.*s", columns_of(progress->stream), line);
  fflush(progress->stream);
  progress->shown = 1;
  return 0;
}

void tac_progress_clear(struct tac_progress *progress) {
  if (!progress->shown)
    return;
  fputs("\r\033[K", progress->stream);
  fflush(progress->stream);
  progress->shown = 0;
}
