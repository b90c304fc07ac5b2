/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/volume_fmm/formats/npy_header.h"

#include <stdint.h>
#include <string.h>

#define LITTLE_ENDIAN_HERE (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__)

/* The text may hold any bytes, zero included; next() gives '\0' at its end. */
struct cursor {
  const char *text;
  size_t at, bytes;
};

static char next(const struct cursor *cursor) {
  return cursor->at < cursor->bytes ? cursor->text[cursor->at] : '\0';
}

static void skip_blanks(struct cursor *cursor) {
  while (next(cursor) == ' ' || next(cursor) == '\n' || next(cursor) == '\t' || next(cursor) == '\r')
    cursor->at++;
}

static int take(struct cursor *cursor, char expected) {
  skip_blanks(cursor);
  const int found = cursor->at < cursor->bytes && next(cursor) == expected;
  cursor->at += (size_t)found;
  return found;
}

static int take_word(struct cursor *cursor, const char *word) {
  const size_t length = strlen(word);
  skip_blanks(cursor);
  if (cursor->bytes - cursor->at < length || memcmp(cursor->text + cursor->at, word, length) != 0)
    return 0;
  cursor->at += length;
  return 1;
}

/* A string without escapes. */
static int take_string(struct cursor *cursor, char *out, size_t limit) {
  skip_blanks(cursor);
  const size_t begin = cursor->at;
  const char quote = next(cursor);
  size_t length = 0;
  if (quote != '\'' && quote != '"')
    return 0;
  for (cursor->at++; next(cursor) != quote; cursor->at++) {
    if (cursor->at == cursor->bytes || next(cursor) == '\\' || length == limit - 1) {
      cursor->at = begin;
      return 0;
    }
    out[length++] = next(cursor);
  }
  cursor->at++;
  out[length] = '\0';
  return 1;
}

static const char *parse_type(struct tac_npy_header *out, struct cursor *cursor) {
  char type[8];
  skip_blanks(cursor);
  const size_t begin = cursor->at;
  const char *refusal = "the element type is none of float32 and float64 ('<f4', '<f8', '>f4', '>f8')";
  if (!take_string(cursor, type, sizeof type))
    return refusal;
  const int ordered = type[0] == '<' || type[0] == '>' || type[0] == '=';
  const char *kind = type + ordered;
  if (strcmp(kind, "f4") != 0 && strcmp(kind, "f8") != 0) {
    cursor->at = begin;
    return refusal;
  }
  out->element_bytes = (size_t)(kind[1] - '0');
  out->swapped = type[0] == (LITTLE_ENDIAN_HERE ? '>' : '<');
  return NULL;
}

static const char *parse_order(struct tac_npy_header *out, struct cursor *cursor) {
  out->columns_first = take_word(cursor, "True");
  return out->columns_first || take_word(cursor, "False") ? NULL : "fortran_order is neither True nor False";
}

/* Digits, and the L that Python 2 wrote behind some. */
static const char *parse_extent(size_t *out, struct cursor *cursor) {
  skip_blanks(cursor);
  const size_t begin = cursor->at;
  size_t value = 0;
  for (; next(cursor) >= '0' && next(cursor) <= '9'; cursor->at++) {
    const size_t digit = (size_t)(next(cursor) - '0');
    if (value > (SIZE_MAX - digit) / 10)
      return "the shape is too large for this machine";
    value = 10 * value + digit;
  }
  if (cursor->at == begin)
    return "the shape is not a tuple of whole numbers";
  cursor->at += next(cursor) == 'L';
  *out = value;
  return NULL;
}

/* (), (2,), (2, 3), (2, 3,), and (2), which is no tuple but was meant as one. */
static const char *parse_shape(struct tac_npy_header *out, struct cursor *cursor) {
  skip_blanks(cursor);
  out->shape_at = cursor->at;
  if (!take(cursor, '('))
    return "the shape is not a tuple of whole numbers";
  out->rank = 0;
  while (!take(cursor, ')')) {
    if (out->rank == TAC_NPY_MAX_RANK)
      return "the array has more dimensions than any that is read here";
    const char *reason = parse_extent(&out->shape[out->rank], cursor);
    if (reason)
      return reason;
    out->rank++;
    if (!take(cursor, ',') && (skip_blanks(cursor), next(cursor) != ')'))
      return "the shape is not a tuple of whole numbers";
  }
  for (int axis = out->rank; axis < TAC_NPY_MAX_RANK; axis++)
    out->shape[axis] = 1;
  return NULL;
}

static const struct {
  const char *name;
  const char *(*parse)(struct tac_npy_header *out, struct cursor *cursor);
} entries[] = {{"descr", parse_type}, {"fortran_order", parse_order}, {"shape", parse_shape}};
enum { ENTRIES = sizeof entries / sizeof *entries };

static const char *parse_entry(struct tac_npy_header *out, struct cursor *cursor, int seen[ENTRIES]) {
  char key[16];
  skip_blanks(cursor);
  const size_t begin = cursor->at;
  if (!take_string(cursor, key, sizeof key))
    return "the header is no dictionary of descr, fortran_order and shape";
  for (int i = 0; i < ENTRIES; i++) {
    if (strcmp(key, entries[i].name) != 0)
      continue;
    if (seen[i]++) {
      cursor->at = begin;
      return "a key of the header stands there twice";
    }
    return take(cursor, ':') ? entries[i].parse(out, cursor) : "a ':' is missing in the header";
  }
  cursor->at = begin;
  return "the header has a key that is none of descr, fortran_order and shape";
}

static const char *parse_dictionary(struct tac_npy_header *out, struct cursor *cursor) {
  int seen[ENTRIES] = {0};
  if (!take(cursor, '{'))
    return "the header is no dictionary of descr, fortran_order and shape";
  while (!take(cursor, '}')) {
    const char *reason = parse_entry(out, cursor, seen);
    if (reason)
      return reason;
    if (!take(cursor, ',') && next(cursor) != '}')
      return "the header's dictionary has no end";
  }
  for (int i = 0; i < ENTRIES; i++)
    if (!seen[i])
      return "the header lacks one of descr, fortran_order and shape";
  skip_blanks(cursor);
  return cursor->at == cursor->bytes ? NULL : "something follows the header's dictionary";
}

const char *tac_npy_header_parse(struct tac_npy_header *out, const char *text, size_t bytes, size_t *at) {
  struct cursor cursor = {text, 0, bytes};
  memset(out, 0, sizeof *out);
  const char *reason = parse_dictionary(out, &cursor);
  *at = cursor.at;
  return reason;
}
