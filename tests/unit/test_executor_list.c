/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <tactus/runtime/executor.h>

#include <stdio.h>
#include <string.h>

#include "tests/unit/suite.h"

START_TEST(every_row_is_complete) {
  size_t count;
  const struct tac_executor *const *list = tac_executor_list(&count);
  ck_assert_uint_ge(count, 2);
  for (size_t i = 0; i < count; i++) {
    const struct tac_executor *row = list[i];
    ck_assert_uint_eq(row->abi, TAC_EXECUTOR_ABI);
    ck_assert_uint_gt(strlen(row->name), 0);
    ck_assert_uint_gt(strlen(row->summary), 0);
    ck_assert_ptr_null(strchr(row->summary, '\n'));
    ck_assert(row->probe && row->create && row->destroy && row->lanes && row->run);
  }
}
END_TEST

START_TEST(names_are_unique_and_found) {
  size_t count;
  const struct tac_executor *const *list = tac_executor_list(&count);
  for (size_t i = 0; i < count; i++) {
    for (size_t j = 0; j < i; j++)
      ck_assert_str_ne(list[i]->name, list[j]->name);
    const struct tac_executor *found = NULL;
    ck_assert_int_eq(tac_executor_find(&found, list[i]->name, NULL), TAC_STATUS_OK);
    ck_assert_ptr_eq(found, list[i]);
  }
}
END_TEST

/* A row that cannot run here says why in its probe, and its creation refuses in the same way. */
START_TEST(probe_and_create_agree) {
  size_t count;
  const struct tac_executor *const *list = tac_executor_list(&count);
  struct tac_executor_options options;
  tac_executor_options_init(&options);
  for (size_t i = 0; i < count; i++) {
    struct tac_error error;
    tac_error_clear(&error);
    enum tac_status status = list[i]->probe(&error);
    void *state = NULL;
    ck_assert_int_eq(list[i]->create(&state, &options, NULL), status);
    if (status == TAC_STATUS_OK) {
      ck_assert_ptr_nonnull(state);
      ck_assert_int_ge(list[i]->lanes(state), 1);
      list[i]->destroy(state);
    } else {
      ck_assert_int_eq(status, TAC_STATUS_UNAVAILABLE);
      ck_assert_uint_gt(strlen(error.text), 0);
    }
  }
}
END_TEST

START_TEST(a_slip_gets_the_nearest_name) {
  static const struct {
    const char *typed, *meant;
  } slips[] = {{"seriel", "serial"}, {"Serial", "serial"}, {"opnmp", "openmp"}, {"openMP", "openmp"}, {"thread", "threads"}};
  for (size_t i = 0; i < sizeof slips / sizeof *slips; i++) {
    const struct tac_executor *found = NULL;
    struct tac_error error;
    ck_assert_int_eq(tac_executor_find(&found, slips[i].typed, &error), TAC_STATUS_INVALID);
    ck_assert_ptr_null(found);
    ck_assert_ptr_nonnull(strstr(error.text, slips[i].typed));
    char suggestion[64];
    snprintf(suggestion, sizeof suggestion, "did you mean '%s'?", slips[i].meant);
    ck_assert_ptr_nonnull(strstr(error.text, suggestion));
  }
}
END_TEST

START_TEST(a_stranger_gets_the_whole_list) {
  static const char *const strangers[] = {"zzzzzzzzzzzz", "gpu", "cpu", "omp", "host", ""};
  size_t count;
  const struct tac_executor *const *list = tac_executor_list(&count);
  for (size_t k = 0; k < sizeof strangers / sizeof *strangers; k++) {
    const struct tac_executor *found = NULL;
    struct tac_error error;
    ck_assert_int_eq(tac_executor_find(&found, strangers[k], &error), TAC_STATUS_INVALID);
    ck_assert_msg(!strstr(error.text, "did you mean"), "%s: %s", strangers[k], error.text);
    for (size_t i = 0; i < count; i++)
      ck_assert_ptr_nonnull(strstr(error.text, list[i]->name));
  }
}
END_TEST

START_TEST(find_refuses_nothing) {
  const struct tac_executor *found;
  ck_assert_int_eq(tac_executor_find(&found, NULL, NULL), TAC_STATUS_INVALID);
  ck_assert_int_eq(tac_executor_find(NULL, "serial", NULL), TAC_STATUS_INVALID);
}
END_TEST

int main(void) {
  const TTest *const tests[] = {
      every_row_is_complete,        names_are_unique_and_found,     probe_and_create_agree,
      a_slip_gets_the_nearest_name, a_stranger_gets_the_whole_list, find_refuses_nothing,
  };
  return RUN_SUITE("executor_list", tests);
}
