/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/volume_fmm/formats/deflate.h"

#include <stdlib.h>
#include <string.h>

enum {
  WINDOW = 1 << 15,
  HASHES = 1 << 15,
  CHAIN = 32, /* candidates that are looked at */
  SHORTEST = 3,
  LONGEST = 258,
  END_OF_BLOCK = 256
};

struct stream {
  struct tac_bytes *out;
  uint32_t bits;
  int count; /* bits that wait */
};

static void put(struct stream *stream, uint32_t value, int bits) {
  stream->bits |= value << stream->count;
  for (stream->count += bits; stream->count >= 8; stream->count -= 8) {
    const unsigned char byte = stream->bits & 255;
    tac_bytes_add(stream->out, &byte, 1);
    stream->bits >>= 8;
  }
}

/* Codes go out from their highest bit, everything else from its lowest. */
static void put_code(struct stream *stream, uint32_t code, int bits) {
  uint32_t turned = 0;
  for (int i = 0; i < bits; i++)
    turned |= (code >> i & 1) << (bits - 1 - i);
  put(stream, turned, bits);
}

/* The fixed code of literals and lengths, RFC 1951 section 3.2.6. */
static void put_symbol(struct stream *stream, uint32_t symbol) {
  if (symbol < 144)
    put_code(stream, 0x30 + symbol, 8);
  else if (symbol < 256)
    put_code(stream, 0x190 + symbol - 144, 9);
  else if (symbol < 280)
    put_code(stream, symbol - 256, 7);
  else
    put_code(stream, 0xC0 + symbol - 280, 8);
}

/* Lengths and distances: a group of 2^extra values a code, `in_group` codes with the same number of extra bits. */
static void put_length(struct stream *stream, uint32_t length) {
  if (length == LONGEST) {
    put_symbol(stream, 285);
    return;
  }
  uint32_t base = SHORTEST, code = 257;
  for (int extra = 0;; extra++) {
    const uint32_t codes = extra == 0 ? 8 : 4;
    if (length < base + (codes << extra)) {
      put_symbol(stream, code + ((length - base) >> extra));
      put(stream, (length - base) & ((1U << extra) - 1), extra);
      return;
    }
    base += codes << extra;
    code += codes;
  }
}

static void put_distance(struct stream *stream, uint32_t distance) {
  uint32_t base = 1, code = 0;
  for (int extra = 0;; extra++) {
    const uint32_t codes = extra == 0 ? 4 : 2;
    if (distance < base + (codes << extra)) {
      put_code(stream, code + ((distance - base) >> extra), 5);
      put(stream, (distance - base) & ((1U << extra) - 1), extra);
      return;
    }
    base += codes << extra;
    code += codes;
  }
}

/* Places of earlier bytes by the hash of three of them; 0 is none, else the place + 1. */
struct places {
  uint32_t latest[HASHES], before[WINDOW];
};

static uint32_t hash(const unsigned char *data) {
  return ((data[0] | (uint32_t)data[1] << 8 | (uint32_t)data[2] << 16) * 2654435761U) >> 17;
}

static void remember(struct places *places, const unsigned char *data, size_t at) {
  uint32_t *latest = &places->latest[hash(data + at)];
  places->before[at % WINDOW] = *latest;
  *latest = (uint32_t)at + 1;
}

static size_t match_length(const unsigned char *data, size_t count, size_t at, size_t earlier) {
  size_t length = 0;
  while (length < LONGEST && at + length < count && data[earlier + length] == data[at + length])
    length++;
  return length;
}

static size_t longest_match(const struct places *places, const unsigned char *data, size_t count, size_t at, size_t *distance) {
  size_t longest = 0;
  uint32_t place = places->latest[hash(data + at)];
  for (int i = 0; i < CHAIN && place > 0 && at - (place - 1) < WINDOW && longest < LONGEST; i++) {
    const size_t length = match_length(data, count, at, place - 1);
    if (length > longest) {
      longest = length;
      *distance = at - (place - 1);
    }
    const uint32_t next = places->before[(place - 1) % WINDOW];
    place = next < place ? next : 0;
  }
  return longest;
}

static void put_data(struct stream *stream, struct places *places, const unsigned char *data, size_t count) {
  for (size_t at = 0; at < count;) {
    size_t distance = 0, length = 0;
    if (count - at >= SHORTEST)
      length = longest_match(places, data, count, at, &distance);
    if (length < SHORTEST) {
      put_symbol(stream, data[at]);
      length = 1;
    } else {
      put_length(stream, (uint32_t)length);
      put_distance(stream, (uint32_t)distance);
    }
    for (const size_t end = at + length; at < end; at++)
      if (count - at >= SHORTEST)
        remember(places, data, at);
  }
  put_symbol(stream, END_OF_BLOCK);
}

static uint32_t adler32(const unsigned char *data, size_t count) {
  uint32_t a = 1, b = 0;
  for (size_t i = 0; i < count; i++) {
    a = (a + data[i]) % 65521;
    b = (b + a) % 65521;
  }
  return b << 16 | a;
}

void tac_deflate(struct tac_bytes *out, const unsigned char *data, size_t count) {
  struct stream stream = {out, 0, 0};
  struct places *places = calloc(1, sizeof *places);
  const uint32_t sum = adler32(data, count);
  const unsigned char head[] = {0x78, 0x01}, tail[] = {sum >> 24, sum >> 16 & 255, sum >> 8 & 255, sum & 255};
  if (!places) {
    out->failed = 1;
    return;
  }
  tac_bytes_add(out, head, sizeof head);
  put(&stream, 1, 1); /* the last block */
  put(&stream, 1, 2); /* of fixed codes */
  put_data(&stream, places, data, count);
  put(&stream, 0, 7); /* to the end of the byte */
  tac_bytes_add(out, tail, sizeof tail);
  free(places);
}
