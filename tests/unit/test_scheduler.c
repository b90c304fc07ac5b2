/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) The Tactus authors */
#include <tactus/scheduler/scheduler.h>

#include <string.h>

#include "tests/support/executors.h"
#include "tests/unit/counting_allocator.h"
#include "tests/unit/suite.h"

static struct tac_scheduler_options options_with(const struct tac_executor *table) {
  struct tac_scheduler_options options;
  tac_scheduler_options_init(&options);
  options.table = table;
  return options;
}

static struct tac_error expect_refused(const struct tac_scheduler_options *options, enum tac_status status, const char *text) {
  struct tac_scheduler *scheduler = (struct tac_scheduler *)&status;
  struct tac_error error;
  tac_error_clear(&error);
  ck_assert_int_eq(tac_scheduler_create(&scheduler, options, &error), status);
  ck_assert_ptr_null(scheduler);
  ck_assert_int_eq(error.status, status);
  ck_assert_msg(strstr(error.text, text) != NULL, "'%s' does not say '%s'", error.text, text);
  return error;
}

START_TEST(wrong_options_are_refused) {
  struct tac_scheduler_options options = options_with(NULL);
  expect_refused(NULL, TAC_STATUS_INVALID, "options");
  options.size++;
  expect_refused(&options, TAC_STATUS_INVALID, "options");
  options = options_with(NULL);
  options.level = (enum tac_level)4;
  expect_refused(&options, TAC_STATUS_INVALID, "level 4");
  options = options_with(NULL);
  options.executor = "seriel";
  expect_refused(&options, TAC_STATUS_INVALID, "serial");
  options = options_with(NULL);
  options.executor = "serial";
  options.executor_options.lanes = 2;
  expect_refused(&options, TAC_STATUS_INVALID, "");
  options = options_with(NULL);
  ck_assert_int_eq(tac_scheduler_create(NULL, &options, NULL), TAC_STATUS_INVALID);
}
END_TEST

START_TEST(wrong_tables_are_refused) {
  struct tac_executor table = test_executor_in_turn;
  struct tac_scheduler_options options = options_with(&table);
  table.abi = TAC_EXECUTOR_ABI + 1;
  expect_refused(&options, TAC_STATUS_INVALID, "ABI 3");
  for (int entry = 0; entry < 6; entry++) {
    table = test_executor_in_turn;
    if (entry == 0)
      table.name = NULL;
    else if (entry == 1)
      table.probe = NULL;
    else if (entry == 2)
      table.create = NULL;
    else if (entry == 3)
      table.destroy = NULL;
    else if (entry == 4)
      table.lanes = NULL;
    else
      table.run = NULL;
    expect_refused(&options, TAC_STATUS_INVALID, "empty entries");
  }
}
END_TEST

START_TEST(an_executor_that_cannot_run_is_not_replaced) {
  const struct tac_scheduler_options unavailable = options_with(&test_executor_unavailable),
                                     laneless = options_with(&test_executor_laneless),
                                     failing = options_with(&test_executor_failing);
  expect_refused(&unavailable, TAC_STATUS_UNAVAILABLE, "plug one in");
  expect_refused(&laneless, TAC_STATUS_CONTRACT, "0 lanes");
  expect_refused(&failing, TAC_STATUS_SYSTEM, "no threads today");
}
END_TEST

START_TEST(a_scheduler_says_what_it_is) {
  struct tac_scheduler_options options = options_with(NULL);
  struct tac_scheduler *scheduler;
  options.executor = "serial";
  options.level = TAC_DETAILED;
  ck_assert_int_eq(tac_scheduler_create(&scheduler, &options, NULL), TAC_STATUS_OK);
  ck_assert_int_eq(tac_scheduler_lanes(scheduler), 1);
  ck_assert_str_eq(tac_scheduler_executor(scheduler)->name, "serial");
  ck_assert_int_eq(tac_scheduler_level(scheduler), TAC_DETAILED);
  tac_scheduler_destroy(&scheduler);
  ck_assert_ptr_null(scheduler);
  tac_scheduler_destroy(&scheduler);
  tac_scheduler_destroy(NULL);
  options = options_with(&test_executor_in_turn);
  options.executor_options.lanes = 5;
  ck_assert_int_eq(tac_scheduler_create(&scheduler, &options, NULL), TAC_STATUS_OK);
  ck_assert_int_eq(tac_scheduler_lanes(scheduler), 5);
  ck_assert_ptr_eq(tac_scheduler_executor(scheduler), &test_executor_in_turn);
  ck_assert_int_eq(tac_scheduler_level(scheduler), TAC_OFF);
  tac_scheduler_destroy(&scheduler);
}
END_TEST

START_TEST(creation_survives_every_refused_allocation) {
  for (size_t allowed = 0;; allowed++) {
    struct counting counting = COUNTING_INIT;
    counting.left = allowed;
    const struct tac_allocator allocator = COUNTING_ALLOCATOR(&counting);
    struct tac_scheduler_options options = options_with(&test_executor_in_turn);
    options.executor_options.lanes = 3;
    options.allocator = &allocator;
    struct tac_scheduler *scheduler;
    struct tac_error error;
    const enum tac_status status = tac_scheduler_create(&scheduler, &options, &error);
    ck_assert((status == TAC_STATUS_OK) == (scheduler != NULL));
    tac_scheduler_destroy(&scheduler);
    ck_assert_uint_eq(counting.allocated, counting.released);
    if (status == TAC_STATUS_OK)
      break;
    ck_assert_int_eq(status, TAC_STATUS_MEMORY);
  }
}
END_TEST

int main(void) {
  const TTest *const tests[] = {wrong_options_are_refused, wrong_tables_are_refused,
                                an_executor_that_cannot_run_is_not_replaced, a_scheduler_says_what_it_is,
                                creation_survives_every_refused_allocation};
  return RUN_SUITE("scheduler", tests);
}
