/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <string.h>

#include <tactus/hooks.h>
#include <tactus/runtime/executor.h>

#include "apps/manual/manual.h"
#include "apps/volume_fmm/densities.h"

static int is_option(const struct tac_option *option, const char *name) {
  return strcmp(option->name, name) == 0;
}

enum tac_completion tac_completion_place(const struct tac_option *option) {
  if (option->form && strstr(option->form, "DIR"))
    return TAC_COMPLETE_FOLDERS;
  if (option->kind == TAC_OPTION_WORDS || (option->form && strstr(option->form, "FILE")))
    return TAC_COMPLETE_FILES;
  return TAC_COMPLETE_NOTHING;
}

/* NULL at the end of what the library knows of an option's values; those options have a list of them under "help". */
static const char *known_value(const struct tac_option *option, size_t number) {
  size_t count = 0;
  const char *name = NULL;
  if (is_option(option, "--executor")) {
    const struct tac_executor *const *executors = tac_executor_list(&count);
    name = number < count ? executors[number]->name : NULL;
  } else if (is_option(option, "--hooks")) {
    const struct tac_hook_kind *const *kinds = tac_hook_kinds(&count);
    name = number < count ? kinds[number]->name : NULL;
  } else if (is_option(option, "--density")) {
    count = tac_density_case_count();
    name = number < count ? tac_density_case_name(number) : NULL;
  }
  return count > 0 && number == count ? "help" : name;
}

const char *tac_completion_word(const struct tac_option *option, size_t number) {
  if (option->kind == TAC_OPTION_CHOICE)
    return option->choices[number].name;
  if (is_option(option, "--cache"))
    return number == 0 ? "none" : NULL;
  return known_value(option, number);
}

size_t tac_completion_words(FILE *stream, const struct tac_option *option) {
  const char *word;
  size_t count = 0;
  for (; (word = tac_completion_word(option, count)); count++)
    fprintf(stream, "%s%s", count > 0 ? " " : "", word);
  return count;
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
