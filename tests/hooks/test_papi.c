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

/* PAPI has names for what a machine cannot count: those that are listed without a reason can be. */
struct trials {
  int usable, refused;
};

static int try_listed(void *context, const char *name, const char *reason) {
  struct trials *trials = context;
  char hooks[256];
  struct tac_hook_tool *tool;
  struct tac_error error;
  snprintf(hooks, sizeof hooks, "papi:%s", name);
  trials->usable += !reason;
  if (!reason && strlen(name) < sizeof((struct tac_hook_counter *)0)->name) {
    trials->refused += try_tool(&tool, hooks, &error) != TAC_STATUS_OK;
    tac_hook_tool_destroy(&tool);
  }
  return trials->usable == 20;
}

START_TEST(what_is_listed_without_a_reason_counts) {
  size_t count;
  struct trials trials = {0};
  ck_assert_int_eq(tac_hook_kinds(&count)[2]->list(try_listed, &trials, NULL), TAC_STATUS_OK);
  ck_assert_int_gt(trials.usable, 0);
  ck_assert_int_eq(trials.refused, 0);
}
END_TEST

START_TEST(the_clock_has_its_unit) {
  struct tac_hook_tool *tool = create_tool(KERNELS);
  struct tac_hook_figures *figures = taken_from(tool);
  ck_assert_str_eq(figures->counter[0].unit, "ns");
  ck_assert_str_eq(figures->counter[1].unit, "");
  tac_hook_figures_destroy(&figures);
  tac_hook_tool_destroy(&tool);
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
  const TTest *const tests[] = {relations_hold_on_one_lane,
                                relations_hold_on_lanes,
                                names_are_checked,
                                the_list_has_the_clock,
                                what_is_listed_without_a_reason_counts,
                                the_clock_has_its_unit,
                                the_default_set_counts};
  char why[256];
  skip_unless_available(2);
  if (!papi_has_the_kernels_counters(why, sizeof why)) {
    printf("1..0 # SKIP %s\n", why);
    return 0;
  }
  return RUN_SUITE("hooks papi", tests);
}
