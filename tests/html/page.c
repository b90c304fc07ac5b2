/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <stdio.h>
#include <stdlib.h>

#include <tactus/measure/report.h>

/* page < RECORD.json > PAGE.html: the page of a record of any making. */

static int write_piece(void *stream, const char *text, size_t bytes) {
  return fwrite(text, 1, bytes, stream) != bytes;
}

static char *read_all(FILE *stream, size_t *bytes) {
  char *text = NULL;
  size_t room = 0;
  *bytes = 0;
  do {
    char *larger = realloc(text, room += 1 << 20);
    if (!larger) {
      free(text);
      return NULL;
    }
    text = larger;
    *bytes += fread(text + *bytes, 1, room - *bytes, stream);
  } while (*bytes == room);
  return text;
}

int main(void) {
  struct tac_error error;
  size_t bytes;
  char *text = read_all(stdin, &bytes);
  const enum tac_status status = tac_html_page(text, bytes, write_piece, stdout, &error);
  free(text);
  if (status != TAC_STATUS_OK)
    fprintf(stderr, "%s\n", error.text);
  return status != TAC_STATUS_OK || fflush(stdout) != 0;
}
