/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/volume_fmm/formats/targets.h"

#include "apps/volume_fmm/formats/npy.h"
#include "apps/volume_fmm/formats/values.h"
#include "tests/formats/files.h"

static void expect_points(const char *text, int dim, const double *expected, size_t count) {
  struct tac_error error;
  double *points;
  size_t found;
  tac_put_text("points", text);
  ck_assert_msg(tac_targets_read(&points, &found, "points", dim, &error) == TAC_STATUS_OK, "%s: %s", text, error.text);
  ck_assert_uint_eq(found, count);
  for (size_t i = 0; i < (size_t)dim * count; i++)
    ck_assert_double_eq(points[i], expected[i]);
  free(points);
}

START_TEST(lines_with_and_without_header) {
  const double plane[] = {0.5, -1, 2, 0.25}, space[] = {1, 2, 3, -4, -5, -6};
  expect_points("0.5 -1\n2 0.25\n", 2, plane, 2);
  expect_points("x,y\n0.5,-1\n2,0.25\n", 2, plane, 2);
  expect_points("\xEF\xBB\xBFx;y\r\n0.5;-1\r\n2;0.25", 2, plane, 2);
  expect_points("# of the sensors\n\"x\", \"y\"\n5e-1, -1\n2, .25\n", 2, plane, 2);
  expect_points("id u y x\n7 1.5 -1 0.5\n8 unknown 0.25 2\n", 2, plane, 2); /* other columns are not looked at */
  expect_points("1 2 3\n-4 -5 -6 # the last\n", 3, space, 2);
  expect_points("z,y,x\n3,2,1\n-6,-5,-4\n", 3, space, 2);
}
END_TEST

START_TEST(reads_an_answer_as_targets) {
  const double points[] = {1.0 / 3, -2.0 / 7, 1e-300, 4}, u[] = {0.1, 0.2}, ux[] = {5, 6}, uy[] = {7, 8};
  const double *const fields[] = {u, ux, uy};
  const struct tac_values values = {2, 1, 3, 2, points, fields};
  struct tac_error error;
  double *found;
  size_t count;
  ck_assert_int_eq(tac_values_write_csv("answer.csv", &values, &error), TAC_STATUS_OK);
  ck_assert_int_eq(tac_targets_read(&found, &count, "answer.csv", 2, &error), TAC_STATUS_OK);
  ck_assert_uint_eq(count, 2);
  ck_assert_mem_eq(found, points, sizeof points);
  free(found);
}
END_TEST

START_TEST(reads_arrays) {
  const double x[] = {1, 2, 3}, y[] = {4, 5, 6}, expected[] = {1, 4, 2, 5, 3, 6};
  const double *const columns[] = {x, y};
  struct tac_error error;
  double *points = NULL;
  size_t count;
  ck_assert_int_eq(tac_npy_write("points.npy", &(struct tac_npy_layout){1, {3}, 1, 2}, columns, &error), TAC_STATUS_OK);
  ck_assert_int_eq(tac_targets_read(&points, &count, "points.npy", 2, &error), TAC_STATUS_OK);
  ck_assert_uint_eq(count, 3);
  ck_assert_mem_eq(points, expected, sizeof expected);
  free(points);
  points = NULL;
  tac_expect_refusal(tac_targets_read(&points, &count, "points.npy", 3, &error), &error, TAC_STATUS_INVALID,
                     "the shape (3, 2) is not that of points in 3D");
  ck_assert_ptr_null(points);
}
END_TEST

START_TEST(refusals_name_file_and_line) {
  static const struct {
    int dim;
    const char *text, *part;
  } cases[] = {
      {2, "", "points: the file ends without a point"},
      {2, "x,y\n", "points, line 1: the file ends without a point"},
      {2, "1 2\n1\n", "points, line 2: 1 numbers where 2 are expected"},
      {2, "1 2 3\n", "points, line 1: 3 numbers where 2 are expected"},
      {3, "x,y\n1,2\n", "line 1: neither coordinates nor a header that names column z"},
      {2, "x,y,z\n1,2,3\n", "line 1: the header names a column z, but these are points in 2D"},
      {2, "x,y,x\n1,2,3\n", "line 1: the header names column x twice"},
      {2, "u,v\n1,2\n", "names column x"},
      {2, "x,y\n1,2\nx,y\n3,4\n", "points, line 3: x: 'x' is not a number"},
      {2, "x,y,u\n1,2\n", "points, line 2: 2 numbers where 3 are expected"},
      {2, "1,\n", "y: '' is not a number"},
      {2, "1 inf\n", "y: 'inf' is not finite"},
      {2, "1 2\nnan 1\n", "points, line 2: x: 'nan' is not finite"},
      {2,
       "a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q,r,s,t,u,v,w,x,y,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,"
       "a,a,a,a,a,a,a,a,a\n",
       "66 columns, more than 64"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct tac_error error;
    double *points = NULL;
    size_t count;
    tac_put_text("points", cases[i].text);
    tac_expect_refusal(tac_targets_read(&points, &count, "points", cases[i].dim, &error), &error, TAC_STATUS_INVALID,
                       cases[i].part);
    ck_assert_ptr_null(points);
  }
}
END_TEST

int main(void) {
  const TTest *const tests[] = {lines_with_and_without_header, reads_an_answer_as_targets, reads_arrays,
                                refusals_name_file_and_line};
  return RUN_IN_FOLDERS("targets", tests);
}
