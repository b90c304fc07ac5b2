/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef APPS_PROGRAM_OPTIONS_H
#define APPS_PROGRAM_OPTIONS_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <tactus/runtime/error.h>

enum tac_option_kind {
  TAC_OPTION_FLAG,     /* --name; an int */
  TAC_OPTION_INTEGER,  /* --name=N; an int */
  TAC_OPTION_SEED,     /* --name=N, 64 bits without a sign; a uint64_t */
  TAC_OPTION_REAL,     /* --name=X, finite; a double */
  TAC_OPTION_INTERVAL, /* --name=A,B, finite, the first one less; two doubles */
  TAC_OPTION_CHOICE,   /* one of a list of words; an int */
  TAC_OPTION_TEXT,     /* anything but the empty text; a const char * into the command line */
  TAC_OPTION_WORDS     /* --name WORD...: the words without "--" that follow, other options between or not; a struct
                          tac_option_words. The row of the name "" takes those before any such option. */
};

#define TAC_OPTION_WORDS_MOST 1000

struct tac_option_words {
  const char *word[TAC_OPTION_WORDS_MOST];
  size_t count;
};

struct tac_option_choice {
  const char *name;
  int value;
};

/* One option. A program's table of them drives the parser, the defaults and --help. */
struct tac_option {
  const char *name; /* "--sites"; "" for the words of a command */
  const char *group;
  enum tac_option_kind kind;
  size_t offset;                           /* of its member in the program's struct of options */
  const char *form;                        /* what stands after the '=' in --help, the word of WORDS; NULL for a flag */
  const char *initial;                     /* its default as one would type it; NULL: left alone */
  const char *help;                        /* a sentence or two; --help wraps it */
  double least, most;                      /* of numbers, both allowed */
  const struct tac_option_choice *choices; /* ends with a NULL name */
};

#define TAC_OPTIONS_MOST 64

struct tac_option_table {
  const struct tac_option *options;
  size_t count; /* at most TAC_OPTIONS_MOST */
};

/* Whether the option takes a value after a '='. */
int tac_option_has_value(const struct tac_option *option);

/* Reads a command line into the program's struct, which is all zeros so far; argv[0] is skipped. Bit i of *given: row i of
 * the table was typed. INVALID: error->where is the option as typed without its value, the text says what is wrong with
 * which value. Texts in `out` point into argv. */
enum tac_status tac_options_parse(void *out, uint64_t *given, const struct tac_option_table *table, int argc,
                                  char *const argv[], struct tac_error *error);

/* Whether the option of that name was typed. */
int tac_option_given(const struct tac_option_table *table, uint64_t given, const char *name);

/* The name of a value of a choice option ("--executor", 1: "threads"). */
const char *tac_option_choice_name(const struct tac_option_table *table, const char *name, int value);

/* The lines of --help: one or more an option, under its group. */
void tac_options_help(FILE *stream, const struct tac_option_table *table);

#endif
