/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <ctype.h>
#include <string.h>

#include <tactus/runtime/version.h>

#include "apps/manual/manual.h"

/* What has a meaning to roff, or another look in it than in a terminal. */
static void write_character(FILE *stream, char character) {
  switch (character) {
  case '\\':
    fputs("\\(rs", stream);
    break;
  case '-':
    fputs("\\-", stream);
    break;
  case '\'':
    fputs("\\(aq", stream);
    break;
  case '`':
    fputs("\\(ga", stream);
    break;
  case '^':
    fputs("\\(ha", stream);
    break;
  case '~':
    fputs("\\(ti", stream);
    break;
  case '"':
    fputs("\\(dq", stream);
    break;
  default:
    fputc(character, stream);
  }
}

/* A line never begins with what would make it a request. */
static void write_text(FILE *stream, const char *text, size_t bytes) {
  if (bytes > 0 && (text[0] == '.' || text[0] == '\''))
    fputs("\\&", stream);
  for (size_t i = 0; i < bytes; i++)
    write_character(stream, text[i]);
}

static void write_line(FILE *stream, const char *text) {
  write_text(stream, text, strlen(text));
  fputc('\n', stream);
}

static void write_title(FILE *stream, const char *title) {
  fputs(".SH ", stream);
  for (; *title; title++)
    write_character(stream, (char)toupper((unsigned char)*title));
  fputc('\n', stream);
}

/* Lines that begin with a space stay as they are, others are filled; an empty line ends a paragraph. */
static void write_body(FILE *stream, const char *text) {
  int verbatim = 0, first = 1;
  while (*text) {
    const size_t length = strcspn(text, "\n");
    const int is_verbatim = text[0] == ' ';
    if (is_verbatim && !verbatim)
      fputs(first ? ".nf\n" : ".PP\n.nf\n", stream);
    else if (!is_verbatim && verbatim)
      fputs(".fi\n.PP\n", stream);
    verbatim = is_verbatim;
    first = 0;
    if (length == 0) {
      fputs(".PP\n", stream);
    } else {
      write_text(stream, text, length);
      fputc('\n', stream);
    }
    text += length + (text[length] == '\n');
  }
  if (verbatim)
    fputs(".fi\n", stream);
}

static void write_option(FILE *stream, const struct tac_option *option) {
  fputs(".TP\n", stream);
  if (option->name[0]) {
    fputs("\\fB", stream);
    write_text(stream, option->name, strlen(option->name));
    fputs("\\fR", stream);
  }
  if (option->form) {
    fputs(!option->name[0] ? "" : tac_option_has_value(option) ? "=" : " ", stream);
    fputs("\\fI", stream);
    write_text(stream, option->form, strlen(option->form));
    fputs("\\fR", stream);
  }
  fputc('\n', stream);
  write_line(stream, option->help);
  if (option->initial) {
    fputc('[', stream);
    write_text(stream, option->initial, strlen(option->initial));
    fputs("]\n", stream);
  }
}

static void write_options(FILE *stream, const struct tac_option_table *table) {
  const char *group = "";
  write_title(stream, "Options");
  for (size_t i = 0; i < table->count; i++) {
    if (strcmp(table->options[i].group, group) != 0) {
      group = table->options[i].group;
      fputs(".SS ", stream);
      write_line(stream, group);
    }
    write_option(stream, &table->options[i]);
  }
}

static void write_examples(FILE *stream, const struct tac_manual_example *examples) {
  write_title(stream, "Examples");
  for (size_t i = 0; examples[i].line; i++) {
    fputs(".TP\n", stream);
    write_line(stream, examples[i].line);
    if (examples[i].what) {
      char first = (char)toupper((unsigned char)examples[i].what[0]);
      write_text(stream, &first, 1);
      write_line(stream, examples[i].what + 1);
    } else {
      fputs("\\&\n", stream);
    }
  }
}

static void write_statuses(FILE *stream, const struct tac_manual_status *statuses) {
  write_title(stream, "Exit status");
  for (; statuses->meaning; statuses++) {
    fprintf(stream, ".TP\n%d\n", statuses->status);
    write_line(stream, statuses->meaning);
  }
}

static void write_others(FILE *stream, const char *const *others) {
  write_title(stream, "See also");
  for (size_t i = 0; others[i]; i++) {
    fputs(".BR ", stream);
    write_text(stream, others[i], strlen(others[i]));
    fprintf(stream, " (1)%s\n", others[i + 1] ? "," : "");
  }
}

void tac_manual_page(FILE *stream, const struct tac_manual *manual, const char *const *others) {
  char name[64];
  tac_manual_page_name(name, manual);
  fputs(".TH ", stream);
  for (const char *c = name; *c; c++)
    write_character(stream, (char)toupper((unsigned char)*c));
  fprintf(stream, " 1 \"\" \"Tactus %s\" \"Tactus\"\n", tac_version());
  write_title(stream, "Name");
  write_text(stream, name, strlen(name));
  fputs(" \\- ", stream);
  write_line(stream, manual->summary);
  write_title(stream, "Synopsis");
  fputs(".nf\n", stream);
  for (size_t i = 0; manual->usage[i]; i++)
    write_line(stream, manual->usage[i]);
  fputs(".fi\n", stream);
  write_title(stream, "Description");
  write_body(stream, manual->description);
  write_options(stream, manual->options);
  for (const struct tac_manual_section *section = manual->sections; section && section->title; section++) {
    write_title(stream, section->title);
    write_body(stream, section->text);
  }
  write_statuses(stream, manual->statuses);
  if (manual->examples)
    write_examples(stream, manual->examples);
  write_others(stream, others);
}
