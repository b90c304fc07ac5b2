/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/heisenberg_dmrg/run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int compare_doubles(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

double tac_heisenberg_there_and_back_seconds(const struct tac_heisenberg_sweeps *steady) {
  size_t pairs = steady->count / 2;
  double *seconds = pairs ? malloc(pairs * sizeof *seconds) : NULL;
  if (!seconds)
    return 0;
  for (size_t i = 0; i < pairs; i++)
    seconds[i] = steady->sweep[2 * i].seconds + steady->sweep[2 * i + 1].seconds;
  qsort(seconds, pairs, sizeof *seconds, compare_doubles);
  double median = 0.5 * (seconds[(pairs - 1) / 2] + seconds[pairs / 2]);
  free(seconds);
  return median;
}

/* Beyond what rounding leaves of a variance of 0. */
static int variance_is_visible(const struct tac_heisenberg_run *run) {
  double energy = run->result.energy_state;
  return run->result.variance > (run->options->single_precision ? 1e-5 : 1e-10) * fmax(1, energy * energy);
}

size_t tac_heisenberg_warnings(const struct tac_heisenberg_run *run, const char **texts, size_t most) {
  size_t count = 0;
  if (run->result.start_stuck && run->options->local_matvecs == 1 && count < most)
    texts[count++] = "the first sweep changed nothing: with --local-matvecs=1 the Krylov space of a bond is its start alone; "
                     "2 products or more lower the energy";
  else if (run->result.start_stuck && count < most)
    texts[count++] = variance_is_visible(run)
                         ? "the first sweep changed nothing, yet the variance is not 0: the start is an eigenstate of every "
                           "local problem but not of H; --start=random leaves it"
                         : "the first sweep changed nothing: the start is an eigenstate of H, which need not be the lowest of "
                           "its sector; --start=random tells";
  if (run->result.fallbacks && count < most)
    texts[count++] = "some blocks needed GESVD because GESDD failed on them";
  return count;
}
