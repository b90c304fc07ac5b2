/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef VOLUME_FMM_FORMATS_TEXT_FILE_H
#define VOLUME_FMM_FORMATS_TEXT_FILE_H

#include <locale.h>
#include <stddef.h>
#include <stdio.h>

#include <tactus/runtime/error.h>

/* Numbers with a point from enter to leave, in this thread. */
struct tac_numbers {
  locale_t numbers, before;
};
enum tac_status tac_numbers_enter(struct tac_numbers *numbers, struct tac_error *error);
void tac_numbers_leave(struct tac_numbers *numbers);

/* The end of a path that suits a message. */
#define TAC_NAME_BYTES 64
void tac_file_name(char out[TAC_NAME_BYTES], const char *path);

/* A file, or the standard input for "-", and its end. tac_file_fail says what errno means; returns IO. */
FILE *tac_file_open(const char *path, struct tac_error *error);
enum tac_status tac_file_fail(const char *path, struct tac_error *error);
void tac_file_close(FILE *file);

#define TAC_LINE_BYTES 4096
#define TAC_WORD_BYTES 128

/* A text being read: lines end in LF or CR LF, the last one may end with the file; a byte order mark of UTF-8 is skipped.
 * From open to close the thread's numbers have a point, whatever the locale. */
struct tac_text_file {
  FILE *file;
  const char *path;
  char name[TAC_NAME_BYTES]; /* for messages; the end of a long path */
  size_t line;               /* of what was read last, from 1 */
  int inside, after;         /* a word was read; what ended it */
  size_t waiting, kept;      /* of the first bytes: not read yet, all */
  unsigned char first[3];
  struct tac_numbers numbers;
  struct tac_error *error;
  char text[TAC_LINE_BYTES];
};

enum tac_status tac_text_open(struct tac_text_file *file, const char *path, struct tac_error *error);
void tac_text_close(struct tac_text_file *file); /* bears one that failed to open */

/* Fills file->error: "NAME, line N: …", of an empty file "NAME: …". Returns INVALID. */
enum tac_status tac_text_refuse(const struct tac_text_file *file, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The next line, without its end, into file->text. *more = 0 at the end of the file. */
enum tac_status tac_text_line(struct tac_text_file *file, int *more);

/* The next word (without blanks and line ends in it) into file->text, with file->line where it stands. */
enum tac_status tac_text_word(struct tac_text_file *file, int *more);

/* A number at the start of *at, which is moved behind it: decimal, with the exponent letters e, E, d, D, or with none between a
 * fraction and a sign with three digits, as Fortran writes where its field is full. NULL, or why it is none: "is not a number",
 * "is not finite". */
const char *tac_text_real(double *out, const char **at);

/* The same for the whole of a word, and for whole numbers. */
const char *tac_text_whole_real(double *out, const char *word);
const char *tac_text_whole_integer(long long *out, const char *word);

/* The beginning of a word that anyone may have written, as a message can show it: what is not printable becomes '?'. */
#define TAC_SHOWN_BYTES 48
const char *tac_text_shown(char out[TAC_SHOWN_BYTES], const char *word);

/* Cuts a line, without its comment after '#', into fields: at semicolons where there is one, else at commas where there is
 * one, else at runs of blanks. Returns their number; the first `limit` are pointed to. */
size_t tac_text_fields(char *line, char **fields, size_t limit);

/* Grows an array to hold `needed` elements, at most `limit`. 0 when there is no memory. */
int tac_grow(void **array, size_t *capacity, size_t needed, size_t limit, size_t element_bytes);

#endif
