/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef TESTS_UNIT_SUITE_H
#define TESTS_UNIT_SUITE_H

#include <stdlib.h>

#include <check.h>

/* Runs one suite of one case list and gives the program's exit status. */
static inline int run_suite(const char *name, const TTest *const *tests, size_t count, double timeout_seconds) {
  Suite *suite = suite_create(name);
  TCase *cases = tcase_create(name);
  tcase_set_timeout(cases, timeout_seconds);
  for (size_t i = 0; i < count; i++)
    tcase_add_test(cases, tests[i]);
  suite_add_tcase(suite, cases);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_ENV);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

#define RUN_SUITE(name, tests) run_suite(name, tests, sizeof(tests) / sizeof *(tests), 60)

#endif
