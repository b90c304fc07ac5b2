/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/program/streams.h"

#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#include "measure/text.h"

int tac_stream_sink(void *stream, const char *text, size_t bytes) {
  (void)fwrite(text, 1, bytes, stream);
  return 0;
}

void tac_stream_text(FILE *stream, const char *text, int columns) {
  char character[TAC_CHARACTER_BYTES];
  for (size_t added; (added = tac_printable_next(&text, character)) > 0; columns -= (int)added)
    fputs(character, stream);
  for (; columns > 0; columns--)
    fputc(' ', stream);
}

/* 0 tells the stream of a failure, which it keeps: open_memstream takes what fits and keeps silent. */
static ssize_t collect(void *context, const char *text, size_t bytes) {
  struct tac_collected *collected = context;
  const size_t wanted = collected->bytes + bytes + 1;
  if (wanted > collected->capacity) {
    const size_t capacity = 2 * wanted;
    char *larger = realloc(collected->text, capacity);
    if (!larger)
      return 0;
    collected->text = larger;
    collected->capacity = capacity;
  }
  memcpy(collected->text + collected->bytes, text, bytes);
  collected->bytes += bytes;
  collected->text[collected->bytes] = '\0';
  return (ssize_t)bytes;
}

void tac_collected_open(struct tac_collected *collected) {
  *collected = (struct tac_collected){0};
  collected->stream = fopencookie(collected, "w", (cookie_io_functions_t){.write = collect});
}

int tac_collected_close(struct tac_collected *collected) {
  if (!collected->stream)
    return 0;
  int whole = fflush(collected->stream) == 0 && !ferror(collected->stream);
  fclose(collected->stream);
  collected->stream = NULL;
  if (whole && !collected->text)
    collected->text = calloc(1, 1);
  if (whole && collected->text)
    return 1;
  free(collected->text);
  *collected = (struct tac_collected){0};
  return 0;
}
