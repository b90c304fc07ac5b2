/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "tests/conformance/subject.h"

static const struct {
  const char *name;
  void (*add)(TCase *cases);
} groups[] = {
    {"coverage", tac_coverage_cases}, {"order", tac_order_cases},   {"failure", tac_failure_cases},
    {"nesting", tac_nesting_cases},   {"memory", tac_memory_cases},
};

int tac_battery_run(const struct tac_battery *battery) {
  enum { TIMEOUT_SECONDS = 120 };
  tac_subject = *battery;
  Suite *suite = suite_create("battery");
  for (size_t i = 0; i < sizeof groups / sizeof *groups; i++) {
    TCase *cases = tcase_create(groups[i].name);
    tcase_set_timeout(cases, TIMEOUT_SECONDS);
    groups[i].add(cases);
    suite_add_tcase(suite, cases);
  }
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_ENV);
  const int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
