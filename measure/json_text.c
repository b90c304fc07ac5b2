/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "measure/json_text.h"

#include <math.h>
#include <stdio.h>

#include "measure/text.h"

enum { PIECE_BYTES = 256 };

/* Short pieces are gathered: a sink may be slow to call. */
struct gathered {
  struct tac_writer *writer;
  size_t used;
  char text[PIECE_BYTES];
};

static void flush(struct gathered *gathered) {
  tac_write(gathered->writer, gathered->text, gathered->used);
  gathered->used = 0;
}

static void gather(struct gathered *gathered, const char *text) {
  const size_t bytes = strlen(text);
  if (gathered->used + bytes > PIECE_BYTES)
    flush(gathered);
  memcpy(gathered->text + gathered->used, text, bytes);
  gathered->used += bytes;
}

void tac_json_write_text(struct tac_writer *writer, const char *text) {
  struct gathered gathered = {.writer = writer};
  char character[TAC_CHARACTER_BYTES], escape[TAC_CHARACTER_BYTES];
  gather(&gathered, "\"");
  for (uint32_t code; (code = tac_utf8_next(&text, character)) != 0;) {
    if (code == '"' || code == '\\')
      gather(&gathered, "\\");
    if (code >= 0x20 && code != 0x7f && code != '<') {
      gather(&gathered, character);
      continue;
    }
    snprintf(escape, sizeof escape, "\\u%04x", (unsigned char)code);
    gather(&gathered, escape);
  }
  gather(&gathered, "\"");
  flush(&gathered);
}

/* Writes digits backwards from `end`, at least `least` of them; where they begin. */
static char *put_digits(char *end, uint64_t value, int least) {
  for (; value > 0 || least > 0; least--) {
    *--end = (char)('0' + value % 10);
    value /= 10;
  }
  return end;
}

static void write_signed(struct tac_writer *writer, char *digits, const char *end, int negative) {
  if (negative)
    *--digits = '-';
  tac_write(writer, digits, (size_t)(end - digits));
}

static uint64_t magnitude(int64_t value) {
  return value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
}

void tac_json_write_integer(struct tac_writer *writer, int64_t value) {
  char text[32], *const end = text + sizeof text;
  write_signed(writer, put_digits(end, magnitude(value), 1), end, value < 0);
}

void tac_json_write_us(struct tac_writer *writer, int64_t time_ns) {
  char text[32], *const end = text + sizeof text, *digits = end;
  const uint64_t ns = magnitude(time_ns);
  if (ns % 1000 > 0) {
    digits = put_digits(digits, ns % 1000, 3);
    *--digits = '.';
  }
  write_signed(writer, put_digits(digits, ns / 1000, 1), end, time_ns < 0);
}

void tac_json_write_real(struct tac_writer *writer, double value) {
  char text[TAC_NUMBER_BYTES];
  if (isfinite(value))
    tac_format_number(text, value, 17);
  tac_write_text(writer, isfinite(value) ? text : "null");
}
