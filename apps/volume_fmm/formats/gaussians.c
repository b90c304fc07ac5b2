/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/volume_fmm/formats/gaussians.h"

#include <stdint.h>
#include <stdlib.h>

#include "apps/volume_fmm/formats/text_file.h"

enum { MOST_FIELDS = 5 };

static enum tac_status parse(struct tac_gaussian *out, const struct tac_text_file *file, char *const *fields, int dim) {
  static const char *const names[2][MOST_FIELDS] = {{"x", "y", "the exponent", "the amplitude"},
                                                    {"x", "y", "z", "the exponent", "the amplitude"}};
  double numbers[MOST_FIELDS] = {0};
  char shown[TAC_SHOWN_BYTES];
  for (int i = 0; i < dim + 2; i++) {
    const char *reason = tac_text_whole_real(&numbers[i], fields[i]);
    if (reason)
      return tac_text_refuse(file, "%s: '%s' %s", names[dim - 2][i], tac_text_shown(shown, fields[i]), reason);
  }
  *out = (struct tac_gaussian){.exponent = numbers[dim], .amplitude = numbers[dim + 1]};
  for (int axis = 0; axis < dim; axis++)
    out->center[axis] = numbers[axis];
  if (!(out->exponent > 0))
    return tac_text_refuse(file, "the exponent '%s' is not positive", tac_text_shown(shown, fields[dim]));
  return TAC_STATUS_OK;
}

static enum tac_status read_lines(struct tac_gaussian **list, size_t *count, struct tac_text_file *file, int dim) {
  size_t capacity = 0;
  for (;;) {
    char *fields[MOST_FIELDS] = {0};
    int more = 0;
    enum tac_status status = tac_text_line(file, &more);
    if (status != TAC_STATUS_OK || !more)
      return status;
    const size_t found = tac_text_fields(file->text, fields, MOST_FIELDS);
    if (found == 0)
      continue;
    if (found != (size_t)dim + 2)
      return tac_text_refuse(file, "%zu numbers where a Gaussian in %dD has %d: %s, exponent, amplitude", found, dim, dim + 2,
                             dim == 2 ? "x, y" : "x, y, z");
    if (!tac_grow((void **)list, &capacity, *count + 1, SIZE_MAX, sizeof **list))
      return tac_error_set(file->error, TAC_STATUS_MEMORY, "file", "%s: no memory for %zu Gaussians", file->name, *count + 1);
    status = parse(&(*list)[*count], file, fields, dim);
    if (status != TAC_STATUS_OK)
      return status;
    ++*count;
  }
}

enum tac_status tac_gaussians_read(struct tac_gaussian **out, size_t *count, const char *path, int dim,
                                   struct tac_error *error) {
  struct tac_gaussian *list = NULL;
  size_t found = 0;
  struct tac_text_file file;
  enum tac_status status = tac_text_open(&file, path, error);
  if (status == TAC_STATUS_OK)
    status = read_lines(&list, &found, &file, dim);
  if (status == TAC_STATUS_OK && found == 0)
    status = tac_text_refuse(&file, "the file ends without a Gaussian in it");
  tac_text_close(&file);
  if (status != TAC_STATUS_OK) {
    free(list);
    return status;
  }
  *out = list;
  *count = found;
  return TAC_STATUS_OK;
}
