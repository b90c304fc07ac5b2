/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef APPS_PROGRAM_PROGRAM_H
#define APPS_PROGRAM_PROGRAM_H

#include <tactus/runtime/error.h>

/* Exit statuses of the programs. */
enum tac_exit {
  TAC_EXIT_DONE = 0,
  TAC_EXIT_FAILED = 1,      /* numerical failure, or the output could not be written */
  TAC_EXIT_USAGE = 2,       /* the command line is wrong */
  TAC_EXIT_UNAVAILABLE = 3, /* the executor is not available here */
  TAC_EXIT_MISSED = 4       /* --check missed, or there is nothing to compare with */
};

/* The exit status that belongs to an error. */
enum tac_exit tac_program_status(const struct tac_error *error);

/* Prints "program: about: where: text" as one line on standard error, without the parts that are NULL. Parts may hold any
 * bytes, as of a file or of the command line: control characters are shown as \xNN. */
void tac_program_say(const char *program, const char *about, const char *where, const char *text);

/* Prints an error as the one line "program: where: text", and gives its exit status. */
enum tac_exit tac_program_report(const char *program, const struct tac_error *error);

/* Call first. A pipe that closes and a disk that fills become errors of the write, and a file opened later does not take
 * the number of a standard stream that the caller closed. */
enum tac_status tac_program_secure_streams(struct tac_error *error);

/* Flushes what is printed so far; a closed pipe and a full disk show here. */
enum tac_status tac_program_check_output(struct tac_error *error);

/* A file that cannot be read or written is told by the option that names it. */
enum tac_status tac_program_name_option(enum tac_status status, const char *option, struct tac_error *error);

/* The way out of main: BLAS' shutdown may want memory too, and wait for it, where there was none. */
int tac_program_leave(enum tac_exit status, const struct tac_error *error);

#endif
