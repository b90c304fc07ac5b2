/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/program/facts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <tactus/runtime/version.h>

void tac_facts_date(char date[TAC_DATE_BYTES]) {
  const time_t now = time(NULL);
  struct tm utc;
  if (!gmtime_r(&now, &utc) || strftime(date, TAC_DATE_BYTES, "%Y-%m-%dT%H:%M:%SZ", &utc) == 0)
    date[0] = '\0';
}

void tac_facts_host(char host[TAC_HOST_BYTES]) {
  if (gethostname(host, TAC_HOST_BYTES) != 0)
    host[0] = '\0';
  host[TAC_HOST_BYTES - 1] = '\0';
}

static int is_plain(const char *word) {
  static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_./=,:+@%";
  return word[0] != '\0' && word[strspn(word, plain)] == '\0';
}

static void print_word(FILE *stream, const char *word) {
  if (is_plain(word)) {
    fputs(word, stream);
    return;
  }
  fputc('\'', stream);
  for (; *word; word++)
    if (*word == '\'')
      fputs("'\\''", stream);
    else
      fputc(*word, stream);
  fputc('\'', stream);
}

static char *join(char *const argv[]) {
  char *text = NULL;
  size_t bytes = 0;
  FILE *stream = open_memstream(&text, &bytes);
  if (!stream)
    return NULL;
  for (int i = 0; argv[i]; i++) {
    if (i > 0)
      fputc(' ', stream);
    print_word(stream, argv[i]);
  }
  if (fclose(stream) == 0)
    return text;
  free(text);
  return NULL;
}

static void add(struct tac_run_facts *facts, const char *key, const char *value) {
  facts->fact[facts->count++] = (struct tac_report_fact){key, value};
}

enum tac_status tac_run_facts_gather(struct tac_run_facts *facts, const char *program, char *const argv[],
                                     const struct tac_scheduler *scheduler, const struct tac_blas_info *blas,
                                     struct tac_error *error) {
  *facts = (struct tac_run_facts){.command_line = join(argv)};
  if (!facts->command_line)
    return tac_error_set(error, TAC_STATUS_MEMORY, "facts", "no memory for the command line");
  const struct tac_device *device = tac_scheduler_device(scheduler);
  tac_facts_date(facts->date);
  tac_facts_host(facts->host);
  snprintf(facts->lanes, sizeof facts->lanes, "%d", tac_scheduler_lanes(scheduler));
  snprintf(facts->blas_threads, sizeof facts->blas_threads, "%d", blas->threads);
  add(facts, "program", program);
  add(facts, "version", tac_version());
  add(facts, "date", facts->date);
  add(facts, "host", facts->host);
  add(facts, "command_line", facts->command_line);
  add(facts, "executor", tac_scheduler_executor(scheduler)->name);
  add(facts, "lanes", facts->lanes);
  add(facts, "blas", blas->name);
  add(facts, "blas_kernel", blas->kernel);
  add(facts, "blas_threads", facts->blas_threads);
  if (device)
    add(facts, "device", tac_device_info(device)->name);
  return TAC_STATUS_OK;
}

void tac_run_facts_release(struct tac_run_facts *facts) {
  free(facts->command_line);
  facts->command_line = NULL;
}
