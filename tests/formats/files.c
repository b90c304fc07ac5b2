/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "tests/formats/files.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static char folder[] = "/tmp/formats.XXXXXX";

void tac_enter_folder(void) {
  ck_assert_ptr_nonnull(mkdtemp(folder));
  ck_assert_int_eq(chdir(folder), 0);
}

static int is_file(const struct dirent *entry) {
  return strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
}

static size_t visit(int (*action)(const char *path)) {
  DIR *open = opendir(".");
  size_t count = 0;
  ck_assert_ptr_nonnull(open);
  for (const struct dirent *entry = readdir(open); entry; entry = readdir(open))
    if (is_file(entry)) {
      count++;
      if (action)
        action(entry->d_name);
    }
  closedir(open);
  return count;
}

void tac_leave_folder(void) {
  visit(unlink);
  ck_assert_msg(rmdir(folder) == 0, "something is left in %s", folder);
}

size_t tac_count_files(void) {
  return visit(NULL);
}

int tac_run_in_folders(const char *name, const TTest *const *tests, size_t count) {
  TCase *cases = tcase_create(name);
  tcase_set_timeout(cases, 60);
  tcase_add_checked_fixture(cases, tac_enter_folder, tac_leave_folder);
  for (size_t i = 0; i < count; i++)
    tcase_add_test(cases, tests[i]);
  return run_cases(name, cases);
}

void tac_put_bytes(const char *path, const void *data, size_t bytes) {
  FILE *file = fopen(path, "w");
  ck_assert_ptr_nonnull(file);
  ck_assert_uint_eq(fwrite(data, 1, bytes, file), bytes);
  ck_assert_int_eq(fclose(file), 0);
}

void tac_put_text(const char *path, const char *text) {
  tac_put_bytes(path, text, strlen(text));
}

char *tac_get_bytes(const char *path, size_t *bytes) {
  FILE *file = fopen(path, "r");
  ck_assert_msg(file != NULL, "no file %s", path);
  ck_assert_int_eq(fseek(file, 0, SEEK_END), 0);
  const size_t size = (size_t)ftell(file);
  rewind(file);
  char *data = malloc(size + 1);
  ck_assert_ptr_nonnull(data);
  ck_assert_uint_eq(fread(data, 1, size, file), size);
  fclose(file);
  data[size] = '\0';
  if (bytes)
    *bytes = size;
  return data;
}

void tac_expect_refusal(enum tac_status status, const struct tac_error *error, enum tac_status expected, const char *part) {
  ck_assert_msg(status == expected, "status %s, not %s: %s", tac_status_name(status), tac_status_name(expected), error->text);
  ck_assert_int_eq(error->status, expected);
  ck_assert_msg(strstr(error->text, part) != NULL, "'%s' is not in '%s'", part, error->text);
  ck_assert_ptr_null(strchr(error->text, '\n'));
}
