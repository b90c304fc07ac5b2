/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <math.h>
#include <stdlib.h>

#include "apps/program/replace_file.h"
#include "apps/volume_fmm/formats/cube.h"
#include "apps/volume_fmm/formats/text_file.h"

enum { VALUES_A_LINE = 6 };

struct content {
  const struct tac_cube *cube;
  const double *values;
  int digits;
};

/* A blank comes before every number, whatever its width. */
static void write_length(FILE *file, double length) {
  char text[400];
  snprintf(text, sizeof text, "%11.6f", length);
  if (strtod(text, NULL) != length)
    snprintf(text, sizeof text, "%11.17g", length);
  fprintf(file, " %s", text);
}

static void write_lengths(FILE *file, const double lengths[3]) {
  for (int axis = 0; axis < 3; axis++)
    write_length(file, lengths[axis]);
  fputc('\n', file);
}

static void write_header(FILE *file, const struct tac_cube *cube) {
  fprintf(file, "%s\n%s\n%5zu", cube->comments[0] ? cube->comments[0] : "", cube->comments[1] ? cube->comments[1] : "",
          cube->atom_count);
  write_lengths(file, cube->origin);
  for (int axis = 0; axis < 3; axis++) {
    double vector[3] = {0, 0, 0};
    vector[axis] = cube->step[axis];
    fprintf(file, "%5zu", cube->shape[axis]);
    write_lengths(file, vector);
  }
  for (size_t i = 0; i < cube->atom_count; i++) {
    fprintf(file, "%5d", cube->atoms[i].number);
    write_length(file, cube->atoms[i].charge);
    write_lengths(file, cube->atoms[i].position);
  }
}

/* Each run along z begins a line. */
static enum tac_status fill(void *context, FILE *file, struct tac_error *error) {
  const struct content *content = context;
  const size_t *shape = content->cube->shape;
  struct tac_numbers numbers;
  enum tac_status status = tac_numbers_enter(&numbers, error);
  if (status != TAC_STATUS_OK)
    return status;
  write_header(file, content->cube);
  for (size_t row = 0; row < shape[0] * shape[1] && !ferror(file); row++)
    for (size_t z = 0; z < shape[2]; z++) {
      fprintf(file, " %*.*E", content->digits + 7, content->digits, content->values[row * shape[2] + z]);
      if ((z + 1) % VALUES_A_LINE == 0 || z + 1 == shape[2])
        fputc('\n', file);
    }
  tac_numbers_leave(&numbers);
  return TAC_STATUS_OK;
}

enum tac_status tac_cube_write(const char *path, const struct tac_cube *cube, const double *values, int digits,
                               struct tac_error *error) {
  struct content content = {cube, values ? values : cube->values, digits};
  const size_t count = cube->shape[0] * cube->shape[1] * cube->shape[2];
  if (digits < TAC_CUBE_DIGITS || digits > TAC_CUBE_FULL_DIGITS)
    return tac_error_set(error, TAC_STATUS_INVALID, "cube file", "%d digits after the point: 5 to 16 are possible", digits);
  for (size_t i = 0; i < count; i++)
    if (!isfinite(content.values[i]))
      return tac_error_set(error, TAC_STATUS_INVALID, "cube file", "the value of voxel (%zu, %zu, %zu) is not finite",
                           i / (cube->shape[1] * cube->shape[2]), i / cube->shape[2] % cube->shape[1], i % cube->shape[2]);
  return tac_replace_file_filled(path, fill, &content, error);
}
