/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "bench/options.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int read_rounds(int *rounds, const char *text) {
  char *end;
  errno = 0;
  const long value = strtol(text, &end, 10);
  if (errno || end == text || *end || value < 1 || value > 100000)
    return -1;
  *rounds = (int)value;
  return 0;
}

int bench_options_read(struct bench_options *options, int argc, char **argv, const char *about) {
  *options = (struct bench_options){0};
  for (int i = 1; i < argc; ++i) {
    if (!strcmp(argv[i], "--quick")) {
      options->quick = 1;
    } else if (!strcmp(argv[i], "--least")) {
      options->least = 1;
    } else if (!strcmp(argv[i], "--json")) {
      options->json = 1;
    } else if (!strncmp(argv[i], "--program=", 10)) {
      options->program = argv[i] + 10;
    } else if (!strncmp(argv[i], "--only=", 7)) {
      options->only = argv[i] + 7;
    } else if (!strcmp(argv[i], "--help")) {
      printf("usage: %s [--quick] [--least] [--rounds=N] [--program=PATH] [--only=PART] [--json]\n%s", argv[0], about);
      return 1;
    } else if (strncmp(argv[i], "--rounds=", 9) != 0 || read_rounds(&options->rounds, argv[i] + 9)) {
      fprintf(stderr, "%s: unknown option or value '%s'\n", argv[0], argv[i]);
      return 2;
    }
  }
  return 0;
}
