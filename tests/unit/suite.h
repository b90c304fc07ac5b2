/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef TESTS_UNIT_SUITE_H
#define TESTS_UNIT_SUITE_H

#include <stdlib.h>

#include <check.h>

/* Runs a suite and gives the program's exit status. */
static inline int run_cases(const char *name, TCase *cases) {
  Suite *suite = suite_create(name);
  suite_add_tcase(suite, cases);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_ENV);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

static inline int run_tests(const char *name, const TTest *const *tests, size_t count) {
  TCase *cases = tcase_create(name);
  tcase_set_timeout(cases, 60);
  for (size_t i = 0; i < count; i++)
    tcase_add_test(cases, tests[i]);
  return run_cases(name, cases);
}

#define RUN_SUITE(name, tests) run_tests(name, tests, sizeof(tests) / sizeof *(tests))

#endif
