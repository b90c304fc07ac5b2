/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors
 *
 * perf over a kernel that the test drives. */
#include "measure/hooks/perf_events.h"

#include "tests/hooks/fake_kernel.h"
#include "tests/hooks/tools.h"

/* One phase in which the counters are enabled for 1000 ns and the hardware's count for `counted_ns` of them. */
static struct tac_hook_figures *one_phase(struct tac_hook_tool *tool, uint64_t counted_ns) {
  struct tac_recorder *recorder = recorder_of(tool);
  tac_recorder_enter(recorder, RUN);
  fake_kernel_add("cycles", 100);
  fake_kernel_add("task-clock", 100);
  fake_kernel_pass(1000, counted_ns);
  tac_recorder_leave(recorder, RUN);
  tac_recorder_destroy(&recorder);
  return taken_from(tool);
}

START_TEST(counters_that_take_turns_are_scaled) {
  static const struct {
    uint64_t counted_ns;
    int64_t cycles;
  } cases[] = {{1000, 100}, {250, 400}, {0, 0}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct tac_hook_tool *tool = create_tool("perf:cycles,task-clock");
    struct tac_hook_figures *figures = one_phase(tool, cases[i].counted_ns);
    expect_sum(&figures->phase[RUN], 1, cases[i].cycles, 100);
    ck_assert_int_eq(figures->phase[RUN].value[0].enabled_ns, 1000);
    ck_assert_int_eq(figures->phase[RUN].value[0].counted_ns, (int64_t)cases[i].counted_ns);
    ck_assert_int_eq(figures->phase[RUN].value[1].counted_ns, 1000);
    tac_hook_figures_destroy(&figures);
    tac_hook_tool_destroy(&tool);
  }
}
END_TEST

/* The kernel of the test refuses a group of two families; a read a group is what a phase costs. */
START_TEST(a_family_is_one_group_read_at_once) {
  static const struct {
    const char *hooks;
    int groups;
  } cases[] = {{"perf:cycles", 1},
               {"perf:cycles,instructions", 1},
               {"perf:instructions,task-clock,cycles,page-faults", 2},
               {"perf:cycles,cache-misses,branches,task-clock,instructions,cache-references,branch-misses", 4},
               {"perf:L1-dcache-loads,dTLB-loads,L1-dcache-load-misses", 2}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct tac_hook_tool *tool = create_tool(cases[i].hooks);
    const int before = fake_kernel_groups();
    struct tac_hook_figures *figures = one_phase(tool, 1000);
    ck_assert_int_eq(fake_kernel_groups() - before, cases[i].groups);
    tac_hook_figures_destroy(&figures);
    const int reads = fake_kernel_reads();
    figures = one_phase(tool, 1000);
    ck_assert_int_eq(fake_kernel_groups() - before, cases[i].groups);
    ck_assert_int_eq(fake_kernel_reads() - reads, 2 * cases[i].groups);
    ck_assert_uint_eq(figures->failures, 0);
    for (size_t c = 0; c < figures->counters; c++) {
      const int counts = strcmp(figures->counter[c].name, "cycles") == 0 || strcmp(figures->counter[c].name, "task-clock") == 0;
      ck_assert_int_eq(figures->phase[RUN].value[c].value, counts ? 100 : 0);
      ck_assert_str_eq(figures->counter[c].unit, strcmp(figures->counter[c].name, "task-clock") == 0 ? "ns" : "");
    }
    tac_hook_figures_destroy(&figures);
    tac_hook_tool_destroy(&tool);
  }
}
END_TEST

START_TEST(without_names_all_that_there_are_count) {
  struct tac_hook_tool *tool = create_tool("perf");
  struct tac_hook_figures *figures = one_phase(tool, 1000);
  ck_assert_uint_eq(figures->counters, 9);
  ck_assert_str_eq(figures->counter[0].name, "cycles");
  ck_assert_str_eq(figures->counter[8].name, "context-switches");
  ck_assert_str_eq(figures->note, "Hardware counters are of the program's own part, not of the kernel's. What a reading of the "
                                  "counters takes, the median at each thread's start, is taken off; what one took beyond that "
                                  "is left in");
  tac_hook_figures_destroy(&figures);
  tac_hook_tool_destroy(&tool);
}
END_TEST

START_TEST(a_machine_without_hardware_counters_has_the_kernels) {
  fake_kernel_take_hardware();
  struct tac_hook_tool *tool = create_tool("perf");
  struct tac_hook_figures *figures = one_phase(tool, 1000);
  ck_assert_uint_eq(figures->counters, 3);
  ck_assert_str_eq(figures->counter[0].name, "task-clock");
  ck_assert_str_eq(figures->counter[1].name, "page-faults");
  ck_assert_ptr_nonnull(strstr(figures->note, "Not counted: cycles: "));
  ck_assert_ptr_nonnull(strstr(figures->note, "; nor are 5 others"));
  tac_hook_figures_destroy(&figures);
  tac_hook_tool_destroy(&tool);
  expect_refused("perf:cycles", TAC_STATUS_UNAVAILABLE, "as most virtual ones");
}
END_TEST

/* perf_event_paranoid 2: the user's part alone, and nothing that happens in the kernel only. */
START_TEST(what_the_user_may_not_count_is_refused_or_counted_in_part) {
  fake_kernel_forbid(EACCES, 0, 2);
  struct tac_hook_tool *tool = create_tool("perf:task-clock,page-faults,cycles");
  struct tac_hook_figures *figures = one_phase(tool, 1000);
  ck_assert_int_eq(figures->phase[RUN].value[0].value, 100);
  tac_hook_figures_destroy(&figures);
  tac_hook_tool_destroy(&tool);
  expect_refused("perf:context-switches", TAC_STATUS_UNAVAILABLE,
                 "kernel.perf_event_paranoid is 2, and 1 or less is needed, or CAP_PERFMON");
}
END_TEST

START_TEST(a_system_that_forbids_all_is_refused) {
  static const struct {
    int number, paranoid;
    const char *text;
  } cases[] = {{EACCES, 3, "kernel.perf_event_paranoid is 3, and 2 or less is needed, or CAP_PERFMON"},
               {EPERM, 2, "perhaps a container forbids perf_event_open"},
               {ENOSYS, 2, "the kernel is built without perf_event"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct tac_error error;
    fake_kernel_forbid(cases[i].number, 1, cases[i].paranoid);
    expect_refused("perf", TAC_STATUS_UNAVAILABLE, cases[i].text);
    expect_refused("perf:task-clock", TAC_STATUS_UNAVAILABLE, cases[i].text);
    struct tac_hook_tool *tool;
    ck_assert_int_eq(try_tool(&tool, "perf", &error), TAC_STATUS_UNAVAILABLE);
    ck_assert_int_eq(error.native_code, cases[i].number);
  }
}
END_TEST

START_TEST(names_are_checked) {
  expect_refused("perf:", TAC_STATUS_INVALID, "an empty name");
  expect_refused("perf:cycles,,branches", TAC_STATUS_INVALID, "an empty name");
  expect_refused("perf:cycles,", TAC_STATUS_INVALID, "an empty name");
  expect_refused("perf:cycles,branches,cycles", TAC_STATUS_INVALID, "names cycles twice");
  expect_refused("perf:cycle", TAC_STATUS_INVALID, "'cycle' is none of the 16 counters here: cycles, instructions, ");
  expect_refused("perf:cycle", TAC_STATUS_INVALID, ", branch-misses, L1-dcache-loads, ..."); /* as many as a line holds */
  expect_refused("perf:a,b,c,d,e,f,g,h,i,j,k,l,m", TAC_STATUS_INVALID, "names more than 12 counters");
  expect_refused("perf:aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", TAC_STATUS_INVALID,
                 "is longer than");
  expect_refused("perv", TAC_STATUS_INVALID, "'perv' is none of nvtx, perf, papi");
  expect_refused("", TAC_STATUS_INVALID, "'' is none of nvtx, perf, papi");
  expect_refused("perfect", TAC_STATUS_INVALID, "'perfect' is none of");
}
END_TEST

START_TEST(a_reading_of_another_size_is_a_failure) {
  struct tac_hook_tool *tool = create_tool("perf:cycles,task-clock");
  fake_kernel_cut_reads();
  struct tac_hook_figures *figures = one_phase(tool, 1000);
  expect_sum(&figures->phase[RUN], 1, 0, 0);
  ck_assert_uint_eq(figures->failures, 1);
  ck_assert_str_eq(figures->failure, "the kernel gave 24 bytes of counters, and 32 were expected");
  tac_hook_figures_destroy(&figures);
  tac_hook_tool_destroy(&tool);
}
END_TEST

struct listed {
  int all, missing;
};

static int note_listed(void *context, const char *name, const char *reason) {
  struct listed *listed = context;
  ck_assert_ptr_nonnull(tac_perf_event_find(name));
  ck_assert(!reason || strncmp(reason, strerror(ENOENT), strlen(strerror(ENOENT))) == 0);
  listed->all++;
  listed->missing += reason != NULL;
  return listed->all == 12;
}

START_TEST(the_list_says_what_is_missing) {
  size_t count, kinds;
  struct listed listed = {0};
  const struct tac_hook_kind *const *kind = tac_hook_kinds(&kinds);
  tac_perf_events(&count);
  ck_assert_uint_eq(kinds, 3);
  ck_assert_uint_gt(count, 12);
  ck_assert_str_eq(kind[1]->name, "perf");
  fake_kernel_take_hardware();
  ck_assert_int_eq(kind[1]->list(note_listed, &listed, NULL), TAC_STATUS_OK);
  ck_assert_int_eq(listed.all, 12); /* no more than it takes */
  ck_assert_int_eq(listed.missing, 10);
  fake_kernel_forbid(EPERM, 1, 2);
  ck_assert_int_eq(kind[1]->list(note_listed, &listed, NULL), TAC_STATUS_UNAVAILABLE);
  ck_assert_int_eq(listed.all, 12);
}
END_TEST

int main(void) {
  const TTest *const tests[] = {counters_that_take_turns_are_scaled,
                                a_family_is_one_group_read_at_once,
                                without_names_all_that_there_are_count,
                                a_machine_without_hardware_counters_has_the_kernels,
                                what_the_user_may_not_count_is_refused_or_counted_in_part,
                                a_system_that_forbids_all_is_refused,
                                names_are_checked,
                                a_reading_of_another_size_is_a_failure,
                                the_list_says_what_is_missing};
  return RUN_SUITE("hooks perf", tests);
}
