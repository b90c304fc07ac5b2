/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/program/shell_words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
  char *text = NULL;
  size_t bytes = 0;
  FILE *stream = open_memstream(&text, &bytes);
  if (!stream)
    return NULL;
  for (size_t i = 0; argv[i]; i++) {
    fputs(i > 0 ? " " : "", stream);
    print_word(stream, argv[i]);
  }
  if (fclose(stream) == 0)
    return text;
  free(text);
  return NULL;
}
