/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/manual/manual.h"

/* Bash takes words apart at '=' unless its user changed that: both are completed. */
static const char head[] = "  local current=${COMP_WORDS[COMP_CWORD]} option='' prefix='' value=''\n"
                           "  COMPREPLY=()\n"
                           "  if [[ $current == = ]]; then\n"
                           "    option=${COMP_WORDS[COMP_CWORD - 1]}\n"
                           "  elif ((COMP_CWORD > 1)) && [[ ${COMP_WORDS[COMP_CWORD - 1]} == = ]]; then\n"
                           "    option=${COMP_WORDS[COMP_CWORD - 2]} value=$current\n"
                           "  elif [[ $current == --*=* ]]; then\n"
                           "    option=${current%%=*} value=${current#*=} prefix=$option=\n"
                           "  fi\n";

/* One name at a time, so that those with blanks stay whole. */
static const char tail[] = "  if [[ $kind == names ]]; then\n"
                           "    mapfile -t COMPREPLY < <(compgen -W \"$offered\" -- \"$current\")\n"
                           "    [[ ${#COMPREPLY[@]} -ne 1 || ${COMPREPLY[0]} != *= ]] || compopt -o nospace 2>/dev/null\n"
                           "    return\n"
                           "  fi\n"
                           "  mapfile -t COMPREPLY < <(compgen -P \"$prefix\" -W \"$offered\" -- \"$value\")\n"
                           "  if [[ $kind == files || $kind == folders ]]; then\n"
                           "    local what=-f\n"
                           "    [[ $kind == files ]] || what=-d\n"
                           "    mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -P \"$prefix\" $what -- \"$value\")\n"
                           "    compopt -o filenames 2>/dev/null\n"
                           "  fi\n";

static void write_values(FILE *stream, const struct tac_option *option) {
  static const char *const kinds[] = {
      [TAC_COMPLETE_NOTHING] = "words", [TAC_COMPLETE_FILES] = "files", [TAC_COMPLETE_FOLDERS] = "folders"};
  if (!tac_option_has_value(option))
    return;
  fprintf(stream, "      %s) kind=%s offered='", option->name, kinds[tac_completion_place(option)]);
  tac_completion_words(stream, option);
  fputs("' ;;\n", stream);
}

static void write_names(FILE *stream, const struct tac_manual *manual) {
  for (size_t i = 0; i < manual->options->count; i++) {
    const struct tac_option *option = &manual->options->options[i];
    if (option->name[0])
      fprintf(stream, " %s%s", option->name, tac_option_has_value(option) ? "=" : "");
  }
}

static int takes_words(const struct tac_manual *manual) {
  for (size_t i = 0; i < manual->options->count; i++)
    if (!manual->options->options[i].name[0])
      return 1;
  return 0;
}

/* What stands in a shell's function for the options of a program, or of one command. */
static void write_case(FILE *stream, const struct tac_manual *manual) {
  fputs("    case $option in\n", stream);
  for (size_t i = 0; i < manual->options->count; i++)
    write_values(stream, &manual->options->options[i]);
  fputs("      '')\n        kind=names offered='", stream);
  write_names(stream, manual);
  fputs("'\n", stream);
  if (takes_words(manual))
    fputs("        [[ $current == -* ]] || kind=files offered= value=$current\n", stream);
  fputs("        ;;\n    esac\n", stream);
}

static void write_commands(FILE *stream, const struct tac_shell_program *program) {
  fputs("  case ${COMP_WORDS[1]} in\n", stream);
  for (size_t i = 0; program->commands[i]; i++) {
    fprintf(stream, "  %s)\n", tac_manual_command(program->commands[i]));
    write_case(stream, program->commands[i]);
    fputs("    ;;\n", stream);
  }
  fputs("  esac\n", stream);
}

void tac_completion_bash(FILE *stream, const struct tac_shell_program *program) {
  fprintf(stream, "# Completes %s in bash. Made from the options of the program.\n", program->name);
  fprintf(stream, "_%s() {\n%s  local kind=words offered=''\n", program->name, head);
  if (program->commands[0]) {
    fputs("  if ((COMP_CWORD == 1)); then\n    kind=names offered='", stream);
    for (size_t i = 0; program->commands[i]; i++)
      fprintf(stream, "%s ", tac_manual_command(program->commands[i]));
    write_names(stream, program->manual);
    fputs("'\n  else\n", stream);
    write_commands(stream, program);
    fputs("  fi\n", stream);
  } else {
    write_case(stream, program->manual);
  }
  fprintf(stream, "%s}\ncomplete -F _%s %s\n", tail, program->name, program->name);
}
