/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/volume_fmm/formats/png.h"

#include <stdint.h>
#include <stdlib.h>

#include "apps/volume_fmm/formats/deflate.h"

static void store(unsigned char out[4], uint32_t value) {
  for (int i = 0; i < 4; i++)
    out[i] = (unsigned char)(value >> (24 - 8 * i));
}

static void add_chunk(struct tac_bytes *out, const char *type, const unsigned char *data, size_t count) {
  unsigned char number[4];
  store(number, (uint32_t)count);
  tac_bytes_add(out, number, 4);
  tac_bytes_add(out, type, 4);
  tac_bytes_add(out, data, count);
  store(number, tac_crc32(tac_crc32(0, (const unsigned char *)type, 4), data, count));
  tac_bytes_add(out, number, 4);
}

/* Each row after a byte that says that it is not filtered. */
static void add_image(struct tac_bytes *out, const unsigned char *indices, size_t columns, size_t rows) {
  static const unsigned char unfiltered = 0;
  struct tac_bytes plain = {0}, packed = {0};
  for (size_t row = 0; row < rows; row++) {
    tac_bytes_add(&plain, &unfiltered, 1);
    tac_bytes_add(&plain, indices + row * columns, columns);
  }
  if (!plain.failed)
    tac_deflate(&packed, plain.data, plain.count);
  out->failed |= plain.failed | packed.failed;
  if (!out->failed)
    add_chunk(out, "IDAT", packed.data, packed.count);
  free(plain.data);
  free(packed.data);
}

void tac_png_encode(struct tac_bytes *out, const unsigned char *indices, size_t columns, size_t rows,
                    const unsigned char palette[256][3]) {
  static const unsigned char signature[] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n'};
  unsigned char header[13] = {[8] = 8 /* bits */, [9] = 3 /* palette */};
  store(header, (uint32_t)columns);
  store(header + 4, (uint32_t)rows);
  tac_bytes_add(out, signature, sizeof signature);
  add_chunk(out, "IHDR", header, sizeof header);
  add_chunk(out, "PLTE", palette[0], 256 * 3);
  add_image(out, indices, columns, rows);
  add_chunk(out, "IEND", NULL, 0);
}
