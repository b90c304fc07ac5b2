/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/volume_fmm/formats/cube.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/formats/files.h"

#define COMMENTS "water\nelectron density\n"
#define ORIGIN   "    1   -1.000000    0.000000    0.500000\n"
#define AXES                                                                                                                   \
  "    2    0.200000    0.000000    0.000000\n"                                                                                \
  "    2    0.000000    0.300000    0.000000\n"                                                                                \
  "    3    0.000000    0.000000    0.400000\n"
#define ATOM "    8    8.000000    0.000000    0.100000    0.200000\n"
/* Two rows of three values are two lines each: a run along z begins a line. */
#define VALUES                                                                                                                 \
  "  1.00000E+00 -2.50000E-03  3.00000E+00\n"                                                                                  \
  "  4.00000E+00  5.00000E+00  6.00000E+00\n"                                                                                  \
  "  7.00000E+00  8.00000E+00  9.00000E+00\n"                                                                                  \
  "  1.00000E+01  1.10000E+01  1.20000E-05\n"
#define CUBE COMMENTS ORIGIN AXES ATOM VALUES

static enum tac_status read_text(struct tac_cube *cube, const char *text, enum tac_cube_units units, struct tac_error *error) {
  tac_error_clear(error);
  tac_put_text("cube", text);
  return tac_cube_read(cube, "cube", units, error);
}

static void read_well(struct tac_cube *cube, const char *text, enum tac_cube_units units) {
  struct tac_error error;
  ck_assert_msg(read_text(cube, text, units, &error) == TAC_STATUS_OK, "%s", error.text);
}

static void expect_values(const struct tac_cube *cube) {
  const double expected[] = {1, -2.5e-3, 3, 4, 5, 6, 7, 8, 9, 10, 11, 1.2e-5};
  for (size_t i = 0; i < sizeof expected / sizeof *expected; i++)
    ck_assert_double_eq(cube->values[i], expected[i]);
}

static void expect_file(const char *path, const char *text) {
  char *content = tac_get_bytes(path, NULL);
  ck_assert_str_eq(content, text);
  free(content);
}

START_TEST(reads_header_atoms_and_values) {
  struct tac_cube cube;
  read_well(&cube, CUBE, TAC_CUBE_UNITS_BY_SIGN);
  ck_assert_str_eq(cube.comments[0], "water");
  ck_assert_str_eq(cube.comments[1], "electron density");
  ck_assert(cube.shape[0] == 2 && cube.shape[1] == 2 && cube.shape[2] == 3);
  ck_assert(cube.origin[0] == -1 && cube.origin[1] == 0 && cube.origin[2] == 0.5);
  ck_assert(cube.step[0] == 0.2 && cube.step[1] == 0.3 && cube.step[2] == 0.4);
  ck_assert_uint_eq(cube.atom_count, 1);
  ck_assert_int_eq(cube.atoms[0].number, 8);
  ck_assert(cube.atoms[0].charge == 8 && cube.atoms[0].position[1] == 0.1 && cube.atoms[0].position[2] == 0.2);
  ck_assert(cube.units == TAC_CUBE_UNITS_BOHR && !cube.units_are_doubtful);
  expect_values(&cube);
  tac_cube_free(&cube);
}
END_TEST

START_TEST(forms_that_programs_write) {
  static const char *const texts[] = {
      COMMENTS "-1 -1 0 .5\n" AXES ATOM " 1 5\n" VALUES,                     /* an orbital */
      COMMENTS "1 -1 0 .5 1\n" AXES ATOM VALUES,                             /* a number of values a voxel */
      COMMENTS ORIGIN AXES ATOM "1 -.25E-2 3 4 5 6 7 8 9 10 11 1.2d-05",     /* one line, Fortran's D, no last line end */
      COMMENTS ORIGIN "2 .2 1e-12 0\n2 0 .3 0\n3 0 -1E-15 .4\n" ATOM VALUES, /* computed zeros */
      ("water\r\nelectron density\r\n1 -1 0 .5\r\n2 .2 0 0\r\n2 0 .3 0\r\n3 0 0 .4\r\n8 8 0 .1 .2\r\n"
       "1 -.0025 3\r\n4 5 6 7 8 9\r\n10 11 0.12E-04\r\n\r\n"),
  };
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    struct tac_cube cube;
    struct tac_error error;
    ck_assert_msg(read_text(&cube, texts[i], TAC_CUBE_UNITS_BY_SIGN, &error) == TAC_STATUS_OK, "text %zu: %s", i, error.text);
    ck_assert_str_eq(cube.comments[1], "electron density");
    ck_assert_uint_eq(cube.atom_count, 1);
    expect_values(&cube);
    tac_cube_free(&cube);
  }
}
END_TEST

/* A full column of Fortran's has no blank before a sign, and no letter before an exponent of three digits. */
START_TEST(values_of_full_columns) {
  const double expected[] = {-1.23457e-100, -1.23457e-100, 0.5e-101, 2.25};
  struct tac_cube cube;
  read_well(&cube, "\n\n0 0 0 0\n1 1 0 0\n1 0 1 0\n4 0 0 1\n-1.23457E-100-1.23457E-100 0.50000-101+2.25\n",
            TAC_CUBE_UNITS_BY_SIGN);
  for (size_t i = 0; i < 4; i++)
    ck_assert_double_eq(cube.values[i], expected[i]);
  tac_cube_free(&cube);
}
END_TEST

START_TEST(units_by_sign_and_forced) {
  const char *negative = COMMENTS ORIGIN "-2 .2 0 0\n-2 0 .3 0\n-3 0 0 .4\n" ATOM VALUES;
  const double bohr = 1 / 0.529177210903;
  const struct {
    const char *text;
    enum tac_cube_units units;
    double unit;
    int doubtful;
  } cases[] = {
      {CUBE, TAC_CUBE_UNITS_BY_SIGN, 1, 0},     {CUBE, TAC_CUBE_UNITS_BOHR, 1, 0},
      {CUBE, TAC_CUBE_UNITS_ANGSTROM, bohr, 0}, {negative, TAC_CUBE_UNITS_BY_SIGN, bohr, 1},
      {negative, TAC_CUBE_UNITS_BOHR, 1, 0},    {negative, TAC_CUBE_UNITS_ANGSTROM, bohr, 0},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct tac_cube cube;
    read_well(&cube, cases[i].text, cases[i].units);
    ck_assert_double_eq_tol(cube.step[2], 0.4 * cases[i].unit, 1e-15);
    ck_assert_double_eq_tol(cube.origin[0], -cases[i].unit, 1e-15);
    ck_assert_double_eq_tol(cube.atoms[0].position[2], 0.2 * cases[i].unit, 1e-15);
    ck_assert_uint_eq(cube.shape[2], 3);
    ck_assert_int_eq(cube.units, cases[i].unit == 1 ? TAC_CUBE_UNITS_BOHR : TAC_CUBE_UNITS_ANGSTROM);
    ck_assert_int_eq(cube.units_are_doubtful, cases[i].doubtful);
    tac_cube_free(&cube);
  }
}
END_TEST

START_TEST(round_trip_is_the_same_file) {
  struct tac_cube cube;
  struct tac_error error;
  read_well(&cube, CUBE, TAC_CUBE_UNITS_BY_SIGN);
  ck_assert_int_eq(tac_cube_write("copy", &cube, NULL, TAC_CUBE_DIGITS, &error), TAC_STATUS_OK);
  expect_file("copy", CUBE);
  tac_cube_free(&cube);
}
END_TEST

/* Lengths in Angstrom and values of full precision come back to the last bit, from a file in Bohr with positive counts. */
START_TEST(full_digits_keep_every_bit) {
  const double values[12] = {1.0 / 3, -DBL_MIN, DBL_MAX, 4.9e-324, -1e-100, 1e100, 0, -0.0, 2.0 / 7, M_PI, -DBL_MAX, 1};
  struct tac_cube cube, copy;
  struct tac_error error;
  read_well(&cube, CUBE, TAC_CUBE_UNITS_ANGSTROM);
  ck_assert_int_eq(tac_cube_write("copy", &cube, values, TAC_CUBE_FULL_DIGITS, &error), TAC_STATUS_OK);
  ck_assert_int_eq(tac_cube_read(&copy, "copy", TAC_CUBE_UNITS_BY_SIGN, &error), TAC_STATUS_OK);
  ck_assert_mem_eq(copy.values, values, sizeof values);
  ck_assert_mem_eq(copy.origin, cube.origin, sizeof copy.origin);
  ck_assert_mem_eq(copy.step, cube.step, sizeof copy.step);
  ck_assert_mem_eq(copy.shape, cube.shape, sizeof copy.shape);
  ck_assert_mem_eq(copy.atoms, cube.atoms, sizeof *copy.atoms);
  ck_assert_str_eq(copy.comments[0], cube.comments[0]);
  ck_assert_int_eq(copy.units, TAC_CUBE_UNITS_BOHR);
  tac_cube_free(&copy);
  tac_cube_free(&cube);
}
END_TEST

START_TEST(refusals_name_file_and_line) {
  static const struct {
    const char *text, *part;
  } cases[] = {
      {"", "cube: the file ends before the number of atoms"},
      {"water\n", "cube, line 1: the file ends before"},
      {COMMENTS, "line 2: the file ends before the line of the number of atoms"},
      {COMMENTS "1 0 0\n", "line 3: 3 fields where the line of the number of atoms and the origin has 4"},
      {COMMENTS "one 0 0 0\n", "line 3: the number of atoms: 'one' is not a whole number"},
      {COMMENTS "1.5 0 0 0\n", "'1.5' is not a whole number"},
      {COMMENTS "99999999999999999999 0 0 0\n", "is out of range"},
      {COMMENTS "1 0 nan 0\n", "the origin: 'nan' is not finite"},
      {COMMENTS "1 0 0 0 2\n", "2 values a voxel"},
      {COMMENTS ORIGIN, "line 3: the file ends before the line of axis 1"},
      {COMMENTS ORIGIN "2 1 0\n", "line 4: 3 fields where the line of axis 1 (voxels and vector) has 4"},
      {COMMENTS ORIGIN "0 1 0 0\n", "line 4: 0 voxels along axis 1"},
      {COMMENTS ORIGIN "3000000000 1 0 0\n", "3000000000 voxels along axis 1"},
      {COMMENTS ORIGIN "2 0 0 0\n", "line 4: axis 1 has no length"},
      {COMMENTS ORIGIN "2 1 0.1 0\n", "line 4: axis 1 is skewed"},
      {COMMENTS ORIGIN "1000 1 1e-8 0\n", "line 4: axis 1 is skewed"},
      {COMMENTS ORIGIN "2 0 1 0\n", "line 4: axis 1 runs along y"},
      {COMMENTS ORIGIN "2 1 0 0\n2 0 -1 0\n", "line 5: axis 2 runs backwards, which makes the axes left-handed"},
      {COMMENTS ORIGIN "2 1 0 0\n-2 0 1 0\n2 0 0 1\n", "line 6: positive and negative numbers of voxels"},
      {COMMENTS ORIGIN "2000000000 1 0 0\n2000000000 0 1 0\n2000000000 0 0 1\n", "line 6: more voxels than"},
      {COMMENTS ORIGIN "2000000000 1e300 0 0\n2 0 1 0\n2 0 0 1\n", "axis 1 reaches to infinity"},
      {COMMENTS ORIGIN AXES, "line 6: the file ends before the line of an atom"},
      {COMMENTS ORIGIN AXES "8 8 0 0\n", "line 7: 4 fields where the line of an atom"},
      {COMMENTS ORIGIN AXES "O 8 0 0 0\n", "line 7: the number of an atom's element: 'O' is not a whole number"},
      {COMMENTS ORIGIN AXES "8 8 inf 0 0\n", "line 7: an atom: 'inf' is not finite"},
      /* more atoms promised than there are: values are no atom */
      {COMMENTS "2 0 0 0\n" AXES ATOM VALUES, "line 8: 3 fields where the line of an atom"},
      /* fewer: an atom is read as values, and the count tells */
      {COMMENTS "0 0 0 0\n" AXES ATOM VALUES, "line 10: something follows the 12 values that the header promises"},
      {COMMENTS "-1 0 0 0\n" AXES ATOM, "line 7: the file ends before the line of the orbitals"},
      {COMMENTS "-1 0 0 0\n" AXES ATOM "2 5 6\n" VALUES, "line 8: 2 orbitals a voxel"},
      {COMMENTS "-1 0 0 0\n" AXES ATOM "1\n" VALUES, "line 8: no number of orbitals"},
      {COMMENTS "-1 0 0 0\n" AXES ATOM VALUES, "line 8: the number of orbitals: '1.00000E+00' is not a whole number"},
      {COMMENTS ORIGIN AXES ATOM "1 2 3\n4 5\n", "line 10: the file ends after 5 of the 12 values"},
      {COMMENTS ORIGIN AXES ATOM "1 2 3\n4 five 6\n", "line 9: voxel (0, 1, 1): 'five' is not a number"},
      {COMMENTS ORIGIN AXES ATOM "1 2 3 4 5 6\n7 8 9 10\n NaN", "line 10: voxel (1, 1, 1): 'NaN' is not finite"},
      {COMMENTS ORIGIN AXES ATOM "1e400", "line 8: voxel (0, 0, 0): '1e400' is not finite"},
      {COMMENTS ORIGIN AXES ATOM "1 2.5.5", "voxel (0, 0, 1): '2.5.5' is not a number"},
      {CUBE "13\n", "line 12: something follows the 12 values"},
      {CUBE "\n# end\n", "line 13: something follows the 12 values"},
      /* a header that lies allocates nothing that is not there */
      {COMMENTS ORIGIN "200000 1 0 0\n200000 0 1 0\n2000000 0 0 1\n" ATOM VALUES,
       "the file ends after 12 of the 80000000000000000 values"},
      {COMMENTS "9000000000000000000 0 0 0\n" AXES ATOM, "line 7: the file ends before the line of an atom"},
      {COMMENTS "-9223372036854775808 0 0 0\n" AXES ATOM, "line 7: the file ends before the line of an atom"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct tac_error error;
    struct tac_cube cube = {0};
    tac_expect_refusal(read_text(&cube, cases[i].text, TAC_CUBE_UNITS_BY_SIGN, &error), &error, TAC_STATUS_INVALID,
                       cases[i].part);
    ck_assert_ptr_null(cube.values);
  }
}
END_TEST

/* The vectors of a cell of 16 Bohr where those of a voxel belong; the same header with voxel vectors gets to its values. */
START_TEST(whole_cell_vectors_are_recognised) {
  struct tac_error error;
  struct tac_cube cube = {0};
  tac_expect_refusal(read_text(&cube, COMMENTS "2 0 0 0\n20 16 0 0\n20 0 16 0\n20 0 0 16\n8 8 4 4 4\n1 1 5 5 5\n" VALUES,
                               TAC_CUBE_UNITS_BY_SIGN, &error),
                     &error, TAC_STATUS_INVALID, "line 8: the vectors look like those of the whole cell, not of one voxel");
  tac_expect_refusal(read_text(&cube, COMMENTS "2 0 0 0\n20 .8 0 0\n20 0 .8 0\n20 0 0 .8\n8 8 4 4 4\n1 1 5 5 5\n" VALUES,
                               TAC_CUBE_UNITS_BY_SIGN, &error),
                     &error, TAC_STATUS_INVALID, "ends after 12 of the 8000 values");
  /* coarse, but with atoms all over it */
  tac_expect_refusal(read_text(&cube, COMMENTS "2 0 0 0\n20 16 0 0\n20 0 16 0\n20 0 0 16\n8 8 40 4 4\n1 1 5 5 5\n" VALUES,
                               TAC_CUBE_UNITS_BY_SIGN, &error),
                     &error, TAC_STATUS_INVALID, "ends after 12 of the 8000 values");
}
END_TEST

START_TEST(failed_writing_keeps_the_old_file) {
  struct tac_cube cube;
  struct tac_error error;
  double values[12] = {0};
  read_well(&cube, CUBE, TAC_CUBE_UNITS_BY_SIGN);
  values[7] = NAN;
  tac_put_text("old", "old");
  tac_expect_refusal(tac_cube_write("old", &cube, values, TAC_CUBE_DIGITS, &error), &error, TAC_STATUS_INVALID,
                     "the value of voxel (1, 0, 1) is not finite");
  tac_expect_refusal(tac_cube_write("old", &cube, NULL, 17, &error), &error, TAC_STATUS_INVALID, "17 digits");
  expect_file("old", "old");
  tac_expect_refusal(tac_cube_write("/dev/full", &cube, NULL, TAC_CUBE_DIGITS, &error), &error, TAC_STATUS_IO, "/dev/full");
  tac_expect_refusal(tac_cube_write("no/folder", &cube, NULL, TAC_CUBE_DIGITS, &error), &error, TAC_STATUS_IO, "no/folder");
  ck_assert_uint_eq(tac_count_files(), 2);
  tac_cube_free(&cube);
}
END_TEST

int main(void) {
  const TTest *const tests[] = {
      reads_header_atoms_and_values, forms_that_programs_write,         values_of_full_columns,
      units_by_sign_and_forced,      round_trip_is_the_same_file,       full_digits_keep_every_bit,
      refusals_name_file_and_line,   whole_cell_vectors_are_recognised, failed_writing_keeps_the_old_file,
  };
  return RUN_IN_FOLDERS("cube", tests);
}
