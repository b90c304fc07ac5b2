/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <tactus/runtime/dense.h>

#include <ctype.h>
#include <string.h>

#include "tests/unit/suite.h"

START_TEST(info_names_the_blas) {
  struct tac_blas_info info = tac_blas_info();
  ck_assert_uint_gt(strlen(info.name), 0);
  ck_assert_uint_gt(strlen(info.kernel), 0);
  if (strcmp(info.name, "unknown") == 0)
    return;
  ck_assert_int_eq(strncmp(info.name, "OpenBLAS ", 9), 0);
  ck_assert(isdigit((unsigned char)info.name[9]));
  ck_assert_ptr_null(strchr(info.name + 9, ' '));
  ck_assert_int_ge(info.threads, 1);
}
END_TEST

START_TEST(set_threads_says_what_is_in_force) {
  int before = tac_blas_info().threads;
  if (before == 0) {
    ck_assert_int_eq(tac_blas_set_threads(1), 0);
    return;
  }
  ck_assert_int_eq(tac_blas_set_threads(0), before);
  ck_assert_int_eq(tac_blas_set_threads(1), 1);
  ck_assert_int_eq(tac_blas_info().threads, 1);
  ck_assert_int_eq(tac_blas_set_threads(-5), 1);
}
END_TEST

int main(void) {
  const TTest *const tests[] = {info_names_the_blas, set_threads_says_what_is_in_force};
  return RUN_SUITE("dense", tests);
}
