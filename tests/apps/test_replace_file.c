/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/program/replace_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/unit/suite.h"

/* Each test runs in a process of its own, in an empty folder made for it. */
static char folder[] = "/tmp/replace_file.XXXXXX";

static void enter_folder(void) {
  ck_assert_ptr_nonnull(mkdtemp(folder));
  ck_assert_int_eq(chdir(folder), 0);
}

static void leave_folder(void) {
  const char *const names[] = {"file", "first", "link", "pipe"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    unlink(names[i]);
  ck_assert_msg(rmdir(folder) == 0, "something is left in %s", folder);
}

static void expect_content(const char *path, const char *text) {
  char content[64] = {0};
  FILE *file = fopen(path, "r");
  ck_assert_ptr_nonnull(file);
  ck_assert_uint_eq(fread(content, 1, sizeof content - 1, file), strlen(text));
  fclose(file);
  ck_assert_str_eq(content, text);
}

static enum tac_status replace(const char *path, const char *text, struct tac_error *error) {
  tac_error_clear(error);
  return tac_replace_file(path, text, strlen(text), error);
}

START_TEST(makes_and_replaces) {
  struct tac_error error;
  struct stat info;
  umask(027);
  ck_assert_int_eq(tac_replace_file_probe("file", &error), TAC_STATUS_OK);
  ck_assert_int_eq(replace("file", "first", &error), TAC_STATUS_OK);
  expect_content("file", "first");
  ck_assert_int_eq(stat("file", &info), 0);
  ck_assert_int_eq(info.st_mode & 0777, 0640);
  ck_assert_int_eq(chmod("file", 0604), 0);
  ck_assert_int_eq(replace("file", "", &error), TAC_STATUS_OK);
  expect_content("file", "");
  ck_assert_int_eq(stat("file", &info), 0);
  ck_assert_int_eq(info.st_mode & 0777, 0604);
}
END_TEST

/* The file gets a new inode: who has the old one open still reads the old text. */
START_TEST(readers_of_the_old_file_are_not_disturbed) {
  struct tac_error error;
  char old[8] = {0};
  ck_assert_int_eq(replace("file", "old", &error), TAC_STATUS_OK);
  int reader = open("file", O_RDONLY);
  ck_assert_int_eq(replace("file", "new", &error), TAC_STATUS_OK);
  ck_assert_int_eq(read(reader, old, sizeof old), 3);
  ck_assert_str_eq(old, "old");
  close(reader);
  expect_content("file", "new");
}
END_TEST

START_TEST(links_are_followed) {
  struct tac_error error;
  struct stat info;
  ck_assert_int_eq(symlink("file", "link"), 0);
  ck_assert_int_eq(replace("file", "old", &error), TAC_STATUS_OK);
  ck_assert_int_eq(replace("link", "new", &error), TAC_STATUS_OK);
  ck_assert_int_eq(lstat("link", &info), 0);
  ck_assert(S_ISLNK(info.st_mode));
  expect_content("file", "new");
}
END_TEST

/* As one opens a file: the link stays, and what it leads to is made. */
START_TEST(links_to_nothing_are_followed) {
  struct tac_error error;
  struct stat info;
  ck_assert_int_eq(symlink("link", "first"), 0);
  ck_assert_int_eq(symlink("./file", "link"), 0);
  ck_assert_int_eq(tac_replace_file_probe("first", &error), TAC_STATUS_OK);
  ck_assert_int_eq(tac_replace_file_clash("first", "file"), 1);
  ck_assert_int_eq(replace("first", "new", &error), TAC_STATUS_OK);
  ck_assert_int_eq(lstat("first", &info), 0);
  ck_assert(S_ISLNK(info.st_mode));
  ck_assert_int_eq(lstat("file", &info), 0);
  ck_assert(S_ISREG(info.st_mode));
  expect_content("first", "new");
}
END_TEST

START_TEST(links_in_a_ring_and_out_of_the_tree_are_refused) {
  struct tac_error error;
  ck_assert_int_eq(symlink("link", "link"), 0);
  ck_assert_int_eq(tac_replace_file_probe("link", &error), TAC_STATUS_IO);
  ck_assert_int_eq(replace("link", "new", &error), TAC_STATUS_IO);
  ck_assert_int_eq(error.native_code, ELOOP);
  ck_assert_int_eq(symlink("missing/file", "first"), 0);
  ck_assert_int_eq(tac_replace_file_probe("first", &error), TAC_STATUS_IO);
  ck_assert_int_eq(error.native_code, ENOENT);
}
END_TEST

/* What is open is written on where it stands, by whatever name it goes, and never replaced. */
START_TEST(open_descriptors_are_written_to) {
  static const char *const folders[] = {"/dev/fd", "/proc/self/fd"};
  struct tac_error error;
  char path[64];
  const int file = open("file", O_RDWR | O_CREAT | O_APPEND, 0600), reader = open("file", O_RDONLY);
  ck_assert_int_eq(write(file, "before ", 7), 7);
  for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
    snprintf(path, sizeof path, "%s/%d", folders[i], file);
    ck_assert_int_eq(tac_replace_file_replaces(path), 0);
    ck_assert_int_eq(tac_replace_file_probe(path, &error), TAC_STATUS_OK);
    ck_assert_int_eq(replace(path, "text ", &error), TAC_STATUS_OK);
  }
  ck_assert_int_eq(tac_replace_file_clash(path, path), 0);
  ck_assert_int_eq(tac_replace_file_clash(path, "file"), 1);
  ck_assert_int_eq(write(file, "after", 5), 5);
  expect_content("file", "before text text after");
  snprintf(path, sizeof path, "/dev/fd/%d", reader);
  ck_assert_int_eq(tac_replace_file_probe(path, &error), TAC_STATUS_IO);
  ck_assert_int_eq(replace(path, "text", &error), TAC_STATUS_IO);
  close(reader);
  ck_assert_int_eq(tac_replace_file_probe(path, &error), TAC_STATUS_IO);
  ck_assert_int_eq(error.native_code, EBADF);
  expect_content("file", "before text text after");
  close(file);
}
END_TEST

START_TEST(one_file_has_many_names) {
  char whole[sizeof folder + 8];
  struct tac_error error;
  snprintf(whole, sizeof whole, "%s/file", folder);
  for (int exists = 0; exists < 2; exists++) {
    ck_assert_int_eq(tac_replace_file_clash("file", "./file"), 1);
    ck_assert_int_eq(tac_replace_file_clash("file", whole), 1);
    ck_assert_int_eq(tac_replace_file_clash("file", "other"), 0);
    ck_assert_int_eq(replace("file", "x", &error), TAC_STATUS_OK);
  }
  ck_assert_int_eq(symlink("file", "link"), 0);
  ck_assert_int_eq(tac_replace_file_clash("link", "file"), 1);
  ck_assert_int_eq(tac_replace_file_clash("missing/file", "missing/file"), 0); /* which cannot be written */
}
END_TEST

START_TEST(a_pipe_is_written_to) {
  struct tac_error error;
  struct stat info;
  char text[8] = {0};
  ck_assert_int_eq(mkfifo("pipe", 0600), 0);
  int reader = open("pipe", O_RDONLY | O_NONBLOCK);
  ck_assert_int_eq(tac_replace_file_probe("pipe", &error), TAC_STATUS_OK);
  ck_assert_int_eq(replace("pipe", "text", &error), TAC_STATUS_OK);
  ck_assert_int_eq(read(reader, text, sizeof text), 4);
  ck_assert_str_eq(text, "text");
  close(reader);
  ck_assert_int_eq(stat("pipe", &info), 0);
  ck_assert(S_ISFIFO(info.st_mode));
}
END_TEST

static enum tac_status fill_in_pieces(void *context, FILE *file, struct tac_error *error) {
  const int *pieces = context;
  for (int i = 0; i < *pieces; i++)
    fputs("piece ", file);
  return *pieces > 2 ? tac_error_set(error, TAC_STATUS_NUMERICAL, "test", "too many") : TAC_STATUS_OK;
}

/* A content that fails half written leaves the old one, and its own error. */
START_TEST(content_may_come_in_pieces) {
  struct tac_error error;
  ck_assert_int_eq(tac_replace_file_filled("file", fill_in_pieces, &(int){2}, &error), TAC_STATUS_OK);
  expect_content("file", "piece piece ");
  ck_assert_int_eq(tac_replace_file_filled("file", fill_in_pieces, &(int){100000}, &error), TAC_STATUS_NUMERICAL);
  ck_assert_str_eq(error.text, "too many");
  expect_content("file", "piece piece ");
  ck_assert_int_eq(tac_replace_file_filled("/dev/full", fill_in_pieces, &(int){2}, &error), TAC_STATUS_IO);
  ck_assert_ptr_nonnull(strstr(error.text, "/dev/full"));
}
END_TEST

/* The new file beside it has a name of its own, for which there is room. */
START_TEST(a_name_may_be_as_long_as_the_system_bears) {
  char name[258] = "";
  struct tac_error error;
  memset(name, 'n', 255);
  ck_assert_int_eq(tac_replace_file_probe(name, &error), TAC_STATUS_OK);
  ck_assert_int_eq(replace(name, "new", &error), TAC_STATUS_OK);
  expect_content(name, "new");
  unlink(name);
  name[255] = 'n';
  ck_assert_int_eq(tac_replace_file_probe(name, &error), TAC_STATUS_IO);
  ck_assert_int_eq(error.native_code, ENAMETOOLONG);
}
END_TEST

/* As a killed process of the same number leaves it. */
START_TEST(what_another_has_left_beside_it_stays) {
  struct tac_error error;
  char left[64];
  snprintf(left, sizeof left, "file.new-%ld-0", (long)getpid());
  ck_assert_int_eq(symlink("victim", left), 0);
  ck_assert_int_eq(replace("file", "new", &error), TAC_STATUS_OK);
  expect_content("file", "new");
  ck_assert_int_ne(access("victim", F_OK), 0);
  ck_assert_int_eq(unlink(left), 0);
}
END_TEST

START_TEST(a_file_is_told_from_another_of_its_name) {
  const int file = tac_replace_file_create("file", "none");
  ck_assert_int_ge(file, 0);
  ck_assert_int_eq(tac_replace_file_is(file, "file"), 1);
  ck_assert_int_lt(tac_replace_file_create("file", "none"), 0);
  ck_assert_int_eq(errno, EEXIST);
  ck_assert_int_eq(rename("file", "first"), 0);
  ck_assert_int_eq(tac_replace_file_is(file, "file"), 0);
  const int other = tac_replace_file_create("file", "first");
  ck_assert_int_ge(other, 0);
  ck_assert_int_eq(tac_replace_file_is(file, "file"), 0);
  close(other);
  close(file);
}
END_TEST

START_TEST(refusals_name_the_path) {
  ck_assert_int_eq(tac_replace_file_replaces("not yet"), 1);
  ck_assert_int_eq(tac_replace_file_replaces("/dev/full"), 0);
  const char *const paths[] = {"no/such/folder", ".", "/", "/dev/full", ""};
  for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
    struct tac_error error;
    ck_assert_int_eq(replace(paths[i], "text", &error), TAC_STATUS_IO);
    ck_assert_ptr_nonnull(strstr(error.text, paths[i]));
    ck_assert_int_ne(error.native_code, 0);
    if (strcmp(paths[i], "/dev/full") != 0)
      ck_assert_int_eq(tac_replace_file_probe(paths[i], &error), TAC_STATUS_IO);
  }
  ck_assert_int_eq(tac_replace_file("no/such/folder", "", 0, NULL), TAC_STATUS_IO);
}
END_TEST

int main(void) {
  const TTest *const tests[] = {
      makes_and_replaces,
      readers_of_the_old_file_are_not_disturbed,
      links_are_followed,
      links_to_nothing_are_followed,
      links_in_a_ring_and_out_of_the_tree_are_refused,
      open_descriptors_are_written_to,
      one_file_has_many_names,
      a_pipe_is_written_to,
      content_may_come_in_pieces,
      a_name_may_be_as_long_as_the_system_bears,
      what_another_has_left_beside_it_stays,
      a_file_is_told_from_another_of_its_name,
      refusals_name_the_path,
  };
  TCase *cases = tcase_create("replace_file");
  tcase_add_checked_fixture(cases, enter_folder, leave_folder);
  for (size_t i = 0; i < sizeof tests / sizeof *tests; i++)
    tcase_add_test(cases, tests[i]);
  return run_cases("replace_file", cases);
}
