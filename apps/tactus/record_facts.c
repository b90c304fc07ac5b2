/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/tactus/record_facts.h"

#include <stdio.h>
#include <stdlib.h>

#include "apps/program/shell_words.h"

static void add(struct tac_record_facts *facts, const char *key, const char *value) {
  if (value)
    facts->fact[facts->list.count++] = (struct tac_report_fact){key, value};
}

static void add_number(struct tac_record_facts *facts, const char *key, char text[24], const json_t *value) {
  if (!json_is_integer(value))
    return;
  snprintf(text, 24, "%lld", (long long)json_integer_value(value));
  add(facts, key, text);
}

/* NULL: no memory. */
static char *command_line(const json_t *words) {
  const size_t count = json_array_size(words);
  char **argv = calloc(count + 1, sizeof *argv);
  if (!argv)
    return NULL;
  for (size_t i = 0; i < count; i++) {
    const char *word = json_string_value(json_array_get(words, i));
    argv[i] = (char *)(word ? word : "");
  }
  char *text = tac_shell_words(argv);
  free(argv);
  return text;
}

enum tac_status tac_record_facts_gather(struct tac_record_facts *out, const struct tac_record *record,
                                        struct tac_error *error) {
  const json_t *run = json_object_get(record->root, "run"), *words = json_object_get(run, "command_line");
  *out = (struct tac_record_facts){.command_line = words ? command_line(words) : NULL};
  if (words && !out->command_line)
    return tac_error_set(error, TAC_STATUS_MEMORY, "run", "no memory for the command line");
  out->list.fact = out->fact;
  add(out, "program", tac_record_run_text(record, "program"));
  add(out, "version", tac_record_run_text(record, "version"));
  add(out, "date", tac_record_run_text(record, "date"));
  add(out, "host", tac_record_run_text(record, "host"));
  add(out, "command_line", out->command_line);
  add(out, "executor", tac_record_run_text(record, "executor"));
  add_number(out, "lanes", out->lanes, json_object_get(run, "lanes"));
  add(out, "blas", tac_record_run_text(record, "blas.name"));
  add(out, "blas_kernel", tac_record_run_text(record, "blas.kernel"));
  add_number(out, "blas_threads", out->blas_threads, json_object_get(json_object_get(run, "blas"), "threads"));
  add(out, "device", json_string_value(json_object_get(json_object_get(run, "device"), "name")));
  return TAC_STATUS_OK;
}

void tac_record_facts_release(struct tac_record_facts *facts) {
  free(facts->command_line);
}
