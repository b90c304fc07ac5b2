/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <string.h>

#include <tactus/runtime/executor.h>

#include "apps/manual/manual.h"

static int is_executor(const struct tac_option *option) {
  return strcmp(option->name, "--executor") == 0;
}

enum tac_completion tac_completion_kind(const struct tac_option *option) {
  if (option->kind == TAC_OPTION_CHOICE || is_executor(option))
    return TAC_COMPLETE_WORDS;
  if (option->form && strstr(option->form, "FILE"))
    return TAC_COMPLETE_FILES;
  return option->kind == TAC_OPTION_WORDS ? TAC_COMPLETE_FILES : TAC_COMPLETE_NOTHING;
}

const char *tac_completion_word(const struct tac_option *option, size_t number) {
  if (option->kind == TAC_OPTION_CHOICE)
    return option->choices[number].name;
  size_t count;
  const struct tac_executor *const *executors = tac_executor_list(&count);
  if (!is_executor(option) || number > count)
    return NULL;
  return number < count ? executors[number]->name : "help";
}

const char *tac_manual_command(const struct tac_manual *manual) {
  const char *space = strchr(manual->name, ' ');
  return space ? space + 1 : manual->name;
}

void tac_manual_page_name(char out[64], const struct tac_manual *manual) {
  snprintf(out, 64, "%s", manual->name);
  for (char *space = strchr(out, ' '); space; space = strchr(out, ' '))
    *space = '-';
}
