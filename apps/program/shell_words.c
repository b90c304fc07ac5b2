/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/program/shell_words.h"

#include <stdio.h>
#include <string.h>

#include "apps/program/streams.h"

static int is_plain(const char *word) {
  static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_./=,:+@%";
  return word[0] != '\0' && word[strspn(word, plain)] == '\0';
}

static void print_word(FILE *stream, const char *word) {
  if (is_plain(word)) {
    fputs(word, stream);
    return;
  }
  fputc('\'', stream);
  for (; *word; word++)
    if (*word == '\'')
      fputs("'\\''", stream);
    else
      fputc(*word, stream);
  fputc('\'', stream);
}

char *tac_shell_words(char *const argv[]) {
  struct tac_collected collected;
  tac_collected_open(&collected);
  for (size_t i = 0; collected.stream && argv[i]; i++) {
    fputs(i > 0 ? " " : "", collected.stream);
    print_word(collected.stream, argv[i]);
  }
  return tac_collected_close(&collected) ? collected.text : NULL;
}
