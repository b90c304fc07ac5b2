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

void tac_format_seconds(char out[TAC_SECONDS_BYTES], int64_t duration_ns, int decimals) {
  const uint64_t ns = duration_ns < 0 ? 0 - (uint64_t)duration_ns : (uint64_t)duration_ns;
  uint64_t unit = 1000000000, ns_a_unit = 1; /* units a second, and what one of them is */
  for (int i = 9; i > decimals; i--) {
    unit /= 10;
    ns_a_unit *= 10;
  }
  const uint64_t units = ns / ns_a_unit + (ns % ns_a_unit >= (ns_a_unit + 1) / 2 && ns_a_unit > 1);
  const char *sign = duration_ns < 0 && units > 0 ? "-" : "";
  if (decimals == 0)
    snprintf(out, TAC_SECONDS_BYTES, "%s%llu", sign, (unsigned long long)units);
  else
    snprintf(out, TAC_SECONDS_BYTES, "%s%llu.%0*llu", sign, (unsigned long long)(units / unit), decimals,
             (unsigned long long)(units % unit));
}

/* A locale's decimal point, which may be more than one byte, is all that %g writes beside these. */
void tac_number_without_locale(char *out, const char *local) {
  char *end = out;
  for (; *local; local++)
    if (strchr("+-0123456789e", *local))
      *end++ = *local;
    else if (end == out || end[-1] != '.')
      *end++ = '.';
  *end = '\0';
}

void tac_format_number(char out[TAC_NUMBER_BYTES], double value, int digits) {
  char local[TAC_NUMBER_BYTES];
  snprintf(local, sizeof local, "%.*g", digits, value);
  tac_number_without_locale(out, local);
}

void tac_format_share(char out[TAC_SHARE_BYTES], double part, double whole) {
  if (!(whole > 0)) {
    snprintf(out, TAC_SHARE_BYTES, "-");
    return;
  }
  const long tenths = lround(fmin(1000 * fabs(part / whole), 1e9));
  snprintf(out, TAC_SHARE_BYTES, "%s%ld.%ld %%", part < 0 && tenths > 0 ? "-" : "", tenths / 10, tenths % 10);
}

void tac_format_cost(char out[TAC_COST_BYTES], double measured, double off) {
  char share[TAC_SHARE_BYTES];
  tac_format_share(share, fabs(measured - off), off);
  if (off > 0 && 20 * (measured - off) > off)
    snprintf(out, TAC_COST_BYTES, "%s more", share);
  else if (off > 0 && 20 * (off - measured) > off)
    snprintf(out, TAC_COST_BYTES, "%s less, so single timings say nothing here", share);
  else
    snprintf(out, TAC_COST_BYTES, "within the noise of one timing");
}
