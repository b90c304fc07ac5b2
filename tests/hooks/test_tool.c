/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors
 *
 * Tools over a kernel that the test drives. */
#include "measure/hooks/tool.h"

#include "tests/hooks/fake_kernel.h"
#include "tests/hooks/tools.h"

/* The thread sanitizer does not see libgomp's joins, and takes what comes after them for races. */
#ifdef __SANITIZE_THREAD__
#define OPENMP "threads"
#else
#define OPENMP "openmp"
#endif

#define TWO "perf:page-faults,context-switches"

/* Nothing of the kernel's is left open. */
static void end_with(struct tac_hook_figures *figures, struct tac_recorder *recorder, struct tac_hook_tool *tool) {
  tac_hook_figures_destroy(&figures);
  tac_recorder_destroy(&recorder);
  tac_hook_tool_destroy(&tool);
  ck_assert_int_eq(fake_kernel_open_count(), 0);
}

START_TEST(phases_are_inclusive_and_of_what_passes_inside) {
  struct tac_hook_tool *tool = create_tool(TWO);
  struct tac_recorder *recorder = recorder_of(tool);
  fake_kernel_add("page-faults", 1000); /* before anything */
  tac_recorder_enter(recorder, RUN);
  fake_kernel_add("page-faults", 1);
  for (int i = 0; i < 3; i++) {
    tac_recorder_enter(recorder, SOLVE);
    fake_kernel_add("page-faults", 20);
    fake_kernel_add("context-switches", 300);
    tac_recorder_leave(recorder, SOLVE);
    fake_kernel_add("page-faults", 4000);
  }
  tac_recorder_leave(recorder, RUN);
  fake_kernel_add("page-faults", 50000);
  struct tac_hook_figures *figures = taken_from(tool);
  ck_assert_str_eq(figures->name, "perf");
  ck_assert_str_eq(figures->counter[1].name, "context-switches");
  expect_sum(&figures->phase[RUN], 1, 1 + 3 * 4020, 900);
  expect_sum(&figures->phase[SOLVE], 3, 60, 900);
  expect_sum(&figures->item[WORK], 0, 0, 0);
  ck_assert_uint_eq(figures->failures, 0);
  end_with(figures, recorder, tool);
}
END_TEST

static enum tac_status faulting_item(void *context, size_t index, struct tac_lane *lane) {
  (void)context, (void)lane;
  fake_kernel_add("page-faults", index);
  return TAC_STATUS_OK;
}

static void run_batch(struct tac_scheduler *scheduler, struct tac_recorder *recorder, size_t count) {
  const struct tac_batch batch = {.count = count, .item = faulting_item, .event = WORK};
  ck_assert_int_eq(tac_run_batch_measured(scheduler, &batch, recorder, NULL), TAC_STATUS_OK);
}

/* By hand, where each reading shows 7 more page faults: none of them is left, whatever is inside of what. */
START_TEST(what_readings_count_is_taken_off) {
  fake_kernel_count_reads(7);
  struct tac_hook_tool *tool = create_tool(TWO);
  struct tac_recorder *recorder = recorder_of(tool);
  struct tac_scheduler *scheduler = scheduler_of("serial", 1);
  for (int run = 0; run < 2; run++) {
    tac_recorder_enter(recorder, RUN);
    fake_kernel_add("page-faults", 1);
    for (int i = 0; i < 3; i++) {
      tac_recorder_enter(recorder, SOLVE);
      fake_kernel_add("page-faults", 20);
      run_batch(scheduler, recorder, 5); /* 0 + 1 + 2 + 3 + 4 */
      tac_recorder_leave(recorder, SOLVE);
      fake_kernel_add("page-faults", 4000);
    }
    tac_recorder_leave(recorder, RUN);
  }
  struct tac_hook_figures *figures = taken_from(tool);
  expect_sum(&figures->item[WORK], 30, 60, 0);
  expect_sum(&figures->phase[WORK], 6, 60, 0);
  expect_sum(&figures->phase[SOLVE], 6, 180, 0);
  expect_sum(&figures->phase[RUN], 2, 2 + 180 + 6 * 4000, 0);
  tac_scheduler_destroy(&scheduler);
  end_with(figures, recorder, tool);
}
END_TEST

/* A reading that took less than those of the calibration: nothing is below 0, and a parent holds its children. */
START_TEST(no_more_is_taken_off_than_there_is) {
  fake_kernel_count_reads(7);
  struct tac_hook_tool *tool = create_tool(TWO);
  struct tac_recorder *recorder = recorder_of(tool);
  tac_recorder_enter(recorder, RUN);
  fake_kernel_count_reads(2);
  for (int i = 0; i < 3; i++) {
    tac_recorder_enter(recorder, SOLVE);
    fake_kernel_add("page-faults", i == 1 ? 10 : 0);
    tac_recorder_leave(recorder, SOLVE);
  }
  tac_recorder_leave(recorder, RUN);
  struct tac_hook_figures *figures = taken_from(tool);
  expect_sum(&figures->phase[SOLVE], 3, 5, 0); /* 10 + 2 - 7 */
  expect_sum(&figures->phase[RUN], 1, 5, 0);
  end_with(figures, recorder, tool);
}
END_TEST

START_TEST(taking_moves_and_open_phases_count_when_they_end) {
  struct tac_hook_tool *tool = create_tool(TWO);
  struct tac_recorder *recorder = recorder_of(tool);
  tac_recorder_enter(recorder, RUN);
  tac_recorder_enter(recorder, SOLVE);
  fake_kernel_add("page-faults", 5);
  tac_recorder_leave(recorder, SOLVE);
  struct tac_hook_figures *figures = taken_from(tool);
  expect_sum(&figures->phase[RUN], 0, 0, 0);
  expect_sum(&figures->phase[SOLVE], 1, 5, 0);
  fake_kernel_add("page-faults", 6);
  tac_recorder_leave(recorder, RUN);
  ck_assert_int_eq(tac_hook_tool_take(tool, figures, NULL), TAC_STATUS_OK);
  expect_sum(&figures->phase[RUN], 1, 11, 0);
  expect_sum(&figures->phase[SOLVE], 1, 5, 0); /* added to, not replaced */
  struct tac_hook_figures *empty = taken_from(tool);
  expect_sum(&empty->phase[RUN], 0, 0, 0);
  tac_hook_figures_destroy(&empty);
  end_with(figures, recorder, tool);
}
END_TEST

/* What the lanes' threads gathered is there after they have ended, too. */
START_TEST(items_are_of_all_lanes) {
  static const struct {
    const char *executor;
    int lanes;
  } cases[] = {{"serial", 1}, {"threads", 1}, {"threads", 4}, {OPENMP, 3}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const struct tac_executor *executor;
    if (tac_executor_find(&executor, cases[i].executor, NULL) != TAC_STATUS_OK || executor->probe(NULL) != TAC_STATUS_OK)
      continue;
    struct tac_hook_tool *tool = create_tool(TWO);
    struct tac_recorder *recorder = recorder_of(tool);
    struct tac_scheduler *scheduler = scheduler_of(cases[i].executor, cases[i].lanes);
    run_batch(scheduler, recorder, 100);
    run_batch(scheduler, recorder, 0);
    struct tac_hook_figures *figures = taken_from(tool);
    expect_sum(&figures->item[WORK], 100, 4950, 0);
    ck_assert_uint_eq(figures->phase[WORK].count, 2);
    ck_assert_int_le(figures->phase[WORK].value[0].value, 4950); /* the caller's part */
    ck_assert(cases[i].lanes > 1 || figures->phase[WORK].value[0].value == 4950);
    run_batch(scheduler, recorder, 11);
    tac_scheduler_destroy(&scheduler);
    ck_assert_int_eq(tac_hook_tool_take(tool, figures, NULL), TAC_STATUS_OK);
    expect_sum(&figures->item[WORK], 111, 4950 + 55, 0);
    end_with(figures, recorder, tool);
  }
}
END_TEST

/* An item that runs a batch of its own, with a recorder of its own and the same hooks. */
static enum tac_status nesting_item(void *context, size_t index, struct tac_lane *lane) {
  struct tac_hook_tool *tool = context;
  struct tac_recorder *recorder = recorder_of(tool);
  const struct tac_batch batch = {.count = 5, .item = faulting_item, .event = SOLVE};
  (void)index;
  fake_kernel_add("page-faults", 100);
  const enum tac_status status = tac_lane_run_batch_measured(lane, &batch, recorder, NULL);
  tac_recorder_destroy(&recorder);
  return status;
}

START_TEST(batches_inside_items_nest_on_their_thread) {
  struct tac_hook_tool *tool = create_tool(TWO);
  struct tac_recorder *recorder = recorder_of(tool);
  struct tac_scheduler *scheduler = scheduler_of("threads", 3);
  const struct tac_batch batch = {.count = 20, .item = nesting_item, .context = tool, .event = WORK};
  ck_assert_int_eq(tac_run_batch_measured(scheduler, &batch, recorder, NULL), TAC_STATUS_OK);
  struct tac_hook_figures *figures = taken_from(tool);
  expect_sum(&figures->item[WORK], 20, 20 * 110, 0);
  expect_sum(&figures->phase[SOLVE], 20, 20 * 10, 0);
  expect_sum(&figures->item[SOLVE], 100, 20 * 10, 0);
  tac_scheduler_destroy(&scheduler);
  end_with(figures, recorder, tool);
}
END_TEST

START_TEST(what_is_too_deep_is_left_out) {
  struct tac_hook_tool *tool = create_tool(TWO);
  const struct tac_hooks *hooks = tac_hook_tool_hooks(tool);
  for (int i = 0; i < TAC_HOOK_DEPTH + 3; i++) {
    hooks->phase_enter(hooks->context, i < TAC_HOOK_DEPTH ? SOLVE : RUN, "");
    fake_kernel_add("page-faults", 1);
  }
  for (int i = 0; i < TAC_HOOK_DEPTH + 3; i++)
    hooks->phase_leave(hooks->context, SOLVE, "");
  hooks->phase_leave(hooks->context, SOLVE, ""); /* nothing is open */
  struct tac_hook_figures *figures = taken_from(tool);
  ck_assert_uint_eq(figures->phase[SOLVE].count, TAC_HOOK_DEPTH);
  ck_assert_uint_eq(figures->phase[RUN].count, 0);
  tac_hook_figures_destroy(&figures);
  tac_hook_tool_destroy(&tool);
}
END_TEST

/* The caller's two counters are opened at its first phase; a lane's are refused. */
START_TEST(a_thread_whose_counters_fail_goes_on_without) {
  struct tac_hook_tool *tool = create_tool(TWO);
  struct tac_recorder *recorder = recorder_of(tool);
  struct tac_scheduler *scheduler = scheduler_of("threads", 4);
  tac_recorder_enter(recorder, RUN);
  fake_kernel_limit_opens(1);
  for (int i = 0; i < 20; i++)
    run_batch(scheduler, recorder, 100);
  tac_recorder_leave(recorder, RUN);
  struct tac_hook_figures *figures = taken_from(tool);
  ck_assert_uint_eq(figures->item[WORK].count, 2000);
  ck_assert_int_le(figures->item[WORK].value[0].value, 20 * 4950);
  ck_assert_int_eq(figures->item[WORK].value[0].value, figures->phase[WORK].value[0].value); /* the caller's alone */
  ck_assert_uint_le(figures->failures, 3);
  ck_assert(figures->failures == 0 || strstr(figures->failure, "ulimit -n") != NULL);
  tac_scheduler_destroy(&scheduler);
  end_with(figures, recorder, tool);
}
END_TEST

START_TEST(a_read_that_fails_is_told_once) {
  for (int at_leave = 0; at_leave < 2; at_leave++) {
    struct tac_hook_tool *tool = create_tool(TWO);
    struct tac_recorder *recorder = recorder_of(tool);
    tac_recorder_enter(recorder, RUN);
    tac_recorder_enter(recorder, SOLVE);
    fake_kernel_add("page-faults", 5);
    tac_recorder_leave(recorder, SOLVE);
    if (at_leave)
      tac_recorder_enter(recorder, SOLVE);
    fake_kernel_fail_reads(EIO);
    if (!at_leave)
      tac_recorder_enter(recorder, SOLVE);
    tac_recorder_leave(recorder, SOLVE);
    tac_recorder_leave(recorder, RUN);
    struct tac_hook_figures *figures = taken_from(tool);
    expect_sum(&figures->phase[SOLVE], 2, 5, 0);
    expect_sum(&figures->phase[RUN], 1, 0, 0);
    ck_assert_uint_eq(figures->failures, 1);
    ck_assert_ptr_nonnull(strstr(figures->failure, strerror(EIO)));
    ck_assert_int_eq(tac_hook_tool_take(tool, figures, NULL), TAC_STATUS_OK);
    ck_assert_uint_eq(figures->failures, 1);
    end_with(figures, recorder, tool);
    fake_kernel_reset();
  }
}
END_TEST

START_TEST(foreign_figures_are_refused) {
  static const struct tac_event_set others = {"others", EVENTS, events};
  struct tac_hook_tool *tool = create_tool(TWO), *another = create_tool("perf:page-faults,cycles");
  struct tac_hook_figures *figures;
  ck_assert_int_eq(tac_hook_tool_figures(&figures, another, NULL), TAC_STATUS_OK);
  ck_assert_int_eq(tac_hook_tool_take(tool, figures, NULL), TAC_STATUS_INVALID);
  tac_hook_figures_destroy(&figures);
  ck_assert_int_eq(tac_hook_tool_figures(&figures, tool, NULL), TAC_STATUS_OK);
  figures->events = &others;
  ck_assert_int_eq(tac_hook_tool_take(tool, figures, NULL), TAC_STATUS_INVALID);
  ck_assert_int_eq(tac_hook_tool_take(NULL, figures, NULL), TAC_STATUS_INVALID);
  ck_assert_int_eq(tac_hook_tool_take(tool, NULL, NULL), TAC_STATUS_INVALID);
  tac_hook_figures_destroy(&figures);
  ck_assert_int_eq(tac_hook_tool_figures(&figures, NULL, NULL), TAC_STATUS_INVALID);
  tac_hook_tool_destroy(&tool);
  tac_hook_tool_destroy(&another);
  tac_hook_tool_destroy(&another);
}
END_TEST

START_TEST(options_are_checked) {
  struct tac_hook_tool_options options;
  struct tac_hook_tool *tool;
  tac_hook_tool_options_init(&options);
  options.hooks = TWO;
  ck_assert_int_eq(tac_hook_tool_create(&tool, &options, NULL), TAC_STATUS_INVALID); /* no events */
  options.events = &event_set;
  options.hooks = NULL;
  ck_assert_int_eq(tac_hook_tool_create(&tool, &options, NULL), TAC_STATUS_INVALID);
  options.hooks = TWO;
  options.size = 1;
  ck_assert_int_eq(tac_hook_tool_create(&tool, &options, NULL), TAC_STATUS_INVALID);
  ck_assert_int_eq(tac_hook_tool_create(&tool, NULL, NULL), TAC_STATUS_INVALID);
  ck_assert_int_eq(tac_hook_tool_create(NULL, &options, NULL), TAC_STATUS_INVALID);
}
END_TEST

/* Creation needs some pieces of memory, a thread's first phase some more; whichever is missing, nothing stays. */
START_TEST(want_of_memory_is_a_status_or_a_failure) {
  int created = 0, failed_later = 0;
  for (size_t left = 0; left < 16; left++) {
    struct counting counting = COUNTING_INIT;
    const struct tac_allocator allocator = COUNTING_ALLOCATOR(&counting);
    struct tac_hook_tool_options options;
    struct tac_hook_tool *tool;
    tac_hook_tool_options_init(&options);
    options.hooks = TWO;
    options.events = &event_set;
    options.allocator = &allocator;
    counting.left = left;
    const enum tac_status status = tac_hook_tool_create(&tool, &options, NULL);
    ck_assert(status == TAC_STATUS_OK || status == TAC_STATUS_MEMORY);
    if (status == TAC_STATUS_OK) {
      const struct tac_hooks *hooks = tac_hook_tool_hooks(tool);
      created++;
      hooks->phase_enter(hooks->context, RUN, "");
      hooks->phase_leave(hooks->context, RUN, "");
      counting.left = 10;
      struct tac_hook_figures *figures = taken_from(tool);
      failed_later += figures->failures > 0 && strstr(figures->failure, "no memory") != NULL;
      tac_hook_figures_destroy(&figures);
    }
    tac_hook_tool_destroy(&tool);
    ck_assert_uint_eq(counting.allocated, counting.released);
  }
  ck_assert_int_gt(failed_later, 2);
  ck_assert_int_gt(created, failed_later);
}
END_TEST

int main(void) {
  const TTest *const tests[] = {phases_are_inclusive_and_of_what_passes_inside,
                                what_readings_count_is_taken_off,
                                no_more_is_taken_off_than_there_is,
                                taking_moves_and_open_phases_count_when_they_end,
                                items_are_of_all_lanes,
                                batches_inside_items_nest_on_their_thread,
                                what_is_too_deep_is_left_out,
                                a_thread_whose_counters_fail_goes_on_without,
                                a_read_that_fails_is_told_once,
                                foreign_figures_are_refused,
                                options_are_checked,
                                want_of_memory_is_a_status_or_a_failure};
  return RUN_SUITE("hook tool", tests);
}
