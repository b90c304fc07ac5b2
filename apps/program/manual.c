/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/program/manual.h"

#include <string.h>

enum { LONGEST_ALIGNED = 72 };

static void print_usage(FILE *stream, const struct tac_manual *manual) {
  for (size_t i = 0; manual->usage[i]; i++)
    fprintf(stream, "%s %s\n", i == 0 ? "usage:" : "      ", manual->usage[i]);
}

/* What examples do stands in one column, but for lines that are too long for it. */
static void print_examples(FILE *stream, const struct tac_manual_example *examples) {
  size_t width = 0;
  for (size_t i = 0; examples[i].line; i++) {
    const size_t length = strlen(examples[i].line);
    if (examples[i].what && length > width && length <= LONGEST_ALIGNED)
      width = length;
  }
  fputc('\n', stream);
  for (size_t i = 0; examples[i].line; i++)
    if (examples[i].what)
      fprintf(stream, "  %-*s   %s\n", (int)width, examples[i].line, examples[i].what);
    else
      fprintf(stream, "  %s\n", examples[i].line);
}

void tac_manual_help(FILE *stream, const struct tac_manual *manual) {
  print_usage(stream, manual);
  fprintf(stream, "\n%s", manual->description);
  if (manual->examples)
    print_examples(stream, manual->examples);
  tac_options_help(stream, manual->options);
  for (const struct tac_manual_section *section = manual->sections; section && section->title; section++)
    fprintf(stream, "\n%s:\n%s", section->title, section->text);
  fputs("\nExit status:\n", stream);
  for (const struct tac_manual_status *status = manual->statuses; status->meaning; status++)
    fprintf(stream, "  %d  %s\n", status->status, status->meaning);
}
