/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/volume_fmm/formats/gaussians.h"

#include <fcntl.h>
#include <locale.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "tests/formats/files.h"

static enum tac_status read_text(struct tac_gaussian **list, size_t *count, const char *text, int dim,
                                 struct tac_error *error) {
  tac_error_clear(error);
  tac_put_text("list", text);
  return tac_gaussians_read(list, count, "list", dim, error);
}

static void expect(const struct tac_gaussian *found, double x, double y, double z, double exponent, double amplitude) {
  ck_assert_double_eq(found->center[0], x);
  ck_assert_double_eq(found->center[1], y);
  ck_assert_double_eq(found->center[2], z);
  ck_assert_double_eq(found->exponent, exponent);
  ck_assert_double_eq(found->amplitude, amplitude);
}

START_TEST(reads_what_people_write) {
  static const char *const texts[] = {
      "0.5 -0.25 160 2\n-1e-1 .5 1.5d2 -3\n",
      "# two of them\r\n\r\n  0.5\t-0.25  160 2 # the first\r\n-.1 5e-1 150. -3", /* CR LF, no last line end */
      "\xEF\xBB\xBF+0.5,-0.25,160,2\n-0.10, 0.5, 15E+1, -3.0\n\n",                /* a byte order mark, commas */
      "0.5;-0.25;160;2\n#\n-0.1;0.5;0.150+003;-3\n",                              /* an exponent without a letter */
  };
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    struct tac_error error;
    struct tac_gaussian *list;
    size_t count;
    ck_assert_msg(read_text(&list, &count, texts[i], 2, &error) == TAC_STATUS_OK, "text %zu: %s", i, error.text);
    ck_assert_uint_eq(count, 2);
    expect(&list[0], 0.5, -0.25, 0, 160, 2);
    expect(&list[1], -0.1, 0.5, 0, 150, -3);
    free(list);
  }
}
END_TEST

START_TEST(reads_3d_and_many) {
  struct tac_error error;
  struct tac_gaussian *list;
  size_t count;
  FILE *file = fopen("many", "w");
  ck_assert_ptr_nonnull(file);
  for (int i = 0; i < 1000; i++)
    fprintf(file, "%d %d %d %d %d\n", i, -i, 2 * i, i + 1, 3 * i);
  fclose(file);
  ck_assert_int_eq(tac_gaussians_read(&list, &count, "many", 3, &error), TAC_STATUS_OK);
  ck_assert_uint_eq(count, 1000);
  for (int i = 0; i < 1000; i++)
    expect(&list[i], i, -i, 2 * i, i + 1, 3 * i);
  free(list);
}
END_TEST

START_TEST(refusals_name_file_and_line) {
  static const struct {
    int dim;
    const char *text, *part;
  } cases[] = {
      {2, "", "list: the file ends without a Gaussian"},
      {2, "# nothing\n\n", "list, line 2: the file ends without a Gaussian"},
      {2, "0 0 1 1\n0 0 1\n", "list, line 2: 3 numbers where a Gaussian in 2D has 4"},
      {3, "0 0 1 1\n", "list, line 1: 4 numbers where a Gaussian in 3D has 5"},
      {2, "0 0 1 1 1 1 1 1 1\n", "9 numbers where"},
      {2, "0 0 1 1\n\n0 zero 1 1\n", "list, line 3: y: 'zero' is not a number"},
      {2, "0 0 1 1x\n", "the amplitude: '1x' is not a number"},
      {2, "0 0 0x10 1\n", "the exponent: '0x10' is not a number"},
      {2, "0 0 1.2.3 1\n", "'1.2.3' is not a number"},
      {2, "0 0 1 .\n", "'.' is not a number"},
      {2, "0 0 1 e5\n", "'e5' is not a number"},
      {2, "0 0 1 1e\n", "'1e' is not a number"},
      {2, "0 0 1 nan\n", "the amplitude: 'nan' is not finite"},
      {2, "-Infinity 0 1 1\n", "x: '-Infinity' is not finite"},
      {2, "0 0 1 1e999\n", "'1e999' is not finite"},
      {2, "0 0 0 1\n", "the exponent '0' is not positive"},
      {2, "0 0 -2 1\n", "the exponent '-2' is not positive"},
      {2, "0 0 1,5 1\n", "2 numbers where"},
      {2, "0,0,,1\n", "the exponent: '' is not a number"},
      {2, "0 0 1 \x01\x7f\xc3\n", "'?\?\?' is not a number"},
      {2, "0 0 1 11111111111111111111111111111111111111111111111111x\n",
       "'11111111111111111111111111111111111111111111...' is"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct tac_error error;
    struct tac_gaussian *list = NULL;
    size_t count;
    tac_expect_refusal(read_text(&list, &count, cases[i].text, cases[i].dim, &error), &error, TAC_STATUS_INVALID,
                       cases[i].part);
    ck_assert_ptr_null(list);
  }
}
END_TEST

START_TEST(no_plain_text_is_refused) {
  struct tac_error error;
  struct tac_gaussian *list = NULL;
  size_t count;
  char text[6000];
  tac_put_bytes("list", "0 0 1 1\n0 0\0 1", 14);
  tac_expect_refusal(tac_gaussians_read(&list, &count, "list", 2, &error), &error, TAC_STATUS_INVALID,
                     "list, line 2: a zero byte");
  memset(text, '1', sizeof text);
  tac_put_bytes("list", text, sizeof text);
  tac_expect_refusal(tac_gaussians_read(&list, &count, "list", 2, &error), &error, TAC_STATUS_INVALID,
                     "list, line 1: is longer than 4095 bytes");
  memset(text, ' ', 300);
  memset(text + 100, '1', 150);
  text[250] = '\0';
  tac_put_text("list", text);
  tac_expect_refusal(tac_gaussians_read(&list, &count, "list", 2, &error), &error, TAC_STATUS_INVALID, "1 numbers");
  memcpy(text, "0 0 1 ", 6);
  memset(text + 6, '1', 244);
  tac_put_text("list", text);
  tac_expect_refusal(tac_gaussians_read(&list, &count, "list", 2, &error), &error, TAC_STATUS_INVALID, "longer than a number");
}
END_TEST

START_TEST(what_cannot_be_read_is_an_error_of_input) {
  struct tac_error error;
  struct tac_gaussian *list = NULL;
  size_t count;
  tac_expect_refusal(tac_gaussians_read(&list, &count, "absent", 2, &error), &error, TAC_STATUS_IO, "absent: No such file");
  ck_assert_int_ne(error.native_code, 0);
  tac_expect_refusal(tac_gaussians_read(&list, &count, ".", 2, &error), &error, TAC_STATUS_IO, "directory");
  char path[200];
  memset(path, 'a', sizeof path);
  memcpy(path + 190, "/name.txt", 10);
  tac_expect_refusal(tac_gaussians_read(&list, &count, path, 2, &error), &error, TAC_STATUS_IO, "aaaa/name.txt");
  ck_assert_int_eq(tac_gaussians_read(&list, &count, "absent", 2, NULL), TAC_STATUS_IO);
}
END_TEST

START_TEST(reads_the_standard_input) {
  struct tac_error error;
  struct tac_gaussian *list;
  size_t count;
  tac_put_text("list", "1 2 3 4\n");
  int file = open("list", O_RDONLY);
  ck_assert_int_eq(dup2(file, 0), 0);
  close(file);
  ck_assert_int_eq(tac_gaussians_read(&list, &count, "-", 2, &error), TAC_STATUS_OK);
  ck_assert_uint_eq(count, 1);
  expect(list, 1, 2, 0, 3, 4);
  free(list);
  tac_expect_refusal(tac_gaussians_read(&list, &count, "-", 2, &error), &error, TAC_STATUS_INVALID,
                     "standard input: the file ends");
}
END_TEST

int main(void) {
  const TTest *const tests[] = {
      reads_what_people_write,
      reads_3d_and_many,
      refusals_name_file_and_line,
      no_plain_text_is_refused,
      what_cannot_be_read_is_an_error_of_input,
      reads_the_standard_input,
  };
  return RUN_IN_FOLDERS("gaussians", tests);
}
