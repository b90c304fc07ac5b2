/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "measure/record_cost.h"

#include "tests/unit/measured.h"

/* A clock that moves by 3 ns a read: a phase and an item read it twice each, and that is all that takes time on it. */
START_TEST(reads_are_all_that_costs_on_a_clock_that_only_reads_move) {
  for (int level = TAC_COARSE; level < TAC_LEVEL_COUNT; level++) {
    struct tac_recorder *recorder = recorder_at((enum tac_level)level);
    struct tac_record_cost cost;
    driven.step_ns = 3;
    ck_assert_int_eq(tac_record_cost_measure(&cost, &recorder->options, NULL), TAC_STATUS_OK);
    ck_assert(cost.clock_read_ns == 3);
    ck_assert(cost.phase_record_ns == 6);
    ck_assert(cost.item_record_ns == (level == TAC_DETAILED ? 6 : 0));
    ck_assert_uint_eq(tac_recorder_stats(recorder, WORK).count, 0); /* its own recorder */
    tac_recorder_destroy(&recorder);
  }
}
END_TEST

static void refuse_to_be_called(void *context, int event, const char *name) {
  (void)event, (void)name;
  ++*(int *)context;
}

START_TEST(hooks_are_not_called) {
  int calls = 0;
  const struct tac_hooks hooks = {.context = &calls, .phase_enter = refuse_to_be_called};
  struct tac_recorder_options options = recorder_options(TAC_HOOKED);
  options.hooks = &hooks;
  struct tac_recorder *recorder = create_recorder(&options);
  struct tac_record_cost cost;
  ck_assert_int_eq(tac_record_cost_measure(&cost, &recorder->options, NULL), TAC_STATUS_OK);
  ck_assert_int_eq(calls, 0);
  tac_recorder_destroy(&recorder);
}
END_TEST

START_TEST(a_refused_allocation_is_reported) {
  struct counting counting = COUNTING_INIT;
  const struct tac_allocator allocator = COUNTING_ALLOCATOR(&counting);
  struct tac_recorder_options options = recorder_options(TAC_DETAILED);
  options.allocator = &allocator;
  struct tac_recorder *recorder = create_recorder(&options);
  struct tac_record_cost cost;
  enum tac_status status = TAC_STATUS_MEMORY;
  size_t left = 0;
  for (; status == TAC_STATUS_MEMORY; left++) {
    ck_assert_uint_lt(left, 100);
    counting.left = left;
    status = tac_record_cost_measure(&cost, &recorder->options, NULL);
  }
  ck_assert_int_eq(status, TAC_STATUS_OK);
  ck_assert_uint_gt(left, 8);
  tac_recorder_destroy(&recorder);
  ck_assert_uint_eq(counting.allocated, counting.released);
}
END_TEST

int main(void) {
  const TTest *const tests[] = {reads_are_all_that_costs_on_a_clock_that_only_reads_move, hooks_are_not_called,
                                a_refused_allocation_is_reported};
  return RUN_SUITE("record_cost", tests);
}
