/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/program/options.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/nearest_name.h"

#define WHERE_BYTES sizeof((struct tac_error *)NULL)->where

static size_t name_length(const char *argument) {
  return strcspn(argument, "=");
}

static const struct tac_option *find_option(const struct tac_option_table *table, const char *argument) {
  size_t length = name_length(argument);
  for (size_t i = 0; i < table->count; i++) {
    const struct tac_option *option = &table->options[i];
    if (strlen(option->name) == length && strncmp(option->name, argument, length) == 0)
      return option;
  }
  return NULL;
}

static enum tac_status unknown_option(const struct tac_option_table *table, const char *typed, struct tac_error *error) {
  const char *names[TAC_OPTIONS_MOST];
  if (strncmp(typed, "--", 2) != 0)
    return tac_error_set(error, TAC_STATUS_INVALID, typed, "is no option; options are written --name=value, see --help");
  size_t count = 0;
  for (size_t i = 0; i < table->count; i++)
    if (table->options[i].name[0])
      names[count++] = table->options[i].name + 2;
  const char *nearest = tac_nearest_name(typed + 2, names, count);
  if (nearest)
    return tac_error_set(error, TAC_STATUS_INVALID, typed, "unknown option; did you mean --%s?", nearest);
  return tac_error_set(error, TAC_STATUS_INVALID, typed, "unknown option; --help lists all");
}

/* The word "3.0" is a real but not an integer, " 3" and "0x3" are neither: only what one would print is read. */
static int made_of(const char *text, const char *characters) {
  return text[0] != '\0' && text[strspn(text, characters)] == '\0';
}

static enum tac_status out_of_range(const struct tac_option *option, const char *text, struct tac_error *error) {
  if (option->most >= 1e300 && option->least <= -1e300)
    return tac_error_set(error, TAC_STATUS_INVALID, option->name, "'%s' is not a finite number", text);
  if (option->most >= 1e300)
    return tac_error_set(error, TAC_STATUS_INVALID, option->name, "'%s' is out of range: a finite number from %.15g is needed",
                         text, option->least);
  return tac_error_set(error, TAC_STATUS_INVALID, option->name, "'%s' is out of range: %.15g to %.15g is allowed", text,
                       option->least, option->most);
}

static enum tac_status parse_integer(int *out, const struct tac_option *option, const char *text, struct tac_error *error) {
  char *end = NULL;
  errno = 0;
  long value = made_of(text, "-0123456789") ? strtol(text, &end, 10) : 0;
  if (!end || *end || end == text)
    return tac_error_set(error, TAC_STATUS_INVALID, option->name, "'%s' is not a whole number", text);
  if (errno || (double)value < option->least || (double)value > option->most)
    return out_of_range(option, text, error);
  *out = (int)value;
  return TAC_STATUS_OK;
}

static enum tac_status parse_seed(uint64_t *out, const struct tac_option *option, const char *text, struct tac_error *error) {
  if (!made_of(text, "0123456789"))
    return tac_error_set(error, TAC_STATUS_INVALID, option->name, "'%s' is not a whole number without a sign", text);
  errno = 0;
  unsigned long long value = strtoull(text, NULL, 10);
  if (errno)
    return tac_error_set(error, TAC_STATUS_INVALID, option->name, "'%s' is out of range: 64 bits are allowed", text);
  *out = value;
  return TAC_STATUS_OK;
}

static enum tac_status parse_real(double *out, const struct tac_option *option, const char *text, struct tac_error *error) {
  char *end = NULL;
  double value = made_of(text, "+-.0123456789eE") ? strtod(text, &end) : 0;
  if (!end || *end || end == text)
    return tac_error_set(error, TAC_STATUS_INVALID, option->name, "'%s' is not a finite number", text);
  if (!isfinite(value) || value < option->least || value > option->most)
    return out_of_range(option, text, error);
  *out = value;
  return TAC_STATUS_OK;
}

static enum tac_status parse_interval(double out[2], const struct tac_option *option, const char *text,
                                      struct tac_error *error) {
  char *end = NULL, *second = NULL;
  double first = made_of(text, "+-.0123456789eE,") ? strtod(text, &second) : 0;
  double last = second && *second == ',' ? strtod(second + 1, &end) : 0;
  if (!end || *end || end == second + 1 || second == text)
    return tac_error_set(error, TAC_STATUS_INVALID, option->name, "'%s' is not two numbers with a comma between", text);
  if (!(first < last) || first < option->least || last > option->most || !isfinite(last - first))
    return tac_error_set(error, TAC_STATUS_INVALID, option->name, "'%s': two finite numbers are needed, the first one less",
                         text);
  out[0] = first;
  out[1] = last;
  return TAC_STATUS_OK;
}

static enum tac_status parse_choice(int *out, const struct tac_option *option, const char *text, struct tac_error *error) {
  for (const struct tac_option_choice *choice = option->choices; choice->name; choice++)
    if (strcmp(choice->name, text) == 0) {
      *out = choice->value;
      return TAC_STATUS_OK;
    }
  return tac_error_set(error, TAC_STATUS_INVALID, option->name, "'%s' is none of %s", text, option->form);
}

static enum tac_status parse_value(void *out, const struct tac_option *option, const char *text, struct tac_error *error) {
  void *member = (char *)out + option->offset;
  switch (option->kind) {
  case TAC_OPTION_FLAG:
    *(int *)member = 1;
    return TAC_STATUS_OK;
  case TAC_OPTION_INTEGER:
    return parse_integer(member, option, text, error);
  case TAC_OPTION_SEED:
    return parse_seed(member, option, text, error);
  case TAC_OPTION_REAL:
    return parse_real(member, option, text, error);
  case TAC_OPTION_INTERVAL:
    return parse_interval(member, option, text, error);
  case TAC_OPTION_CHOICE:
    return parse_choice(member, option, text, error);
  case TAC_OPTION_TEXT:
    *(const char **)member = text;
    return TAC_STATUS_OK;
  case TAC_OPTION_WORDS:
    break; /* no value of its own */
  }
  return TAC_STATUS_INVALID;
}

int tac_option_given(const struct tac_option_table *table, uint64_t given, const char *name) {
  const struct tac_option *option = find_option(table, name);
  return option && (given >> (option - table->options) & 1);
}

int tac_option_has_value(const struct tac_option *option) {
  return option->kind != TAC_OPTION_FLAG && option->kind != TAC_OPTION_WORDS;
}

static enum tac_status add_word(void *out, const struct tac_option *option, const char *word, struct tac_error *error) {
  struct tac_option_words *words = (void *)((char *)out + option->offset);
  if (!*word)
    return tac_error_set(error, TAC_STATUS_INVALID, option->form, "an empty word is given");
  if (words->count == TAC_OPTION_WORDS_MOST)
    return tac_error_set(error, TAC_STATUS_INVALID, option->form, "'%s' would be more than %d", word, TAC_OPTION_WORDS_MOST);
  words->word[words->count++] = word;
  return TAC_STATUS_OK;
}

/* "-" is a word, too: the standard input. */
static int is_word(const char *argument) {
  return strncmp(argument, "-", 1) != 0 || strcmp(argument, "-") == 0;
}

static enum tac_status parse_option(void *out, uint64_t *given, const struct tac_option_table *table, const char *argument,
                                    struct tac_error *error) {
  const struct tac_option *option = find_option(table, argument);
  char where[WHERE_BYTES];
  snprintf(where, sizeof where, "%.*s", (int)name_length(argument), argument);
  if (!option)
    return unknown_option(table, where, error);
  const uint64_t bit = UINT64_C(1) << (option - table->options);
  if (*given & bit)
    return tac_error_set(error, TAC_STATUS_INVALID, where, "is given twice, the second time as '%s'", argument);
  *given |= bit;
  const char *value = argument[strlen(option->name)] == '=' ? argument + strlen(option->name) + 1 : NULL;
  if (option->kind == TAC_OPTION_WORDS && value)
    return tac_error_set(error, TAC_STATUS_INVALID, where, "is written %s %s", option->name, option->form);
  if (option->kind == TAC_OPTION_WORDS)
    return TAC_STATUS_OK;
  if (option->kind == TAC_OPTION_FLAG && value)
    return tac_error_set(error, TAC_STATUS_INVALID, where, "takes no value, but '%s' is given", value);
  if (option->kind != TAC_OPTION_FLAG && (!value || !*value))
    return tac_error_set(error, TAC_STATUS_INVALID, where, "needs a value: %s=%s", option->name, option->form);
  return parse_value(out, option, value, error);
}

enum tac_status tac_options_parse(void *out, uint64_t *given, const struct tac_option_table *table, int argc,
                                  char *const argv[], struct tac_error *error) {
  enum tac_status status = TAC_STATUS_OK;
  for (size_t i = 0; i < table->count && status == TAC_STATUS_OK; i++)
    if (table->options[i].initial)
      status = parse_value(out, &table->options[i], table->options[i].initial, error);
  const struct tac_option *words = find_option(table, "");
  *given = 0;
  for (int i = 1; i < argc && status == TAC_STATUS_OK; i++) {
    const struct tac_option *option = find_option(table, argv[i]);
    if (words && is_word(argv[i])) {
      status = add_word(out, words, argv[i], error);
      continue;
    }
    status = parse_option(out, given, table, argv[i], error);
    if (option && option->kind == TAC_OPTION_WORDS)
      words = option;
  }
  return status;
}

const char *tac_option_choice_name(const struct tac_option_table *table, const char *name, int value) {
  const struct tac_option *option = find_option(table, name);
  if (option && option->choices)
    for (const struct tac_option_choice *choice = option->choices; choice->name; choice++)
      if (choice->value == value)
        return choice->name;
  return "unknown";
}
