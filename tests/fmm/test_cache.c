/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "apps/fmm/cache.h"
#include "tests/unit/suite.h"

static char folder[64];

static void make_folder(void) {
  snprintf(folder, sizeof folder, "/tmp/tactus_cache_XXXXXX");
  ck_assert_ptr_nonnull(mkdtemp(folder));
}

static void path_in(char *out, size_t size, const char *name) {
  ck_assert_int_lt(snprintf(out, size, "%s/%s", folder, name), (int)size);
}

/* Names of the files of the folder; their number. */
static int list(char names[8][64]) {
  DIR *directory = opendir(folder);
  ck_assert_ptr_nonnull(directory);
  int count = 0;
  for (const struct dirent *entry; (entry = readdir(directory));)
    if (entry->d_name[0] != '.' && count < 8)
      snprintf(names[count++], 64, "%.63s", entry->d_name);
  closedir(directory);
  return count;
}

static void remove_folder(void) {
  char names[8][64], path[256];
  const int count = list(names);
  for (int i = 0; i < count; i++) {
    path_in(path, sizeof path, names[i]);
    remove(path);
  }
  rmdir(folder);
}

static size_t read_file(const char *path, char *out, size_t most) {
  FILE *file = fopen(path, "rb");
  ck_assert_ptr_nonnull(file);
  const size_t size = fread(out, 1, most, file);
  fclose(file);
  return size;
}

static void write_file(const char *path, const char *bytes, size_t size) {
  FILE *file = fopen(path, "wb");
  ck_assert_ptr_nonnull(file);
  ck_assert_uint_eq(fwrite(bytes, 1, size, file), size);
  fclose(file);
}

#define COUNT 7
static const double numbers[COUNT] = {1.5, -0.0, 1e-308, 3, 7e200, -1.0 / 3, 42};
static const char key[] = "numbers of a test, layout 1";

static void expect_kept(const char *where, const char *name) {
  double back[COUNT];
  ck_assert_int_eq(tac_cache_load(where, name, back, COUNT), 1);
  const unsigned char *got = (const unsigned char *)back, *kept = (const unsigned char *)numbers;
  for (size_t i = 0; i < sizeof back; i++) /* bit for bit */
    ck_assert_uint_eq(got[i], kept[i]);
}

static void only_file(char *path, size_t size) {
  char names[8][64];
  ck_assert_int_eq(list(names), 1);
  path_in(path, size, names[0]);
}

START_TEST(round_trip) {
  double back[COUNT];
  ck_assert_int_eq(tac_cache_load(folder, key, back, COUNT), 0);
  ck_assert_int_eq(tac_cache_store(folder, key, numbers, COUNT), 1);
  expect_kept(folder, key);
  ck_assert_int_eq(tac_cache_load(folder, "another key", back, COUNT), 0);
  ck_assert_int_eq(tac_cache_load(folder, key, back, COUNT - 1), 0);
  ck_assert_int_eq(tac_cache_store(folder, "nothing", NULL, 0), 1);
  ck_assert_int_eq(tac_cache_load(folder, "nothing", NULL, 0), 1);
}
END_TEST

START_TEST(no_folder_keeps_nothing) {
  double back[COUNT];
  ck_assert_int_eq(tac_cache_store(NULL, key, numbers, COUNT), 0);
  ck_assert_int_eq(tac_cache_load(NULL, key, back, COUNT), 0);
}
END_TEST

/* Every single bit, version, sizes, checksum and key among them. */
START_TEST(a_flipped_bit_is_not_trusted) {
  char path[256], bytes[512];
  double back[COUNT];
  ck_assert_int_eq(tac_cache_store(folder, key, numbers, COUNT), 1);
  only_file(path, sizeof path);
  const size_t size = read_file(path, bytes, sizeof bytes);
  ck_assert_uint_lt(size, sizeof bytes);
  for (size_t bit = 0; bit < 8 * size; bit++) {
    bytes[bit / 8] = (char)(bytes[bit / 8] ^ 1 << bit % 8);
    write_file(path, bytes, size);
    ck_assert_msg(!tac_cache_load(folder, key, back, COUNT), "bit %zu", bit);
    bytes[bit / 8] = (char)(bytes[bit / 8] ^ 1 << bit % 8);
  }
  ck_assert_int_eq(tac_cache_store(folder, key, numbers, COUNT), 1);
  expect_kept(folder, key);
}
END_TEST

START_TEST(another_length_is_not_trusted) {
  char path[256], bytes[512];
  double back[COUNT];
  ck_assert_int_eq(tac_cache_store(folder, key, numbers, COUNT), 1);
  only_file(path, sizeof path);
  memset(bytes, 0, sizeof bytes);
  const size_t size = read_file(path, bytes, sizeof bytes);
  for (size_t length = 0; length < size + 9; length++) {
    write_file(path, bytes, length);
    ck_assert_int_eq(tac_cache_load(folder, key, back, COUNT), length == size);
  }
}
END_TEST

/* A sound file under the name of another key of the same length. */
START_TEST(a_file_of_another_key_is_not_trusted) {
  char names[8][64], first[256], path[256], bytes[512], other[sizeof key];
  double back[COUNT];
  memcpy(other, key, sizeof key);
  other[0] = 'N';
  ck_assert_int_eq(tac_cache_store(folder, key, numbers, COUNT), 1);
  only_file(first, sizeof first);
  const size_t size = read_file(first, bytes, sizeof bytes);
  ck_assert_int_eq(tac_cache_store(folder, other, numbers, COUNT), 1);
  ck_assert_int_eq(list(names), 2);
  for (int i = 0; i < 2; i++) {
    path_in(path, sizeof path, names[i]);
    write_file(path, bytes, size);
  }
  ck_assert_int_eq(tac_cache_load(folder, other, back, COUNT), 0);
  expect_kept(folder, key);
}
END_TEST

START_TEST(things_that_are_no_files_are_not_read) {
  char path[256];
  double back[COUNT];
  ck_assert_int_eq(tac_cache_store(folder, key, numbers, COUNT), 1);
  only_file(path, sizeof path);
  ck_assert_int_eq(unlink(path), 0);
  ck_assert_int_eq(mkfifo(path, 0600), 0);
  ck_assert_int_eq(tac_cache_load(folder, key, back, COUNT), 0);
  ck_assert_int_eq(unlink(path), 0);
  ck_assert_int_eq(mkdir(path, 0700), 0);
  ck_assert_int_eq(tac_cache_load(folder, key, back, COUNT), 0);
  ck_assert_int_eq(tac_cache_store(folder, key, numbers, COUNT), 0);
}
END_TEST

START_TEST(missing_folders_are_made) {
  char deep[128], middle[128];
  snprintf(middle, sizeof middle, "%s/a", folder);
  snprintf(deep, sizeof deep, "%s/a/b/", folder);
  ck_assert_int_eq(tac_cache_store(deep, key, numbers, COUNT), 1);
  expect_kept(deep, key);
  char command[256];
  snprintf(command, sizeof command, "rm -r '%s'", middle);
  ck_assert_int_eq(system(command), 0); // NOLINT(cert-env33-c)
}
END_TEST

START_TEST(folders_that_cannot_be_written_keep_nothing) {
  double back[COUNT];
  char path[256];
  path_in(path, sizeof path, "file");
  write_file(path, "x", 1);
  ck_assert_int_eq(tac_cache_store(path, key, numbers, COUNT), 0);
  ck_assert_int_eq(tac_cache_load(path, key, back, COUNT), 0);
  ck_assert_int_eq(tac_cache_store("/proc/tactus", key, numbers, COUNT), 0);
  ck_assert_int_eq(tac_cache_load("/proc/tactus", key, back, COUNT), 0);
  static char longest[5000];
  memset(longest, 'a', sizeof longest - 1);
  ck_assert_int_eq(tac_cache_store(longest, key, numbers, COUNT), 0);
  if (geteuid() != 0) { /* permissions do not bind root */
    ck_assert_int_eq(chmod(folder, 0500), 0);
    ck_assert_int_eq(tac_cache_store(folder, key, numbers, COUNT), 0);
    ck_assert_int_eq(chmod(folder, 0700), 0);
  }
}
END_TEST

/* Writers of two different arrays and a reader, all at once: the reader sees one or the other, whole. */
static void write_often(int which) {
  static double many[4000];
  for (int i = 0; i < 4000; i++)
    many[i] = which;
  for (int round = 0; round < 50; round++)
    if (!tac_cache_store(folder, key, many, 4000))
      _exit(1);
  _exit(0);
}

START_TEST(processes_share_a_folder) {
  static double back[4000];
  pid_t child[3];
  for (int i = 0; i < 3; i++) {
    child[i] = fork();
    if (child[i] == 0)
      write_often(i);
    ck_assert_int_gt(child[i], 0);
  }
  int seen = 0;
  for (int round = 0; round < 400; round++)
    if (tac_cache_load(folder, key, back, 4000)) {
      seen++;
      for (int i = 1; i < 4000; i++)
        ck_assert(back[i] == back[0]);
    } else {
      ck_assert_int_eq(seen, 0);
    }
  for (int i = 0; i < 3; i++) {
    int status;
    ck_assert_int_eq(waitpid(child[i], &status, 0), child[i]);
    ck_assert_int_eq(status, 0);
  }
  ck_assert_int_eq(tac_cache_load(folder, key, back, 4000), 1);
  char path[256];
  only_file(path, sizeof path); /* no temporary file is left */
}
END_TEST

int main(void) {
  TCase *cases = tcase_create("cache");
  tcase_set_timeout(cases, 60);
  tcase_add_checked_fixture(cases, make_folder, remove_folder);
  tcase_add_test(cases, round_trip);
  tcase_add_test(cases, no_folder_keeps_nothing);
  tcase_add_test(cases, a_flipped_bit_is_not_trusted);
  tcase_add_test(cases, another_length_is_not_trusted);
  tcase_add_test(cases, a_file_of_another_key_is_not_trusted);
  tcase_add_test(cases, things_that_are_no_files_are_not_read);
  tcase_add_test(cases, missing_folders_are_made);
  tcase_add_test(cases, folders_that_cannot_be_written_keep_nothing);
  tcase_add_test(cases, processes_share_a_folder);
  return run_cases("cache", cases);
}
