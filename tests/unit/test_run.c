/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "scheduler/run.h"

#include "tests/unit/suite.h"

static double unit_cost(const void *context, size_t index) {
  (void)context, (void)index;
  return 1;
}

static enum tac_status nothing(void *context, size_t index, struct tac_lane *lane) {
  (void)context, (void)index, (void)lane;
  return TAC_STATUS_OK;
}

static struct tac_run planned(struct tac_batch batch, int lanes) {
  static struct tac_lane lane[8];
  static struct tac_lane_failure failure[8];
  static _Alignas(TAC_ALIGNMENT) char memory[100000];
  const struct tac_run_place place = {lane, failure, lanes};
  struct tac_run run;
  batch.item = nothing;
  ck_assert_int_eq(tac_run_plan(&run, &place, &batch, memory, NULL), TAC_STATUS_OK);
  for (int k = 0; k < run.work.lanes; k++)
    ck_assert_int_eq(lane[k].count, run.work.lanes);
  return run;
}

static const struct {
  struct tac_batch batch;
  int lanes;
  size_t grain;
} grains[] = {
    {{.count = 1000}, 2, 31}, /* 1000 / 32 */
    {{.count = 31}, 2, 1},    /* below one position a claim: one */
    {{.count = 2048}, 4, 32},
    {{.count = 1000000}, 4, 32},                /* more would serialise unlike items */
    {{.count = 1000, .cost = unit_cost}, 2, 1}, /* with a cost the order is the balance */
    {{.count = 1000, .grain = 10}, 2, 10},
    {{.count = 1000, .grain = 10, .cost = unit_cost}, 2, 10},
    {{.count = 1000, .grain = (size_t)-1}, 2, 1000}, /* more would wrap the shared index */
};

START_TEST(grain) {
  for (size_t i = 0; i < sizeof grains / sizeof *grains; i++)
    ck_assert_uint_eq(planned(grains[i].batch, grains[i].lanes).grain, grains[i].grain);
}
END_TEST

static const struct {
  struct tac_batch batch;
  int lanes, used, ran_inline;
} lane_cases[] = {
    {{.count = 0}, 4, 0, 0},
    {{.count = 1}, 4, 1, 1},
    {{.count = 3}, 4, 3, 0},
    {{.count = 4}, 4, 4, 0},
    {{.count = 100}, 4, 4, 0},
    {{.count = 100}, 1, 1, 1},
    {{.count = 100, .inline_below = 100}, 4, 4, 0}, /* without a cost the count is the cost; equal is not below */
    {{.count = 100, .inline_below = 100.5}, 4, 1, 1},
    {{.count = 100, .cost = unit_cost, .inline_below = 100}, 4, 4, 0},
    {{.count = 100, .cost = unit_cost, .inline_below = 101}, 4, 1, 1},
};

START_TEST(lanes_are_clamped_and_small_batches_run_inline) {
  for (size_t i = 0; i < sizeof lane_cases / sizeof *lane_cases; i++) {
    const struct tac_run run = planned(lane_cases[i].batch, lane_cases[i].lanes);
    ck_assert_int_eq(run.work.lanes, lane_cases[i].used);
    ck_assert_int_eq(run.ran_inline, lane_cases[i].ran_inline);
  }
}
END_TEST

START_TEST(wrong_batches_are_refused) {
  const struct tac_batch itemless = {.count = 1}, modeless = {.count = 1, .item = nothing, .failure_mode = 7},
                         empty = {.count = 0};
  struct tac_error error;
  ck_assert_int_eq(tac_batch_check(NULL, &error), TAC_STATUS_INVALID);
  ck_assert_int_eq(tac_batch_check(&itemless, &error), TAC_STATUS_INVALID);
  ck_assert_str_eq(error.text, "a batch of 1 items has no item function");
  ck_assert_int_eq(tac_batch_check(&modeless, &error), TAC_STATUS_INVALID);
  ck_assert_str_eq(error.text, "unknown failure mode 7");
  ck_assert_int_eq(tac_batch_check(&empty, &error), TAC_STATUS_OK);
}
END_TEST

/* Notes from several lanes in any order: the lowest index wins, and the lanes are empty for the next batch. */
START_TEST(the_lowest_index_is_reported) {
  struct tac_error lane_errors[2] = {{.text = "first"}, {.text = "second"}};
  struct tac_run run = planned((struct tac_batch){.count = 10, .failure_mode = TAC_RUN_ALL}, 2);
  const struct tac_lane lanes[2] = {{.number = 0, .error = &lane_errors[0]}, {.number = 1, .error = &lane_errors[1]}};
  struct tac_error error;
  tac_run_note_failure(&run, &lanes[0], 7, TAC_STATUS_ITEM);
  tac_run_note_failure(&run, &lanes[1], 4, TAC_STATUS_NUMERICAL);
  tac_run_note_failure(&run, &lanes[0], 9, TAC_STATUS_ITEM);
  ck_assert_int_eq(atomic_load(&run.stop), 0);
  ck_assert_int_eq(tac_run_collect(&run, TAC_STATUS_SYSTEM, &error), TAC_STATUS_NUMERICAL);
  ck_assert_uint_eq(error.item, 4);
  ck_assert_str_eq(error.text, "second");
  ck_assert_int_eq(run.failure[0].status, TAC_STATUS_OK);
  ck_assert_int_eq(run.failure[1].status, TAC_STATUS_OK);
  atomic_store(&run.failed, 0);
  ck_assert_int_eq(tac_run_collect(&run, TAC_STATUS_SYSTEM, &error), TAC_STATUS_SYSTEM);
}
END_TEST

START_TEST(a_failure_stops_new_claims_unless_all_run) {
  struct tac_error lane_error = {0};
  struct tac_run run = planned((struct tac_batch){.count = 10}, 2);
  const struct tac_lane lane = {.number = 0, .error = &lane_error};
  tac_run_note_failure(&run, &lane, 7, TAC_STATUS_ITEM);
  ck_assert_int_eq(atomic_load(&run.stop), 1);
  ck_assert_int_eq(tac_run_collect(&run, TAC_STATUS_OK, NULL), TAC_STATUS_ITEM);
}
END_TEST

int main(void) {
  const TTest *const tests[] = {grain, lanes_are_clamped_and_small_batches_run_inline, wrong_batches_are_refused,
                                the_lowest_index_is_reported, a_failure_stops_new_claims_unless_all_run};
  return RUN_SUITE("run", tests);
}
