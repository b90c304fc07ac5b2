/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/program/options.h"

#include <string.h>

#define LEFT  33 /* columns of "  --name=form" */
#define WIDTH 100

/* Prints a text wrapped at spaces, the lines after the first indented; `column` is where the first begins. */
static void print_wrapped(FILE *stream, const char *text, int indent, int column) {
  while (*text) {
    size_t word = strcspn(text, " ");
    if (column > indent && column + 1 + (int)word > WIDTH) {
      fprintf(stream, "\n%*s", indent, "");
      column = indent;
    } else if (column > indent) {
      fputc(' ', stream);
      column++;
    }
    fwrite(text, 1, word, stream);
    column += (int)word;
    text += word + strspn(text + word, " ");
  }
  fputc('\n', stream);
}

static void print_option(FILE *stream, const struct tac_option *option) {
  char text[512];
  const char *between = !option->form || !option->name[0] ? "" : tac_option_has_value(option) ? "=" : " ";
  int left = fprintf(stream, "  %s%s%s", option->name, between, option->form ? option->form : "");
  if (left >= LEFT) {
    fprintf(stream, "\n");
    left = 0;
  }
  fprintf(stream, "%*s", LEFT - left, "");
  if (option->initial)
    snprintf(text, sizeof text, "%s [%s]", option->help, option->initial);
  else
    snprintf(text, sizeof text, "%s", option->help);
  print_wrapped(stream, text, LEFT, LEFT);
}

void tac_options_help(FILE *stream, const struct tac_option_table *table) {
  const char *group = "";
  for (size_t i = 0; i < table->count; i++) {
    const struct tac_option *option = &table->options[i];
    if (strcmp(option->group, group) != 0) {
      group = option->group;
      fprintf(stream, "\n%s:\n", group);
    }
    print_option(stream, option);
  }
}
