/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "tests/hooks/real_counters.h"

#define KERNELS "papi:perf::TASK-CLOCK,perf::PAGE-FAULTS"

static int papi_has_the_kernels_counters(char *why, size_t bytes) {
  struct tac_hook_tool *tool;
  struct tac_error error;
  const int there = try_tool(&tool, KERNELS, &error) == TAC_STATUS_OK;
  snprintf(why, bytes, "%s", error.text);
  tac_hook_tool_destroy(&tool);
  return there;
}

START_TEST(relations_hold_on_one_lane) {
  expect_sound_figures(KERNELS, "serial", 1);
}
END_TEST

START_TEST(relations_hold_on_lanes) {
  expect_sound_figures(KERNELS, "threads", 3);
}
END_TEST

START_TEST(names_are_checked) {
  expect_refused("papi:PAPI_NO_SUCH", TAC_STATUS_INVALID, "'PAPI_NO_SUCH' is none of the ");
  expect_refused("papi:", TAC_STATUS_INVALID, "an empty name");
  expect_refused("papi:perf::TASK-CLOCK,perf::TASK-CLOCK", TAC_STATUS_INVALID, "twice");
}
END_TEST

static int find_clock(void *context, const char *name, const char *reason) {
  *(int *)context |= strstr(name, "TASK-CLOCK") != NULL && !reason;
  return 0;
}

START_TEST(the_list_has_the_clock) {
  size_t count;
  int found = 0;
  ck_assert_int_eq(tac_hook_kinds(&count)[2]->list(find_clock, &found, NULL), TAC_STATUS_OK);
  ck_assert_int_eq(found, 1);
}
END_TEST

START_TEST(the_default_set_counts) {
  struct tac_hook_tool *tool = create_tool("papi");
  struct tac_hook_figures *figures = taken_from(tool);
  ck_assert_uint_ge(figures->counters, 1);
  tac_hook_figures_destroy(&figures);
  tac_hook_tool_destroy(&tool);
}
END_TEST

int main(void) {
  const TTest *const tests[] = {relations_hold_on_one_lane, relations_hold_on_lanes, names_are_checked, the_list_has_the_clock,
                                the_default_set_counts};
  char why[256];
  skip_unless_available(2);
  if (!papi_has_the_kernels_counters(why, sizeof why)) {
    printf("1..0 # SKIP %s\n", why);
    return 0;
  }
  return RUN_SUITE("hooks papi", tests);
}
