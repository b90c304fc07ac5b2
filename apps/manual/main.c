/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
/* Writes the manual pages and the completion of shells for the programs, from what their --help is made of:
 * manual page NAME | manual bash|zsh|fish PROGRAM */
#include <stdio.h>
#include <string.h>

#include "apps/heisenberg_dmrg/options.h"
#include "apps/manual/manual.h"
#include "apps/tactus/command.h"
#include "apps/volume_fmm/options.h"

enum { PAGES_MOST = 16 };

static void fill_tactus(struct tac_shell_program *tactus) {
  *tactus = (struct tac_shell_program){.name = "tactus", .manual = &tac_tactus_manual};
  for (size_t i = 0; i < tac_command_count; i++)
    tactus->commands[i] = tac_commands[i]->manual;
}

static int write_page(const struct tac_shell_program *programs, size_t count, const char *name) {
  const struct tac_manual *pages[PAGES_MOST], *wanted = NULL;
  char names[PAGES_MOST][64];
  const char *others[PAGES_MOST];
  size_t page_count = 0, other_count = 0;
  for (size_t i = 0; i < count; i++) {
    pages[page_count++] = programs[i].manual;
    for (size_t j = 0; programs[i].commands[j]; j++)
      pages[page_count++] = programs[i].commands[j];
  }
  for (size_t i = 0; i < page_count; i++) {
    tac_manual_page_name(names[i], pages[i]);
    if (strcmp(names[i], name) == 0)
      wanted = pages[i];
    else
      others[other_count++] = names[i];
  }
  others[other_count] = NULL;
  if (wanted)
    tac_manual_page(stdout, wanted, others);
  return wanted != NULL;
}

static int write_completion(const struct tac_shell_program *programs, size_t count, const char *shell, const char *name) {
  static const struct {
    const char *shell;
    void (*write)(FILE *stream, const struct tac_shell_program *program);
  } shells[] = {{"bash", tac_completion_bash}, {"zsh", tac_completion_zsh}, {"fish", tac_completion_fish}};
  for (size_t i = 0; i < sizeof shells / sizeof *shells; i++)
    for (size_t j = 0; j < count; j++)
      if (strcmp(shells[i].shell, shell) == 0 && strcmp(programs[j].name, name) == 0) {
        shells[i].write(stdout, &programs[j]);
        return 1;
      }
  return 0;
}

int main(int argc, char *argv[]) {
  struct tac_shell_program programs[] = {{.name = NULL},
                                         {.name = "heisenberg_dmrg", .manual = &tac_heisenberg_manual},
                                         {.name = "volume_fmm", .manual = &tac_volume_manual}};
  const size_t count = sizeof programs / sizeof *programs;
  fill_tactus(&programs[0]);
  const int is_page = argc == 3 && strcmp(argv[1], "page") == 0;
  const int done =
      argc == 3 && (is_page ? write_page(programs, count, argv[2]) : write_completion(programs, count, argv[1], argv[2]));
  if (!done)
    fputs("usage: manual page NAME | manual bash|zsh|fish PROGRAM\n", stderr);
  return !done || fflush(stdout) != 0 || ferror(stdout);
}
