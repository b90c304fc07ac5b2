/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "measure/kokkos/emitter.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "measure/text.h"

/* A character as it stands within quotes; '<' too, so that a page can hold the text as it is. */
static size_t escaped(char out[TAC_CHARACTER_BYTES + 8], uint32_t code, const char *character) {
  static const char letters[] = {['\b'] = 'b', ['\t'] = 't', ['\n'] = 'n', ['\f'] = 'f', ['\r'] = 'r'};
  if (code == '"' || code == '\\')
    return (size_t)snprintf(out, 16, "\\%c", (char)code);
  if (code < sizeof letters && letters[code])
    return (size_t)snprintf(out, 16, "\\%c", letters[code]);
  if (code < 0x20 || code == 0x7f || code == '<')
    return (size_t)snprintf(out, 16, "\\u%04x", (unsigned)code);
  return (size_t)snprintf(out, 16, "%s", character);
}

void tac_emit_quote(struct tac_writer *writer, const char *text) {
  char buffer[512], character[TAC_CHARACTER_BYTES];
  size_t used = 0;
  buffer[used++] = '"';
  for (uint32_t code; (code = tac_utf8_next(&text, character)) != 0;) {
    if (used + TAC_CHARACTER_BYTES + 8 > sizeof buffer) {
      tac_write(writer, buffer, used);
      used = 0;
    }
    used += escaped(buffer + used, code, character);
  }
  buffer[used++] = '"';
  tac_write(writer, buffer, used);
}

static void begin(struct tac_emitter *json, const char *key) {
  if (json->follows)
    tac_write_text(&json->writer, ",");
  json->follows = 1;
  if (key) {
    tac_write_text(&json->writer, "\"");
    tac_write_text(&json->writer, key);
    tac_write_text(&json->writer, "\":");
  }
}

void tac_emit_open(struct tac_emitter *json, const char *key, char bracket) {
  begin(json, key);
  tac_write(&json->writer, &bracket, 1);
  json->follows = 0;
}

void tac_emit_close(struct tac_emitter *json, char bracket) {
  tac_write(&json->writer, &bracket, 1);
  json->follows = 1;
}

void tac_emit_text(struct tac_emitter *json, const char *key, const char *text) {
  begin(json, key);
  if (text)
    tac_emit_quote(&json->writer, text);
  else
    tac_write_text(&json->writer, "null");
}

void tac_emit_integer(struct tac_emitter *json, const char *key, int64_t value) {
  char digits[32];
  begin(json, key);
  snprintf(digits, sizeof digits, "%" PRId64, value);
  tac_write_text(&json->writer, digits);
}

void tac_emit_count(struct tac_emitter *json, const char *key, uint64_t count) {
  tac_emit_integer(json, key, count <= INT64_MAX ? (int64_t)count : INT64_MAX);
}

void tac_emit_real(struct tac_emitter *json, const char *key, double value) {
  char digits[TAC_NUMBER_BYTES] = "null";
  begin(json, key);
  if (isfinite(value))
    tac_format_number(digits, value, 17);
  tac_write_text(&json->writer, digits);
}

void tac_emit_flag(struct tac_emitter *json, const char *key, int flag) {
  begin(json, key);
  tac_write_text(&json->writer, flag ? "true" : "false");
}
