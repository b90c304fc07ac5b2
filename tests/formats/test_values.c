/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/volume_fmm/formats/values.h"

#include <float.h>
#include <stdio.h>
#include <string.h>

#include "apps/volume_fmm/formats/cube.h"
#include "apps/volume_fmm/formats/gaussians.h"
#include "apps/volume_fmm/formats/npy.h"
#include "tests/formats/files.h"
#include "tests/support/comma_locale.h"

static const double points[] = {0.5, -1, 2, 0.25, 1e-300, 4}, u[] = {0.1, -DBL_MAX, 3}, v[] = {4, 5, 1.0 / 3}, w[] = {7, 8, 9};

static void expect_csv(const struct tac_values *values, const char *text) {
  struct tac_error error;
  ck_assert_int_eq(tac_values_write_csv("values", values, &error), TAC_STATUS_OK);
  char *content = tac_get_bytes("values", NULL);
  ck_assert_str_eq(content, text);
  free(content);
}

START_TEST(csv_of_every_kind) {
  const double *const fields[] = {u, v, w, u, v, w, u, v};
  expect_csv(&(struct tac_values){2, 1, 1, 3, points, fields}, "x,y,u\n"
                                                               "0.5,-1,0.10000000000000001\n"
                                                               "2,0.25,-1.7976931348623157e+308\n"
                                                               "1e-300,4,3\n");
  expect_csv(&(struct tac_values){2, 1, 3, 1, points, fields}, "x,y,u,ux,uy\n0.5,-1,0.10000000000000001,4,7\n");
  expect_csv(&(struct tac_values){3, 1, 4, 1, points, fields},
             "x,y,z,u,ux,uy,uz\n0.5,-1,2,0.10000000000000001,4,7,0.10000000000000001\n");
  expect_csv(&(struct tac_values){3, 2, 1, 1, points, fields}, "x,y,z,u_re,u_im\n0.5,-1,2,0.10000000000000001,4\n");
  expect_csv(&(struct tac_values){3, 2, 4, 1, points, fields},
             "x,y,z,u_re,u_im,ux_re,ux_im,uy_re,uy_im,uz_re,uz_im\n"
             "0.5,-1,2,0.10000000000000001,4,7,0.10000000000000001,4,7,0.10000000000000001,4\n");
  expect_csv(&(struct tac_values){2, 1, 1, 0, points, fields}, "x,y,u\n");
}
END_TEST

START_TEST(table_as_an_array) {
  const double *const fields[] = {u, v};
  const double expected[] = {0.5, -1, 0.1, 4, 2, 0.25, -DBL_MAX, 5, 1e-300, 4, 3, 1.0 / 3};
  struct tac_error error;
  struct tac_npy array;
  ck_assert_int_eq(tac_values_write_npy("values", &(struct tac_values){2, 2, 1, 3, points, fields}, &error), TAC_STATUS_OK);
  ck_assert_int_eq(tac_npy_read(&array, "values", 2, &error), TAC_STATUS_OK);
  ck_assert(array.shape[0] == 3 && array.shape[1] == 4);
  ck_assert_mem_eq(array.values, expected, sizeof expected);
  tac_npy_free(&array);
}
END_TEST

START_TEST(failed_writing_keeps_the_old_file) {
  const double *const fields[] = {u};
  const struct tac_values values = {2, 1, 1, 3, points, fields};
  struct tac_error error;
  tac_expect_refusal(tac_values_write_csv("/dev/full", &values, &error), &error, TAC_STATUS_IO, "/dev/full");
  tac_expect_refusal(tac_values_write_npy("/dev/full", &values, &error), &error, TAC_STATUS_IO, "/dev/full");
  tac_expect_refusal(tac_values_write_csv("no/folder", &values, &error), &error, TAC_STATUS_IO, "no/folder");
  ck_assert_uint_eq(tac_count_files(), 0);
}
END_TEST

static void check_numbers_in_files(void) {
  const double *const fields[] = {u};
  struct tac_error error;
  struct tac_gaussian *list;
  struct tac_cube cube, copy;
  struct tac_npy array;
  size_t count;
  expect_csv(&(struct tac_values){2, 1, 1, 1, points, fields}, "x,y,u\n0.5,-1,0.10000000000000001\n");
  tac_put_text("list", "0.5 1234567.25 1.5 2.5\n");
  ck_assert_int_eq(tac_gaussians_read(&list, &count, "list", 2, &error), TAC_STATUS_OK);
  ck_assert(list->center[0] == 0.5 && list->center[1] == 1234567.25 && list->exponent == 1.5 && list->amplitude == 2.5);
  free(list);
  tac_put_text("cube", "a\nb\n0 .5 0 0\n1 1.25 0 0\n1 0 1 0\n2 0 0 1\n 1.5 1234567.5\n");
  ck_assert_int_eq(tac_cube_read(&cube, "cube", TAC_CUBE_UNITS_BY_SIGN, &error), TAC_STATUS_OK);
  ck_assert_int_eq(tac_cube_write("copy", &cube, NULL, TAC_CUBE_FULL_DIGITS, &error), TAC_STATUS_OK);
  ck_assert_int_eq(tac_cube_read(&copy, "copy", TAC_CUBE_UNITS_BY_SIGN, &error), TAC_STATUS_OK);
  ck_assert(copy.origin[0] == 0.5 && copy.step[0] == 1.25 && copy.values[0] == 1.5 && copy.values[1] == 1234567.5);
  tac_cube_free(&cube);
  tac_cube_free(&copy);
  double large[1234] = {0};
  ck_assert_int_eq(tac_npy_write("array", &(struct tac_npy_layout){1, {1234}, 1, 1}, (const double *const[]){large}, &error),
                   TAC_STATUS_OK);
  ck_assert_int_eq(tac_npy_read(&array, "array", 1, &error), TAC_STATUS_OK);
  ck_assert_uint_eq(array.shape[0], 1234);
  tac_npy_free(&array);
}

START_TEST(numbers_do_not_depend_on_the_locale) {
  char text[16];
  const int comma = enter_comma_locale();
  snprintf(text, sizeof text, "%.1f", 0.5);
  ck_assert_str_eq(text, comma ? "0,5" : "0.5");
  check_numbers_in_files();
  snprintf(text, sizeof text, "%.1f", 0.5); /* the caller's locale is as it was */
  ck_assert_str_eq(text, comma ? "0,5" : "0.5");
}
END_TEST

int main(void) {
  const TTest *const tests[] = {csv_of_every_kind, table_as_an_array, failed_writing_keeps_the_old_file,
                                numbers_do_not_depend_on_the_locale};
  return RUN_IN_FOLDERS("values", tests);
}
