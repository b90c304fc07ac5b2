/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/volume_fmm/formats/deflate.h"

enum { BLOCK = 65535 }; /* the longest stored block of RFC 1951 */

static uint32_t adler32(const unsigned char *data, size_t count) {
  uint32_t a = 1, b = 0;
  for (size_t i = 0; i < count; i++) {
    a = (a + data[i]) % 65521;
    b = (b + a) % 65521;
  }
  return b << 16 | a;
}

void tac_deflate(struct tac_bytes *out, const unsigned char *data, size_t count) {
  const uint32_t sum = adler32(data, count);
  const unsigned char head[] = {0x78, 0x01}, tail[] = {sum >> 24, sum >> 16 & 255, sum >> 8 & 255, sum & 255};
  tac_bytes_add(out, head, sizeof head);
  size_t at = 0;
  do {
    const unsigned size = count - at < BLOCK ? (unsigned)(count - at) : BLOCK;
    const unsigned char block[] = {at + size == count, size & 255, size >> 8, ~size & 255, ~size >> 8 & 255};
    tac_bytes_add(out, block, sizeof block);
    tac_bytes_add(out, data + at, size);
    at += size;
  } while (at < count);
  tac_bytes_add(out, tail, sizeof tail);
}

/* Of the PNG specification, annex D: polynomial 0xEDB88320, reflected. */
uint32_t tac_crc32(uint32_t before, const unsigned char *data, size_t count) {
  uint32_t state = ~before;
  for (size_t i = 0; i < count; i++) {
    state ^= data[i];
    for (int bit = 0; bit < 8; bit++)
      state = state >> 1 ^ (state & 1 ? 0xEDB88320U : 0);
  }
  return ~state;
}
