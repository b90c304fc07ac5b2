/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <string.h>

#include "apps/program/program.h"
#include "apps/volume_fmm/densities.h"
#include "apps/volume_fmm/formats/npy.h"

#define OPTION "--density"

enum tac_status tac_density_from_gaussians(struct tac_density *out, const char *path, struct tac_error *error) {
  struct tac_gaussian *gaussians = NULL;
  size_t count = 0;
  if (!*path)
    return tac_error_set(error, TAC_STATUS_INVALID, OPTION, "'gaussians:' needs a file: gaussians:FILE");
  enum tac_status status = tac_gaussians_read(&gaussians, &count, path, out->dim, error);
  if (status != TAC_STATUS_OK)
    return tac_program_name_option(status, OPTION, error);
  return tac_density_take_gaussians(out, &tac_density_charged, gaussians, count, error);
}

/* Makes the interpolant of samples, and seeds. */
static enum tac_status take_samples(struct tac_density *out, const struct tac_samples_grid *grid, const double *values,
                                    struct tac_error *error) {
  out->form = &tac_density_sampled;
  enum tac_status status = tac_samples_create(&out->samples, grid, out->lower, out->side, values, error);
  if (status == TAC_STATUS_OK)
    out->seeds = tac_samples_seeds(out->samples, &out->seed_count);
  return tac_program_name_option(status, OPTION, error);
}

enum tac_status tac_density_from_npy(struct tac_density *out, const char *path, struct tac_error *error) {
  struct tac_npy array = {0};
  struct tac_samples_grid grid;
  enum tac_status status = tac_npy_read(&array, path, out->dim, error);
  if (status == TAC_STATUS_OK)
    status = tac_samples_fit(&grid, out->dim, array.shape, out->lower, out->side, error);
  status =
      status == TAC_STATUS_OK ? take_samples(out, &grid, array.values, error) : tac_program_name_option(status, OPTION, error);
  tac_npy_free(&array);
  return status;
}

enum tac_status tac_density_from_cube(struct tac_density *out, const char *path, enum tac_cube_units units,
                                      struct tac_error *error) {
  struct tac_samples_grid grid = {.dim = 3};
  enum tac_status status = tac_cube_read(&out->cube, path, units, error);
  if (status != TAC_STATUS_OK)
    return tac_program_name_option(status, OPTION, error);
  memcpy(grid.shape, out->cube.shape, sizeof grid.shape);
  memcpy(grid.origin, out->cube.origin, sizeof grid.origin);
  memcpy(grid.step, out->cube.step, sizeof grid.step);
  tac_samples_domain(&grid, out->lower, &out->side);
  return take_samples(out, &grid, out->cube.values, error);
}
