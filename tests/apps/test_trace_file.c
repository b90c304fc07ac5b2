/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "apps/program/trace_file.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <signal.h>
#include <unistd.h>

#include <jansson.h>
#include <tactus/measure/recorder.h>

#include "tests/unit/suite.h"

static const struct tac_event event = {"phase", TAC_NO_EVENT, 0};
static const struct tac_event_set event_set = {"test", 1, &event};

/* Each test runs in a process of its own, in an empty folder made for it. */
static char folder[] = "/tmp/trace_file.XXXXXX";

static void enter_folder(void) {
  ck_assert_ptr_nonnull(mkdtemp(folder));
  ck_assert_int_eq(chdir(folder), 0);
}

static void leave_folder(void) {
  const char *const names[] = {"trace", "trace.part", "link"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    unlink(names[i]);
  ck_assert_msg(rmdir(folder) == 0, "something is left in %s", folder);
}

static void write_old(void) {
  FILE *file = fopen("trace", "w");
  fputs("old", file);
  fclose(file);
}

static int is_old(void) {
  char content[8] = {0};
  FILE *file = fopen("trace", "r");
  const size_t bytes = file ? fread(content, 1, 7, file) : 0;
  if (file)
    fclose(file);
  return bytes == 3 && strcmp(content, "old") == 0;
}

static int exists(const char *path) {
  struct stat info;
  return lstat(path, &info) == 0;
}

static struct tac_trace_file *open_trace(const char *path) {
  struct tac_trace_file *file;
  ck_assert_int_eq(tac_trace_file_open(&file, path, TAC_COARSE, NULL, NULL), TAC_STATUS_OK);
  return file;
}

static struct tac_recorder *record(const struct tac_trace_file *file, int phases) {
  struct tac_recorder_options options;
  struct tac_recorder *recorder;
  tac_recorder_options_init(&options);
  options.events = &event_set;
  options.trace = tac_trace_file_trace(file);
  ck_assert_int_eq(tac_recorder_create(&recorder, &options, NULL), TAC_STATUS_OK);
  for (int i = 0; i < phases; i++) {
    tac_recorder_enter(recorder, 0);
    tac_recorder_leave(recorder, 0);
  }
  return recorder;
}

/* How many phases a whole trace has. */
static size_t phases_in(const char *path) {
  json_error_t error;
  json_t *events = json_load_file(path, JSON_REJECT_DUPLICATES, &error);
  size_t count = 0;
  ck_assert_msg(events != NULL, "%s: %s", path, error.text);
  for (size_t i = 0; i < json_array_size(events); i++)
    count += strcmp(json_string_value(json_object_get(json_array_get(events, i), "ph")), "X") == 0;
  json_decref(events);
  return count;
}

START_TEST(a_finished_trace_replaces_the_file) {
  struct stat info;
  write_old();
  ck_assert_int_eq(chmod("trace", 0604), 0);
  struct tac_trace_file *file = open_trace("trace");
  struct tac_recorder *recorder = record(file, 3);
  ck_assert(is_old() && exists("trace.part"));
  ck_assert_int_eq(tac_trace_file_finish(file, NULL), TAC_STATUS_OK);
  ck_assert(!exists("trace.part"));
  ck_assert_uint_eq(phases_in("trace"), 3);
  ck_assert_int_eq(stat("trace", &info), 0);
  ck_assert_int_eq(info.st_mode & 0777, 0604);
  tac_recorder_enter(recorder, 0); /* what ends later is in no trace */
  tac_recorder_leave(recorder, 0);
  ck_assert_int_eq(tac_trace_file_finish(file, NULL), TAC_STATUS_OK);
  tac_trace_file_leave(file);
  tac_recorder_destroy(&recorder);
  tac_trace_file_destroy(&file);
  ck_assert_uint_eq(phases_in("trace"), 3);
  tac_trace_file_destroy(&file);
}
END_TEST

START_TEST(a_run_that_failed_leaves_what_ended) {
  write_old();
  struct tac_trace_file *file = open_trace("trace");
  struct tac_recorder *recorder = record(file, 2);
  tac_trace_file_leave(file);
  tac_recorder_destroy(&recorder);
  tac_trace_file_destroy(&file);
  ck_assert(is_old());
  ck_assert_uint_eq(phases_in("trace.part"), 2);
}
END_TEST

START_TEST(a_run_that_did_not_begin_leaves_nothing) {
  struct tac_trace_file *file = open_trace("trace");
  ck_assert(exists("trace.part"));
  tac_trace_file_destroy(&file);
  ck_assert(!exists("trace.part") && !exists("trace"));
  ck_assert_ptr_null(tac_trace_file_trace(NULL));
  ck_assert_int_eq(tac_trace_file_finish(NULL, NULL), TAC_STATUS_OK);
  tac_trace_file_leave(NULL);
}
END_TEST

START_TEST(a_link_is_followed) {
  write_old();
  ck_assert_int_eq(symlink("trace", "link"), 0);
  struct tac_trace_file *file = open_trace("link");
  struct tac_recorder *recorder = record(file, 1);
  ck_assert(exists("trace.part"));
  ck_assert_int_eq(tac_trace_file_finish(file, NULL), TAC_STATUS_OK);
  tac_recorder_destroy(&recorder);
  tac_trace_file_destroy(&file);
  struct stat info;
  ck_assert(lstat("link", &info) == 0 && S_ISLNK(info.st_mode));
  ck_assert_uint_eq(phases_in("trace"), 1);
}
END_TEST

/* Links and pipes where the part goes are not written to, and of two runs with one file the first does not take the other's. */
START_TEST(the_part_is_the_runs_own) {
  struct tac_error error;
  write_old();
  ck_assert_int_eq(symlink("trace", "new.part"), 0);
  struct tac_trace_file *file = open_trace("new"), *other = open_trace("new");
  struct tac_recorder *recorder = record(file, 1), *second = record(other, 2);
  ck_assert_int_eq(tac_trace_file_finish(file, &error), TAC_STATUS_IO);
  ck_assert_msg(strstr(error.text, "another run writes") != NULL, "%s", error.text);
  ck_assert_int_eq(tac_trace_file_finish(other, &error), TAC_STATUS_OK);
  ck_assert_uint_eq(phases_in("new"), 2);
  ck_assert(is_old() && !exists("new.part"));
  tac_recorder_destroy(&recorder);
  tac_recorder_destroy(&second);
  tac_trace_file_destroy(&file);
  tac_trace_file_destroy(&other);
  unlink("new");
}
END_TEST

/* The disk is full after 2000 bytes. */
START_TEST(a_trace_that_does_not_fit_is_removed) {
  const struct rlimit small = {2000, 2000};
  struct tac_error error;
  write_old();
  signal(SIGXFSZ, SIG_IGN);
  struct tac_trace_file *file = open_trace("trace");
  struct tac_recorder *recorder = record(file, 100);
  ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &small), 0);
  ck_assert_int_eq(tac_trace_file_finish(file, &error), TAC_STATUS_IO);
  ck_assert_str_eq(error.text, "cannot write 'trace': File too large");
  ck_assert(is_old() && !exists("trace.part"));
  tac_recorder_destroy(&recorder);
  tac_trace_file_destroy(&file);
}
END_TEST

START_TEST(what_cannot_be_opened_is_named) {
  struct tac_trace_file *file;
  struct tac_error error;
  ck_assert_int_eq(tac_trace_file_open(&file, "no/such/trace", TAC_COARSE, NULL, &error), TAC_STATUS_IO);
  ck_assert_str_eq(error.text, "cannot write 'no/such/trace': No such file or directory");
  ck_assert_ptr_null(file);
  ck_assert_int_eq(tac_trace_file_open(&file, "", TAC_COARSE, NULL, &error), TAC_STATUS_IO);
  file = open_trace("/dev/null"); /* no file to replace */
  ck_assert_int_eq(tac_trace_file_finish(file, NULL), TAC_STATUS_OK);
  tac_trace_file_destroy(&file);
  ck_assert(!exists("/dev/null.part"));
}
END_TEST

/* A trace into a descriptor goes on where its file stands. */
START_TEST(an_open_descriptor_is_written_to) {
  char path[32];
  write_old();
  const int descriptor = open("trace", O_WRONLY | O_APPEND);
  snprintf(path, sizeof path, "/dev/fd/%d", descriptor);
  struct tac_trace_file *file = open_trace(path);
  struct tac_recorder *recorder = record(file, 1);
  ck_assert_int_eq(tac_trace_file_finish(file, NULL), TAC_STATUS_OK);
  tac_recorder_destroy(&recorder);
  tac_trace_file_destroy(&file);
  ck_assert_int_eq(close(descriptor), 0);
  char *text = malloc(100000);
  FILE *stream = fopen("trace", "r");
  const size_t bytes = fread(text, 1, 100000, stream);
  fclose(stream);
  ck_assert(bytes > 3 && memcmp(text, "old", 3) == 0);
  json_t *events = json_loadb(text + 3, bytes - 3, 0, NULL);
  ck_assert(json_array_size(events) > 1);
  json_decref(events);
  free(text);
}
END_TEST

int main(void) {
  const TTest *const tests[] = {a_finished_trace_replaces_the_file,      a_run_that_failed_leaves_what_ended,
                                a_run_that_did_not_begin_leaves_nothing, a_link_is_followed,
                                a_trace_that_does_not_fit_is_removed,    the_part_is_the_runs_own,
                                what_cannot_be_opened_is_named,          an_open_descriptor_is_written_to};
  TCase *cases = tcase_create("trace_file");
  tcase_add_checked_fixture(cases, enter_folder, leave_folder);
  for (size_t i = 0; i < sizeof tests / sizeof *tests; i++)
    tcase_add_test(cases, tests[i]);
  return run_cases("trace_file", cases);
}
