/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <stdio.h>
#include <string.h>

#include <tactus/runtime/version.h>

#include "apps/tactus/info.h"

enum { EXIT_DONE = 0, EXIT_WRITE = 1, EXIT_USAGE = 2 };

static const char help[] = "usage: tactus info [--json]\n"
                           "       tactus --help | --version\n"
                           "\n"
                           "  info     version, executors and why each is or is not available, lanes, BLAS with kernel and\n"
                           "           threads, clock with its resolution, and the optional parts of this build\n"
                           "  --json   the same as one JSON object\n"
                           "\n"
                           "exit status: 0 done, 1 the output could not be written, 2 usage\n";

static int fail_usage(const char *kind, const char *word) {
  fprintf(stderr, "tactus: %s '%s' (see tactus --help)\n", kind, word);
  return EXIT_USAGE;
}

/* A full disk shows at the latest when the stream is flushed. */
static int finish(int failed) {
  if (fflush(stdout) != 0 || failed) {
    perror("tactus: cannot write the output");
    return EXIT_WRITE;
  }
  return EXIT_DONE;
}

static int run_info(int count, char **words) {
  int as_json = 0;
  for (int i = 0; i < count; i++) {
    if (strcmp(words[i], "--json") != 0)
      return fail_usage("info does not know", words[i]);
    as_json = 1;
  }
  return finish(as_json ? tac_info_print_json(stdout) : tac_info_print_text(stdout));
}

int main(int argc, char **argv) {
  if (argc < 2) {
    fputs("tactus: no command (see tactus --help)\n", stderr);
    return EXIT_USAGE;
  }
  if (strcmp(argv[1], "info") == 0)
    return run_info(argc - 2, argv + 2);
  int is_help = strcmp(argv[1], "--help") == 0;
  if (!is_help && strcmp(argv[1], "--version") != 0)
    return fail_usage("unknown command", argv[1]);
  if (argc > 2)
    return fail_usage("too many words:", argv[2]);
  return finish(is_help ? fputs(help, stdout) < 0 : printf("tactus %s\n", tac_version()) < 0);
}
