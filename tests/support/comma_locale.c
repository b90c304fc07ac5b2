/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "tests/support/comma_locale.h"

#include <fcntl.h>
#include <locale.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

/* Runs a program without output; 1 when it succeeds. */
static int run(char *const arguments[]) {
  posix_spawn_file_actions_t actions;
  pid_t child;
  int status = 0;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  const int spawned = posix_spawnp(&child, arguments[0], &actions, NULL, arguments, environ) == 0;
  posix_spawn_file_actions_destroy(&actions);
  return spawned && waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

int enter_comma_locale(void) {
  char folder[] = "/tmp/tactus-locale-XXXXXX", path[sizeof folder + 6];
  if (!mkdtemp(folder))
    return 0;
  (void)snprintf(path, sizeof path, "%s/comma", folder);
  const int entered = run((char *const[]){"localedef", "-i", "de_DE", "-f", "UTF-8", path, NULL}) &&
                      setenv("LOCPATH", folder, 1) == 0 && setlocale(LC_ALL, "comma") != NULL;
  (void)run((char *const[]){"rm", "-rf", folder, NULL});
  return entered;
}
