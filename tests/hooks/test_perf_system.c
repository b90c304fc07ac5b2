/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors
 *
 * The kernel's own counters, which a virtual machine has too. */
#include "tests/hooks/real_counters.h"

#include <dirent.h>

START_TEST(relations_hold_on_one_lane) {
  expect_sound_figures("perf:task-clock,page-faults", "serial", 1);
}
END_TEST

START_TEST(relations_hold_on_lanes) {
  expect_sound_figures("perf:task-clock,page-faults", "threads", 3);
}
END_TEST

START_TEST(the_default_set_counts) {
  struct tac_hook_tool *tool = create_tool("perf");
  struct tac_hook_figures *figures = taken_from(tool);
  ck_assert_uint_ge(figures->counters, 2);
  tac_hook_figures_destroy(&figures);
  tac_hook_tool_destroy(&tool);
}
END_TEST

static int open_files(void) {
  int count = 0;
  DIR *folder = opendir("/proc/self/fd");
  while (readdir(folder))
    count++;
  closedir(folder);
  return count;
}

START_TEST(no_descriptor_is_left_open) {
  const int before = open_files();
  expect_sound_figures("perf:task-clock,page-faults", "threads", 2);
  ck_assert_int_eq(open_files(), before);
}
END_TEST

int main(void) {
  const TTest *const tests[] = {relations_hold_on_one_lane, relations_hold_on_lanes, the_default_set_counts,
                                no_descriptor_is_left_open};
  skip_unless_available(1);
  return RUN_SUITE("hooks perf system", tests);
}
