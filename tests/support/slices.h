/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef TESTS_SUPPORT_SLICES_H
#define TESTS_SUPPORT_SLICES_H

/* Reads the slices of a trace as a viewer does. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>
#include <jansson.h>

struct slice {
  const char *name;
  long long pid, tid, start_ns, duration_ns;
};

enum { SLICES_MOST = 4096 };

struct slices {
  struct slice slice[SLICES_MOST];
  size_t count;
};

/* Microseconds as a reader of doubles has them, in whole nanoseconds. */
static inline long long slice_ns(const json_t *event, const char *key) {
  const json_t *value = json_object_get(event, key);
  ck_assert_msg(json_is_number(value), "%s is no number", key);
  return llround(1000 * json_number_value(value));
}

static inline int compare_slices(const void *a, const void *b) {
  const struct slice *left = a, *right = b;
  if (left->tid != right->tid)
    return left->tid < right->tid ? -1 : 1;
  if (left->start_ns != right->start_ns)
    return left->start_ns < right->start_ns ? -1 : 1;
  return (left->duration_ns < right->duration_ns) - (left->duration_ns > right->duration_ns);
}

/* By track, then by start, the longer one first; fails where two on a track overlap without one holding the other. */
static inline void slices_read(struct slices *slices, const json_t *events) {
  slices->count = 0;
  for (size_t i = 0; i < json_array_size(events); i++) {
    const json_t *event = json_array_get(events, i);
    if (strcmp(json_string_value(json_object_get(event, "ph")), "X") != 0)
      continue;
    ck_assert_uint_lt(slices->count, SLICES_MOST);
    slices->slice[slices->count++] =
        (struct slice){json_string_value(json_object_get(event, "name")), json_integer_value(json_object_get(event, "pid")),
                       json_integer_value(json_object_get(event, "tid")), slice_ns(event, "ts"), slice_ns(event, "dur")};
  }
  qsort(slices->slice, slices->count, sizeof *slices->slice, compare_slices);
  long long ends[64];
  size_t depth = 0;
  for (size_t i = 0; i < slices->count; i++) {
    const struct slice *slice = &slices->slice[i];
    const long long end_ns = slice->start_ns + slice->duration_ns;
    ck_assert_int_ge(slice->duration_ns, 0);
    if (i > 0 && slices->slice[i - 1].tid != slice->tid)
      depth = 0;
    while (depth > 0 && ends[depth - 1] <= slice->start_ns)
      depth--;
    ck_assert_msg(depth == 0 || end_ns <= ends[depth - 1], "%s ends after what it is in", slice->name);
    ck_assert_uint_lt(depth, 64);
    ends[depth++] = end_ns;
  }
}

/* The number of the track of that name; -1: there is none. */
static inline long long slices_track(const json_t *events, const char *name) {
  for (size_t i = 0; i < json_array_size(events); i++) {
    const json_t *event = json_array_get(events, i), *arguments = json_object_get(event, "args");
    if (strcmp(json_string_value(json_object_get(event, "name")), "thread_name") == 0 &&
        strcmp(json_string_value(json_object_get(arguments, "name")), name) == 0)
      return json_integer_value(json_object_get(event, "tid"));
  }
  return -1;
}

/* The slices of one track are exactly these. */
static inline void slices_expect(const struct slices *slices, long long tid, const struct slice *expected, size_t count) {
  size_t found = 0;
  for (size_t i = 0; i < slices->count; i++) {
    const struct slice *slice = &slices->slice[i];
    if (slice->tid != tid)
      continue;
    ck_assert_uint_lt(found, count);
    ck_assert_str_eq(slice->name, expected[found].name);
    ck_assert_int_eq(slice->start_ns, expected[found].start_ns);
    ck_assert_int_eq(slice->duration_ns, expected[found].duration_ns);
    found++;
  }
  ck_assert_uint_eq(found, count);
}
#define SLICES_EXPECT(slices, tid, expected) slices_expect(slices, tid, expected, sizeof(expected) / sizeof *(expected))

#endif
