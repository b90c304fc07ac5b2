/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/manual/manual.h"

static void write_quoted(FILE *stream, const char *text) {
  fputc('\'', stream);
  for (; *text; text++) {
    if (*text == '\'' || *text == '\\')
      fputc('\\', stream);
    fputc(*text, stream);
  }
  fputc('\'', stream);
}

/* `condition`: when it is offered; NULL: always. */
static void write_option(FILE *stream, const char *program, const char *condition, const struct tac_option *option) {
  const enum tac_completion place = tac_completion_place(option);
  fprintf(stream, "complete -c %s", program);
  if (condition) {
    fputs(" -n ", stream);
    write_quoted(stream, condition);
  }
  fprintf(stream, " -l %s", option->name + 2);
  if (tac_option_has_value(option)) {
    fputs(place == TAC_COMPLETE_FILES ? " -r -F" : " -x", stream);
    fputs(place == TAC_COMPLETE_FOLDERS ? " -a '(__fish_complete_directories) " : " -a '", stream);
    tac_completion_words(stream, option);
    fputc('\'', stream);
  }
  fputs(" -d ", stream);
  write_quoted(stream, option->help);
  fputc('\n', stream);
}

static void write_options(FILE *stream, const char *program, const char *condition, const struct tac_manual *manual) {
  int takes_words = 0;
  for (size_t i = 0; i < manual->options->count; i++)
    if (manual->options->options[i].name[0])
      write_option(stream, program, condition, &manual->options->options[i]);
    else
      takes_words = 1;
  if (takes_words && condition) {
    fprintf(stream, "complete -c %s -n ", program);
    write_quoted(stream, condition);
    fputs(" -F\n", stream);
  }
}

void tac_completion_fish(FILE *stream, const struct tac_shell_program *program) {
  fprintf(stream, "# Completes %s in fish. Made from the options of the program.\ncomplete -c %s -f\n", program->name,
          program->name);
  write_options(stream, program->name, program->commands[0] ? "__fish_use_subcommand" : NULL, program->manual);
  for (size_t i = 0; program->commands[i]; i++) {
    char condition[96];
    const char *command = tac_manual_command(program->commands[i]);
    fprintf(stream, "complete -c %s -n __fish_use_subcommand -a %s -d ", program->name, command);
    write_quoted(stream, program->commands[i]->summary);
    fputc('\n', stream);
    snprintf(condition, sizeof condition, "__fish_seen_subcommand_from %s", command);
    write_options(stream, program->name, condition, program->commands[i]);
  }
}
