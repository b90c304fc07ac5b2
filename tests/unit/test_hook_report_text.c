/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "tests/unit/hook_figures.h"

START_TEST(phases_are_indented_and_items_follow) {
  struct tac_hook_figures *figures = filled_figures();
  ck_assert_str_eq(told(tac_hook_report_text, figures),
                   "phase         count     clock  faults  energy (nJ)\n"
                   "run               1  5.000 ms      12           -3\n"
                   "  solve           2  4.000 µs       7            1\n"
                   "    o\"d\\x01\xef\xbf\xbd      3     17 ns       0            0\n"
                   "\n"
                   "items of  items     clock  faults  energy (nJ)\n"
                   "solve       100  1.500 µs       7            2\n"
                   "Hooks fake: a phase is of the thread that drives it and contains those indented below it, items are of all "
                   "lanes.\n");
  tac_hook_figures_destroy(&figures);
}
END_TEST

START_TEST(hooks_without_counters_have_no_table) {
  struct tac_hook_figures *figures = create_figures();
  figures->phase[RUN].count = 3;
  ck_assert_str_eq(told(tac_hook_report_text, figures), "Hooks fake: called by 3 phases and 0 items.\n");
  figures->phase[RUN].count = 0;
  figures->phase[SOLVE].count = 1;
  figures->item[SOLVE].count = 1;
  ck_assert_str_eq(told(tac_hook_report_text, figures), "Hooks fake: called by 1 phase and 1 item.\n");
  tac_hook_figures_destroy(&figures);
}
END_TEST

/* 250 of 1000 in a phase, 100 of 1000 in items. */
START_TEST(scaled_values_notes_and_failures_are_told) {
  struct tac_hook_figures *figures = filled_figures();
  figures->phase[RUN].value[0] = (struct tac_hook_value){400, 1000, 250};
  figures->item[SOLVE].value[1] = (struct tac_hook_value){400, 1000, 100};
  strcpy(figures->note, "No profiler");
  figures->failures = 2;
  strcpy(figures->failure, "too many\nfiles");
  const char *text = told(tac_hook_report_text, figures);
  const char *shares =
      strstr(text, "Counters took turns: values are scaled up from the part of the time in which they counted, "
                   "at least 10.0 %.\n");
  const char *note = strstr(text, "\nNo profiler.\n");
  const char *failure =
      strstr(text, "\nSums lack the part of threads whose hooks failed, 2 in all; the first: too many\\x0afiles.\n");
  ck_assert_ptr_nonnull(shares);
  ck_assert(shares < note && note < failure);
  tac_hook_figures_destroy(&figures);
}
END_TEST

START_TEST(refusals) {
  expect_refusals(tac_hook_report_text);
}
END_TEST

int main(void) {
  const TTest *const tests[] = {phases_are_indented_and_items_follow, hooks_without_counters_have_no_table,
                                scaled_values_notes_and_failures_are_told, refusals};
  return RUN_SUITE("hook report text", tests);
}
