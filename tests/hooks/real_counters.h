/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#ifndef TESTS_HOOKS_REAL_COUNTERS_H
#define TESTS_HOOKS_REAL_COUNTERS_H

/* What holds of any counters of a real system, and a skip where it has none. */
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tests/hooks/tools.h"

/* Ends the program as a skip where a kind is not available. */
static inline void skip_unless_available(size_t kind) {
  size_t count;
  struct tac_error why;
  tac_error_clear(&why);
  if (tac_hook_kinds(&count)[kind]->probe(&why) == TAC_STATUS_OK)
    return;
  printf("1..0 # SKIP %s\n", why.text);
  exit(0);
}

/* Touches pages that the process has not had: at least one fault each, as they are asked for one by one. */
static inline void touch_pages(size_t count) {
  const size_t page = (size_t)sysconf(_SC_PAGESIZE);
  volatile char *memory = mmap(NULL, count * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ck_assert_ptr_ne((const void *)memory, MAP_FAILED);
  madvise((void *)memory, count * page, MADV_NOHUGEPAGE);
  for (size_t i = 0; i < count; i++)
    memory[i * page] = 1;
  munmap((void *)memory, count * page);
}

static inline enum tac_status touching_item(void *context, size_t index, struct tac_lane *lane) {
  (void)context, (void)index, (void)lane;
  touch_pages(10);
  return TAC_STATUS_OK;
}

/* A run of three solves, each with a batch of 20 items of 10 pages each; the counters are of time and page faults. */
static inline void expect_sound_figures(const char *hooks, const char *executor, int lanes) {
  struct tac_hook_tool *tool = create_tool(hooks);
  struct tac_recorder *recorder = recorder_of(tool);
  struct tac_scheduler *scheduler = scheduler_of(executor, lanes);
  const struct tac_batch batch = {.count = 20, .item = touching_item, .event = WORK};
  tac_recorder_enter(recorder, RUN);
  for (int i = 0; i < 3; i++) {
    tac_recorder_enter(recorder, SOLVE);
    touch_pages(100);
    ck_assert_int_eq(tac_run_batch_measured(scheduler, &batch, recorder, NULL), TAC_STATUS_OK);
    tac_recorder_leave(recorder, SOLVE);
  }
  tac_recorder_leave(recorder, RUN);
  tac_scheduler_destroy(&scheduler);
  struct tac_hook_figures *figures = taken_from(tool);
  ck_assert_msg(figures->failures == 0, "%s", figures->failure);
  ck_assert_uint_eq(figures->phase[SOLVE].count, 3);
  ck_assert_uint_eq(figures->item[WORK].count, 60);
  for (size_t c = 0; c < 2; c++) {
    const int64_t run = figures->phase[RUN].value[c].value, solve = figures->phase[SOLVE].value[c].value;
    const int64_t work = figures->phase[WORK].value[c].value, items = figures->item[WORK].value[c].value;
    ck_assert_int_gt(items, 0);
    ck_assert_int_ge(work, 0);
    ck_assert_int_ge(run, solve); /* a parent holds its children */
    ck_assert_int_ge(solve, work);
    ck_assert(lanes > 1 || work >= items);
  }
  ck_assert_int_ge(figures->phase[SOLVE].value[1].value - figures->phase[WORK].value[1].value, 300);
  ck_assert_int_ge(figures->item[WORK].value[1].value, 600);
  ck_assert_int_gt(figures->phase[SOLVE].value[0].value, figures->phase[WORK].value[0].value);
  tac_hook_figures_destroy(&figures);
  tac_recorder_destroy(&recorder);
  tac_hook_tool_destroy(&tool);
}

#endif
