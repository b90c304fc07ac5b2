/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef APPS_PROGRAM_PROGRESS_H
#define APPS_PROGRAM_PROGRESS_H

#include <stdint.h>
#include <stdio.h>

#include <tactus/runtime/clock.h>

/* A line on a terminal that says how far the work is, never wider than the terminal. It is written at most ten times a second,
 * so that short steps do not spend their time on it. Set stream and clock; zero the rest. */
struct tac_progress {
  FILE *stream;
  const struct tac_clock *clock;
  int64_t next_ns; /* not before */
  int shown;
};

/* Shows a printf text unless the last one is too recent. */
void tac_progress_show(struct tac_progress *progress, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 2, 3)))
#endif
    ;

/* Erases the line if there is one. */
void tac_progress_clear(struct tac_progress *progress);

#endif
