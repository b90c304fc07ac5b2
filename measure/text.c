/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "measure/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char replacement[] = "\xef\xbf\xbd"; /* U+FFFD */

/* Bytes of the sequence that a lead byte announces, 0 for a byte that leads none; *first takes its bits. */
static int sequence_length(unsigned char lead, uint32_t *first) {
  if (lead < 0x80)
    return *first = lead, 1;
  if (lead >= 0xc2 && lead < 0xe0)
    return *first = lead & 0x1f, 2;
  if (lead >= 0xe0 && lead < 0xf0)
    return *first = lead & 0x0f, 3;
  if (lead >= 0xf0 && lead < 0xf5)
    return *first = lead & 0x07, 4;
  return 0;
}

/* Overlong forms, surrogates and what lies beyond Unicode are no characters. */
static int is_character(uint32_t code, int length) {
  static const uint32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
  return code >= smallest[length] && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
}

uint32_t tac_utf8_next(const char **text, char out[TAC_CHARACTER_BYTES]) {
  const unsigned char *bytes = (const unsigned char *)*text;
  uint32_t code = 0;
  const int length = sequence_length(bytes[0], &code);
  int taken = 1;
  for (; taken < length && (bytes[taken] & 0xc0) == 0x80; taken++)
    code = code << 6 | (bytes[taken] & 0x3f);
  if (length == 0 || taken < length || !is_character(code, length)) {
    (*text)++;
    memcpy(out, replacement, sizeof replacement);
    return 0xfffd;
  }
  memcpy(out, bytes, (size_t)length);
  out[length] = '\0';
  if (code != 0)
    *text += length;
  return code;
}

size_t tac_printable_next(const char **text, char out[TAC_CHARACTER_BYTES]) {
  const uint32_t code = tac_utf8_next(text, out);
  if (code == 0)
    return 0;
  if (code >= 0x20 && (code < 0x7f || code >= 0xa0))
    return 1;
  return (size_t)snprintf(out, TAC_CHARACTER_BYTES, "\\x%02x", (unsigned)code);
}

size_t tac_printable_columns(const char *text) {
  char character[TAC_CHARACTER_BYTES];
  size_t columns = 0;
  for (size_t next; (next = tac_printable_next(&text, character)) > 0;)
    columns += next;
  return columns;
}

void tac_format_duration(char out[TAC_DURATION_BYTES], int64_t duration_ns) {
  static const struct {
    const char *name;
    uint64_t ns;
  } units[] = {{"µs", 1000}, {"ms", 1000000}, {"s", 1000000000}};
  const char *sign = duration_ns < 0 ? "-" : "";
  const uint64_t ns = duration_ns < 0 ? 0 - (uint64_t)duration_ns : (uint64_t)duration_ns;
  if (ns < 1000) {
    snprintf(out, TAC_DURATION_BYTES, "%s%u ns", sign, (unsigned)ns);
    return;
  }
  const size_t last = sizeof units / sizeof *units - 1;
  size_t unit = 0;
  uint64_t thousandths = ns;
  while (thousandths >= 1000000 && unit < last) {
    unit++;
    thousandths = (ns + units[unit].ns / 2000) / (units[unit].ns / 1000);
  }
  snprintf(out, TAC_DURATION_BYTES, "%s%llu.%03u %s", sign, (unsigned long long)(thousandths / 1000),
           (unsigned)(thousandths % 1000), units[unit].name);
}

void tac_format_share(char out[TAC_SHARE_BYTES], double part, double whole) {
  if (!(whole > 0)) {
    snprintf(out, TAC_SHARE_BYTES, "-");
    return;
  }
  const long tenths = lround(fmin(1000 * (part / whole), 1e9));
  snprintf(out, TAC_SHARE_BYTES, "%ld.%ld %%", tenths / 10, tenths % 10);
}
