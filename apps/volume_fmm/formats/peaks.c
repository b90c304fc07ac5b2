/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/volume_fmm/formats/peaks.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "apps/volume_fmm/formats/text_file.h"

enum { MOST_SEEDS = 1024 };

struct peak {
  double size;
  size_t at, index[3];
};

static size_t stride(const struct tac_samples_grid *grid, int axis) {
  return axis == 0 ? grid->shape[1] * grid->shape[2] : axis == 1 ? grid->shape[2] : 1;
}

/* 1 when the sample exceeds its neighbours; of equal ones the last wins, so that a plateau is one peak at most. */
static int stands_out(const struct tac_samples_grid *grid, const double *values, size_t at, const size_t index[3]) {
  const double size = fabs(values[at]);
  for (int n = 0; n < 27; n++) {
    const int offset[3] = {n / 9 - 1, n / 3 % 3 - 1, n % 3 - 1};
    size_t neighbour = at;
    int exists = n != 13;
    for (int axis = 0; axis < 3; axis++) {
      exists = exists && !(offset[axis] < 0 && index[axis] == 0) && !(offset[axis] > 0 && index[axis] + 1 == grid->shape[axis]);
      neighbour += (size_t)offset[axis] * stride(grid, axis);
    }
    if (exists && (n < 13 ? fabs(values[neighbour]) > size : fabs(values[neighbour]) >= size))
      return 0;
  }
  return size > 0;
}

/* How far from the peak the parabola through its neighbours has halved: step * sqrt(f / -f''), at least a step. */
static double width_of(const struct tac_samples_grid *grid, const double *values, const struct peak *peak) {
  double width = grid->step[0] * (double)grid->shape[0];
  const size_t at = peak->at, *index = peak->index;
  for (int axis = 0; axis < grid->dim; axis++) {
    const size_t step = stride(grid, axis);
    const double before = index[axis] > 0 ? values[at - step] : 0;
    const double after = index[axis] + 1 < grid->shape[axis] ? values[at + step] : 0;
    const double ratio = 2 - (before + after) / values[at]; /* second difference; in (0, 4] at a peak */
    width = fmin(width, grid->step[axis] * (ratio < 1 && ratio > 0 ? sqrt(1 / ratio) : 1));
  }
  return width;
}

static int larger_first(const void *a, const void *b) {
  const struct peak *left = a, *right = b;
  if (left->size != right->size)
    return left->size > right->size ? -1 : 1;
  return left->at < right->at ? -1 : 1;
}

static struct tac_fmm_seed seed_at(const struct tac_samples_grid *grid, const double *values, const struct peak *peak) {
  struct tac_fmm_seed seed = {.width = width_of(grid, values, peak)};
  for (int axis = 0; axis < grid->dim; axis++)
    seed.center[axis] = grid->origin[axis] + (double)peak->index[axis] * grid->step[axis];
  return seed;
}

/* All peaks; 0 when there is no memory. */
static int collect(struct peak **peaks, size_t *found, const struct tac_samples_grid *grid, const double *values) {
  size_t capacity = 0, at = 0;
  for (size_t x = 0; x < grid->shape[0]; x++)
    for (size_t y = 0; y < grid->shape[1]; y++)
      for (size_t z = 0; z < grid->shape[2]; z++, at++) {
        const struct peak peak = {fabs(values[at]), at, {x, y, z}};
        if (!stands_out(grid, values, at, peak.index))
          continue;
        if (!tac_grow((void **)peaks, &capacity, *found + 1, SIZE_MAX, sizeof **peaks))
          return 0;
        (*peaks)[(*found)++] = peak;
      }
  return 1;
}

enum tac_status tac_peaks_find(struct tac_fmm_seed **out, size_t *count, const struct tac_samples_grid *grid,
                               const double *values, struct tac_error *error) {
  struct peak *peaks = NULL;
  struct tac_fmm_seed *seeds = NULL;
  size_t found = 0;
  int has_memory = collect(&peaks, &found, grid, values);
  if (has_memory && found > 0) {
    qsort(peaks, found, sizeof *peaks, larger_first);
    found = found < MOST_SEEDS ? found : MOST_SEEDS;
    seeds = malloc(found * sizeof *seeds);
    has_memory = seeds != NULL;
  }
  for (size_t i = 0; has_memory && i < found; i++)
    seeds[i] = seed_at(grid, values, &peaks[i]);
  free(peaks);
  if (!has_memory)
    return tac_error_set(error, TAC_STATUS_MEMORY, "samples", "no memory for %zu peaks", found);
  *out = seeds;
  *count = found;
  return TAC_STATUS_OK;
}
