/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
/* Mutations of the files of a corpus, read: test_formats_fuzz CORPUS SEED MUTATIONS. The same arguments make the same files. */
#include <dirent.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "apps/volume_fmm/formats/cube.h"
#include "apps/volume_fmm/formats/gaussians.h"
#include "apps/volume_fmm/formats/npy.h"
#include "apps/volume_fmm/formats/samples.h"
#include "apps/volume_fmm/formats/targets.h"
#include "tests/formats/files.h"

enum { MOST_BYTES = 8192, MOST_FILES = 64 };

static const char *corpus;
static uint64_t seed, state;
static unsigned long mutations;

/* Steele, Lea and Flood's SplitMix64. */
static uint64_t draw(void) {
  uint64_t z = state += 0x9E3779B97F4A7C15U;
  z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9U;
  z = (z ^ z >> 27) * 0x94D049BB133111EBU;
  return z ^ z >> 31;
}

static size_t below(size_t limit) {
  return limit ? (size_t)(draw() % limit) : 0;
}

struct content {
  size_t bytes;
  char data[MOST_BYTES];
};

static void insert(struct content *content, size_t at, const char *data, size_t bytes) {
  if (bytes > MOST_BYTES - content->bytes)
    bytes = MOST_BYTES - content->bytes;
  memmove(content->data + at + bytes, content->data + at, content->bytes - at);
  memcpy(content->data + at, data, bytes);
  content->bytes += bytes;
}

static void erase(struct content *content, size_t at, size_t bytes) {
  memmove(content->data + at, content->data + at + bytes, content->bytes - at - bytes);
  content->bytes -= bytes;
}

/* Words that break readers. */
static void insert_word(struct content *content) {
  static const char *const words[] = {
      "nan",
      "-inf",
      "1e999",
      "-1",
      "0",
      " ",
      "\n",
      "\r\n",
      "\t",
      ",",
      ";",
      "#",
      "'",
      "(",
      ")",
      "{",
      "}",
      ":",
      "L",
      ".",
      "-",
      "+",
      "E",
      "d+",
      "-100",
      "4294967296",
      "18446744073709551616",
      "-9223372036854775808",
      "2147483648",
      "99999999999999999999999999",
      "1e-400",
      "0x1p3",
      "True",
      "False",
      "'shape': (",
      "'descr': '>f8'",
      "'fortran_order': True",
      "x",
      "z",
      "\xEF\xBB\xBF",
      "\x93NUMPY\1",
      "0.00000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000"};
  const char *word = words[below(sizeof words / sizeof *words)];
  insert(content, below(content->bytes + 1), word, strlen(word));
}

static void mutate(struct content *content, const struct content *other) {
  const size_t at = below(content->bytes + 1), rest = content->bytes - at;
  char piece[MOST_BYTES];
  size_t length;
  switch (below(8)) {
  case 0:
    if (rest > 0)
      content->data[at] = (char)draw();
    break;
  case 1:
    if (rest > 0)
      content->data[at] ^= (char)(1 << below(8));
    break;
  case 2:
    erase(content, at, below(rest < 40 ? rest + 1 : 40));
    break;
  case 3:
    content->bytes = at;
    break;
  case 4: /* a piece again, somewhere */
    length = below(rest < 80 ? rest + 1 : 80);
    memcpy(piece, content->data + at, length);
    insert(content, below(content->bytes + 1), piece, length);
    break;
  case 5: /* a piece of another file */
    length = below(other->bytes + 1);
    insert(content, at, other->data + other->bytes - length, below(length + 1));
    break;
  default:
    insert_word(content);
  }
}

static void check_status(enum tac_status status, const struct tac_error *error, const void *out) {
  if (status == TAC_STATUS_OK)
    return;
  ck_assert_ptr_null(out);
  ck_assert_msg(status == TAC_STATUS_INVALID, "status %s: %s", tac_status_name(status), error->text);
  ck_assert_int_eq(error->status, status);
  ck_assert_uint_gt(strlen(error->text), 20);
  for (const char *at = error->text; *at; at++)
    ck_assert_msg((unsigned char)*at >= ' ', "a control character in '%s'", error->text);
}

static void expect_finite(const double *values, size_t count) {
  for (size_t i = 0; i < count; i++)
    ck_assert(isfinite(values[i]));
}

/* What was read serves as a density with finite values, or is refused. */
static void try_samples(const struct tac_samples_grid *grid, const double *values) {
  struct tac_samples *samples = NULL;
  struct tac_error error;
  double lower[3], side, value;
  tac_error_clear(&error);
  tac_samples_domain(grid, lower, &side);
  enum tac_status status = tac_samples_create(&samples, grid, lower, side, values, &error);
  check_status(status, &error, samples);
  if (status != TAC_STATUS_OK)
    return;
  for (int axis = 0; axis < grid->dim; axis++)
    lower[axis] += 0.3 * side;
  ck_assert_int_eq(tac_samples_density(samples, 1, lower, &value, &error), TAC_STATUS_OK);
  ck_assert(isfinite(value));
  tac_samples_destroy(&samples);
}

/* Written and read again it is the same. */
static void copy_cube(const struct tac_cube *cube) {
  struct tac_cube copy = {0};
  struct tac_error error;
  ck_assert_msg(tac_cube_write("copy", cube, NULL, TAC_CUBE_FULL_DIGITS, &error) == TAC_STATUS_OK, "%s", error.text);
  ck_assert_msg(tac_cube_read(&copy, "copy", TAC_CUBE_UNITS_BY_SIGN, &error) == TAC_STATUS_OK, "%s", error.text);
  ck_assert_mem_eq(copy.values, cube->values, cube->shape[0] * cube->shape[1] * cube->shape[2] * sizeof *cube->values);
  ck_assert_mem_eq(copy.origin, cube->origin, sizeof cube->origin);
  ck_assert_mem_eq(copy.step, cube->step, sizeof cube->step);
  ck_assert_str_eq(copy.comments[0], cube->comments[0]);
  ck_assert_uint_eq(copy.atom_count, cube->atom_count);
  tac_cube_free(&copy);
}

static void read_cube(const char *path) {
  struct tac_cube cube = {0};
  struct tac_samples_grid grid = {.dim = 3};
  struct tac_error error;
  tac_error_clear(&error);
  enum tac_status status = tac_cube_read(&cube, path, (enum tac_cube_units)below(3), &error);
  check_status(status, &error, cube.values);
  if (status != TAC_STATUS_OK)
    return;
  expect_finite(cube.values, cube.shape[0] * cube.shape[1] * cube.shape[2]);
  if (below(20) == 0) /* forcing files to the disk takes its time */
    copy_cube(&cube);
  memcpy(grid.shape, cube.shape, sizeof grid.shape);
  memcpy(grid.origin, cube.origin, sizeof grid.origin);
  memcpy(grid.step, cube.step, sizeof grid.step);
  try_samples(&grid, cube.values);
  tac_cube_free(&cube);
}

static void read_npy(const char *path) {
  for (int rank = 1; rank <= 3; rank++) {
    struct tac_npy array = {0};
    struct tac_samples_grid grid;
    struct tac_error error;
    tac_error_clear(&error);
    check_status(tac_npy_read(&array, path, rank, &error), &error, array.values);
    if (array.values)
      expect_finite(array.values, array.shape[0] * array.shape[1] * array.shape[2]);
    if (array.values && rank > 1) {
      enum tac_status status = tac_samples_fit(&grid, rank, array.shape, (const double[]){0, 0, 0}, 1, &error);
      if (status == TAC_STATUS_OK)
        try_samples(&grid, array.values);
    }
    tac_npy_free(&array);
  }
}

static void read_gaussians(const char *path) {
  for (int dim = 2; dim <= 3; dim++) {
    struct tac_gaussian *list = NULL;
    struct tac_error error;
    size_t count = 0;
    tac_error_clear(&error);
    check_status(tac_gaussians_read(&list, &count, path, dim, &error), &error, list);
    for (size_t i = 0; i < count; i++)
      ck_assert(list[i].exponent > 0 && isfinite(list[i].exponent) && isfinite(list[i].amplitude));
    free(list);
  }
}

static void read_targets(const char *path) {
  for (int dim = 2; dim <= 3; dim++) {
    double *points = NULL;
    struct tac_error error;
    size_t count = 0;
    tac_error_clear(&error);
    check_status(tac_targets_read(&points, &count, path, dim, &error), &error, points);
    expect_finite(points, count * (size_t)dim);
    free(points);
  }
}

static const struct {
  const char *suffix;
  void (*read)(const char *path);
} kinds[] = {{".cube", read_cube}, {".npy", read_npy}, {".gaussians", read_gaussians}, {".targets", read_targets}};
enum { KINDS = sizeof kinds / sizeof *kinds };

static int is_of_the_corpus(const struct dirent *entry) {
  return entry->d_name[0] != '.';
}

static struct content contents[MOST_FILES];

/* The files of a kind, in the order of their names. */
static size_t load(const char *suffix) {
  struct dirent **entries;
  size_t found = 0;
  const int count = scandir(corpus, &entries, is_of_the_corpus, alphasort);
  ck_assert_msg(count > 0, "no corpus in %s", corpus);
  for (int i = 0; i < count; i++) {
    char path[4096];
    size_t bytes;
    const char *end = strrchr(entries[i]->d_name, '.');
    if (end && strcmp(end, suffix) == 0) {
      snprintf(path, sizeof path, "%s/%s", corpus, entries[i]->d_name);
      char *data = tac_get_bytes(path, &bytes);
      ck_assert(bytes <= MOST_BYTES && found < MOST_FILES);
      memcpy(contents[found].data, data, bytes);
      contents[found++].bytes = bytes;
      free(data);
    }
    free(entries[i]);
  }
  free(entries);
  return found;
}

/* A size that a file only claims is not allocated: there is not so much. Sanitizers need the room themselves. */
static void limit_memory(void) {
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  const struct rlimit limit = {1U << 30, 1U << 30};
  ck_assert_int_eq(setrlimit(RLIMIT_AS, &limit), 0);
#endif
}

START_TEST(mutations_are_read_or_refused) {
  const int kind = _i;
  const size_t files = load(kinds[kind].suffix);
  ck_assert_uint_ge(files, 2);
  limit_memory();
  state = seed + (uint64_t)kind;
  printf("# seed %llu, %zu files %s\n", (unsigned long long)seed, files, kinds[kind].suffix);
  for (size_t i = 0; i < files; i++) {
    tac_put_bytes("file", contents[i].data, contents[i].bytes);
    kinds[kind].read("file");
  }
  for (unsigned long i = 0; i < mutations; i++) {
    static struct content content;
    content = contents[below(files)];
    for (size_t n = 1 + below(4); n > 0; n--)
      mutate(&content, &contents[below(files)]);
    tac_put_bytes("file", content.data, content.bytes);
    kinds[kind].read("file");
  }
}
END_TEST

/* The corpus itself: at least one reader of each file's kind accepts it, so that mutations start from what is read. */
START_TEST(the_corpus_is_read) {
  struct tac_cube cube;
  struct tac_npy array;
  struct tac_gaussian *gaussians;
  double *points;
  size_t count;
  struct tac_error error;
  for (size_t kind = 0; kind < KINDS; kind++) {
    const size_t files = load(kinds[kind].suffix);
    for (size_t i = 0; i < files; i++) {
      int accepted = 0;
      tac_put_bytes("file", contents[i].data, contents[i].bytes);
      if (kind == 0 && tac_cube_read(&cube, "file", TAC_CUBE_UNITS_BY_SIGN, &error) == TAC_STATUS_OK) {
        accepted++;
        tac_cube_free(&cube);
      }
      for (int dim = 2; dim <= 3; dim++) {
        if (kind == 1 && tac_npy_read(&array, "file", dim, &error) == TAC_STATUS_OK) {
          accepted++;
          tac_npy_free(&array);
        }
        if (kind == 2 && tac_gaussians_read(&gaussians, &count, "file", dim, &error) == TAC_STATUS_OK) {
          accepted++;
          free(gaussians);
        }
        if (kind == 3 && tac_targets_read(&points, &count, "file", dim, &error) == TAC_STATUS_OK) {
          accepted++;
          free(points);
        }
      }
      ck_assert_msg(accepted == 1, "file %zu of %s: %s", i, kinds[kind].suffix, error.text);
    }
  }
}
END_TEST

int main(int argc, char *argv[]) {
  if (argc != 4)
    return 2;
  corpus = argv[1];
  seed = strtoull(argv[2], NULL, 10);
  mutations = strtoul(argv[3], NULL, 10);
  TCase *cases = tcase_create("fuzz");
  tcase_set_timeout(cases, 300);
  tcase_add_checked_fixture(cases, tac_enter_folder, tac_leave_folder);
  tcase_add_test(cases, the_corpus_is_read);
  tcase_add_loop_test(cases, mutations_are_read_or_refused, 0, KINDS);
  return run_cases("fuzz", cases);
}
