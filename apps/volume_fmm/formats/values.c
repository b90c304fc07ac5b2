/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/volume_fmm/formats/values.h"

#include <stdio.h>
#include <stdlib.h>

#include "apps/program/replace_file.h"
#include "apps/volume_fmm/formats/npy.h"
#include "apps/volume_fmm/formats/text_file.h"

enum { MOST_COLUMNS = 3 + 2 * 4 };

static int fields_of(const struct tac_values *values) {
  return values->parts * values->components;
}

static void write_header(FILE *file, const struct tac_values *values) {
  static const char *const components[] = {"u", "ux", "uy", "uz"}, *const parts[] = {"_re", "_im"};
  fputs(values->dim == 2 ? "x,y" : "x,y,z", file);
  for (int field = 0; field < fields_of(values); field++)
    fprintf(file, ",%s%s", components[field / values->parts], values->parts == 2 ? parts[field % 2] : "");
  fputc('\n', file);
}

static enum tac_status fill_csv(void *context, FILE *file, struct tac_error *error) {
  const struct tac_values *values = context;
  const size_t dim = (size_t)values->dim;
  struct tac_numbers numbers;
  enum tac_status status = tac_numbers_enter(&numbers, error);
  if (status != TAC_STATUS_OK)
    return status;
  write_header(file, values);
  for (size_t i = 0; i < values->count && !ferror(file); i++) {
    for (size_t axis = 0; axis < dim; axis++)
      fprintf(file, "%s%.17g", axis ? "," : "", values->points[dim * i + axis]);
    for (int field = 0; field < fields_of(values); field++)
      fprintf(file, ",%.17g", values->fields[field][i]);
    fputc('\n', file);
  }
  tac_numbers_leave(&numbers);
  return TAC_STATUS_OK;
}

enum tac_status tac_values_write_csv(const char *path, const struct tac_values *values, struct tac_error *error) {
  struct tac_values copy = *values;
  return tac_replace_file_filled(path, fill_csv, &copy, error);
}

enum tac_status tac_values_write_npy(const char *path, const struct tac_values *values, struct tac_error *error) {
  const size_t count = values->count, dim = (size_t)values->dim;
  const double *columns[MOST_COLUMNS];
  double *coordinates = malloc((count ? count : 1) * dim * sizeof *coordinates);
  if (!coordinates)
    return tac_error_set(error, TAC_STATUS_MEMORY, "file", "no memory for the coordinates of %zu points", count);
  for (size_t axis = 0; axis < dim; axis++) {
    columns[axis] = coordinates + axis * count;
    for (size_t i = 0; i < count; i++)
      coordinates[axis * count + i] = values->points[dim * i + axis];
  }
  for (int field = 0; field < fields_of(values); field++)
    columns[(int)dim + field] = values->fields[field];
  const struct tac_npy_layout layout = {1, {count}, 1, values->dim + fields_of(values)};
  enum tac_status status = tac_npy_write(path, &layout, columns, error);
  free(coordinates);
  return status;
}
