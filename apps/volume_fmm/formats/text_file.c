/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/volume_fmm/formats/text_file.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum tac_status tac_numbers_enter(struct tac_numbers *numbers, struct tac_error *error) {
  numbers->numbers = newlocale(LC_ALL_MASK, "C", (locale_t)0);
  if (!numbers->numbers)
    return tac_error_set(error, TAC_STATUS_MEMORY, "file", "no memory for the form of numbers");
  numbers->before = uselocale(numbers->numbers);
  return TAC_STATUS_OK;
}

void tac_numbers_leave(struct tac_numbers *numbers) {
  if (!numbers->numbers)
    return;
  uselocale(numbers->before);
  freelocale(numbers->numbers);
  numbers->numbers = (locale_t)0;
}

void tac_file_name(char out[TAC_NAME_BYTES], const char *path) {
  const size_t length = strlen(path), most = TAC_NAME_BYTES - 1;
  if (strcmp(path, "-") == 0)
    path = "standard input";
  else if (length > most)
    path += length - most;
  snprintf(out, TAC_NAME_BYTES, "%s", path);
  for (size_t i = 0; i < 3 && length > most; i++)
    out[i] = '.';
}

FILE *tac_file_open(const char *path, struct tac_error *error) {
  FILE *file = strcmp(path, "-") == 0 ? stdin : fopen(path, "re");
  if (!file)
    tac_file_fail(path, error);
  return file;
}

enum tac_status tac_file_fail(const char *path, struct tac_error *error) {
  const int code = errno;
  char name[TAC_NAME_BYTES];
  tac_file_name(name, path);
  tac_error_set(error, TAC_STATUS_IO, "file", "cannot read %s: %s", name, strerror(code));
  if (error)
    error->native_code = code;
  return TAC_STATUS_IO;
}

void tac_file_close(FILE *file) {
  if (file && file != stdin)
    fclose(file);
}

void tac_text_close(struct tac_text_file *file) {
  tac_file_close(file->file);
  file->file = NULL;
  tac_numbers_leave(&file->numbers);
}

enum tac_status tac_text_refuse(const struct tac_text_file *file, const char *format, ...) {
  char text[sizeof file->error->text];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  if (file->line == 0)
    return tac_error_set(file->error, TAC_STATUS_INVALID, "file", "%s: %s", file->name, text);
  return tac_error_set(file->error, TAC_STATUS_INVALID, "file", "%s, line %zu: %s", file->name, file->line, text);
}

/* Looks at the first three bytes: those of a byte order mark are dropped, others wait to be read. */
static void skip_mark(struct tac_text_file *file) {
  file->waiting = fread(file->first, 1, sizeof file->first, file->file);
  if (file->waiting == sizeof file->first && memcmp(file->first, "\xEF\xBB\xBF", sizeof file->first) == 0)
    file->waiting = 0;
  file->kept = file->waiting;
}

enum tac_status tac_text_open(struct tac_text_file *file, const char *path, struct tac_error *error) {
  memset(file, 0, offsetof(struct tac_text_file, text));
  file->path = path;
  file->error = error;
  tac_file_name(file->name, path);
  file->file = tac_file_open(path, error);
  if (!file->file)
    return TAC_STATUS_IO;
  skip_mark(file);
  return tac_numbers_enter(&file->numbers, error);
}

static int next_character(struct tac_text_file *file) {
  return file->waiting > 0 ? file->first[file->kept - file->waiting--] : getc_unlocked(file->file);
}

static enum tac_status end_of_file(struct tac_text_file *file) {
  return ferror(file->file) ? tac_file_fail(file->path, file->error) : TAC_STATUS_OK;
}

enum tac_status tac_text_line(struct tac_text_file *file, int *more) {
  size_t length = 0;
  int c = next_character(file);
  *more = c != EOF;
  if (c == EOF)
    return end_of_file(file);
  file->line++;
  for (; c != EOF && c != '\n'; c = next_character(file)) {
    if (c == '\0')
      return tac_text_refuse(file, "a zero byte: this is no plain text");
    if (length == sizeof file->text - 1)
      return tac_text_refuse(file, "is longer than %zu bytes", sizeof file->text - 1);
    file->text[length++] = (char)c;
  }
  if (length > 0 && file->text[length - 1] == '\r')
    length--;
  file->text[length] = '\0';
  return end_of_file(file);
}

enum tac_status tac_text_word(struct tac_text_file *file, int *more) {
  size_t length = 0;
  file->line += !file->inside || file->after == '\n';
  file->inside = 1;
  int c = next_character(file);
  for (; c == ' ' || (c >= '\t' && c <= '\r'); c = next_character(file))
    file->line += c == '\n';
  for (; c != EOF && c != ' ' && (c < '\t' || c > '\r'); c = next_character(file)) {
    if (c == '\0')
      return tac_text_refuse(file, "a zero byte: this is no plain text");
    if (length == TAC_WORD_BYTES - 1)
      return tac_text_refuse(file, "a number of more than %d characters", TAC_WORD_BYTES - 1);
    file->text[length++] = (char)c;
  }
  file->text[length] = '\0';
  file->after = c;
  *more = length > 0;
  return end_of_file(file);
}

static size_t digits(const char *text) {
  return strspn(text, "0123456789");
}

/* Length of an exponent with its letter and sign, 0 where there is none. *marked: it has a letter. */
static size_t exponent_length(const char *text, int after_point, int *marked) {
  *marked = text[0] != '\0' && strchr("eEdD", text[0]) != NULL;
  const char *at = text + *marked;
  const int sign = *at == '+' || *at == '-';
  const size_t count = digits(at + sign);
  if (*marked ? count == 0 : !after_point || !sign || count != 3)
    return 0;
  return (size_t)(at - text) + (size_t)sign + count;
}

static int is_word_for_not_finite(const char *text) {
  text += *text == '+' || *text == '-';
  return strncasecmp(text, "nan", 3) == 0 || strncasecmp(text, "inf", 3) == 0;
}

const char *tac_text_real(double *out, const char **at) {
  char text[TAC_WORD_BYTES + 4];
  const char *begin = *at;
  int marked;
  size_t mantissa = *begin == '+' || *begin == '-';
  const size_t whole = digits(begin + mantissa), point = begin[mantissa + whole] == '.';
  const size_t fraction = point ? digits(begin + mantissa + whole + 1) : 0;
  if (whole + fraction == 0)
    return is_word_for_not_finite(begin) ? "is not finite" : "is not a number";
  mantissa += whole + point + fraction;
  const size_t exponent = exponent_length(begin + mantissa, (int)point, &marked);
  if (mantissa + exponent > TAC_WORD_BYTES)
    return "is longer than a number can be";
  memcpy(text, begin, mantissa);
  if (exponent) {
    const size_t unmarked = exponent - (size_t)marked;
    text[mantissa] = 'e';
    memcpy(text + mantissa + 1, begin + mantissa + marked, unmarked);
    text[mantissa + 1 + unmarked] = '\0';
  } else {
    text[mantissa] = '\0';
  }
  *out = strtod(text, NULL);
  *at = begin + mantissa + exponent;
  return isfinite(*out) ? NULL : "is not finite";
}

const char *tac_text_whole_real(double *out, const char *word) {
  const char *reason = tac_text_real(out, &word);
  return reason || *word == '\0' ? reason : "is not a number";
}

const char *tac_text_whole_integer(long long *out, const char *word) {
  const int sign = *word == '+' || *word == '-';
  const size_t count = digits(word + sign);
  if (count == 0 || word[(size_t)sign + count] != '\0')
    return "is not a whole number";
  errno = 0;
  *out = strtoll(word, NULL, 10);
  return errno ? "is out of range" : NULL;
}

const char *tac_text_shown(char out[TAC_SHOWN_BYTES], const char *word) {
  size_t length = 0;
  for (; word[length] != '\0' && length < TAC_SHOWN_BYTES - 4; length++)
    out[length] = isascii(word[length]) && isprint((unsigned char)word[length]) ? word[length] : '?';
  memcpy(out + length, word[length] != '\0' ? "..." : "", word[length] != '\0' ? 4 : 1);
  return out;
}

static char *trim(char *field) {
  field += strspn(field, " \t");
  size_t length = strlen(field);
  while (length > 0 && (field[length - 1] == ' ' || field[length - 1] == '\t'))
    field[--length] = '\0';
  return field;
}

static size_t fields_of_blanks(char *line, char **fields, size_t limit) {
  size_t count = 0;
  for (char *at = line + strspn(line, " \t"); *at != '\0'; at += strspn(at, " \t")) {
    if (count < limit)
      fields[count] = at;
    count++;
    at += strcspn(at, " \t");
    if (*at != '\0')
      *at++ = '\0';
  }
  return count;
}

size_t tac_text_fields(char *line, char **fields, size_t limit) {
  line[strcspn(line, "#")] = '\0';
  line = trim(line);
  const char separator = strchr(line, ';') ? ';' : ',';
  if (!strchr(line, separator))
    return fields_of_blanks(line, fields, limit);
  size_t count = 0;
  for (char *at = line; at;) {
    char *end = strchr(at, separator);
    if (end)
      *end++ = '\0';
    if (count < limit)
      fields[count] = trim(at);
    count++;
    at = end;
  }
  return count;
}

int tac_grow(void **array, size_t *capacity, size_t needed, size_t limit, size_t element_bytes) {
  if (needed <= *capacity)
    return 1;
  size_t next = *capacity > SIZE_MAX / 2 ? SIZE_MAX : 2 * *capacity;
  if (next < needed)
    next = needed;
  if (next < 64)
    next = 64;
  if (next > limit)
    next = limit;
  void *grown = needed <= next && next <= SIZE_MAX / element_bytes ? realloc(*array, next * element_bytes) : NULL;
  if (!grown)
    return 0;
  *array = grown;
  *capacity = next;
  return 1;
}
