/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef APPS_TACTUS_MEMBER_READER_H
#define APPS_TACTUS_MEMBER_READER_H

#include <stdint.h>

#include <jansson.h>

#include <tactus/runtime/error.h>

/* Reads members of a JSON object and notes the first fault, by the member's place in the record: "events[3].total_ns". After a
 * fault every read gives zeros, so that one look at the end is enough. */
struct tac_member_reader {
  enum tac_status status;
  struct tac_error *error;
  char place[40]; /* of the object that is read: "events[3]"; "" is the record itself */
};

enum tac_presence { TAC_MEMBER_REQUIRED, TAC_MEMBER_OPTIONAL };

/* What times in a record may be, and durations of parts of it, so that their sums stay within 64 bits. */
#define TAC_RECORD_TIME_MOST     ((int64_t)1 << 61)
#define TAC_RECORD_DURATION_MOST ((int64_t)1 << 60)

/* The object that is read from now on: "key", or "key[number]". */
void tac_reader_at(struct tac_member_reader *reader, const char *key);
void tac_reader_at_element(struct tac_member_reader *reader, const char *key, size_t number);

/* Notes a fault of a member of that object, unless there was one before; key "" is the object itself. */
#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
void tac_reader_fail(struct tac_member_reader *reader, const char *key, const char *format, ...);

/* The member; NULL when it is absent and need not be there (null counts as absent), and after a fault. */
const json_t *tac_read_object(struct tac_member_reader *reader, const json_t *object, const char *key,
                              enum tac_presence presence);
const json_t *tac_read_array(struct tac_member_reader *reader, const json_t *object, const char *key,
                             enum tac_presence presence);
const char *tac_read_text(struct tac_member_reader *reader, const json_t *object, const char *key, enum tac_presence presence);

/* A whole number that is not negative; 0 when it is absent. */
int64_t tac_read_count(struct tac_member_reader *reader, const json_t *object, const char *key, enum tac_presence presence);

/* A whole number that is not negative and has to be there. */
uint64_t tac_read_number(struct tac_member_reader *reader, const json_t *object, const char *key);

/* A duration, or a sum of some, that has to be there. */
int64_t tac_read_duration(struct tac_member_reader *reader, const json_t *object, const char *key);

/* A time on a clock: any whole number that leaves room for durations. */
int64_t tac_read_time(struct tac_member_reader *reader, const json_t *object, const char *key);

/* Any whole number. */
int64_t tac_read_integer(struct tac_member_reader *reader, const json_t *object, const char *key);

/* A number; NaN when it is absent or null. */
double tac_read_real(struct tac_member_reader *reader, const json_t *object, const char *key, enum tac_presence presence);

int tac_read_flag(struct tac_member_reader *reader, const json_t *object, const char *key);

/* The element of an array that has to be an object; the reader is at it. NULL after a fault. */
const json_t *tac_read_element(struct tac_member_reader *reader, const json_t *array, const char *key, size_t number);

#endif
