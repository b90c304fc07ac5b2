/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/program/replace_file.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct filling {
  const char *path;
  tac_fill_fn fill;
  void *context;
};

/* The stream is closed, and the descriptor stays. */
static enum tac_status write_stream(void *context, int descriptor, struct tac_error *error) {
  const struct filling *filling = context;
  const int own = fcntl(descriptor, F_DUPFD_CLOEXEC, 0);
  FILE *file = own >= 0 ? fdopen(own, "w") : NULL;
  if (!file) {
    const enum tac_status status = tac_replace_file_fail(error, "cannot write", filling->path, errno);
    if (own >= 0)
      close(own);
    return status;
  }
  enum tac_status status = filling->fill(filling->context, file, error);
  if (status == TAC_STATUS_OK && (ferror(file) || fflush(file) != 0))
    status = tac_replace_file_fail(error, "cannot write", filling->path, errno);
  if (fclose(file) != 0 && status == TAC_STATUS_OK)
    status = tac_replace_file_fail(error, "cannot write", filling->path, errno);
  return status;
}

/* Signals that would end the program between making and renaming the temporary file are noted and raised afterwards. They
 * are not blocked, as another thread would take them. */
static const int held_signals[] = {SIGHUP, SIGINT, SIGTERM};
enum { HELD_SIGNALS = sizeof held_signals / sizeof *held_signals };
static volatile sig_atomic_t noted_signal;

static void note_signal(int number) {
  noted_signal = number;
}

/* Ignored signals stay ignored. */
static void hold_signals(struct sigaction before[HELD_SIGNALS]) {
  struct sigaction note = {.sa_handler = note_signal, .sa_flags = SA_RESTART};
  sigemptyset(&note.sa_mask);
  noted_signal = 0;
  for (int i = 0; i < HELD_SIGNALS; i++) {
    sigaction(held_signals[i], NULL, &before[i]);
    if (before[i].sa_handler != SIG_IGN)
      sigaction(held_signals[i], &note, NULL);
  }
}

static void release_signals(const struct sigaction before[HELD_SIGNALS]) {
  for (int i = 0; i < HELD_SIGNALS; i++)
    sigaction(held_signals[i], &before[i], NULL);
  if (noted_signal)
    raise(noted_signal);
}

/* What is printed before stands before it where both go to one file. */
enum tac_status tac_replace_file_filled(const char *path, tac_fill_fn fill, void *context, struct tac_error *error) {
  struct filling filling = {path, fill, context};
  struct sigaction before[HELD_SIGNALS];
  if (!tac_replace_file_replaces(path)) {
    fflush(stdout);
    return tac_replace_file_by(path, write_stream, &filling, error);
  }
  hold_signals(before);
  const enum tac_status status = tac_replace_file_by(path, write_stream, &filling, error);
  release_signals(before);
  return status;
}

struct text {
  const char *text;
  size_t bytes;
};

static enum tac_status fill_text(void *context, FILE *file, struct tac_error *error) {
  const struct text *text = context;
  (void)error; /* a failing stream is seen by the caller */
  fwrite(text->text, 1, text->bytes, file);
  return TAC_STATUS_OK;
}

enum tac_status tac_replace_file(const char *path, const char *text, size_t bytes, struct tac_error *error) {
  return tac_replace_file_filled(path, fill_text, &(struct text){text, bytes}, error);
}
