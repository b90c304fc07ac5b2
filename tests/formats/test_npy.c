/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/volume_fmm/formats/npy.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "tests/formats/files.h"

/* A file of the format made by hand: version, dictionary, elements as they stand. */
static size_t compose(unsigned char *out, int version, const char *dictionary, const void *elements, size_t bytes) {
  const size_t length = strlen(dictionary), head = version == 1 ? 10 : 12;
  memcpy(out, "\x93NUMPY", 6);
  out[6] = (unsigned char)version;
  out[7] = 0;
  for (size_t i = 8; i < head; i++)
    out[i] = (unsigned char)(length >> 8 * (i - 8));
  memcpy(out + head, dictionary, length);
  if (bytes > 0)
    memcpy(out + head + length, elements, bytes);
  return head + length + bytes;
}

static enum tac_status read_composed(struct tac_npy *array, int rank, int version, const char *dictionary, const void *elements,
                                     size_t bytes, struct tac_error *error) {
  unsigned char file[4096];
  tac_error_clear(error);
  tac_put_bytes("array", file, compose(file, version, dictionary, elements, bytes));
  return tac_npy_read(array, "array", rank, error);
}

enum { NUMBERS = 6 };
static const double numbers[NUMBERS] = {1.5, -2, 0.25, 1024, -0.0625, 3}; /* exact in float32 */

/* The numbers as the file has them: float32 or float64, most or least significant byte first. */
static size_t store(unsigned char *out, int bytes, int big) {
  for (int i = 0; i < NUMBERS; i++) {
    const float narrow = (float)numbers[i];
    uint64_t bits = 0;
    uint32_t narrow_bits;
    memcpy(&bits, &numbers[i], sizeof bits);
    memcpy(&narrow_bits, &narrow, sizeof narrow_bits);
    if (bytes == 4)
      bits = narrow_bits;
    for (int k = 0; k < bytes; k++)
      out[i * bytes + k] = (unsigned char)(bits >> 8 * (big ? bytes - 1 - k : k));
  }
  return NUMBERS * (size_t)bytes;
}

START_TEST(every_valid_header) {
  static const struct {
    int version, bytes, big;
    const char *dictionary;
  } cases[] = {
      {1, 8, 0, "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3), }                                  \n"},
      {2, 8, 0, "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3), }\n"},
      {3, 8, 0, "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3), }\n"},
      {1, 8, 1, "{'descr': '>f8', 'fortran_order': False, 'shape': (2, 3), }\n"},
      {1, 4, 0, "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }\n"},
      {1, 4, 1, "{'descr': '>f4', 'fortran_order': False, 'shape': (2, 3), }\n"},
      {1, 8, 0, "{\"shape\":(2,3),\"fortran_order\":False,\"descr\":\"<f8\"}"}, /* another order, no blanks */
      {1, 8, 0, "{'descr': '<f8', 'fortran_order': False, 'shape': (2L, 3L)}"}, /* Python 2 */
      {1, 8, 0, " { 'descr' : '<f8' , 'fortran_order' : False , 'shape' : ( 2 , 3 , ) , } \t\n"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    unsigned char elements[NUMBERS * 8];
    struct tac_npy array;
    struct tac_error error;
    const size_t bytes = store(elements, cases[i].bytes, cases[i].big);
    ck_assert_msg(read_composed(&array, 2, cases[i].version, cases[i].dictionary, elements, bytes, &error) == TAC_STATUS_OK,
                  "case %zu: %s", i, error.text);
    ck_assert(array.rank == 2 && array.shape[0] == 2 && array.shape[1] == 3 && array.shape[2] == 1);
    ck_assert_mem_eq(array.values, numbers, sizeof numbers);
    tac_npy_free(&array);
  }
}
END_TEST

START_TEST(fortran_order_is_turned) {
  const double turned[NUMBERS] = {1.5, 0.25, -0.0625, -2, 1024, 3}; /* numbers[0], [2], [4]; [1], [3], [5] */
  unsigned char elements[NUMBERS * 8];
  struct tac_npy array;
  struct tac_error error;
  const size_t bytes = store(elements, 8, 1);
  ck_assert_int_eq(
      read_composed(&array, 2, 1, "{'descr': '>f8', 'fortran_order': True, 'shape': (2, 3), }", elements, bytes, &error),
      TAC_STATUS_OK);
  ck_assert_mem_eq(array.values, turned, sizeof turned);
  tac_npy_free(&array);
}
END_TEST

START_TEST(fortran_order_in_three_dimensions) {
  double elements[2 * 3 * 4];
  struct tac_npy array;
  struct tac_error error;
  for (int x = 0; x < 2; x++)
    for (int y = 0; y < 3; y++)
      for (int z = 0; z < 4; z++)
        elements[x + 2 * (y + 3 * z)] = 100 * x + 10 * y + z;
  ck_assert_int_eq(read_composed(&array, 3, 1, "{'descr': '<f8', 'fortran_order': True, 'shape': (2, 3, 4)}", elements,
                                 sizeof elements, &error),
                   TAC_STATUS_OK);
  for (int x = 0; x < 2; x++)
    for (int y = 0; y < 3; y++)
      for (int z = 0; z < 4; z++)
        ck_assert_double_eq(array.values[(x * 3 + y) * 4 + z], 100 * x + 10 * y + z);
  tac_npy_free(&array);
}
END_TEST

/* One element with and without the comma that makes a tuple of it. */
START_TEST(shapes_of_one_element) {
  static const char *const dictionaries[] = {"{'descr': '<f8', 'fortran_order': False, 'shape': (6,), }",
                                             "{'descr': '<f8', 'fortran_order': False, 'shape': (6), }"};
  for (int i = 0; i < 2; i++) {
    struct tac_npy array;
    struct tac_error error;
    ck_assert_int_eq(read_composed(&array, 1, 1, dictionaries[i], numbers, sizeof numbers, &error), TAC_STATUS_OK);
    ck_assert_uint_eq(array.shape[0], 6);
    ck_assert_mem_eq(array.values, numbers, sizeof numbers);
    tac_npy_free(&array);
  }
}
END_TEST

START_TEST(refusals_name_the_byte) {
  static const struct {
    const char *dictionary, *part;
    size_t bytes;
  } cases[] = {
      {"{'descr': '<i8', 'fortran_order': False, 'shape': (2, 3), }", "array, byte 20: the element type", 48},
      {"{'descr': '<c16', 'fortran_order': False, 'shape': (2, 3), }", "byte 20: the element type", 96},
      {"{'descr': '|O', 'fortran_order': False, 'shape': (2, 3), }", "byte 20: the element type", 48},
      {"{'descr': [('x', '<f8')], 'fortran_order': False, 'shape': (2, 3), }", "byte 20: the element type", 48},
      {"{'descr': '<f8', 'fortran_order': 0, 'shape': (2, 3), }", "byte 44: fortran_order is neither", 48},
      {"{'descr': '<f8', 'fortran_order': False, 'shape': (2, -3), }", "byte 64: the shape is not a tuple", 48},
      {"{'descr': '<f8', 'fortran_order': False, 'shape': [2, 3], }", "byte 60: the shape is not a tuple", 48},
      {"{'descr': '<f8', 'fortran_order': False, 'shape': (2.0, 3), }", "byte 62: the shape is not a tuple", 48},
      {"{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3, 1, 1, 1), }", "more dimensions than", 48},
      {"{'descr': '<f8', 'fortran_order': False, 'shape': (6,), }", "byte 60: the array has 1 dimension where 2", 48},
      {"{'descr': '<f8', 'fortran_order': False, 'shape': (), }", "byte 60: the array has 0 dimensions where 2", 8},
      {"{'descr': '<f8', 'fortran_order': False, 'shape': (0, 3), }", "the array is empty", 0},
      {"{'descr': '<f8', 'fortran_order': False, 'shape': (99999999999999999999, 3), }", "the shape is too large", 48},
      {"{'descr': '<f8', 'fortran_order': False, 'shape': (4294967296, 4294967296), }", "the shape is too large", 48},
      {"{'descr': '<f8', 'fortran_order': False, 'shape': (1000000, 1000000), }", "byte 81: the file ends inside the elements",
       0},
      {"{'descr': '<f8', 'fortran_order': False, 'shape': (2, 4), }", "byte 117: the file ends inside the elements", 48},
      {"{'descr': '<f8', 'fortran_order': False, 'shape': (2, 2), }", "byte 101: more bytes than the elements", 48},
      {"{'descr': '<f8', 'fortran_order': False, }", "the header lacks one of", 48},
      {"{'descr': '<f8', 'descr': '<f8', 'fortran_order': False, 'shape': (2, 3), }", "byte 27: a key of the header stands",
       48},
      {"{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3), 'more': 1}", "byte 68: the header has a key that", 48},
      {"{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3), } x", "something follows the header's dictionary", 48},
      {"{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3)", "the header's dictionary has no end", 48},
      {"{'descr' '<f8'}", "a ':' is missing", 48},
      {"{'descr': '<f8", "byte 20: the element type", 0},
      {"{'de\\scr': 1}", "byte 11: the header is no dictionary", 0},
      {"", "byte 10: the header is no dictionary", 0},
      {"[1]", "byte 10: the header is no dictionary", 0},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct tac_npy array = {0};
    struct tac_error error;
    const double elements[12] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
    tac_expect_refusal(read_composed(&array, 2, 1, cases[i].dictionary, elements, cases[i].bytes, &error), &error,
                       TAC_STATUS_INVALID, cases[i].part);
    ck_assert_ptr_null(array.values);
  }
}
END_TEST

START_TEST(values_that_are_not_finite_have_a_place) {
  const double elements[4] = {1, 2, NAN, 4}, infinite[4] = {1, -INFINITY, 3, 4};
  const char *dictionary = "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 2), }";
  struct tac_npy array = {0};
  struct tac_error error;
  tac_expect_refusal(read_composed(&array, 2, 1, dictionary, elements, sizeof elements, &error), &error, TAC_STATUS_INVALID,
                     "array, byte 85: an element that is not finite");
  tac_expect_refusal(read_composed(&array, 2, 1, dictionary, infinite, sizeof infinite, &error), &error, TAC_STATUS_INVALID,
                     "array, byte 77: an element that is not finite");
}
END_TEST

START_TEST(other_files_are_refused) {
  static const struct {
    const char *bytes;
    size_t count;
    const char *part;
  } cases[] = {
      {"", 0, "array, byte 0: the file ends inside the first 8 bytes"},
      {"\x93NUM", 4, "array, byte 4: the file ends inside the first 8 bytes"},
      {"PK\3\4 an archive", 15, "array, byte 0: this is no NumPy array"},
      {"\x93NUMPY\4\0\0\0\0\0", 12, "array, byte 6: the format version"},
      {"\x93NUMPY\1\1\0\0\0\0", 12, "array, byte 6: the format version"},
      {"\x93NUMPY\1\0\5", 9, "array, byte 9: the file ends inside the length of the header"},
      {"\x93NUMPY\1\0\377\377{", 11, "array, byte 11: the file ends inside the header"},
      {"\x93NUMPY\2\0\377\377\377\377{", 13, "array, byte 8: the header claims to be longer"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct tac_npy array = {0};
    struct tac_error error;
    tac_put_bytes("array", cases[i].bytes, cases[i].count);
    tac_expect_refusal(tac_npy_read(&array, "array", 2, &error), &error, TAC_STATUS_INVALID, cases[i].part);
  }
  struct tac_npy array = {0};
  struct tac_error error;
  tac_expect_refusal(tac_npy_read(&array, "absent", 2, &error), &error, TAC_STATUS_IO, "absent: No such file");
  tac_expect_refusal(tac_npy_read(&array, ".", 2, &error), &error, TAC_STATUS_IO, "directory");
}
END_TEST

/* Larger than the blocks in which a file is read. */
START_TEST(round_trip_of_a_large_array) {
  enum { X = 37, Y = 41, Z = 43, COUNT = X * Y * Z };
  double *values = malloc(COUNT * sizeof *values);
  struct tac_npy array;
  struct tac_error error;
  for (int i = 0; i < COUNT; i++)
    values[i] = sin(i) * exp(i % 700);
  ck_assert_int_eq(
      tac_npy_write("large", &(struct tac_npy_layout){3, {X, Y, Z}, 1, 1}, (const double *const[]){values}, &error),
      TAC_STATUS_OK);
  ck_assert_int_eq(tac_npy_read(&array, "large", 3, &error), TAC_STATUS_OK);
  ck_assert(array.shape[0] == X && array.shape[1] == Y && array.shape[2] == Z);
  ck_assert_mem_eq(array.values, values, COUNT * sizeof *values);
  tac_npy_free(&array);
  free(values);
}
END_TEST

/* Byte for byte, as the format's description has it: the dictionary ends with a line end at a multiple of 64 bytes. */
START_TEST(written_files_are_aligned) {
  const double u[] = {1, 2}, v[] = {3, 4};
  size_t bytes;
  struct tac_error error;
  ck_assert_int_eq(tac_npy_write("a", &(struct tac_npy_layout){1, {2}, 1, 1}, (const double *const[]){u}, &error),
                   TAC_STATUS_OK);
  char *file = tac_get_bytes("a", &bytes);
  ck_assert_uint_eq(bytes, 128 + 16);
  ck_assert_mem_eq(file, "\x93NUMPY\1\0\x76\0", 10);
  ck_assert_ptr_eq(strstr(file + 10, "{'descr': '<f8', 'fortran_order': False, 'shape': (2,), }  "), file + 10);
  ck_assert_int_eq(file[127], '\n');
  ck_assert_mem_eq(file + 128, u, sizeof u);
  free(file);
  ck_assert_int_eq(tac_npy_write("a", &(struct tac_npy_layout){1, {2}, 2, 1}, (const double *const[]){u, v}, &error),
                   TAC_STATUS_OK);
  file = tac_get_bytes("a", &bytes);
  ck_assert_ptr_nonnull(strstr(file + 10, "{'descr': '<c16', 'fortran_order': False, 'shape': (2,), }"));
  ck_assert_mem_eq(file + 128, ((const double[]){1, 3, 2, 4}), 32);
  free(file);
  ck_assert_int_eq(tac_npy_write("a", &(struct tac_npy_layout){2, {1, 2}, 1, 2}, (const double *const[]){u, v}, &error),
                   TAC_STATUS_OK);
  file = tac_get_bytes("a", &bytes);
  ck_assert_ptr_nonnull(strstr(file + 10, "'shape': (1, 2, 2), }"));
  ck_assert_mem_eq(file + 128, ((const double[]){1, 3, 2, 4}), 32);
  free(file);
  tac_expect_refusal(tac_npy_write("/dev/full", &(struct tac_npy_layout){1, {2}, 1, 1}, (const double *const[]){u}, &error),
                     &error, TAC_STATUS_IO, "/dev/full");
}
END_TEST

int main(void) {
  const TTest *const tests[] = {
      every_valid_header,        fortran_order_is_turned, fortran_order_in_three_dimensions,       shapes_of_one_element,
      refusals_name_the_byte,    other_files_are_refused, values_that_are_not_finite_have_a_place, round_trip_of_a_large_array,
      written_files_are_aligned,
  };
  return RUN_IN_FOLDERS("npy", tests);
}
