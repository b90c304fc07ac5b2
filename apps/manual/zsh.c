/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/manual/manual.h"

/* A text between single quotes, in brackets or between colons of _arguments. */
static void write_quoted(FILE *stream, const char *text) {
  for (; *text; text++)
    if (*text == '\'')
      fputs("'\\''", stream);
    else if (*text == '[' || *text == ']' || *text == ':' || *text == '\\')
      fprintf(stream, "\\%c", *text);
    else
      fputc(*text, stream);
}

static void write_action(FILE *stream, const struct tac_option *option) {
  static const char *const finders[] = {
      [TAC_COMPLETE_NOTHING] = "", [TAC_COMPLETE_FILES] = "_files", [TAC_COMPLETE_FOLDERS] = "_files -/"};
  const char *finder = finders[tac_completion_place(option)];
  const int has_words = tac_completion_word(option, 0) != NULL, has_both = has_words && finder[0];
  fputc(':', stream);
  write_quoted(stream, option->form);
  fputc(':', stream);
  if (has_words) {
    fputs(has_both ? "{compadd -- " : "(", stream);
    tac_completion_words(stream, option);
    fputs(has_both ? "; " : ")", stream);
  }
  fprintf(stream, "%s%s", finder, has_both ? "}" : "");
}

/* What follows --base and --new are words like any others. */
static void write_option(FILE *stream, const struct tac_option *option) {
  fputs(" \\\n      '", stream);
  if (option->name[0]) {
    fprintf(stream, "%s%s[", option->name, tac_option_has_value(option) ? "=-" : "");
    write_quoted(stream, option->help);
    fputc(']', stream);
    if (tac_option_has_value(option))
      write_action(stream, option);
  } else {
    fputs("*:", stream);
    write_quoted(stream, option->form);
    fputs(":_files", stream);
  }
  fputc('\'', stream);
}

static void write_arguments(FILE *stream, const struct tac_manual *manual) {
  fputs("    _arguments", stream);
  for (size_t i = 0; i < manual->options->count; i++)
    write_option(stream, &manual->options->options[i]);
  fputc('\n', stream);
}

void tac_completion_zsh(FILE *stream, const struct tac_shell_program *program) {
  fprintf(stream, "#compdef %s\n# Made from the options of the program.\n", program->name);
  if (!program->commands[0]) {
    write_arguments(stream, program->manual);
    return;
  }
  fputs("if ((CURRENT == 2)); then\n    local -a commands=(", stream);
  for (size_t i = 0; program->commands[i]; i++) {
    fprintf(stream, "\n      '%s:", tac_manual_command(program->commands[i]));
    write_quoted(stream, program->commands[i]->summary);
    fputc('\'', stream);
  }
  fputs(")\n    _describe command commands\n", stream);
  write_arguments(stream, program->manual);
  fputs("else\n  local command=$words[2]\n  shift words\n  ((CURRENT -= 1))\n  case $command in\n", stream);
  for (size_t i = 0; program->commands[i]; i++) {
    fprintf(stream, "  %s)\n", tac_manual_command(program->commands[i]));
    write_arguments(stream, program->commands[i]);
    fputs("    ;;\n", stream);
  }
  fputs("  esac\nfi\n", stream);
}
