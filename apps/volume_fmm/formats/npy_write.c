/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "apps/program/replace_file.h"
#include "apps/volume_fmm/formats/npy.h"

enum { PREAMBLE_BYTES = 10, ALIGNMENT = 64 };

struct content {
  const struct tac_npy_layout *layout;
  const double *const *fields;
};

/* The dictionary, filled with blanks so that the elements begin at a multiple of 64 bytes. */
static void write_header(FILE *file, const struct tac_npy_layout *layout) {
  char text[256];
  int length =
      snprintf(text, sizeof text, "{'descr': '<%s', 'fortran_order': False, 'shape': (", layout->parts == 2 ? "c16" : "f8");
  for (int axis = 0; axis < layout->rank; axis++)
    length += snprintf(text + length, sizeof text - (size_t)length, "%zu,%s", layout->shape[axis],
                       axis + 1 < layout->rank || layout->components > 1 ? " " : "");
  if (layout->components > 1)
    length += snprintf(text + length, sizeof text - (size_t)length, "%d", layout->components);
  length += snprintf(text + length, sizeof text - (size_t)length, "), }");
  const int total = (PREAMBLE_BYTES + length + 1 + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT - PREAMBLE_BYTES;
  const unsigned char preamble[PREAMBLE_BYTES] = {0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0, total & 255, total >> 8};
  fwrite(preamble, 1, sizeof preamble, file);
  fprintf(file, "%s%*s\n", text, total - length - 1, "");
}

static void store(unsigned char out[8], double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  for (int i = 0; i < 8; i++)
    out[i] = (unsigned char)(bits >> 8 * i);
}

static enum tac_status fill(void *context, FILE *file, struct tac_error *error) {
  const struct content *content = context;
  const struct tac_npy_layout *layout = content->layout;
  const int fields = layout->parts * layout->components;
  unsigned char number[8];
  size_t count = 1;
  (void)error; /* a failing stream is seen by the caller */
  write_header(file, layout);
  for (int axis = 0; axis < layout->rank; axis++)
    count *= layout->shape[axis];
  for (size_t i = 0; i < count && !ferror(file); i++)
    for (int field = 0; field < fields; field++) {
      store(number, content->fields[field][i]);
      fwrite(number, 1, sizeof number, file);
    }
  return TAC_STATUS_OK;
}

enum tac_status tac_npy_write(const char *path, const struct tac_npy_layout *layout, const double *const *fields,
                              struct tac_error *error) {
  return tac_replace_file_filled(path, fill, &(struct content){layout, fields}, error);
}
