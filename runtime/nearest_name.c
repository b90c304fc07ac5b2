/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "runtime/nearest_name.h"

#include <string.h>

#define LONGEST    63
#define MOST_SLIPS 2

static size_t smaller(size_t a, size_t b) {
  return a < b ? a : b;
}

size_t tac_name_distance(const char *a, const char *b) {
  size_t a_length = strnlen(a, LONGEST), b_length = strnlen(b, LONGEST);
  size_t row[LONGEST + 1]; /* row[j]: distance of the bytes of `a` seen so far to the first j bytes of `b` */
  for (size_t j = 0; j <= b_length; j++)
    row[j] = j;
  for (size_t i = 1; i <= a_length; i++) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= b_length; j++) {
      size_t replaced = diagonal + (a[i - 1] != b[j - 1]);
      diagonal = row[j];
      row[j] = smaller(replaced, smaller(row[j], row[j - 1]) + 1);
    }
  }
  return row[b_length];
}

const char *tac_nearest_name(const char *typed, const char *const *names, size_t count) {
  const char *nearest = NULL;
  size_t least = 0;
  for (size_t i = 0; i < count; i++) {
    size_t distance = tac_name_distance(typed, names[i]);
    size_t typed_length = strnlen(typed, LONGEST), length = strnlen(names[i], LONGEST);
    if (distance > MOST_SLIPS || 2 * distance >= (typed_length > length ? typed_length : length))
      continue;
    if (!nearest || distance < least) {
      nearest = names[i];
      least = distance;
    }
  }
  return nearest;
}
