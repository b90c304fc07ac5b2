/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/program/program.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "apps/program/streams.h"

enum tac_exit tac_program_status(const struct tac_error *error) {
  switch (error->status) {
  case TAC_STATUS_INVALID:
    return TAC_EXIT_USAGE;
  case TAC_STATUS_UNAVAILABLE:
    return TAC_EXIT_UNAVAILABLE;
  default:
    return TAC_EXIT_FAILED;
  }
}

void tac_program_say(const char *program, const char *about, const char *where, const char *text) {
  const char *const parts[] = {about, where, text};
  fputs(program, stderr);
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
    if (parts[i]) {
      fputs(": ", stderr);
      tac_stream_text(stderr, parts[i], 0);
    }
  fputc('\n', stderr);
}

enum tac_exit tac_program_report(const char *program, const struct tac_error *error) {
  tac_program_say(program, NULL, error->where, error->text);
  return tac_program_status(error);
}

enum tac_status tac_program_secure_streams(struct tac_error *error) {
  signal(SIGPIPE, SIG_IGN);
  signal(SIGXFSZ, SIG_IGN);
  for (int number = STDIN_FILENO; number <= STDERR_FILENO; number++)
    if (fcntl(number, F_GETFD) < 0) {
      if (number == STDOUT_FILENO)
        return tac_error_set(error, TAC_STATUS_IO, "standard output", "cannot be written: %s", strerror(errno));
      if (open("/dev/null", O_RDWR) != number)
        return tac_error_set(error, TAC_STATUS_IO, "/dev/null", "cannot be opened: %s", strerror(errno));
    }
  return TAC_STATUS_OK;
}

enum tac_status tac_program_check_output(struct tac_error *error) {
  if (fflush(stdout) == 0 && !ferror(stdout))
    return TAC_STATUS_OK;
  return tac_error_set(error, TAC_STATUS_IO, "standard output", "cannot be written: %s", strerror(errno));
}

enum tac_status tac_program_name_option(enum tac_status status, const char *option, struct tac_error *error) {
  if (status != TAC_STATUS_OK)
    snprintf(error->where, sizeof error->where, "%s", option);
  return status;
}

int tac_program_leave(enum tac_exit status, const struct tac_error *error) {
  if (error->status == TAC_STATUS_MEMORY) {
    fflush(NULL);
    _exit(status);
  }
  return status;
}
