/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef HEISENBERG_DMRG_PROGRESS_H
#define HEISENBERG_DMRG_PROGRESS_H

#include <stdint.h>
#include <stdio.h>

#include <tactus/runtime/clock.h>

/* A line on a terminal that says where a sweep is, never wider than the terminal. It is written at most ten times a second,
 * so that a sweep of short bonds does not spend its time on it. Set stream, clock and sweep; zero the rest. */
struct tac_progress {
  FILE *stream;
  const struct tac_clock *clock;
  size_t sweep;    /* the number to show */
  int64_t next_ns; /* not before */
  int shown;
};
int tac_progress_show(void *progress, int site, int bonds_done, int bonds, double energy); /* a tac_dmrg_progress_fn */

/* Erases the line if there is one. */
void tac_progress_clear(struct tac_progress *progress);

#endif
