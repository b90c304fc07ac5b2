/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "runtime/shown_path.h"

#include <stdio.h>
#include <string.h>

#include "tests/unit/suite.h"

#define ELLIPSIS "\xe2\x80\xa6"

START_TEST(a_path_that_fits_is_shown_as_it_is) {
  char path[TAC_SHOWN_PATH_BYTES], shown[TAC_SHOWN_PATH_BYTES];
  for (size_t length = 0; length < sizeof path; length++) {
    memset(path, 'a', length);
    path[length] = '\0';
    ck_assert_ptr_eq(tac_shown_path(shown, path), path);
  }
}
END_TEST

/* 100 bytes: 40 of the begin, 3 of the ellipsis, 57 of the end. */
START_TEST(a_longer_one_loses_its_middle) {
  char path[4097], shown[TAC_SHOWN_PATH_BYTES], expected[200];
  for (size_t length = TAC_SHOWN_PATH_BYTES; length < sizeof path; length++) {
    for (size_t i = 0; i < length; i++)
      path[i] = (char)('a' + i % 26);
    path[length] = '\0';
    snprintf(expected, sizeof expected, "%.40s" ELLIPSIS "%.57s", path, path + length - 57);
    ck_assert_str_eq(tac_shown_path(shown, path), expected);
  }
}
END_TEST

/* Puts a piece so often behind what a text holds; `bytes` are all of its room. */
static void append(char *text, size_t bytes, const char *piece, size_t times) {
  for (size_t i = 0; i < times; i++) {
    const size_t length = strlen(text);
    snprintf(text + length, bytes - length, "%s", piece);
  }
}

/* Letters of two to four bytes, at every place of the cuts. */
START_TEST(no_letter_is_cut_in_two) {
  static const char *const letters[] = {"\xc3\xa9", "\xe2\x82\xac", "\xf0\x9f\x98\x80"};
  const char *letter = letters[_i];
  const size_t bytes = strlen(letter);
  for (size_t before = 0; before < bytes; before++)
    for (size_t after = 0; after < bytes; after++) {
      char path[512] = "", shown[TAC_SHOWN_PATH_BYTES], expected[200] = "";
      append(path, sizeof path, "x", before);
      append(path, sizeof path, letter, 60);
      append(path, sizeof path, "y", after);
      append(expected, sizeof expected, "x", before);
      append(expected, sizeof expected, letter, (40 - before) / bytes);
      append(expected, sizeof expected, ELLIPSIS, 1);
      append(expected, sizeof expected, letter, (57 - after) / bytes);
      append(expected, sizeof expected, "y", after);
      ck_assert_str_eq(tac_shown_path(shown, path), expected);
    }
}
END_TEST

/* Bytes that are no UTF-8 are cut anywhere. */
START_TEST(other_bytes_end_the_search) {
  char path[301], shown[TAC_SHOWN_PATH_BYTES];
  memset(path, 0x80, sizeof path - 1);
  path[sizeof path - 1] = '\0';
  tac_shown_path(shown, path);
  ck_assert_uint_eq(strlen(shown), 37 + 3 + 54);
}
END_TEST

int main(void) {
  TCase *cases = tcase_create("shown_path");
  tcase_add_test(cases, a_path_that_fits_is_shown_as_it_is);
  tcase_add_test(cases, a_longer_one_loses_its_middle);
  tcase_add_loop_test(cases, no_letter_is_cut_in_two, 0, 3);
  tcase_add_test(cases, other_bytes_end_the_search);
  return run_cases("shown_path", cases);
}
