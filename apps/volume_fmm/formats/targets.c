/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/volume_fmm/formats/targets.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "apps/volume_fmm/formats/npy.h"
#include "apps/volume_fmm/formats/text_file.h"

enum { MOST_FIELDS = 64 };

/* Where the coordinates stand in a line. Without a header `fields` is the dimension, with one that of the header. */
struct columns {
  size_t fields, of_axis[3];
};

static const char axis_names[] = "xyz";

static int has_a_number(char *const *fields, size_t count) {
  double number;
  for (size_t i = 0; i < count; i++) {
    const char *at = fields[i];
    if (!tac_text_real(&number, &at))
      return 1;
  }
  return 0;
}

/* The axis that a header names in a field, quoted or not; 3 for another name. */
static size_t axis_of(const char *field) {
  const size_t quoted = field[0] == '"';
  const char *letter = field[quoted] != '\0' ? strchr(axis_names, field[quoted]) : NULL;
  const int ends = letter && strcmp(field + quoted + 1, quoted ? "\"" : "") == 0;
  return ends ? (size_t)(letter - axis_names) : 3;
}

static enum tac_status parse_header(struct columns *out, const struct tac_text_file *file, char *const *fields, size_t count,
                                    int dim) {
  int seen[4] = {0};
  if (count > MOST_FIELDS)
    return tac_text_refuse(file, "%zu columns, more than %d", count, MOST_FIELDS);
  for (size_t i = 0; i < count; i++) {
    const size_t axis = axis_of(fields[i]);
    if (axis == 3)
      continue;
    if (seen[axis]++)
      return tac_text_refuse(file, "the header names column %c twice", axis_names[axis]);
    if (axis >= (size_t)dim)
      return tac_text_refuse(file, "the header names a column %c, but these are points in %dD", axis_names[axis], dim);
    out->of_axis[axis] = i;
  }
  for (int axis = 0; axis < dim; axis++)
    if (!seen[axis])
      return tac_text_refuse(file, "neither coordinates nor a header that names column %c", axis_names[axis]);
  out->fields = count;
  return TAC_STATUS_OK;
}

static enum tac_status parse_point(double *out, const struct tac_text_file *file, const struct columns *columns,
                                   char *const *fields, size_t count, int dim) {
  if (count != columns->fields)
    return tac_text_refuse(file, "%zu numbers where %zu are expected", count, columns->fields);
  for (int axis = 0; axis < dim && axis < 3; axis++) {
    const char *field = fields[columns->of_axis[axis]];
    const char *reason = tac_text_whole_real(&out[axis], field);
    char shown[TAC_SHOWN_BYTES];
    if (reason)
      return tac_text_refuse(file, "%c: '%s' %s", axis_names[axis], tac_text_shown(shown, field), reason);
  }
  return TAC_STATUS_OK;
}

static enum tac_status read_lines(double **points, size_t *count, struct tac_text_file *file, int dim) {
  struct columns columns = {(size_t)dim, {0, 1, 2}};
  size_t capacity = 0;
  for (int first = 1;;) {
    char *fields[MOST_FIELDS] = {0};
    int more = 0;
    enum tac_status status = tac_text_line(file, &more);
    if (status != TAC_STATUS_OK || !more)
      return status;
    const size_t found = tac_text_fields(file->text, fields, MOST_FIELDS);
    if (found == 0)
      continue;
    if (first && !has_a_number(fields, found < MOST_FIELDS ? found : MOST_FIELDS)) {
      status = parse_header(&columns, file, fields, found, dim);
    } else {
      if (!tac_grow((void **)points, &capacity, (*count + 1) * (size_t)dim, SIZE_MAX, sizeof **points))
        return tac_error_set(file->error, TAC_STATUS_MEMORY, "file", "%s: no memory for %zu points", file->name, *count + 1);
      status = parse_point(*points + *count * (size_t)dim, file, &columns, fields, found, dim);
      *count += status == TAC_STATUS_OK;
    }
    if (status != TAC_STATUS_OK)
      return status;
    first = 0;
  }
}

static enum tac_status read_text(double **points, size_t *count, const char *path, int dim, struct tac_error *error) {
  struct tac_text_file file;
  enum tac_status status = tac_text_open(&file, path, error);
  if (status == TAC_STATUS_OK)
    status = read_lines(points, count, &file, dim);
  if (status == TAC_STATUS_OK && *count == 0)
    status = tac_text_refuse(&file, "the file ends without a point in it");
  tac_text_close(&file);
  return status;
}

static enum tac_status read_array(double **points, size_t *count, const char *path, int dim, struct tac_error *error) {
  struct tac_npy array = {0};
  char name[TAC_NAME_BYTES];
  enum tac_status status = tac_npy_read(&array, path, 2, error);
  if (status != TAC_STATUS_OK)
    return status;
  *count = array.shape[0];
  *points = array.values;
  if (array.shape[1] == (size_t)dim && *count > 0)
    return TAC_STATUS_OK;
  tac_file_name(name, path);
  return tac_error_set(error, TAC_STATUS_INVALID, "file", "%s: the shape (%zu, %zu) is not that of points in %dD, (count, %d)",
                       name, array.shape[0], array.shape[1], dim, dim);
}

enum tac_status tac_targets_read(double **out, size_t *count, const char *path, int dim, struct tac_error *error) {
  double *points = NULL;
  size_t found = 0;
  const char *suffix = strrchr(path, '.');
  enum tac_status status = suffix && strcmp(suffix, ".npy") == 0 ? read_array(&points, &found, path, dim, error)
                                                                 : read_text(&points, &found, path, dim, error);
  if (status != TAC_STATUS_OK) {
    free(points);
    return status;
  }
  *out = points;
  *count = found;
  return TAC_STATUS_OK;
}
