/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef HEISENBERG_DMRG_PROGRESS_H
#define HEISENBERG_DMRG_PROGRESS_H

#include <stddef.h>

#include "apps/program/progress.h"

/* Says where a sweep is. */
struct tac_heisenberg_progress {
  struct tac_progress line;
  const char *kind; /* what stands before the number; NULL: "sweep" */
  size_t sweep;     /* the number to show */
};

/* A tac_dmrg_progress_fn; the context is a struct tac_heisenberg_progress. */
int tac_heisenberg_progress_show(void *progress, int site, int bonds_done, int bonds, double energy);

#endif
