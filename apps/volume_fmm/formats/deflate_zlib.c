/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <stdlib.h>

#include <zlib.h>

#include "apps/volume_fmm/formats/deflate.h"

void tac_deflate(struct tac_bytes *out, const unsigned char *data, size_t count) {
  uLongf size = compressBound((uLong)count);
  unsigned char *packed = malloc(size);
  if (!packed || compress(packed, &size, data, (uLong)count) != Z_OK)
    out->failed = 1;
  else
    tac_bytes_add(out, packed, size);
  free(packed);
}

uint32_t tac_crc32(uint32_t before, const unsigned char *data, size_t count) {
  return count > 0 ? (uint32_t)crc32_z(before, data, count) : before;
}
