/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors
 *
 * Run with the injection of the tests, which writes the calls into the file TACTUS_NVTX_LOG. */
#include "tests/hooks/tools.h"

#include "tests/support/executors.h"

enum { LANES = 3, COUNT = 7 };

static enum tac_status empty_item(void *context, size_t index, struct tac_lane *lane) {
  (void)context, (void)index, (void)lane;
  return TAC_STATUS_OK;
}

static void run_a_batch(void) {
  struct tac_hook_tool *tool = create_tool("nvtx");
  struct tac_recorder *recorder = recorder_of(tool);
  struct tac_scheduler_options options;
  struct tac_scheduler *scheduler;
  tac_scheduler_options_init(&options);
  options.table = &test_executor_strided;
  options.executor_options.lanes = LANES;
  options.level = TAC_HOOKED;
  ck_assert_int_eq(tac_scheduler_create(&scheduler, &options, NULL), TAC_STATUS_OK);
  const struct tac_batch batch = {.count = COUNT, .item = empty_item, .event = WORK};
  ck_assert_int_eq(tac_run_batch_measured(scheduler, &batch, recorder, NULL), TAC_STATUS_OK);
  struct tac_hook_figures *figures = taken_from(tool);
  ck_assert_uint_eq(figures->counters, 0);
  ck_assert_str_eq(figures->note, "");
  ck_assert_uint_eq(figures->phase[WORK].count, 1);
  ck_assert_uint_eq(figures->item[WORK].count, COUNT);
  tac_hook_figures_destroy(&figures);
  tac_scheduler_destroy(&scheduler);
  tac_recorder_destroy(&recorder);
  tac_hook_tool_destroy(&tool);
}

/* Position p runs on lane p mod 3: items whose indices agree so are on one thread, others on different ones. */
START_TEST(items_are_on_their_lanes_threads) {
  long thread[COUNT] = {0}, caller = 0, of_push;
  unsigned category, kind;
  unsigned long long payload;
  char line[256], name[64];
  run_a_batch();
  fflush(NULL); /* the injection's file is of this process */
  FILE *log = fopen(getenv("TACTUS_NVTX_LOG"), "r");
  ck_assert_ptr_nonnull(log);
  while (fgets(line, sizeof line, log)) {
    if (sscanf(line, "push %ld %u %u %llu %63s", &of_push, &category, &kind, &payload, name) != 5)
      continue;
    ck_assert_str_eq(name, "work");
    if (category == 1) {
      ck_assert_int_eq(caller, 0);
      caller = of_push;
    } else {
      ck_assert_uint_lt(payload, COUNT);
      ck_assert_int_eq(thread[payload], 0);
      thread[payload] = of_push;
    }
  }
  fclose(log);
  ck_assert_int_ne(caller, 0);
  for (int i = 0; i < COUNT; i++)
    for (int j = 0; j < COUNT; j++)
      ck_assert_int_eq(thread[i] == thread[j], i % LANES == j % LANES);
}
END_TEST

int main(void) {
  const TTest *const tests[] = {items_are_on_their_lanes_threads};
  return RUN_SUITE("hooks nvtx", tests);
}
