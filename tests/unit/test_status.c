/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <tactus/runtime/error.h>

#include <string.h>

#include "tests/unit/suite.h"

static const enum tac_status all[] = {
#define VALUE(name, value, text) TAC_STATUS_##name,
    TAC_STATUS_LIST(VALUE)
#undef VALUE
};

#define ALL_COUNT (sizeof all / sizeof *all)

START_TEST(values_are_dense_and_texts_differ) {
  for (size_t i = 0; i < ALL_COUNT; i++) {
    ck_assert_int_eq(all[i], (int)i);
    for (size_t j = 0; j < i; j++) {
      ck_assert_str_ne(tac_status_text(all[i]), tac_status_text(all[j]));
      ck_assert_str_ne(tac_status_name(all[i]), tac_status_name(all[j]));
    }
  }
}
END_TEST

START_TEST(every_status_has_its_own_words) {
  for (size_t i = 0; i < ALL_COUNT; i++) {
    ck_assert_uint_gt(strlen(tac_status_text(all[i])), 0);
    ck_assert_str_ne(tac_status_text(all[i]), "unknown status");
    ck_assert_str_ne(tac_status_name(all[i]), "UNKNOWN");
  }
  ck_assert_str_eq(tac_status_text(TAC_STATUS_MEMORY), "out of memory");
  ck_assert_str_eq(tac_status_name(TAC_STATUS_MEMORY), "MEMORY");
}
END_TEST

START_TEST(strangers_are_unknown) {
  ck_assert_str_eq(tac_status_text((enum tac_status)ALL_COUNT), "unknown status");
  ck_assert_str_eq(tac_status_text((enum tac_status)1000), "unknown status");
  ck_assert_str_eq(tac_status_name((enum tac_status)1000), "UNKNOWN");
}
END_TEST

START_TEST(set_fills_every_field) {
  struct tac_error error;
  memset(&error, 0xff, sizeof error);
  ck_assert_int_eq(tac_error_set(&error, TAC_STATUS_INVALID, "somewhere", "%d of %s", 3, "four"), TAC_STATUS_INVALID);
  ck_assert_int_eq(error.status, TAC_STATUS_INVALID);
  ck_assert_int_eq(error.native_code, 0);
  ck_assert_uint_eq(error.item, TAC_ERROR_NO_ITEM);
  ck_assert_str_eq(error.where, "somewhere");
  ck_assert_str_eq(error.text, "3 of four");
}
END_TEST

START_TEST(text_stays_one_line) {
  struct tac_error error;
  tac_error_set(&error, TAC_STATUS_IO, NULL, "%s", "first\nsecond\r\nthird");
  ck_assert_str_eq(error.text, "first second  third");
  ck_assert_str_eq(error.where, "");
}
END_TEST

START_TEST(long_texts_are_cut) {
  char longest[1000];
  memset(longest, 'x', sizeof longest - 1);
  longest[sizeof longest - 1] = '\0';
  struct tac_error error;
  tac_error_set(&error, TAC_STATUS_IO, longest, "%s", longest);
  ck_assert_uint_eq(strlen(error.text), sizeof error.text - 1);
  ck_assert_uint_eq(strlen(error.where), sizeof error.where - 1);
}
END_TEST

START_TEST(clear_empties) {
  struct tac_error error;
  tac_error_set(&error, TAC_STATUS_ITEM, "here", "text");
  error.item = 7;
  error.native_code = 9;
  tac_error_clear(&error);
  ck_assert_int_eq(error.status, TAC_STATUS_OK);
  ck_assert_int_eq(error.native_code, 0);
  ck_assert_uint_eq(error.item, TAC_ERROR_NO_ITEM);
  ck_assert_str_eq(error.where, "");
  ck_assert_str_eq(error.text, "");
}
END_TEST

START_TEST(no_error_is_accepted) {
  tac_error_clear(NULL);
  ck_assert_int_eq(tac_error_set(NULL, TAC_STATUS_BUSY, "where", "text"), TAC_STATUS_BUSY);
}
END_TEST

int main(void) {
  const TTest *const tests[] = {
      values_are_dense_and_texts_differ,
      every_status_has_its_own_words,
      strangers_are_unknown,
      set_fills_every_field,
      text_stays_one_line,
      long_texts_are_cut,
      clear_empties,
      no_error_is_accepted,
  };
  return RUN_SUITE("status", tests);
}
