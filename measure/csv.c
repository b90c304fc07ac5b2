/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "measure/csv.h"

#include <math.h>

#include "measure/text.h"

/* A field with a separator, a quote or a line break stands in quotes, and its quotes are doubled. */
void tac_csv_field(struct tac_writer *writer, const char *text) {
  const int quoted = strpbrk(text, ",\"\r\n") != NULL;
  char character[TAC_CHARACTER_BYTES];
  if (quoted)
    tac_write_text(writer, "\"");
  while (tac_utf8_next(&text, character) != 0) {
    if (character[0] == '"')
      tac_write_text(writer, "\"");
    tac_write_text(writer, character);
  }
  if (quoted)
    tac_write_text(writer, "\"");
}

void tac_csv_number(struct tac_writer *writer, double value, int digits) {
  char text[TAC_NUMBER_BYTES];
  if (!isfinite(value))
    return;
  tac_format_number(text, value, digits);
  tac_write_text(writer, text);
}
