/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include "runtime/executor_rows.h"

#include "tests/unit/executor_work.h"
#include "tests/unit/suite.h"

static const struct tac_executor *const executor = &tac_executor_serial;

static struct tac_executor_options options_of(int lanes) {
  struct tac_executor_options options;
  tac_executor_options_init(&options);
  options.lanes = lanes;
  return options;
}

START_TEST(has_one_lane) {
  ck_assert_int_eq(executor->probe(NULL), TAC_STATUS_OK);
  for (int lanes = 0; lanes <= 1; lanes++) {
    struct tac_executor_options options = options_of(lanes);
    void *state = NULL;
    ck_assert_int_eq(executor->create(&state, &options, NULL), TAC_STATUS_OK);
    ck_assert_int_eq(executor->lanes(state), 1);
    executor->destroy(state);
  }
}
END_TEST

START_TEST(refuses_more_lanes) {
  struct tac_executor_options options = options_of(2);
  void *state = NULL;
  struct tac_error error;
  ck_assert_int_eq(executor->create(&state, &options, &error), TAC_STATUS_INVALID);
  ck_assert_ptr_null(state);
  ck_assert_str_eq(error.text, "the serial executor has one lane, 2 were asked for");
}
END_TEST

START_TEST(runs_all_on_the_caller) {
  struct tac_executor_options options = options_of(0);
  void *state;
  ck_assert_int_eq(executor->create(&state, &options, NULL), TAC_STATUS_OK);
  static struct work work;
  work_init(&work, 100, 1, claiming_loop);
  ck_assert_int_eq(executor->run(state, &work.work, NULL), TAC_STATUS_OK);
  ck_assert(work_is_right(&work));
  executor->destroy(state);
}
END_TEST

int main(void) {
  const TTest *const tests[] = {has_one_lane, refuses_more_lanes, runs_all_on_the_caller};
  return RUN_SUITE("executor_serial", tests);
}
